package externalbody

import (
	"net/textproto"
	"slices"
)

// metadata returns the fields of an answer that describe the object and are worth
// keeping in a Report. It returns nil if there are none.
func metadata(h textproto.MIMEHeader) textproto.MIMEHeader {
	kept := make(textproto.MIMEHeader)
	for _, name := range [...]string{
		"Cache-Control",
		"Content-Digest",
		"Content-Disposition",
		"Content-Language",
		"Content-Location",
		"Content-Md5",
		"Date",
		"Etag",
		"Expires",
		"Last-Modified",
		"Repr-Digest",
		"X-Goog-Generation", // of Google's storage: the version,
		"X-Goog-Hash",       // and its digests
	} {
		if values := h[name]; len(values) > 0 && !slices.ContainsFunc(values, isLong) {
			kept[name] = values
		}
	}
	if len(kept) == 0 {
		return nil
	}
	return kept
}

// maxValue bounds the value of a field that is kept.
const maxValue = 8 << 10

func isLong(value string) bool { return len(value) > maxValue }
