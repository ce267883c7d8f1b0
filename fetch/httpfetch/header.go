package httpfetch

import (
	"cmp"
	"maps"
	"net/http"
	"net/textproto"
	"strconv"
	"strings"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/netx/fieldvalue"
)

// baseHeader returns the fields that all requests have.
func baseHeader(own http.Header, userAgent string) http.Header {
	if own != nil {
		return own.Clone()
	}
	return http.Header{
		"User-Agent":       {userAgent},
		"Accept-Encoding":  {"identity"},
		"Want-Repr-Digest": {"sha-256=10"},
	}
}

// header returns the header of every request of one fetch, apart from the
// Conditions. It is read-only.
func (f *Fetcher) header(req *fetch.Request) http.Header {
	accept := cmp.Or(mediaRange(req.MediaType), acceptList(req.Accept))
	if accept == "" || f.own {
		return f.base
	}
	return with(f.base, "Accept", accept)
}

// unsecured returns h without the fields that browsers send over TLS alone.
func unsecured(h http.Header) http.Header {
	h = maps.Clone(h)
	maps.DeleteFunc(h, func(name string, _ []string) bool { return strings.HasPrefix(name, "Sec-") })
	return h
}

// acceptList returns media types with falling weights (RFC 9110 section 12.4.2).
func acceptList(types []string) string {
	var b strings.Builder
	weight := 10
	for _, t := range types {
		t = mediaRange(t)
		if t == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		b.WriteString(t)
		if weight < 10 {
			b.WriteString(";q=0." + strconv.Itoa(weight))
		}
		weight = max(1, weight-1)
	}
	return b.String()
}

// mediaRange returns type/subtype of a media type, without parameters and in
// lower case, or "" if it is not one.
func mediaRange(mediaType string) string {
	t, _, _ := strings.Cut(mediaType, ";")
	t = strings.ToLower(strings.Trim(t, " \t"))
	major, minor, ok := strings.Cut(t, "/")
	if !ok || !fieldvalue.IsToken(major) || !fieldvalue.IsToken(minor) || major == "*" || minor == "*" {
		return ""
	}
	return t
}

// codings returns the content codings in the order in which they were applied.
func codings(h http.Header) []string {
	var list []string
	for _, line := range h["Content-Encoding"] {
		for coding := range fieldvalue.Members(line) {
			if coding = strings.ToLower(coding); coding != "identity" {
				list = append(list, coding)
			}
		}
	}
	return list
}

// metadata returns the fields of an answer without those that set cookies, or nil. It may
// be h, which is not changed any more.
func metadata(h http.Header) textproto.MIMEHeader {
	if h["Set-Cookie"] != nil || h["Set-Cookie2"] != nil {
		h = maps.Clone(h)
		delete(h, "Set-Cookie")
		delete(h, "Set-Cookie2")
	}
	if len(h) == 0 {
		return nil
	}
	return textproto.MIMEHeader(h)
}
