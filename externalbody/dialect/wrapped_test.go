package dialect_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
)

// TestWrapped breaks the URLs of the golden vectors at columns 60 to 78, as mail programs do. The
// URL is found as it was, or the reference has the Diag that another reading is possible.
func TestWrapped(t *testing.T) {
	vectors, err := os.ReadFile("../../internal/link/sharelink/testdata/share-links.tsv")
	if err != nil {
		t.Fatal(err)
	}
	every := 3 // columns; 1 for all
	if os.Getenv("EXTBODY_SLOW") != "" {
		every = 1
	}
	for _, form := range []struct{ name, quote, lineEnd, flowed string }{
		{"Hard", "", "\n", ""},
		{"Quoted", "> ", "\n> ", ""},
		{"QuotedTwice", ">> ", "\n>> ", ""},
		{"QuotedOnce", "> ", "\n", ""},
		{"Indented", "  ", "\n  ", ""},
		{"BlankBefore", "", " \n", ""},
		{"BlankBeforeQuoted", "> ", " \n> ", ""},
		{"BlankAfter", "", "\n ", ""},
		{"Flowed", "", " \n", "; format=flowed; delsp=yes"},
		{"FlowedQuoted", "> ", " \n> ", "; format=flowed; delsp=yes"},
		{"QuotedPrintable", "", "=\n", ""},
	} {
		count, exact, known := 0, 0, 0
		try := func(url, before, after string, col int) {
			line, encoding := form.quote+before+url, "8bit"
			if form.name == "QuotedPrintable" {
				line, encoding = strings.ReplaceAll(line, "=", "=3D"), "quoted-printable"
				for col < len(line) && strings.Contains(line[col-2:col], "=") {
					col++ // not within an escape
				}
			}
			if len(line) <= col || col <= len(form.quote+before+"https://a") {
				return
			}
			text := "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8" + form.flowed + "\nContent-Transfer-Encoding: " + encoding +
				"\n\n" + line[:col] + form.lineEnd + line[col:] + strings.ReplaceAll(after, "\n", "\n"+form.quote) + "\n"
			refs := openWith(t, text, dialect.All())
			is := slices.ContainsFunc(refs, func(r *externalbody.Reference) bool { u, _ := r.Param("url"); return u == url })
			has := slices.ContainsFunc(refs, func(r *externalbody.Reference) bool {
				return slices.ContainsFunc(r.Diags, func(d externalbody.Diag) bool { return d.Code == externalbody.DiagLineEnd })
			})
			count++
			if is {
				exact++
			}
			if is || has {
				known++
			} else {
				t.Logf("%s: neither: %q", form.name, text[strings.Index(text, "\n\n"):])
			}
		}
		for row := range strings.Lines(string(vectors)) {
			url, _, _ := strings.Cut(row, "\t")
			for _, before := range []string{"", "You find the minutes of today at "} {
				for i, after := range []string{"\n", " and more.\n", "\nThanks, Joe\n", ".\n\nThanks\n"} {
					for col := 60 + i%every; col <= 78 && !strings.HasPrefix(row, "#"); col += every {
						try(url, before, after, col)
					}
				}
			}
		}
		t.Logf("%s: %d broken, %d exact, %d exact or with the Diag", form.name, count, exact, known)
		if known < count || form.flowed != "" && exact < count {
			t.Errorf("%s: of %d, %d are exact and %d are exact or have the Diag, want all", form.name, count, exact, known)
		}
	}
}
