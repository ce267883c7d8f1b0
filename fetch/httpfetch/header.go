package httpfetch

import (
	"bytes"
	"crypto/md5"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"maps"
	"net/http"
	"net/textproto"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/codec/lazyregexp"
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

// unsecured returns h without the fields that browsers send over TLS alone.
func unsecured(h http.Header) http.Header {
	h = maps.Clone(h)
	maps.DeleteFunc(h, func(name string, _ []string) bool { return strings.HasPrefix(name, "Sec-") })
	return h
}

// acceptList returns media types with falling weights (RFC 9110 section 12.4.2).
func acceptList(types []string) string {
	var list []string
	for _, t := range types {
		t = mediaRange(t)
		if t == "" {
			continue
		}
		if n := len(list); n > 0 {
			t += ";q=0." + strconv.Itoa(max(1, 10-n))
		}
		list = append(list, t)
	}
	return strings.Join(list, ", ")
}

// mediaRange returns type/subtype of a media type, without parameters and in
// lower case, or "" if it is not one.
func mediaRange(mediaType string) string {
	t, _, _ := strings.Cut(mediaType, ";")
	t = strings.ToLower(strings.Trim(t, " \t"))
	major, minor, ok := strings.Cut(t, "/")
	if !ok || major == "*" || minor == "*" {
		return ""
	}
	if !fieldvalue.IsToken(major) || !fieldvalue.IsToken(minor) {
		return ""
	}
	return t
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

// isStrong reports whether s is a strong entity tag that may be sent back.
func isStrong(s string) bool { return len(s) <= maxETag && fieldvalue.IsOpaqueTag(s) }

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
// asked for, by both its validator and its size. It may start earlier: RFC 9110 section 14.2 allows
// a server to send other ranges. It returns where the range starts, and the size of the object.
func checkRange(resp *http.Response, c *fetch.Conditions) (first, complete int64, err error) {
	values := resp.Header["Content-Range"]
	if len(values) != 1 || mediaRange(resp.Header.Get("Content-Type")) == "multipart/byteranges" {
		return 0, 0, errRange
	}
	first, last, complete, ok := parseContentRange(values[0], c.Size)
	switch {
	case !ok, first > c.Offset, last != complete-1, resp.ContentLength >= 0 && resp.ContentLength != last-first+1:
		return 0, 0, errRange
	case c.Size > 0 && complete != c.Size:
		return 0, 0, errOtherETag
	}
	if tags := resp.Header["Etag"]; len(tags) != 1 || tags[0] != c.ETag {
		return 0, 0, errOtherETag
	}
	return first, complete, nil
}

// parseContentRange reads "bytes first-last/complete" (RFC 9110 section 14.4).
// A complete length of "*" is the known one, or else refused, since nothing could be compared with
// it.
func parseContentRange(s string, known int64) (first, last, complete int64, ok bool) {
	unit, rest, _ := strings.Cut(strings.Trim(s, " \t"), " ")
	span, size, _ := strings.Cut(strings.TrimLeft(rest, " "), "/")
	from, to, _ := strings.Cut(span, "-")
	if size == "*" && known > 0 {
		size = strconv.FormatInt(known, 10)
	}
	var n [3]uint64
	for i, digits := range [...]string{from, to, size} {
		var err error
		n[i], err = strconv.ParseUint(digits, 10, 63)
		if err != nil {
			return 0, 0, 0, false
		}
	}
	return int64(n[0]), int64(n[1]), int64(n[2]), strings.EqualFold(unit, "bytes") && n[0] <= n[1] && n[1] < n[2]
}

// clock returns the time without a monotonic reading, fit to be stored.
func clock() time.Time { return time.Now().UTC() }

// digests returns the digests in the fields of a 200 answer, which are about the octets of
// its body. Content-Digest covers the content and Repr-Digest the whole selected
// representation, which are the same here: both with content codings, without
// transfer codings (RFC 9530 sections 2 and 3).
//
// Of their algorithms, those that the registry calls active are returned. A
// field that cannot be parsed is ignored, as RFC 9651 section 4.2 asks.
func digests(h http.Header) []fetch.Digest {
	list := fieldDigests(h)
	if sum, ok := parseContentMD5(h["Content-Md5"]); ok {
		list = append(list, fetch.Digest{Field: "content-md5", Algorithm: "md5", Sum: sum})
	}
	return list
}

// fieldDigests returns the digests of RFC 9530 in header or trailer fields.
func fieldDigests(h http.Header) []fetch.Digest {
	var list []fetch.Digest
	for _, field := range [...]string{"Repr-Digest", "Content-Digest"} {
		members, ok := parseDigestField(h[field])
		if !ok {
			continue
		}
		for _, algorithm := range [...]string{"sha-256", "sha-512"} {
			if sum, ok := members[algorithm]; ok {
				list = append(list, fetch.Digest{Field: strings.ToLower(field), Algorithm: algorithm, Sum: sum})
			}
		}
	}
	return list
}

// ofNothing reports whether d is the digest of no octets.
func ofNothing(d fetch.Digest) bool {
	sum := sha256.Sum256(nil)
	long := sha512.Sum512(nil)
	return d.Field == "content-digest" && (bytes.Equal(d.Sum, sum[:]) || bytes.Equal(d.Sum, long[:]))
}

// parseContentMD5 reads the obsolete field of RFC 2616 section 14.15.
func parseContentMD5(lines []string) ([]byte, bool) {
	if len(lines) != 1 || strings.ContainsAny(lines[0], "\r\n") {
		return nil, false
	}
	sum, err := base64.StdEncoding.DecodeString(strings.Trim(lines[0], " \t"))
	return sum, err == nil && len(sum) == md5.Size
}

// maxMembers bounds the members of a digest field. The registry of RFC 9530 has
// eight algorithms, six of them deprecated.
const maxMembers = 32

// digestMember is a key with a Byte Sequence (RFC 9651 sections 3.3.5 and 4.2.3.3).
var digestMember = lazyregexp.New(`^([a-z*][a-z0-9_.*-]*)=:([A-Za-z0-9+/]*)(={0,2}):$`)

// parseDigestField parses the lines of a field that is a Dictionary whose
// values are Byte Sequences (RFC 9651 section 4.2.2). Of a key that occurs
// twice, the last value counts. It reports whether there is a field that can be parsed. A
// value of another type, or one with parameters, is not one that RFC 9530 defines.
//
// Missing padding and pad bits that are not zero are accepted, as RFC 9651 section 4.2.7
// recommends.
func parseDigestField(lines []string) (map[string][]byte, bool) {
	list := strings.SplitN(strings.Join(lines, ","), ",", maxMembers+1)
	members := make(map[string][]byte)
	for _, text := range list {
		m := digestMember().FindStringSubmatch(strings.Trim(text, " \t"))
		if m == nil || m[3] != "" && len(m[2]+m[3])%4 != 0 {
			return nil, false
		}
		sum, err := base64.RawStdEncoding.DecodeString(m[2])
		if err != nil {
			return nil, false
		}
		members[m[1]] = sum
	}
	return members, len(list) <= maxMembers
}
