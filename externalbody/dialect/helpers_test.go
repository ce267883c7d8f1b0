package dialect_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
)

// open returns the References of a message that is written with LF, read with all
// Dialects. It checks that with CRLF they have the same IDs and as many places.
func open(t testing.TB, text string) []*externalbody.Reference {
	t.Helper()
	lf := openWith(t, text, dialect.All())
	crlf := openWith(t, strings.ReplaceAll(text, "\n", "\r\n"), dialect.All())
	if len(lf) != len(crlf) {
		t.Fatalf("got %d references with CRLF, want %d as with LF", len(crlf), len(lf))
	}
	for i := range lf {
		if lf[i].ID != crlf[i].ID || len(lf[i].Origins) != len(crlf[i].Origins) {
			t.Errorf("got %s with CRLF, want %s as with LF", describe(crlf[i]), describe(lf[i]))
		}
	}
	return lf
}

func openWith(t testing.TB, text string, dialects []externalbody.Dialect) []*externalbody.Reference {
	t.Helper()
	m, err := externalbody.Open(strings.NewReader(text), int64(len(text)), &externalbody.OpenOptions{Dialects: dialects})
	if err != nil {
		t.Fatal(err)
	}
	return references(m)
}

func references(m *externalbody.Message) []*externalbody.Reference {
	var refs []*externalbody.Reference
	for ref := range m.References() {
		refs = append(refs, ref)
	}
	return refs
}

// describe returns the facts of a Reference in one line. It leaves out fields with their
// zero or default value.
func describe(r *externalbody.Reference) string {
	url, _ := r.Param("url")
	s := []string{r.Dialect, r.AccessType, url}
	add := func(name, value string) {
		if value != "" {
			s = append(s, name+"="+value)
		}
	}
	add("name", r.Name)
	add("type", r.MediaType)
	if r.Size >= 0 {
		add("size", fmt.Sprint(r.Size))
	}
	if !r.Expiration.IsZero() {
		add("until", r.Expiration.UTC().Format(time.RFC3339Nano))
	}
	add("provider", r.Provider)
	if r.Permission != "read" {
		add("permission", r.Permission)
	}
	add("cid", r.ContentID)
	if r.Quoted {
		add("quoted", "yes")
	}
	for _, o := range r.Origins {
		switch {
		case o.Field != "":
			add("at", o.Section+":"+o.Field)
		case o.End > 0:
			add("at", fmt.Sprintf("%s[%d,%d]", o.Section, o.Start, o.End))
		default:
			add("at", o.Section)
		}
	}
	for _, d := range r.Diags {
		add("diag", d.String())
	}
	return strings.Join(s, " | ")
}

// A golden is a message and the references that are wanted in it.
type golden struct {
	name string
	text string
	want []string
}

func runGolden(t *testing.T, cases []golden) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, ref := range open(t, c.text) {
				got = append(got, describe(ref))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

// part returns a multipart/mixed message with a text and a part.
func part(text string) string {
	return "From: a@b.example\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nHello\n--b\n" + text + "\n--b--\n"
}
