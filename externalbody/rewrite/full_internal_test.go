package rewrite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
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
	x := newInliner(t.Context(), m, &InlineOptions{Resolver: &externalbody.Resolver{Fetcher: f}, Notice: true})
	x.open = func() bodyStore { return fullStore{} }
	if err := x.inline(t.Context(), &b, m); err != nil || b.String() != text {
		t.Errorf("got %v, %d octets, want %d", err, b.Len(), len(text))
	}
	for _, i := range x.report.Items {
		if i.Action != Failed || !errors.Is(i.Err, fetch.Local) || fetch.KindOf(i.Err) != fetch.Local {
			t.Errorf("got %v, %v, want %v, %v", i.Action, i.Err, Failed, fetch.Local)
		}
	}
}

// A fullStore is a spool on a full disk.
type fullStore struct{}

func (fullStore) Write([]byte) (int, error)         { return 0, &spool.Error{Err: syscall.ENOSPC} }
func (fullStore) ReadAt([]byte, int64) (int, error) { return 0, io.EOF }
func (fullStore) Reset() error                      { return nil }
