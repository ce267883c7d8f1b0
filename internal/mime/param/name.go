package param

import "slices"

// lower returns s in ASCII lower case.
func lower(s string) string {
	i := 0
	for i < len(s) && class[s[i]]&isUpper == 0 {
		i++
	}
	if i == len(s) {
		return s
	}
	b := []byte(s)
	for ; i < len(b); i++ {
		if class[b[i]]&isUpper != 0 {
			b[i] += 'a' - 'A'
		}
	}
	return string(b)
}

// maxKnown is the length of the longest of known.
const maxKnown = len("access-type")

// known are the parameters of message/external-body by RFC 2046 section 5.2.3, RFC 2017
// and RFC 4483, and the LENGTH of deleted attachments, without names that also occur in
// URLs, such as ";type=i" of RFC 1738 and ";charset=utf-8" of RFC 2397.
var known = []string{
	"access-type", "directory", "expiration", "hash", "length", "mode", "name",
	"permission", "server", "site", "size", "subject", "uri", "url",
}

// knownAt reports whether a known parameter starts at i: white space, its name,
// possibly with an RFC 2231 suffix, and "=".
func knownAt(s string, i int) bool {
	i = skipSpaces(s, i)
	start, limit := i, min(len(s), i+maxKnown)
	for i < limit && class[s[i]]&isToken != 0 && s[i] != '*' {
		i++
	}
	if !slices.Contains(known, lower(s[start:i])) {
		return false
	}
	for i < len(s) && (s[i] == '*' || s[i] >= '0' && s[i] <= '9') {
		i++
	}
	i = skipSpaces(s, i)
	return i < len(s) && s[i] == '='
}
