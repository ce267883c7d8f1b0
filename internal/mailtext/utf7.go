package mailtext

import (
	"bufio"
	"bytes"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// mayShiftASCII reports whether text has a run of Base64 after a "+" (RFC 2152) that
// may contain an ASCII character. Old Exchange servers write "<", "=" and quotes so.
// The first nine bits of such a character in UTF-16 are zero. So, anywhere in the
// run, it makes an octet of Base64 whose first five bits are zero: "A" or "B".
func mayShiftASCII(text []byte) bool {
	for {
		i := bytes.IndexByte(text, '+')
		if i < 0 {
			return false
		}
		text = text[i+1:]
		for len(text) > 0 && base64Value(text[0]) >= 0 {
			if text[0] == 'A' || text[0] == 'B' {
				return true
			}
			text = text[1:]
		}
	}
}

// isUTF7Label reports whether label is a label of UTF-7.
func isUTF7Label(label string) bool {
	switch strings.ToLower(strings.TrimSpace(label)) {
	case "utf-7", "unicode-1-1-utf-7", "csunicode11utf7", "x-unicode-2-0-utf-7":
		return true
	}
	return false
}

// A utf7Reader converts UTF-7 to UTF-8.
type utf7Reader struct {
	r     *bufio.Reader
	out   []byte // the text that Read has not returned yet
	err   error  // the error to return after out
	high  rune   // the first half of a surrogate pair; 0 if there is none
	bits  uint32 // the bits of an incomplete unit of Base64
	n     int    // the number of such bits
	shift bool   // the next octet may be Base64
}

func (u *utf7Reader) Read(p []byte) (int, error) {
	for len(u.out) == 0 {
		if u.err != nil {
			return 0, u.err
		}
		u.fill()
	}
	n := copy(p, u.out)
	u.out = u.out[n:]
	return n, nil
}

// fill decodes the buffered octets of r. It waits for more only if out is empty.
func (u *utf7Reader) fill() {
	u.out = u.out[:0]
	for len(u.out) == 0 || u.r.Buffered() > 0 && len(u.out) < 4<<10 {
		c, err := u.r.ReadByte()
		if err != nil {
			u.err = err
			u.unshift()
			return
		}
		u.decode(c)
	}
}

// decode decodes the next octet (RFC 2152).
func (u *utf7Reader) decode(c byte) {
	if u.shift {
		if v := base64Value(c); v >= 0 {
			u.bits, u.n = u.bits<<6|uint32(v), u.n+6
			if u.n >= 16 {
				u.n -= 16
				u.unit(rune(u.bits >> u.n & 0xFFFF))
			}
			return
		}
		u.unshift()
		if c == '-' {
			return
		}
	}
	if c != '+' {
		u.out = append(u.out, c)
		return
	}
	u.shift = true
	if next, err := u.r.Peek(1); err == nil && next[0] == '-' {
		u.out = append(u.out, '+')
	}
}

// unit appends the next unit of UTF-16 to out.
func (u *utf7Reader) unit(c rune) {
	high := u.high
	u.high = 0
	switch r := utf16.DecodeRune(high, c); {
	case high != 0 && r != utf8.RuneError:
		u.out = utf8.AppendRune(u.out, r)
		return
	case high != 0:
		u.out = utf8.AppendRune(u.out, utf8.RuneError)
	}
	if 0xD800 <= c && c < 0xDC00 {
		u.high = c
		return
	}
	u.out = utf8.AppendRune(u.out, c) // half a pair becomes U+FFFD
}

// unshift ends a run of Base64.
func (u *utf7Reader) unshift() {
	if u.high != 0 {
		u.out = utf8.AppendRune(u.out, utf8.RuneError)
	}
	u.high, u.bits, u.n, u.shift = 0, 0, 0, false
}

// base64Value returns the value of an octet of Base64, or -1 for any other octet.
func base64Value(c byte) int {
	switch {
	case 'A' <= c && c <= 'Z':
		return int(c - 'A')
	case 'a' <= c && c <= 'z':
		return int(c-'a') + 26
	case '0' <= c && c <= '9':
		return int(c-'0') + 52
	case c == '+':
		return 62
	case c == '/':
		return 63
	}
	return -1
}
