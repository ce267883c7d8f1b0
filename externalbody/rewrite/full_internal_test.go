package rewrite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/internal/file/diskfull"
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

// TestFullDiskAsksNobody is OP-51: after a body for which the temporary file has no room no host is asked, also not
// for bodies that wait for their turns. Answers that have begun are read to their end.
func TestFullDiskAsksNobody(t *testing.T) {
	var asked atomic.Int64
	answered := make(chan bool)
	var full context.Context
	f := fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
		if strings.HasPrefix(req.URL.Host, "wait") {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		if err := driver.Contact(ctx, req, req.URL); err != nil {
			return nil, err
		}
		asked.Add(1)
		body := "full"
		switch req.URL.Host {
		case "0.example":
			<-answered
		case "1.example":
			close(answered)
			<-full.Done()
			body = "body"
		}
		return &fetch.Response{URL: req.URL, Size: -1, Body: io.NopCloser(strings.NewReader(body))}, nil
	})
	text := "Content-Type: multipart/mixed; boundary=b\r\n"
	for _, host := range []string{"0", "1", "wait2", "wait3", "4", "5", "wait6", "7"} {
		text += fmt.Sprintf("\r\n--b\r\nContent-Type: message/external-body; access-type=URL; URL=\"https://%s.example/\"\r\n\r\nContent-Type: image/png\r\n\r\n", host)
	}
	text += "\r\n--b--\r\n"
	m, err := externalbody.Open(strings.NewReader(text), int64(len(text)), nil)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	x := newInliner(t.Context(), m, &InlineOptions{Resolver: &externalbody.Resolver{Fetcher: f}, Notice: true})
	full = x.disk
	x.open = func() bodyStore { return &smallStore{} }
	if err := x.inline(t.Context(), &b, m); err != nil {
		t.Fatal(err)
	}
	if n := asked.Load(); n != 2 {
		t.Errorf("got %d requests, want those of the body without room and of the one that was on its way", n)
	}
	for n, i := range x.report.Items {
		switch {
		case n == 1 && (i.Action != Replaced || i.Err != nil):
			t.Errorf("on its way: got %v, %v, want %v", i.Action, i.Err, Replaced)
		case n != 1 && (i.Action != Failed || fetch.KindOf(i.Err) != fetch.Local || diskfull.Is(i.Err) != (n == 0)):
			t.Errorf("%d: got %v, %v, want %v, %v", n, i.Action, i.Err, Failed, fetch.Local)
		}
	}
}

// A smallStore has room for anything but "full".
type smallStore struct{ spool.Spool }

func (s *smallStore) Write(p []byte) (int, error) {
	if strings.HasPrefix(string(p), "f") {
		return 0, &spool.Error{Err: syscall.ENOSPC}
	}
	return s.Spool.Write(p)
}

// A fullStore is a spool on a full disk.
type fullStore struct{}

func (fullStore) Write([]byte) (int, error)         { return 0, &spool.Error{Err: syscall.ENOSPC} }
func (fullStore) ReadAt([]byte, int64) (int, error) { return 0, io.EOF }
func (fullStore) Reset() error                      { return nil }
