package record

import (
	"errors"
	"testing"

	"github.com/go-extbody/extbody/fetch"
)

// An error within an error of the same Kind names the Kind once, and the URL that was refused.
func TestReason(t *testing.T) {
	inner := &fetch.Error{Op: "inline", URL: "https://c.example/...", Kind: fetch.Denied, Err: errors.New("no --yes names this host")}
	hop := &fetch.Error{Op: "resolve", URL: "https://b.example/...", Kind: fetch.Denied, Err: inner}
	for _, tt := range []struct {
		name string
		err  error
		want string
	}{
		{"Same", &fetch.Error{Op: "fetch", URL: "https://a.example/...", Kind: fetch.Denied, Err: hop}, "inline https://c.example/...: denied: no --yes names this host"},
		{"NoURL", &fetch.Error{Op: "fetch", URL: "https://a.example/...", Kind: fetch.Denied, Err: &fetch.Error{Op: "ask", Kind: fetch.Denied}}, "ask https://a.example/...: denied"},
		{"Other", &fetch.Error{Op: "fetch", URL: "https://a.example/...", Kind: fetch.Unavailable, Err: inner}, "fetch https://a.example/...: unavailable: inline https://c.example/...: denied: no --yes names this host"},
		{"None", errors.New("x"), "x"},
	} {
		if got := Reason(tt.err); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}
