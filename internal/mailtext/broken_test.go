package mailtext_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/internal/mailtext"
)

func broken(text string) []string {
	var all []string
	new(mailtext.Breaks).Each([]byte(text), func(joined []byte, _ []int) { all = append(all, string(joined)) })
	return all
}

func TestBreaks(t *testing.T) {
	long := strings.Repeat("x", 300)
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"None", "see http://a.example/ now\nand then", nil},
		{"Host", "see http://a.ex\nample/1 now", []string{"://a.example/1"}},
		{"Returns", "http://a.ex\r\nample/1\r\n", []string{"://a.example/1"}},
		{"Quoted", "> > http://a.ex\n> > ample/1", []string{"://a.example/1"}},
		{"Twice", "http://a.\nex\nample/1 x", []string{"://a.example/1"}},
		{"Flowed", "http://a.ex \nample/1 x", []string{"://a.example/1"}},
		{"FlowedTwice", "http://a. \nex \r\nample/1 x", []string{"://a.example/1"}},
		{"Paragraph", "http://a.ex\n\nample/1", nil},
		{"End", "http://a.ex", nil},
		{"Second", "http://a.example/ http://b.ex\nample/1", []string{"http://b.example/1"}},
		{"Long", "http://" + long + "\n" + long, []string{long[:128] + long[:128]}},
	} {
		if got := broken(test.text); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

// FuzzBreaks checks that Breaks finds the text around the line end of each Longer.
func FuzzBreaks(f *testing.F) {
	for _, s := range []string{
		"http://a.ex\nample/1-", "> http://a.ex \n> ample/1?x=1\n> y-", "http://a.example/" + strings.Repeat("a", 60) + "\r\nb/1\r\nc",
		"http://a.,\n>b/1", "http://a http://b.\n1/", "0http://0 \n0 \n0",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		all := broken(text)
		mailtext.Plain(&mailtext.Source{Octets: []byte(text), Charset: "utf-8", DelSp: true}, func(tok *mailtext.Token) {
			if tok.Longer == "" {
				return
			}
			const near = 32
			at := len(tok.Text)
			want := tok.Longer[max(strings.Index(tok.Longer, "://"), at-near):min(len(tok.Longer), at+near)]
			if !slices.ContainsFunc(all, func(a string) bool { return strings.Contains(a, want) }) {
				t.Errorf("%q: got %q, want one with %q", text, all, want)
			}
		})
	})
}
