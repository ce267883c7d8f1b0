package inspect

import (
	"errors"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// isPattern reports whether a text has characters that stand for others.
func isPattern(s string) bool { return strings.ContainsAny(s, "*?") }

var errEmptyPattern = errors.New("it is empty: want a text, in which * stands for any characters and ? for one")

// readPattern reads a text in which "*" stands for any characters and "?" for one.
func readPattern(s string) (string, error) {
	if strings.TrimSpace(s) == "" {
		return "", errEmptyPattern
	}
	return folded(s), nil
}

// folded returns a text in the form in which patterns are compared.
func folded(s string) string { return strings.ToLower(norm.NFKC.String(strings.TrimSpace(s))) }

func matches(pattern, text string) bool {
	p := []rune(pattern)
	t := []rune(text)
	star := -1 // the last "*" in p
	from := 0  // where the text that it stands for ends in t
	i := 0
	j := 0
	for j < len(t) {
		switch {
		case i < len(p) && p[i] == '*':
			star = i
			from = j
			i++
		case i < len(p) && (p[i] == '?' || p[i] == t[j]):
			i++
			j++
		case star >= 0:
			from++
			i = star + 1
			j = from
		default:
			return false
		}
	}
	return strings.Trim(string(p[i:]), "*") == ""
}
