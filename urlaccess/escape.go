package urlaccess

// Escape returns rawURL with every space, tab, line end, double quote, backslash and
// octet above 127 percent-encoded. That is the first step of RFC 2017 section 3.1: no
// white space in the URL can then be taken for a fold. A "%" stays as it is, so
// that escaping once more changes nothing.
//
// Escape is for a URL that a person or a configuration gave. It refuses other control
// characters, as [Decode] does, since they are a mistake or an attack. The error is an
// [*Error].
func Escape(rawURL string) (string, error) {
	for i := range len(rawURL) {
		if c := rawURL[i]; isCTL(c) && !isLWSP(c) {
			return "", &Error{Reason: ControlCharacter, Offset: i}
		}
	}
	return escape(rawURL), nil
}
