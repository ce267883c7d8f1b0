package rewrite_test

import (
	"bufio"
	"context"
	"crypto/md5"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"math/rand/v2"
	"net/textproto"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/codec/base64x"
)

// random returns n octets that nothing can learn.
func random(n int) string {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{1}).Read(b)
	return string(b)
}

// BenchmarkInline is of a binary body; beside it is the least work that has to be
// done, its base64.
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
		if _, err := rewrite.Inline(context.Background(), io.Discard, m, &rewrite.InlineOptions{Resolver: new(externalbody.Resolver)}); err != nil {
			b.Fatal(err)
		}
	}
}

// discard is a Store that keeps nothing, but names bodies by their SHA-256.
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
	b.Run("Externalize", func(b *testing.B) {
		m := open(b, mixed("Content-Type: x/y\nContent-Transfer-Encoding: base64\n\n"+asBase64(body, "\n")))
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

// largeSize is the size of the files of the large benchmarks. Their numbers hold
// for any size that is not small against the page cache.
const largeSize = 256 << 20

// A disk has a large file, and a place for another one.
type disk struct {
	b        *testing.B
	src, dst string
	md5      []byte // of src
}

func newDisk(b *testing.B) *disk {
	dir := b.TempDir()
	d := &disk{b: b, src: filepath.Join(dir, "src"), dst: filepath.Join(dir, "dst")}
	f, err := os.Create(d.src)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	h := md5.New()
	if _, err := io.CopyN(io.MultiWriter(f, h), rand.NewChaCha8([32]byte{1}), largeSize); err != nil {
		b.Fatal(err)
	}
	d.md5 = h.Sum(nil)
	return d
}

// Fetch implements fetch.Fetcher.
func (d *disk) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	f, err := os.Open(d.src)
	return &fetch.Response{URL: req.URL, Size: largeSize, Body: f, Header: make(textproto.MIMEHeader)}, err
}

// time returns how long write takes, with a new file, when the system has
// nothing else to write.
func (d *disk) time(write func(dst *os.File) error) time.Duration {
	os.Remove(d.dst)
	f, err := os.Create(d.dst)
	if err != nil {
		d.b.Fatal(err)
	}
	start := time.Now()
	err = write(f)
	took := time.Since(start)
	f.Sync()
	f.Close()
	if err != nil {
		d.b.Fatal(err)
	}
	return took
}

// beside runs what and its peer in turn, and reports the speed of what, in octets
// of the large file and as a multiple of the peer. Of each the fastest run counts:
// other work of the disk makes runs slower, not faster.
func (d *disk) beside(b *testing.B, peer string, run, what func(dst *os.File) error) {
	ours, theirs := time.Hour, time.Hour
	for b.Loop() {
		theirs = min(theirs, d.time(run))
		ours = min(ours, d.time(what))
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(largeSize/1e6/ours.Seconds(), "MB/s")
	b.ReportMetric(theirs.Seconds()/ours.Seconds(), "x-"+peer)
}

// base64 writes the file as base64, which is the least that has to be done.
func (d *disk) base64(dst *os.File) error {
	w := bufio.NewWriterSize(dst, 32<<10)
	e := base64x.NewLineWriter(w)
	if err := d.cat(e); err != nil {
		return err
	}
	if err := e.Close(); err != nil {
		return err
	}
	return w.Flush()
}

// cat copies the file.
func (d *disk) cat(dst io.Writer) error {
	src, err := os.Open(d.src)
	if err != nil {
		return err
	}
	defer src.Close()
	_, err = io.CopyBuffer(struct{ io.Writer }{dst}, struct{ io.Reader }{src}, make([]byte, 128<<10))
	return err
}

// BenchmarkInlineLarge is of a large binary body in a local file that goes to
// another one on the same disk.
func BenchmarkInlineLarge(b *testing.B) {
	d := newDisk(b)
	inline := func(phantom string) func(*os.File) error {
		m := open(b, mixed(ref("x", "Content-Type: image/png\n"+phantom)))
		opts := &rewrite.InlineOptions{
			Resolver: &externalbody.Resolver{Fetcher: d, MaxBytes: -1},
			TempDir:  filepath.Dir(d.dst),
		}
		return func(dst *os.File) error {
			report, err := rewrite.Inline(context.Background(), dst, m, opts)
			if err == nil {
				err = report.Items[0].Err
			}
			return err
		}
	}
	sum := "Content-MD5: " + base64.StdEncoding.EncodeToString(d.md5) + "\n"
	b.Run("NoMD5", func(b *testing.B) { d.beside(b, "base64", d.base64, inline("")) })
	b.Run("ContentMD5", func(b *testing.B) { d.beside(b, "md5", func(*os.File) error { return d.cat(md5.New()) }, inline(sum)) })
}

// BenchmarkIdentityLarge is of a large message with nothing to do, opened and
// written.
func BenchmarkIdentityLarge(b *testing.B) {
	d := newDisk(b)
	d.beside(b, "cat", func(dst *os.File) error { return d.cat(dst) }, func(dst *os.File) error {
		src, err := os.Open(d.src)
		if err != nil {
			return err
		}
		defer src.Close()
		m, err := externalbody.Open(src, largeSize, nil)
		if err != nil {
			return err
		}
		_, err = rewrite.Inline(context.Background(), dst, m, &rewrite.InlineOptions{Resolver: new(externalbody.Resolver)})
		return err
	})
}
