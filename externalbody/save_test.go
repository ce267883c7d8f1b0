package externalbody_test

import (
	"bytes"
	"context"
	"crypto/md5"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"mime/quotedprintable"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// TestBodyReaders: a Body is the same however it comes, is encoded and is read, with many at
// a time, and is held back to the verdict (IN-1, IN-2).
func TestBodyReaders(t *testing.T) {
	wraps := map[string]func(io.Reader) io.Reader{
		"Plain":   func(r io.Reader) io.Reader { return r },
		"Half":    iotest.HalfReader,
		"DataErr": iotest.DataErrReader,
		"Uneven":  uneven,
	}
	reads := map[string]func(*bytes.Buffer, *externalbody.Body) error{
		"Small":   func(dst *bytes.Buffer, b *externalbody.Body) error { return copyBody(dst, b, 1000) },
		"Large":   func(dst *bytes.Buffer, b *externalbody.Body) error { return copyBody(dst, b, 300<<10) },
		"Uneven":  func(dst *bytes.Buffer, b *externalbody.Body) error { return copyBody(dst, uneven(b), 300<<10) },
		"WriteTo": func(dst *bytes.Buffer, b *externalbody.Body) error { _, err := b.WriteTo(dst); return err },
		"Both": func(dst *bytes.Buffer, b *externalbody.Body) error {
			if _, err := io.CopyN(dst, struct{ io.Reader }{b}, 1); err != nil && err != io.EOF {
				return err
			}
			_, err := b.WriteTo(dst)
			return err
		},
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, procs := range []int{1, 2, 4} {
		runtime.GOMAXPROCS(procs)
		const chunk = 64 << 10
		for _, size := range []int{0, 1, 2, chunk - 1, chunk, chunk + 1, 2*chunk - 1, 2 * chunk, 2*chunk + 1, 5*chunk + 7, 12*chunk + 3} {
			want := make([]byte, size)
			rand.NewChaCha8([32]byte{1}).Read(want)
			var all sync.WaitGroup
			for _, encoding := range []string{"", "base64", "quoted-printable"} {
				text := encoded(want, encoding)
				for wrapName, wrap := range wraps {
					for readName, read := range reads {
						for _, good := range []bool{true, false} {
							sum, announced := md5.Sum(want), int64(len(text))
							if encoding != "" && (wrapName == "Half" || !good) {
								continue
							}
							if !good {
								sum[0]++
							}
							if wrapName == "Half" {
								announced = -1
							}
							b := resolveOctets(t, wrap(bytes.NewReader(text)), announced, "Content-Type: x/y\r\nContent-Transfer-Encoding: "+encoding+"\r\nContent-MD5: "+base64.StdEncoding.EncodeToString(sum[:]))
							name := fmt.Sprintf("%s %s of %d, %q, digest %v, %d processors", wrapName, readName, size, encoding, good, procs)
							all.Go(func() { checkBody(t, name, b, read, want, good) })
						}
					}
				}
			}
			all.Wait()
		}
	}
}

// checkBody reads b and compares it with want. good is false if b promises another digest.
func checkBody(t *testing.T, name string, b *externalbody.Body, read func(*bytes.Buffer, *externalbody.Body) error, want []byte, good bool) {
	defer b.Close()
	var got bytes.Buffer
	err := read(&got, b)
	sum, report := sha256.Sum256(want), b.Report()
	switch {
	case good && (err != nil || !bytes.Equal(got.Bytes(), want) || !bytes.Equal(report.SHA256, sum[:]) || report.Bytes != int64(len(want))):
		t.Errorf("%s: got %d octets, %v, SHA-256 %x of %d, want the body and its digest", name, got.Len(), err, report.SHA256, report.Bytes)
	case !good && (!errors.Is(err, fetch.DigestMismatch) || got.Len() >= max(1, len(want))):
		t.Errorf("%s: got %d octets, %v, want fewer, %v", name, got.Len(), err, fetch.DigestMismatch)
	}
	if n, again := b.Read(make([]byte, 1)); n > 0 || good && again != io.EOF || !good && again != err {
		t.Errorf("%s: got %d, %v once more, want 0, the first error %v", name, n, again, err)
	}
}

// encoded returns octets in a transfer encoding.
func encoded(b []byte, encoding string) []byte {
	switch encoding {
	case "base64":
		return []byte(base64Lines(b))
	case "quoted-printable":
		var q bytes.Buffer
		w := quotedprintable.NewWriter(&q)
		w.Binary = true
		w.Write(b)
		w.Close()
		return q.Bytes()
	}
	return b
}

// uneven returns a reader that returns pieces of many sizes.
func uneven(r io.Reader) io.Reader {
	rng := rand.New(rand.NewPCG(1, 2))
	return readerFunc(func(p []byte) (int, error) {
		n := 1 + rng.IntN(max(1, min(len(p), 1<<rng.IntN(18))))
		return r.Read(p[:min(n, len(p))])
	})
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// copyBody reads n octets at a time.
func copyBody(dst *bytes.Buffer, b io.Reader, n int) error {
	_, err := io.CopyBuffer(struct{ io.Writer }{dst}, struct{ io.Reader }{b}, make([]byte, n))
	return err
}

// resolveOctets returns a Body of the octets of a reader, announced with that size.
func resolveOctets(t *testing.T, r io.Reader, size int64, phantom string) *externalbody.Body {
	t.Helper()
	ref, err := externalbody.ReadRaw([]byte("Content-Type: message/external-body; access-type=URL; URL=\"https://a.example/x\"\r\n\r\n"), []byte(phantom+"\r\n\r\n"))
	must(t, err)
	f := fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
		return &fetch.Response{URL: req.URL, Size: size, Body: io.NopCloser(r)}, nil
	})
	b, err := (&externalbody.Resolver{Fetcher: f}).Resolve(t.Context(), ref)
	must(t, err)
	return b
}

// TestWriteFails: the error of a destination ends WriteTo and the Body.
func TestWriteFails(t *testing.T) {
	b := resolveOctets(t, strings.NewReader(strings.Repeat("x", 500_000)), -1, "Content-Type: x/y")
	defer b.Close()
	failed := errors.New("full")
	if _, err := b.WriteTo(writerFunc(func(p []byte) (int, error) { return 0, failed })); err != failed {
		t.Errorf("got %v, want %v", err, failed)
	}
	if n, err := b.Read(make([]byte, 10)); n > 0 || err != failed {
		t.Errorf("got %d, %v after the failure, want 0, %v", n, err, failed)
	}
}

// A body whose stored copy is damaged is fetched anew, once.
func TestSaveDamaged(t *testing.T) {
	ref := one(t, `message/external-body; access-type=URL; URL="https://a.example/x"`, "Content-Type: x/y\n\n")
	for damaged, want := range []error{nil, nil, fetch.ErrDamaged} {
		fetches := 0
		f := fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
			fetches++
			body := io.Reader(strings.NewReader("hello"))
			if fetches <= damaged {
				body = io.MultiReader(strings.NewReader("hex"), iotest.ErrReader(&fetch.Error{Kind: fetch.Local, Err: fetch.ErrDamaged}))
			}
			return &fetch.Response{URL: req.URL, Size: 5, Body: io.NopCloser(body)}, nil
		})
		var dst beginner
		_, err := (&externalbody.Resolver{Fetcher: f}).Save(t.Context(), []*externalbody.Reference{ref}, &dst)
		if !errors.Is(err, want) || want == nil && dst.String() != "hello" || fetches > 2 {
			t.Errorf("%d damaged: got %q, %v in %d fetches, want %v", damaged, dst.String(), err, fetches, want)
		}
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// A beginner is a Sink that records the arguments of Begin.
type beginner struct {
	strings.Builder
	begun []string
	err   error
}

func (b *beginner) Begin(r *externalbody.Report, size int64) error {
	b.begun = append(b.begun, r.Reference.Name+" "+r.MediaType)
	if b.Len() > 0 || size != int64(len("hello")) {
		b.begun = append(b.begun, "too late")
	}
	return b.err
}

func (b *beginner) Reset() error { b.Builder.Reset(); return nil }

// TestBegin: Begin is called for each body before its octets.
func TestBegin(t *testing.T) {
	var refs []*externalbody.Reference
	for _, name := range []string{"none", "other", "hello"} {
		refs = append(refs, one(t, `message/external-body; access-type=URL; URL="https://a.example/`+name+`.png"`, "Content-Type: image/png\nContent-MD5: "+md5sum(name)+"\n\n"))
	}
	r := &externalbody.Resolver{Fetcher: fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
		if req.URL.Path == "/none.png" {
			return nil, fetch.NotFound
		}
		return &fetch.Response{URL: req.URL, Size: 5, Body: io.NopCloser(strings.NewReader("hello"))}, nil
	})}
	var dst beginner
	if _, err := r.Save(t.Context(), refs, &dst); err != nil || dst.String() != "hello" || strings.Join(dst.begun, ", ") != "other.png image/png, hello.png image/png" {
		t.Errorf("got %v, %q, %q, want nil, %q", err, dst.String(), dst.begun, "hello")
	}
	dst = beginner{err: errors.New("full")}
	if _, err := r.Save(t.Context(), refs, &dst); fetch.KindOf(err) != fetch.Local || len(dst.begun) != 1 || dst.Len() > 0 {
		t.Errorf("got %v, %q, begun %q, want %v, nothing, once", err, dst.String(), dst.begun, fetch.Local)
	}
}

// A cutReader is a file that is cut off after it was opened.
type cutReader struct{ r io.ReaderAt }

func (c *cutReader) ReadAt(p []byte, off int64) (int, error) { return c.r.ReadAt(p, off) }

// A body within the message does not end where the file that holds it was cut off.
func TestBodyOfCutFile(t *testing.T) {
	for _, body := range []string{"8bit\n\nthe whole body\n", "quoted-printable\n\nthe=20whole=20body\n", "base64\n\ndGhlIHdob2xlIGJvZHkK\n"} {
		text := "Content-Type: multipart/mixed; boundary=b\n\n" +
			"--b\nContent-Type: message/external-body; access-type=content-id\n\nContent-Type: x/y\nContent-ID: <1@x>\n\n" +
			"--b\nContent-ID: <1@x>\nContent-Type: x/y\nContent-Transfer-Encoding: " + body
		begin := strings.LastIndex(text, "\n\n") + 2
		for cut := begin; cut < len(text); cut++ {
			src := &cutReader{strings.NewReader(text)}
			m, err := externalbody.Open(src, int64(len(text)), nil)
			must(t, err)
			for ref := range m.References() {
				new(externalbody.Resolver).Plan(ref) // reads all of it once
				src.r = strings.NewReader(text[:cut])
				if _, _, err := readBody(t, new(externalbody.Resolver), ref); fetch.KindOf(err) != fetch.Local {
					t.Errorf("%.6q cut off at %d of %d: got %v, want %v", body, cut-begin, len(text)-begin, err, fetch.Local)
				}
			}
		}
	}
}
