// Package fetchtest tests that a [fetch.Fetcher] keeps to the rules that
// package fetch states, so that every scheme behaves alike.
//
// A fetcher's own test calls [Run] with a [Harness], which serves objects over
// the fetcher's protocol:
//
//	func TestConformance(t *testing.T) {
//		fetchtest.Run(t, fetchtest.Harness{
//			Fetcher: httpfetch.New(...),
//			Serve:   serveHTTP,
//		})
//	}
package fetchtest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/url"
	"reflect"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"go.uber.org/goleak"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
)

// A Harness serves objects to the Fetcher that is tested.
type Harness struct {
	// Fetcher is tested as it is and through [fetch.Do].
	Fetcher fetch.Fetcher

	// Serve makes obj available, on loopback or without a network, and returns
	// the request for it. It returns nil if the protocol cannot behave as
	// obj.Fault describes; the tests that need that are then skipped. It ends
	// its servers in t.Cleanup.
	Serve func(t *testing.T, obj Object) *fetch.Request

	// Lose makes a body available as Serve does, with a strong validator, but
	// the connections that send it are lost: the first at octet cuts[0] of the
	// body, the next at cuts[1], and so on, until none are left. If changed is
	// set, each request finds another object of the same size. nil if the
	// protocol cannot go on within a body.
	Lose func(t *testing.T, body []byte, cuts []int, changed bool) *fetch.Request
}

// An Object is something to serve.
type Object struct {
	Body  []byte
	Fault Fault
}

// A Fault is a fault of an Object or its server.
type Fault uint8

const (
	Good      Fault = iota // nothing: the body is served whole
	Missing                // the object does not exist
	Cut                    // the connection ends after half of the body, though the protocol promised the rest
	Stalled                // nothing more comes after half of the body
	Mute                   // the server accepts the connection and never sends anything
	Forbidden              // the address guard must not let the request through
)

// Run runs the tests of the suite as subtests of t.
func Run(t *testing.T, h Harness) {
	for _, r := range rules {
		t.Run(r.name, func(t *testing.T) {
			before := goleak.IgnoreCurrent()
			// Cleanups run last in, first out: this one after the harness's.
			t.Cleanup(func() {
				if c, ok := h.Fetcher.(driver.Inspector); ok {
					c.CloseIdleConnections()
				}
				goleak.VerifyNone(t, before)
			})
			explain := func(format string, args ...any) {
				t.Helper()
				t.Errorf(format, args...)
				t.Logf("the rule: %s", r.why)
			}
			r.test(&tester{T: t, h: h, fail: explain})
		})
	}
}

// A rule is one promise of package fetch, and the explanation that a failing
// implementer gets.
type rule struct {
	name, why string
	test      func(*tester)
}

type tester struct {
	*testing.T
	h    Harness
	fail func(format string, args ...any)
}

var rules = []rule{
	{"Whole", "The body comes octet for octet, and Size is its length or -1.", (*tester).whole},
	{"Reader", "The body is a good io.Reader with buffers of any size.", (*tester).reader},
	{"MaxBytes", "A body of exactly MaxBytes passes, a longer one is TooLarge.", (*tester).maxBytes},
	{"Missing", "An object that is not there is NotFound, an error that matches fs.ErrNotExist.", (*tester).missing},
	{"Cut", "A body that ends early is Truncated and never reports io.EOF; its last octet is not given out.", (*tester).cut},
	{"Resume", "A body whose connection is lost goes on where the server has the same object still, octet for octet.", (*tester).resume},
	{"ResumeChanged", "A body whose connection is lost does not go on in another object: it is Truncated.", (*tester).resumeChanged},
	{"Stall", "A body that stalls is given up after Timeouts.Stall, as Unavailable.", (*tester).stall},
	{"Mute", "A server that says nothing is given up after Timeouts.FirstOctet, as Unavailable.", (*tester).mute},
	{"CancelBefore", "With an ended context nothing is fetched, and the error is Canceled.", (*tester).cancelBefore},
	{"CancelFetch", "When the context ends while Fetch waits for the server, Fetch returns.", (*tester).cancelFetch},
	{"CancelRead", "When the context ends, a Read that waits returns, and the error is Canceled.", (*tester).cancelRead},
	{"CloseEarly", "Close without reading to the end is allowed, frees everything, and ends later Reads.", (*tester).closeEarly},
	{"Concurrent", "Fetch may be called from several goroutines at once.", (*tester).concurrent},
	{"Request", "The Request is not modified.", (*tester).request},
	{"Forbidden", "What the guard refuses is Blocked, an error that matches fs.ErrPermission.", (*tester).forbidden},
	{"Contact", "Request.Contact is called before each contact, and its error ends the fetch before anybody is contacted.", (*tester).contact},
	{"NoSecrets", "Errors are *fetch.Error, and their texts hold no query value and no password.", (*tester).noSecrets},
}

// body returns n octets without a pattern that repeats.
func body(n int) []byte {
	b := make([]byte, n)
	x := uint32(1)
	for i := range b {
		x = x*1664525 + 1013904223
		b[i] = byte(x >> 24)
	}
	return b
}

// serve returns the request for obj, or skips the test.
func (t *tester) serve(obj Object) *fetch.Request {
	t.Helper()
	req := t.h.Serve(t.T, obj)
	if req == nil {
		t.Skip("the harness cannot serve such an object")
	}
	return req
}

func (t *tester) get(ctx context.Context, req *fetch.Request) ([]byte, error) {
	resp, err := fetch.Do(ctx, t.h.Fetcher, req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	return io.ReadAll(resp.Body)
}

func (t *tester) want(err error, kind fetch.Kind) {
	t.Helper()
	if !errors.Is(err, kind) || fetch.KindOf(err) != kind {
		t.fail("got error %v, want Kind %v", err, kind)
	}
}

func (t *tester) whole() {
	for _, n := range []int{0, 1, 2, 1000, 1<<20 + 7} {
		want := body(n)
		req := t.serve(Object{Body: want})
		resp, err := fetch.Do(t.Context(), t.h.Fetcher, req)
		if err != nil {
			t.fail("%d octets: got error %v, want none", n, err)
			continue
		}
		if resp.Size != -1 && resp.Size != int64(n) {
			t.fail("%d octets: got Size %d, want %d or -1", n, resp.Size, n)
		}
		if resp.URL == nil {
			t.fail("%d octets: got no URL, want one", n)
		}
		got, err := io.ReadAll(resp.Body)
		if err != nil || !bytes.Equal(got, want) {
			t.fail("%d octets: got %d, %v, want all, nil", n, len(got), err)
		}
		if err := resp.Body.Close(); err != nil {
			t.fail("%d octets: got error %v of Close, want none", n, err)
		}
	}
}

func (t *tester) reader() {
	want := body(4321)
	resp, err := fetch.Do(t.Context(), t.h.Fetcher, t.serve(Object{Body: want}))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if err := iotest.TestReader(resp.Body, want); err != nil {
		t.fail("got %v, want a good reader", err)
	}
}

func (t *tester) maxBytes() {
	want := body(5000)
	for _, c := range []struct {
		limit int64
		ok    bool
	}{{5000, true}, {5001, true}, {-1, true}, {4999, false}, {1, false}} {
		req := t.serve(Object{Body: want})
		req.MaxBytes = c.limit
		got, err := t.get(t.Context(), req)
		switch {
		case c.ok && (err != nil || len(got) != len(want)):
			t.fail("limit %d: got %d octets, %v, want %d, nil", c.limit, len(got), err, len(want))
		case !c.ok:
			t.want(err, fetch.TooLarge)
			if int64(len(got)) >= c.limit && len(got) > 0 {
				t.fail("limit %d: got %d octets, want fewer than the limit", c.limit, len(got))
			}
		}
	}
}

func (t *tester) missing() {
	_, err := t.get(t.Context(), t.serve(Object{Fault: Missing}))
	t.want(err, fetch.NotFound)
}

func (t *tester) cut() {
	for _, n := range []int{2, 1000, 200_000} {
		got, err := t.get(t.Context(), t.serve(Object{Body: body(n), Fault: Cut}))
		t.want(err, fetch.Truncated)
		if len(got) > n/2 {
			t.fail("got %d octets of %d, want at most half", len(got), n)
		}
	}
}

func (t *tester) resume() {
	if t.h.Lose == nil {
		t.Skip("the protocol cannot go on within a body")
	}
	want := body(300_000)
	got, err := t.get(t.Context(), t.h.Lose(t.T, want, []int{100_000, 200_001, 299_999}, false))
	if err != nil || !bytes.Equal(got, want) {
		t.fail("got %d octets of %d, %v", len(got), len(want), err)
	}
}

func (t *tester) resumeChanged() {
	if t.h.Lose == nil {
		t.Skip("the protocol cannot go on within a body")
	}
	want := body(300_000)
	got, err := t.get(t.Context(), t.h.Lose(t.T, want, []int{100_000, 200_001}, true))
	t.want(err, fetch.Truncated)
	if len(got) > 100_000 || !bytes.Equal(got, want[:len(got)]) {
		t.fail("got %d octets, want at most the 100000 before the loss", len(got))
	}
}

func (t *tester) stall() {
	t.givesUp(Stalled, fetch.Timeouts{Stall: 50 * time.Millisecond})
}

func (t *tester) mute() {
	t.givesUp(Mute, fetch.Timeouts{FirstOctet: 50 * time.Millisecond})
}

func (t *tester) givesUp(fault Fault, limits fetch.Timeouts) {
	req := t.serve(Object{Body: body(1000), Fault: fault})
	req.Timeouts = limits
	_, err := t.get(t.Context(), req)
	t.want(err, fetch.Unavailable)
	if e, ok := errors.AsType[*fetch.Error](err); !ok || !e.Timeout() {
		t.fail("got %v, want a time-out", err)
	}
}

func (t *tester) cancelBefore() {
	req := t.serve(Object{Body: body(10)})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := t.get(ctx, req)
	t.want(err, fetch.Canceled)
	if !errors.Is(err, context.Canceled) {
		t.fail("got %v, want it to match context.Canceled", err)
	}
}

func (t *tester) cancelFetch() {
	req := t.serve(Object{Fault: Mute})
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	_, err := t.get(ctx, req)
	t.want(err, fetch.Canceled)
}

func (t *tester) cancelRead() {
	req := t.serve(Object{Body: body(1000), Fault: Stalled})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	resp, err := fetch.Do(ctx, t.h.Fetcher, req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if _, err := io.ReadFull(resp.Body, make([]byte, 100)); err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(20*time.Millisecond, cancel)
	_, err = io.ReadAll(resp.Body)
	t.want(err, fetch.Canceled)
}

func (t *tester) closeEarly() {
	for _, read := range []int{0, 1, 100} {
		resp, err := fetch.Do(t.Context(), t.h.Fetcher, t.serve(Object{Body: body(1 << 20)}))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(resp.Body, make([]byte, read)); err != nil {
			t.fail("%d octets read: got error %v, want none", read, err)
		}
		if err := resp.Body.Close(); err != nil {
			t.fail("%d octets read: got error %v of Close, want none", read, err)
		}
		if n, err := resp.Body.Read(make([]byte, 10)); n > 0 || err == nil || err == io.EOF {
			t.fail("%d octets read: got %d octets, %v after Close, want none and an error", read, n, err)
		}
	}
}

func (t *tester) concurrent() {
	want := body(100_000)
	req := t.serve(Object{Body: want})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			got, err := t.get(t.Context(), req)
			if err != nil || !bytes.Equal(got, want) {
				t.fail("got %d octets, %v, want %d, nil", len(got), err, len(want))
			}
		})
	}
	wg.Wait()
}

func (t *tester) request() {
	req := t.serve(Object{Body: body(10)})
	before, u := *req, *req.URL
	before.URL = &u
	if _, err := t.get(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	after, v := *req, *req.URL
	after.URL = &v
	for _, r := range []*fetch.Request{&before, &after} {
		r.Credentials, r.CheckHop, r.Progress, r.Observe = nil, nil, nil, nil
	}
	if !reflect.DeepEqual(before, after) {
		t.fail("got the request %+v afterwards, want %+v", after, before)
	}
}

func (t *tester) forbidden() {
	_, err := t.get(t.Context(), t.serve(Object{Fault: Forbidden}))
	t.want(err, fetch.Blocked)
}

func (t *tester) contact() {
	req := *t.serve(Object{Body: body(1000)})
	t.serve(Object{Fault: Mute}) // skips the test for fetchers without a network
	asked := 0
	req.Budget = fetch.NewBudget(fetch.BudgetLimits{Fetches: 1})
	req.Gate = func(_ context.Context, to *url.URL) error {
		if to == nil || to.Scheme == "" {
			t.fail("got the URL %v to be contacted, want one with a scheme", to)
		}
		asked++
		return nil
	}
	if _, err := t.get(t.Context(), &req); err != nil {
		t.Fatal(err)
	}
	octets, fetches := req.Budget.Used()
	if octets != 1000 || fetches != 1 || asked != 1 {
		t.fail("%d octets and %d fetches were charged, and the gate asked %d times; want 1000, 1 and 1", octets, fetches, asked)
	}
	_, err := t.get(t.Context(), &req)
	t.want(err, fetch.Deferred)
	if asked != 1 {
		t.fail("got %d calls of the gate, want 1: the budget is spent", asked)
	}
	mute := *t.serve(Object{Fault: Mute})
	mute.Gate = func(context.Context, *url.URL) error { return fetch.Deferred }
	mute.Timeouts.FirstOctet = 50 * time.Millisecond
	_, err = t.get(t.Context(), &mute)
	t.want(err, fetch.Deferred) // and not Unavailable, after the time-out
}

func (t *tester) noSecrets() {
	req := t.serve(Object{Fault: Missing})
	u := *req.URL
	if u.Opaque == "" {
		u.RawQuery = url.Values{"token": {"s3cr3t"}}.Encode()
	}
	r := *req
	r.URL = &u
	_, err := t.get(t.Context(), &r)
	e, ok := errors.AsType[*fetch.Error](err)
	if !ok {
		t.fail("got %T, want *fetch.Error", err)
		return
	}
	if bytes.Contains([]byte(e.Error()), []byte("s3cr3t")) {
		t.fail("got %v, want it without the query value", err)
	}
}
