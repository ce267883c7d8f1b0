package rewrite_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"mime"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/fetch"
)

const (
	documentURL = "https://1drv.ms/b/s!A" // the body of documentField and chip
	chip        = "<" + documentURL + ">"
)

// TestAttach has the scenarios of testdata/attach, in which the file is "\x00pdf" (RW-10,
// RW-12, RW-13, RW-16, RW-20).
func TestAttach(t *testing.T) {
	runScenarios(t, "attach", func(t *testing.T, s *scenario) {
		w := newWeb(documentURL, "\x00pdf")
		opts := &rewrite.InlineOptions{Resolver: w.resolver(), Attach: true, Nested: true}
		got, report := inlineAll(t, s.before, opts)
		s.check(t, got, report)
		item := report.Items[0]
		if id := item.References[0].ID; item.Encoding != "base64" || item.Section != id || item.Resolved.Bytes != 4 {
			t.Errorf("got %+v, want base64, section %s, 4 octets", item, id)
		}
		if again, second := inlineAll(t, got, opts); again != got || len(w.asked) != 1 {
			t.Errorf("again: got %s, asked %q,\n%q\nwant 1 of them,\n%q", actions(second), w.asked, again, got)
		}
		switch s.name {
		case "EightBit", "NotClosed", "Nested": // which others refuse, or do not look into
		default:
			checkTree(t, s.before, got)
		}
		// Without Attach, and without Nested, the references stay.
		opts.Attach = false
		if same, report := inlineAll(t, s.before, opts); same != s.before || !errors.Is(report.Items[0].Err, fetch.Unsupported) {
			t.Errorf("left: got %v,\n%q\nwant %v,\n%q", report.Items[0].Err, same, fetch.Unsupported, s.before)
		}
		opts.Attach, opts.Nested = true, false
		if same, report := inlineAll(t, s.before, opts); s.name == "Nested" && (same != s.before || !errors.Is(report.Items[0].Err, fetch.Denied)) {
			t.Errorf("nested: got %v,\n%q\nwant %v,\n%q", report.Items[0].Err, same, fetch.Denied, s.before)
		}
		checkNormalized(t, s.before, got, w)
	})
}

// checkTree wants other readers to see the leaves of text in got, in their order,
// and one more with the body "\x00pdf".
func checkTree(t *testing.T, text, got string) {
	t.Helper()
	before, after := leaves(t, text), leaves(t, got)
	i := slices.IndexFunc(after, func(l leaf) bool { return l.body == "\x00pdf" })
	if i < 0 || !slices.Equal(slices.Delete(after, i, i+1), before) {
		t.Errorf("go-message: got %q, want %q and the file", after, before)
	}
	a, b := standard(t, text), standard(t, got)
	a = slices.DeleteFunc(a, func(s string) bool { return s == "" }) // the multiparts
	b = slices.DeleteFunc(b, func(s string) bool { return s == "" })
	i = slices.Index(b, "\x00pdf")
	if i < 0 || !slices.Equal(slices.Delete(b, i, i+1), a) {
		t.Errorf("mime/multipart: got %q, want %q and the file", b, a)
	}
}

// checkNormalized wants the output of Inline for a normalized message to be the
// message with the bodies attached, except for boundaries.
func checkNormalized(t testing.TB, text, attached string, w *web) {
	t.Helper()
	normal, _ := normalize(t, text, &rewrite.NormalizeOptions{Nested: true})
	got, report := inlineAll(t, normal, &rewrite.InlineOptions{Resolver: w.resolver(), Nested: true})
	a, b := madeBoundary.ReplaceAllString(got, "$1"), madeBoundary.ReplaceAllString(attached, "$1")
	if b = strings.ReplaceAll(b, "Content-Disposition: attachment\r\n", ""); strings.ReplaceAll(b, "Content-Disposition: attachment\n", "") != a {
		t.Errorf("normalized and inlined: got %s,\n%q\nwant what attaching makes\n%q", actions(report), got, attached)
	}
	asked := len(w.asked)
	if again, report := inlineAll(t, got, &rewrite.InlineOptions{Resolver: w.resolver(), Nested: true, Attach: true}); again != got || len(w.asked) != asked {
		t.Errorf("%s: attached again:\n%q, want %q", actions(report), again, got)
	}
	if again, report := normalize(t, attached, &rewrite.NormalizeOptions{Nested: true}); again != attached {
		t.Errorf("%s: attached, then normalized:\n%q, want %q", actions(report), again, attached)
	}
}

// TestAttachHeader has the header of an attached part.
func TestAttachHeader(t *testing.T) {
	item := strings.Replace(fileItem, "plan.odt", "plan.txt", 1)
	text := mixed("Content-Type: text/html\n\n" + item)
	const body = "caf\u00e9 au lait, and more text that is not\r\n--b1\r\n"
	got, report := inlineAll(t, text, &rewrite.InlineOptions{
		Resolver:      &externalbody.Resolver{Fetcher: serveAs("text/plain; charset=utf-8", body)},
		Attach:        true,
		Location:      true,
		Transport8bit: true,
		ResultField:   "X-Result",
	})
	want := strings.Replace(mixed("Content-Type: text/html\n\n"+item, `Content-Type: text/plain; charset=utf-8
Content-Disposition: attachment; filename=plan.txt
Content-ID: <`+report.Items[0].Section+`@extbody.invalid>
Content-Transfer-Encoding: base64
X-Result: inlined; access-type=url; verified=none; bytes=48;
 sha256=SUM; Thu,
 01 Jan 1970 00:00:00 +0000

Y2Fmw6kgYXUgbGFpdCwgYW5kIG1vcmUgdGV4dCB0aGF0IGlzIG5vdA0KLS1iMQ0K`), "SUM", fmt.Sprintf("%x", sha256.Sum256([]byte(body))), 1)
	if undated(got) != undated(want) {
		t.Errorf("%v: got\n%s\nwant\n%s", report.Items[0].Err, got, want)
	}
}

// TestAttachSeveral has several bodies at one place, in order, one that cannot be
// had, and a reference in the standard form, whose label is raised, around all of
// which a multipart is made.
func TestAttachSeveral(t *testing.T) {
	text := crlf("MIME-Version: 1.0\nContent-Type: multipart/related; boundary=r\n\n--r\n\n" + chip + "\n<https://1drv.ms/b/s!B>\n<https://1drv.ms/b/s!C>\n--r\n" +
		ref("x", "Content-Type: text/plain; charset=utf-8\nContent-ID: <x@a.example>\n") + "\n--r--\n")
	w := newWeb("x", "\u00e9", documentURL, "1")
	w.bodies["https://1drv.ms/b/s!C"] = "3"
	dir := t.TempDir()
	opts := &rewrite.InlineOptions{Resolver: w.resolver(), Attach: true, Transport8bit: true, Notice: true, TempDir: dir}
	got, report := inlineAll(t, text, opts)
	var what []string
	for _, i := range report.Items {
		what = append(what, i.Action.String())
	}
	if strings.Join(what, " ") != "added failed added replaced" || !errors.Is(report.Items[1].Err, fetch.NotFound) {
		t.Fatalf("got %s, %v, %v, %v, want %v", actions(report), report.Items[0].Err, report.Items[1].Err, report.Items[3].Err, fetch.NotFound)
	}
	head, _, _ := strings.Cut(got, "\r\n\r\n")
	if !strings.Contains(head, "multipart/mixed") || !strings.HasSuffix(head, "\r\nContent-Transfer-Encoding: 8bit") || strings.Count(got, "Content-Transfer-Encoding: 8bit\r\n") != 3 {
		t.Errorf("got\n%s\nwant multipart/mixed, and 8bit on top and on two parts", got)
	}
	var bodies []string
	for _, l := range leaves(t, got) {
		bodies = append(bodies, l.body)
	}
	if !slices.Equal(bodies[1:], []string{"\u00e9", "1", "3"}) {
		t.Errorf("got bodies %q, want %q, in\n%s", bodies[1:], []string{"\u00e9", "1", "3"}, got)
	}
	checkDirect(t, text, got, opts)
}

// checkDirect wants the same output, except for boundaries, in a file.
func checkDirect(t testing.TB, text, want string, opts *rewrite.InlineOptions) {
	t.Helper()
	f := &memFile{}
	if _, err := rewrite.Inline(t.Context(), f, openAll(t, text), opts); err != nil {
		t.Fatal(err)
	}
	if got := string(f.b); madeBoundary.ReplaceAllString(got, "$1") != madeBoundary.ReplaceAllString(want, "$1") {
		t.Errorf("in a file:\n%q\nwant\n%q", got, want)
	}
}

// TestAttachDirect: bodies before a part that is added, and after it, come into a
// file as into anything else.
func TestAttachDirect(t *testing.T) {
	one := ref("x", "Content-Type: image/png\nContent-ID: <x@a.example>\n")
	two := strings.ReplaceAll(one, "<x@", "<y@")
	w := newWeb("x", strings.Repeat("\x00\n", 100_000), documentURL, "\x00pdf")
	opts := &rewrite.InlineOptions{Resolver: w.resolver(), Attach: true, TempDir: t.TempDir()}
	for _, text := range []string{
		mixed(one, "\n"+chip, two),
		crlf(documentField) + mixed(one, two),
		mixed("\n"+chip, one),
		strings.Replace(mixed(one, "\n"+chip, two), "mixed", "related", 1),
		strings.Replace(mixed(one, "Content-Type: multipart/mixed; boundary=b2\n\n--b2\n\n"+chip+"\n--b2\n"+two), "\r\n--b1--\r\nepilogue", "", 1),
	} {
		got, report := inlineAll(t, text, opts)
		if len(added(report)) != 1 || len(report.Items) != 3 && !strings.Contains(actions(report), "replaced") {
			t.Errorf("got %s, want 1 added and 3 items or one replaced", actions(report))
		}
		checkDirect(t, text, got, opts)
	}
}

// TestAttachUntouched: where no part may be added no host is asked for its body
// (RW-13, RW-14, RW-22).
func TestAttachUntouched(t *testing.T) {
	head := documentField + "Subject: x\n"
	for _, c := range []struct {
		name, text string
		opts       rewrite.InlineOptions
		want       error
	}{
		{"SignedRoot", head + "Content-Type: multipart/signed; boundary=b\n\n--b\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\nx\n--c--\n--b\n\ny\n--b--\n", rewrite.InlineOptions{}, fetch.Denied},
		{"WithinSignedRoot", "Content-Type: multipart/signed; boundary=b\n\n--b\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\n" + chip + "\n--c--\n--b\n\ny\n--b--\n", rewrite.InlineOptions{}, fetch.Denied},
		{"SignedAround", "Content-Type: multipart/signed; boundary=b\n\n--b\nContent-Type: message/rfc822\n\n\n" + chip + "\n--b\n\ny\n--b--\n", rewrite.InlineOptions{Nested: true}, fetch.Denied},
		{"Encrypted", head + "Content-Type: multipart/encrypted; boundary=b\n\n--b\n\nx\n--b--\n", rewrite.InlineOptions{}, fetch.Denied},
		{"SMIME", head + "Content-Type: application/x-pkcs7-mime\n\nx", rewrite.InlineOptions{}, fetch.Denied},
		{"Transit", head + "ARC-Seal: i=1\n\nx", rewrite.InlineOptions{At: rewrite.Transit}, fetch.Denied},
		{"NoBlankLine", "From x@a.example\nSubject: x\nSee " + chip + "\n", rewrite.InlineOptions{}, fetch.Malformed},
		{"SameBoundary", "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: multipart/alternative; boundary=b\n\n--b\n\n" + chip + "\n", rewrite.InlineOptions{}, fetch.Malformed},
		{"ClosingBoundary", "Content-Type: multipart/mixed; boundary=b--\n\n--b--\nContent-Type: multipart/alternative; boundary=b\n\n--b\n\n" + chip + "\n", rewrite.InlineOptions{}, fetch.Malformed},
		{"NotSelected", head + "\nx", rewrite.InlineOptions{Select: func(*externalbody.Reference) bool { return false }}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWeb(documentURL, "hi")
			c.opts.Resolver, c.opts.Attach, c.opts.Notice = w.resolver(), true, true
			got, report := inlineAll(t, c.text, &c.opts)
			if got != c.text || len(w.asked) > 0 || len(report.Items) != 1 || report.Changed() || !errors.Is(report.Items[0].Err, c.want) {
				t.Errorf("got %q asked for, %+v,\n%s\nwant nothing asked for, one item with %v,\n%s", w.asked, report.Items, got, c.want, c.text)
			}
		})
	}
}

// TestAttachToTwin: a message that is a reference with its texts gets its own body
// first.
func TestAttachToTwin(t *testing.T) {
	w := newWeb(documentURL, "\x00pdf")
	text, _ := externalize(t, crlf(documentField+"Content-Type: image/png\n\nx"), &rewrite.ExternalizeOptions{Store: w, Select: all, Twin: true})
	opts := &rewrite.InlineOptions{Resolver: w.resolver(), Attach: true}
	first, report := inlineAll(t, text, opts)
	if actions(report) != report.Items[0].Section+" left,  replaced" || !errors.Is(report.Items[0].Err, fetch.Unsupported) {
		t.Fatalf("got %s %v, want %s, %v", actions(report), report.Items[0].Err, report.Items[0].Section+" left,  replaced", fetch.Unsupported)
	}
	if _, report := inlineAll(t, first, opts); len(added(report)) != 1 {
		t.Errorf("got %s, %v, want 1 added", actions(report), report.Items[0].Err)
	}
}

// TestAttachAfterCR: a CR at the end of the octets before does not become part of a
// line end.
func TestAttachAfterCR(t *testing.T) {
	w := newWeb(documentURL, "\x00pdf")
	for _, text := range []string{
		"Subject: x\n\n" + chip + "\r",
		"Content-Type: multipart/mixed; boundary=o\n\n--o\n\n" + chip + "\r",
		"Content-Type: multipart/mixed; boundary=o\n\n--o\n\n" + chip + "\r\r\n--o--\n",
	} {
		got, _ := inlineAll(t, text, &rewrite.InlineOptions{Resolver: w.resolver(), Attach: true})
		if !strings.Contains(got, chip+"\r\r\n--") {
			t.Errorf("got\n%q\nwant all line ends of the part kept", got)
		}
		checkKept(t, text, got)
	}
}

// TestAttachOwnID: the Content-ID of a body is the Content-ID of the part that is
// added, if it can be written. The part that holds its place is not taken for the
// body, and of several that stand for one body none is removed.
func TestAttachOwnID(t *testing.T) {
	w := newWeb("f", "\x00f", "g", "\x00g", documentURL, "\x00pdf")
	detached := func(name, head, id string) string {
		return head + "Content-Disposition: attachment\nX-Mozilla-External-Attachment-URL: https://a.example/" + name +
			"\nX-Mozilla-Altered: AttachmentDetached; date=\"Thu Sep 25 19:08:57 2025\"\n\nx:\nContent-Type: a/b\nContent-ID: " + id + "\n"
	}
	const id = "<f@a.example>"
	for _, c := range []struct{ name, text, want string }{
		{"Own", mixed(detached("f", "", id)), "Content-ID: " + id},
		{"PlaceInMultipart", mixed(detached("f", "Content-ID: "+id+"\n", id)), "Content-ID: " + id},
		{
			"PlaceIsSecond",
			mixed("\n"+chip, strings.Replace(detached("f", "Content-ID: "+id+"\n", id), "https://a.example/f", documentURL, 1)),
			"Content-ID: " + id,
		},
		{"PlaceIsMessage", detached("f", "Content-ID: "+id+"\n", id), "Content-ID: " + id},
		{"Two", mixed(detached("f", "", id), detached("g", "", id)), "Content-ID: " + id},
		{"Blank", mixed(detached("f", "", "<f g@a.example>")), "Content-ID: <link-"},
		{"EightBit", mixed(detached("f", "", "<\u00e9@a.example>")), "Content-ID: <link-"},
	} {
		t.Run(c.name, func(t *testing.T) {
			opts := &rewrite.InlineOptions{Resolver: w.resolver(), Attach: true}
			got, report := inlineAll(t, c.text, opts)
			before, after := strings.Count(c.text, c.want), strings.Count(got, c.want)
			if len(added(report)) != 1 || after != before+1 {
				t.Errorf("got %s, %v,\n%s\nwant 1 added, and one more %q", actions(report), report.Items[0].Err, got, c.want)
			}
			checkKept(t, c.text, got)
			w.asked = nil
			if again, _ := inlineAll(t, got, opts); again != got || len(w.asked) > 0 {
				t.Errorf("second run: got %q asked for,\n%s\nwant nothing asked for,\n%s", w.asked, again, got)
			}
		})
	}
}

// TestAttachNamesItself: a body that names itself is added once.
func TestAttachNamesItself(t *testing.T) {
	asked := 0
	opts := &rewrite.InlineOptions{Attach: true, Resolver: &externalbody.Resolver{
		Fetcher: fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
			asked++
			return serveAs("text/plain", chip+"\r\n")(ctx, req)
		}),
	}}
	got, _ := inlineAll(t, mixed("\n"+chip), opts)
	if again, report := inlineAll(t, got, opts); again != got || asked != 1 {
		t.Errorf("%s, then\n%s, want %s", actions(report), again, got)
	}
}

// TestAttachName: a long name is folded, and other readers have it.
func TestAttachName(t *testing.T) {
	name := strings.Repeat("a  long name ", 12) + ".pdf"
	text := "Document-Reference: https%3a%2f%2f1drv.ms%2fb%2fs!A; FileName=" + strings.ReplaceAll(name, " ", "%20") + "\n" + mixed()
	w := newWeb(documentURL, "\x00pdf")
	got, _ := inlineAll(t, strings.ReplaceAll(text, "\r\n", "\n"), &rewrite.InlineOptions{Resolver: w.resolver(), Attach: true})
	_, part, _ := strings.Cut(got, "Content-Disposition")
	part, _, _ = strings.Cut("Content-Disposition"+part, "\nContent-ID")
	for line := range strings.Lines(part) {
		if len(strings.TrimRight(line, "\n")) > 78 {
			t.Errorf("got %d octets in %q, want at most 78", len(line), line)
		}
	}
	_, params, err := mime.ParseMediaType(strings.ReplaceAll(strings.TrimPrefix(part, "Content-Disposition: "), "\n", ""))
	if err != nil || params["filename"] != name {
		t.Errorf("got %q, %v in\n%s, want %q, nil", params["filename"], err, part, name)
	}
}

// TestAttachComposite: a multipart is added as it is, unless one of its boundaries
// hides those around it, a new one among them (RW-9, RW-11).
func TestAttachComposite(t *testing.T) {
	own := crlf("--own\n\nhi\n--own--\n")
	many := crlf("--own\n" + manyBoundaries() + "--own--\n")
	for _, c := range []struct {
		name, text, body string
		want             error
	}{
		{"Fits", chip, own, nil},
		{"Hides", chip, many, fetch.Unsupported},
		{"Beside", mixed("\n" + chip), many, nil},
		{"EightBit", mixed("\n" + chip), "--own\r\nContent-Type: multipart/signed; boundary=s\r\n\r\n--s\r\n\r\n\u00e9\r\n--s--\r\n--own--\r\n", fetch.Unsupported},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := c.text
			if text == chip {
				text = crlf("Subject: x\n\n" + chip)
			}
			got, report := inlineAll(t, text, &rewrite.InlineOptions{
				Attach: true, Transport8bit: true, Resolver: &externalbody.Resolver{Fetcher: serveAs("multipart/mixed; boundary=own", c.body)},
			})
			if item := report.Items[0]; !errors.Is(item.Err, c.want) || c.want != nil && got != text || c.want == nil && !strings.Contains(got, "Content-Transfer-Encoding: 7bit\r\n\r\n"+c.body) {
				t.Errorf("got %v,\n%s\nwant %v, or 7bit and\n%s", item.Err, got, c.want, c.body)
			}
		})
	}
}
