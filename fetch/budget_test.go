package fetch_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
)

// A contacted is a Fetcher that contacts a server a number of times, and then has a
// body of n octets, announced or not.
type contacted struct {
	contacts int
	n        int64
	announce bool
	made     atomic.Int64 // contacts that were not refused
}

func (f *contacted) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	for range f.contacts {
		if err := driver.Contact(ctx, req, req.URL); err != nil {
			return nil, err
		}
		f.made.Add(1)
	}
	size := int64(-1)
	if f.announce {
		size = f.n
	}
	return &fetch.Response{URL: req.URL, Size: size, Body: io.NopCloser(io.LimitReader(zeros{}, f.n))}, nil
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func budgeted(b *fetch.Budget) *fetch.Request {
	req := request("http://h/p")
	req.Budget = b
	return req
}

func TestBudgetFetches(t *testing.T) {
	b := fetch.NewBudget(fetch.BudgetLimits{Fetches: 3})
	hop := &contacted{contacts: 2, n: 5}
	_, _, err := read(hop, budgeted(b))
	noError(t, err)
	// The second contact of the second fetch is one too many.
	_, _, err = read(hop, budgeted(b))
	if fetch.KindOf(err) != fetch.Deferred || errors.Is(err, fetch.TooLarge) {
		t.Errorf("got %v, want deferred", err)
	}
	if got, want := hop.made.Load(), int64(3); got != want {
		t.Errorf("got %d contacts, want %d", got, want)
	}
	if octets, fetches := b.Used(); octets != 5 || fetches != 3 {
		t.Errorf("got %d octets and %d fetches used, want 5 and 3", octets, fetches)
	}
	if got, want := b.Left(), (fetch.BudgetLimits{Octets: -1}); got != want {
		t.Errorf("got %v left, want %v", got, want)
	}
	// A fetch that contacts no server is free.
	if _, _, err := read(&contacted{n: 5}, budgeted(b)); err != nil {
		t.Error(err)
	}
}

func TestBudgetOctets(t *testing.T) {
	for _, c := range []struct {
		name     string
		n        int64 // octets of each body
		announce bool
		kinds    []fetch.Kind // of one body after the other, within 1000 octets
		contacts int64
	}{
		{"Fits", 1000, true, []fetch.Kind{0}, 1},
		{"Spent", 1000, false, []fetch.Kind{0, fetch.Deferred}, 1},
		{"TooLarge", 1001, false, []fetch.Kind{fetch.TooLarge}, 1},
		{"AnnouncedTooLarge", 1001, true, []fetch.Kind{fetch.TooLarge}, 1},
		{"Left", 600, false, []fetch.Kind{0, fetch.Deferred, fetch.Deferred}, 2},
		{"AnnouncedLeft", 600, true, []fetch.Kind{0, fetch.Deferred, fetch.Deferred}, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := fetch.NewBudget(fetch.BudgetLimits{Octets: 1000})
			f := &contacted{contacts: 1, n: c.n, announce: c.announce}
			for i, want := range c.kinds {
				data, _, err := read(f, budgeted(b))
				if got := fetch.KindOf(err); got != want {
					t.Errorf("body %d: got %v, want %v", i, err, want)
				}
				if err != nil && !errors.Is(err, fetch.TooLarge) {
					t.Errorf("body %d: got %v, want it to match too-large", i, err)
				}
				if err != nil && int64(len(data)) >= c.n {
					t.Errorf("body %d: got all %d octets, want fewer", i, len(data))
				}
			}
			if got := f.made.Load(); got != c.contacts {
				t.Errorf("got %d contacts, want %d", got, c.contacts)
			}
		})
	}
}

// MaxBytes bounds the decompressed octets; the budget is for the octets that were
// sent.
func TestBudgetWireOctets(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	io.CopyN(z, zeros{}, 100_000)
	z.Close()
	b := fetch.NewBudget(fetch.BudgetLimits{Octets: int64(packed.Len())})
	data, _, err := read(serve(coded(-1, "gzip"), &packed), budgeted(b))
	if err != nil || len(data) != 100_000 {
		t.Errorf("got %d octets, %v, want 100_000, nil", len(data), err)
	}
	if got := b.Left().Octets; got != 0 {
		t.Errorf("got %d octets left, want 0", got)
	}
}

func TestBudgetUntil(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := fetch.NewBudget(fetch.BudgetLimits{Until: time.Now().Add(time.Minute)})
		f := &contacted{contacts: 1, n: 10}
		resp, err := fetch.Do(t.Context(), f, budgeted(b))
		noError(t, err)
		defer resp.Body.Close()
		time.Sleep(time.Minute)
		_, _, err = read(f, budgeted(b))
		if fetch.KindOf(err) != fetch.Deferred || f.made.Load() != 1 {
			t.Errorf("got %v and %d contacts, want deferred and 1", err, f.made.Load())
		}
		// A body that is coming goes on.
		if data, err := io.ReadAll(resp.Body); err != nil || len(data) != 10 {
			t.Errorf("got %d octets, %v, want 10, nil", len(data), err)
		}
	})
}

func TestBudgetAnd(t *testing.T) {
	until := time.Now().Add(time.Hour)
	run := fetch.NewBudget(fetch.BudgetLimits{Fetches: 3, Until: until})
	message := func() *fetch.Budget { return fetch.NewBudget(fetch.BudgetLimits{Fetches: 2, Octets: 100}) }
	first, second := message(), message()
	f := &contacted{contacts: 1, n: 10}
	for i, c := range []struct {
		budget *fetch.Budget
		want   fetch.Kind
	}{
		{run.And(first), 0},
		{run.And(first), 0},
		{run.And(first), fetch.Deferred}, // by the message
		{second.And(run), 0},
		{second.And(run), fetch.Deferred}, // by the run
	} {
		if _, _, err := read(f, budgeted(c.budget)); fetch.KindOf(err) != c.want {
			t.Errorf("fetch %d: got %v, want %v", i, err, c.want)
		}
	}
	for _, c := range []struct {
		name            string
		budget          *fetch.Budget
		octets, fetches int64
		left            fetch.BudgetLimits
	}{
		{"Run", run, 30, 3, fetch.BudgetLimits{Octets: -1, Fetches: 0, Until: until}},
		{"First", first, 20, 2, fetch.BudgetLimits{Octets: 80, Fetches: 0}},
		{"Second", second, 10, 1, fetch.BudgetLimits{Octets: 90, Fetches: 1}},
		{"Both", second.And(run), 0, 0, fetch.BudgetLimits{Octets: 90, Fetches: 0, Until: until}},
		{"None", nil, 0, 0, fetch.BudgetLimits{Octets: -1, Fetches: -1}},
	} {
		if octets, fetches := c.budget.Used(); octets != c.octets || fetches != c.fetches {
			t.Errorf("%s: got %d octets and %d fetches used, want %d and %d", c.name, octets, fetches, c.octets, c.fetches)
		}
		if got := c.budget.Left(); got != c.left {
			t.Errorf("%s: got %v left, want %v", c.name, got, c.left)
		}
	}
	if got := run.And(nil); got != run {
		t.Errorf("And(nil): got %p, want the same Budget %p", got, run)
	}
	if got := (*fetch.Budget)(nil).And(run); got != run {
		t.Errorf("And of nil: got %p, want the same Budget %p", got, run)
	}
}

// Many bodies that come at the same time get no octet more than one after the
// other would, and no fetch.
func TestBudgetShared(t *testing.T) {
	const bodies, size, limit, fetches = 50, 10_000, 100_000, 30
	b := fetch.NewBudget(fetch.BudgetLimits{Octets: limit, Fetches: fetches})
	f := &contacted{contacts: 1, n: size}
	var given, whole atomic.Int64
	var wg sync.WaitGroup
	for range bodies {
		wg.Go(func() {
			resp, err := fetch.Do(t.Context(), f, budgeted(b.And(nil)))
			if err != nil {
				if fetch.KindOf(err) != fetch.Deferred {
					t.Error(err)
				}
				return
			}
			defer resp.Body.Close()
			n, err := io.CopyBuffer(struct{ io.Writer }{io.Discard}, resp.Body, make([]byte, 100))
			given.Add(n)
			switch {
			case err == nil:
				whole.Add(1)
			case fetch.KindOf(err) != fetch.Deferred:
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got := given.Load(); got > limit {
		t.Errorf("got %d octets, want at most %d", got, limit)
	}
	if got := whole.Load(); got > limit/size {
		t.Errorf("got %d whole bodies, want at most %d", got, limit/size)
	}
	if got := f.made.Load(); got > fetches {
		t.Errorf("got %d contacts, want at most %d", got, fetches)
	}
}

// A Gate is asked after the budget, and a contact that it refuses costs nothing.
func TestGate(t *testing.T) {
	b := fetch.NewBudget(fetch.BudgetLimits{Fetches: 1})
	req := budgeted(b)
	asked := 0
	refusal := error(fetch.Denied)
	driver.OfRequest(req).Gate = func(_ context.Context, _ *url.URL) error {
		asked++
		return refusal
	}
	f := &contacted{contacts: 1, n: 1}
	for i, want := range []fetch.Kind{fetch.Denied, 0, fetch.Deferred} {
		if _, _, err := read(f, req); fetch.KindOf(err) != want {
			t.Errorf("fetch %d: got %v, want %v", i, err, want)
		}
		refusal = nil
	}
	if asked != 2 || f.made.Load() != 1 {
		t.Errorf("got %d questions and %d contacts, want 2 and 1", asked, f.made.Load())
	}
}

// A budget that is spent while a Gate waits is spent, and a contact that is refused
// then is charged to no Budget.
func TestBudgetSpentAtGate(t *testing.T) {
	for _, first := range []bool{true, false} {
		run := fetch.NewBudget(fetch.BudgetLimits{Fetches: 1})
		message := fetch.NewBudget(fetch.BudgetLimits{Fetches: 5})
		b := message.And(run)
		if first {
			b = run.And(message)
		}
		req := budgeted(b)
		f := &contacted{contacts: 1, n: 1}
		driver.OfRequest(req).Gate = func(ctx context.Context, to *url.URL) error {
			return driver.Contact(ctx, budgeted(run), to)
		}
		if _, _, err := read(f, req); fetch.KindOf(err) != fetch.Deferred || f.made.Load() != 0 {
			t.Errorf("got %v and %d contacts, want deferred and none", err, f.made.Load())
		}
		if _, fetches := run.Used(); fetches != 1 {
			t.Errorf("got %d fetches of the run, want 1", fetches)
		}
		if _, fetches := message.Used(); fetches != 0 {
			t.Errorf("got %d fetches of the message, want 0", fetches)
		}
	}
}

func TestBudgetText(t *testing.T) {
	b := fetch.NewBudget(fetch.BudgetLimits{Octets: 3})
	_, _, err := read(&contacted{contacts: 1, n: 10}, budgeted(b))
	if want := "fetch http://h/p: too-large: not within what is left of the budget of 3 octets"; !strings.HasSuffix(err.Error(), want[len("fetch "):]) {
		t.Errorf("got %q, want %q", err, want)
	}
}

// A Budget that others use up while a request waits for its turn keeps it from making
// contact.
func TestBudgetUsedInTheMeantime(t *testing.T) {
	b := fetch.NewBudget(fetch.BudgetLimits{Octets: 4})
	other := &fetch.Request{URL: &url.URL{Scheme: "http", Host: "h.example"}, Budget: b}
	req := &fetch.Request{Budget: b}
	driver.OfRequest(req).Gate = func(ctx context.Context, _ *url.URL) error {
		resp, err := fetch.Do(ctx, &contacted{contacts: 1, n: 4}, other)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		_, err = io.ReadAll(resp.Body)
		return err
	}
	if err := driver.Contact(t.Context(), req, other.URL); fetch.KindOf(err) != fetch.Deferred {
		t.Errorf("got %v, want deferred", err)
	}
}
