package unwrap

import "strings"

// Join puts together a URL that was broken over lines in running text, and perhaps
// quoted. text is the text between "<" and ">", where white space is not part of a URL
// (RFC 3986 appendix C). Join removes
//
//   - all spaces, tabs and line ends,
//   - the quote marks ">" at the beginning of each line after the first.
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
