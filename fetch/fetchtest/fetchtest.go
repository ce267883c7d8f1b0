// Package fetchtest tests that a [fetch.Fetcher] keeps to the rules that
// package fetch states, so that every scheme behaves alike.
//
// A fetcher's own test calls [Run] with a [Harness], which serves objects over
// the fetcher's protocol:
//
//	func TestConformance(t *testing.T) {
//		fetchtest.Run(t, fetchtest.Harness{
//			Fetcher: httpfetch.New(&httpfetch.Options{Guard: fetchtest.Guard()}),
//			Serve:   serveHTTP,
//			At:      func(host string) *fetch.Request { return request("http://" + host + "/") },
//			Watches: true,
//		})
//	}
package fetchtest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"net/url"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"go.uber.org/goleak"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/netguard"
)

// A Harness serves objects to the Fetcher that is tested.
type Harness struct {
	// Fetcher is tested as it is and through fetch.Do.
	Fetcher fetch.Fetcher

	// Serve makes obj available, on loopback or without a network, and returns
	// the request for it. It returns nil if the protocol cannot behave as
	// obj.Fault describes; the tests that need that are then skipped. It ends
	// its servers in t.Cleanup, also while a faulty Fetcher keeps its connections open.
	Serve func(t *testing.T, obj Object) *fetch.Request

	// At returns a request whose URL has this host, a name that Guard knows. The Fetcher connects
	// through Guard then. It is nil if the Fetcher makes no connections.
	At func(host string) *fetch.Request

	// Contacts is how many contacts a fetch of an object has, if a Fetcher contacts several servers for one, such as
	// an API that leads to the octets. 0 means 1.
	Contacts int

	// Watches is set if the servers of Serve call Object.Left.
	Watches bool

	// Lose makes a body available as Serve does, with a strong validator, but the
	// connections that send it are lost: the first at octet cuts[0] of the body,
	// the next at cuts[1], and so on, until none are left. If changed is set, each
	// request finds another object of the same size. It is nil if the protocol
	// cannot go on within a body.
	Lose func(t *testing.T, body []byte, cuts []int, changed bool) *fetch.Request
}

// An Object is something to serve.
type Object struct {
	Body  []byte
	Fault Fault

	left chan<- struct{}
}

// Left tells the test that the Fetcher has closed its connection. A server of a Stalled object calls
// it then.
func (o Object) Left() {
	select {
	case o.left <- struct{}{}:
	default:
	}
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

// The names that Guard knows.
const (
	private = "private.example" // has an address that is not allowed
	nowhere = "nowhere.example" // is looked up until the context ends
)

// Guard returns a guard for the Fetcher of a Harness. It allows loopback, with all ports, and the names
// of the suite have the addresses that its tests need. All other names have the address 127.0.0.1.
func Guard() *netguard.Guard {
	return &netguard.Guard{
		Allow:    []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
		AnyPort:  true,
		Resolver: resolver{},
	}
}

type resolver struct{}

// LookupNetIP implements [netguard.Resolver].
func (resolver) LookupNetIP(ctx context.Context, _, host string) ([]netip.Addr, error) {
	switch host {
	case private + ".":
		return []netip.Addr{netip.MustParseAddr("10.0.0.1")}, nil
	case nowhere + ".":
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
}

// deadline bounds the test of a rule.
const deadline = 15 * time.Second

// Run runs the tests of the suite as subtests of t, one for each rule of package fetch. A rule whose
// test still runs after 15 seconds is broken, and the next one is tested. If the servers of the harness
// then do not end within another 15 seconds, Run panics with the name of the rule.
func Run(t *testing.T, h Harness) { run(t, h, deadline) }

func run(t *testing.T, h Harness, limit time.Duration) {
	for _, r := range rules {
		t.Run(r.name, func(t *testing.T) { r.run(t, h, limit) })
	}
}

// run tests the rule in a goroutine of its own, which is abandoned after limit.
func (r rule) run(t *testing.T, h Harness, limit time.Duration) {
	before := goleak.IgnoreCurrent()
	panics := time.AfterFunc(2*limit, func() {
		panic(fmt.Sprintf("fetchtest: %s: the servers of the harness have not ended. %s", r.name, r.why))
	})
	tt := &tester{test: t, h: h, why: r.why, limit: limit}
	// Cleanups run last in, first out: this one after the harness's.
	t.Cleanup(func() {
		panics.Stop()
		if c, ok := h.Fetcher.(driver.Inspector); ok {
			c.CloseIdleConnections()
		}
		if !tt.abandoned {
			verifyEnds(t, before)
		}
	})
	done := make(chan struct{})
	go func() {
		defer close(done)
		r.test(tt)
	}()
	select {
	case <-done:
		if tt.skipped != "" {
			t.Skip(tt.skipped)
		}
	case <-time.After(limit):
		tt.abandon(limit)
	}
}

// leakTime bounds the wait for the end of goroutines after the test of a rule: one that has done its work may still
// wait for a processor.
const leakTime = 5 * time.Second

// verifyEnds reports the goroutines that started since before and have not ended within leakTime.
func verifyEnds(t *testing.T, before goleak.Option) {
	limit := time.Now().Add(leakTime)
	for {
		err := goleak.Find(before) // sleeps meanwhile
		if err == nil {
			return
		}
		if time.Now().After(limit) {
			t.Error(err)
			return
		}
	}
}

// A rule is one promise of package fetch, and the explanation that a failing
// implementer gets.
type rule struct {
	name, why string
	test      func(*tester)
}

// A tester is the test of one rule. Its methods end the goroutine of the test if that was abandoned.
type tester struct {
	h       Harness
	why     string
	limit   time.Duration
	skipped string // why the test was skipped; "" if it was not

	mu        sync.Mutex
	test      *testing.T
	abandoned bool
}

// live returns the test, and the function that releases it.
func (t *tester) live() (test *testing.T, done func()) {
	t.mu.Lock()
	if t.abandoned {
		t.mu.Unlock()
		runtime.Goexit()
	}
	return t.test, t.mu.Unlock
}

// fail reports that the rule is broken.
func (t *tester) fail(format string, args ...any) {
	test, done := t.live()
	defer done()
	test.Helper()
	test.Errorf(format, args...)
	test.Logf("the rule: %s", t.why)
}

// fatal is fail, and ends the test.
func (t *tester) fatal(format string, args ...any) {
	t.fail(format, args...)
	runtime.Goexit()
}

// skip ends the test, which says nothing about the Fetcher.
func (t *tester) skip(why string) {
	t.skipped = why
	runtime.Goexit()
}

// abandon fails a test that does not end.
func (t *tester) abandon(limit time.Duration) {
	t.fail("still running after %v", limit)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.abandoned = true
}

func (t *tester) context() context.Context { return t.test.Context() }

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
	{"Ended", "With an ended context a Fetcher contacts nobody, also without Do.", (*tester).ended},
	{"CancelFetch", "When the context ends while Fetch waits for the server, Fetch returns.", (*tester).cancelFetch},
	{"CancelRead", "When the context ends, a Read that waits returns, and the error is Canceled.", (*tester).cancelRead},
	{"CloseEarly", "Close without reading to the end is allowed, frees everything, and ends later Reads.", (*tester).closeEarly},
	{"Concurrent", "Fetch may be called from several goroutines at once.", (*tester).concurrent},
	{"Request", "The Request is not modified.", (*tester).request},
	{"Forbidden", "What the guard refuses is Blocked, an error that matches fs.ErrPermission.", (*tester).forbidden},
	{"Private", "A name is judged by its addresses, and the one that was judged is dialed.", (*tester).private},
	{"Connect", "A connection that is not made is given up after Timeouts.Connect, as Unavailable.", (*tester).connect},
	{"Response", "Without an error there is a Response with a Body and a Size of at least -1, and with an error none.", (*tester).response},
	{"Phases", "The phases Connecting and Sending are reported with Request.Report, in this order.", (*tester).phases},
	{"Exchange", "Each contact is an Exchange, begun with driver.Begin. The one of the Body is driver.Response.Exchange.", (*tester).exchange},
	{"ExchangeFailed", "If Fetch fails, its Exchanges have ended, the last one with the Kind of the error.", (*tester).exchangeFailed},
	{"ExchangeClosed", "Close of the Body ends its Exchange, if that has not ended.", (*tester).exchangeClosed},
	{"Disconnect", "Close of a Body that was not read to its end closes the connection.", (*tester).disconnect},
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
	test, done := t.live()
	defer done()
	req := t.h.Serve(test, obj)
	if req == nil {
		t.skip("the harness cannot serve such an object")
	}
	return req
}

// lose returns the request for a body whose connections are lost, or skips the test.
func (t *tester) lose(body []byte, cuts []int, changed bool) *fetch.Request {
	if t.h.Lose == nil {
		t.skip("the protocol cannot go on within a body")
	}
	test, done := t.live()
	defer done()
	return t.h.Lose(test, body, cuts, changed)
}

// at returns the request for a host, or skips the test.
func (t *tester) at(host string) *fetch.Request {
	if t.h.At == nil {
		t.skip("the harness has no guard")
	}
	return t.h.At(host)
}

// contacts returns how many contacts a fetch has.
func (t *tester) contacts() int { return cmp.Or(t.h.Contacts, 1) }

// networked skips the test of a Fetcher that contacts nobody.
func (t *tester) networked() { t.serve(Object{Fault: Mute}) }

// fetch calls the Fetcher without Do, which would free the resources that it leaves open. The limits of the request
// are resolved, as a Fetcher expects them.
func (t *tester) fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	r := *req
	r.MaxBytes = fetch.DefaultMaxBytes
	r.MaxRedirects = fetch.DefaultMaxRedirects
	r.Timeouts = r.Timeouts.WithDefaults()
	return t.h.Fetcher.Fetch(ctx, &r)
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
	if !errors.Is(err, kind) || fetch.KindOf(err) != kind {
		t.fail("got error %v, want Kind %v", err, kind)
	}
}

func (t *tester) whole() {
	for _, n := range []int{0, 1, 2, 1000, 1<<20 + 7} {
		want := body(n)
		req := t.serve(Object{Body: want})
		resp, err := fetch.Do(t.context(), t.h.Fetcher, req)
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
	resp, err := fetch.Do(t.context(), t.h.Fetcher, t.serve(Object{Body: want}))
	if err != nil {
		t.fatal("got error %v, want none", err)
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
		got, err := t.get(t.context(), req)
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
	_, err := t.get(t.context(), t.serve(Object{Fault: Missing}))
	t.want(err, fetch.NotFound)
}

func (t *tester) cut() {
	for _, n := range []int{2, 1000, 200_000} {
		got, err := t.get(t.context(), t.serve(Object{Body: body(n), Fault: Cut}))
		t.want(err, fetch.Truncated)
		if len(got) > n/2 {
			t.fail("got %d octets of %d, want at most half", len(got), n)
		}
	}
}

func (t *tester) resume() {
	want := body(300_000)
	got, err := t.get(t.context(), t.lose(want, []int{100_000, 200_001, 299_999}, false))
	if err != nil || !bytes.Equal(got, want) {
		t.fail("got %d octets of %d, %v", len(got), len(want), err)
	}
}

func (t *tester) resumeChanged() {
	want := body(300_000)
	got, err := t.get(t.context(), t.lose(want, []int{100_000, 200_001}, true))
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
	_, err := t.get(t.context(), req)
	t.wantTimeout(err)
}

func (t *tester) wantTimeout(err error) {
	t.want(err, fetch.Unavailable)
	if e, ok := errors.AsType[*fetch.Error](err); !ok || !e.Timeout() {
		t.fail("got %v, want a time-out", err)
	}
}

func (t *tester) cancelBefore() {
	req := t.serve(Object{Body: body(10)})
	ctx, cancel := context.WithCancel(t.context())
	cancel()
	_, err := t.get(ctx, req)
	t.want(err, fetch.Canceled)
	if !errors.Is(err, context.Canceled) {
		t.fail("got %v, want it to match context.Canceled", err)
	}
}

func (t *tester) ended() {
	t.networked()
	ctx, cancel := context.WithCancel(t.context())
	cancel()
	resp, err := t.fetch(ctx, t.serve(Object{Body: body(10)}))
	if err == nil {
		t.fail("got no error, want one")
		resp.Body.Close()
	}
}

func (t *tester) cancelFetch() {
	req := t.serve(Object{Fault: Mute})
	ctx, cancel := context.WithCancel(t.context())
	time.AfterFunc(20*time.Millisecond, cancel)
	_, err := t.get(ctx, req)
	t.want(err, fetch.Canceled)
}

func (t *tester) cancelRead() {
	req := t.serve(Object{Body: body(1000), Fault: Stalled})
	ctx, cancel := context.WithCancel(t.context())
	defer cancel()
	resp, err := fetch.Do(ctx, t.h.Fetcher, req)
	if err != nil {
		t.fatal("got error %v, want none", err)
	}
	defer resp.Body.Close()
	if _, err := io.ReadFull(resp.Body, make([]byte, 100)); err != nil {
		t.fatal("got error %v, want none", err)
	}
	time.AfterFunc(20*time.Millisecond, cancel)
	_, err = io.ReadAll(resp.Body)
	t.want(err, fetch.Canceled)
}

func (t *tester) closeEarly() {
	for _, read := range []int{0, 1, 100} {
		resp, err := fetch.Do(t.context(), t.h.Fetcher, t.serve(Object{Body: body(1 << 20)}))
		if err != nil {
			t.fatal("got error %v, want none", err)
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
			got, err := t.get(t.context(), req)
			if err != nil || !bytes.Equal(got, want) {
				t.fail("got %d octets, %v, want %d, nil", len(got), err, len(want))
			}
		})
	}
	wg.Wait()
}

func (t *tester) request() {
	req := t.serve(Object{Body: body(10)})
	before := *req
	u := *req.URL
	before.URL = &u
	if _, err := t.get(t.context(), req); err != nil {
		t.fatal("got error %v, want none", err)
	}
	after := *req
	v := *req.URL
	after.URL = &v
	for _, r := range []*fetch.Request{&before, &after} {
		r.Credentials = nil
		r.CheckHop = nil
		r.Progress = nil
		r.Observe = nil
	}
	if !reflect.DeepEqual(before, after) {
		t.fail("got the request %+v afterwards, want %+v", after, before)
	}
}

func (t *tester) forbidden() {
	_, err := t.get(t.context(), t.serve(Object{Fault: Forbidden}))
	t.want(err, fetch.Blocked)
}

func (t *tester) private() {
	_, err := t.get(t.context(), t.at(private))
	t.want(err, fetch.Blocked)
}

func (t *tester) connect() {
	req := *t.at(nowhere)
	req.Timeouts.Connect = 50 * time.Millisecond
	_, err := t.get(t.context(), &req)
	t.wantTimeout(err)
}

func (t *tester) response() {
	ctx, cancel := context.WithCancel(t.context())
	defer cancel()
	resp, err := t.fetch(ctx, t.serve(Object{Fault: Missing}))
	if err == nil || resp != nil {
		t.fail("a missing object: got %+v, %v, want an error alone", resp, err)
	}
	if resp != nil && resp.Body != nil {
		resp.Body.Close()
	}
	resp, err = t.fetch(ctx, t.serve(Object{Body: body(10)}))
	opened := err == nil && resp != nil && resp.Body != nil
	if !opened || resp.Size < -1 {
		t.fail("got %+v, %v, want a Response with a Body and a Size of at least -1", resp, err)
	}
	if resp != nil && resp.Body != nil {
		resp.Body.Close()
	}
}

func (t *tester) phases() {
	t.networked()
	req := *t.serve(Object{Body: body(1000)})
	var got []fetch.Phase
	req.Progress = func(e fetch.Event) {
		if e.Phase == fetch.Connecting || e.Phase == fetch.Sending {
			got = append(got, e.Phase)
		}
	}
	if _, err := t.get(t.context(), &req); err != nil {
		t.fatal("got error %v, want none", err)
	}
	got = slices.Compact(got)
	if !slices.Equal(got, slices.Repeat([]fetch.Phase{fetch.Connecting, fetch.Sending}, t.contacts())) {
		t.fail("got the phases %q, want connecting and sending, for each contact", got)
	}
}

// observed returns a copy of req, and the Exchanges that have ended.
func observed(req *fetch.Request) (r *fetch.Request, seen func() []*fetch.Exchange) {
	var mu sync.Mutex
	var list []*fetch.Exchange
	c := *req
	c.Observe = func(x *fetch.Exchange) {
		mu.Lock()
		defer mu.Unlock()
		list = append(list, x)
	}
	return &c, func() []*fetch.Exchange {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(list)
	}
}

// last returns the last of these Exchanges. All have to be complete.
func (t *tester) last(seen []*fetch.Exchange) *fetch.Exchange {
	if len(seen) == 0 {
		t.fatal("got no Exchange that has ended, want one")
	}
	for _, x := range seen {
		named := x.Protocol != "" && x.URL != ""
		if !named || x.Started.IsZero() || x.Ended.Before(x.Started) {
			t.fail("got the Exchange %+v, want it complete", x)
		}
	}
	return seen[len(seen)-1]
}

func (t *tester) exchange() {
	t.networked()
	want := body(1000)
	req, seen := observed(t.serve(Object{Body: want}))
	got, err := t.get(t.context(), req)
	if err != nil || !bytes.Equal(got, want) {
		t.fatal("got %d octets, %v, want %d, nil", len(got), err, len(want))
	}
	x := t.last(seen())
	if x.Kind != 0 {
		t.fail("got an Exchange that failed with %v, %s, want none", x.Kind, x.Error)
	}
	if x.Content == nil || x.Content.Octets == 0 {
		t.fail("got an Exchange with the content %+v, want the octets of the Body", x.Content)
	}
}

func (t *tester) exchangeFailed() {
	t.networked()
	for _, fault := range []Fault{Missing, Mute} {
		req, seen := observed(t.serve(Object{Fault: fault}))
		req.Timeouts.FirstOctet = 50 * time.Millisecond
		_, err := t.get(t.context(), req)
		if err == nil {
			t.fatal("got no error, want one")
		}
		if x := t.last(seen()); x.Kind != fetch.KindOf(err) {
			t.fail("got an Exchange that ended as %v, %q, want %v", x.Kind, x.Error, fetch.KindOf(err))
		}
	}
}

func (t *tester) exchangeClosed() {
	t.networked()
	ctx, cancel := context.WithCancel(t.context())
	defer cancel()
	req, seen := observed(t.serve(Object{Body: body(1000), Fault: Stalled}))
	resp, err := t.fetch(ctx, req)
	if err != nil {
		t.fatal("got error %v, want none", err)
	}
	if err := resp.Body.Close(); err != nil {
		t.fail("got error %v of Close, want none", err)
	}
	if x := t.last(seen()); x.Kind == 0 {
		t.fail("got an Exchange without a Kind, want one that failed")
	}
}

func (t *tester) disconnect() {
	if !t.h.Watches {
		t.skip("the harness does not watch connections")
	}
	ctx, cancel := context.WithCancel(t.context())
	defer cancel() // after the connection was closed, or was not
	left := make(chan struct{}, 1)
	resp, err := t.fetch(ctx, t.serve(Object{Body: body(1000), Fault: Stalled, left: left}))
	if err != nil {
		t.fatal("got error %v, want none", err)
	}
	resp.Body.Close()
	select {
	case <-left:
	case <-time.After(t.limit / 2):
		t.fail("got a connection that is open after Close, want it closed")
	}
}

func (t *tester) contact() {
	req := *t.serve(Object{Body: body(1000)})
	t.networked()
	asked := 0
	want := t.contacts()
	req.Budget = fetch.NewBudget(fetch.BudgetLimits{Fetches: int64(want)})
	driver.OfRequest(&req).Gate = func(_ context.Context, to *url.URL) error {
		if to == nil || to.Scheme == "" {
			t.fail("got the URL %v to be contacted, want one with a scheme", to)
		}
		asked++
		return nil
	}
	if _, err := t.get(t.context(), &req); err != nil {
		t.fatal("got error %v, want none", err)
	}
	octets, fetches := req.Budget.Used()
	if octets != 1000 || fetches != int64(want) || asked != want {
		t.fail("%d octets and %d fetches were charged, and the gate asked %d times; want 1000, %d and %[4]d", octets, fetches, asked, want)
	}
	_, err := t.get(t.context(), &req)
	t.want(err, fetch.Deferred)
	if asked != want {
		t.fail("got %d calls of the gate, want %d: the budget is spent", asked, want)
	}
	mute := *t.serve(Object{Fault: Mute})
	driver.OfRequest(&mute).Gate = func(context.Context, *url.URL) error { return fetch.Deferred }
	mute.Timeouts.FirstOctet = 50 * time.Millisecond
	_, err = t.get(t.context(), &mute)
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
	_, err := t.get(t.context(), &r)
	e, ok := errors.AsType[*fetch.Error](err)
	if !ok {
		t.fail("got %T, want *fetch.Error", err)
		return
	}
	if bytes.Contains([]byte(e.Error()), []byte("s3cr3t")) {
		t.fail("got %v, want it without the query value", err)
	}
}
