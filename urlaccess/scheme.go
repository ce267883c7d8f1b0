package urlaccess

import "strings"

// Scheme returns the scheme of a URL in lower case (RFC 3986 section 3.1). It returns
// false if there is none. The URL is then relative or not a URL, and access-type=URL
// allows only absolute ones. A value that a program would take for an option, such as
// "-o/x", has no scheme.
//
// Scheme does not decide whether the scheme is known, or whether it retrieves anything.
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

// SplitFragment splits a URL at its first "#", which belongs to neither result. The
// fragment is kept with a reference but never sent to a server (RFC 3986 section 3.5).
// has distinguishes an empty fragment from a missing one.
func SplitFragment(rawURL string) (url, fragment string, has bool) {
	return strings.Cut(rawURL, "#")
}
