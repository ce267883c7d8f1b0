package rewrite_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/emersion/go-msgauth/dkim"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/fetch"
)

// TestMalformedField: the lines after one without a field name are header, not
// body, and stays so.
func TestMalformedField(t *testing.T) {
	const body = "Content-Type: image/png\nContent-Transfer-Encoding: base64\n\naGVsbG8=\n"
	for _, line := range []string{": x\n", "Bad Name: x\n", "Bad Name: x\n folded\n", "(a): b\n", " : c\n", "a@b: c\n"} {
		text := "From: a@a.example\n" + line + "Subject: y\nMIME-Version: 1.0\n" + body
		w := newWeb()
		out, report := externalize(t, text, &rewrite.ExternalizeOptions{Store: w, Select: all})
		if actions(report) != "1 replaced" || w.bodies[w.base+"1"] != "hello" {
			t.Errorf("%q: got %s, stored %q, want %s", line, actions(report), w.bodies, "1 replaced")
			continue
		}
		header, _, _ := strings.Cut(out, "\n\n")
		want := "From: a@a.example\n" + line + "Subject: y\nMIME-Version: 1.0\nContent-Type: message/external-body;"
		if !strings.HasPrefix(header, want) {
			t.Errorf("%q: got header %q, want %q", line, header, want)
		}
		back, report := inline(t, out, &rewrite.InlineOptions{Resolver: w.resolver()})
		header, _, _ = strings.Cut(back, "\n\n")
		for _, want := range strings.SplitAfter("From: a@a.example\n"+line+"Subject: y\nMIME-Version: 1.0\n", "\n") {
			if !strings.Contains(header+"\n", want) {
				t.Errorf("%q: %s, got header %q, want %q in it", line, actions(report), header, want)
			}
		}
	}
}

// TestMalformedFieldReference: a reference after such a line is found and inlined.
func TestMalformedFieldReference(t *testing.T) {
	one := ref("1", "Content-Type: text/plain\n")
	for _, line := range []string{": x\n", "Bad Name: x\n"} {
		for _, text := range []string{mixed(line + one), line + one, strings.Replace(mixed(one), "From:", crlf(line)+"From:", 1)} {
			out, report := inline(t, text, &rewrite.InlineOptions{Resolver: newWeb("1", "hello").resolver()})
			if len(report.Items) != 1 || report.Items[0].Action != rewrite.Replaced || !strings.Contains(out, "hello") {
				t.Errorf("%q: got %s, want 1 replaced", text, actions(report))
			}
		}
	}
}

// TestHeaderEnd: an entity whose header ends with a line that is not a field, and not
// with an empty one, is left by both directions, and so are the octets.
func TestHeaderEnd(t *testing.T) {
	const line = "no field\n"
	part := "Content-Type: image/png\n" + line + "Content-Transfer-Encoding: base64\n\naGVsbG8=\n"
	for _, text := range []string{part, mixed(part), "Subject: x\n" + part, "Content-Type: message/rfc822\n\n" + part} {
		w := newWeb()
		out, report := externalize(t, text, &rewrite.ExternalizeOptions{Store: w, Nested: true, Select: func(o *rewrite.Object) bool { return o.MediaType == "image/png" }})
		if out != text || len(report.Items) != 1 || !errors.Is(report.Items[0].Err, fetch.Malformed) || len(w.put) > 0 {
			t.Errorf("%q: got %s, %d bodies stored, want %v, none stored, and the message as it was", text, actions(report), len(w.put), fetch.Malformed)
		}
	}
	reference := strings.Replace(ref("1", "Content-Type: text/plain\n"), "\n\n", "\n"+line, 1)
	for _, text := range []string{reference, mixed(reference)} {
		w := newWeb("1", "hello")
		out, report := inline(t, text, &rewrite.InlineOptions{Resolver: w.resolver(), Notice: true})
		if out != text || len(report.Items) != 1 || !errors.Is(report.Items[0].Err, fetch.Malformed) || len(w.asked) > 0 {
			t.Errorf("%q: got %s, %q asked for, want %v, nothing asked for, and the message as it was", text, actions(report), w.asked, fetch.Malformed)
		}
	}
}

// TestDKIM: a signature holds after a message was passed in transit, and is
// reported, and broken, by a rewriting at delivery (RW-14).
func TestDKIM(t *testing.T) {
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	verified := func(text string) bool {
		found, err := dkim.VerifyWithOptions(strings.NewReader(text), &dkim.VerifyOptions{LookupTXT: func(string) ([]string, error) {
			return []string{"v=DKIM1; k=ed25519; p=" + base64.StdEncoding.EncodeToString(public)}, nil
		}})
		return err == nil && len(found) == 1 && found[0].Err == nil
	}
	for _, canonical := range []dkim.Canonicalization{dkim.CanonicalizationSimple, dkim.CanonicalizationRelaxed} {
		var b bytes.Buffer
		part := "Content-Type: image/png\n\n" + strings.Repeat("x", 1000)
		if err := dkim.Sign(&b, strings.NewReader(mixed(ref("x", "Content-Type: image/png\n"), part)), &dkim.SignOptions{
			Domain: "a.example", Selector: "s", Signer: private, HeaderCanonicalization: canonical, BodyCanonicalization: canonical,
		}); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		w := newWeb("x", "hello")
		if !verified(text) {
			t.Fatalf("%s: got a signature that does not verify, want one that does", canonical)
		}
		for place, want := range map[rewrite.Place]bool{rewrite.Transit: true, rewrite.Delivery: false} {
			in, report := inline(t, text, &rewrite.InlineOptions{Resolver: w.resolver(), At: place})
			if verified(in) != want || report.Changed() == want || !slices.Equal(report.Signatures, []string{"DKIM-Signature"}) {
				t.Errorf("%s: inlined at %d: got verified %t, changed %t, signatures %q, want %t, %t, DKIM-Signature", canonical, place, verified(in), report.Changed(), report.Signatures, want, !want)
			}
			if !want && !report.Items[0].Unsigned {
				t.Errorf("%s: got the body counted as signed, want it unsigned", canonical)
			}
			out, report := externalize(t, text, &rewrite.ExternalizeOptions{Store: w, MinSize: 1000, At: place})
			if verified(out) != want || report.Changed() == want || len(report.Signatures) != 1 {
				t.Errorf("%s: externalized at %d: got verified %t, changed %t, signatures %q, want %t, %t, 1 of them", canonical, place, verified(out), report.Changed(), report.Signatures, want, !want)
			}
		}
	}
}

// TestOpaqueSigned has a message of S/MIME: the signed message and the message
// around it stay octet for octet, and each reference has the reason.
func TestOpaqueSigned(t *testing.T) {
	oid := "\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07"
	pkcs7 := func(content string) string {
		message := "\x30\x80" + oid + "\x02\xa0\x80\x30\x80\x02\x01\x01\x31\x00\x30\x80" + oid + "\x01\xa0\x80\x24\x80"
		for i := 0; i < len(content); i += 100 {
			piece := content[i:min(len(content), i+100)]
			message += "\x04" + string([]byte{byte(len(piece))}) + piece
		}
		return "Content-Type: application/pkcs7-mime; smime-type=signed-data\nContent-Transfer-Encoding: base64\n\n" +
			base64.StdEncoding.EncodeToString([]byte(message+strings.Repeat("\x00\x00", 6))) + "\n"
	}
	inner := "Content-Type: multipart/mixed; boundary=s\n\n--s\nContent-Type: text/plain\n\n" + chip + "\n--s\n" +
		"Content-Type: message/external-body; access-type=URL; URL=\"https://a.example/a\"\n\nContent-Type: text/x-a\nContent-ID: <c@d>\n\n--s--\n"
	field := "X-Mozilla-Cloud-Part: cloudFile; url=https://a.example/a\nContent-Type: text/plain\n\nx\n"
	for _, c := range []struct {
		name, text string
		refs       int
	}{
		{"Message", "From: a@b.example\nMIME-Version: 1.0\n" + pkcs7(inner), 2},
		{"Header", "From: a@b.example\nMIME-Version: 1.0\n" + pkcs7(field), 1},
		{"Part", "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nx\n--b\n" + pkcs7(field) + "--b--\n", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWeb("a", "body", documentURL, "body")
			inlined, report := inlineAll(t, c.text, &rewrite.InlineOptions{Attach: true, Resolver: &externalbody.Resolver{Fetcher: w}})
			if len(report.Items) != c.refs {
				t.Fatalf("got %d items, want %d", len(report.Items), c.refs)
			}
			for _, item := range report.Items {
				if fetch.KindOf(item.Err) != fetch.Unsupported {
					t.Errorf("%s: got %v, want Unsupported", item.Section, item.Err)
				}
			}
			normalized, _ := normalize(t, c.text, &rewrite.NormalizeOptions{})
			for _, got := range []string{inlined, normalized} {
				if got != c.text {
					t.Errorf("got\n%s\nwant it unchanged", got)
				}
			}
			if len(w.asked) > 0 {
				t.Errorf("got %q asked for, want nothing, as nothing can be put in", w.asked)
			}
		})
	}
}

// A part that mail programs read differently is not changed.
func TestAmbiguousIsLeft(t *testing.T) {
	const ref = "Content-Type: message/external-body; access-type=URL;\n URL=\"https://a.example/x\"\n\nContent-Type: image/png\nContent-ID: <x@y>\n\n"
	for _, part := range []string{"JUNK\n" + ref, strings.Replace(ref, "\n\n", "\nContent-Type: text/plain\n\n", 1), "X: y\r" + ref, "\ntext\n--bjunk\n" + ref} {
		text := "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\ntext\n--b\n" + part + "\n--b--\n"
		m := openAll(t, text)
		n := 0
		for r := range m.References() {
			if n++; !r.Ambiguous() {
				t.Errorf("%q: got %v, want it ambiguous", part, r)
			}
		}
		if n == 0 {
			t.Errorf("%q: got no references, want one", part)
		}
		inlined, _ := inlineOf(t, m, &rewrite.InlineOptions{Resolver: newWeb("x", "body").resolver(), Attach: true})
		normal, _ := normalize(t, text, nil)
		taken, report := externalize(t, text, &rewrite.ExternalizeOptions{Store: newWeb(), Select: all})
		if len(report.Items) == 0 {
			t.Errorf("%q: got no items, want the parts and why they stay", part)
		}
		for _, i := range report.Items {
			if !errors.Is(i.Err, fetch.Malformed) {
				t.Errorf("%s of %q: got %v, want %v", i.Section, part, i.Err, fetch.Malformed)
			}
		}
		for name, got := range map[string]string{"Inline": inlined, "Normalize": normal, "Externalize": taken} {
			if got != text {
				t.Errorf("%s of %q: got %q, want it unchanged", name, part, got)
			}
		}
	}
}
