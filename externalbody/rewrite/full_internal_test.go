package rewrite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// TestFullDisk: a body for which the temporary file has no room stays a reference,
// with an error of ours; the message is written, with the bodies that are small
// enough for none.
func TestFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_RDWR, 0)
	if err != nil {
		t.Skip("this system has no /dev/full")
	}
	if _, err := full.WriteAt([]byte("x"), 0); err == nil {
		t.Skip("/dev/full takes octets")
	}
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
	x.spool.file = full
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
	if x.spool.file, err = os.OpenFile("/dev/full", os.O_RDWR, 0); err != nil {
		t.Fatal(err)
	}
	if err := x.inline(t.Context(), m); err != nil {
		t.Error(err)
	}
	for _, i := range x.report.Items {
		if i.Action != Replaced {
			t.Errorf("into a file: got %v, %v, want %v", i.Action, i.Err, Replaced)
		}
	}
}
