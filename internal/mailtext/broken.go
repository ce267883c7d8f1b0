package mailtext

import "bytes"

const (
	// aroundBreak is the number of octets before and after a line end that
	// AppendBroken appends.
	aroundBreak = 128

	// maxNext bounds the octets that are read after a line end.
	maxNext = 4 * aroundBreak
)

// AppendBroken appends to dst the surroundings of each line end of a text/plain at
// which a URL without brackets may have been broken: up to 128 octets before and
// after the line end, without the line end and the quote marks after it, and a NUL.
// It returns the extended buffer. Each [Token.Longer] of [Plain] has such a line end.
// AppendBroken is faster than Plain.
func AppendBroken(dst, text []byte) []byte {
	for {
		i := bytes.Index(text, schemeEnd)
		if i < 0 {
			return dst
		}
		n := bytes.IndexByte(text[i:], '\n')
		if n < 0 {
			return dst
		}
		line, next := text[i:i+n], text[i+n+len("\n"):]
		text = next
		if len(next) == 0 || endsWord(next[0]) && next[0] != ' ' && next[0] != '>' {
			continue
		}
		line = bytes.TrimSuffix(bytes.TrimRight(line, "\r"), []byte(" ")) // see flowed
		word := len(line)
		for word > 0 && !endsWord(line[word-1]) {
			word--
		}
		if line = line[word:]; word > 0 && !bytes.Contains(line, schemeEnd) {
			continue
		}
		begin := len(dst)
		dst = append(dst, line[max(0, len(line)-aroundBreak):]...)
		before := len(dst)
		if dst = appendNext(dst, next); len(dst) == before {
			dst = dst[:begin]
			continue
		}
		dst = append(dst, 0)
	}
}

// appendNext appends the octets at the beginning of text up to a blank, without line
// ends and quote marks.
func appendNext(dst, text []byte) []byte {
	text = text[:min(len(text), maxNext)]
	for left := aroundBreak; left > 0; {
		for len(text) > 0 && (text[0] == '>' || text[0] == ' ') {
			text = text[1:]
		}
		n := 0
		for n < len(text) && n < left && !endsWord(text[n]) {
			n++
		}
		dst = append(dst, text[:n]...)
		left -= n
		if n == 0 || n == len(text) {
			break
		}
		if text = bytes.TrimLeft(text[n:], "\r"); len(text) == 0 || text[0] != '\n' {
			break
		}
		text = text[len("\n"):]
	}
	return dst
}

// endsWord reports whether a URL without brackets ends before c.
func endsWord(c byte) bool {
	return c <= ' ' || c == '<' || c == '>' || c == '"' || c == '\\'
}

// HasLink reports whether a text/plain may contain a URL in angle brackets. It is
// faster than [Plain].
func HasLink(text []byte) bool {
	for {
		i := bytes.IndexByte(text, '<')
		if i < 0 {
			return false
		}
		text = text[i+1:]
		if isLink(text) {
			return true
		}
	}
}
