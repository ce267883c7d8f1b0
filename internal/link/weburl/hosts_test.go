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
		has  bool
	}{
		{"a.example", []int{0, 1, 2, 3}, true},
		{"x.y.b.example", []int{0, 1, 2}, true},
		{"b.example", []int{1, 2}, true},
		{"example", []int{1}, false},
		{"xa.example.net", []int{1}, false},
		{"", []int{1}, false},
	}
	for _, tt := range tests {
		if got := h.AppendRows(nil, tt.host); !slices.Equal(got, tt.rows) {
			t.Errorf("%q: rows %v, want %v", tt.host, got, tt.rows)
		}
		if got := h.Has(tt.host); got != tt.has {
			t.Errorf("%q: Has is %t, want %t", tt.host, got, tt.has)
		}
	}
}
