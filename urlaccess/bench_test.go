package urlaccess

import (
	"encoding/base64"
	"math/rand/v2"
	"strings"
	"testing"
)

// benchURL returns a data: URL of about n octets that no branch predictor can
// learn.
func benchURL(n int) string {
	src := rand.NewChaCha8([32]byte{1})
	data := make([]byte, n/4*3)
	src.Read(data)
	return "data:application/octet-stream;base64," + base64.StdEncoding.EncodeToString(data)
}

func BenchmarkCodec(b *testing.B) {
	clean := benchURL(1 << 20)
	decode := func(param string) { Decode(param) }
	for _, bb := range []struct {
		name, text string
		run        func(string)
	}{
		{"DecodeClean", clean, decode},
		{"DecodeFolded", strings.ReplaceAll(Encode(clean), " ", "\r\n\t"), decode},
		{"Encode", clean, func(rawURL string) { Encode(rawURL) }},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.SetBytes(int64(len(bb.text)))
			b.ReportAllocs()
			for b.Loop() {
				bb.run(bb.text)
			}
		})
	}
}
