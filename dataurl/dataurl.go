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
// program that limits its memory uses [URL.NewReader]: a body is not longer than its text.
package dataurl

import (
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"github.com/go-extbody/extbody/internal/codec/base64x"
	"github.com/go-extbody/extbody/internal/codec/percent"
)

// defaultMediaType is the media type of a URL without one (RFC 2397 section 2). For
// Parse it also replaces a media type that is not valid.
const defaultMediaType = "text/plain;charset=US-ASCII"

// A URL is a data: URL split into its parts. Its body is not decoded yet.
type URL struct {
	// MediaType is the media type with its parameters, as ParseMediaType
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

	// ParseStrict has removed the quotes of a parameter value. RFC 2397 section 3 is ambiguous here:
	// values are escaped instead of quoted, and they are also values of RFC 2045, which may be quoted.
	unquoted bool
}

// decodedLen returns an upper bound of the length of the body. It computes it from the
// length of Encoded alone. For a body without escapes, white space and fragment it is
// exact, or at most two too large for base64.
func (u *URL) decodedLen() int {
	if !u.Base64 {
		return len(u.Encoded)
	}
	return len(u.Encoded)/4*3 + len(u.Encoded)%4*3/4
}

// grow makes room in dst for the body of u. It cannot tell how much of the text is
// white space or fragment. It therefore leaves a buffer alone that seems a bit too
// small.
func grow(dst []byte, u *URL) []byte {
	n := u.decodedLen()
	if cap(dst)-len(dst) >= n {
		return dst
	}
	escapes := min(strings.Count(u.Encoded, "%"), len(u.Encoded)/3)
	if u.Base64 {
		n -= escapes * 2 / 4 * 3
	} else {
		n -= escapes * 2
	}
	if cap(dst)-len(dst) >= n-n/8 {
		return dst
	}
	return slices.Grow(dst, n)
}

// Parse parses s as browsers do: by the Fetch Standard, section "data: URLs", on the
// output of the URL Standard's parser. It reads only the text before the body, and
// takes no longer for a longer body. An invalid body is an error when it is decoded.
//
// The error is an [*Error] about a text that is not a data: URL, has no comma or has a bad
// authority. An invalid media type is not an error; text/plain;charset=US-ASCII takes its place.
func Parse(s string) (*URL, error) {
	u, err := parse(s)
	if err != nil {
		return nil, err
	}
	return &u, nil
}

func parse(s string) (URL, error) {
	start, end := trim(s)
	n, ok := scheme(s[start:end])
	if !ok {
		return URL{}, &Error{notData, start}
	}
	rest := s[start+n : end]
	if hierarchical(rest) {
		path, ok := normalize(breaks.Replace(rest))
		if !ok {
			return URL{}, &Error{badAuthority, start + n}
		}
		rest = path
	}

	// Fetch, data: URL processor, steps 5 to 9. A comma in the fragment does not count.
	comma := strings.IndexByte(rest, ',')
	if comma < 0 {
		return URL{}, &Error{noComma, len(s)}
	}
	head := rest[:comma]
	encoded := rest[comma+1:]
	if mediaType, ok := strings.CutSuffix(head, ";base64"); isSerialized(mediaType) {
		return URL{MediaType: mediaType, Base64: ok, Encoded: encoded}, nil
	}
	u := URL{MediaType: defaultMediaType, Encoded: encoded}
	if strings.ContainsFunc(head, isSpecial) {
		if strings.IndexByte(head, '#') >= 0 {
			return URL{}, &Error{noComma, len(s)}
		}
		head = serializeOpaque(breaks.Replace(head))
	}

	// Steps 6 and 11 to 14. Of white space only spaces are left.
	head = strings.Trim(head, " ")
	head, u.Base64 = cutBase64(head)
	if head == "" {
		return u, nil
	}
	if head[0] == ';' {
		head = "text/plain" + head
	}
	if t, err := ParseMediaType(head); err == nil {
		u.MediaType = t
	}
	return u, nil
}

// trim returns where s starts and ends without the C0 controls and spaces at both ends.
// The URL parser removes these.
func trim(s string) (start, end int) {
	for start < len(s) && s[start] <= ' ' {
		start++
	}
	end = len(s)
	for end > start && s[end-1] <= ' ' {
		end--
	}
	return start, end
}

// scheme returns the length of the "data:" that s starts with, in any case and
// with the tabs and line breaks in it that the URL parser removes.
func scheme(s string) (n int, ok bool) {
	const usual = "data:"
	if strings.HasPrefix(s, usual) {
		return len(usual), true
	}
	name, _, ok := strings.Cut(s, ":")
	return len(name) + 1, ok && strings.EqualFold(breaks.Replace(name), "data")
}

// hierarchical reports whether the first character of rest, except tabs and line
// breaks, is "/". The URL then has no opaque path for the URL parser.
func hierarchical(rest string) bool {
	i := 0
	for i < len(rest) && isBreak(rest[i]) {
		i++
	}
	return i < len(rest) && rest[i] == '/'
}

// isSpecial reports whether the URL parser changes c in a media type.
func isSpecial(c rune) bool { return c >= 0x80 || classes[c]&special != 0 }

// serializeOpaque returns the start of a path as the URL Standard's opaque path state
// and query state write it. The path has no tabs and line breaks.
func serializeOpaque(head string) string {
	path, query, found := strings.Cut(head, "?")
	b := percent.AppendEncode(nil, path, &controlSet)
	if !found {
		return string(b)
	}
	if n := len(b) - 1; n >= 0 && b[n] == ' ' {
		b = append(b[:n], "%20"...)
	}
	b = append(b, '?')
	return string(percent.AppendEncode(b, query, &querySet))
}

// cutBase64 cuts ";base64" from the end of the media type. The case does not matter,
// and spaces may follow the ";".
func cutBase64(head string) (mediaType string, ok bool) {
	const mark = "base64"
	n := len(head) - len(mark)
	if n < 0 || !strings.EqualFold(head[n:], mark) {
		return head, false
	}
	mediaType, ok = strings.CutSuffix(strings.TrimRight(head[:n], " "), ";")
	if !ok {
		return head, false
	}
	return mediaType, true
}

// isBreak reports whether c is an ASCII tab or newline, which the URL parser
// removes wherever they are.
func isBreak(c byte) bool { return c == '\t' || c == '\n' || c == '\r' }

// breaks removes tabs and line breaks.
var breaks = strings.NewReplacer("\t", "", "\n", "", "\r", "")

// Encode returns the data: URL of data with the given media type. It is in base64 or
// percent-encoded, whichever is shorter, and percent-encoded if both are equally long.
// Encode escapes everything that RFC 2396 does not allow in a URL.
//
// The media type is the result of [ParseMediaType], written as in RFC 2397 section 3:
// characters that a URL or a token cannot have are percent-encoded, and values are not
// quoted.
// [ParseStrict] always gives it back. So does [Parse], unless there was something to
// escape. An empty mediaType, and one that ParseMediaType rejects, is left out, which
// means text/plain;charset=US-ASCII.
func Encode(mediaType string, data []byte) string {
	head := encodeMediaType(mediaType)
	const scheme, mark = "data:", ";base64"
	n := base64x.EncodedLen(len(data)) + len(mark)
	inBase64 := true
	if k, ok := percentLen(data, n); ok {
		n = k
		inBase64 = false
	}
	b := make([]byte, 0, len(scheme)+len(head)+len(",")+n)
	b = append(b, scheme...)
	b = append(b, head...)
	if inBase64 {
		b = append(b, mark...)
		b = append(b, ',')
		b = base64x.AppendEncode(b, data)
	} else {
		b = append(b, ',')
		b = percent.AppendEncode(b, text(data), &bodySet)
	}
	// b has no other user.
	return text(b)
}

// text returns b as a string without a copy. b must not change while the string is
// used.
func text(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// percentLen returns the length of data percent-encoded, if it is at most limit.
func percentLen(data []byte, limit int) (n int, ok bool) {
	for len(data) > 0 && n <= limit {
		k := min(len(data), chunk)
		n += percent.EncodedLen(text(data[:k]), &bodySet)
		data = data[k:]
	}
	return n, n <= limit && len(data) == 0
}

// encodeMediaType returns the text before ";base64" and the comma.
func encodeMediaType(mediaType string) string {
	mediaType = strings.Trim(mediaType, httpSpace)
	if isSerialized(mediaType) && percent.EncodedLen(mediaType, &serializedSet) == len(mediaType) {
		return mediaType
	}
	m, ok := parseMediaType(mediaType)
	if !ok {
		return ""
	}
	typ, subtype, _ := strings.Cut(m.essence, "/")
	b := percent.AppendEncode(nil, typ, &nameSet)
	b = percent.AppendEncode(append(b, '/'), subtype, &nameSet)
	for _, p := range m.parameters {
		b = percent.AppendEncode(append(b, ';'), p.name, &nameSet)
		value := p.value
		if value == "" || value[0] == '"' {
			// Without quotes of its own it would not be a value, or would be unquoted.
			value = quote(value)
		}
		b = percent.AppendEncode(append(b, '='), value, &nameSet)
	}
	return string(b)
}

// A kind is a fault of a data: URL or a media type.
type kind uint8

const (
	notData      kind = iota + 1 // the text does not start with "data:"
	noComma                      // the comma that ends the media type is missing
	badAuthority                 // "//" and a user name, host or port follow that the URL Standard rejects
	badMediaType                 // not a media type; for ParseMediaType and ParseStrict
	badCharacter                 // a character that a URL cannot have, or a "%" without two digits; for ParseStrict
	badBase64                    // a character that is not of the alphabet, or a wrong length or padding
	tooLong                      // ParseReader and ParseReaderStrict would have to hold more than they do
)

var kinds = [...]string{
	notData:      "not a data: URL",
	noComma:      "no comma",
	badAuthority: "invalid authority",
	badMediaType: "invalid media type",
	badCharacter: "invalid character or escape",
	badBase64:    "invalid base64",
	tooLong:      "too much before the data",
}

func (k kind) Error() string {
	if int(k) < len(kinds) && kinds[k] != "" {
		return kinds[k]
	}
	return "unknown error"
}

// An Error is the error of all functions and readers of this package: the text is not a data:
// URL, has no comma, has a bad authority, media type, character, escape or base64, or is too long
// before the data. Its text says which, and never quotes the input, which may be secret and long.
type Error struct {
	kind kind

	// Offset is the number of octets before the fault. They are octets of URL.Encoded
	// for faults of the body, and of the function's argument for all others. If
	// something is missing, it counts all octets.
	Offset int
}

// Error returns the fault and the Offset as text.
func (e *Error) Error() string { return fmt.Sprintf("dataurl: %v at octet %d", e.kind, e.Offset) }

// Unwrap returns the fault, an error whose text does not depend on the input.
func (e *Error) Unwrap() error { return e.kind }

// ParseMediaType parses a media type with parameters, as in a Content-Type field. It
// returns it in the one form of the MIME Sniffing Standard, which is the result of
// "parse a MIME type" and "serialize a MIME type" of https://mimesniff.spec.whatwg.org:
//
//   - Type, subtype and names of parameters are in lower case.
//   - Values are unchanged, in quotes only if they must be.
//   - No space stands before a parameter.
//   - Of parameters with the same name only the first counts.
//   - A parameter that is not valid is left out.
//
// The standard allows code points up to U+00FF in values. s is read as UTF-8, and a
// value that is not UTF-8 is not valid. Applied to its own result, ParseMediaType
// returns it unchanged.
//
// The error is an [*Error] for a type or subtype that is not valid.
func ParseMediaType(s string) (string, error) {
	if isSerialized(s) {
		return s, nil
	}
	m, ok := parseMediaType(s)
	if !ok {
		return "", &Error{kind: badMediaType}
	}
	return m.String(), nil
}
