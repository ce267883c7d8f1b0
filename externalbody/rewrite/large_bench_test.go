package rewrite_test

import (
	"bufio"
	"context"
	"crypto/md5"
	"encoding/base64"
	"io"
	"math/rand/v2"
	"net/textproto"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/codec/base64x"
)

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

// beside runs what and its peer in turn, and reports how fast what is, in octets
// of the large file and as a multiple of the peer. Of each the fastest run
// counts: what else the disk does makes others slower, not faster.
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
	src, err := os.Open(d.src)
	if err != nil {
		return err
	}
	defer src.Close()
	w := bufio.NewWriterSize(dst, 32<<10)
	e := base64x.NewLineWriter(w)
	if _, err := io.CopyBuffer(struct{ io.Writer }{e}, struct{ io.Reader }{src}, make([]byte, 128<<10)); err != nil {
		return err
	}
	if err := e.Close(); err != nil {
		return err
	}
	return w.Flush()
}

// hash takes the MD5 of the file.
func (d *disk) hash(*os.File) error {
	src, err := os.Open(d.src)
	if err != nil {
		return err
	}
	defer src.Close()
	_, err = io.CopyBuffer(md5.New(), struct{ io.Reader }{src}, make([]byte, 128<<10))
	return err
}

// cat copies the file.
func (d *disk) cat(dst *os.File) error {
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
	b.Run("ContentMD5", func(b *testing.B) { d.beside(b, "md5", d.hash, inline(sum)) })
}

// BenchmarkIdentityLarge is of a large message with nothing to do, opened and
// written.
func BenchmarkIdentityLarge(b *testing.B) {
	d := newDisk(b)
	d.beside(b, "cat", d.cat, func(dst *os.File) error {
		src, err := os.Open(d.src)
		if err != nil {
			return err
		}
		defer src.Close()
		m, err := externalbody.Open(src, largeSize, nil)
		if err != nil {
			return err
		}
		_, err = rewrite.Inline(context.Background(), dst, m, nil)
		return err
	})
}
