package rewrite_test

import (
	"context"
	"crypto/md5"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/rewrite"
)

// random returns n octets that nothing can learn.
func random(n int) string {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{1}).Read(b)
	return string(b)
}

// BenchmarkInline is of a binary body; beside it is what is the least that has
// to be done, its base64.
func BenchmarkInline(b *testing.B) {
	body := random(8 << 20)
	text := mixed(ref("x", "Content-Type: image/png\n"))
	b.Run("Inline", func(b *testing.B) {
		m := open(b, text)
		opts := &rewrite.InlineOptions{Resolver: &externalbody.Resolver{Fetcher: serve(body), NoDigest: true}, TempDir: b.TempDir()}
		b.SetBytes(int64(len(body)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := rewrite.Inline(context.Background(), io.Discard, m, opts); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("Base64", func(b *testing.B) {
		b.SetBytes(int64(len(body)))
		for b.Loop() {
			e := base64.NewEncoder(base64.StdEncoding, io.Discard)
			io.Copy(e, strings.NewReader(body))
			e.Close()
		}
	})
}

// BenchmarkIdentity is of a message with nothing to do.
func BenchmarkIdentity(b *testing.B) {
	m := open(b, mixed("Content-Type: x/y\n\n"+random(8<<20)))
	b.SetBytes(m.Reader().Size())
	b.ReportAllocs()
	for b.Loop() {
		if _, err := rewrite.Inline(context.Background(), io.Discard, m, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// discard is a Store that keeps nothing, but names what it gets by its SHA-256.
type discard struct{}

func (discard) Put(ctx context.Context, o *rewrite.Object) (string, error) {
	h := sha256.New()
	_, err := io.Copy(h, o.Body)
	return fmt.Sprintf("https://store.example/%x", h.Sum(nil)), err
}

// BenchmarkExternalize is of a base64 part, in octets of the message; beside it
// are the digests that have to be made, of the decoded octets.
func BenchmarkExternalize(b *testing.B) {
	body := random(8 << 20)
	enc := base64.StdEncoding.EncodeToString([]byte(body))
	var lines strings.Builder
	for ; enc != ""; enc = enc[min(76, len(enc)):] {
		lines.WriteString(enc[:min(76, len(enc))] + "\n")
	}
	b.Run("Externalize", func(b *testing.B) {
		m := open(b, mixed("Content-Type: x/y\nContent-Transfer-Encoding: base64\n\n"+lines.String()))
		b.SetBytes(m.Reader().Size())
		b.ReportAllocs()
		for b.Loop() {
			if _, err := rewrite.Externalize(context.Background(), io.Discard, m, &rewrite.ExternalizeOptions{Store: discard{}, MinSize: 1000}); err != nil {
				b.Fatal(err)
			}
		}
	})
	octets := []byte(body)
	b.Run("MD5", func(b *testing.B) {
		b.SetBytes(int64(len(octets)))
		for b.Loop() {
			md5.Sum(octets)
		}
	})
	b.Run("SHA256", func(b *testing.B) {
		b.SetBytes(int64(len(octets)))
		for b.Loop() {
			sha256.Sum256(octets)
		}
	})
}
