package interstitial

import (
	"bytes"
	"compress/gzip"
	"io"
	"unicode/utf16"
)

// plain returns head as text: uncompressed if it is gzip, then converted from UTF-16 or
// without a few NULs. It returns anything else unchanged.
func plain(head []byte) []byte {
	if bytes.HasPrefix(head, []byte(gzBeginning)) {
		if z, err := gzip.NewReader(bytes.NewReader(head)); err == nil {
			out := make([]byte, HeadBytes)
			n, _ := io.ReadFull(z, out) // an error is expected, since head is cut
			return plainText(out[:n])
		}
	}
	return plainText(head)
}

func plainText(head []byte) []byte {
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xfe")), wide(head, 1):
		return fromUTF16(bytes.TrimPrefix(head, []byte("\xff\xfe")), 0)
	case bytes.HasPrefix(head, []byte("\xfe\xff")), wide(head, 0):
		return fromUTF16(bytes.TrimPrefix(head, []byte("\xfe\xff")), 1)
	}
	if n := bytes.Count(head, []byte{0}); n > 0 && n <= maxNULs && !isBinary(bytes.ReplaceAll(head, []byte{0}, nil)) {
		return bytes.ReplaceAll(head, []byte{0}, nil)
	}
	return head
}

// maxNULs bounds the zero octets in a page.
const maxNULs = 16

// wide reports whether head begins with ASCII in UTF-16. zero is the index of the zero
// octet in each unit, 0 or 1.
func wide(head []byte, zero int) bool {
	n := min(len(head), 32) &^ 1
	if n < 8 {
		return false
	}
	for i := 0; i < n; i += 2 {
		if head[i+zero] != 0 || head[i+1-zero] == 0 || head[i+1-zero] >= 0x80 {
			return false
		}
	}
	return true
}

// fromUTF16 returns text in UTF-8. The lower octet of each unit is at index low.
func fromUTF16(text []byte, low int) []byte {
	units := make([]uint16, len(text)/2)
	for i := range units {
		units[i] = uint16(text[2*i+low]) | uint16(text[2*i+1-low])<<8
	}
	return []byte(string(utf16.Decode(units)))
}
