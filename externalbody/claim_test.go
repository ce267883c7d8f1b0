package externalbody_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/fetch"
)

// sameID is a multipart of a subtype with parts that have one Content-ID, each
// given as the parameters of the reference and its phantom header, with a bar
// between them.
func sameID(subtype string, parts ...string) string {
	var b strings.Builder
	b.WriteString("MIME-Version: 1.0\nContent-Type: multipart/" + subtype + "; boundary=b\n\n")
	for _, p := range parts {
		params, phantom, _ := strings.Cut(p, "|")
		b.WriteString("--b\nContent-Type: message/external-body; " + params + "\n\nContent-ID: <a@b>\n" + phantom + "\n\n")
	}
	return b.String() + "--b--\n"
}

// TestAlternativesAgree: parts with one Content-ID are one body only if all their
// facts can be true of one (RFC 2046 section 5.2.3.7).
func TestAlternativesAgree(t *testing.T) {
	const (
		pdf   = `access-type=URL; URL="https://h.example/contract.pdf"`
		photo = `access-type=URL; URL="https://h.example/photo.png"`
		x     = `access-type=URL; URL="https://h.example/x"`
		y     = `access-type=URL; URL="https://h.example/y"`
		mail  = `access-type=mail-server; server="s@h.example"`
		bin   = "|Content-Type: application/octet-stream"
	)
	sum := func(s string) string { return "\nContent-MD5: " + md5sum(s) }
	for _, c := range []struct {
		name, subtype string
		parts         []string
		want          string // how many references each body has
	}{
		{"Types", "mixed", []string{pdf + "|Content-Type: application/pdf", photo + "|Content-Type: image/png"}, "1 1"},
		{"TypesAlternative", "alternative", []string{x + "|Content-Type: application/pdf", y + "|Content-Type: image/png"}, "1 1"},
		{"TypeIsTheDefault", "mixed", []string{x, y + "|Content-Type: text/plain"}, "2"},
		{"NamesOfURLs", "mixed", []string{pdf + bin, photo + bin}, "1 1"},
		{"NamesAlternative", "alternative", []string{pdf + bin, photo + bin}, "2"},
		{"FileNames", "mixed", []string{x + bin + "\nContent-Disposition: attachment; filename=a", y + bin + "\nContent-Disposition: attachment; filename=b"}, "1 1"},
		{"FileNameAndURL", "mixed", []string{photo + bin + "\nContent-Disposition: attachment; filename=a.png", x + bin}, "2"},
		{"NoNames", "mixed", []string{x + bin, y + bin}, "2"},
		{"OneName", "mixed", []string{pdf + bin, mail + bin, photo + bin}, "2 1"},
		{"OneNameLater", "mixed", []string{mail + bin, pdf + bin, mail + bin, photo + bin, photo + bin}, "3 2"},
		{"Sizes", "alternative", []string{x + "; size=4" + bin, y + "; size=5" + bin}, "1 1"},
		{"OneSize", "mixed", []string{x + "; size=4" + bin, y + bin, x + "; size=5" + bin}, "2 1"},
		{"Digests", "alternative", []string{x + bin + sum("a"), y + bin + sum("b")}, "1 1"},
		{"SameDigest", "mixed", []string{x + bin + sum("a"), y + bin + sum("a")}, "2"},
		{"BadDigest", "mixed", []string{x + bin + sum("a"), y + bin + "\nContent-MD5: no"}, "2"},
		{"Hashes", "mixed", []string{x + "; hash=" + strings.Repeat("a", 40) + bin, y + "; hash=" + strings.Repeat("b", 40) + bin}, "1 1"},
		{"OtherHashes", "mixed", []string{x + "; hash=" + strings.Repeat("a", 40) + bin, y + "; hash=" + strings.Repeat("b", 64) + bin + sum("a")}, "2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := sameID(c.subtype, c.parts...)
			m := openMessage(t, text, nil)
			var got []string
			for alts := range m.Alternatives() {
				got = append(got, fmt.Sprint(len(alts)))
			}
			if s := strings.Join(got, " "); s != c.want {
				t.Errorf("got bodies of %s references, want %s", s, c.want)
			}
		})
	}
}

// TestKeeps: which of the alternatives promise the body that came.
func TestKeeps(t *testing.T) {
	const text = "one\ntwo\n"
	crlf := strings.ReplaceAll(text, "\n", "\r\n")
	w := &web{pages: map[string]page{"http://h.example/b": {body: text, mediaType: "text/plain"}}}
	served := func(params string) *externalbody.Reference {
		return one(t, `message/external-body; access-type=URL; URL="http://h.example/b"`+params, "Content-ID: <a@b>\n\n")
	}
	other := func(params, phantom string) *externalbody.Reference {
		return one(t, `message/external-body; access-type=URL; URL="http://h.example/none"`+params, "Content-ID: <a@b>\n"+phantom+"\n")
	}
	for _, c := range []struct {
		name   string
		ref    *externalbody.Reference
		refuse bool // by RefuseSize
		want   bool
	}{
		{"Nothing", other("", ""), true, true},
		{"Type", other("", "Content-Type: image/png\n"), true, false},
		{"Size", other("; size=8", ""), true, true},
		{"CanonicalSize", other("; size=10", ""), true, true},
		{"OtherSize", other("; size=9", ""), true, false},
		{"OtherSizeTold", other("; size=9", ""), false, true},
		{"MD5", other("", "Content-MD5: "+md5sum(text)+"\n"), true, true},
		{"CanonicalMD5", other("", "Content-MD5: "+md5sum(crlf)+"\n"), true, true},
		{"OtherMD5", other("", "Content-MD5: "+md5sum("x")+"\n"), true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &externalbody.Resolver{Fetcher: w}
			if c.refuse {
				r.Judge = externalbody.RefuseSize(nil)
			}
			first := served("")
			report, err := r.Save(t.Context(), []*externalbody.Reference{first, c.ref}, new(tape))
			if err != nil || !report.Keeps(first) || report.Keeps(c.ref) != c.want {
				t.Errorf("got %v, keeps %t, want %t", err, report.Keeps(c.ref), c.want)
			}
			if len(report.Checks) != 0 {
				t.Errorf("got checks %v of another reference, want 0 of them", report.Checks)
			}
		})
	}
}

// TestRefuseSize: a body of another size is refused, and the next alternative tried; see
// TestSizeForms.
func TestRefuseSize(t *testing.T) {
	w := &web{pages: map[string]page{"http://h.example/short": {body: "1234", mediaType: "text/plain"}}}
	r := &externalbody.Resolver{Fetcher: w, Judge: externalbody.RefuseSize(nil)}
	wrong := one(t, `message/external-body; access-type=URL; URL="http://h.example/short"; size=9`, "Content-ID: <a@b>\n\n")
	right := one(t, `message/external-body; access-type=URL; URL="http://h.example/short"; size=4`, "Content-ID: <a@b>\n\n")
	report, err := r.Save(t.Context(), []*externalbody.Reference{wrong, right}, new(tape))
	if err != nil || report.Reference != right || len(report.Failures) != 1 {
		t.Errorf("got %v, %+v, want the alternative of the right size", err, report)
	}
}

// nested is a message with the lines of a header and body, and in it another one.
func nested(head, inside string) string {
	return "From: Outer <outer@h.example>\n" + head + "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nHello\n--b\nContent-Type: message/rfc822\n\n" + inside + "\n--b--\n"
}

// TestLinksOfNested: the facts that a forwarded message has about a link are not
// facts of the message around it.
func TestLinksOfNested(t *testing.T) {
	opts := &externalbody.OpenOptions{Dialects: links()}
	const url = "https://h.example/a.gz"
	standard := "Content-Type: message/external-body; access-type=URL; URL=\"" + url + "\"\n\nContent-Type: image/png\nContent-ID: <a@b>\n\n"
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"Both", nested("X-Link: own.pdf - "+url+"\n", "X-Link: forwarded.exe - "+url+"\n\nx"), []string{"own.pdf ", "forwarded.exe "}},
		{"OwnUnnamed", nested("X-Link: - - "+url+"\n", "X-Link: forwarded.exe - "+url+"\n\nx"), []string{"a.gz ", "forwarded.exe "}},
		{"NestedFirst", "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: message/rfc822\n\nX-Link: forwarded.exe - " + url + "\n\nx\n--b\nX-Link: own.pdf - " + url + "\n\n--b--\n", []string{"forwarded.exe ", "own.pdf "}},
		{"StandardNested", nested("X-Link: own.pdf - "+url+"\n", standard), []string{"own.pdf ", "a.gz image/png"}},
		{"StandardOutside", "Content-Type: multipart/mixed; boundary=b\n\n--b\n" + standard + "\n--b\nContent-Type: message/rfc822\n\nX-Link: forwarded.exe - " + url + "\n\nx\n--b--\n", []string{"a.gz image/png", "forwarded.exe "}},
	} {
		t.Run(c.name, func(t *testing.T) {
			refs := open(t, c.text, opts)
			var got []string
			ids := make(map[string]bool)
			for _, ref := range refs {
				got = append(got, ref.Name+" "+ref.MediaType)
				if ids[ref.ID] || len(ref.Origins) != 1 {
					t.Errorf("got ID %s, origins %v, want an ID of its own and one origin", ref.ID, ref.Origins)
				}
				ids[ref.ID] = true
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
			for _, ref := range refs {
				if ref.Name == "own.pdf" && strings.Count(ref.ID, "-") != 1 {
					t.Errorf("got ID %s for the outermost, want one hyphen in it", ref.ID)
				}
			}
		})
	}
}

// TestTwoContentTypes: two fields that lead to different places are refused like
// two such parameters in one (EB-8), and any other repeated field is reported.
func TestTwoContentTypes(t *testing.T) {
	const (
		first = "Content-Type: message/external-body; access-type=URL; URL=\"https://a.example/x\"\n"
		end   = "\nContent-Type: image/png\nContent-ID: <a@b>\n\n"
	)
	for _, c := range []struct {
		name, header string
		diags        string
		refused      bool
	}{
		{"OtherURL", first + strings.Replace(first, "a.example", "b.example", 1), "repeated-field, conflict content-type, ambiguous", true},
		{"OtherAccess", first + "Content-Type: message/external-body; access-type=anon-ftp; site=a.example; name=x\n", "repeated-field, conflict content-type, ambiguous", true},
		{"OtherType", first + "Content-Type: text/plain\n", "repeated-field, conflict content-type, ambiguous", true},
		{"Same", first + first, "repeated-field", false},
		{"SameFolded", first + "content-type: message/external-body;\n\taccess-type=URL;\n URL=\"https://a.example/x\"\n", "repeated-field", false},
		{"OtherSize", first + strings.Replace(first, "URL;", "URL; size=1;", 1), "repeated-field, conflict content-type, ambiguous", false},
		{"Encodings", first + "Content-Transfer-Encoding: 7bit\nContent-Transfer-Encoding: 8bit\n", "repeated-field, conflict content-transfer-encoding", false},
		{"ContentIDs", first + "Content-ID: <x@b>\nContent-ID: <y@b>\nContent-ID: <z@b>\n", "conflict content-id", false},
		{"Locations", first + "Content-Location: https://a.example/\nContent-Location: https://b.example/\n", "conflict content-location", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := &web{}
			ref := open(t, c.header+end, nil)[0]
			raw, err := externalbody.ReadRaw([]byte(c.header+"\n"), []byte(end[1:]))
			must(t, err)
			if got := diags(ref); got != c.diags {
				t.Errorf("got diags %q, want %q", got, c.diags)
			}
			for _, ref := range []*externalbody.Reference{ref, raw} {
				_, err := (&externalbody.Resolver{Fetcher: w}).Resolve(t.Context(), ref)
				if refused := fetch.KindOf(err) == fetch.Malformed; refused != c.refused {
					t.Errorf("got %v, want refused: %t", err, c.refused)
				}
			}
			if c.refused && len(w.asked) > 0 {
				t.Errorf("got requests for %q, want none", w.asked)
			}
		})
	}
}

// TestNameInTwoForms checks that NAME beside a URL may be given for old readers and in the form of RFC 2231, which
// then counts. Where the name is a place, the two are a contradiction (EB-8).
func TestNameInTwoForms(t *testing.T) {
	const pair = `; name="x.pdf"; name*=utf-8''%C3%A4.pdf`
	for _, c := range []struct {
		name, parameters, want string
		diags                  string
		refused                bool
	}{
		{"URL", `URL; URL="https://h.example/x"` + pair, "\u00e4.pdf", "duplicate name, no-content-id", false},
		{"Reversed", `URL; URL="https://h.example/x"; name*=utf-8''%C3%A4.pdf; name="x.pdf"`, "\u00e4.pdf", "duplicate name, no-content-id", false},
		{"Sections", `URL; URL="https://h.example/x"; name="x.pdf"; name*00*=utf-8''%C3%A4; name*01=".pdf"`, "\u00e4.pdf", "bad-section name, duplicate name, bad-section name, no-content-id", false},
		{"TwoNames", `URL; URL="https://h.example/x"; name="x.pdf"` + pair, "\u00e4.pdf", "duplicate name, duplicate name, conflict name, no-content-id", true},
		{"TwoURLs", `URL; URL="https://h.example/x"; URL*=utf-8''https://h.example/y` + pair, "\u00e4.pdf", "duplicate url, unquoted-value url, duplicate name, conflict url, no-content-id", true},
		{"FTP", `anon-ftp; site=h.example` + pair, "\u00e4.pdf", "duplicate name, conflict name, no-content-id", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			ref := one(t, "message/external-body; access-type="+c.parameters, "Content-Type: application/pdf\n\n")
			if ref.Name != c.want || diags(ref) != c.diags {
				t.Errorf("got %q with %q, want %q with %q", ref.Name, diags(ref), c.want, c.diags)
			}
			w := &web{}
			if _, err := (&externalbody.Resolver{Fetcher: w}).Resolve(t.Context(), ref); (fetch.KindOf(err) == fetch.Malformed) != c.refused {
				t.Errorf("got %v, want refused: %t", err, c.refused)
			}
		})
	}
}

// TestRawNames checks that octets in a name that are not UTF-8 are in the charset of the texts of the same message.
func TestRawNames(t *testing.T) {
	const (
		gbk  = "\xb1\xa8\xb0\xe6.pdf"
		name = "\u62a5\u7248.pdf"
	)
	text := func(charset string) string { return "Content-Type: text/plain; charset=" + charset + "\n\nHi" }
	phantom := external("URL; URL=\"https://h.example/x\"", "Content-Type: application/pdf\nContent-Disposition: attachment; filename=\""+gbk+"\"\n\n")
	linked := "Content-Type: application/pdf; name=\"" + gbk + "\"\nX-Mozilla-Cloud-Part: cloudFile; url=\"https://h.example/x\"\n\n"
	for _, c := range []struct {
		name, text, want string
	}{
		{"Standard", mixed(text("gbk"), phantom), name},
		{"Second", mixed(text("us-ascii"), text("gb2312"), phantom), name},
		{"Dialect", mixed(text("gbk"), linked), name},
		{"UTF8", mixed(text("utf-8"), phantom), "_.pdf"},
		{"NoText", mixed(phantom), "_.pdf"},
		{"OfAnotherMessage", mixed("Content-Type: message/rfc822\n\n"+text("gbk"), phantom), "_.pdf"},
		{"Valid", mixed(text("gbk"), strings.ReplaceAll(phantom, gbk, name)), name},
	} {
		t.Run(c.name, func(t *testing.T) {
			refs := open(t, c.text, &externalbody.OpenOptions{Dialects: dialect.All()})
			if len(refs) != 1 || refs[0].Name != c.want {
				t.Errorf("got %v, want one named %q", refs, c.want)
			}
		})
	}
}
