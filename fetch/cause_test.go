package fetch_test

import (
	"context"
	"errors"
	"testing"

	"github.com/go-extbody/extbody/fetch"
)

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
