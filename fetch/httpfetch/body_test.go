package httpfetch

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"testing"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/netguard"
)

// Close frees the context of the exchange, read to the end or not.
func TestBodyClose(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "hello") }))
	t.Cleanup(s.Close)
	f := New(&Options{Guard: &netguard.Guard{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}, AnyPort: true}})
	t.Cleanup(f.CloseIdleConnections)
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	for _, read := range []int64{0, 5, 6} {
		resp, err := f.Fetch(t.Context(), &fetch.Request{URL: u})
		if err != nil {
			t.Fatal(err)
		}
		io.CopyN(io.Discard, resp.Body, read)
		x := resp.Body.(*body).x
		if x.ctx.Err() != nil {
			t.Errorf("got the context ended with %v, want it in force until Close", context.Cause(x.ctx))
		}
		if err := resp.Body.Close(); err != nil {
			t.Errorf("got error %v of Close, want none", err)
		}
		if x.ctx.Err() == nil {
			t.Error("after Close: got the context in force, want it ended")
		}
	}
}

// Without Do, the reason for which the context ended is the error.
func TestBodyCanceled(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}))
	t.Cleanup(s.Close)
	f := New(&Options{Guard: &netguard.Guard{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}, AnyPort: true}})
	t.Cleanup(f.CloseIdleConnections)
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	resp, err := f.Fetch(ctx, &fetch.Request{URL: u})
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	why := errors.New("enough")
	cancel(why)
	if _, err := resp.Body.Read(make([]byte, 1)); err != why {
		t.Errorf("error is %v, want %v", err, why)
	}
}
