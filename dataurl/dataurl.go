// Package dataurl reads and writes data: URLs.
//
// Such a URL can be read by two rules. [Parse], [Decode] and [AppendDecode]
// read one as browsers do, by the data: URL processor of the Fetch Standard
// (https://fetch.spec.whatwg.org/#data-urls) on the output of the URL Standard's
// parser. They find some meaning in almost any text with a comma. [ParseStrict] reads
// one by the grammar of RFC 2397 and rejects every other text. [Encode] writes
// URLs that both accept.
//
// Parse accepts everything that ParseStrict accepts, with the same body. The media type is
// the same too, unless it has escapes: RFC 2397 decodes them, and the Fetch Standard
// does not. In
//
//	data:text/plain;name=%22a%20b%22,x
//
// the parameter is name="a b" for ParseStrict and name=%22a%20b%22 for Parse.
//
// A Go string need not be UTF-8. Octets that are not UTF-8 are kept as they are in a
// body.
//
// Before acting on the content, look at the media type that was parsed, not at the text
// of the URL: there are many ways to write the same type (RFC 2397 section 6). A
// program that limits its memory can ask [URL.DecodedLen] before it decodes, or use
// [URL.NewReader].
package dataurl

import (
	"io"
	"slices"
	"strings"
)

// DefaultMediaType is the media type of a URL without one (RFC 2397 section 2). For
// [Parse] it also replaces a media type that is not valid.
const DefaultMediaType = "text/plain;charset=US-ASCII"

// A URL is a data: URL split into its parts. Its body is not decoded yet.
type URL struct {
	// MediaType is the media type with its parameters, as [ParseMediaType]
	// writes it. Parse and ParseStrict never return an empty one.
	MediaType string

	// Base64 is true if the body is in base64, below the percent-encoding.
	Base64 bool

	// Encoded is the text after the comma, as given: with escapes, white space and
	// fragment. It is a part of the string that was parsed, not a copy. Controls and
	// spaces at the end of the string, which Parse does not count as part of a URL, are
	// left out.
	//
	// There is one exception. If "/" follows "data:", the URL Standard sees a host and
	// a path. Encoded is then cut from the URL as the standard normalizes it: dot
	// segments are resolved, more octets are escaped, and the fragment is gone.
	Encoded string

	unquoted bool
}

// Unquoted reports whether [ParseStrict] has removed the quotes of a parameter value.
// RFC 2397 section 3 is ambiguous here: values are escaped instead of quoted, and they
// are also values of RFC 2045, which may be quoted.
func (u *URL) Unquoted() bool { return u.unquoted }

// DecodedLen returns an upper bound of the length of the body. It computes it from the
// length of Encoded alone. For a body without escapes, white space and fragment it is
// exact, or at most two too large for base64.
func (u *URL) DecodedLen() int {
	if !u.Base64 {
		return len(u.Encoded)
	}
	return len(u.Encoded)/4*3 + len(u.Encoded)%4*3/4
}

// NewReader returns a reader of the body. It decodes while it is read, and holds 8 KiB
// in addition to the string, however long that is.
//
// Its only error other than io.EOF is an [*Error] of Kind [BadBase64], after the octets
// that precede the fault. A URL that ParseStrict returned has no such fault. The reader
// must not be used by several goroutines at once. A URL can have any number of readers.
func (u *URL) NewReader() io.Reader { return u.stream() }

// Decode parses s as [Parse] does and decodes the body. The error is an [*Error]; no
// data is returned with it.
func Decode(s string) (mediaType string, data []byte, err error) {
	mediaType, data, err = AppendDecode([]byte{}, s)
	if err != nil {
		return "", nil, err
	}
	return mediaType, data, nil
}

// AppendDecode is [Decode] into a buffer. It appends the body to dst and returns the
// extended buffer. With an error it returns dst as it was. It may use the capacity of
// dst after the result as scratch space. If the body fits, it allocates at most
// the media type.
func AppendDecode(dst []byte, s string) (mediaType string, out []byte, err error) {
	u, err := parse(s)
	if err != nil {
		return "", dst, err
	}
	d := decoder{base64: u.Base64}
	out = d.finish(d.decode(grow(dst, &u), u.Encoded))
	if d.fault != nil {
		return "", dst, d.fault
	}
	return u.MediaType, out, nil
}

// grow makes room in dst for the body of u. It cannot tell how much of the text is
// white space or fragment. It therefore leaves a buffer alone that seems a bit too
// small.
func grow(dst []byte, u *URL) []byte {
	room, n := cap(dst)-len(dst), u.DecodedLen()
	if room >= n {
		return dst
	}
	escapes := min(strings.Count(u.Encoded, "%"), len(u.Encoded)/3)
	if u.Base64 {
		n -= escapes * 2 / 4 * 3
	} else {
		n -= escapes * 2
	}
	if room >= n-n/8 {
		return dst
	}
	return slices.Grow(dst, n)
}
