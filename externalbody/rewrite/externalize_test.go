package rewrite_test

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/fetch"
)

// TestExternalize: a part becomes a reference with its size, digest, identity
// and fields (RW-25, EB-16, UA-2, UA-3).
func TestExternalize(t *testing.T) {
	for _, c := range []struct {
		name, part, stored, want string
	}{
		{
			"Base64",
			"X-Own: kept\nContent-Type: image/png;\n name=\"a b.png\"\nContent-Transfer-Encoding: base64\nContent-Disposition: attachment\nContent-ID: <x@a.example>\n\naGVs\nbG8=\n",
			"hello",
			"X-Own: kept\nContent-Type: message/external-body; access-type=URL;\n\tURL=\"https://store.example/1\"; name=\"a b.png\"; size=5\nContent-Disposition: attachment; filename=\"a b.png\"\n\n" +
				"Content-Type: image/png;\n name=\"a b.png\"\nContent-Disposition: attachment\nContent-ID: <x@a.example>\nContent-MD5: XUFAKrxLKna5cZ2REBfFkg==\n\n",
		},
		{
			"QuotedPrintable",
			"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\nContent-ID: <x@a.example>\n\n=C3=A9=\n",
			"\u00e9",
			"Content-Type: message/external-body; access-type=URL;\n\tURL=\"https://store.example/1\"; size=2\n\n" +
				"Content-Type: text/plain; charset=utf-8\nContent-ID: <x@a.example>\nContent-MD5: MD5\n\n",
		},
		{
			"Text",
			"Content-ID: <x@a.example>\n\na\nb\n",
			"a\r\nb\r\n",
			"Content-Type: message/external-body; access-type=URL;\n\tURL=\"https://store.example/1\"; size=6\n\n" +
				"Content-Type: text/plain\nContent-ID: <x@a.example>\nContent-MD5: MD5\n\n",
		},
		{
			"NoHeader",
			"\na\n",
			"a\r\n",
			"Content-Type: message/external-body; access-type=URL;\n\tURL=\"https://store.example/1\"; size=3\n\n" +
				"Content-Type: text/plain\nContent-ID: ID\nContent-MD5: MD5\n\n",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, eol := range []string{"\r\n", "\n"} {
				w := newWeb()
				text := strings.ReplaceAll(mixed(c.part, "Content-Type: x/y\n\nlast"), "\r\n", eol)
				got, report := externalize(t, text, &rewrite.ExternalizeOptions{
					Store:  w,
					Select: func(o *rewrite.Object) bool { return o.Section == "2" },
				})
				if stored := w.bodies["https://store.example/1"]; stored != strings.ReplaceAll(c.stored, "\r\n", eol) || actions(report) != "2 replaced" {
					t.Fatalf("%q: got %s, stored %q, want 2 replaced, %q", eol, actions(report), stored, strings.ReplaceAll(c.stored, "\r\n", eol))
				}
				want := c.want
				for _, name := range []string{"MD5", "ID"} {
					_, value, _ := strings.Cut(got, "Content-"+name+": ")
					value, _, _ = strings.Cut(value, eol)
					want = strings.Replace(want, name+": "+name+"\n", name+": "+value+"\n", 1)
				}
				sum := sha256.Sum256([]byte(c.stored)) // RFC 9530 section 3
				want = strings.TrimSuffix(want, "\n") + "Repr-Digest: sha-256=:" + base64.StdEncoding.EncodeToString(sum[:]) + ":\n\n"
				want = strings.ReplaceAll(mixed(want, "Content-Type: x/y\n\nlast"), "\r\n", eol)
				if got != want {
					t.Errorf("%q: got\n%q\nwant\n%q", eol, got, want)
				}
				for ref := range open(t, got).References() {
					if len(ref.Diags) > 0 {
						t.Errorf("%q: got diags %v, want none", eol, ref.Diags)
					}
				}
			}
		})
	}
}

// TestRoundTrip: Inline gives back, octet for octet, the parts that are
// written as it writes them and have a Content-ID and Content-MD5 (RW-25).
func TestRoundTrip(t *testing.T) {
	wrapped := strings.TrimSuffix(asBase64(strings.Repeat("\x00\xff\x80", 57), "\n"), "\n")
	const id = "Content-MD5: "
	ids := []string{"Content-ID:\n <2@a.example>\n", "Content-ID: <3@a.example>\n", "Content-ID:\t<4@a.example>\n"}
	text := mixed(
		"Content-Type:  text/plain;\tcharset=us-ascii\n"+ids[0]+id+md5sum("hello\r\nyou\r\n")+"\nContent-Transfer-Encoding: 7bit\n\nhello\nyou\n",
		"X-A: b\nContent-disposition: attachment;\n\tfilename=x\nContent-Type: application/x-own\n"+ids[1]+id+md5sum(strings.Repeat("\x00\xff\x80", 57))+"\nContent-Transfer-Encoding: base64\n\n"+wrapped,
		"Content-Type: text/plain; charset=utf-8\n"+ids[2]+id+"\n "+md5sum("With one \u00e9 in a long line of text that wants to be folded by a soft line break\r\n\r\n")+"\nContent-Transfer-Encoding: quoted-printable\n\nWith one =C3=A9 in a long line of text that wants to be folded by a soft li=\nne break\n\n",
	)
	for _, eol := range []string{"\r\n", "\n"} {
		text := strings.ReplaceAll(text, "\r\n", eol)
		w := newWeb()
		chosen := func(o *rewrite.Object) bool { return o.Section != "1" }
		out, report := externalize(t, text, &rewrite.ExternalizeOptions{Store: w, Select: chosen})
		if actions(report) != "2 replaced, 3 replaced, 4 replaced" {
			t.Fatalf("%q: got %s %v, want %s", eol, actions(report), report.Items, "2 replaced, 3 replaced, 4 replaced")
		}
		back, report := inline(t, out, &rewrite.InlineOptions{Resolver: w.resolver()})
		if back != text {
			t.Errorf("%q: %s, got\n%q\nwant\n%q", eol, actions(report), back, text)
		}
		out, _ = externalize(t, text, &rewrite.ExternalizeOptions{Store: w, Select: chosen, Twin: true})
		back, report = inline(t, out, &rewrite.InlineOptions{Resolver: w.resolver()})
		if back != text || strings.Count(out, "text/html") != 3 || actions(report) != "2 replaced, 3 replaced, 4 replaced" {
			t.Errorf("%q: with twins: %s, got\n%q\nwant\n%q", eol, actions(report), back, text)
		}
	}
}

// TestRoundTripConditions: the differences in a message that comes back, and does not keep
// one of the conditions of Externalize (RW-25).
func TestRoundTripConditions(t *testing.T) {
	const (
		one     = "MIME-Version: 1.0\n"
		fields  = "Content-Type: application/x-own\nContent-ID: <3@a.example>\nContent-MD5: T9ZMuAw/huHp0PVZr4s3Dw==\n"
		part    = fields + "Content-Transfer-Encoding: base64\n\nAP+A"
		nested  = "Content-Type: message/rfc822\n\nSubject: x\n"
		several = one + "Content-Type: multipart/mixed; boundary=b\n\n--b\n"
	)
	for _, c := range []struct{ name, text, old, new string }{
		{"Message", one + part + "\n", "", ""},
		{"MessageWithoutLineEnd", one + part, "", ""},
		{"LastPart", several + part + "\n", "", ""},
		{"LastPartWithoutLineEnd", several + part, "", ""},
		{"Part", mixed(part), "", ""},
		{"PartWithEmptyLine", mixed(part + "\n"), "AP+A\n", "AP+A"},
		{"ShortLines", mixed(strings.Replace(part, "AP+A", "AP\n+A", 1)), "AP\n+A", "AP+A"},
		{"QuotedPrintable", mixed(fields + "Content-Transfer-Encoding: quoted-printable\n\n=00=FF=80"), "quoted-printable\n\n=00=FF=80", "base64\n\nAP+A"},
		{"Nested", mixed(nested + one + part), "", ""},
		{"NestedWithoutVersion", mixed(nested + part), "Subject: x\n", "Subject: x\n" + one},
	} {
		for _, eol := range []string{"\n", "\r\n", "\n twin"} {
			eol, twin := strings.CutSuffix(eol, " twin")
			lines := func(s string) string { return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\n", eol) }
			text, w := lines(c.text), newWeb()
			own := func(o *rewrite.Object) bool { return o.MediaType == "application/x-own" }
			out, report := externalize(t, text, &rewrite.ExternalizeOptions{Store: w, Select: own, Nested: true, Twin: twin})
			if !strings.Contains(out, "message/external-body") {
				t.Fatalf("%s: got %s, want a reference", c.name, actions(report))
			}
			back, report := inline(t, out, &rewrite.InlineOptions{Resolver: w.resolver(), Nested: true})
			if want := strings.Replace(text, lines(c.old), lines(c.new), 1); back != want {
				t.Errorf("%s: %s, got\n%q\nwant\n%q", c.name, actions(report), back, want)
			}
		}
	}
}

// TestNames: the name of a body that was taken out is at the part itself, and
// nothing of it is left when the body is back (RFC 2183 section 2.3).
func TestNames(t *testing.T) {
	const end = "Content-ID: <x@a.example>\nContent-MD5: XUFAKrxLKna5cZ2REBfFkg==\nContent-Transfer-Encoding: 7bit\n\nhello"
	for _, c := range []struct{ name, fields, outer string }{
		{"None", "Content-Type: image/png\n", ""},
		{"Disposition", "Content-Type: image/png\nContent-Disposition: inline; filename=a.png; size=5\n", "inline; filename=a.png; size=5"},
		{"TypeOnly", "Content-Type: image/png; name=a.png\n", "attachment; filename=a.png"},
		{"Both", "Content-Type: image/png; name=a.png\nContent-Disposition: inline\n", "inline; filename=a.png"},
		{"NoName", "Content-Type: image/png\nContent-Disposition: inline\n", "inline"},
		{"UTF8", "Content-Type: image/png; name*=utf-8''%C3%A9.png\n", "attachment; filename*=utf-8''%C3%A9.png"},
		{"Path", "Content-Type: image/png; name=\"../a|b.png\"\n", "attachment; filename=a_b.png"},
	} {
		for _, fallback := range []bool{false, true} {
			text := mixed(c.fields + end)
			w := newWeb()
			out, report := externalize(t, text, &rewrite.ExternalizeOptions{Store: w, Twin: fallback, Select: func(o *rewrite.Object) bool { return o.Section == "2" }})
			if actions(report) != "2 replaced" {
				t.Fatalf("%s: got %s, want %s", c.name, actions(report), "2 replaced")
			}
			_, part, _ := strings.Cut(out, "Content-Type: message/external-body")
			part, _, _ = strings.Cut(part, "\r\n\r\n")
			if _, outer, _ := strings.Cut(part, "Content-Disposition: "); outer != c.outer {
				t.Errorf("%s: got %q, want %q", c.name, outer, c.outer)
			}
			back, report := inline(t, out, &rewrite.InlineOptions{Resolver: w.resolver()})
			if back != text {
				t.Errorf("%s: %s, back as\n%s\nwant\n%s", c.name, actions(report), back, text)
			}
		}
	}
	// The fields that a sender gave its own part stay.
	for _, outer := range []string{"inline; filename=a.png", "attachment; filename=b.png", "attachment; filename=a.png; size=5"} {
		text := mixed("Content-Type: message/external-body; access-type=URL; URL=\"https://a.example/x\"; name=a.png\nContent-Disposition: " + outer + "\n\nContent-Type: image/png; name=a.png\nContent-ID: <x@a.example>\n\n")
		if got, report := inline(t, text, &rewrite.InlineOptions{Resolver: newWeb("x", "hello").resolver()}); !strings.Contains(got, "Content-Disposition: "+outer) || !report.Changed() {
			t.Errorf("%s: got %s,\n%s\nwant a change that keeps that Content-Disposition", outer, actions(report), got)
		}
	}
}

// TestExternalizeRoot: the whole message can be the part.
func TestExternalizeRoot(t *testing.T) {
	w := newWeb()
	out, _ := externalize(t, crlf("Subject: x\nContent-Type: text/plain\nFrom: a\n\nhello\n"), &rewrite.ExternalizeOptions{Store: w, Select: all})
	if !strings.HasPrefix(out, crlf("Subject: x\nFrom: a\nMIME-Version: 1.0\nContent-Type: message/external-body;")) {
		t.Errorf("got\n%s\nwant the other fields, then message/external-body", out)
	}
	back, _ := inline(t, out, &rewrite.InlineOptions{Resolver: w.resolver()})
	if !strings.HasSuffix(back, "\r\n\r\nhello\r\n") || strings.Contains(back, "external-body") {
		t.Errorf("got back\n%s\nwant the text, and no message/external-body", back)
	}
}

// TestBlankInURL: white space in the URL of a Store is encoded, so that it is not
// taken for a fold (RFC 2017 section 3.1).
func TestBlankInURL(t *testing.T) {
	for blank, want := range map[string]string{" ": "%20", "\t": "%09", "\r\n": "%0D%0A", "\n": "%0A"} {
		w := newWeb()
		w.base = "https://store.example/a" + blank + "b/"
		out, report := externalize(t, mixed("Content-Type: x/y\n\nhello"), &rewrite.ExternalizeOptions{Store: w, Select: func(o *rewrite.Object) bool { return o.Section == "2" }})
		if actions(report) != "2 replaced" {
			t.Errorf("%q: got %s, %v, want %s", blank, actions(report), report.Items[0].Err, "2 replaced")
			continue
		}
		for ref := range open(t, out).References() {
			u, err := ref.Locate()
			if err != nil || u.String() != "https://store.example/a"+want+"b/1" {
				t.Errorf("%q: got %v, %v, want %q in it", blank, u, err, want)
			}
		}
	}
}

// TestNotExternalized: parts that stay, and why.
func TestNotExternalized(t *testing.T) {
	for _, c := range []struct {
		name, part string
		opts       rewrite.ExternalizeOptions
		web        *web
		want       string
	}{
		{"Signed", "Content-Type: multipart/signed; boundary=b2\n\n--b2\n\nx\n--b2\nContent-Type: application/pgp-signature\n\nsig\n--b2--", rewrite.ExternalizeOptions{}, &web{}, "signed"},
		{"Nested", "Content-Type: message/rfc822\n\n\nhi", rewrite.ExternalizeOptions{}, &web{}, "within the message"},
		{"Transit", "Content-Type: x/y\n\nhi", rewrite.ExternalizeOptions{At: rewrite.Transit}, &web{}, "transit"},
		{"OtherMD5", "Content-MD5: AAAAAAAAAAAAAAAAAAAAAA==\n\nhi", rewrite.ExternalizeOptions{}, &web{}, "Content-MD5"},
		{"SameID", "Content-Type: multipart/mixed; boundary=b2\n\n--b2\nContent-ID: <x>\nContent-Type: x/y\n\na\n--b2\nContent-ID:<x >\nContent-Type: message/rfc822\n\n\n--b2--", rewrite.ExternalizeOptions{Select: func(o *rewrite.Object) bool { return o.Section == "2.1" }}, &web{}, "same Content-ID"},
		{"EightBitField", "Content-Description: \u00e9\n\nhi", rewrite.ExternalizeOptions{}, &web{}, "7bit"},
		{"BadType", "Content-Type: x\n\nhi", rewrite.ExternalizeOptions{}, &web{}, "Content-Type"},
		{"UnknownEncoding", "Content-Transfer-Encoding: x-own\n\nhi", rewrite.ExternalizeOptions{}, &web{}, "encoding"},
		{"CutBase64", "Content-Transfer-Encoding: base64\n\naaaaa", rewrite.ExternalizeOptions{}, &web{}, "damaged"},
		{"Footer", "Content-Transfer-Encoding: base64\n\naGVsbG8=\n_____\nlist footer\n", rewrite.ExternalizeOptions{}, &web{}, "damaged"},
		{"Unpadded", "Content-Transfer-Encoding: base64\n\naGVsbG8\n", rewrite.ExternalizeOptions{}, &web{}, "damaged"},
		{"NoBase64", "Content-Transfer-Encoding: base64\n\nhello, world", rewrite.ExternalizeOptions{}, &web{}, "damaged"},
		{"BadQuotedPrintable", "Content-Transfer-Encoding: quoted-printable\n\nab\x01", rewrite.ExternalizeOptions{}, &web{}, "damaged"},
		{"StrayEqualSign", "Content-Transfer-Encoding: quoted-printable\n\n1+1=2 or so", rewrite.ExternalizeOptions{}, &web{}, "damaged"},
		{"EightBitQuotedPrintable", "Content-Transfer-Encoding: quoted-printable\n\ncaf\xe9", rewrite.ExternalizeOptions{}, &web{}, "damaged"},
		{"CutQuotedPrintable", "Content-Transfer-Encoding: quoted-printable\n\ncaf=", rewrite.ExternalizeOptions{}, &web{}, "damaged"},
		{"StoreFails", "\nhi", rewrite.ExternalizeOptions{}, &web{err: errBroken}, "broken"},
		{"Relative", "\nhi", rewrite.ExternalizeOptions{}, &web{base: "x/"}, "absolute"},
		{"Control", "\nhi", rewrite.ExternalizeOptions{}, &web{base: "https://store.example/\x00"}, "control character"},
		{"Password", "\nhi", rewrite.ExternalizeOptions{}, &web{base: "ftp://u:pw@h.example/"}, "password"},
		{"NoHost", "\nhi", rewrite.ExternalizeOptions{}, &web{base: "x-own:"}, "domain"},
		{"AddressHost", "\nhi", rewrite.ExternalizeOptions{}, &web{base: "http://[::1]/"}, "domain"},
		{"BadDomain", "\nhi", rewrite.ExternalizeOptions{Domain: "x\r\ny"}, &web{}, "domain"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := "DKIM-Signature: x\r\n" + mixed(c.part)
			c.web.bodies = make(map[string]string)
			if c.web.base == "" {
				c.web.base = "https://store.example/"
			}
			c.opts.Store = c.web
			if c.opts.Select == nil {
				c.opts.Select = func(o *rewrite.Object) bool { return o.Section != "1" }
			}
			got, report := externalize(t, text, &c.opts)
			if got != text || len(report.Items) != 1 {
				t.Fatalf("%s, got\n%s, want %s", actions(report), got, text)
			}
			if len(c.web.bodies) > 0 && c.want == "damaged" {
				t.Errorf("got %q stored, want nothing", c.web.bodies)
			}
			if err := report.Items[0].Err; err == nil || !strings.Contains(err.Error(), c.want) || fetch.KindOf(err) == 0 || c.want == "damaged" && !errors.Is(err, fetch.Malformed) {
				t.Errorf("got error %v, want one of a Kind that says %q", err, c.want)
			}
		})
	}
}

// TestChoice: parts are chosen by size or by a function, and nothing by
// default. Their names are safe (RW-24).
func TestChoice(t *testing.T) {
	enc := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("x", 100)))
	part := "Content-Type: x/y; name=\"=?utf-8?q?d=C3=A9/../p?=\"\nContent-Transfer-Encoding: base64\nContent-Disposition: Attachment\n\n" + enc[:76] + "\n" + enc[76:]
	text := mixed(part)
	for size, want := range map[int64]string{0: "", 100: "2 replaced", 103: ""} {
		w := newWeb()
		got, report := externalize(t, text, &rewrite.ExternalizeOptions{Store: w, MinSize: size})
		if actions(report) != want || got != text != (want != "") {
			t.Errorf("%d: got %s, want %s", size, actions(report), want)
		}
	}
	var seen []rewrite.Object
	externalize(t, text, &rewrite.ExternalizeOptions{Store: newWeb(), Select: func(o *rewrite.Object) bool {
		seen = append(seen, *o)
		return false
	}})
	want := rewrite.Object{Section: "2", MediaType: "x/y", Name: "p", Disposition: "attachment", Size: 102}
	if len(seen) != 2 || seen[1] != want {
		t.Errorf("got %+v, want 2 of them", seen)
	}
}

// TestObject: the body of an Object is read by any means.
func TestObject(t *testing.T) {
	var got string
	store := storeFunc(func(o *rewrite.Object) error {
		b := make([]byte, 3)
		for {
			n, err := o.Body.Read(b)
			got += string(b[:n])
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return err
			}
		}
	})
	text := strings.ReplaceAll(mixed("Content-ID: <x@a.example>\n\n\nlines\n\nof text\n"), "\r\n", "\n")
	chosen := func(o *rewrite.Object) bool { return o.Section == "2" }
	out, _ := externalize(t, text, &rewrite.ExternalizeOptions{Store: store, Select: chosen})
	if got != "\nlines\n\nof text\n" || !strings.Contains(out, "size=20") {
		t.Errorf("got %q, %s, want %q, size 20", got, out, "\nlines\n\nof text\n")
	}
	for name, f := range map[string]storeFunc{
		"Unread": func(*rewrite.Object) error { return nil },
		"Short":  func(o *rewrite.Object) error { _, err := io.ReadFull(o.Body, make([]byte, 16)); return err },
		"Writer": func(o *rewrite.Object) error { io.Copy(&brokenWriter{3}, o.Body); return nil },
	} {
		out, report := externalize(t, text, &rewrite.ExternalizeOptions{Store: f, Select: chosen})
		if out != text || actions(report) != "2 failed" || !strings.Contains(report.Items[0].Err.Error(), "did not read") {
			t.Errorf("%s: got %s, %v,\n%s\nwant 2 failed, did not read,\n%s", name, actions(report), report.Items[0].Err, out, text)
		}
	}
}

// TestNoStore: without a Store nothing is written, and there is an error.
func TestNoStore(t *testing.T) {
	m := open(t, mixed("Content-Type: x/y\n\nhi"))
	for _, opts := range []*rewrite.ExternalizeOptions{nil, {MinSize: 1}} {
		var b strings.Builder
		if report, err := rewrite.Externalize(t.Context(), &b, m, opts); fetch.KindOf(err) != fetch.Unsupported || b.Len() > 0 || report == nil || !strings.Contains(err.Error(), "ExternalizeOptions.Store") {
			t.Errorf("got %v, %d octets, %v, want %v with the field, nothing and a report", err, b.Len(), report, fetch.Unsupported)
		}
	}
}

// TestSourceFails: an error of the source is one of the call, not of a part.
func TestSourceFails(t *testing.T) {
	text := mixed("Content-Type: x/y\n\n" + strings.Repeat("x", 1_000_000))
	src := &failingReader{r: strings.NewReader(text)}
	m, err := externalbody.Open(src, int64(len(text)), nil)
	if err != nil {
		t.Fatal(err)
	}
	src.from = 300_000
	var b strings.Builder
	for name, opts := range map[string]*rewrite.ExternalizeOptions{
		"Store": {Store: newWeb(), MinSize: 1000},
		"Copy":  {Store: newWeb()},
	} {
		_, err := rewrite.Externalize(t.Context(), &b, m, opts)
		if !errors.Is(err, errBroken) || fetch.KindOf(err) != fetch.Local {
			t.Errorf("%s: got %v, want %v", name, err, errBroken)
		}
	}
}

// TestSourceShrinks: a message whose file was cut off after it was opened is not
// taken for a shorter one, wherever it was cut off.
func TestSourceShrinks(t *testing.T) {
	head := "Subject: s\nMIME-Version: 1.0\nContent-Type: x/y\nContent-Transfer-Encoding: "
	for _, body := range []string{"8bit\n\nthe whole body\n", "quoted-printable\n\nthe=20whole=20body\n", "base64\n\ndGhlIHdob2xlIGJvZHkK\n"} {
		text := head + body
		for cut := range len(text) {
			src := &shrinkingReader{strings.NewReader(text)}
			m, err := externalbody.Open(src, int64(len(text)), nil)
			if err != nil {
				t.Fatal(err)
			}
			src.r = strings.NewReader(text[:cut])
			var b strings.Builder
			_, err = rewrite.Externalize(t.Context(), &b, m, &rewrite.ExternalizeOptions{Store: newWeb(), Select: all})
			if fetch.KindOf(err) != fetch.Local || b.Len() > 0 {
				t.Errorf("%.6q cut off at %d: got %v and %q, want %v", body, cut, err, b.String(), fetch.Local)
			}
		}
	}
}

// A shrinkingReader is a file that may become another one.
type shrinkingReader struct{ r io.ReaderAt }

func (s *shrinkingReader) ReadAt(p []byte, off int64) (int, error) { return s.r.ReadAt(p, off) }
