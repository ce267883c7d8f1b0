package rewrite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/file/spool"
)

// TestFullDisk: a body for which the temporary file has no room stays a reference,
// with an error of ours; the message is written, with the bodies that are small
// enough for none.
func TestFullDisk(t *testing.T) {
	f := fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
		return &fetch.Response{URL: req.URL, Size: -1, Body: io.NopCloser(strings.NewReader(strings.Repeat("\x00", 100_000)))}, nil
	})
	text := "Content-Type: multipart/mixed; boundary=b\r\n"
	for i := range 6 {
		text += fmt.Sprintf("\r\n--b\r\nContent-Type: message/external-body; access-type=URL; URL=\"https://%d.example/\"\r\n\r\nContent-Type: image/png\r\n\r\n", i)
	}
	text += "\r\n--b--\r\n"
	m, err := externalbody.Open(strings.NewReader(text), int64(len(text)), nil)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	x := newInliner(t.Context(), &b, m, &InlineOptions{Resolver: &externalbody.Resolver{Fetcher: f}, Notice: true})
	x.open = func() bodyStore { return fullStore{} }
	if err := x.inline(t.Context(), m); err != nil || b.String() != text {
		t.Errorf("got %v, %d octets, want %d", err, b.Len(), len(text))
	}
	for _, i := range x.report.Items {
		if i.Action != Failed || !errors.Is(i.Err, fetch.Local) || fetch.KindOf(i.Err) != fetch.Local {
			t.Errorf("got %v, %v, want %v, %v", i.Action, i.Err, Failed, fetch.Local)
		}
	}
	// Into a file they need no other one.
	dst, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer dst.Close()
	x = newInliner(t.Context(), dst, m, &InlineOptions{Resolver: &externalbody.Resolver{Fetcher: f}})
	x.open = func() bodyStore { return fullStore{} }
	if err := x.inline(t.Context(), m); err != nil {
		t.Error(err)
	}
	for _, i := range x.report.Items {
		if i.Action != Replaced {
			t.Errorf("into a file: got %v, %v, want %v", i.Action, i.Err, Replaced)
		}
	}
}

// A fullStore is a spool on a full disk.
type fullStore struct{}

func (fullStore) Write([]byte) (int, error)         { return 0, &spool.Error{Err: syscall.ENOSPC} }
func (fullStore) ReadAt([]byte, int64) (int, error) { return 0, io.EOF }
func (fullStore) Reset() error                      { return nil }

// A fullFile has room for some octets.
type fullFile struct {
	*os.File
	room int64
}

func (f *fullFile) Write(p []byte) (int, error) {
	at, err := f.Seek(0, io.SeekCurrent)
	if err != nil {
		return 0, err
	}
	if int64(len(p)) > f.room-at {
		n, _ := f.File.Write(p[:max(0, f.room-at)])
		return n, syscall.ENOSPC
	}
	return f.File.Write(p)
}

// TestFullOutput: a body that goes straight into the output, and for which the disk has
// no room, stays a reference, whichever octet of it the disk lacks room for.
func TestFullOutput(t *testing.T) {
	body := strings.Repeat("\x00", 50_000)
	f := fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
		return &fetch.Response{URL: req.URL, Size: -1, Body: io.NopCloser(strings.NewReader(body))}, nil
	})
	const text = "A: b\r\nContent-Type: message/external-body; access-type=URL; URL=\"https://a.example/\"\r\n\r\nContent-Type: image/png\r\n\r\n"
	m, err := externalbody.Open(strings.NewReader(text), int64(len(text)), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, room := range []int64{int64(len(text)), 1000, 40_000, 65_536, 68_000} {
		dst, err := os.CreateTemp(t.TempDir(), "")
		if err != nil {
			t.Fatal(err)
		}
		defer dst.Close()
		report, err := Inline(t.Context(), &fullFile{dst, room}, m, &InlineOptions{Resolver: &externalbody.Resolver{Fetcher: f}})
		got, _ := os.ReadFile(dst.Name())
		if err != nil || string(got) != text {
			t.Errorf("room for %d: got %v, %d octets, want the message as it was", room, err, len(got))
			continue
		}
		if i := report.Items[0]; i.Action != Failed || fetch.KindOf(i.Err) != fetch.Local {
			t.Errorf("room for %d: got %v, %v, want %v, %v", room, i.Action, i.Err, Failed, fetch.Local)
		}
	}
}
