//go:build amd64 && !purego

package base64x

import (
	"github.com/segmentio/asm/base64"
	"github.com/segmentio/asm/cpu"
	"github.com/segmentio/asm/cpu/x86"
)

// minBulk is the number of octets from which the library is faster than the tables.
const minBulk = 128

// hasBulk reports whether the library has assembly for this processor. Otherwise it
// falls back to encoding/base64, which is slower than the tables.
var hasBulk = cpu.X86.Has(x86.AVX2)

// bulkDecode is decodeTable for long src. The library does not check the length of
// dst. It passes the last 13 to 44 characters, and everything from the first invalid
// one, to encoding/base64, which skips line breaks. A result that is too short
// reveals those.
func bulkDecode(dst, src []byte) (n int, ok bool) {
	if len(src)%4 != 0 {
		return 0, false
	}
	want := len(src) / 4 * 3
	_ = dst[want-1]
	n, err := base64.RawStdEncoding.Decode(dst[:want], src)
	return n, err == nil && n == want
}

// bulkEncode encodes src, whole groups of three octets, into dst.
func bulkEncode(dst, src []byte) {
	base64.RawStdEncoding.Encode(dst, src)
}
