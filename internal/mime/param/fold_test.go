package param_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/internal/mime/param"
)

func TestFold(t *testing.T) {
	for _, test := range []struct {
		name, value string
		width       int
		want        []string
	}{
		{"filename", "a b.pdf", 68, []string{`filename="a b.pdf"`}},
		{"filename", strings.Repeat("a", 40), 40, []string{"filename*0*=utf-8''aaaaaaaaaaaaaaaaaaaaa", "filename*1*=aaaaaaaaaaaaaaaaaaa"}},
		{"n", strings.Repeat("\u00e9", 8), 25, []string{"n*0*=utf-8''%C3%A9%C3%A9", "n*1*=%C3%A9%C3%A9%C3%A9", "n*2*=%C3%A9%C3%A9%C3%A9"}},
		{"n", strings.Repeat("\xe9", 10), 25, []string{"n*0*=''%E9%E9%E9%E9%E9%E9", "n*1*=%E9%E9%E9%E9"}},
		{"no name", "x", 68, []string{""}},
	} {
		got := param.Fold(test.name, test.value, test.width)
		if !slices.Equal(got, test.want) {
			t.Errorf("Fold(%q, %q, %d) = %q, want %q", test.name, test.value, test.width, got, test.want)
		}
	}
}

// FuzzFold checks that a folded field is read as it was, and fits.
func FuzzFold(f *testing.F) {
	f.Add("a long name of a file, in many words.pdf", 30)
	f.Add("\u00fcnl\xff''%41*", 40)
	f.Fuzz(func(t *testing.T, value string, width int) {
		width = 28 + width&63
		sections := param.Fold("filename", value, width)
		for _, s := range sections {
			if len(s) > width+1 {
				t.Errorf("got a section of %d octets, want at most %d: %q", len(s), width, s)
			}
		}
		v := param.Parse("a/b; " + strings.Join(sections, ";\r\n\t"))
		if len(v.Params) != 1 || v.Params[0].Value != value || len(v.Diags) > 0 {
			t.Errorf("got %+v from %q, want %q", v, sections, value)
		}
	})
}
