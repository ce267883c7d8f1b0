package rewrite_test

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/datafetch"
)

// A tally is a source, a Fetcher, a Store and a Sink, and counts the calls.
type tally struct {
	*strings.Reader
	octets atomic.Int64 // read from the message, or written to the sink
	calls  atomic.Int64 // of everything
}

func (y *tally) ReadAt(b []byte, off int64) (int, error) {
	n, err := y.Reader.ReadAt(b, off)
	y.octets.Add(int64(n))
	y.calls.Add(1)
	return n, err
}

func (y *tally) Write(b []byte) (int, error) {
	y.octets.Add(int64(len(b)))
	y.calls.Add(1)
	return len(b), nil
}

func (y *tally) Reset() error { return nil }

func (y *tally) Fetch(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
	y.calls.Add(1)
	return &fetch.Response{URL: req.URL, MediaType: req.MediaType, Size: 1, Body: io.NopCloser(strings.NewReader("x"))}, nil
}

func (y *tally) Put(_ context.Context, obj *rewrite.Object) (string, error) {
	y.calls.Add(1)
	n, err := io.Copy(io.Discard, obj.Body)
	y.octets.Add(n)
	return fmt.Sprintf("https://store.example/%d", y.calls.Load()), err
}

func (y *tally) resolver() *externalbody.Resolver {
	mux := &fetch.Mux{}
	mux.Handle("data", datafetch.New(nil))
	for _, scheme := range []string{"http", "https", "ftp"} {
		mux.Handle(scheme, y)
	}
	return &externalbody.Resolver{Fetcher: mux, MessageBudget: func(*externalbody.Message) *fetch.Budget { return nil }}
}

// works are the ways to read and rewrite a message.
var works = []struct {
	name string
	do   func(t *testing.T, y *tally, m *externalbody.Message)
}{
	{"List", func(t *testing.T, y *tally, m *externalbody.Message) {
		r := y.resolver()
		for ref := range m.References() {
			if p := r.Plan(ref); p.ID == "" {
				t.Error("got a Plan without an ID")
			}
			y.calls.Add(1)
		}
	}},
	{"ListSIP", func(t *testing.T, y *tally, m *externalbody.Message) {
		r := y.resolver()
		r.SIP = new(externalbody.SIP)
		for ref := range m.References() {
			r.Plan(ref)
		}
	}},
	{"Save", func(t *testing.T, y *tally, m *externalbody.Message) {
		r := y.resolver()
		for alts := range m.Alternatives() {
			r.Save(t.Context(), alts, y) // many of them are to fail
		}
	}},
	{"Inline", func(t *testing.T, y *tally, m *externalbody.Message) {
		_, err := rewrite.Inline(t.Context(), y, m, &rewrite.InlineOptions{Resolver: y.resolver(), Attach: true, TempDir: t.TempDir()})
		if err != nil {
			t.Error(err)
		}
	}},
	{"Externalize", func(t *testing.T, y *tally, m *externalbody.Message) {
		_, err := rewrite.Externalize(t.Context(), y, m, &rewrite.ExternalizeOptions{Store: y, MinSize: 1, Twin: true})
		if err != nil {
			t.Error(err)
		}
	}},
	{"Normalize", func(t *testing.T, y *tally, m *externalbody.Message) {
		if _, err := rewrite.Normalize(t.Context(), y, m, nil); err != nil {
			t.Error(err)
		}
	}},
}

// A cost is the time and memory of a work.
type cost struct{ octets, calls, allocated, allocations int64 }

func (c cost) minus(d cost) cost {
	return cost{c.octets - d.octets, c.calls - d.calls, c.allocated - d.allocated, c.allocations - d.allocations}
}

// costOf does a work with a message, opened anew, and returns the cost.
func costOf(t *testing.T, message string, do func(*testing.T, *tally, *externalbody.Message)) cost {
	y := &tally{Reader: strings.NewReader(message)}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	m, err := externalbody.Open(y, int64(len(message)), &externalbody.OpenOptions{
		Dialects: dialect.All(), MaxParts: -1, MaxReferences: 1 << 30, MaxHeaderBytes: 1 << 30,
	})
	if err != nil {
		t.Fatal(err)
	}
	do(t, y, m)
	runtime.ReadMemStats(&after)
	return cost{y.octets.Load(), y.calls.Load(), int64(after.TotalAlloc - before.TotalAlloc), int64(after.Mallocs - before.Mallocs)}
}

// TestCosts wants the cost of a message to grow as its length does, without the
// limits on parts, references and headers: the step from 4 to 16 units adds 4 times
// the cost of the step from 1 to 4, where a cost that grows as the square adds 16
// times as much.
func TestCosts(t *testing.T) {
	for _, kind := range costlies {
		small, middle, large := kind.make(2), kind.make(8), kind.make(32)
		for _, work := range works {
			t.Run(kind.name+"/"+work.name, func(t *testing.T) {
				// Memory that is allocated once, or kept in a pool, is there from before,
				// and no collection of garbage takes it away. The race detector drops some
				// of it, which is noise: growth is seen each time.
				defer debug.SetGCPercent(debug.SetGCPercent(-1))
				costOf(t, large, work.do)
				var excess []string
				for range 25 {
					first, second, third := costOf(t, small, work.do), costOf(t, middle, work.do), costOf(t, large, work.do)
					if excess = excessive(second.minus(first), third.minus(second)); excess == nil {
						return
					}
				}
				t.Error(strings.Join(excess, "; "))
			})
		}
	}
}

// excessive names the costs of the step from 4 to 16 units that are too high beside
// those for 1 to 4.
func excessive(low, high cost) []string {
	var excess []string
	for _, c := range []struct {
		of                string
		low, high, ignore int64
	}{
		{"octets", low.octets, high.octets, 512 << 10}, // a message of up to 256 KiB is read once, a longer one several times
		{"calls", low.calls, high.calls, 500},
		{"octets allocated", low.allocated, high.allocated, 1 << 20},
		{"allocations", low.allocations, high.allocations, 2_000},
	} {
		if c.high > c.ignore && c.high > 8*max(c.low, c.ignore/8) {
			excess = append(excess, fmt.Sprintf("%s: got %d more from 4 to 16 units, want at most 8 times the %d from 1 to 4", c.of, c.high, c.low))
		}
	}
	return excess
}

// TestCanceled ends the context in the middle of a message of many references or
// parts: only the work in progress is finished after that.
func TestCanceled(t *testing.T) {
	for _, kind := range costlies {
		switch kind.name {
		case "References", "ContentIDs", "CIDs", "CIDsOfDuplicates", "Links", "Attachments", "DataURLs":
		default:
			continue
		}
		t.Run(kind.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			message := kind.make(40)
			y := &tally{Reader: strings.NewReader(message)}
			m, err := externalbody.Open(y, int64(len(message)), &externalbody.OpenOptions{Dialects: dialect.All()})
			if err != nil {
				t.Fatal(err)
			}
			var asked atomic.Int64
			count := func() {
				if asked.Add(1) == 3 {
					cancel()
				}
			}
			if kind.name == "Attachments" {
				store := storeFunc(func(obj *rewrite.Object) error {
					count()
					_, err := y.Put(ctx, obj)
					return err
				})
				_, err = rewrite.Externalize(ctx, io.Discard, m, &rewrite.ExternalizeOptions{Store: store, MinSize: 1})
			} else {
				r := y.resolver()
				r.Approve = func(context.Context, *externalbody.Plan) error { count(); return nil }
				_, err = rewrite.Inline(ctx, io.Discard, m, &rewrite.InlineOptions{Resolver: r, Attach: true, TempDir: t.TempDir()})
			}
			if fetch.KindOf(err) != fetch.Canceled {
				t.Errorf("got error %v, want Kind %v", err, fetch.Canceled)
			}
			const most = 3 + 8
			if n := asked.Load(); n > most {
				t.Errorf("got %d bodies asked for, want at most %d", n, most)
			}
		})
	}
}
