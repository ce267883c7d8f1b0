package rewrite_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/fetch"
)

// sealOf returns the result of Seal.
func sealOf(t testing.TB, text string, opts *rewrite.SealOptions) (string, *rewrite.Report, error) {
	t.Helper()
	m, err := externalbody.Open(strings.NewReader(text), int64(len(text)), nil)
	if m == nil {
		t.Fatal(err)
	}
	var b strings.Builder
	report, err := rewrite.Seal(t.Context(), &b, m, opts)
	return b.String(), report, err
}

// loaded returns the URLs that a message loads.
func loaded(t testing.TB, text string) (urls []string) {
	t.Helper()
	all, err := rewrite.Loads(strings.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range all {
		urls = append(urls, l.Kind+" "+l.URL)
	}
	return urls
}

// A Load has the place of its URL in the decoded part.
func TestLoads(t *testing.T) {
	const html = `<p>caf=E9 <img alt=3D"x" src=3D"http://a.example/1"><link rel=3Dstylesheet href=3D//a.example/2><script>x</script><img src=3Dx>`
	text := "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nhttp://a.example/0\n--b\nContent-Type: text/html; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\n" + html + "\n--b--\n"
	all, err := rewrite.Loads(strings.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	decoded := strings.NewReplacer("=3D", "=", "=E9", "\xe9").Replace(html)
	place := func(url string) (start, end int64) {
		start = int64(strings.Index(decoded, url))
		return start, start + int64(len(url))
	}
	first, second := rewrite.Load{Kind: "picture", URL: "http://a.example/1", Element: "img", Attr: "src", Section: "2"}, rewrite.Load{Kind: "style", URL: "https://a.example/2", Element: "link", Attr: "href", Section: "2"}
	first.Start, first.End = place("http://a.example/1")
	second.Start, second.End = place("//a.example/2")
	if want := []rewrite.Load{first, second}; !slices.Equal(all, want) {
		t.Errorf("got %+v, want %+v", all, want)
	}
}

// Each thing that is loaded goes, in each transfer encoding, and nothing else does.
func TestSeal(t *testing.T) {
	const html = "<html><style>@import 'http://a.example/1'; p{color:red;background:url(http://a.example/2)}</style><p onload=x>caf\u00e9\r\n" +
		"<img alt=x src=http://a.example/3><iframe src=cid:x></iframe><script>x()</script><a href=\"http://a.example/4\">x</a><img src=cid:y><img src=z.png>\r\n"
	const want = "<html><style>@import 'about:blank'; p{color:red;background:url(about:blank)}</style><p onload=\"\">caf\u00e9\r\n" +
		"<img alt=x src=\"\"><iframe src=\"\"></iframe><script></script><a href=\"http://a.example/4\">x</a><img src=cid:y><img src=\"\">\r\n"
	const page = "Content-Type: text/html; charset=utf-8\r\n"
	located := strings.Replace(want, `y><img src=""`, "y><img src=z.png", 1)
	related := func(html, location string) string {
		return "Content-Type: multipart/related; boundary=b\r\n\r\n--b\r\n" + page + "\r\n" + html + "--b\r\nContent-Location: " + location + "\r\n\r\nx\r\n--b--\r\n"
	}
	for _, tt := range []struct {
		name, in, want string
		opts           rewrite.SealOptions
	}{
		{name: "8bit", in: page + "Content-MD5: x\r\n\r\n" + html, want: page + "\r\n" + want},
		{name: "Base64", in: page + "Content-Transfer-Encoding: base64\r\n\r\n" + asBase64(html, "\r\n"), want: page + "Content-Transfer-Encoding: base64\r\n\r\n" + asBase64(want, "\r\n")},
		{name: "Part", in: "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n" + page + "\r\n" + html + "--b--\r\n", want: "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n" + page + "\r\n" + want + "--b--\r\n"},
		{name: "Located", in: related(html, "z.png"), want: related(located, "z.png")},
		{name: "LocatedByURL", in: related(html, "http://a.example/x/z.png"), want: related(located, "http://a.example/x/z.png")},
		{name: "LocatedOther", in: related(html, "http://a.example/x/y.png"), want: related(want, "http://a.example/x/y.png")},
		{name: "Nested", in: "Content-Type: message/rfc822\r\n\r\n" + page + "\r\n" + html, want: "Content-Type: message/rfc822\r\n\r\n" + page + "\r\n" + want, opts: rewrite.SealOptions{Nested: true}},
		{name: "Nothing", in: page + "\r\n<p>x <img src=cid:x>", want: page + "\r\n<p>x <img src=cid:x>"},
		{name: "SignedNothing", in: "Content-Type: multipart/signed; boundary=b\r\n\r\n--b\r\n" + page + "\r\n<p>x\r\n--b\r\n\r\nsignature\r\n--b--\r\n", want: "Content-Type: multipart/signed; boundary=b\r\n\r\n--b\r\n" + page + "\r\n<p>x\r\n--b\r\n\r\nsignature\r\n--b--\r\n"},
		{name: "Delivery", in: "DKIM-Signature: x\r\n" + page + "\r\n" + html, want: "DKIM-Signature: x\r\n" + page + "\r\n" + want},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, report, err := sealOf(t, tt.in, &tt.opts)
			if err != nil || got != tt.want {
				t.Fatalf("got %v,\n%s\nwant\n%s", err, got, tt.want)
			}
			if all := loaded(t, got); len(all) > 0 {
				t.Errorf("got %q, want nothing loaded", all)
			}
			if report.Changed() != (got != tt.in) || report.Changed() != (len(report.Cut) > 0) {
				t.Errorf("got %s and %d cuts", actions(report), len(report.Cut))
			}
			if again, _, err := sealOf(t, got, &tt.opts); err != nil || again != got {
				t.Errorf("again: got %v,\n%s\nwant\n%s", err, again, got)
			}
		})
	}
}

// remotePicture and remotePage are a text/html that loads a picture.
const (
	remotePicture = "<img src=https://a.example/1.png>"
	remotePage    = "Content-Type: text/html\n\n" + remotePicture + "\n"
)

// An uneditable message has a text that loads a picture and cannot be edited, and want is why.
type uneditable struct {
	name, text string
	at         rewrite.Place
	nested     bool
	want       fetch.Kind
}

func uneditables() []uneditable {
	return []uneditable{
		{name: "Signed", text: "Content-Type: multipart/signed; boundary=b\n\n--b\n" + remotePage + "\n--b\n\nsignature\n--b--\n", want: fetch.Denied},
		{name: "Transit", text: "DKIM-Signature: x\n" + remotePage, at: rewrite.Transit, want: fetch.Denied},
		{name: "Nested", text: "Content-Type: message/rfc822\n\n" + remotePage, want: fetch.Denied},
		{name: "Hidden", text: "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n" + asBase64(remotePage, "\n"), nested: true, want: fetch.Unsupported},
		{name: "UTF16", text: "Content-Type: text/html; charset=utf-16\nContent-Transfer-Encoding: base64\n\n" + asBase64("<\x00"+strings.Join(strings.Split(remotePicture[1:], ""), "\x00")+"\x00", "\n"), want: fetch.Unsupported},
		{name: "UUEncode", text: "Content-Type: text/html\nContent-Transfer-Encoding: x-uuencode\n\nbegin 644 x\nA/&EM9R!S<F,]:'1T<',Z+R]A+F5X86UP;&4O,2YP;F<^\n`\nend\n", want: fetch.Unsupported},
		{name: "LineEnds", text: "Content-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\na=0Db" + strings.ReplaceAll(remotePicture, "=", "=3D") + "\n", want: fetch.Unsupported},
	}
}

// A message that cannot be sealed is an error, and nothing is written.
func TestSealRefused(t *testing.T) {
	for _, tt := range append(uneditables(),
		uneditable{name: "Encrypted", text: "Content-Type: multipart/encrypted; boundary=b\n\n--b\n\nx\n--b--\n", want: fetch.Unsupported},
	) {
		t.Run(tt.name, func(t *testing.T) {
			got, _, err := sealOf(t, tt.text, &rewrite.SealOptions{At: tt.at, Nested: tt.nested})
			if got != "" || !errors.Is(err, tt.want) {
				t.Errorf("got %v and %q, want %v and nothing", err, got, tt.want)
			}
		})
	}
}

// FuzzSeal: the output loads nothing, a message that loads nothing stays as it is, and outside of the
// texts that are cut no octet changes.
func FuzzSeal(f *testing.F) {
	f.Add("Content-Type: text/html; charset=utf-8", shownHTML)
	f.Add("Content-Type: text/html\nContent-Transfer-Encoding: quoted-printable", quoted(shownHTML))
	f.Add("Content-Type: text/html; charset=iso-2022-jp", "<img alt='\x1b$B%F\x1b(B' src=https://a.example/1.png>")
	f.Add("Content-Type: text/html; charset=shift_jis", "<p style=\"font-family:'\x83e\x83X';background:url(https://a.example/1.png)\"><style>\x83\\{b:url(//a.example/2)}</style>")
	f.Add("Content-Type: text/html", "<svg><style>p{b:url(&#104;ttp://a.example/1)}<!-- --></style><iframe srcdoc='<img src=//a.example/2>'><script>x<!--<script>")
	f.Add("Content-Type: multipart/mixed; boundary=b", "--b\nContent-Type: text/html\n\n<link rel=icon href=//a.example/1>\n--b\nContent-Type: text/html\n\n<p>\n--b--")
	f.Fuzz(func(t *testing.T, header, body string) {
		text := header + "\n\n" + body
		m, err := externalbody.Open(strings.NewReader(text), int64(len(text)), nil)
		if m == nil || err != nil {
			return
		}
		var b strings.Builder
		report, err := rewrite.Seal(t.Context(), &b, m, &rewrite.SealOptions{Nested: true, TempDir: os.TempDir()})
		if err != nil {
			if b.Len() > 0 {
				t.Fatalf("got %q with %v, want nothing", b.String(), err)
			}
			return
		}
		got := b.String()
		if all := loaded(t, got); len(all) > 0 {
			t.Fatalf("got %q from\n%q\nof\n%q", all, got, text)
		}
		if !report.Changed() && got != text {
			t.Fatalf("got\n%q\nwithout a change, want\n%q", got, text)
		}
		if again, second, err := sealOf(t, got, &rewrite.SealOptions{Nested: true}); err != nil || again != got {
			t.Fatalf("again: got %v, %s,\n%q\nwant\n%q", err, fmt.Sprint(second.Cut), again, got)
		}
	})
}
