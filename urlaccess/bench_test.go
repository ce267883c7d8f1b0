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

func BenchmarkDecode(b *testing.B) {
	clean := benchURL(1 << 20)
	folded := strings.ReplaceAll(Encode(clean), " ", "\r\n\t")
	replacer := strings.NewReplacer(" ", "", "\t", "", "\r", "", "\n", "")
	for _, input := range []struct{ name, param string }{{"Clean", clean}, {"Folded", folded}} {
		b.Run(input.name+"/Decode", func(b *testing.B) {
			b.SetBytes(int64(len(input.param)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Decode(input.param); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(input.name+"/Replacer", func(b *testing.B) {
			b.SetBytes(int64(len(input.param)))
			b.ReportAllocs()
			for b.Loop() {
				replacer.Replace(input.param)
			}
		})
		b.Run(input.name+"/FieldsJoin", func(b *testing.B) {
			b.SetBytes(int64(len(input.param)))
			b.ReportAllocs()
			for b.Loop() {
				strings.Join(strings.Fields(input.param), "")
			}
		})
	}
}

func BenchmarkEncode(b *testing.B) {
	clean := benchURL(1 << 20)
	b.SetBytes(int64(len(clean)))
	b.ReportAllocs()
	for b.Loop() {
		Encode(clean)
	}
}
