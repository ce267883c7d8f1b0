package rfc9111

import (
	"maps"
	"net/textproto"
	"slices"
	"strings"
	"time"

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
	if d.Has("public") || d.Has("max-age") || d.Has("private") {
		return true
	}
	return len(r.Header["Expires"]) > 0 || heuristic(r.Status)
}

// understood reports whether the requirements of a status on caches are implemented here.
func understood(status int) bool { return heuristic(status) && (status < 300 || status >= 400) }

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
	return slices.Contains([]string{"Connection", "Keep-Alive", "Proxy-Connection", "Te", "Trailer", "Transfer-Encoding", "Upgrade",
		"Proxy-Authenticate", "Proxy-Authentication-Info", "Proxy-Authorization"}, name)
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
			name = strings.Trim(name, " \t")
			if name != "" {
				names = append(names, textproto.CanonicalMIMEHeaderKey(name))
			}
		}
	}
	return names
}

// Validators returns the validators of an answer (section 4.3.1): its entity tag and its
// date of modification, "" for one that is absent or malformed. strong reports whether
// one of them changes with every change of the octets (RFC 9110 section 8.8.1): an entity
// tag without "W/", or without any entity tag a date that was at least a second old when
// the answer was made (RFC 9110 section 8.8.2.2).
func Validators(header map[string][]string) (etag, lastModified string, strong bool) {
	if tags := header["Etag"]; len(tags) == 1 && fieldvalue.IsOpaqueTag(strings.TrimPrefix(tags[0], "W/")) {
		etag = tags[0]
	}
	modified, valid, _ := date(header, "Last-Modified")
	if valid {
		lastModified = header["Last-Modified"][0]
	}
	if etag != "" {
		return etag, lastModified, etag[0] == '"'
	}
	made, dated, _ := date(header, "Date")
	return "", lastModified, valid && dated && made.Sub(modified) >= time.Second
}

// Selects reports whether an answer 304 with the fields update is about the stored answer
// (section 4.3.4): its validators, if it has any, are equal to the stored ones.
func Selects(stored, update map[string][]string) bool {
	if tags := update["Etag"]; len(tags) > 0 {
		old := stored["Etag"]
		if len(tags) != 1 || len(old) != 1 {
			return false
		}
		if strings.HasPrefix(tags[0], "W/") {
			// A weak comparison (RFC 9110 section 8.8.3.2).
			return strings.TrimPrefix(old[0], "W/") == tags[0][2:]
		}
		return old[0] == tags[0]
	}
	if dates := update["Last-Modified"]; len(dates) > 0 {
		return slices.Equal(dates, stored["Last-Modified"])
	}
	return true
}

// Updated returns the fields of a stored answer after an answer 304 with the
// fields update (section 3.2). Fields that describe the stored octets stay as they were.
func Updated(stored, update map[string][]string) map[string][]string {
	header := maps.Clone(stored)
	if header == nil {
		header = make(map[string][]string)
	}
	// The new answer has its own Age, or none.
	delete(header, "Age")
	for name, values := range Stored(update) {
		switch name {
		case "Content-Encoding", "Content-Length", "Content-Range",
			"Content-Digest", "Content-Md5", "Repr-Digest":
			continue
		}
		header[name] = values
	}
	return header
}

// Fields returns the names of fields, in canonical form, that the arguments of
// the directive name list: the qualified form of no-cache and private.
func (d Directives) Fields(name string) []string {
	var fields []string
	for _, argument := range d[name] {
		fields = append(fields, listed([]string{argument})...)
	}
	return fields
}
