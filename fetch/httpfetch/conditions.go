package httpfetch

import (
	"errors"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/go-extbody/extbody/fetch"
)

// withConditions returns a copy of h with the fields for c in a request for at, or
// h if there are none: a validator is of the URL whose answer had it (RFC 9110
// section 8.8). Malformed validators are left out, and a range is asked for with
// a strong one only (RFC 9110 section 13.1.5).
func withConditions(h http.Header, c *fetch.Conditions, at *url.URL) http.Header {
	if c == nil || c.URL != "" && c.URL != at.String() {
		return h
	}
	h = maps.Clone(h)
	if c.Offset > 0 {
		if isStrong(c.ETag) {
			h["Range"] = []string{"bytes=" + strconv.FormatInt(c.Offset, 10) + "-"}
			h["If-Range"] = []string{c.ETag}
		}
		return h
	}
	if isStrong(strings.TrimPrefix(c.ETag, "W/")) {
		h["If-None-Match"] = []string{c.ETag}
	}
	if t, err := http.ParseTime(c.LastModified); err == nil {
		h["If-Modified-Since"] = []string{t.UTC().Format(http.TimeFormat)}
	}
	return h
}

// isStrong reports whether s is a strong entity tag (RFC 9110 section 8.8.3).
func isStrong(s string) bool {
	if len(s) < 2 || len(s) > maxETag || s[0] != '"' || s[len(s)-1] != '"' {
		return false
	}
	return !strings.ContainsFunc(s[1:len(s)-1], func(c rune) bool { return c <= ' ' || c == '"' || c == 0x7f })
}

// maxETag bounds an entity tag that is sent back.
const maxETag = 1 << 10

// resume returns the Conditions for the rest of the body of an answer, nil without a strong
// validator or if the server refuses ranges (RFC 9110 section 14.3).
func resume(at *url.URL, h http.Header, complete int64) *fetch.Conditions {
	tags := h["Etag"]
	if len(tags) != 1 || !isStrong(tags[0]) || strings.EqualFold(h.Get("Accept-Ranges"), "none") {
		return nil
	}
	return &fetch.Conditions{URL: at.String(), ETag: tags[0], Size: max(complete, 0)}
}

var (
	errRange     = &fetch.Error{Kind: fetch.Protocol, Err: errors.New("another range than the one asked for")}
	errOtherETag = &fetch.Error{Kind: fetch.Protocol, Err: errors.New("a range of another object")}
)

// checkRange judges a 206 answer to a request for a range (RFC 9110 section
// 15.3.7): it has to be one part, which is the whole rest of the object that was
// asked for, by both its validator and its size. It returns the size of the
// object.
func checkRange(resp *http.Response, c *fetch.Conditions) (complete int64, err error) {
	values := resp.Header["Content-Range"]
	if len(values) != 1 || mediaRange(resp.Header.Get("Content-Type")) == "multipart/byteranges" {
		return 0, errRange
	}
	first, last, complete, ok := parseContentRange(values[0])
	switch {
	case !ok, first != c.Offset, last != complete-1:
		return 0, errRange
	case resp.ContentLength >= 0 && resp.ContentLength != last-first+1:
		return 0, errRange
	case c.Size > 0 && complete != c.Size:
		return 0, errOtherETag
	}
	if tags := resp.Header["Etag"]; len(tags) != 1 || tags[0] != c.ETag {
		return 0, errOtherETag
	}
	return complete, nil
}

// parseContentRange reads "bytes first-last/complete" (RFC 9110 section 14.4).
// An unknown complete length is refused, since nothing could be compared with
// it.
func parseContentRange(s string) (first, last, complete int64, ok bool) {
	unit, rest, _ := strings.Cut(strings.Trim(s, " \t"), " ")
	span, size, _ := strings.Cut(strings.TrimLeft(rest, " "), "/")
	from, to, _ := strings.Cut(span, "-")
	first, ok1 := parseLength(from)
	last, ok2 := parseLength(to)
	complete, ok3 := parseLength(size)
	ok = strings.EqualFold(unit, "bytes") && ok1 && ok2 && ok3 && first <= last && last < complete
	return first, last, complete, ok
}

// parseLength reads decimal digits.
func parseLength(s string) (int64, bool) {
	if s == "" || strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil
}

// clock returns the time without a monotonic reading, fit to be stored.
func clock() time.Time { return time.Now().UTC() }
