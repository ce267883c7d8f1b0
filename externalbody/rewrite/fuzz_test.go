package rewrite_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"net/textproto"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/testkit"
)

// seeds are messages of many shapes.
func seeds() []string {
	one := ref("1", "Content-Type: text/plain; charset=utf-8\nContent-ID: <x@a.example>\n")
	two := ref("2", "Content-Type: image/png\nContent-ID: <x@a.example>\n")
	s := []string{
		mixed(one, two),
		mixed(one, ref("3", "Content-Type: multipart/mixed; boundary=b\n"), two+"\n\nTHIS IS NOT REALLY THE BODY!"),
		mixed("Content-Type: message/rfc822\n\nSubject: y\n" + one),
		mixed("Content-Type: multipart/signed; boundary=b2\n\n--b2\n" + one + "\n--b2\n\nsig\n--b2--"),
		mixed("Content-Type: multipart/alternative; boundary=b2\nContent-Transfer-Encoding: 7bit\n\n--b2\n" + one + "\n--b2\n" + two + "\n--b2"),
		mixed("Content-Type: image/png\nContent-Transfer-Encoding: base64\nContent-ID: <x@a.example>\n\naGVsbG8=", one),
		mixed("Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\nh=C3=A9llo=\n ="),
		"From x\r\nSubject: top\r\n" + crlf(one),
		"DKIM-Signature: x\r\n" + mixed("", "\n", "Content-Type: x/y\n\n\n"),
		"Content-Type: multipart/digest; boundary=b1\n\n--b1\n\n--b1\n\n\n--b1--",
		"", "x", "Subject: x\n\nhello\n",
		": x\nSubject: y\nBad Name: x\n folded\nMIME-Version: 1.0\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\naGVsbG8=\n",
		"Subject: y\nContent-Type: image/png\nno field\nContent-Transfer-Encoding: base64\n\naGVsbG8=\n",
	}
	for _, m := range slices.Clone(s) {
		s = append(s, strings.ReplaceAll(m, "\r\n", "\n"))
	}
	return s
}

// FuzzInline: a reference that is not selected is not changed; all outside the
// replaced parts is the same, octet for octet; the body is there, decoded; a second
// run changes nothing.
func FuzzInline(f *testing.F) {
	for _, s := range seeds() {
		for i, body := range []string{"", "hi\n", "a\r\nb", "\x00\x80", "caf\u00e9\n--b1\n", "--b\n\nx\n--b--\n", "Subject: z\n\n\u00e9", strings.Repeat("\x00\xff", 40_000)} {
			f.Add(s, body, byte(i*37))
		}
	}
	f.Fuzz(func(t *testing.T, text, body string, flags byte) {
		opts := &rewrite.InlineOptions{
			Resolver:         &externalbody.Resolver{Fetcher: serve(body)},
			Nested:           flags&1 != 0,
			Transport8bit:    flags&2 != 0,
			KeepAlternatives: flags&4 != 0,
			DropOuter:        flags&8 != 0,
			Location:         flags&16 != 0,
			Notice:           flags&32 != 0,
			Select:           func(*externalbody.Reference) bool { return false },
			TempDir:          os.TempDir(),
		}
		if got, _ := inline(t, text, opts); got != text {
			t.Fatalf("identity: got\n%q, want %q", got, text)
		}
		opts.Select = nil
		out, report := inline(t, text, opts)
		checkOutside(t, text, out, report, opts)
		checkFile(t, text, out, opts)
		if !report.Changed() && out != text {
			t.Fatalf("got\n%q\nwithout a change in the report, want\n%q", out, text)
		}
		checkBodies(t, out, report)
		exact := true // no body holds parts of its own, which a second run could find
		for _, item := range report.Items {
			exact = exact && !(item.Action == rewrite.Replaced && isContainer(item.Resolved.MediaType))
		}
		if !exact {
			return
		}
		again, second := inline(t, out, opts)
		if again != out {
			t.Fatalf("second run: got %s,\n%q\nwant after %s\n%q", actions(second), again, actions(report), out)
		}
	})
}

func isContainer(mediaType string) bool {
	return strings.HasPrefix(mediaType, "multipart") || strings.HasPrefix(mediaType, "message/")
}

// serve answers each request with the same body.
func serve(body string) fetch.Func { return serveAs("", body) }

func serveAs(mediaType, body string) fetch.Func {
	return func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
		return &fetch.Response{URL: req.URL, MediaType: mediaType, Size: int64(len(body)), Body: io.NopCloser(strings.NewReader(body))}, nil
	}
}

// checkOutside wants the octets outside of replaced parts, in order, in out.
func checkOutside(t *testing.T, text, out string, report *rewrite.Report, opts *rewrite.InlineOptions) {
	t.Helper()
	for _, item := range report.Items {
		if item.Encoding == "8bit" {
			return // labels around it were changed
		}
	}
	rest, at := out, int64(0)
	next := func(to int64) {
		piece := text[at:to]
		i := strings.Index(rest, piece)
		if i < 0 || at == 0 && i > 0 {
			t.Fatalf("%s: got\n%q\nwant %q in its place", actions(report), out, piece)
		}
		rest = rest[i+len(piece):]
	}
	// The References of the Items in the order of the message.
	var refs []*externalbody.Reference
	for _, item := range report.Items {
		if item.Action == rewrite.Replaced || item.Action == rewrite.Noticed {
			refs = append(refs, item.References...)
		}
	}
	index, _ := message.IndexOf(open(t, text).Reader())
	sections := index.Sections()
	part := func(ref *externalbody.Reference) *message.Part { return sections[ref.Section()] }
	slices.SortFunc(refs, func(a, b *externalbody.Reference) int {
		return int(part(a).Header.Start - part(b).Header.Start)
	})
	for _, ref := range refs {
		p := part(ref)
		start := p.Delimiter.Start
		if p.Parent == nil || p.Delimiter.Len() == 0 {
			start = p.Header.Start
		}
		next(start)
		at = p.Entity().End
	}
	if !strings.HasSuffix(rest, text[at:]) || at == 0 && rest != text {
		t.Fatalf("%s: got\n%q\nwant %q at the end", actions(report), out, text[at:])
	}
}

// checkBodies wants the decoded octets of each body that was inlined, or their
// text in canonical form, in the place that the report names.
func checkBodies(t *testing.T, out string, report *rewrite.Report) {
	t.Helper()
	for _, item := range report.Items {
		if len(item.References) > 1 {
			return // parts were removed: sections have changed
		}
	}
	for _, item := range report.Items {
		if item.Action != rewrite.Replaced || isContainer(item.Resolved.MediaType) {
			continue
		}
		w := newWeb()
		externalize(t, out, &rewrite.ExternalizeOptions{Store: w, Nested: true, Select: func(o *rewrite.Object) bool {
			return o.Section == item.Section
		}})
		if len(w.put) == 0 {
			continue // a part that is not externalized
		}
		got := w.bodies[w.base+"1"]
		forms := []string{got}
		if strings.HasPrefix(item.Resolved.MediaType, "text/") {
			lf := strings.ReplaceAll(got, "\r\n", "\n")
			forms = append(forms, lf, crlf(lf))
		}
		if !slices.ContainsFunc(forms, func(s string) bool {
			sum := sha256.Sum256([]byte(s))
			return bytes.Equal(sum[:], item.Resolved.SHA256)
		}) {
			t.Fatalf("%s %s: got the body %q in\n%q\nwant one of SHA-256 %x", item.Section, item.Encoding, got, out, item.Resolved.SHA256)
		}
	}
}

// FuzzRoundTrip: the bodies that Externalize took out, Inline puts back.
func FuzzRoundTrip(f *testing.F) {
	for i, s := range seeds() {
		f.Add(s, byte(i))
	}
	// The message within starts where the header ends, without an empty line.
	f.Add("Content-Type: message/rfc822\n0", byte(2))
	// Some programs read a header up to the empty line after the delimiter line.
	f.Add("Content-Type:multipart BOUNDARY=b1\ne\n--b1\n\n\n.", byte(0))
	f.Add("0:000000000\r0", byte(0))
	f.Add("Content-Type: multipart; BOUNDARY=b1\r0\n--b1\n\r\n00", byte(0))
	f.Add("Content-Type: *0/0\n\n0000", byte(0))
	// A delimiter line ends a header that goes on after a line that is not a field.
	f.Add("Content-Type: multipart; BOUNDARY=b1\n--b1\n\n\n--b1\n0\n--b1\n:", byte(0))
	f.Fuzz(func(t *testing.T, text string, flags byte) {
		opts := &rewrite.ExternalizeOptions{Store: newWeb(), Nested: true}
		if got, _ := externalize(t, text, opts); got != text {
			t.Fatalf("identity: got\n%q, want %q", got, text)
		}
		first := newWeb()
		opts.Select, opts.Store, opts.Twin = all, first, flags&1 != 0
		out, report := externalize(t, text, opts)
		back, inlined := inline(t, out, &rewrite.InlineOptions{
			Resolver:      first.resolver(),
			Nested:        true,
			Transport8bit: flags&2 != 0,
			TempDir:       os.TempDir(),
		})
		second := newWeb()
		opts.Store = second
		_, again := externalize(t, back, opts)
		if a, b := stored(first), stored(second); !slices.Equal(a, b) {
			t.Fatalf("%s; %s; %s: got stored\n%q\nwant\n%q\nof\n%q\n%q\n%q", actions(report), actions(inlined), actions(again), b, a, text, out, back)
		}
	})
}

// stored returns the bodies that were put, in order, with its type and name.
func stored(w *web) []string {
	var s []string
	for i, o := range w.put {
		s = append(s, o.MediaType+" "+o.Name+" "+o.Disposition+"\n"+w.bodies[fmt.Sprint(w.base, i+1)])
	}
	return s
}

// TestTree: other readers see the same tree with the same bodies, before and
// after.
func TestTree(t *testing.T) {
	for i, text := range seeds() {
		if strings.HasPrefix(text, "From ") || strings.Contains(text, "alternative") || text == "" || text == "x" || isDamaged(text) {
			continue // net/mail and go-message refuse these themselves
		}
		w := newWeb()
		out, _ := externalize(t, text, &rewrite.ExternalizeOptions{Store: w, Select: all})
		back, _ := inline(t, out, &rewrite.InlineOptions{Resolver: w.resolver()})
		if a, b := standard(t, text), standard(t, back); !slices.Equal(a, b) {
			t.Errorf("%d: mime/multipart: got %q, want %q", i, b, a)
		}
		before, after := leaves(t, text), leaves(t, back)
		if len(before) != len(after) {
			t.Errorf("%d: got %d parts, want %d", i, len(after), len(before))
			continue
		}
		for j := range before {
			if before[j].body != after[j].body || before[j].mediaType != after[j].mediaType && before[j].mediaType != "" {
				t.Errorf("%d: got %q, want %q", i, after[j], before[j])
			}
		}
	}
}

// isDamaged reports whether the header of a text has a line that is not a field, which
// net/mail and go-message refuse.
func isDamaged(text string) bool {
	return strings.Contains(text, "Bad Name") || strings.Contains(text, "no field")
}

// standard returns the decoded leaves that net/mail and mime/multipart find,
// one of type message/rfc822 as a whole.
func standard(t *testing.T, text string) []string {
	t.Helper()
	m, err := mail.ReadMessage(strings.NewReader(text))
	if err != nil {
		t.Fatalf("net/mail: got error %v, want none", err)
	}
	var found []string
	var walk func(h textproto.MIMEHeader, r io.Reader)
	walk = func(h textproto.MIMEHeader, r io.Reader) {
		mediaType, params, _ := mime.ParseMediaType(h.Get("Content-Type"))
		if strings.HasPrefix(mediaType, "multipart/") {
			mr := multipart.NewReader(r, params["boundary"])
			for {
				p, err := mr.NextRawPart()
				if err == io.EOF {
					return
				}
				if err != nil {
					t.Fatalf("mime/multipart: got error %v, want none", err)
				}
				walk(p.Header, p)
			}
		}
		switch h.Get("Content-Transfer-Encoding") {
		case "base64":
			r = base64.NewDecoder(base64.StdEncoding, r)
		case "quoted-printable":
			r = quotedprintable.NewReader(r)
		}
		b, err := io.ReadAll(r)
		if err != nil {
			t.Fatalf("%s: got error %v, want none", mediaType, err)
		}
		found = append(found, string(b))
	}
	walk(textproto.MIMEHeader(m.Header), m.Body)
	return found
}

// TestCorpus: real messages go through both directions.
func TestCorpus(t *testing.T) {
	for name, text := range testkit.Corpus(t) {
		opts := &rewrite.InlineOptions{Resolver: &externalbody.Resolver{Fetcher: serve("hello\n")}, Nested: true}
		out, report := inline(t, text, opts)
		checkOutside(t, text, out, report, opts)
		w := newWeb()
		ext := &rewrite.ExternalizeOptions{Store: w, Select: all, Nested: true}
		out, _ = externalize(t, text, ext)
		back, _ := inline(t, out, &rewrite.InlineOptions{Resolver: w.resolver(), Nested: true})
		again := newWeb()
		ext.Store = again
		externalize(t, back, ext)
		if !slices.Equal(stored(w), stored(again)) {
			t.Errorf("%s: got stored %q, want %q", name, stored(again), stored(w))
		}
	}
}
