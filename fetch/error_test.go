package fetch_test

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"testing"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
)

func TestKindOr(t *testing.T) {
	plain := errors.New("no")
	for _, tt := range []struct {
		name string
		err  error
		want fetch.Kind
	}{
		{"Plain", plain, fetch.Denied},
		{"Kind", fetch.Expired, fetch.Expired},
		{"Error", &fetch.Error{Kind: fetch.Pending, Err: plain}, fetch.Pending},
		{"Wrapped", fmt.Errorf("asked: %w", fetch.Expired), fetch.Expired},
	} {
		if got := fetch.KindOr(tt.err, fetch.Denied); got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestKindOfUnknown has errors of no known type. One of a Fetcher may pass; one of the caller's own functions, or a
// panic that the caller caught, stays, so that a loop ends (OP-50).
func TestKindOfUnknown(t *testing.T) {
	bug := errors.New("a bug")
	if got := fetch.KindOf(bug); got != fetch.Local || got.Transient() {
		t.Errorf("got %v, transient %v, want %v, which is not", got, got.Transient(), fetch.Local)
	}
	if got := fetch.KindOfFetch(bug); got != fetch.Unavailable || !got.Transient() {
		t.Errorf("of a Fetcher: got %v, transient %v, want %v, which is", got, got.Transient(), fetch.Unavailable)
	}
	f := fetch.Func(func(context.Context, *fetch.Request) (*fetch.Response, error) { return nil, bug })
	if _, err := fetch.Do(t.Context(), f, &fetch.Request{URL: &url.URL{Scheme: "http", Host: "a.example"}}); fetch.KindOf(err) != fetch.Unavailable {
		t.Errorf("of Do: got %v, want %v", err, fetch.Unavailable)
	}
}

func TestNoKind(t *testing.T) {
	none := fetch.KindOf(nil)
	if text, err := none.MarshalText(); none.String() != "none" || none.Error() != "none" || len(text) > 0 || err != nil {
		t.Errorf("got %s, %s, and marshaled %q, %v, want none, none and nothing", none.String(), none.Error(), text, err)
	}
	if got := fetch.Kind(255).String(); got != "unknown" {
		t.Errorf("255: got %s, want unknown", got)
	}
}

func TestHop(t *testing.T) {
	from, to := &url.URL{Scheme: "http", Host: "a.example"}, &url.URL{Scheme: "http", Host: "b.example"}
	for name, tt := range map[string]struct {
		err  error
		want fetch.Kind
	}{
		"allowed":      {nil, 0},
		"refused":      {errors.New("no"), fetch.Denied},
		"its own kind": {fetch.NotFound, fetch.NotFound},
	} {
		req := &fetch.Request{CheckHop: func(_ context.Context, from, to *url.URL) error {
			from.Host, to.Host = "", "" // they are copies
			return tt.err
		}}
		if got := fetch.KindOf(driver.Hop(t.Context(), req, from, to)); got != tt.want {
			t.Errorf("%s: got %v, want %v", name, got, tt.want)
		}
	}
	if from.Host != "a.example" || to.Host != "b.example" {
		t.Errorf("got %v and %v after CheckHop changed its URLs", from, to)
	}
	if err := driver.Hop(t.Context(), new(fetch.Request), from, to); err != nil {
		t.Errorf("got %v without CheckHop", err)
	}
}

func TestCause(t *testing.T) {
	inner := errors.New("a redirect to nowhere")
	for _, tt := range []struct {
		name string
		err  error
		want fetch.Cause
	}{
		{"None", nil, 0},
		{"Other", inner, 0},
		{"Kind", fetch.Blocked, 0},
		{"Itself", fetch.CausePort, fetch.CausePort},
		{"With", &fetch.Error{Kind: fetch.Blocked, Err: fetch.CauseDowngrade.With(inner)}, fetch.CauseDowngrade},
		{"Below", errors.Join(inner, &fetch.Error{Kind: fetch.Blocked, Err: fetch.CauseName.With(inner)}), fetch.CauseName},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := fetch.CauseOf(tt.err); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if tt.want != 0 && !errors.Is(tt.err, tt.want) {
				t.Errorf("got %v, want it to match %q", tt.err, tt.want)
			}
		})
	}
	if err := fetch.CauseName.With(inner); err.Error() != inner.Error() || !errors.Is(err, inner) {
		t.Errorf("got %v, want the text of %v", err, inner)
	}
	var mux fetch.Mux
	if _, err := mux.Fetch(context.Background(), request("gopher://h/")); fetch.CauseOf(err) != fetch.CauseScheme || fetch.KindOf(err) != fetch.Blocked {
		t.Errorf("got %v of cause %q, want blocked, scheme", err, fetch.CauseOf(err))
	}
}

// TestDeadline: the error of a context that its deadline ended is of Kind Canceled and matches
// context.DeadlineExceeded, and not context.Canceled, as with net/http.
func TestDeadline(t *testing.T) {
	own := errors.New("the user has waited enough")
	past := time.Unix(1, 0)
	for _, row := range []struct {
		name string
		end  func(context.Context) (context.Context, context.CancelFunc)
		late bool
		also error
	}{
		{"Deadline", func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithDeadline(ctx, past)
		}, true, nil},
		{"DeadlineWithCause", func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithDeadlineCause(ctx, past, own)
		}, true, own},
		{"Cancel", func(ctx context.Context) (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(ctx)
			cancel()
			return ctx, cancel
		}, false, nil},
	} {
		ctx, cancel := row.end(t.Context())
		defer cancel()
		f := fetch.Func(func(context.Context, *fetch.Request) (*fetch.Response, error) { return nil, nil })
		_, err := fetch.Do(ctx, f, &fetch.Request{URL: &url.URL{Scheme: "http", Host: "a.example"}})
		err = &fetch.Error{Op: "outer", Kind: fetch.KindOf(err), Err: err}
		if !errors.Is(err, fetch.Canceled) || fetch.KindOf(err) != fetch.Canceled {
			t.Errorf("%s: got %v, want the Kind Canceled", row.name, err)
		}
		if k, ok := errors.AsType[fetch.Kind](err); !ok || k != fetch.Canceled {
			t.Errorf("%s: got %v as a Kind, want Canceled", row.name, k)
		}
		if got := errors.Is(err, context.DeadlineExceeded); got != row.late {
			t.Errorf("%s: got DeadlineExceeded %t of %v, want %t", row.name, got, err, row.late)
		}
		if got := errors.Is(err, context.Canceled); got == row.late {
			t.Errorf("%s: got context.Canceled %t of %v, want %t", row.name, got, err, !row.late)
		}
		if row.also != nil && !errors.Is(err, row.also) {
			t.Errorf("%s: got %v, want the cause in it", row.name, err)
		}
	}
}
