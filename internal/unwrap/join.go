package unwrap

import "strings"

// Join returns a URL that was broken over lines in running text, and perhaps
// quoted there, in one piece. text is what stands between "<" and ">"; there,
// white space is no part of a URL (RFC 3986 appendix C). Join removes all
// spaces, tabs and line ends, and the ">" marks of quotes at the beginnings of
// lines after the first. It returns text itself where there is nothing to
// remove.
func Join(text string) string {
	if !strings.ContainsAny(text, " \t\r\n") {
		return text
	}
	out := make([]byte, 0, len(text))
	begins := false // only quote marks and white space so far in this line
	for i := range len(text) {
		switch c := text[i]; {
		case c == '\r' || c == '\n':
			begins = true
		case c == ' ' || c == '\t' || c == '>' && begins:
		default:
			out = append(out, c)
			begins = false
		}
	}
	return string(out)
}
