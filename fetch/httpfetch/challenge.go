package httpfetch

import (
	"slices"
	"strings"

	"github.com/go-extbody/extbody/internal/netx/fieldvalue"
)

// offered returns those methods of a WWW-Authenticate field that can be
// answered, in the order in which they come, and the realm of the first that
// has one (RFC 9110 section 11.6.1).
func offered(lines []string) (methods []string, realm string) {
	usable := false
	for _, line := range lines {
		for item := range fieldvalue.Members(line) {
			scheme, param, isScheme := cutScheme(item)
			if isScheme {
				usable = scheme == "basic" || scheme == "bearer"
				if usable && !slices.Contains(methods, scheme) {
					methods = append(methods, scheme)
				}
			}
			name, value, _ := strings.Cut(param, "=")
			if usable && realm == "" && strings.EqualFold(strings.TrimSpace(name), "realm") {
				realm = shown(strings.TrimSpace(value))
			}
		}
		usable = false // each line begins with a scheme
	}
	return methods, realm
}

// cutScheme splits an item into the scheme that it begins with, in lower case,
// and the parameter. An item without a scheme is a parameter of the one before.
func cutScheme(item string) (scheme, param string, ok bool) {
	scheme, param, spaced := strings.Cut(item, " ")
	if !fieldvalue.IsToken(scheme) || spaced && strings.HasPrefix(strings.TrimLeft(param, " "), "=") {
		return "", item, false
	}
	return strings.ToLower(scheme), strings.TrimLeft(param, " "), true
}

// maxRealm bounds a realm, which is shown to people.
const maxRealm = 200

// shown returns the text of a quoted string or a token, "" if it is too long or has
// control characters.
func shown(s string) string {
	s = fieldvalue.Unquote(s)
	if len(s) > maxRealm || strings.ContainsFunc(s, isControl) {
		return ""
	}
	return strings.ToValidUTF8(s, "?")
}
