package externalbody

import (
	"bytes"
	"crypto/md5"
	"hash"
	"regexp"
	"testing"
)

var lineEnd = regexp.MustCompile(`\r\n|\r|\n`)

func FuzzCRLF(f *testing.F) {
	for _, s := range []string{"", "\r", "\n", "\r\n", "a\rb\nc\r\nd", "\r\r\n\n", "\n\r\n\r"} {
		f.Add([]byte(s), 1)
	}
	f.Fuzz(func(t *testing.T, text []byte, chunk int) {
		want := lineEnd.ReplaceAll(text, []byte("\r\n"))
		h := md5.New()
		c := &crlfText{hashes: []hash.Hash{h}}
		chunk = max(1, chunk%8)
		for rest := text; len(rest) > 0; {
			n := min(chunk, len(rest))
			c.Write(rest[:n])
			rest = rest[n:]
		}
		c.finish()
		sum := md5.Sum(want)
		if c.n != int64(len(want)) || !bytes.Equal(h.Sum(nil), sum[:]) {
			t.Errorf("%q in chunks of %d: %d octets, want %d", text, chunk, c.n, len(want))
		}
	})
}
