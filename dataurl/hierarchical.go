package dataurl

import (
	"bytes"
	"fmt"
	"net/netip"
	"strconv"
	"strings"

	"github.com/go-extbody/extbody/internal/codec/percent"
)

// normalize returns the text after "data:" as the URL Standard's parser and serializer
// write it, without the fragment. rest starts with "/" and has no tabs and line breaks.
// normalize returns false if they fail.
//
// A media type cannot start with "/". So only the place of the first comma matters,
// whether ";base64" is before it, and the text after it. This is why the "/." is left
// out that the serializer puts before a path that starts with "//".
func normalize(rest string) (string, bool) {
	rest, _, _ = strings.Cut(rest, "#")
	rest, query, hasQuery := strings.Cut(rest, "?")
	out := make([]byte, 0, len(rest)+len(query)+1)
	if authority, ok := strings.CutPrefix(rest, "//"); ok {
		authority, rest = cutBefore(authority, '/')
		out, ok = appendAuthority(append(out, "//"...), authority)
		if !ok {
			return "", false
		}
	}
	out = appendPath(out, rest)
	if hasQuery {
		out = percent.AppendEncode(append(out, '?'), query, &querySet)
	}
	return string(out), true
}

// cutBefore cuts s before the first sep.
func cutBefore(s string, sep byte) (before, after string) {
	if i := strings.IndexByte(s, sep); i >= 0 {
		return s[:i], s[i:]
	}
	return s, ""
}

// appendAuthority appends user name, password, host and port, normalized (URL
// Standard, authority state to port state).
func appendAuthority(dst []byte, authority string) ([]byte, bool) {
	host := authority
	if i := strings.LastIndexByte(authority, '@'); i >= 0 {
		user, password, _ := strings.Cut(authority[:i], ":")
		host = authority[i+1:]
		if host == "" {
			return dst, false
		}
		dst = percent.AppendEncode(dst, user, &userinfoSet)
		if password != "" {
			dst = percent.AppendEncode(append(dst, ':'), password, &userinfoSet)
		}
		if user != "" || password != "" {
			dst = append(dst, '@')
		}
	}
	host, port, hasPort := cutPort(host)
	if hasPort && host == "" {
		return dst, false
	}
	dst, ok := appendHost(dst, host)
	if !ok {
		return dst, false
	}
	return appendPort(dst, port)
}

// cutPort cuts the port off at the first ":" after any brackets.
func cutPort(s string) (host, port string, ok bool) {
	end := strings.LastIndexByte(s, ']') + 1
	host, port, ok = strings.Cut(s[end:], ":")
	return s[:end+len(host)], port, ok
}

// appendPort appends ":" and the port, if there is one.
func appendPort(dst []byte, port string) ([]byte, bool) {
	if port == "" {
		return dst, true
	}
	n, err := strconv.ParseUint(port, 10, 16)
	return strconv.AppendUint(append(dst, ':'), n, 10), err == nil
}

// appendHost appends the host, an IPv6 address or an opaque host (URL Standard,
// host parsing).
func appendHost(dst []byte, host string) ([]byte, bool) {
	if address, ok := strings.CutPrefix(host, "["); ok {
		address, ok = strings.CutSuffix(address, "]")
		if !ok || strings.Contains(address, "%") {
			return dst, false
		}
		ip, err := netip.ParseAddr(address)
		if err != nil || !ip.Is6() {
			return dst, false
		}
		if ip.Is4In6() {
			// The URL Standard has no form with decimal numbers.
			b := ip.As16()
			return fmt.Appendf(dst, "[::ffff:%x:%x]", uint(b[12])<<8|uint(b[13]), uint(b[14])<<8|uint(b[15])), true
		}
		return append(ip.AppendTo(append(dst, '[')), ']'), true
	}
	const forbidden = "\x00\t\n\r #/:<>?@[\\]^|" // forbidden host code points
	if strings.ContainsAny(host, forbidden) {
		return dst, false
	}
	return percent.AppendEncode(dst, host, &controlSet), true
}

// appendPath appends the path, with its dot segments resolved (URL Standard, path
// start state and path state). path starts with "/" or is empty.
func appendPath(dst []byte, path string) []byte {
	start := len(dst)
	for path != "" {
		var segment string
		segment, path = cutBefore(path[1:], '/')
		switch dots(segment) {
		case 0:
			dst = percent.AppendEncode(append(dst, '/'), segment, &pathSet)
			continue
		case 2:
			last := bytes.LastIndexByte(dst[start:], '/')
			dst = dst[:start+max(0, last)]
		}
		if path == "" {
			dst = append(dst, '/')
		}
	}
	return dst
}

// dots returns 1 for a single-dot and 2 for a double-dot URL path segment, and 0
// for any other.
func dots(segment string) int {
	segment = strings.ReplaceAll(strings.ToLower(segment), "%2e", ".")
	if segment != "." && segment != ".." {
		return 0
	}
	return len(segment)
}
