package param

import (
	"errors"

	"github.com/go-extbody/extbody/internal/codec/charset"
)

// toUTF8 converts a value to UTF-8. If it cannot, it returns the value unchanged and
// the code of a [Diag]. If the label is blank, the charset is not known, and the
// value stays unchanged.
func toUTF8(label, s string) (value, fault string) {
	if label == "" {
		return s, ""
	}
	value, err := charset.Text(label, s)
	switch {
	case errors.Is(err, charset.ErrUnknown):
		return value, UnknownCharset
	case err != nil:
		return value, BadCharset
	}
	return value, ""
}
