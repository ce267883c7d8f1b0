// Package utf7 reads UTF-7 (RFC 2152), and reads and writes the names of IMAP mailboxes
// in modified UTF-7 (RFC 3501 section 5.1.3). Servers use such names unless the client
// enables UTF-8.
package utf7

import (
	"bytes"
	"encoding/base64"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// alphabet is the alphabet of Base64 without its last octet.
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+"

// base64Encoding is the base64 of modified UTF-7: with "," instead of "/", and
// without padding.
var base64Encoding = base64.NewEncoding(alphabet + ",").WithPadding(base64.NoPadding)

// Encode returns a name in modified UTF-7, which is printable ASCII. The name must be
// valid UTF-8.
func Encode(name string) string {
	var b strings.Builder
	var run []byte // UTF-16, big-endian
	flush := func() {
		if len(run) > 0 {
			b.WriteString("&" + base64Encoding.EncodeToString(run) + "-")
			run = run[:0]
		}
	}
	for _, r := range name {
		switch {
		case r == '&':
			flush()
			b.WriteString("&-")
		case r >= ' ' && r <= '~':
			flush()
			b.WriteRune(r)
		default:
			for _, u := range utf16.Encode([]rune{r}) {
				run = append(run, byte(u>>8), byte(u))
			}
		}
	}
	flush()
	return b.String()
}

// Decode returns the name whose encoding is s. It reports false if Encode encodes no
// name as s: the client could not send such a name to the server again.
func Decode(s string) (name string, ok bool) {
	d := Decoder{modified: true}
	name = string(d.End(d.Append(nil, []byte(s))))
	return name, utf8.ValidString(name) && Encode(name) == s
}

// A Decoder converts UTF-7 to UTF-8, piece by piece. Half a surrogate pair becomes
// U+FFFD. The zero Decoder is at the start of a text.
type Decoder struct {
	modified bool
	shift    bool   // the next octet may be Base64
	began    bool   // the octet before started the Base64
	high     rune   // the first half of a surrogate pair, or 0
	bits     uint32 // the bits of an incomplete unit of Base64
	n        int    // the number of such bits
}

// MaxLen is the maximum number of octets that Append appends for one octet, and End for
// all.
const MaxLen = 2 * utf8.UTFMax

// Append appends the text that the next octets encode to dst.
func (d *Decoder) Append(dst, src []byte) []byte {
	shift := byte('+')
	last := byte('/')
	if d.modified {
		shift = '&'
		last = ','
	}
	for _, c := range src {
		if d.shift {
			if v := base64Value(c, last); v >= 0 {
				d.bits = d.bits<<6 | uint32(v)
				d.n += 6
				d.began = false
				if d.n >= 16 {
					d.n -= 16
					dst = d.unit(dst, rune(d.bits>>d.n&0xFFFF))
				}
				continue
			}
			began := d.began
			dst = d.End(dst)
			if c == '-' {
				if began {
					dst = append(dst, shift)
				}
				continue
			}
		}
		if c == shift {
			d.shift = true
			d.began = true
		} else {
			dst = append(dst, c)
		}
	}
	return dst
}

// End ends a run of Base64. It must be called at the end of the text.
func (d *Decoder) End(dst []byte) []byte {
	if d.high != 0 {
		dst = utf8.AppendRune(dst, utf8.RuneError)
	}
	*d = Decoder{modified: d.modified}
	return dst
}

// unit appends the next unit of UTF-16 to dst.
func (d *Decoder) unit(dst []byte, c rune) []byte {
	if high := d.high; high != 0 {
		d.high = 0
		if r := utf16.DecodeRune(high, c); r != utf8.RuneError {
			return utf8.AppendRune(dst, r)
		}
		dst = utf8.AppendRune(dst, utf8.RuneError)
	}
	if 0xD800 <= c && c < 0xDC00 {
		d.high = c
		return dst
	}
	return utf8.AppendRune(dst, c) // half a pair becomes U+FFFD
}

// MayHide reports whether a text has a run of Base64 after a "+" that may contain an
// ASCII character. Old Exchange servers write "<", "=" and quotes so. The first nine bits
// of such a character in UTF-16 are zero. So, anywhere in the run, it makes an octet of
// Base64 whose first five bits are zero: "A" or "B".
func MayHide(text []byte) bool {
	for {
		i := bytes.IndexByte(text, '+')
		if i < 0 {
			return false
		}
		for text = text[i+1:]; len(text) > 0 && base64Value(text[0], '/') >= 0; text = text[1:] {
			if text[0] == 'A' || text[0] == 'B' {
				return true
			}
		}
	}
}

// base64Value returns the value of an octet of Base64, or -1 for any other octet. last is
// the octet whose value is 63.
func base64Value(c, last byte) int {
	if c == last {
		return len(alphabet)
	}
	return strings.IndexByte(alphabet, c)
}
