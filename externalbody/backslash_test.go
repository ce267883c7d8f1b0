package externalbody_test

import (
	"errors"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// Browsers end the host of a URL at a backslash, and other parsers do not: such a URL is
// malformed in every scheme. In a path the backslash is encoded (UA-9).
func TestBackslashInHost(t *testing.T) {
	for _, tt := range []struct {
		url string
		ok  bool
	}{
		{`ftp://example.com\@evil.example/x`, false},
		{`https://example.com\@evil.example/x`, false},
		{`imap://example.com\@evil.example/x;uid=1`, false},
		{`tftp:\\example.com\x`, false},
		{`http://example.com\x`, false},
		{"ftp://exam ple.com \\@evil.example/x", false},
		{`ftp://example.com%5C@evil.example/x`, true},
		{`ftp://example.com/a\b@c`, true},
	} {
		r := &externalbody.Reference{AccessType: "url", Params: []externalbody.Param{{Name: "url", Value: tt.url}}}
		if _, err := r.Request(); tt.ok != (err == nil) || err != nil && !errors.Is(err, fetch.Malformed) {
			t.Errorf("%s: got %v, want ok %v", tt.url, err, tt.ok)
		}
	}
}
