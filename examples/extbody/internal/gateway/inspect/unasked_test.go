package inspect

import (
	"context"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/throttle"
)

// A verdict needs an answer of the host to this request: a reference for which no host was asked is pending,
// and is asked for later (OP-49).
func TestUnasked(t *testing.T) {
	in := func(d time.Duration) time.Time { return time.Now().Add(d) }
	for _, c := range []struct {
		name    string
		err     func() error
		want    Verdict
		untried bool
	}{
		{"AskedByAnother", func() error { return &fetch.Error{Kind: fetch.Deferred, After: in(time.Minute)} }, Pending, true},
		{"NoTurn", func() error { return &fetch.Error{Kind: fetch.Deferred, Err: throttle.ErrTurn} }, Pending, true},
		{"Budget", func() error { return fetch.Deferred }, Pending, false},
		{"Ours", func() error { return &fetch.Error{Kind: fetch.Local} }, Pending, false},
		{"Damaged", func() error { return &fetch.Error{Kind: fetch.Local, Err: fetch.ErrDamaged} }, Pending, false},
		{"Refused", func() error {
			return &fetch.Error{Kind: fetch.Deferred, Err: throttle.ErrRefused, After: in(time.Minute)}
		}, Unavailable, false},
		{"Answered", func() error { return &fetch.Error{Kind: fetch.Unavailable, After: in(time.Minute)} }, Unavailable, false},
		{"Gone", func() error { return &fetch.Error{Kind: fetch.NotFound} }, Unavailable, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			inspector := newInspector(t, new(web), nil, PoolOptions{})
			inspector.Resolver = answering(func(context.Context, *fetch.Request) (*fetch.Response, error) { return nil, c.err() })
			rep := inspector.Inspect(t.Context(), refers("a.example"))
			if rep.Verdict != c.want || rep.Untried() != c.untried {
				t.Errorf("got %s, untried %t, want %s, %t", rep.Verdict, rep.Untried(), c.want, c.untried)
			}
		})
	}
}

// A busy is a host of whom links that start with /busy get 429 with a Retry-After, and which has a body for others.
func busy(after time.Duration) func(context.Context, *fetch.Request) (*fetch.Response, error) {
	return func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
		if err := driver.Contact(ctx, req, req.URL); err != nil {
			return nil, err
		}
		if strings.HasPrefix(req.URL.Path, "/busy") {
			return nil, &fetch.Error{Kind: fetch.Unavailable, Err: tooMany{}, After: time.Now().Add(after)}
		}
		return &fetch.Response{URL: req.URL, MediaType: "text/plain", Size: 4, Body: io.NopCloser(strings.NewReader("EVIL"))}, nil
	}
}

// A tooMany is a 429.
type tooMany struct{}

func (tooMany) Error() string { return "status 429" }
func (tooMany) Busy() bool    { return true }

// The mail of a stranger makes a host want no requests. With the policy that is shipped the next mail, whose file is
// malware, is deferred until the host may be asked, and rejected then (OP-49).
func TestStrangersRetryAfter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inspector := newInspector(t, new(web), new(scanning), PoolOptions{})
		inspector.Resolver = answering(busy(8 * time.Minute))
		inspector.Resolver.Fetcher = throttle.New(inspector.Resolver.Fetcher, nil)
		policy := shipped(t)
		deferrals := remembering(t, "")
		if rep := inspector.Inspect(t.Context(), refersTo("https://a.example/busy")); rep.Verdict != Unavailable {
			t.Errorf("the stranger's mail: got %s, want %s", rep.Verdict, Unavailable)
		}
		last := Decision{}
		for range 30 {
			rep := inspector.Inspect(t.Context(), refersTo("https://a.example/evil"))
			last = policy.Decide(rep, new(Envelope), "", func() bool {
				return deferrals.May("mail", policy.Defer, !rep.Untried())
			})
			if last.Action != Defer {
				break
			}
			time.Sleep(time.Minute)
		}
		if last.Action != Reject {
			t.Errorf("got %s by the rule %q, want %s", last.Action, last.Rule, Reject)
		}
	})
}

// shipped returns the policy that is shipped.
func shipped(t *testing.T) *Policy {
	t.Helper()
	p, err := ReadPolicy(filepath.Join("..", "..", "..", "serve", "policy.toml"))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A second look that was not made is pending, and hides no malware of the first.
func TestUnaskedAsBrowser(t *testing.T) {
	unasked := func(context.Context, *fetch.Request) (*fetch.Response, error) {
		return nil, &fetch.Error{Kind: fetch.Deferred, After: time.Now().Add(time.Minute)}
	}
	for body, want := range map[string]Verdict{"hello": Pending, "EVIL": Malware} {
		inspector := newInspector(t, new(web), new(scanning), PoolOptions{})
		inspector.Resolver = answering(func(_ context.Context, req *fetch.Request) (*fetch.Response, error) { return served(req, body), nil })
		inspector.Browser = answering(unasked)
		if rep := inspector.Inspect(t.Context(), refers("a.example")); rep.Verdict != want {
			t.Errorf("%s: got %s, want %s", body, rep.Verdict, want)
		}
	}
}
