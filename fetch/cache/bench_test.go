package cache_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/cache"
)

// zeros is a fetcher for bodies of n octets of pattern.
func zeros(n int64) fetch.Fetcher {
	return fetch.Func(func(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
		return &fetch.Response{URL: req.URL, Status: 200, Size: n, Body: io.NopCloser(io.LimitReader(new(pattern), n))}, nil
	})
}

// A pattern repeats patternText for ever.
type pattern struct{ at int }

func (r *pattern) Read(p []byte) (int, error) {
	for i := 0; i < len(p); {
		n := copy(p[i:], patternText[r.at:])
		i += n
		r.at = (r.at + n) % len(patternText)
	}
	return len(p), nil
}

const patternText = "0123456789abcdefghijklmnopqrstuvwxyz-0123456789abcdefghijklm-66"

// BenchmarkHit reads a body of 256 MiB: its file, the same file with its SHA-256, and the
// cache through Do. The octets of a hit are checked outside the clock.
func BenchmarkHit(b *testing.B) {
	const size = 256 << 20
	d, path := newDir(b, 4<<30)
	c := cache.New(zeros(size), d, nil)
	hit := func(w io.Writer) error {
		resp, err := fetch.Do(b.Context(), c, request(b, "http://h.example/a"))
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		_, err = io.Copy(w, resp.Body)
		return err
	}
	want, got := sha256.New(), sha256.New()
	io.CopyN(want, new(pattern), size)
	if hit(io.Discard); hit(got) != nil || !bytes.Equal(got.Sum(nil), want.Sum(nil)) {
		b.Fatal("a hit has other octets")
	}
	file := func(w io.Writer) error {
		f, err := os.Open(files(b, filepath.Join(path, "objects"))[0])
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = io.CopyBuffer(struct{ io.Writer }{w}, struct{ io.Reader }{f}, make([]byte, 128<<10))
		return err
	}
	for name, read := range map[string]func() error{
		"File":   func() error { return file(io.Discard) },
		"SHA256": func() error { return file(sha256.New()) },
		"Hit":    func() error { return hit(struct{ io.Writer }{io.Discard}) },
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(size)
			for b.Loop() {
				noError(b, read())
			}
		})
	}
}

// BenchmarkSmallHit is one of a thousand references to the same small image.
func BenchmarkSmallHit(b *testing.B) {
	for name, store := range stores(b, 1<<20) {
		b.Run(name, func(b *testing.B) {
			body := bytes.Repeat([]byte("x"), 4000)
			next := fetch.Func(func(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
				return &fetch.Response{URL: req.URL, Status: 200, Size: 4000, Body: io.NopCloser(bytes.NewReader(body))}, nil
			})
			c := cache.New(next, store, nil)
			b.ReportAllocs()
			for b.Loop() {
				if got, _, err := get(b.Context(), c, request(b, "http://h.example/a")); err != nil || got != string(body) {
					b.Fatalf("got %d octets, %v, want %d, nil", len(got), err, len(body))
				}
			}
		})
	}
}
