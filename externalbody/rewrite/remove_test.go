package rewrite_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/fetch"
)

// remove returns a message without the references for which there is a line in notices, by
// the last octet of their URL, and the error.
func remove(t *testing.T, text string, notice string) (string, error) {
	t.Helper()
	m := openWith(t, text, &externalbody.OpenOptions{Dialects: dialect.All()})
	var b bytes.Buffer
	_, err := rewrite.Remove(t.Context(), &b, m, &rewrite.RemoveOptions{
		Select: func(ref *externalbody.Reference) bool {
			u, err := ref.Locate()
			return err != nil || !strings.Contains(u.String(), "/stays")
		},
		Notice: func(*externalbody.Reference) string { return notice },
	})
	return b.String(), err
}

// TestRemove checks each place of a reference. No octet outside of it changes.
func TestRemove(t *testing.T) {
	const (
		part = "Content-Type: message/external-body; access-type=url; url=\"https://a.example/f\"\n\nContent-Type: text/plain\nContent-ID: <1@a>\n\n"
		stay = "Content-Type: message/external-body; access-type=url; url=\"https://a.example/stays\"\n\nContent-Type: text/plain\nContent-ID: <2@a>\n\n"
		link = "https://www.dropbox.com/s/au3bned42n0x8q1/minutes.pdf?dl=0"
		head = "Subject: a\nMIME-Version: 1.0\n"
		said = "Content-Type: text/plain; charset=us-ascii\n\n"
	)
	mixed := func(parts ...string) string {
		s := head + "Content-Type: multipart/mixed; boundary=b\n\npreamble\n"
		for _, p := range parts {
			s += "--b\n" + p + "\n"
		}
		return s + "--b--\nepilogue\n"
	}
	html := func(s string) string { return "<p>Gr\xfc\xdfe,  <b>&amp;</b> " + s + " \t<i>end</i>\n.\n" }
	anchor := "<a href=\"" + link + "\">minutes.pdf</a>"
	b64 := func(s string) string { return base64.StdEncoding.EncodeToString([]byte(crlf(s))) + "\n" }
	quoted := func(s string) string { return strings.NewReplacer("=", "=3D", "\xfc", "=FC", "\xdf", "=DF").Replace(s) }
	const type1 = head + "Content-Type: text/html; charset=iso-8859-1\n"
	for _, test := range []struct {
		name, text, notice, want string
		kind                     fetch.Kind
	}{
		{name: "Part", text: mixed("\nhello", part, stay), want: mixed("\nhello", stay)},
		{name: "PartWithNotice", text: mixed("\nhello", part), notice: "[gone \u00e9]", want: mixed("\nhello", said+"[gone ?]\n")},
		{name: "LastPart", text: mixed(part), want: mixed(said + "\n")},
		{name: "AllParts", text: mixed(part, part, part), want: mixed(said + "\n")},
		{name: "Message", text: head + part, notice: "gone", want: head + said + "gone\n"},
		{name: "Nested", text: mixed("Content-Type: message/rfc822\n\n" + mixed("\nhello", part)), want: mixed("Content-Type: message/rfc822\n\n" + mixed("\nhello"))},
		{name: "Text", text: head + "\nsee " + link + " there\n", notice: "[gone]", want: head + "\nsee [gone] there\n"},
		{name: "TextStripped", text: head + "\nsee " + link + " there\n", want: head + "\nsee  there\n"},
		{name: "Twice", text: head + "\nsee " + link + " or " + link + "\n", notice: "[gone]", want: head + "\nsee [gone] or [gone]\n"},
		{name: "HTML", text: type1 + "\n" + html(anchor), notice: "[<b>\u00e9]", want: type1 + "\n" + html("[&lt;b&gt;&#233;]")},
		{name: "Base64", text: type1 + "Content-Transfer-Encoding: base64\n\n" + b64(html(anchor)), notice: "[gone]", want: type1 + "Content-Transfer-Encoding: base64\n\n" + b64(html("[gone]"))},
		{
			name: "QuotedPrintable", text: type1 + "Content-Transfer-Encoding: quoted-printable\n\n" + quoted("<p>\xfc "+anchor+"\n"), notice: "[gone]",
			want: type1 + "Content-Transfer-Encoding: quoted-printable\n\n" + quoted("<p>\xfc [gone]\n"),
		},
		{name: "Wide", text: head + "Content-Type: text/plain; charset=utf-16be\nContent-Transfer-Encoding: base64\n\n" + b64(wide(link)), kind: fetch.Unsupported},
		{name: "Signed", text: mixed("Content-Type: multipart/signed; boundary=c\n\n--c\n" + part + "\n--c\n\n.\n--c--\n"), kind: fetch.Denied},
		{name: "Ambiguous", text: mixed("JUNK line\n" + part), kind: fetch.Unsupported},
		{name: "Hidden", text: mixed("Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n" + b64(mixed(part))), kind: fetch.Unsupported},
		{name: "Nothing", text: head + "\nhello\n", want: head + "\nhello\n"},
	} {
		for _, eol := range []string{"\r\n", "\n"} {
			if test.name == "Base64" && eol == "\n" || test.name == "Ambiguous" && eol == "\n" {
				continue
			}
			in, want := strings.ReplaceAll(test.text, "\n", eol), strings.ReplaceAll(test.want, "\n", eol)
			got, err := remove(t, in, test.notice)
			if test.kind != 0 {
				if fetch.KindOf(err) != test.kind || err == nil || got != "" {
					t.Errorf("%s %q: got %q, %v, want nothing and %v", test.name, eol, got, err, test.kind)
				}
			} else if err != nil || !same(got, want) {
				t.Errorf("%s %q: got %q, %v, want %q", test.name, eol, got, err, want)
			}
		}
	}
}

// same compares messages. The lines of base64 may be broken in other places.
func same(got, want string) bool {
	if strings.Contains(want, "base64") {
		lines := strings.NewReplacer("\r\n", "", "\n", "")
		got, want = lines.Replace(got), lines.Replace(want)
	}
	return got == want
}

// wide returns s in UTF-16.
func wide(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		b.Write([]byte{0, c})
	}
	return b.String()
}

// Of the references of each sample none remains, or there is an error.
func TestRemoveSamples(t *testing.T) {
	paths, err := filepath.Glob("../dialect/testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("got %d archives, %v", len(paths), err)
	}
	removed, left := 0, 0
	for _, path := range paths {
		a, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range a.Files {
			if !strings.HasSuffix(f.Name, ".eml") {
				continue
			}
			for _, notice := range []string{"", "[gone]"} {
				text, err := remove(t, crlf(string(f.Data)), notice)
				if err != nil {
					left++
					t.Logf("%s %s: %v", filepath.Base(path), f.Name, err)
					continue
				}
				m := openWith(t, text, &externalbody.OpenOptions{Dialects: dialect.All()})
				removed++
				for ref := range m.References() {
					if _, err := ref.Locate(); err != nil {
						continue // it leads nowhere
					}
					t.Errorf("%s %s: %v remains in %q", filepath.Base(path), f.Name, ref, text)
				}
			}
		}
	}
	t.Logf("%d messages without references, %d errors", removed, left)
}

// TestRemoveReport: the Report has an Item for each reference, and none of them is Replaced if Remove has an error.
func TestRemoveReport(t *testing.T) {
	part := func(name string) string {
		return "Content-Type: message/external-body; access-type=url; url=\"https://a.example/" + name + "\"\n\nContent-ID: <1@a>\n\n"
	}
	head := "DKIM-Signature: v=1\nAuthentication-Results: mx.example; dkim=pass\nContent-Type: multipart/mixed; boundary=b\n\n--b\n"
	signed := "Content-Type: multipart/signed; boundary=c\n\n--c\n" + part("c") + "\n--c\n\n.\n--c--\n"
	for _, test := range []struct {
		name, second string
		want         []rewrite.Action
		kind         fetch.Kind
	}{
		{"All", part("b"), []rewrite.Action{rewrite.Replaced, rewrite.Left, rewrite.Replaced}, 0},
		{"Signed", signed, []rewrite.Action{rewrite.Left, rewrite.Left, rewrite.Failed}, fetch.Denied},
	} {
		m := openWith(t, head+part("a")+"\n--b\n"+part("stays")+"\n--b\n"+test.second+"\n--b\n\nhello\n--b--\n", nil)
		report, err := rewrite.Remove(t.Context(), io.Discard, m, &rewrite.RemoveOptions{
			Select: func(ref *externalbody.Reference) bool {
				u, err := ref.Locate()
				return err == nil && u.Path != "/stays"
			},
		})
		if test.kind == 0 && err != nil || test.kind != 0 && !errors.Is(err, test.kind) {
			t.Errorf("%s: got error %v, want %v", test.name, err, test.kind)
		}
		refs := slices.Collect(m.References())
		var actions []rewrite.Action
		for i, item := range report.Items {
			actions = append(actions, item.Action)
			if item.Section != refs[i].ID || len(item.References) != 1 || item.References[0] != refs[i] {
				t.Errorf("%s: got item %d of %s, want %s", test.name, i, item.Section, refs[i].ID)
			}
			if failed := item.Action == rewrite.Failed; failed && item.Err != err || !failed && item.Err != nil {
				t.Errorf("%s: got %v of item %d, want the error of Remove for the one that failed", test.name, item.Err, i)
			}
		}
		if !slices.Equal(actions, test.want) || report.Changed() != (err == nil) {
			t.Errorf("%s: got %v, changed %t, want %v", test.name, actions, report.Changed(), test.want)
		}
		if len(report.Signatures) != 1 || len(report.AuthResults) != 1 {
			t.Errorf("%s: got %q and %q, want the fields of the header", test.name, report.Signatures, report.AuthResults)
		}
	}
}

// TestRemoveWithoutPlace has Dialects that do not know the place of a reference, or give a
// wrong one. Nothing else is removed in its place.
func TestRemoveWithoutPlace(t *testing.T) {
	origin := func(o externalbody.Origin) externalbody.Dialect {
		return externalbody.Dialect{Name: "own", Fields: []string{"X-File"}, Read: func(e *externalbody.Entity) []*externalbody.Reference {
			ref := externalbody.NewReference("https://a.example/f")
			ref.Origins[0] = o
			return []*externalbody.Reference{ref}
		}}
	}
	text := externalbody.Dialect{Name: "own", Hints: []string{"file"}, Text: func(_ *externalbody.Entity, found func(*externalbody.Reference, ...*externalbody.Token)) func(*externalbody.Token) {
		return func(*externalbody.Token) {
			ref := externalbody.NewReference("https://a.example/f")
			ref.Origins[0] = externalbody.Origin{Start: -5, End: 1 << 40}
			found(ref)
		}
	}}
	for _, test := range []struct {
		name string
		d    externalbody.Dialect
	}{
		{"Text", text},
		{"NoField", origin(externalbody.Origin{})},
		{"OtherField", origin(externalbody.Origin{Field: "X-Fiel"})},
		{"Before", origin(externalbody.Origin{Start: -5, End: 3})},
		{"After", origin(externalbody.Origin{Start: 1, End: 1 << 40})},
	} {
		for _, mediaType := range []string{"text/plain", "multipart/mixed; boundary=b"} {
			m := openWith(t, "X-File: x\nContent-Type: "+mediaType+"\n\n--b\n\na file\n--b--\n", &externalbody.OpenOptions{Dialects: []externalbody.Dialect{test.d}})
			var b bytes.Buffer
			_, err := rewrite.Remove(t.Context(), &b, m, nil)
			if !errors.Is(err, fetch.Unsupported) || b.Len() > 0 {
				t.Errorf("%s of %s: got %v,\n%s\nwant %v, nothing", test.name, mediaType, err, b.String(), fetch.Unsupported)
			}
		}
	}
}
