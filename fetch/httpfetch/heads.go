package httpfetch

import (
	"bytes"
	"strings"
)

// cutOut replaces a secret in a head.
const cutOut = "(cut)"

// withoutSecrets returns a head without the values of the fields that have
// credentials, and without the user information in any URL.
func withoutSecrets(head []byte) []byte { return withoutFields(head, isSecret) }

// withoutFields returns a head without the values of the fields that hides reports, and without the user
// information in any URL.
func withoutFields(head []byte, hides func(name string) bool) []byte {
	if len(head) == 0 {
		return nil
	}
	out := make([]byte, 0, len(head))
	hidden := false // the field that the line belongs to
	first := true
	for line := range bytes.Lines(head) {
		if folded := line[0] == ' ' || line[0] == '\t'; folded && hidden {
			continue // RFC 9112 section 5.2
		} else if !folded {
			name, _, isField := bytes.Cut(line, []byte(":"))
			hidden = isField && !first && hides(string(name))
			if hidden {
				out = append(out, name...)
				out = append(out, ": "+cutOut...)
				out = append(out, line[len(bytes.TrimRight(line, "\r\n")):]...)
			}
		}
		switch {
		case first: // which has no user information (RFC 9112 section 3.2.1)
			out = append(out, line...)
		case !hidden:
			out = appendWithoutUserinfo(out, line)
		}
		first = false
	}
	return out
}

// isSecret reports whether the values of a field are credentials.
func isSecret(name string) bool {
	switch strings.ToLower(strings.TrimSpace(name)) {
	case "authorization", "proxy-authorization", "authentication-info", "proxy-authentication-info",
		"cookie", "cookie2", "set-cookie", "set-cookie2":
		return true
	}
	return false
}

// appendWithoutUserinfo appends line without the user information of URLs, between "//" and
// "@" (RFC 3986 section 3.2).
func appendWithoutUserinfo(dst, line []byte) []byte {
	for {
		i := bytes.Index(line, []byte("//"))
		if i < 0 {
			return append(dst, line...)
		}
		i += len("//")
		dst = append(dst, line[:i]...)
		line = line[i:]
		end := bytes.IndexAny(line, "/?#\\\"<> \t\r\n,;")
		if end < 0 {
			end = len(line)
		}
		if at := bytes.LastIndexByte(line[:end], '@'); at >= 0 {
			dst = append(dst, cutOut...)
			line = line[at:]
		}
	}
}
