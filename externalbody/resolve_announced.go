package externalbody

import (
	"strings"

	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/mime/param"
)

// defaultContentType is that of a part without a Content-Type (RFC 2045 section 5.2).
const defaultContentType = "text/plain; charset=us-ascii"

// contentType returns the phantom Content-Type with its parameters, unfolded.
func (r *Reference) contentType() string {
	if r.defaultType() {
		if r.Dialect != "" {
			return ""
		}
		return defaultContentType
	}
	return r.Header.Get("Content-Type")
}

// defaultType reports whether the phantom header names no media type that can be read.
func (r *Reference) defaultType() bool {
	if r.typed {
		return false
	}
	v, ok := r.Header.lookup("Content-Type")
	return !ok || !isMediaType(param.Parse(v).Type)
}

// isMediaType reports whether s, as returned by mimeparam, has a type and a subtype.
func isMediaType(s string) bool {
	typ, sub, ok := strings.Cut(s, "/")
	return ok && typ != "" && sub != "" && !strings.ContainsAny(s, " \t\r\n\"(),:;<=>?@[\\]")
}

// encoding returns the transfer encoding that the phantom header claims for the
// external data (RFC 2046 section 5.2.3.7).
func (r *Reference) encoding() message.Encoding {
	return message.ParseEncoding(r.Header.Get("Content-Transfer-Encoding"))
}
