package multimatch

import "strings"

// wideFactor is the factor for units of four octets.
const wideFactor = 0x9E3779B1

// equal reports whether text and needle are equal, ignoring the case of letters.
// needle must be in lower case and as long as text.
func equal(text []byte, needle string) bool {
	for i, c := range text {
		if lower(c) != needle[i] {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + ('a' - 'A')
	}
	return c
}

// Lower returns s with the letters of ASCII in lower case.
func Lower(s string) string {
	if !strings.ContainsFunc(s, func(c rune) bool { return 'A' <= c && c <= 'Z' }) {
		return s
	}
	b := []byte(s)
	for i, c := range b {
		b[i] = lower(c)
	}
	return string(b)
}

func upper(c byte) byte {
	if 'a' <= c && c <= 'z' {
		return c - ('a' - 'A')
	}
	return c
}
