package fieldvalue

import (
	"slices"
	"strings"
	"testing"
)

func TestMembers(t *testing.T) {
	for _, tt := range []struct {
		value string
		want  []string
	}{
		{"", nil},
		{" , ,\t", nil},
		{"a", []string{"a"}},
		{" a ,\tb ", []string{"a", "b"}},
		{`a="b,c", d`, []string{`a="b,c"`, "d"}},
		{`a="b\",c", d`, []string{`a="b\",c"`, "d"}},
		{`a\,b`, []string{`a\`, "b"}},
		{`a="b, c`, []string{`a="b, c`}},
	} {
		if got := slices.Collect(Members(tt.value)); !slices.Equal(got, tt.want) {
			t.Errorf("%q: got %q, want %q", tt.value, got, tt.want)
		}
	}
	for range Members("a, b, c") {
		break // it can be left
	}
}

func TestIsToken(t *testing.T) {
	for s, want := range map[string]bool{"": false, "a": true, "Max-Age": true, "!#$%&'*+-.^_`|~": true, "a b": false, `"a"`: false, "é": false, "a\x00": false} {
		if got := IsToken(s); got != want {
			t.Errorf("%q: got %v, want %v", s, got, want)
		}
	}
}

func TestUnquote(t *testing.T) {
	for s, want := range map[string]string{
		"": "", "a": "a", `"`: `"`, `""`: "", `"a"`: "a", `"a\"b"`: `a"b`, `"a\\"`: `a\`, `"a\`: `"a\`, `"a"b`: `"a"b`,
	} {
		if got := Unquote(s); got != want {
			t.Errorf("%q: got %q, want %q", s, got, want)
		}
	}
}

// Members that are joined are the members again, and a text that is quoted comes back.
func FuzzMembers(f *testing.F) {
	f.Add(`Basic realm="a, b", charset=UTF-8`, `a"b\c`)
	f.Add(`a="`, "")
	f.Fuzz(func(t *testing.T, value, text string) {
		members := slices.Collect(Members(value))
		if again := slices.Collect(Members(strings.Join(members, " , "))); !slices.Equal(again, members) {
			t.Errorf("%q: got %q again, want %q", value, again, members)
		}
		quoted := `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
		if got := Unquote(quoted); got != text {
			t.Errorf("got %q, want %q", got, text)
		}
		if got := slices.Collect(Members(quoted + ",x")); !slices.Equal(got, []string{quoted, "x"}) {
			t.Errorf("got %q, want %q and x", got, quoted)
		}
	})
}

func TestCodings(t *testing.T) {
	for _, tt := range []struct {
		lines   []string
		want    []string
		unknown bool
	}{
		{nil, nil, false},
		{[]string{"identity, GZIP", "br"}, []string{"gzip", "br"}, false},
		{[]string{"none"}, nil, true},
		{[]string{"UTF-8"}, nil, true},
		{[]string{"binary"}, nil, true},
		{[]string{"aws-chunked"}, nil, true},
		{[]string{"aws-chunked, gzip"}, []string{"gzip"}, true},
		{[]string{"zstd"}, []string{"zstd"}, false},
	} {
		got, unknown := Codings(tt.lines)
		if !slices.Equal(got, tt.want) || unknown != tt.unknown {
			t.Errorf("%q: got %q, unknown %v, want %q, %v", tt.lines, got, unknown, tt.want, tt.unknown)
		}
	}
}
