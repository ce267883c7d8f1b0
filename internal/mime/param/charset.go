package param

import (
	"errors"

	"github.com/go-extbody/extbody/internal/codec/charset"
)

// toUTF8 converts a value to UTF-8. If it cannot, it returns the value as it is and a
// code for the reason. A blank label says nothing about the octets, so they stay.
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
