package weburl_test

import (
	"slices"
	"testing"

	"github.com/go-extbody/extbody/internal/link/weburl"
)

func TestHosts(t *testing.T) {
	h := weburl.NewHosts([][]string{{"a.example", ".b.example"}, nil, {".example"}, {"a.example", "a.example"}})
	tests := []struct {
		host string
		rows []int
	}{
		{"a.example", []int{0, 1, 2, 3}},
		{"x.y.b.example", []int{0, 1, 2}},
		{"b.example", []int{1, 2}},
		{"example", []int{1}},
		{"xa.example.net", []int{1}},
		{"", []int{1}},
	}
	for _, tt := range tests {
		if got := h.AppendRows(nil, tt.host); !slices.Equal(got, tt.rows) {
			t.Errorf("%q: rows %v, want %v", tt.host, got, tt.rows)
		}
		if got, want := h.Has(tt.host), len(tt.rows) > 1; got != want {
			t.Errorf("%q: has %v, want %v", tt.host, got, want)
		}
	}
}
