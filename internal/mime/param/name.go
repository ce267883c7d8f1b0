package param

// lower returns s in ASCII lower case. It does not allocate if s is in lower case or
// is a name that is common in mail.
func lower(s string) string {
	i := 0
	for i < len(s) && class[s[i]]&isUpper == 0 {
		i++
	}
	if i == len(s) {
		return s
	}
	var buf [32]byte
	b := append(buf[:0], s...)
	for ; i < len(b); i++ {
		if class[b[i]]&isUpper != 0 {
			b[i] += 'a' - 'A'
		}
	}
	switch string(b) {
	case "access-type":
		return "access-type"
	case "boundary":
		return "boundary"
	case "charset":
		return "charset"
	case "directory":
		return "directory"
	case "expiration":
		return "expiration"
	case "filename":
		return "filename"
	case "mode":
		return "mode"
	case "name":
		return "name"
	case "permission":
		return "permission"
	case "server":
		return "server"
	case "site":
		return "site"
	case "size":
		return "size"
	case "subject":
		return "subject"
	case "type":
		return "type"
	case "url":
		return "url"
	case "message/external-body":
		return "message/external-body"
	case "message/rfc822":
		return "message/rfc822"
	case "multipart/alternative":
		return "multipart/alternative"
	case "multipart/mixed":
		return "multipart/mixed"
	case "text/html":
		return "text/html"
	case "text/plain":
		return "text/plain"
	}
	return string(b)
}

// equalLower reports whether s, with its ASCII letters in lower case, equals want.
// want must be in lower case and as long as s.
func equalLower(s, want string) bool {
	for i := range len(s) {
		c := s[i]
		if class[c]&isUpper != 0 {
			c += 'a' - 'A'
		}
		if c != want[i] {
			return false
		}
	}
	return true
}

// maxKnown is the length of the longest name that isKnown knows.
const maxKnown = len("access-type")

// isKnown reports whether name, in any case, is a parameter of message/external-body
// by RFC 2046 section 5.2.3, RFC 2017 or RFC 4483, or the LENGTH of deleted
// attachments. It reports false for names that also occur in URLs, such as ";type=i"
// of RFC 1738 and ";charset=utf-8" of RFC 2397.
func isKnown(name string) bool {
	var buf [maxKnown]byte
	b := append(buf[:0], name...)
	for i, c := range b {
		if class[c]&isUpper != 0 {
			b[i] = c + 'a' - 'A'
		}
	}
	switch string(b) {
	case "access-type", "directory", "expiration", "hash", "length", "mode", "name",
		"permission", "server", "site", "size", "subject", "uri", "url":
		return true
	}
	return false
}

// knownAt reports whether a known parameter starts at i: white space, its name,
// possibly with an RFC 2231 suffix, and "=".
func knownAt(s string, i int) bool {
	i = skipSpaces(s, i)
	start, limit := i, min(len(s), i+maxKnown)
	for i < limit && class[s[i]]&isToken != 0 && s[i] != '*' {
		i++
	}
	if !isKnown(s[start:i]) {
		return false
	}
	for i < len(s) && (s[i] == '*' || s[i] >= '0' && s[i] <= '9') {
		i++
	}
	i = skipSpaces(s, i)
	return i < len(s) && s[i] == '='
}
