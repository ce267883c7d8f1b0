package redact

import (
	"strings"

	"github.com/go-extbody/extbody/urlaccess/form"
)

const (
	// maxParsed is how many octets of a query are looked at. Far fewer are shown.
	maxParsed = 4096
	// maxName is the most characters of a name, as written.
	maxName = 64
	// maxBare is the same for a name without a value, which can be a token.
	maxBare = 16
)

// appendQuery appends the redacted query.
func appendQuery(dst []byte, query string) []byte {
	start := len(dst)
	more := len(query) > maxParsed
	if more {
		query = query[:maxParsed]
		// Leave out the last pair, which is not whole, unless it is the only one.
		if i := strings.LastIndexByte(query, '&'); i > 0 {
			query = query[:i]
		}
	}
	pairs := form.Options{AmpersandOnly: true}
	fields, err := pairs.Parse(query)
	if err != nil {
		fields = []form.Field{{Name: hidden}}
	}
	for i, f := range fields {
		pair := pairs.Encode([]form.Field{mask(f)})
		if i > 0 {
			dst = append(dst, '&')
		}
		if len(dst)-start+len(pair) > maxQuery {
			return append(dst, cut...)
		}
		dst = append(dst, pair...)
	}
	if more {
		dst = append(dst, "&"+cut...)
	}
	return dst
}

// mask returns f without its value, and without its name if that can be a value.
func mask(f form.Field) form.Field {
	limit := maxName
	if !f.HasValue {
		limit = maxBare
	}
	name := form.Encode([]form.Field{{Name: f.Name}})
	if len(name) > limit || strings.Contains(f.Name, "@") {
		f.Name = hidden
	}
	if f.Value != "" {
		f.Value = hidden
	}
	return f
}
