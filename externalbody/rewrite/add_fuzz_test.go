package rewrite_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/testkit"
)

// addSeeds are messages with references of Dialects in many places.
func addSeeds() []string {
	s := []string{
		documentField + "\nHello",
		documentField + "Content-Type: multipart/mixed; boundary=b\n\n--b\n--b--\nx",
		documentField + "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nx\r\n--b--",
		documentField + "Content-Type: multipart/mixed; boundary=b\n\n--b",
		fourPlaces,
		"From x\n" + documentField + "Content-Type: multipart/related; boundary=b\n\n--b\n\nx\n--b--",
		"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: multipart/mixed; boundary=b--\n\n--b--\n\n" + chip + "\n--b----\n--b--",
		"Content-TYpe:multipArt BoundArY=b--\n\n--b--\n http://1drv.ms/a/s!0",
		"Content-Type: multipart/mixed; boundary=b--\n\n--b--\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\n" + chip + "\n--b--",
		"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: message/rfc822\n\n" + documentField + "Content-Transfer-Encoding: 8bit\n\nx\n--b\nContent-Type: text/x-moz-deleted; name=\"Deleted: a\"\n\n--b--",
		"Content-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/x-moz-deleted; name=\"Deleted: a\"\nX-Mozilla-Altered: AttachmentDeleted; date=\"x\"\n\n--b\nContent-Type: multipart/signed; boundary=c\n\n--c\n\n" + chip,
		"Content-Type: multipart/alternative; boundary=A\n\n--A\n\n" + chip + "\n--A\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\n<https://1drv.ms/b/s!B>",
		crlf(documentField) + mixed("\n"+chip, ref("1", "Content-Type: text/plain; charset=utf-8\nContent-ID: <x@a.example>\n")),
		"Content-Type: multipart/mixed; boundary=b\n\n--b\n\nx\n--b\nContent-Disposition: attachment\nX-Mozilla-External-Attachment-URL: https://a.example/f\nX-Mozilla-Altered: AttachmentDetached; date=\"Thu Sep 25 19:08:57 2025\"\n\nx:\nContent-Type: a/b\nContent-ID: <f@a.example>\n\n--b--",
	}
	for _, m := range slices.Clone(s) {
		s = append(s, crlf(strings.ReplaceAll(m, "\r\n", "\n")))
	}
	return s
}

// FuzzNormalize wants Normalize to keep its promises.
func FuzzNormalize(f *testing.F) {
	for i, s := range addSeeds() {
		f.Add(s, i&1 != 0)
	}
	f.Fuzz(func(t *testing.T, text string, nested bool) {
		got, report := normalize(t, text, &rewrite.NormalizeOptions{Nested: nested})
		if openAll(t, got).Incomplete() != nil {
			return // a limit was reached by the added parts
		}
		checkNormal(t, text, got, report)
		checkKept(t, text, got)
	})
}

// FuzzAttach: all parts of the message stay; a second run changes nothing and asks
// for no body again.
func FuzzAttach(f *testing.F) {
	for i, s := range addSeeds() {
		for _, body := range []string{"", "hi\n", "a\r\nb", "\x00\x80", "--b\n--b--\n", strings.Repeat("caf\u00e9 ", 40)} {
			f.Add(s, body, i&1 != 0)
		}
	}
	f.Fuzz(func(t *testing.T, text, body string, nested bool) {
		standard := false // no body replaces a reference
		opts := &rewrite.InlineOptions{
			Resolver: &externalbody.Resolver{Fetcher: serve(body)},
			Attach:   true,
			Nested:   nested,
			TempDir:  os.TempDir(),
			Select:   func(ref *externalbody.Reference) bool { return standard || ref.Dialect != "" },
		}
		got, report := inlineAll(t, text, opts)
		if openAll(t, got).Incomplete() != nil {
			return
		}
		if !report.Changed() && got != text {
			t.Fatalf("got\n%q\nwithout a change in the report, want\n%q", got, text)
		}
		checkKept(t, text, got)
		again, second := inlineAll(t, got, opts)
		if again != got && len(second.Items) <= len(report.Items) {
			t.Fatalf("second run: got %s,\n%q\nwant the same again or more than %s,\n%q", actions(second), again, actions(report), got)
		}
		standard = true
		opts.Transport8bit = true
		got, report = inlineAll(t, text, opts)
		checkDirect(t, text, got, opts)
		if len(added(report)) > 0 && !slices.ContainsFunc(report.Items, func(i rewrite.Item) bool { return i.Action == rewrite.Replaced }) {
			checkKept(t, text, got)
		}
	})
}

// checkKept wants the lines of text in got, in any order, and its leaves in
// their order with others between them, octet for octet.
func checkKept(t testing.TB, text, got string) {
	t.Helper()
	lines := make(map[string]int)
	for line := range strings.SplitSeq(got, "\n") {
		lines[strings.TrimRight(line, "\r")]++
	}
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimRight(line, "\r")
		if lines[line]--; lines[line] < 0 && line != "" {
			t.Fatalf("got the line %q added, want only those of the message and its boundary:\n%q", line, got)
		}
	}
	after := scanned(t, got)
	for _, l := range scanned(t, text) {
		i := slices.Index(after, l)
		if i < 0 {
			t.Fatalf("got no %q in\n%q\nwant each part of\n%q", l, got, text)
		}
		after = after[i+1:]
	}
}

// scanned returns the leaves, preambles and epilogues of a message, as they stand
// there.
func scanned(t testing.TB, text string) []string {
	t.Helper()
	index, _ := message.IndexOf(open(t, text).Reader())
	var found []string
	for _, p := range index.Parts {
		spans := []message.Span{p.Preamble, p.Epilogue}
		if len(slices.Collect(p.Children())) == 0 {
			spans = append(spans, p.Body)
		}
		for _, s := range spans {
			if s.Len() > 0 {
				found = append(found, p.Type+" "+text[s.Start:s.End])
			}
		}
	}
	return found
}

// TestCorpusAdded: real messages, with a reference in their header, have parts
// added and keep all they have.
func TestCorpusAdded(t *testing.T) {
	w := newWeb(documentURL, "\x00pdf")
	for name, text := range testkit.Corpus(t) {
		text = documentField + text
		if index, _ := message.IndexOf(open(t, text).Reader()); index.Root().Diag&(message.MissingBlank|message.MalformedField) != 0 {
			continue // the field in front has made a header of other text
		}
		normal, report := normalize(t, text, nil)
		checkNormal(t, text, normal, report)
		checkKept(t, text, normal)
		opts := &rewrite.InlineOptions{Resolver: w.resolver(), Attach: true, Select: func(ref *externalbody.Reference) bool { return ref.Dialect != "" }}
		got, report := inlineAll(t, text, opts)
		checkKept(t, text, got)
		if again, _ := inlineAll(t, got, opts); again != got || !report.Changed() && report.Items[0].Err == nil {
			t.Errorf("%s: got another message on a second run, want the same after %s", name, actions(report))
		}
	}
}
