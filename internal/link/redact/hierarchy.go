package redact

import (
	"strings"
	"unicode/utf8"
)

// appendHierarchy appends the redacted scheme, host and path. hierarchy is the
// beginning of raw. It reports false if nothing else of raw may be shown.
//
// A segment is the text between two slashes. The first one, and any after "//" or a
// scheme, can have a user name before an "@". That holds in the path too, since a path
// can contain another URL.
func appendHierarchy(dst []byte, hierarchy, raw string) (text []byte, whole bool) {
	lastAt := strings.LastIndexByte(raw, '@')
	hierarchy, hasToken := cutToken(hierarchy)
	p := part{text: dst, max: maxHierarchy}
	previous := ""
	for start := 0; start <= len(hierarchy) && !p.full; {
		end := len(hierarchy)
		if i := strings.IndexByte(hierarchy[start:], '/'); i >= 0 {
			end = start + i
		}
		segment := hierarchy[start:end]
		if start > 0 {
			p.write("/")
		}
		if previous == "" || strings.HasSuffix(previous, ":") {
			at := strings.LastIndexByte(segment, '@')
			switch {
			case at >= 0 && !(start == 0 && hasAddress(segment)):
				p.write(hidden)
				segment = segment[at:]
			case at < 0 && start > 0 && end < lastAt && !numericPort(segment):
				// A password with an unescaped delimiter in it ends at the last "@",
				// wherever that is.
				p.write(hidden)
				return p.text, false
			}
		}
		if start > 0 && previous == "" || start > 0 && strings.HasSuffix(previous, ":") {
			segment = cutHost(segment)
		}
		p.write(segment)
		previous = hierarchy[start:end]
		start = end + 1
	}
	if hasToken {
		p.write(hidden)
	}
	return p.text, true
}

// cutHost cuts the beginning of a segment that has more than maxHost characters after
// the user information. The end of a host shows its owner.
func cutHost(segment string) string {
	at := strings.LastIndexByte(segment, '@') + 1
	host := segment[at:]
	if width(host) <= maxHost {
		return segment
	}
	start := len(host)
	for left := maxHost - len(cut); ; {
		_, size := utf8.DecodeLastRuneInString(host[:start])
		if left -= width(host[start-size : start]); left < 0 {
			return segment[:at] + cut + host[start:]
		}
		start -= size
	}
}

// cutToken cuts hierarchy after ";URLAUTH=" if anything follows it.
func cutToken(hierarchy string) (string, bool) {
	const name = ";urlauth="
	for start := 0; ; {
		i := strings.IndexByte(hierarchy[start:], ';')
		if i < 0 {
			return hierarchy, false
		}
		start += i
		if rest, ok := cutPrefixFold(hierarchy[start:], name); ok && rest != "" {
			return hierarchy[:start+len(name)], true
		}
		start++
	}
}

// hasAddress reports whether an address or an identifier is before the "@" in URLs like
// the one that segment begins.
func hasAddress(segment string) bool {
	switch strings.ToLower(scheme(segment)) {
	case "mailto:", "cid:", "mid:":
		return true
	}
	return false
}

// numericPort reports whether only digits follow the last colon of a host, if it has a
// colon outside brackets.
func numericPort(host string) bool {
	host = host[strings.LastIndexByte(host, ']')+1:]
	i := strings.LastIndexByte(host, ':')
	return i < 0 || strings.Trim(host[i+1:], "0123456789") == ""
}
