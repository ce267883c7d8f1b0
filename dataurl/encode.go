package dataurl

import (
	"strings"
	"unsafe"

	"github.com/go-extbody/extbody/internal/codec/base64x"
	"github.com/go-extbody/extbody/internal/codec/percent"
)

// Encode returns the data: URL of data with the given media type. It is in base64 or
// percent-encoded, whichever is shorter, and percent-encoded if both are equally long.
// Encode escapes everything that RFC 2396 does not allow in a URL.
//
// The media type is the result of [ParseMediaType], written as in RFC 2397 section 3:
// characters that a URL or a token cannot have are percent-encoded, and values are not
// quoted.
// [ParseStrict] always gives it back. So does [Parse], unless there was something to
// escape. An empty mediaType, and one that ParseMediaType rejects, is left out, which
// means [DefaultMediaType].
func Encode(mediaType string, data []byte) string {
	head := encodeMediaType(mediaType)
	const scheme, mark = "data:", ";base64"
	n, inBase64 := base64x.EncodedLen(len(data))+len(mark), true
	if k, ok := percentLen(data, n); ok {
		n, inBase64 = k, false
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
