package rfc9111

import (
	"slices"
	"strings"

	"github.com/go-extbody/extbody/internal/netx/fieldvalue"
)

// Storable reports whether the answer to a GET request with the header fields
// of request may be stored (section 3).
func Storable(request map[string][]string, r *Response) bool {
	if ParseDirectives(request["Cache-Control"]).Has("no-store") {
		return false // section 5.2.1.5
	}
	d := ParseDirectives(r.Header["Cache-Control"])
	switch {
	case r.Status < 200, r.Status == 206, r.Status == 304:
		return false // not final, or of a part that is not combined here
	case d.Has("must-understand"):
		if !understood(r.Status) {
			return false // section 5.2.2.3, which overrides no-store
		}
	case d.Has("no-store"):
		return false // section 5.2.2.5
	}
	if slices.Contains(listed(r.Header["Vary"]), "*") {
		return false // section 4.1: it could never be used
	}
	switch {
	case d.Has("public"), d.Has("max-age"), len(r.Header["Expires"]) > 0:
		return true
	case d.Has("private"):
		return true
	}
	return heuristic(r.Status)
}

// heuristic reports whether a status is heuristically cacheable (RFC 9110
// section 15.1).
func heuristic(status int) bool {
	switch status {
	case 200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501:
		return true
	}
	return false
}

// understood reports whether the requirements of a status on caches are implemented here.
func understood(status int) bool {
	switch status {
	case 200, 203, 204, 404, 405, 410, 414, 501:
		return true
	}
	return false
}

// Stored returns the fields of an answer that may be stored (section 3.1): all but the
// fields of the connection and of a proxy, and those that no-cache names.
func Stored(header map[string][]string) map[string][]string {
	d := ParseDirectives(header["Cache-Control"])
	drop := append(listed(header["Connection"]), d.Fields("no-cache")...)
	kept := make(map[string][]string, len(header))
	for name, values := range header {
		if !ofConnection(name) && !slices.Contains(drop, name) {
			kept[name] = slices.Clone(values)
		}
	}
	return kept
}

// ofConnection reports whether a field is for the next hop alone (RFC 9110
// section 7.6.1), or for the proxy that was used.
func ofConnection(name string) bool {
	switch name {
	case "Connection", "Keep-Alive", "Proxy-Connection", "Te", "Trailer", "Transfer-Encoding", "Upgrade",
		"Proxy-Authenticate", "Proxy-Authentication-Info", "Proxy-Authorization":
		return true
	}
	return false
}

// Matches reports whether a stored answer that was selected by the request
// fields stored serves a request with the fields request, by its Vary (section
// 4.1). stored needs only the fields that [Nominated] returns.
func Matches(header, stored, request map[string][]string) bool {
	return !slices.ContainsFunc(listed(header["Vary"]), func(name string) bool {
		return name == "*" || !slices.Equal(normal(stored[name]), normal(request[name]))
	})
}

// Nominated returns the request fields by which an answer was selected.
func Nominated(header, request map[string][]string) map[string][]string {
	var fields map[string][]string
	for _, name := range listed(header["Vary"]) {
		if values, ok := request[name]; ok {
			if fields == nil {
				fields = make(map[string][]string)
			}
			fields[name] = slices.Clone(values)
		}
	}
	return fields
}

// normal returns the members of a field, which may be on one line or on several, without
// the white space around them and without empty ones. It returns nil for an absent field.
func normal(lines []string) []string {
	var members []string
	for _, line := range lines {
		members = slices.AppendSeq(members, fieldvalue.Members(line))
	}
	if members == nil && lines != nil {
		return []string{""} // an empty field is not an absent one
	}
	return members
}

// listed returns the names in a list of field names, in canonical form.
func listed(lines []string) []string {
	var names []string
	for _, line := range lines {
		for name := range strings.SplitSeq(line, ",") {
			if name = strings.Trim(name, " \t"); name != "" {
				names = append(names, canonical(name))
			}
		}
	}
	return names
}

// canonical returns the form of a field name that textproto has.
func canonical(name string) string {
	b := []byte(name)
	upper := true
	for i, c := range b {
		switch {
		case upper && 'a' <= c && c <= 'z':
			b[i] = c - 'a' + 'A'
		case !upper && 'A' <= c && c <= 'Z':
			b[i] = c - 'A' + 'a'
		}
		upper = c == '-'
	}
	return string(b)
}
