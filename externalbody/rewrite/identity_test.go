package rewrite_test

import (
	"context"
	"crypto/md5"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/fetch"
)

func md5sum(s string) string {
	sum := md5.Sum([]byte(s))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// sized is ref with a SIZE.
func sized(name string, n int, phantom string) string {
	return strings.Replace(ref(name, phantom), "access-type=URL;", fmt.Sprintf("access-type=URL; size=%d;", n), 1)
}

// removed joins the Removals of a Report.
func removed(r *rewrite.Report) string {
	var s []string
	for _, i := range r.Items {
		for _, o := range i.Removed {
			s = append(s, o.Section+" "+o.Why.String())
		}
	}
	return strings.Join(s, ", ")
}

// forgedTwin is a multipart/alternative with the boundary that belongs to its parts,
// which anybody can compute.
func forgedTwin(parts ...string) string {
	var sums []byte
	for _, p := range parts {
		sum := sha256.Sum256([]byte(p))
		sums = append(sums, sum[:]...)
	}
	sum := sha256.Sum256(sums)
	boundary := "=_extbody-twin-" + hex.EncodeToString(sum[:16])
	return "Content-Type: multipart/alternative; boundary=\"" + boundary + "\"\n\n--" + boundary + "\n" +
		strings.Join(parts, "\n--"+boundary+"\n") + "\n--" + boundary + "--\n"
}

// TestForgedTwin: a text is never removed because of a mark that its sender can
// write.
func TestForgedTwin(t *testing.T) {
	const (
		plain = "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\nPay 100, not 10.\n"
		rich  = "Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n<p>Pay 100, not 10.</p>\n"
		entry = "Content-Type: message/external-body; access-type=URL;\n\tURL=\"https://a.example/x\"; size=5\n\nContent-Type: image/png\nContent-ID: <x@a.example>\n"
	)
	for _, text := range []string{
		"Subject: x\nMIME-Version: 1.0\n" + forgedTwin(plain, rich, entry),
		strings.ReplaceAll(mixed(forgedTwin(plain, rich, entry)), "\r\n", "\n"),
		strings.ReplaceAll(mixed(forgedTwin(plain, rich, forgedTwin(plain, rich, entry))), "\r\n", "\n"),
	} {
		for _, notice := range []bool{false, true} {
			w := newWeb("x", "hello")
			if notice {
				w = newWeb()
			}
			got, report := inline(t, text, &rewrite.InlineOptions{Resolver: w.resolver(), Notice: notice})
			if !report.Changed() || strings.Count(got, "Pay 100, not 10.") != strings.Count(text, "Pay 100, not 10.") || removed(report) != "" {
				t.Errorf("got %s, removed %q,\n%s\nwant a change that removes nothing and keeps the text", actions(report), removed(report), got)
			}
		}
	}
}

// TestTwinIsTold: the texts of a fallback that goes are in the report.
func TestTwinIsTold(t *testing.T) {
	w, out := withFallback(t, "a.png")
	_, report := inline(t, out, &rewrite.InlineOptions{Resolver: w.resolver()})
	if got, want := removed(report), "2.1 twin, 2.2 twin"; got != want || actions(report) != "2 replaced" {
		t.Errorf("%s, got %q, want %q", actions(report), got, want)
	}
	_, report = inline(t, out, &rewrite.InlineOptions{Resolver: newWeb().resolver(), Notice: true})
	if got, want := removed(report), "2.1 twin, 2.2 twin"; got != want || actions(report) != "2.3 noticed" {
		t.Errorf("%s, got %q, want %q", actions(report), got, want)
	}
	_, report = inline(t, out, &rewrite.InlineOptions{Resolver: newWeb().resolver()})
	if got := removed(report); got != "" {
		t.Errorf("%s, got %q, want nothing", actions(report), got)
	}
}

// TestTwinOfOther: a fallback whose texts describe another reference than the one in it
// is not a fallback, whatever the boundary is.
func TestTwinOfOther(t *testing.T) {
	w, out := withFallback(t, "a.png")
	// marked returns text with the boundary that belongs to the parts of its fallback.
	marked := func(text string) string {
		_, rest, _ := strings.Cut(text, "boundary=\"=_")
		boundary, _, _ := strings.Cut("=_"+rest, "\"")
		pieces := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n--"+boundary)
		var octets []string
		for _, p := range pieces[1:4] {
			octets = append(octets, strings.TrimPrefix(p, "\n"))
		}
		_, other, _ := strings.Cut(forgedTwin(octets...), "boundary=\"")
		other, _, _ = strings.Cut(other, "\"")
		return strings.ReplaceAll(text, boundary, other)
	}
	if marked(out) != out {
		t.Fatalf("got another boundary:\n%s\nwant\n%s", marked(out), out)
	}
	for _, c := range []struct{ name, old, new string }{
		{"Size", "size=5", "size=6"},
		{"Expiration", "size=5", "size=5; expiration=\"Fri, 14 Jun 2030 19:13:14 GMT\""},
		{"Name", "filename*=utf-8''a.png", "filename*=utf-8''b.png"},
	} {
		head, reference, _ := strings.Cut(out, "Content-Type: message/external-body")
		text := marked(head + "Content-Type: message/external-body" + strings.Replace(reference, c.old, c.new, 1))
		if text == out {
			t.Fatalf("%s: got the message as it was, want a change of %q", c.name, c.old)
		}
		got, report := inline(t, text, &rewrite.InlineOptions{Resolver: acceptSize(w.resolver())})
		if !report.Changed() || !strings.Contains(got, "text/html") || removed(report) != "" {
			t.Errorf("%s: got %s, removed %q,\n%s\nwant a change that removes nothing", c.name, actions(report), removed(report), got)
		}
	}
}

// TestDecoy: a part with the Content-ID of a reference stands in for its body only
// if it can be that.
func TestDecoy(t *testing.T) {
	const (
		body = "the body"
		id   = "Content-ID: <x@a.example>\n"
		png  = "Content-Type: image/png\n"
	)
	digest := "Content-MD5: " + md5sum(body) + "\n"
	b64 := "Content-Transfer-Encoding: base64\n\n" + base64.StdEncoding.EncodeToString([]byte(body)) + "\n"
	for _, c := range []struct {
		name    string
		parts   []string
		stoodIn string
		diags   string
	}{
		{"Body", []string{sized("x", 8, png+id+digest), png + id + b64}, "3", ""},
		{"NothingKnown", []string{ref("x", png+id), png + id + "\ndecoy"}, "3", ""},
		{"Type", []string{ref("x", png+id), "Content-Type: text/plain\n" + id + "\ndecoy"}, "", "same-content-id 3"},
		{"DefaultType", []string{ref("x", png+id), id + "\ndecoy"}, "", "same-content-id 3"},
		{"Size", []string{sized("x", 8, png+id), png + id + "\ndecoy"}, "", "same-content-id 3"},
		{"Digest", []string{ref("x", png+id+digest), png + id + "\nthe BODY"}, "", "same-content-id 3"},
		{"DecoyFirst", []string{png + id + "\ndecoy", ref("x", png+id+digest), png + id + b64}, "4", "same-content-id 2"},
		{"UnknownEncoding", []string{sized("x", 8, png+id), png + id + "Content-Transfer-Encoding: x-uue\n\nthe body"}, "", "same-content-id 3"},
		{"OfOneAlternative", []string{ref("x", png+id), sized("x", 8, png+id), png + id + "\ndecoy"}, "", "same-content-id 4"},
		{"ElsewhereInTheMessage", []string{ref("x", png+id), "Content-Type: multipart/mixed; boundary=i\n\n--i\n" + png + id + b64 + "\n--i--\n"}, "", ""},
		{"InSigned", []string{ref("x", png+id), "Content-Type: multipart/signed; boundary=i\n\n--i\n" + png + id + b64 + "\n--i\n\nsig\n--i--\n"}, "", ""},
		{"InNested", []string{ref("x", png+id), "Content-Type: message/rfc822\n\n" + png + id + b64}, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWeb("x", body)
			_, report := inline(t, mixed(c.parts...), &rewrite.InlineOptions{Resolver: w.resolver()})
			item := report.Items[0]
			var diags []string
			for _, d := range item.Diags {
				diags = append(diags, d.String())
			}
			if item.StoodIn != c.stoodIn || strings.Join(diags, ", ") != c.diags {
				t.Errorf("got %q with %q, want %q with %q", item.StoodIn, diags, c.stoodIn, c.diags)
			}
			if replaced := item.Action == rewrite.Replaced; replaced != (c.stoodIn == "") || replaced != (len(w.asked) == 1) || item.Err != nil {
				t.Errorf("got %s, %v, %q asked for, want replaced and asked for only where nothing stands in; that is %q", actions(report), item.Err, w.asked, c.stoodIn)
			}
		})
	}
}

// TestInlineAgain: a body that was inlined stands in for the references that were
// kept, whatever the line ends of the message, the body and the promises are.
func TestInlineAgain(t *testing.T) {
	lf := "one\ntwo\n"
	for _, body := range []string{lf, crlf(lf), "caf\u00e9\n", "\x00\n", "one"} {
		for _, promised := range []string{body, crlf(strings.ReplaceAll(body, "\r\n", "\n"))} {
			for _, eol := range []string{"\n", "\r\n"} {
				part := sized("x", len(promised), "Content-Type: text/plain; charset=utf-8\nContent-ID: <x@a.example>\nContent-MD5: "+md5sum(promised)+"\n")
				text := strings.ReplaceAll(mixed(part, part), "\r\n", eol)
				w := newWeb("x", body)
				opts := &rewrite.InlineOptions{Resolver: w.resolver(), KeepAlternatives: true}
				once, report := inline(t, text, opts)
				if !report.Changed() {
					t.Errorf("%q, promised %q, in %q: got %s, %v, want a change", body, promised, eol, actions(report), report.Items[0].Err)
				}
				again, report := inline(t, once, opts)
				if again != once || report.Items[0].StoodIn != "2" {
					t.Errorf("%q, promised %q, in %q: stood in %q, %v, got\n%s, want %q, %s", body, promised, eol, report.Items[0].StoodIn, report.Items[0].Diags, again, "2", once)
				}
			}
		}
	}
}

// TestSameIDOtherFiles: two files under one Content-ID are both there afterwards.
func TestSameIDOtherFiles(t *testing.T) {
	const id = "Content-ID: <attachment@a.example>\n"
	w := newWeb("contract.pdf", "\x00pdf", "photo.png", "\x00png")
	for _, c := range []struct{ name, first, second string }{
		{"Types", "Content-Type: application/pdf\n", "Content-Type: image/png\n"},
		{"Names", "Content-Type: application/octet-stream\n", "Content-Type: application/octet-stream\n"},
	} {
		got, report := inline(t, mixed(ref("contract.pdf", c.first+id), ref("photo.png", c.second+id)), &rewrite.InlineOptions{Resolver: w.resolver()})
		l := leaves(t, got)
		if actions(report) != "2 replaced, 3 replaced" || removed(report) != "" || len(l) != 3 || l[1].body != "\x00pdf" || l[2].body != "\x00png" {
			t.Errorf("%s: %s, removed %q, got %v, want %s, %q, 3 of them", c.name, actions(report), removed(report), l, "2 replaced, 3 replaced", "")
		}
	}
}

// TestRemovedKeepsPromises: a reference that the delivered body does not keep the
// promises of is not removed.
func TestRemovedKeepsPromises(t *testing.T) {
	const id = "Content-Type: image/png\nContent-ID: <x@a.example>\n"
	for _, c := range []struct {
		name    string
		parts   []string
		actions string
		removed string
	}{
		{"Nothing", []string{ref("x", id), ref("y", id)}, "2 replaced", "3 alternative"},
		{"Digest", []string{ref("x", id), ref("y", id+"Content-MD5: "+md5sum("other")+"\n")}, "2 replaced, 3 left", ""},
		{"SameDigest", []string{ref("x", id), ref("y", id+"Content-MD5: "+md5sum("hello")+"\n")}, "2 replaced", "3 alternative"},
		{"Size", []string{ref("x", id), sized("y", 6, id)}, "2 replaced, 3 left", ""},
		{"Three", []string{ref("x", id), sized("y", 6, id), ref("y", id)}, "2 replaced, 3 left", "4 alternative"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, direct := range []bool{false, true} {
				w := newWeb("x", "hello")
				text := mixed(c.parts...)
				opts := &rewrite.InlineOptions{Resolver: w.resolver(), TempDir: t.TempDir()}
				got, report := inline(t, text, opts)
				if direct {
					var f memFile
					var err error
					if report, err = rewrite.Inline(t.Context(), &f, open(t, text), opts); err != nil || string(f.b) != got {
						t.Errorf("%v, got\n%s\nwant\n%s", err, f.b, got)
					}
				}
				if actions(report) != c.actions || removed(report) != c.removed {
					t.Errorf("got %s, removed %q, want %s, removed %q", actions(report), removed(report), c.actions, c.removed)
				}
				if n := len(report.Items); n > 1 && !errors.Is(report.Items[n-1].Err, fetch.DigestMismatch) {
					t.Errorf("got %v, want %v", report.Items[n-1].Err, fetch.DigestMismatch)
				}
				if strings.Count(got, "message/external-body") != strings.Count(c.actions, "left") {
					t.Errorf("got\n%s\nwant the references that are left, by %q", got, c.actions)
				}
			}
		})
	}
}

// acceptSize sets the Judge of r to one that accepts other sizes, and nothing else.
func acceptSize(r *externalbody.Resolver) *externalbody.Resolver {
	next := r.Judge
	r.Judge = func(ctx context.Context, o *externalbody.Objection) error {
		err := o.Err
		if next != nil {
			err = next(ctx, o)
		}
		if o.Check == "size" {
			return nil
		}
		return err
	}
	return r
}

// TestAcceptSize: a body of another size than SIZE is not put instead of its
// reference, unless Judge accepts it (EB-28).
func TestAcceptSize(t *testing.T) {
	text := func(size int) string {
		return mixed(sized("x", size, "Content-Type: image/png\nContent-ID: <x@a.example>\n"))
	}
	for _, c := range []struct {
		size   int
		accept bool
		want   string
	}{
		{5, false, "2 replaced"},
		{10, false, "2 failed"},
		{4, false, "2 failed"},
		{10, true, "2 replaced"},
	} {
		w := newWeb("x", "hello")
		opts := &rewrite.InlineOptions{Resolver: w.resolver(), TempDir: t.TempDir()}
		if c.accept {
			acceptSize(opts.Resolver)
		}
		got, report := inline(t, text(c.size), opts)
		if actions(report) != c.want {
			t.Errorf("SIZE %d: got %s, want %s", c.size, actions(report), c.want)
		}
		var f memFile
		if _, err := rewrite.Inline(t.Context(), &f, open(t, text(c.size)), opts); err != nil || string(f.b) != got {
			t.Errorf("SIZE %d, into a file: %v, got\n%s\nwant\n%s", c.size, err, f.b, got)
		}
		if c.want == "2 failed" && (got != text(c.size) || fetch.KindOf(report.Items[0].Err) != fetch.SizeMismatch) {
			t.Errorf("SIZE %d: got %v,\n%s\nwant %v,\n%s", c.size, report.Items[0].Err, got, fetch.SizeMismatch, text(c.size))
		}
		if (opts.Resolver.Judge != nil) != c.accept {
			t.Errorf("SIZE %d: got the Resolver changed, want it as it was", c.size)
		}
	}
}

// TestAcceptSizeOfPart: Judge decides whether a part of another size is the body already. It is not asked about one
// that differs otherwise.
func TestAcceptSizeOfPart(t *testing.T) {
	const id = "Content-ID: <x@a.example>\n"
	promised := "Content-Type: image/png\n" + id + "Content-MD5: " + md5sum("hello") + "\n"
	w := newWeb("x", "hello")
	for _, c := range []struct {
		name, part string
		accept     bool
		stoodIn    string
		asked      string
	}{
		{"Accepted", "Content-Type: image/png\n" + id + "\nhello", true, "3", "size 8 5 true size-mismatch"},
		{"Refused", "Content-Type: image/png\n" + id + "\nhello", false, "", "size 8 5 true size-mismatch"},
		{"OtherDigest", "Content-Type: image/png\n" + id + "\nHELLO", true, "", ""},
		{"OtherType", "Content-Type: image/gif\n" + id + "\nhello", true, "", ""},
	} {
		var asked []string
		resolver := w.resolver()
		resolver.Approve = func(context.Context, *externalbody.Plan) error { return fetch.Denied }
		resolver.Judge = func(_ context.Context, o *externalbody.Objection) error {
			asked = append(asked, fmt.Sprintln(o.Check, o.Announced, o.Actual, o.Promised, fetch.KindOf(o.Err)))
			if c.accept {
				return nil
			}
			return o.Err
		}
		_, report := inline(t, mixed(sized("x", 8, promised), c.part), &rewrite.InlineOptions{Resolver: resolver})
		if item := report.Items[0]; item.StoodIn != c.stoodIn {
			t.Errorf("%s: got %q, want %q", c.name, item.StoodIn, c.stoodIn)
		}
		if got := strings.TrimSpace(strings.Join(asked, "")); got != c.asked {
			t.Errorf("%s: got Judge asked %q, want %q", c.name, got, c.asked)
		}
	}
}

// TestMarksOfNested: a part in a forwarded message does not stand in for the
// reference of the message around it, nor the other way round.
func TestMarksOfNested(t *testing.T) {
	w := newWeb(documentURL, "\x00pdf")
	opts := &rewrite.InlineOptions{Resolver: w.resolver(), Attach: true}
	_, report := inlineAll(t, mixed("\n"+chip), opts)
	id := "Content-ID: <" + report.Items[0].Section + "@else.example>\n"
	decoy := "Content-Type: application/octet-stream\n" + id + "\ndecoy"
	standard := "Content-Type: message/external-body; access-type=URL; URL=\"https://a.example/evil\"\n\n" + id + "\n"
	for _, c := range []struct{ name, text, stoodIn string }{
		{"Beside", mixed("\n"+chip, decoy), "3"},
		{"InNested", mixed("\n"+chip, "Content-Type: message/rfc822\n\n"+decoy), ""},
		{"StandardInNested", mixed("\n"+chip, "Content-Type: message/rfc822\n\n"+standard), ""},
		{"StandardOfOtherURL", mixed("\n"+chip, standard), ""},
		{"SameLinkInNested", mixed("\n"+chip, "Content-Type: message/rfc822\n\n\n"+chip), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, report := inlineAll(t, c.text, opts)
			if item := report.Items[0]; item.StoodIn != c.stoodIn || (item.Action == rewrite.Added) != (c.stoodIn == "") {
				t.Errorf("%s %v: got %q, want %q", actions(report), item.Err, item.StoodIn, c.stoodIn)
			}
			got, report := normalize(t, c.text, nil)
			if item := report.Items[0]; item.StoodIn != c.stoodIn || (item.Action == rewrite.Added) != (c.stoodIn == "") {
				t.Errorf("normalized: %s %v: got %q, want %q in\n%s", actions(report), item.Err, item.StoodIn, c.stoodIn, got)
			}
		})
	}
}

// TestMarksDecoy: the facts of a file that a text names keep another part from
// standing in for it.
func TestMarksDecoy(t *testing.T) {
	const document = "Document-Reference: https%3a%2f%2f1drv.ms%2fb%2fs!A; FileName=a.pdf;\r\n ContentType=application%2fpdf\r\n"
	_, report := normalize(t, document+mixed(), nil)
	id := "Content-ID: <" + report.Items[0].Section + "@extbody.invalid>\n"
	for _, c := range []struct {
		part    string
		stoodIn string
	}{
		{"Content-Type: application/pdf\n" + id + "\nx", "2"},
		{id + "\ndecoy", ""},
	} {
		text := document + mixed(c.part)
		got, report := normalize(t, text, nil)
		item := report.Items[0]
		if item.StoodIn != c.stoodIn || (item.Action == rewrite.Added) != (c.stoodIn == "") {
			t.Errorf("%s: got %q, want %q", actions(report), item.StoodIn, c.stoodIn)
		}
		if c.stoodIn == "" && !slices.Contains(item.Diags, externalbody.Diag{Code: "same-content-id", Param: "2"}) {
			t.Errorf("got diags %v, want same-content-id of section 2 among them", item.Diags)
		}
		if again, report := normalize(t, got, nil); again != got {
			t.Errorf("%s, then\n%s, want %s", actions(report), again, got)
		}
	}
}

// TestAttachOtherType: a file that the server calls something else than the text that
// names it is added once.
func TestAttachOtherType(t *testing.T) {
	text := crlf(documentField) + mixed()
	opts := &rewrite.InlineOptions{Attach: true, Resolver: &externalbody.Resolver{Fetcher: serveAs("application/x-pdf", "%PDF-1.4")}}
	got, report := inlineAll(t, text, opts)
	if len(added(report)) != 1 {
		t.Fatalf("got %s, %v, want 1 added", actions(report), report.Items[0].Err)
	}
	if again, report := inlineAll(t, got, opts); again != got || report.Items[0].StoodIn == "" {
		t.Errorf("second run: got %s,\n%s\nwant something that stands in,\n%s", actions(report), again, got)
	}
}
