package rewrite_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/fetch"
)

// TestInline: the part becomes the body that it stands for, and nothing else
// changes (RW-1, RW-4 to RW-7, RW-11, RW-12, RW-15 to RW-17).
func TestInline(t *testing.T) {
	lines := strings.Repeat("0123456789", 99) + "12345678"
	for _, c := range []struct {
		name    string
		phantom string
		body    string
		opts    rewrite.InlineOptions
		want    string // the entity
	}{
		{
			name:    "Text7bit",
			phantom: "Content-Type: text/plain; charset=us-ascii\nContent-ID: <x@a.example>\nX-Other: dropped\n",
			body:    "one\r\ntwo",
			want:    "Content-Type: text/plain; charset=us-ascii\nContent-ID: <x@a.example>\nContent-Transfer-Encoding: 7bit\n\none\ntwo",
		},
		{
			name:    "TextLF",
			phantom: "Content-Type: text/plain\nContent-ID: <x@a.example>\n",
			body:    "one\ntwo\n",
			want:    "Content-Type: text/plain\nContent-ID: <x@a.example>\nContent-Transfer-Encoding: base64\n\nb25lCnR3bwo=",
		},
		{
			name:    "Script",
			phantom: "Content-Type: text/x-sh\nContent-Disposition: attachment; size=21\n",
			body:    "#!/bin/sh\necho caf\u00e9\n",
			want:    "Content-Type: text/x-sh\nContent-Disposition: attachment; size=21\nContent-Transfer-Encoding: base64\n\nIyEvYmluL3NoCmVjaG8gY2Fmw6kK",
		},
		{
			name:    "LongestLine",
			phantom: "Content-Type: text/plain\n",
			body:    lines,
			want:    "Content-Type: text/plain\nContent-Transfer-Encoding: 7bit\n\n" + lines,
		},
		{
			name:    "QuotedPrintable",
			phantom: "Content-type:\ttext/plain;\n charset=utf-8\n",
			body:    "caf\u00e9 au lait, and more text that is not \r\n",
			want:    "Content-type:\ttext/plain;\n charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\ncaf=C3=A9 au lait, and more text that is not=20\n",
		},
		{
			name:    "DenseText",
			phantom: "Content-Type: text/plain; charset=utf-8\n",
			body:    "\u00e9\u00e9\r\n",
			want:    "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\nw6nDqQ0K",
		},
		{
			name:    "MixedLineEnds",
			phantom: "Content-Type: text/plain\n",
			body:    "a\r\nb\n",
			want:    "Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\nYQ0KYgo=",
		},
		{
			name:    "LoneCR",
			phantom: "Content-Type: text/plain\n",
			body:    "a\rb",
			want:    "Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\nYQ1i",
		},
		{
			name:    "WideCharset",
			phantom: "Content-Type: text/plain; charset=UTF-16BE\n",
			body:    "aa",
			want:    "Content-Type: text/plain; charset=UTF-16BE\nContent-Transfer-Encoding: base64\n\nYWE=",
		},
		{
			name:    "Binary",
			phantom: "Content-Type: image/png\nContent-Transfer-Encoding: binary\nContent-ID: <x@a.example>\n",
			body:    "\x89PNG\r\n\x1a\n",
			want:    "Content-Type: image/png\nContent-ID: <x@a.example>\nContent-Transfer-Encoding: base64\n\niVBORw0KGgo=",
		},
		{
			name:    "BinaryLF",
			phantom: "Content-Type: application/json\n",
			body:    "{\n}",
			want:    "Content-Type: application/json\nContent-Transfer-Encoding: base64\n\newp9",
		},
		{
			name:    "Binary7bit",
			phantom: "Content-Type: application/json\n",
			body:    "{\r\n}",
			want:    "Content-Type: application/json\nContent-Transfer-Encoding: 7bit\n\n{\n}",
		},
		{
			name:    "PhantomBase64",
			phantom: "Content-Transfer-Encoding: base64\nContent-Type: text/plain\n",
			body:    "aGVsbG8=",
			want:    "Content-Type: text/plain\nContent-Transfer-Encoding: 7bit\n\nhello",
		},
		{
			name:    "NoType",
			phantom: "Content-ID: <x@a.example>\n",
			body:    "hello",
			want:    "Content-Type: text/plain; charset=us-ascii\nContent-ID: <x@a.example>\nContent-Transfer-Encoding: 7bit\n\nhello",
		},
		{
			name:    "Empty",
			phantom: "Content-Type: image/png\n",
			want:    "Content-Type: image/png\nContent-Transfer-Encoding: 7bit\n\n",
		},
		{
			name:    "DispositionSize",
			phantom: "Content-Type: text/plain\nContent-Disposition: attachment; filename=\"a b\"; size=99\n",
			body:    "hello",
			want:    "Content-Type: text/plain\nContent-Disposition: attachment; filename=\"a b\"\nContent-Transfer-Encoding: 7bit\n\nhello",
		},
		{
			name:    "NoMD5OfComposite", // RW-15, IN-3
			phantom: "Content-Type: message/rfc822\nContent-MD5: AAAAAAAAAAAAAAAAAAAAAA==\n",
			body:    "Subject: x\r\n\r\nhi",
			want:    "Content-Type: message/rfc822\nContent-Transfer-Encoding: 7bit\n\nSubject: x\n\nhi",
		},
		{
			name:    "DispositionSizeOfText",
			phantom: "Content-Type: text/plain\nContent-Disposition: attachment;size=7\n",
			body:    "hello\r\n",
			want:    "Content-Type: text/plain\nContent-Disposition: attachment;size=7\nContent-Transfer-Encoding: 7bit\n\nhello\n",
		},
		{
			name:    "Clash",
			phantom: "Content-Type: text/plain\n",
			body:    "a\r\n--b1x\r\n",
			want:    "Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\nYQ0KLS1iMXgNCg==",
		},
		{
			name:    "Location",
			phantom: "Content-Type: text/plain\n",
			body:    "hello",
			opts:    rewrite.InlineOptions{Location: true},
			want:    "Content-Type: text/plain\nContent-Location: https://a.example/NAME\nContent-Transfer-Encoding: 7bit\n\nhello",
		},
		{
			name:    "LocationIsThere",
			phantom: "Content-Location: http://b.example/\nContent-Type: text/plain\n",
			body:    "hello",
			opts:    rewrite.InlineOptions{Location: true},
			want:    "Content-Location: http://b.example/\nContent-Type: text/plain\nContent-Transfer-Encoding: 7bit\n\nhello",
		},
		{
			name:    "ResultField",
			phantom: "Content-Type: text/plain\n",
			body:    "hello",
			opts:    rewrite.InlineOptions{ResultField: "X-Result"},
			want: "Content-Type: text/plain\nContent-Transfer-Encoding: 7bit\n" +
				"X-Result: inlined; access-type=url; verified=none; bytes=5;\n" +
				" sha256=2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824; Thu,\n" +
				" 01 Jan 1970 00:00:00 +0000\n\nhello",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWeb("NAME", c.body)
			c.opts.Resolver = w.resolver()
			for _, eol := range []string{"\r\n", "\n"} {
				if eol == "\n" && c.name == "Binary7bit" {
					continue // there the line end is data
				}
				text := strings.ReplaceAll(mixed(ref("NAME", c.phantom), "Content-Type: x/y\n\nlast"), "\r\n", eol)
				got, report := inline(t, text, &c.opts)
				want := strings.ReplaceAll(mixed(c.want, "Content-Type: x/y\n\nlast"), "\r\n", eol)
				if undated(got) != undated(want) {
					t.Errorf("%q: got\n%q\nwant\n%q", eol, got, want)
				}
				if actions(report) != "2 replaced" || report.Items[0].Err != nil || !report.Changed() {
					t.Errorf("%q: got %s, %v, want 2 replaced, nil", eol, actions(report), report.Items[0].Err)
				}
				asked := len(w.asked)
				if again, _ := inline(t, got, &c.opts); again != got || len(w.asked) != asked {
					t.Errorf("%q: a second run gives\n%q, want %q", eol, again, got)
				}
			}
		})
	}
}

// TestOwnFields: that holds for a message within the message, and for the fallback of a
// message; a part of a multipart has no name of its own to keep.
func TestOwnFields(t *testing.T) {
	one := "Subject: outer\n" + ref("x", "Subject: inner\nContent-Type: text/plain\n")
	w := newWeb("x", "hi")
	for name, c := range map[string]struct{ text, want string }{
		"Nested": {mixed("Content-Type: message/rfc822\n\n" + one), "Subject: outer"},
		"Part":   {mixed(one), "Subject: inner"},
	} {
		got, report := inline(t, c.text, &rewrite.InlineOptions{Resolver: w.resolver(), Nested: true})
		if !strings.Contains(got, c.want) || strings.Count(got, ": inner")+strings.Count(got, ": outer") != 1 {
			t.Errorf("%s: got %s,\n%s\nwant %q as the only Subject", name, actions(report), got, c.want)
		}
	}
	fallback, _ := externalize(t, crlf("Subject: outer\nContent-Type: image/png\n\nx"), &rewrite.ExternalizeOptions{Store: w, Select: all, Twin: true})
	got, report := inline(t, fallback, &rewrite.InlineOptions{Resolver: w.resolver()})
	if !strings.HasPrefix(got, "Subject: outer\r\n") || report.Items[0].Action != rewrite.Replaced {
		t.Errorf("twin: got %s,\n%s\nwant the outer Subject first, and the part replaced", actions(report), got)
	}
}

// TestOuterFields: the fields of the reference are overridden by the phantom header
// (RW-1 to RW-3), at the top of a message too, and a field that counts the octets
// of the reference goes (RW-15).
func TestOuterFields(t *testing.T) {
	const top = "From: a@a.example\nSubject: outer\nMIME-Version: 1.0\nLines: 7\n" +
		"Content-Type: message/external-body; access-type=URL; URL=\"https://a.example/x\"\n" +
		"Content-Description: outer\nContent-Disposition: attachment; size=7\nContent-Length: 77\nMessage-ID: <m@a.example>\n\n"
	for _, c := range []struct {
		name    string
		phantom string
		drop    bool
		want    string
	}{
		{
			"Kept", "Content-Type: text/plain\nContent-Disposition: inline\nX: y\n\n", false,
			"From: a@a.example\nSubject: outer\nMIME-Version: 1.0\nContent-Description: outer\nMessage-ID: <m@a.example>\n" +
				"Content-Type: text/plain\nContent-Disposition: inline\nContent-Transfer-Encoding: 7bit\n\nhi",
		},
		{
			"Replaced", "Subject: inner\nContent-Type: text/plain\nMessage-ID: <n@a.example>\nMIME-Version: 1.0\n\n", true,
			"From: a@a.example\n" +
				"Subject: inner\nContent-Type: text/plain\nMessage-ID: <n@a.example>\nMIME-Version: 1.0\nContent-Transfer-Encoding: 7bit\n\nhi",
		},
		{
			// Who wrote the reference does not rename the message.
			"Own", "Subject: inner\nContent-Type: text/plain\nMessage-ID: <n@a.example>\nMIME-Version: 2.0\nDate: today\nFrom: b@a.example\nEncrypted: PGP\n\n", false,
			"From: a@a.example\nSubject: outer\nMIME-Version: 1.0\nContent-Description: outer\nContent-Disposition: attachment\nMessage-ID: <m@a.example>\n" +
				"Content-Type: text/plain\nEncrypted: PGP\nContent-Transfer-Encoding: 7bit\n\nhi",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, _ := inline(t, crlf(top+c.phantom), &rewrite.InlineOptions{Resolver: newWeb("x", "hi").resolver(), DropOuter: c.drop})
			if got != crlf(c.want) {
				t.Errorf("got\n%s\nwant\n%s", got, crlf(c.want))
			}
		})
	}
}

// TestRawDigest: text whose digest is the digest of its LF form keeps that form
// (RW-8), and one of the CRLF form gets CRLF.
func TestRawDigest(t *testing.T) {
	for want, form := range map[string]string{"base64\r\n\r\nYQpiCg==": "a\nb\n", "7bit\r\n\r\na\r\nb\r\n": "a\r\nb\r\n"} {
		phantom := "Content-Type: text/plain\nContent-MD5: " + md5sum(form) + "\n"
		got, _ := inline(t, mixed(ref("x", phantom)), &rewrite.InlineOptions{Resolver: newWeb("x", "a\nb\n").resolver()})
		if !strings.Contains(got, want) || !strings.Contains(got, "Content-MD5") {
			t.Errorf("%q: got\n%s\nwant %q and Content-MD5", form, got, want)
		}
	}
}

// TestComposite: multiparts and messages come as they are or not at all (RW-9,
// RW-11).
func TestComposite(t *testing.T) {
	for _, c := range []struct {
		name, mediaType, body string
		eight                 bool
		want                  string // the encoding, or the error
	}{
		{"Message", "message/rfc822", "Subject: x\n\nhi\n", false, "7bit"},
		{"EightBitSigned", "message/rfc822", "DKIM-Signature: x\n\n\u00e9\n", false, "must not be encoded"},
		{"EightBitHeader", "message/rfc822", "Subject: \u00e9\n\n\u00e9\n", false, "must not be encoded"},
		{"Partial", "message/partial", "X: x\n\n\u00e9\n", false, "must not be encoded"},
		{"EightBitAllowed", "message/rfc822", "Subject: x\n\n\u00e9\n", true, "8bit"},
		{"Binary", "message/rfc822", "Content-Type: message/partial\n\na\rb\x00", true, "must not be encoded"},
		{"Multipart", "multipart/mixed; boundary=own", "--own\n\nhi\n--own--\n", false, "7bit"},
		{"SameBoundary", "multipart/mixed; boundary=b1", "--b1\n\nhi\n--b1--\n", false, "boundary"},
		{"LongerBoundary", "multipart/mixed; boundary=b12", "--b12\n\nhi\n--b12--\n", false, "boundary"},
		{"ShorterOwnBoundary", "multipart/mixed; boundary=b", "--b\n\nhi\n--b--\n", false, "boundary"},
		{"NoClash", "multipart/mixed; boundary=b2", "--b2\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\nhi\n--c--\n--b2--", false, "7bit"},
		{"ShorterInnerBoundary", "multipart/mixed; boundary=b2", "--b2\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nhi\n--b--\n--b2--", false, "boundary"},
		{"ShorterBoundary", "message/rfc822", "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nhi\n--b--\n", false, "boundary"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := mixed(ref("x", "Content-Type: "+c.mediaType+"\n"))
			got, report := inline(t, text, &rewrite.InlineOptions{Resolver: newWeb("x", c.body).resolver(), Transport8bit: c.eight})
			item := report.Items[0]
			if item.Action == rewrite.Failed {
				if !strings.Contains(item.Err.Error(), c.want) || got != text {
					t.Errorf("got %v,\n%s\nwant an error that says %q,\n%s", item.Err, got, c.want, text)
				}
				return
			}
			if item.Encoding != c.want || !strings.Contains(got, "Content-Transfer-Encoding: "+c.want+"\r\n\r\n"+crlf(c.body)+"\r\n--b1--") {
				t.Errorf("got %s,\n%s\nwant %s and the body", item.Encoding, got, c.want)
			}
		})
	}
}

// TestRecode: the parts of a multipart that does not fit the transport are
// encoded (RW-9), except those that must not be touched.
func TestRecode(t *testing.T) {
	body := "--b2\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\nX: y\n\nthe caf\u00e9 is closed\n" +
		"--b2\nContent-Type: image/png\n\na\r\x00\n--b2\n\n7bit\n--b2--"
	want := crlf("--b2\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\nX: y\n\ndGhlIGNhZsOpIGlzIGNsb3NlZA==\n" +
		"--b2\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\nYQ0A\n--b2\n\n7bit\n--b2--")
	want = strings.Replace(want, "base64\r\nX: y\r\n\r\ndGhlIGNhZsOpIGlzIGNsb3NlZA==", "quoted-printable\r\nX: y\r\n\r\nthe caf=C3=A9 is closed", 1)
	text := mixed(ref("x", "Content-Type: multipart/mixed; boundary=b2\n"), ref("y", "Content-Type: image/gif\n"))
	got, report := inline(t, text, &rewrite.InlineOptions{Resolver: newWeb("x", body, "y", "\x00").resolver()})
	if !strings.Contains(got, "7bit\r\n\r\n"+want+"\r\n--b1\r\n") || !strings.Contains(got, "\r\n\r\nAA==\r\n--b1--") {
		t.Errorf("got %s, %v,\n%q\nwant\n%q\nand the second part in base64", actions(report), report.Items[0].Err, got, want)
	}
	signed := strings.Replace(body, "--b2\n", "--b2\nContent-Type: multipart/signed; boundary=b3\n\n--b3\n\n\u00e9\n--b3--\n--b2\n", 1)
	got, report = inline(t, text, &rewrite.InlineOptions{Resolver: newWeb("x", signed).resolver()})
	if got != text || report.Items[0].Action != rewrite.Failed {
		t.Errorf("signed: %s, got\n%q, want %q", actions(report), got, text)
	}
}

// TestRaise: an 8bit body raises the labels around it (RW-10), once.
func TestRaise(t *testing.T) {
	one := ref("x", "Content-Type: text/plain; charset=utf-8\n")
	inner := "Content-Type: multipart/mixed; boundary=b2\nContent-transfer-encoding: 7bit (as\n yet)\n\n--b2\n" + one + "\n--b2\n" + one + "\n--b2--"
	got, report := inline(t, mixed(inner), &rewrite.InlineOptions{Resolver: newWeb("x", "\u00e9").resolver(), Transport8bit: true})
	body := "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n\u00e9"
	want := mixed("Content-Type: multipart/mixed; boundary=b2\nContent-Transfer-Encoding: 8bit\n\n--b2\n" + body + "\n--b2\n" + body + "\n--b2--")
	want = strings.Replace(want, "BOUNDARY=b1\r\n", "BOUNDARY=b1\r\nContent-Transfer-Encoding: 8bit\r\n", 1)
	if got != want || actions(report) != "2.1 replaced, 2.2 replaced" {
		t.Errorf("%s, got\n%s, want %s, %s", actions(report), got, "2.1 replaced, 2.2 replaced", want)
	}
}

// TestUntouched: parts that must not be touched are not, and no host is asked for
// them (RW-13, RW-14, RW-22).
func TestUntouched(t *testing.T) {
	one := ref("x", "Content-Type: text/plain\n")
	within := func(mediaType string) string {
		return mixed("Content-Type: " + mediaType + "; boundary=b2\n\n--b2\n" + one + "\n--b2\nContent-Type: x/y\n\nsig\n--b2--")
	}
	for _, c := range []struct {
		name string
		text string
		opts rewrite.InlineOptions
		want string // of the error
	}{
		{"Signed", within("multipart/signed; protocol=x"), rewrite.InlineOptions{Nested: true}, "signed"},
		{"Encrypted", within("multipart/encrypted"), rewrite.InlineOptions{}, "encrypted"},
		{"Nested", mixed("Content-Type: message/rfc822\n\nSubject: x\n" + one), rewrite.InlineOptions{}, "within the message"},
		{"DKIM", "dkim-signature : v=1; a=x\r\n" + mixed(one), rewrite.InlineOptions{At: rewrite.Transit}, "transit"},
		{"ARC", "ARC-Seal: i=1\r\n" + mixed(one), rewrite.InlineOptions{At: rewrite.Transit}, "transit"},
		{
			"NestedDKIM", mixed("Content-Type: message/rfc822\n\nDKIM-Signature: x\n" + one),
			rewrite.InlineOptions{At: rewrite.Transit, Nested: true}, "transit",
		},
		{
			"LongHeader", strings.Replace(mixed(one), "\r\npreamble", "X: "+strings.Repeat("y\r\n ", 300_000)+"\r\n\r\npreamble", 1),
			rewrite.InlineOptions{At: rewrite.Transit}, "transit",
		},
		{
			"Hidden", mixed("Content-Type: multipart/mixed; boundary=b2\nContent-Transfer-Encoding: base64\n\n" +
				base64.StdEncoding.EncodeToString([]byte("--b2\n"+one+"\n--b2--\n"))),
			rewrite.InlineOptions{}, "hides",
		},
		{"NotSelected", mixed(one), rewrite.InlineOptions{Select: func(*externalbody.Reference) bool { return false }}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWeb("x", "hi")
			c.opts.Resolver = w.resolver()
			c.opts.Notice = true
			got, report := inline(t, c.text, &c.opts)
			if got != c.text || len(w.asked) > 0 || report.Changed() || len(report.Items) != 1 {
				t.Fatalf("got %q asked for, %s,\n%.2000s\nwant nothing asked for, 1 item,\n%.2000s", w.asked, actions(report), got, c.text)
			}
			if err := report.Items[0].Err; err == nil != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("got error %v, want one that says %q, or none for \"\"", err, c.want)
			}
		})
	}
}

// TestSigned: at delivery a signed message is rewritten, beside and after its
// signatures, and the report names the parts that they do not cover (IN-7, RW-14).
func TestSigned(t *testing.T) {
	head := "Authentication-Results: mx.example;\r\n dkim=pass\r\nDKIM-Signature: v=1\r\n"
	text := head + mixed(ref("x", "Content-Type: text/plain\n"), "Content-Type: multipart/signed; boundary=s\n\n--s\n"+ref("x", "")+"\n--s\n\nsig\n--s--")
	got, report := inline(t, text, &rewrite.InlineOptions{Resolver: newWeb("x", "hi").resolver()})
	if !strings.HasPrefix(got, head) || actions(report) != "2 replaced, 3.1 left" || !report.Items[0].Unsigned {
		t.Errorf("got %s, unsigned %t,\n%s\nwant %s, true, the fields first", actions(report), report.Items[0].Unsigned, got, "2 replaced, 3.1 left")
	}
	if len(report.Signatures) != 1 || len(report.AuthResults) != 1 || report.AuthResults[0] != "mx.example; dkim=pass" {
		t.Errorf("got signatures %q, results %q, want 1 of them, 1 of them", report.Signatures, report.AuthResults)
	}
	if _, tail, _ := strings.Cut(text, "multipart/signed"); !strings.HasSuffix(got, tail) {
		t.Errorf("got\n%s\nwant at the end the signed part as it was\n%s", got, tail)
	}
}

// TestAlternatives: one of the references to a body is replaced and the others go
// (RW-18); a reference that is not selected stays.
func TestAlternatives(t *testing.T) {
	phantom := "Content-Type: text/plain\nContent-ID: <x@a.example>\n"
	body := "Content-Type: text/plain\nContent-ID: <x@a.example>\nContent-Transfer-Encoding: 7bit\n\nhi"
	other := ref("other", "Content-Type: text/html\nContent-ID: <y@a.example>\n")
	alt := func(parts ...string) string {
		return strings.Replace(mixed(parts...), "multipart/mixed", "multipart/alternative", 1)
	}
	text := alt(ref("1", phantom), ref("2", phantom), other, ref("3", phantom))
	for _, c := range []struct {
		name string
		opts rewrite.InlineOptions
		want string
	}{
		{"Collapse", rewrite.InlineOptions{}, alt(body, other)},
		{"Keep", rewrite.InlineOptions{KeepAlternatives: true}, alt(ref("1", phantom), body, other, ref("3", phantom))},
		{
			"Select", rewrite.InlineOptions{Select: func(r *externalbody.Reference) bool { return r.ID != "5" }},
			alt(body, other, ref("3", phantom)),
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWeb("2", "hi")
			c.opts.Resolver = w.resolver()
			got, report := inline(t, text, &c.opts)
			if got != c.want || report.Items[0].Section != "3" || len(report.Items[0].Resolved.Failures) != 1 {
				t.Errorf("%s, got\n%s, want %s", actions(report), got, c.want)
			}
			w.asked = nil
			again, _ := inline(t, got, &c.opts)
			if again != got || strings.Join(w.asked, " ") != "https://a.example/other" {
				t.Errorf("second run: got %q asked for,\n%s\nwant only https://a.example/other,\n%s", w.asked, again, got)
			}
		})
	}
}

// TestFailure: a body that cannot be had stays, or is replaced by a notice, and
// leaves nothing behind (RW-20).
func TestFailure(t *testing.T) {
	good := "Content-Type: text/plain\nContent-MD5: XUFAKrxLKna5cZ2REBfFkg==\n" // of "hello"
	bad := "Content-Type: image/png\nContent-MD5: XUFAKrxLKna5cZ2REBfFkg==\n"
	text := mixed(ref("gone?secret=s", bad), ref("other", bad), ref("hello", good))
	w := newWeb("other", strings.Repeat("other", 100_000), "hello", "hello")
	got, report := inline(t, text, &rewrite.InlineOptions{Resolver: w.resolver()})
	want := mixed(ref("gone?secret=s", bad), ref("other", bad), good+"Content-Transfer-Encoding: 7bit\n\nhello")
	if got != want || actions(report) != "2 failed, 3 failed, 4 replaced" {
		t.Errorf("%s, got\n%s, want %s, %s", actions(report), got, "2 failed, 3 failed, 4 replaced", want)
	}
	if !errors.Is(report.Items[0].Err, fetch.NotFound) || !errors.Is(report.Items[1].Err, fetch.DigestMismatch) {
		t.Errorf("got %v, %v, want %v, %v", report.Items[0].Err, report.Items[1].Err, fetch.NotFound, fetch.DigestMismatch)
	}
	got, report = inline(t, text, &rewrite.InlineOptions{Resolver: w.resolver(), Notice: true})
	found := leaves(t, got)
	if actions(report) != "2 noticed, 3 noticed, 4 replaced" || len(found) != 4 ||
		found[1].mediaType != "text/plain" || !strings.Contains(found[1].body, "Reason: not-found") || strings.Contains(found[1].body, "secret=s") {
		t.Errorf("got %s,\n%s\nwant %s, and a notice that says not-found without the secret", actions(report), got, "2 noticed, 3 noticed, 4 replaced")
	}
}

// TestOutput: nothing is written unless all is decided, the temporary file goes,
// and errors name the place where they arose.
func TestOutput(t *testing.T) {
	text := mixed(ref("x", "Content-Type: image/png\n"))
	w := newWeb("x", strings.Repeat("\x00", 1_000_000))
	m := open(t, text)
	dir := t.TempDir()
	opts := &rewrite.InlineOptions{Resolver: w.resolver(), TempDir: dir}
	for _, n := range []int{0, 100, 1_000_000} {
		if _, err := rewrite.Inline(t.Context(), &brokenWriter{n}, m, opts); !errors.Is(err, errBroken) || fetch.KindOf(err) != fetch.Local {
			t.Errorf("after %d octets: got %v, want %v", n, err, errBroken)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	opts.Select = func(*externalbody.Reference) bool { cancel(); return true }
	var b bytes.Buffer
	if report, err := rewrite.Inline(ctx, &b, m, opts); fetch.KindOf(err) != fetch.Canceled || b.Len() > 0 || report == nil {
		t.Errorf("canceled: got %v, %d octets, report %v, want %v, 0, a report", err, b.Len(), report, fetch.Canceled)
	}
	opts.Select = nil
	opts.TempDir = dir + "/none"
	if _, err := rewrite.Inline(t.Context(), &b, m, opts); fetch.KindOf(err) != fetch.Local || b.Len() > 0 {
		t.Errorf("no folder: got %v, %d octets, want %v, 0", err, b.Len(), fetch.Local)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("got %s left, want nothing", left[0].Name())
	}
	if _, err := rewrite.Inline(t.Context(), &b, m, &rewrite.InlineOptions{Resolver: opts.Resolver, ResultField: "Content-Result"}); fetch.KindOf(err) != fetch.Malformed {
		t.Errorf("result field: got %v, want %v", err, fetch.Malformed)
	}
	for _, without := range []*rewrite.InlineOptions{nil, {}} {
		if report, err := rewrite.Inline(t.Context(), &b, m, without); fetch.KindOf(err) != fetch.Unsupported || b.Len() > 0 || report == nil || !strings.Contains(err.Error(), "InlineOptions.Resolver") {
			t.Errorf("no Resolver: got %v, %d octets, %v, want %v with the field, nothing and a report", err, b.Len(), report, fetch.Unsupported)
		}
	}
}

// TestRelated: the root of a multipart/related has the type that it announces
// (RW-19).
func TestRelated(t *testing.T) {
	for _, c := range []struct{ params, want string }{
		{`type="text/html"; start="<x@a.example>"`, "related-type type"},
		{`type="text/plain"; start="<x@a.example>"`, ""},
		{`type="text/html"; start="<y@a.example>"`, ""},
		{`type="text/html"`, ""},
	} {
		text := strings.Replace(mixed(ref("x", "Content-Type: text/plain\nContent-ID: <x@a.example>\n")), "mixed;", "related; "+c.params+";", 1)
		_, report := inline(t, text, &rewrite.InlineOptions{Resolver: newWeb("x", "hi").resolver()})
		got := ""
		for _, d := range report.Items[0].Diags {
			got += d.String()
		}
		if got != c.want || report.Items[0].Action != rewrite.Replaced {
			t.Errorf("%s: got %q, want %q", c.params, got, c.want)
		}
	}
}

// TestSecretLocation: a URL with credentials is not written (RW-21).
func TestSecretLocation(t *testing.T) {
	f := fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
		return newWeb("x", "hi").Fetch(ctx, &fetch.Request{URL: mustURL("https://a.example/x")})
	})
	for _, u := range []string{"ftp://user@h.example/x", "imap://h.example/x/;UID=1;URLAUTH=anonymous:INTERNAL:00", "data:,hi"} {
		text := strings.Replace(mixed(ref("x", "Content-Type: text/plain\n")), "https://a.example/x", u, 1)
		got, report := inline(t, text, &rewrite.InlineOptions{Resolver: &externalbody.Resolver{Fetcher: f}, Location: true})
		if actions(report) != "2 replaced" || strings.Contains(got, "Content-Location") {
			t.Errorf("%s: got %s, %v,\n%s\nwant 2 replaced, without Content-Location", u, actions(report), report.Items[0].Err, got)
		}
	}
}
