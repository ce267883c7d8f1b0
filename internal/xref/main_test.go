package main

import (
	"strings"
	"testing"
	"testing/fstest"
)

func TestRun(t *testing.T) {
	root := fstest.MapFS{
		"internal/REQUIREMENTS.md": {Data: []byte("- **EB-27** SIZE is that of the canonical form. (RFC 2046 section 5.2.3.1)\n")},
		"b/b_test.go":              {Data: []byte("package b\n\n// TestSize is EB-26 to EB-28.\n")},
		"c/c.go":                   {Data: []byte("package c\n\nvar x int // RFC 2046 section 5.2.3.1; EB-27\n\n// RFC 2046\n// section 5.21\n")},
		"c/testdata/x.go":          {Data: []byte("// RFC 2046 section 5.2.3.1\n")},
	}
	for _, tt := range []struct {
		args, want string
	}{
		{"eb-27", "EB-27 SIZE is that of the canonical form. (RFC 2046 section 5.2.3.1)\n\nc/c.go:3: var x int // RFC 2046 section 5.2.3.1; EB-27\nb/b_test.go:3: // TestSize is EB-26 to EB-28.\n"},
		{"2046 5.2", "c/c.go:3: var x int // RFC 2046 section 5.2.3.1; EB-27\n"},
		{"RFC2046", "c/c.go:3: var x int // RFC 2046 section 5.2.3.1; EB-27\nc/c.go:5: // RFC 2046\n"},
		{"2047", ""},
	} {
		q, err := parse(strings.Fields(tt.args))
		if err != nil {
			t.Fatalf("%s: got %v, want no error", tt.args, err)
		}
		var got strings.Builder
		if _, err := run(&got, root, q); err != nil || got.String() != tt.want {
			t.Errorf("%s: got\n%s%v, want\n%s", tt.args, got.String(), err, tt.want)
		}
	}
	if _, err := run(new(strings.Builder), root, query{rule: "EB-1"}); err == nil {
		t.Error("EB-1, which is not there: got no error, want one")
	}
}

func TestParse(t *testing.T) {
	for _, args := range []string{"", "x", "1 2 3", "0", "2046x 1"} {
		if q, err := parse(strings.Fields(args)); err == nil {
			t.Errorf("%q: got %+v, want an error", args, q)
		}
	}
}
