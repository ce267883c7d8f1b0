package dataurl_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-extbody/extbody/dataurl"
)

// conformance reads one of the files of the web-platform-tests project.
func conformance(t *testing.T, name string, v any) {
	t.Helper()
	shared := os.Getenv("EXTBODY_SHARED")
	if shared == "" {
		t.Skip("EXTBODY_SHARED does not name the folder with the web-platform-tests")
	}
	data, err := os.ReadFile(filepath.Join(shared, "wpt", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, v); err != nil {
		t.Fatal(err)
	}
}

func TestConformanceURLs(t *testing.T) {
	var cases [][]any
	conformance(t, "data-urls.json", &cases)
	if len(cases) < 78 {
		t.Fatalf("got %d cases, want at least 78", len(cases))
	}
	for _, c := range cases {
		in := c[0].(string)
		mediaType, data, err := dataurl.Decode(in)
		if c[1] == nil {
			if err == nil {
				t.Errorf("Decode(%q) = %q, %q; want an error", in, mediaType, data)
			}
			continue
		}
		var want []byte
		for _, octet := range c[2].([]any) {
			want = append(want, byte(octet.(float64)))
		}
		if err != nil || mediaType != c[1] || string(data) != string(want) {
			t.Errorf("Decode(%q) = %q, %q, %v; want %q, %q", in, mediaType, data, err, c[1], want)
		}
	}
}

func TestConformanceMediaTypes(t *testing.T) {
	var cases []json.RawMessage
	conformance(t, "mime-types.json", &cases)
	n := 0
	for _, raw := range cases {
		var c struct {
			Input  string
			Output *string
		}
		if raw[0] != '{' {
			continue // A heading.
		}
		if err := json.Unmarshal(raw, &c); err != nil {
			t.Fatal(err)
		}
		n++
		got, err := dataurl.ParseMediaType(c.Input)
		switch {
		case c.Output == nil && err == nil:
			t.Errorf("ParseMediaType(%q) = %q, want an error", c.Input, got)
		case c.Output != nil && (err != nil || got != *c.Output):
			t.Errorf("ParseMediaType(%q) = %q, %v; want %q", c.Input, got, err, *c.Output)
		}
	}
	if n < 74 {
		t.Errorf("got %d cases, want at least 74", n)
	}
}
