package dataurl

import (
	"github.com/go-extbody/extbody/internal/codec/base64x"
	"github.com/go-extbody/extbody/internal/codec/percent"
)

// A checker checks a body against the grammar of RFC 2397 section 3, octet by octet.
type checker struct {
	base64 bool

	seen    int     // octets of the text
	escaped int     // of them, in an escape that is not complete
	value   byte    // of that escape
	group   [4]byte // the last characters of base64
	n, pads int     // how many there were, and how much padding
}

// add checks the next octet of the text.
func (k *checker) add(c byte) error {
	at := k.seen
	k.seen++
	switch {
	case k.escaped > 0:
		digit, ok := percent.Unhex(c)
		if !ok {
			return &Error{BadCharacter, at - k.escaped}
		}
		k.value = k.value<<4 | digit
		if k.escaped++; k.escaped < 3 {
			return nil
		}
		c, k.value, k.escaped = k.value, 0, 0
		at -= 2
	case c == '%':
		k.escaped = 1
		return nil
	case classes[c]&uric == 0:
		return &Error{BadCharacter, at}
	}
	switch {
	case !k.base64:
	case base64x.IsAlphabet(c) && k.pads == 0:
		k.group[k.n%4] = c
		k.n++
	case c == '=' && k.pads < 2:
		k.pads++
	default:
		return &Error{BadBase64, at}
	}
	return nil
}

// end checks that the text may end here.
func (k *checker) end() error {
	if k.escaped > 0 {
		return &Error{BadCharacter, k.seen - k.escaped}
	}
	if (k.n+k.pads)%4 != 0 || k.pads > 0 && !base64x.ZeroTail(k.group[:k.n%4]) {
		return &Error{BadBase64, k.seen}
	}
	return nil
}
