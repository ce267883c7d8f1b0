package urlaccess

import "strings"

// Scheme returns the scheme of a URL in lower case (RFC 3986 section 3.1). It
// reports false if there is none, which is to say that the URL is relative or
// no URL: access-type=URL allows absolute ones only. A value that a program
// would take for an option, such as "-o/x", has no scheme.
//
// Whether the scheme is known, and whether it retrieves anything, is not
// decided here.
func Scheme(rawURL string) (string, bool) {
	for i := 0; i < len(rawURL); i++ {
		switch c := rawURL[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
		case i > 0 && ('0' <= c && c <= '9' || c == '+' || c == '-' || c == '.'):
		case i > 0 && c == ':':
			return strings.ToLower(rawURL[:i]), true
		default:
			return "", false
		}
	}
	return "", false
}

// SplitFragment splits a URL at its first "#", which belongs to neither result.
// The fragment is kept with a reference but never sent to a server (RFC 3986
// section 3.5). has tells an empty fragment from none.
func SplitFragment(rawURL string) (url, fragment string, has bool) {
	return strings.Cut(rawURL, "#")
}
