package param_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/internal/mime/param"
)

func TestAppendParam(t *testing.T) {
	for _, test := range []struct {
		name, param, value, want string
	}{
		{"Token", "size", "1234", "size=1234"},
		{"Empty", "name", "", `name=""`},
		{"Space", "name", " a b\t", "name=\" a b\t\""},
		{"Tspecial", "url", "http://h/x", `url="http://h/x"`},
		{"QuoteAndBackslash", "name", `"C:\x"`, `name="\"C:\\x\""`},
		{"NonASCIIEB12", "name", "naïve's 5%*.txt", "name*=utf-8''na%C3%AFve%27s%205%25%2A.txt"},
		{"NotUTF8EB12", "name", "caf\xe9", "name*=''caf%E9"},
		{"LineBreak", "name", "a\r\nX: y", "name*=utf-8''a%0D%0AX%3A%20y"},
		{"Control", "name", "a\x00\x7f", "name*=utf-8''a%00%7F"},
		{"EncodedWordEB11", "name", "=?utf-8?Q?=41?=", "name*=utf-8''%3D%3Futf-8%3FQ%3F%3D41%3F%3D"},
		{"AlmostEncodedWord", "name", "=?=", `name="=?="`},
		{"EmptyName", "", "x", ""},
		{"NameWithAsterisk", "x*0", "y", ""},
		{"NameWithSpace", "x y", "z", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := string(param.AppendParam([]byte("a/b; "), test.param, test.value))
			if want := "a/b; " + test.want; got != want {
				t.Errorf("AppendParam(%q, %q) = %s, want %s", test.param, test.value, got, want)
			}
		})
	}
}

// checkRoundTrip checks that Parse undoes AppendParam.
func checkRoundTrip(name, value string) error {
	field := string(param.AppendParam([]byte("a/b; "), name, value))
	v := param.Parse(field)
	if len(v.Params) != 1 || len(v.Diags) != 0 {
		return fmt.Errorf("%q: got parameters %v and diags %v, want one and none", field, v.Params, v.Diags)
	}
	if got, ok := v.Get(strings.ToLower(name)); !ok || got != value {
		return fmt.Errorf("%q has the value %q, want %q", field, got, value)
	}
	for i := range len(field) {
		if c := field[i]; c != '\t' && (c < ' ' || c > '~') {
			return fmt.Errorf("got %q, want printable US-ASCII", field)
		}
	}
	return nil
}

func FuzzAppendParam(f *testing.F) {
	for _, value := range []string{"", "x", "a b", `"\`, "é", "\xff", "=?a?=", "=?=", "a'b'c", "%41", "\r\n x", "\u00a0", "(", strings.Repeat("\\\"", 50)} {
		f.Add("Name", value)
	}
	f.Add("x-%", "y")
	f.Fuzz(func(t *testing.T, name, value string) {
		if len(param.AppendParam(nil, name, value)) == 0 {
			if name == "name" {
				t.Fatal("AppendParam refused a good name")
			}
			name = "name"
		}
		if err := checkRoundTrip(name, value); err != nil {
			t.Error(err)
		}
	})
}
