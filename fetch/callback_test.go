package fetch_test

import (
	"errors"
	"fmt"
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
