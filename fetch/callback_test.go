package fetch_test

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"testing"

	"github.com/go-extbody/extbody/fetch"
)

func TestRefusal(t *testing.T) {
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
		got := fetch.Refusal(fetch.Denied, tt.err)
		if got.Kind != tt.want || !errors.Is(got, tt.err) {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
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
		if got := fetch.KindOf(req.Hop(t.Context(), from, to)); got != tt.want {
			t.Errorf("%s: got %v, want %v", name, got, tt.want)
		}
	}
	if from.Host != "a.example" || to.Host != "b.example" {
		t.Errorf("got %v and %v after CheckHop changed its URLs", from, to)
	}
	if err := new(fetch.Request).Hop(t.Context(), from, to); err != nil {
		t.Errorf("got %v without CheckHop", err)
	}
}
