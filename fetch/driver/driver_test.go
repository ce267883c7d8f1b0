package driver_test

import (
	"errors"
	"io"
	"net/url"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
)

func TestRefusal(t *testing.T) {
	plain := errors.New("no")
	if got := driver.Refusal(fetch.Denied, plain); got.Kind != fetch.Denied || !errors.Is(got, plain) {
		t.Errorf("got %v, want denied", got)
	}
	if got := driver.Refusal(fetch.Denied, fetch.Expired); got.Kind != fetch.Expired {
		t.Errorf("got %v, want expired", got)
	}
}

func TestCutOff(t *testing.T) {
	if err := driver.CutOff(io.EOF); fetch.KindOf(err) != fetch.Truncated || !errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		t.Errorf("got %v, want truncated by an unexpected EOF", err)
	}
	err := driver.CutOff(&fetch.Error{Kind: fetch.Unavailable, Err: errors.New("reset")})
	if fetch.KindOf(err) != fetch.Truncated || errors.Is(err, fetch.Unavailable) || !strings.Contains(err.Error(), "reset") {
		t.Errorf("got %v, want truncated alone", err)
	}
}

// An inspected is a Fetcher of a protocol with answers of its own to some questions.
type inspected struct {
	driver.Layer
	closed bool
}

func (*inspected) Check(*fetch.Request) error              { return fetch.Blocked }
func (*inspected) AnonymousPassword(string) (string, bool) { return "joe@", true }
func (i *inspected) CloseIdleConnections()                 { i.closed = true }

// A Layer answers as the Fetcher does that it is around, and a Mux as the one for the scheme.
func TestLayer(t *testing.T) {
	mux := new(fetch.Mux)
	leaf := new(inspected)
	mux.Handle("own", driver.Layer{Next: leaf})
	mux.Handle("func", fetch.Func(nil))
	mux.Handle("bare", driver.Layer{})
	for scheme, want := range map[string]struct {
		kind  fetch.Kind
		audit fetch.Kind
		pass  string
		known bool
	}{
		"own":  {fetch.Blocked, 0, "joe@", true},
		"func": {0, 0, "", false},
		"bare": {0, 0, "", true},
		"none": {fetch.Blocked, fetch.Blocked, "", true},
	} {
		u := &url.URL{Scheme: scheme, Host: "h"}
		var mux driver.Inspector = mux // a Mux is an Inspector
		if err := mux.Check(&fetch.Request{URL: u}); fetch.KindOf(err) != want.kind {
			t.Errorf("%s: got %v of Check, want %v", scheme, err, want.kind)
		}
		if err := mux.Audit(&fetch.Response{URL: u}); fetch.KindOf(err) != want.audit {
			t.Errorf("%s: got %v of Audit, want %v", scheme, err, want.audit)
		}
		if got, known := mux.AnonymousPassword(scheme); got != want.pass || known != want.known {
			t.Errorf("%s: got the password %q, %t, want %q, %t", scheme, got, known, want.pass, want.known)
		}
	}
	if mux.CloseIdleConnections(); !leaf.closed {
		t.Error("got the idle connections kept, want them closed")
	}
	if _, err := (driver.Layer{}).Fetch(t.Context(), &fetch.Request{}); fetch.KindOf(err) != fetch.Unsupported {
		t.Errorf("got %v without a next Fetcher, want unsupported", err)
	}
	around := driver.Layer{Next: fetch.Func(nil)}
	if _, known := around.AnonymousPassword("ftp"); known || around.Check(nil) != nil || around.Audit(nil) != nil {
		t.Error("around a Func: got answers, want none")
	}
}
