package rfc9111

import (
	"maps"
	"slices"
	"strings"
	"time"
)

// Validators returns the validators of an answer (section 4.3.1): its entity tag and its
// date of modification, "" for one that is absent or malformed. strong reports whether
// one of them changes with every change of the octets (RFC 9110 section 8.8.1): an entity
// tag without "W/", or without any entity tag a date that was at least a second old when
// the answer was made (RFC 9110 section 8.8.2.2).
func Validators(header map[string][]string) (etag, lastModified string, strong bool) {
	if tags := header["Etag"]; len(tags) == 1 && isETag(tags[0]) {
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

// isETag reports whether s is an entity tag (RFC 9110 section 8.8.3).
func isETag(s string) bool {
	s = strings.TrimPrefix(s, "W/")
	if len(s) < 2 || s[0] != '"' || s[len(s)-1] != '"' {
		return false
	}
	return !strings.ContainsFunc(s[1:len(s)-1], func(c rune) bool { return c == '"' || c <= ' ' || c == 0x7f })
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
