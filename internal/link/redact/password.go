package redact

import "strings"

// Passwords returns a text with "xxxxx" instead of the passwords of the URLs in it, and with all its other octets. It
// is for outputs that show where a file was, and whose text is otherwise as it was sent.
//
// A password reaches from the first ":" of the userinfo to the last "@" of the authority (RFC 3986 section 3.2.1).
// One with an unescaped "/", "?" or "#" is hidden too: the octets before it are no host with a port.
func Passwords(text string) string {
	var b strings.Builder
	done := 0
	noAt := 0 // there is no "@" in the rest of the text up to here
	for at := 0; ; {
		n := strings.Index(text[at:], "://")
		if n < 0 {
			break
		}
		start := at + n + len("://")
		at = start
		end := start + authorityEnd(text[start:])
		sign := start + strings.LastIndexByte(text[start:end], '@')
		colon := start + strings.IndexByte(text[start:end], ':')
		if colon < start {
			continue
		}
		if sign < start && start >= noAt && !isPort(text[colon+1:end]) {
			word := start + wordEnd(text[start:])
			sign = start + strings.LastIndexByte(text[start:word], '@')
			if sign < start {
				noAt = word
			}
		}
		if sign <= colon {
			continue
		}
		b.WriteString(text[done : colon+1])
		if sign > colon+1 {
			b.WriteString(hidden)
		}
		done = sign
		at = sign
	}
	if done == 0 {
		return text
	}
	b.WriteString(text[done:])
	return b.String()
}

// authorityEnd returns where the authority of a URL ends that text starts with.
func authorityEnd(text string) int {
	return indexOr(text, func(c rune) bool { return endsWord(c) || c == '/' || c == '?' || c == '#' })
}

// wordEnd returns where a URL ends in a text, at the latest.
func wordEnd(text string) int {
	return indexOr(text, endsWord)
}

// endsWord reports whether a character is in no URL.
func endsWord(c rune) bool { return c <= ' ' || c == '"' || c == '<' || c == '>' || c == 0x7f }

// indexOr returns where a text has the first such character, or its length.
func indexOr(text string, is func(rune) bool) int {
	if n := strings.IndexFunc(text, is); n >= 0 {
		return n
	}
	return len(text)
}

// isPort reports whether a text is a port, or the rest of an address in brackets.
func isPort(text string) bool {
	isNumber := strings.Trim(text, "0123456789") == ""
	isAddress := strings.Trim(text, "0123456789abcdefABCDEF:.]") == ""
	return isNumber || isAddress && strings.Contains(text, "]")
}
