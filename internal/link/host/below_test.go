package host_test

import (
	"slices"
	"testing"

	"github.com/go-extbody/extbody/internal/link/host"
)

func TestBelow(t *testing.T) {
	for _, tt := range []struct {
		host, domain string
		want         bool
	}{
		{"example.com", "example.com", true},
		{"a.b.example.com", "example.com", true},
		{"EXAMPLE.com", "example.COM.", true},
		{"example.com.", "example.com", true},
		{"badexample.com", "example.com", false},
		{"example.com", "a.example.com", false},
		{"example.com.evil.example", "example.com", false},
		{"a.bücher.example", "xn--bcher-kva.example", true},
		{"a.xn--bcher-kva.example", "Bücher.example", true},
		{"a.example", "example", true},
		{"", "", false},
		{"a.example", "", false},
		{"a.example", ".", false},
		{"10.1.2.3", "10.1.2.3", true},
		{"10.1.2.3", "2.3", false},
		{"10.1.2.3", "3", false},
		{"[::1]", "::1", true},
		{"::ffff:192.0.2.1", "192.0.2.1", true},
		{"a.-bad-.Example", "-BAD-.example", true}, // has no canonical form
	} {
		if got := host.Below(tt.host, tt.domain); got != tt.want {
			t.Errorf("Below(%q, %q): got %v, want %v", tt.host, tt.domain, got, tt.want)
		}
	}
}

func TestDomains(t *testing.T) {
	for _, tt := range []struct {
		host string
		want []string
	}{
		{"A.b.example.", []string{"a.b.example", "b.example", "example"}},
		{"example", []string{"example"}},
		{"192.0.2.1", []string{"192.0.2.1"}},
		{"[2001:db8::1]", []string{"2001:db8::1"}},
		{"", nil},
	} {
		if got := slices.Collect(host.Domains(tt.host)); !slices.Equal(got, tt.want) {
			t.Errorf("Domains(%q): got %q, want %q", tt.host, got, tt.want)
		}
	}
}
