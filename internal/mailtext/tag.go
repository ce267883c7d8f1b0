package mailtext

import (
	"strings"

	"golang.org/x/net/html"
)

// nameLen returns the end of the name of a start tag.
func nameLen[T string | []byte](tag T) int {
	end := len("<")
	for end < len(tag) && !isBlank(tag[end]) && tag[end] != '/' && tag[end] != '>' {
		end++
	}
	return end
}

// nextAttr returns the first attribute in tag[pos:], and the start of the rest of the
// tag. tag must be a start tag with its ">". The key is empty at the end of the tag
// (HTML section 13.2.5.32 and the sections after it).
func nextAttr[T string | []byte](tag T, pos int) (key, value T, next int) {
	for pos < len(tag) && tag[pos] != '>' {
		if isBlank(tag[pos]) || tag[pos] == '/' {
			pos++
			continue
		}
		start := pos
		for pos++; pos < len(tag) && !endsKey[tag[pos]]; pos++ {
		}
		key = tag[start:pos]
		next = skipBlanks(tag, pos)
		if next == len(tag) || tag[next] != '=' {
			return key, value, next
		}
		next = skipBlanks(tag, next+1)
		if next == len(tag) || tag[next] == '>' {
			return key, value, next
		}
		if quote := tag[next]; quote == '"' || quote == '\'' {
			for start, next = next+1, next+1; next < len(tag) && tag[next] != quote; next++ {
			}
			if next == len(tag) {
				return key[:0], value, next
			}
			return key, tag[start:next], next + 1
		}
		start = next
		for next < len(tag) && !isBlank(tag[next]) && tag[next] != '>' {
			next++
		}
		return key, tag[start:next], next
	}
	return key, value, pos
}

func skipBlanks[T string | []byte](s T, pos int) int {
	for pos < len(s) && isBlank(s[pos]) {
		pos++
	}
	return pos
}

// tagName normalizes the name of a tag or an attribute: in lower case and without NUL
// (HTML section 13.2.5.8).
func tagName(s string) string {
	for i := range len(s) {
		switch c := s[i]; {
		case 'A' <= c && c <= 'Z', c == 0:
			b := []byte(strings.ReplaceAll(s, "\x00", "\uFFFD"))
			for j, c := range b {
				if 'A' <= c && c <= 'Z' {
					b[j] = c + ('a' - 'A')
				}
			}
			return string(b)
		}
	}
	return s
}

// attrValue returns the value of an attribute, with character references decoded and line
// ends replaced by LF. s is the value as written.
func attrValue(s string) string {
	if strings.IndexByte(s, 0) >= 0 {
		s = strings.ReplaceAll(s, "\x00", "\uFFFD")
	}
	if strings.IndexByte(s, '\r') >= 0 {
		s = lineEnds.Replace(s)
	}
	if strings.IndexByte(s, '&') < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for {
		i := strings.IndexByte(s, '&')
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:i])
		s = s[i:]
		n := referenceLen(s)
		b.WriteString(attrReference(s[:n], s[n:]))
		s = s[n:]
	}
}

// referenceLen returns the length of what may be a character reference at the beginning
// of s, which is "&".
func referenceLen(s string) int {
	n := 1
	for n < len(s) && (isAlphanumeric(s[n]) || n == 1 && s[n] == '#') {
		n++
	}
	if n < len(s) && s[n] == ';' {
		n++
	}
	return n
}

// attrReference decodes ref, which is in the value of an attribute. It returns ref
// itself if ref is not a character reference. A named reference without a semicolon
// must be all of ref, and no "=" may follow it in rest. So a query such as
// "?a=1&copy=2" does not change (HTML section 13.2.5.73).
func attrReference(ref, rest string) string {
	text := html.UnescapeString(ref)
	if len(ref) < 2 || ref[1] == '#' || ref[len(ref)-1] == ';' && text[len(text)-1] != ';' || text == ref {
		return text
	}
	if ref[len(ref)-1] == ';' {
		if text == ";" {
			return text
		}
		return ref // only its beginning is the name of a reference
	}
	if strings.HasPrefix(rest, "=") || isAlphanumeric(text[len(text)-1]) {
		return ref
	}
	return text
}

func isAlphanumeric(c byte) bool { return isLetter(c) || '0' <= c && c <= '9' }
