package rewrite_test

import (
	"context"
	"encoding/base64"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/fetch"
)

// TestDisputedDecoding: a part that mail programs decode in different ways is left and reported (OP-52). It stops
// no rewriting of others.
func TestDisputedDecoding(t *testing.T) {
	page := base64.StdEncoding.EncodeToString([]byte("<p>text</p>x"))
	for _, tt := range []struct {
		name, part string
		told       bool
	}{
		{"Plain", "Content-Type: text/html\nContent-Transfer-Encoding: base64\n\n" + page + "\n", false},
		{"Junk", "Content-Type: text/html\nContent-Transfer-Encoding: base64\njunk\n\n" + page + "\n", true},
		{"Letters", "Content-Type: text/html\nContent-Transfer-Encoding: base64x\n\n" + page + "\n", true},
		{"Private", "Content-Type: text/html\nContent-Transfer-Encoding: x-base64\n\n" + page + "\n", true},
		{"Padding", "Content-Type: text/html\nContent-Transfer-Encoding: base64\n\neA==" + page + "\n", true},
		{"NoPadding", "Content-Type: text/html\nContent-Transfer-Encoding: base64\n\n" + page + "eA\n", true},
		{"Truncated", "Content-Type: text/html\nContent-Transfer-Encoding: base64\n\n" + page + "e\n", true},
		{"Quoted", "Content-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n<p>https://a.example/?q=3Dx</p>\n", false},
		{"QuotedLink", "Content-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n<p>https://a.example/?q=x</p>\n", true},
		{"Footer", "Content-Type: text/html\nContent-Transfer-Encoding: base64\n\neA==\n____\nlist\n", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := mixed(ref("1", "Content-Type: text/plain\n"), tt.part)
			m := openAll(t, text)
			var told []externalbody.DiagCode
			for u := range m.Unread() {
				told = append(told, u.Reason)
			}
			if got := slices.Equal(told, []externalbody.DiagCode{externalbody.DiagDecoding}); got != tt.told {
				t.Errorf("got %v, want %s: %t", told, externalbody.DiagDecoding, tt.told)
			}
			onlyHTML := func(obj *rewrite.Object) bool { return obj.MediaType == "text/html" }
			if _, report := externalize(t, text, &rewrite.ExternalizeOptions{Store: newWeb(), Select: onlyHTML}); (actions(report) == "3 replaced") == tt.told {
				t.Errorf("externalize: got %s, want it left: %t", actions(report), tt.told)
			}
			edit := func(string, []byte) []rewrite.TextEdit { return []rewrite.TextEdit{{Start: 0, End: 1, Text: "<"}} }
			report, err := rewrite.EditTexts(t.Context(), io.Discard, m, &rewrite.EditOptions{Edit: edit})
			if err != nil || strings.HasSuffix(actions(report), "3 replaced") == tt.told {
				t.Errorf("edit: got %s, %v, want it left: %t", actions(report), err, tt.told)
			}
			out, report := inlineAll(t, text, &rewrite.InlineOptions{Resolver: newWeb("1", "hello").resolver()})
			if actions(report) != "2 replaced" || !strings.Contains(out, crlf(tt.part)) {
				t.Errorf("inline: got %s, %q, want the reference replaced, and the other part as it was", actions(report), out)
			}
		})
	}
}

// TestInlineOfShared holds: of the shared messages, the parts are replaced and added that were before readings of transfer
// encodings differed.
func TestInlineOfShared(t *testing.T) {
	shared := os.Getenv("EXTBODY_SHARED")
	if shared == "" {
		t.Skip("EXTBODY_SHARED does not name the folder with the messages")
	}
	table, err := os.ReadFile(filepath.Join("testdata", "inlined.txt"))
	if err != nil {
		t.Fatal(err)
	}
	same := fetch.Func(func(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
		const body = "the octets\r\n"
		return &fetch.Response{URL: req.URL, MediaType: req.MediaType, Size: int64(len(body)), Body: io.NopCloser(strings.NewReader(body))}, nil
	})
	mux := new(fetch.Mux)
	for _, scheme := range []string{"http", "https", "ftp", "data"} {
		mux.Handle(scheme, same)
	}
	for line := range strings.Lines(string(table)) {
		words := strings.Fields(line)
		text, err := os.ReadFile(filepath.Join(shared, filepath.FromSlash(words[0])))
		if err != nil {
			t.Fatal(err)
		}
		_, report := inlineAll(t, string(text), &rewrite.InlineOptions{
			Resolver: &externalbody.Resolver{Fetcher: mux},
			Nested:   true,
			Attach:   true,
		})
		var done []string
		for _, item := range report.Items {
			if item.Action == rewrite.Replaced || item.Action == rewrite.Added {
				done = append(done, item.Section)
			}
		}
		for _, want := range words[1:] {
			if !slices.Contains(done, want) {
				t.Errorf("%s: got %q, want %q among them", words[0], done, want)
			}
		}
	}
}

// TestOneName: of names that readers read differently, one is written.
func TestOneName(t *testing.T) {
	for _, tt := range []struct{ name, phantom, want string }{
		{"One", "Content-Type: a/b; name=a.pdf\nContent-Disposition: attachment; filename=a.pdf\n", "Content-Type: a/b; name=a.pdf\nContent-Disposition: attachment; filename=a.pdf\n"},
		{"Pair", "Content-Type: a/b\nContent-Disposition: attachment; filename=a.pdf; filename*=UTF-8''%C3%A9.pdf\n", "Content-Type: a/b\nContent-Disposition: attachment; filename=a.pdf; filename*=UTF-8''%C3%A9.pdf\n"},
		{"Two", "Content-Type: a/b\nContent-Disposition: attachment; filename=a.pdf; x=y; filename=b.exe\n", "Content-Type: a/b\nContent-Disposition: attachment; x=y; filename=a.pdf\n"},
		{"Gap", "Content-Type: a/b\nContent-Disposition: attachment; filename*0=\"file.\"; filename*2=exe\n", "Content-Type: a/b\nContent-Disposition: attachment; filename=file.\n"},
		{"WithSize", "Content-Type: a/b\nContent-Disposition: attachment; filename=a.pdf; size=9; filename=b.exe\n", "Content-Type: a/b\nContent-Disposition: attachment; filename=a.pdf\n"},
		{"TwoFields", "Content-Type: a/b\nContent-Disposition: attachment; filename=a.pdf\nContent-Disposition: attachment; filename=b.exe\n", "Content-Type: a/b\nContent-Disposition: attachment; filename=a.pdf\n"},
		{"Type", "Content-Type: a/b; name=a.pdf; name=b.exe\n", "Content-Type: a/b; name=a.pdf\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out, report := inline(t, mixed(ref("1", tt.phantom)), &rewrite.InlineOptions{Resolver: newWeb("1", "hello").resolver()})
			if !strings.Contains(out, crlf(tt.want)) || strings.Contains(out, "b.exe") {
				t.Errorf("%s: got %q, want %q in it", actions(report), out, crlf(tt.want))
			}
		})
	}
}
