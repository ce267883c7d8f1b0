package mailtext

import (
	"bytes"
	"iter"
	"strings"
	"unicode/utf8"
)

// bareURLs yields where the http and https URLs in a text that are in no brackets
// begin and end. As people write them, a URL ends before white space, angle brackets,
// other brackets that it did not open, double quotes, a backslash and the punctuation of
// East Asian scripts, and without the punctuation and the letters outside of ASCII that
// it is followed by. Letters before the scheme are not of the URL: in charsets of East
// Asia they are the ends of characters.
func bareURLs(text string) iter.Seq2[int, int] {
	return func(yield func(start, end int) bool) {
		stop := 0 // where the word ends that the last URL was in
		for pos := 0; ; {
			i := strings.Index(text[pos:], "://")
			if i < 0 {
				return
			}
			start := pos + i - schemeLen(text[pos:pos+i])
			pos += i + len("://")
			if pos > stop {
				if stop = strings.IndexFunc(text[pos:], endsURL); stop >= 0 {
					stop += pos
				} else {
					stop = len(text)
				}
			}
			pos = start + standsAlone(text[start:stop])
			end := start + len(strings.TrimRightFunc(text[start:pos], followsURL))
			if start > 0 && text[start-1] == '_' {
				end = start + len(strings.TrimSuffix(text[start:end], "_")) // as in Markdown
			}
			scheme, rest, _ := strings.Cut(text[start:max(start, end)], "://")
			if scheme == "" || rest == "" {
				continue
			}
			if !yield(start, end) {
				return
			}
		}
	}
}

// standsAlone returns the length of the URL that text, which has no blank, begins with. It
// ends before a closing bracket that nothing in it has opened, and before another URL, if
// nothing but a comma, a semicolon or a bar is between them. A URL after other octets is
// part of the one that it is in.
func standsAlone(text string) int {
	const open, shut = "([{", ")]}"
	var depth [len(open)]int
	for i := range len(text) {
		switch c := text[i]; c {
		case '(', '[', '{':
			if strings.HasPrefix(text[i:], "[/") {
				return i // as in BBCode
			}
			depth[strings.IndexByte(open, c)]++
		case ')', ']', '}':
			k := strings.IndexByte(shut, c)
			if depth[k]--; depth[k] < 0 {
				return i
			}
		case ',', ';', '|':
			if isLink([]byte(text[i+1 : min(len(text), i+1+len("https://")+1)])) {
				return i
			}
		}
	}
	return len(text)
}

// schemeLen returns the length of the scheme of a web URL that text ends with, 0 if it
// ends with none.
func schemeLen(text string) int {
	for _, scheme := range [...]string{"https", "http"} {
		if n := len(text) - len(scheme); n >= 0 && strings.EqualFold(text[n:], scheme) {
			return len(scheme)
		}
	}
	return 0
}

// endsURL reports whether a URL that stands in a text ends before c. What is not
// UTF-8 ends it.
func endsURL(c rune) bool {
	return c <= ' ' || c == '<' || c == '>' || c == '"' || c == '\\' || c == 0x7f || c == '\u00a0' || c == utf8.RuneError ||
		'\u2000' <= c && c <= '\u206f' || '\u3000' <= c && c <= '\u303f' || '\uff00' <= c && c <= '\uffef'
}

// followsURL reports whether c, at the end of what may be a URL, is more likely of
// the sentence that the URL is in.
func followsURL(c rune) bool {
	return c >= utf8.RuneSelf || strings.ContainsRune(".,;:!?'*`|", c)
}

const (
	// maxPieces bounds the lines that a URL without brackets is broken over.
	maxPieces = 8

	// fullLine is the length from which a line of text is one that a program may
	// have wrapped, in octets.
	fullLine = 66
)

// longer returns what url, which ends a line of text that is length octets long,
// goes on with if it is broken there, and how many octets of after, which follows
// the line, that is. Lines may have as many quote marks as the first one has.
// wrapped says that it is more likely broken than not.
func longer(url string, after []byte, length, marks int) (rest string, n int, wrapped bool) {
	wrapped = length >= fullLine
	for range maxPieces {
		line, _, whole := bytes.Cut(after[n:], []byte("\n"))
		skip := quoteMarks(line, marks)
		piece := urlPiece(line[skip:])
		if len(piece) == 0 || isRule(piece) || bytes.Contains(piece, schemeEnd) {
			break
		}
		ends := len(bytes.TrimRight(line[skip:], "\r")) > len(piece) // by a blank or a bracket
		if rest == "" {
			wrapped = looksCut(string(piece), ends) && (wrapped || !ends && breaksAt(url, string(piece)))
		}
		rest += string(piece)
		if ends || !whole || len(line) < fullLine && !goesOn(rest) {
			return rest, n + skip + len(piece), wrapped
		}
		n += len(line) + len("\n")
	}
	return rest, n, wrapped && rest != ""
}

// urlPiece returns what of a URL line begins with.
func urlPiece(line []byte) []byte {
	if i := strings.IndexFunc(string(line[:min(len(line), maxToken)]), endsURL); i >= 0 {
		return line[:i]
	}
	return line
}

// isRule reports whether piece is the rule above a signature or the footer of a list, and
// not the rest of a URL.
func isRule(piece []byte) bool {
	return (len(piece) > 2 || string(piece) == "--") && len(bytes.Trim(piece, "_-=*~#.+")) == 0
}

// looksCut reports whether piece, with which a line begins and which is all of it unless
// it ends, is more likely the rest of a URL than a word or a number.
func looksCut(piece string, ends bool) bool {
	if !ends {
		return strings.ContainsAny(piece, "0123456789_-=&%?/") || len(piece) > 1 && piece[0] == '.'
	}
	if strings.ContainsAny(piece, "=&%?_") {
		return true
	}
	const word = 4 // letters and digits of what people count with, such as Q1 and 3rd
	return len(piece) > word && strings.ContainsAny(piece, "0123456789") && strings.Trim(piece, "0123456789.,:;/-()#") != ""
}

// breaksAt reports whether a program that breaks URLs where one of their parts ends has
// likely broken one between url and piece, which is all of the next line.
func breaksAt(url, piece string) bool {
	return goesOn(url) && (len(piece) >= 16 || strings.ContainsAny(piece, "=&%?")) || len(piece) > 1 && strings.IndexByte("/?&=%", piece[0]) >= 0
}

// goesOn reports whether text ends with an octet after which more of a URL follows.
func goesOn(text string) bool {
	return text != "" && strings.IndexByte("/?&=-_%", text[len(text)-1]) >= 0
}

// flowed is longer for a line with a space at its end, of a text in which such a space
// was added where the line was broken: what follows is of the same line for certain
// (RFC 3676 section 4.1).
func flowed(after []byte, marks int) (rest string, n int) {
	var joined []byte
	for n < len(after) && len(joined) <= maxLink {
		line, _, whole := bytes.Cut(after[n:], []byte("\n"))
		skip := quoteMarks(line, marks)
		if marks == 0 && len(line) > 0 && line[0] == ' ' {
			skip = 1 // RFC 3676 section 4.4
		}
		piece := urlPiece(line[skip:])
		if bytes.Contains(piece, schemeEnd) {
			break
		}
		joined = append(joined, piece...)
		if string(bytes.TrimRight(line[skip+len(piece):], "\r")) != " " || len(piece) == 0 || !whole {
			n += skip + len(piece)
			break
		}
		n += len(line) + len("\n")
	}
	return string(joined), n
}

// quoteMarks returns the length of the quote marks that line begins with, of which
// there are at most that many, with the blanks among them.
func quoteMarks(line []byte, marks int) int {
	i := 0
	for left := marks; i < len(line) && left > 0; i++ {
		if line[i] == '>' {
			left--
		} else if line[i] != ' ' {
			break
		}
	}
	if marks > 0 && i < len(line) && line[i] == ' ' {
		i++
	}
	return i
}
