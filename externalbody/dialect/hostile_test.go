package dialect_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/testkit"
)

// TestManyFields reads headers with thousands of fields, and with one field of many
// values. Reading takes time linear in their number.
func TestManyFields(t *testing.T) {
	for _, c := range []struct {
		name, text string
		refs       int
	}{
		{"DocumentReference", fields(6_000, "Document-Reference: https%%3a%%2f%%2fh/%d\n"), 6_000},
		{"Filelink", fields(5_000, "X-Mozilla-Cloud-Part: cloudFile;url=http://h/%d\n"), 5_000},
		{"BlueMind", fields(5_000, "X-BM-Disposition: filehosting;url=http://h/%d\n"), 5_000},
		{"OneFieldOfMany", "X-Mozilla-Cloud-Part: cloudFile" + strings.Repeat(";data=;url=http://h/1", 10_000), 1},
		{"Semicolons", "X-Mozilla-Cloud-Part: cloudFile;url=http://h/" + strings.Repeat(";", 200_000), 1},
		{"Names", "Document-Reference: http%3a%2f%2fh%2f" + strings.Repeat(";a=%zz", 20_000), 1},
		{"Attachments", fields(6_000, "X-Mozilla-External-Attachment-URL: http://h/%d\n"), 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			refs := openWith(t, c.text+"\n\n", dialect.All())
			if len(refs) != c.refs {
				t.Errorf("got %d references, want %d", len(refs), c.refs)
			}
			for _, r := range refs {
				if len(r.Diags) > 32 {
					t.Fatalf("got %d diags, want at most 32", len(r.Diags))
				}
			}
		})
	}
}

func fields(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// TestNothingElseIsRead has texts that look like a reference, in places where they are not
// one.
func TestNothingElseIsRead(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		{"LinkOfNoForm", "Content-Type: text/html\n\n<a href=\"https://h.example/confirm?id=1\">a.pdf</a>"},
		{"FieldInABody", "Subject: x\n\nDocument-Reference: https%3a%2f%2f1drv.ms%2fb%2fs!A\n"},
		{"AppleRemoteAttachments", "X-Apple-Mail-Remote-Attachments: YES\n\nHello"},
		{"ShareAccess", "X-Open-Xchange-Share-Access: aHR0cHM6Ly9oLmV4YW1wbGUv\n\nHello"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if refs := open(t, c.text); len(refs) != 0 {
				t.Error(describe(refs[0]))
			}
		})
	}
}

// TestHiddenLinks has links that mail programs show, but that a careless reader misses, and
// some that mail programs do not show either.
func TestHiddenLinks(t *testing.T) {
	const url = "https://www.dropbox.com/s/AbCdEfGhIjKl1/x.pdf?dl=0"
	const link = `<a href="` + url + `">x</a>`
	for _, tt := range []struct {
		name, html string
		want       int
	}{
		{"EmptyComment", "<!-->" + link, 1},
		{"EmptyCommentOfDashes", "<!--->" + link, 1},
		{"CommentWithMark", "<!-- --!>" + link, 1},
		{"CommentInComment", "<!-- <!-- -->" + link, 1},
		{"CommentThatGoesOn", "<!-- -- >" + link + "-->", 0},
		{"Declaration", "<!x>" + link, 1},
		{"Instruction", "<?x>" + link, 1},
		{"EndTagOfNothing", "</ x>" + link, 1},
		{"CDATA", "<![CDATA[ x > " + link + "]]>", 1},
		{"TitleThatEnds", "<title></TITLE\n/>" + link, 1},
		{"TitleWithoutEnd", "<title>" + link, 0},
		{"NoScript", "<noscript>" + link, 1},
		{"Template", "<template>" + link, 1},
		{"Quotes", strings.Repeat("<blockquote>", 100_000) + link, 1},
		{"Divisions", strings.Repeat("<div>", 100_000) + link, 1},
		{"SlashForBlank", "<a/href=" + url + ">x</a>", 1},
		{"FormFeed", "<A\fHREF=" + url + ">", 1},
		{"FirstOfTwo", `<a href="` + url + `" href="x">x</a>`, 1},
		{"SecondOfTwo", `<a href="x" href="` + url + `">x</a>`, 0},
		{"References", `<a href="&#104;ttps&colon;//www.dropbox&period;com/s/AbCdEfGhIjKl1/x.pdf?dl=0">x</a>`, 1},
		{"Controls", "<a href=\"\x01 \x1f" + url + "\x02\">x</a>", 1},
		{"Backslashes", `<a href="` + strings.ReplaceAll(url, "/", `\`) + `">x</a>`, 1},
		{"OneSlash", `<a href="` + strings.Replace(url, "//", "/", 1) + `">x</a>`, 1},
		{"NoSlash", `<a href="` + strings.Replace(url, "//", "", 1) + `">x</a>`, 1},
		{"ManySlashes", `<a href="` + strings.Replace(url, "//", "////", 1) + `">x</a>`, 1},
		{"BackslashBeforeHost", `<a href="https://evil.example\@www.dropbox.com/s/AbCdEfGhIjKl1/x.pdf?dl=0">x</a>`, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := textCase{html: tt.html}
			refs := openWith(t, c.message("8bit"), dialect.All())
			if len(refs) != tt.want {
				t.Fatalf("got %d references, want %d", len(refs), tt.want)
			}
			for _, r := range refs {
				if got, _ := r.Param("url"); got != url {
					t.Errorf("got %q, want %q", got, url)
				}
			}
		})
	}
}

// A name has no characters that turn the direction of text around. With them, a program
// could be shown under the name x.exe.pdf.
func TestNameWithoutTurns(t *testing.T) {
	c := textCase{html: "<a href=\"https://www.dropbox.com/s/AbCdEfGhIjKl1/x\">invoice\u202efdp.exe</a>"}
	refs := openWith(t, c.message("8bit"), dialect.All())
	if len(refs) != 1 || refs[0].Name != "invoicefdp.exe" {
		t.Fatalf("got %d references, the first named %q, want invoicefdp.exe", len(refs), refs[0].Name)
	}
}

const documentField = "Document-Reference: https%3a%2f%2f1drv.ms%2fb%2fs!A; FileName=a.pdf;\n ContentType=application%2fpdf; Permission=Edit\n"

// FuzzHeaders reads any header and body. Every reference lies within its part, and the
// references have the same IDs with the Dialects in another order.
func FuzzHeaders(f *testing.F) {
	for _, seed := range []string{
		documentField + "\n",
		"X-Mozilla-Cloud-Part: cloudFile; url=https://a.example/;x=1; provider=k; data*0=\"x\"; name=n\n\n",
		"X-BM-Disposition: filehosting;url=http://a/;name=n;size=1;mime=a/b;expirationDate=1\n\n",
		"X-IceWarp-SmartAttach: url=\"=?UTF-8?B?aHR0cDovL2EvYg==?=\"; size=\"1\"\n\n",
		"X-Open-Xchange-Share-URL: https://a.example/\n\n",
		part("Content-Disposition: attachment\n\nX-Mozilla-External-Attachment-URL: file:///a\nX-Mozilla-Altered: AttachmentDetached; date=\"Thu Sep 25 19:08:57 2025\"\n\nx:\nContent-Type: a/b\n"),
		"Content-Type: text/x-moz-deleted; name=\"Deleted: a\"\nX-Mozilla-Altered: AttachmentDeleted; date=\"x\"\n\nYou deleted an attachment from this message.\nContent-Type: a/b\n",
		part("Content-Type: message/external-body; name=a.url\nContent-Transfer-Encoding: base64\n\nW0ludGVybmV0U2hvcnRjdXRdDQpVUkw9ZnRwOi8vZi5leGFtcGxlLw0K\n"),
		part("Content-Type: message/rfc822\n\n" + documentField + "\n"),
		fourPlaces,
	} {
		f.Add(seed)
	}
	all := dialect.All()
	reversed := dialect.All()
	slices.Reverse(reversed)
	f.Fuzz(func(t *testing.T, text string) {
		m, err := externalbody.Open(strings.NewReader(text), int64(len(text)), &externalbody.OpenOptions{Dialects: all})
		if err != nil {
			t.Fatal(err)
		}
		sizes := make(map[string]int64) // by section; decoding does not make a part larger
		index, _ := message.IndexOf(m.Reader())
		for _, p := range index.Parts {
			sizes[p.Section()] = p.Body.Len()
		}
		first := references(m)
		second := openWith(t, text, reversed)
		var a, b []string
		for _, r := range first {
			a = append(a, r.ID)
			if len(r.Origins) == 0 || len(r.Diags) > 64 {
				t.Errorf("got %d origins, %d diags, want one or more, at most 64", len(r.Origins), len(r.Diags))
			}
			for _, o := range r.Origins {
				if size, ok := sizes[o.Section]; o.Start < 0 || o.End < o.Start || ok && o.End > size {
					t.Errorf("got origin %+v, want one within the %d octets of its part", o, size)
				}
				if o.Field != "" && !strings.Contains(strings.ToLower(text), strings.ToLower(o.Field)) {
					t.Errorf("got origin in the field %s, want a field that the message has", o.Field)
				}
			}
			if _, err := r.Request(); err != nil && fetch.KindOf(err) == fetch.Local {
				t.Error(err)
			}
		}
		for _, r := range second {
			b = append(b, r.ID)
		}
		slices.Sort(a)
		slices.Sort(b)
		if !slices.Equal(a, b) {
			t.Errorf("got %q in another order, want %q", b, a)
		}
		if len(slices.Compact(a)) != len(first) {
			t.Errorf("got IDs %q, want each once", a)
		}
	})
}

// TestCorpus reads real messages, if there are any, and checks that the references are
// those that a person has found in them.
func TestCorpus(t *testing.T) {
	want := map[string][]string{
		"jwz-144.eml": {
			" | x-http |  | type=text/x-html | at=2.2 | diag=no-content-id",
			" | x-http |  | name=TheProject.html | type=text/x-html | at=2.6 | diag=no-content-id",
		},
		"mailarch-extbody-outlook-url.eml": {
			"internet-shortcut | url | ftp://ftp.ietf.org/internet-drafts/draft-irtf-hip-experiment-07.txt | name=draft-irtf-hip-experiment-07.txt | at=2[20,93]",
		},
		"stable-2020-mutt-deleted.eml": {" | x-mutt-deleted |  | type=message/external-body | until=2020-11-17T19:03:37Z | at=2 | diag=no-content-id"},
	}
	for name, text := range testkit.Corpus(t) {
		t.Run(name, func(t *testing.T) {
			var found []string
			for _, r := range openWith(t, text, dialect.All()) {
				if r.Dialect != "" || r.AccessType == "" || r.AccessType == "x-mutt-deleted" || r.AccessType == "x-http" {
					found = append(found, describe(r))
				}
			}
			if !slices.Equal(found, want[name]) {
				t.Errorf("got %q, want %q", found, want[name])
			}
		})
	}
}
