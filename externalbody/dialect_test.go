package externalbody_test

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// links is a Dialect of one field, "X-Link: name type url", of which "-" stands
// for nothing.
func links() []externalbody.Dialect {
	return []externalbody.Dialect{{
		Name:   "test",
		Fields: []string{"X-Link"},
		Read: func(e *externalbody.Entity) []*externalbody.Reference {
			var refs []*externalbody.Reference
			for _, f := range e.Header {
				if f.Name != "X-Link" {
					continue
				}
				words := strings.Fields(f.Value)
				r := externalbody.NewReference(words[2])
				r.Origins[0].Field = f.Name
				if words[0] != "-" {
					r.Name = words[0]
				}
				if words[1] != "-" {
					r.MediaType = words[1]
				}
				refs = append(refs, r)
			}
			return refs
		},
	}}
}

// link returns the Reference that an X-Link field makes.
func link(t *testing.T, value string) *externalbody.Reference {
	t.Helper()
	refs := open(t, "X-Link: "+value+"\n\n", &externalbody.OpenOptions{Dialects: links()})
	if len(refs) != 1 {
		t.Fatalf("got %d references, want 1", len(refs))
	}
	return refs[0]
}

// TestPage has pages that come where a Dialect announced a file, and files that
// look like them.
func TestPage(t *testing.T) {
	const where = "http://h.example/s/Tok3n"
	const login = "<!DOCTYPE html><html><head><title>Sign in</title></head></html>"
	long := strings.Repeat("x", 10_000)
	for _, c := range []struct {
		name, link      string
		served          string
		body            string
		label, warnings string
		kind            fetch.Kind
	}{
		{"File", "a.pdf -", "application/pdf", "%PDF-", "application/pdf", "[]", 0},
		{"LongFile", "a.pdf -", "application/pdf", long, "application/pdf", "[]", 0},
		{"EmptyFile", "a.pdf -", "application/pdf", "", "application/pdf", "[]", 0},
		{"OtherType", "a.bin application/pdf", "application/zip", "PK", "application/zip", "[other-type]", 0},
		{"NoType", "a.bin application/pdf", "", "PK", "application/pdf", "[]", 0},
		{"AnyType", "a.bin application/octet-stream", "image/png", "\x89PNG", "image/png", "[]", 0},
		{"Login", "a.pdf -", "text/html; charset=utf-8", login, "", "", fetch.Interstitial},
		{"LoginByType", "- image/png", "text/html", login, "", "", fetch.Interstitial},
		{"LoginCalledPDF", "a.pdf -", "application/pdf", login, "", "", fetch.Interstitial},
		{"NothingAnnounced", "- -", "text/html", login, "", "", fetch.Interstitial},
		{"HTMLFile", "page.html -", "text/html", "<!DOCTYPE html><title>Report</title>", "text/html", "[]", 0},
		{"LoginForHTMLFile", "page.html -", "text/html", login, "", "", fetch.Interstitial},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &externalbody.Resolver{Fetcher: &web{pages: map[string]page{where: {mediaType: c.served, body: c.body}}}}
			got, body, err := readBody(t, r, link(t, c.link+" "+where))
			if c.kind != 0 {
				if body != nil || fetch.KindOf(err) != c.kind || strings.Contains(err.Error(), "Tok3n") {
					t.Errorf("got %v, %v, want nil, %v without the token", body, err, c.kind)
				}
				return
			}
			must(t, err)
			report := body.Report()
			if got != c.body || report.MediaType != c.label || fmt.Sprint(report.Warnings) != c.warnings {
				t.Errorf("%d octets, %q, %v, want %q, %v", len(got), report.MediaType, report.Warnings, c.label, c.warnings)
			}
			if report.Capture() != fetch.CaptureCurrent {
				t.Errorf("got captured %q, want %q", report.Capture(), fetch.CaptureCurrent)
			}
		})
	}
}

// TestStandardFormOfLink has a standard part beside a Reference that a Dialect
// found, as Normalize writes it: they are one Reference, of which any type of file
// is fit if the part names none.
func TestStandardFormOfLink(t *testing.T) {
	const where = "http://h.example/s/Tok3n"
	const login = "<!DOCTYPE html><html><head><title>Sign in</title></head></html>"
	for _, c := range []struct {
		name, phantom, served, body string
		kind                        fetch.Kind
	}{
		{"AnyType", "application/octet-stream", "application/pdf", "%PDF-", 0},
		{"SameType", "application/pdf", "application/pdf", "%PDF-", 0},
		{"OtherType", "application/zip", "application/pdf", "%PDF-", fetch.TypeMismatch},
		{"Page", "application/octet-stream", "text/html", login, fetch.Interstitial},
	} {
		t.Run(c.name, func(t *testing.T) {
			refs := open(t, "X-Link: a.pdf - "+where+"\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: message/external-body; access-type=URL; URL=\""+where+"\"\n\nContent-Type: "+c.phantom+"\nContent-ID: <a@b>\n\n--b--\n",
				&externalbody.OpenOptions{Dialects: links()})
			if len(refs) != 1 || refs[0].Dialect != "" || refs[0].ID != "1" || !slices.Equal(refs[0].Origins, []externalbody.Origin{{Section: "1"}, {Field: "X-Link"}}) {
				t.Fatalf("got %+v, want 1 of them", refs)
			}
			if s := refs[0].Redact(where); strings.Contains(s, "Tok3n") {
				t.Error(s)
			}
			r := &externalbody.Resolver{Fetcher: &web{pages: map[string]page{where: {mediaType: c.served, body: c.body}}}}
			if _, _, err := readBody(t, r, refs[0]); fetch.KindOf(err) != c.kind {
				t.Error(err)
			}
		})
	}
}

// TestPageTruncated has an octet missing in the beginning that is looked at for a
// page: no Body is returned.
func TestPageTruncated(t *testing.T) {
	const where = "http://h.example/a.pdf"
	r := &externalbody.Resolver{Fetcher: &web{pages: map[string]page{where: {body: "%PDF", size: 5}}}}
	if body, err := r.Resolve(t.Context(), link(t, "- - "+where)); body != nil || !errors.Is(err, fetch.Truncated) {
		t.Errorf("got %v, %v, want nil, %v", body, err, fetch.Truncated)
	}
}

// TestPageHoldback keeps the last octet back for the verdict, although the first
// ones were looked at.
func TestPageHoldback(t *testing.T) {
	const where = "http://h.example/a.bin"
	for _, size := range []int{1, 2, 4096, 10_000} {
		ref := *link(t, "- - "+where)
		ref.Header = externalbody.Fields{{Name: "Content-MD5", Value: md5sum("other")}}
		r := &externalbody.Resolver{Fetcher: &web{pages: map[string]page{where: {body: strings.Repeat("x", size)}}}}
		got, _, err := readBody(t, r, &ref)
		if len(got) >= size || !errors.Is(err, fetch.DigestMismatch) {
			t.Errorf("got %d octets, %v, want fewer than %d, %v", len(got), err, size, fetch.DigestMismatch)
		}
	}
}

// TestCapture has the relation of a body to the one that was sent.
func TestCapture(t *testing.T) {
	sum := sha256.Sum256([]byte("x"))
	for _, c := range []struct {
		name            string
		r               externalbody.Resolver
		params, phantom string
		want            fetch.Capture
	}{
		{"Current", externalbody.Resolver{}, "", "", fetch.CaptureCurrent},
		{"WeakDigest", externalbody.Resolver{}, "", "Content-MD5: " + md5sum("x") + "\n", fetch.CaptureCurrent},
		{"StrongDigest", externalbody.Resolver{}, "", "Repr-Digest: sha-256=:" + base64.StdEncoding.EncodeToString(sum[:]) + ":\n", fetch.CaptureDeclared},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, report, err := resolve(t, c.r, c.params, c.phantom, page{mediaType: "text/plain", body: "x"})
			must(t, err)
			if got := report.Capture(); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
	ref := one(t, `message/external-body; access-type=URL; URL="data:,x"`, "Content-ID: <a@b>\n")
	if p := new(externalbody.Resolver).Plan(ref); p.Capture != fetch.CaptureDeclared {
		t.Errorf("the plan for what is in the message says %q, want %q", p.Capture, fetch.CaptureDeclared)
	}
}

// TestLinkPlan has the facts that are known of a share link before anything is
// fetched.
func TestLinkPlan(t *testing.T) {
	var none fetch.Func = func(context.Context, *fetch.Request) (*fetch.Response, error) { return nil, fetch.Local }
	r := &externalbody.Resolver{Fetcher: none}
	for _, c := range []struct {
		name, link string
		kind       fetch.Kind
		once       bool
		capture    fetch.Capture
		learns     string
	}{
		{"File", "https://www.dropbox.com/s/abc1a2B3c4D5e6F/a.pdf", 0, false, "", "[www.dropbox.com]"},
		{"OtherHost", "https://1drv.ms/u/c/a77974c33a34d9bb/ERyj4V21a2B3", 0, false, "", "[1drv.ms my.microsoftpersonalcontent.com]"},
		{"Rendition", "https://docs.google.com/document/d/1abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG/edit", 0, false, fetch.CaptureRendition, "[docs.google.com]"},
		{"Counted", "https://we.tl/t-AbCdEfGhIj", 0, true, "", "[we.tl]"},
		{"EndToEnd", "https://mega.nz/file/abcdefgh1a#KeyKeyKeyKeyKeyKeyKeyKeyKeyKeyKeyKeyKeyKeyKey", fetch.Unsupported, false, "", "[mega.nz]"},
		{"Folder", "https://drive.google.com/drive/folders/1abcdefghijklmnopqrstuvwxyz012345", fetch.Unsupported, false, "", "[drive.google.com]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := r.Plan(link(t, "- - "+c.link))
			var learns []string
			for _, d := range p.Discloses {
				if d.What == "address" {
					learns = append(learns, d.To)
				}
			}
			if p.Kind != c.kind || p.Once != c.once || p.Capture != c.capture || fmt.Sprint(learns) != c.learns {
				t.Errorf("got %v, once %v, %q, %v, want %v, %v, %q, %v", p.Kind, p.Once, p.Capture, learns, c.kind, c.once, c.capture, c.learns)
			}
			if strings.Contains(p.Reason, "Key") {
				t.Error(p.Reason)
			}
		})
	}
}

// TestRequestOfLink passes on the facts by which a fetcher judges pages.
func TestRequestOfLink(t *testing.T) {
	req, err := link(t, "a.pdf application/pdf https://h.example/x").Request()
	if err != nil || req.Name != "a.pdf" || req.Size != 0 || req.MediaType != "application/pdf" || !req.Secret {
		t.Errorf("got %+v, %v, want name a.pdf, size 0, type application/pdf, secret, nil", req, err)
	}
}

// TestUnwrapped has links of mail gateways.
func TestUnwrapped(t *testing.T) {
	for _, c := range []struct{ name, link, want, diags string }{
		{"SafeLinks", "https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fh.example%2Fa.pdf&data=x", "https://h.example/a.pdf", "unwrapped safelinks"},
		{"Opaque", "https://protect-eu.mimecast.com/s/AbCdEfGh", "https://protect-eu.mimecast.com/s/AbCdEfGh", "opaque-link mimecast"},
		{"None", "https://h.example/a.pdf", "https://h.example/a.pdf", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			ref := link(t, "- - "+c.link)
			if got, _ := ref.Param("url"); got != c.want || diags(ref) != c.diags {
				t.Errorf("got %q, %s, want %q, %s", got, diags(ref), c.want, c.diags)
			}
		})
	}
	a, b := link(t, "- - https://h.example/a.pdf"), link(t, "- - https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fh.example%2Fa.pdf")
	if a.ID != b.ID {
		t.Errorf("got IDs %s and %s, want one", a.ID, b.ID)
	}
}

// TestMention has a link that only counts beside another one.
func TestMention(t *testing.T) {
	mentions := links()
	mentions[0].Name, mentions[0].Fields = "mention", []string{"X-Mention"}
	mentions[0].Read = func(e *externalbody.Entity) []*externalbody.Reference {
		r := externalbody.NewMention(e.Header.Get("X-Mention"))
		r.Origins[0].Field = "X-Mention"
		return []*externalbody.Reference{r}
	}
	opts := &externalbody.OpenOptions{Dialects: append(mentions, links()...)}
	if refs := open(t, "X-Mention: https://h.example/a\n\n", opts); len(refs) != 0 {
		t.Errorf("got %v, want 0 of them", refs)
	}
	refs := open(t, "X-Mention: https://h.example/a\nX-Link: n - https://h.example/a\n\n", opts)
	if len(refs) != 1 || len(refs[0].Origins) != 2 || refs[0].Name != "n" {
		t.Errorf("got %v, want 1 of them", refs)
	}
}

// TestDeleted is the mark of mutt, as messages on mailing lists have it, nested
// in itself too.
func TestDeleted(t *testing.T) {
	ref := one(t, "message/external-body; access-type=x-mutt-deleted;\n\texpiration=\"Tue, 17 Nov 2020 11:03:37 -0800\"; length=86",
		"Content-Type: message/external-body; access-type=x-mutt-deleted;\n\texpiration=\"Tue, 17 Nov 2020 11:03:06 -0800\"; length=3672\n")
	r := &externalbody.Resolver{RefuseExpired: true}
	p := r.Plan(ref)
	if p.Kind != fetch.Gone || p.Expired || !strings.Contains(p.Reason, "2020-11-17T19:03:37Z") {
		t.Errorf("got %v, expired %t, reason %q, want %v, false, the date of the deletion", p.Kind, p.Expired, p.Reason, fetch.Gone)
	}
	if _, err := ref.Request(); !errors.Is(err, fetch.Gone) {
		t.Error(err)
	}
	if _, err := r.Resolve(t.Context(), ref); !errors.Is(err, fetch.Gone) {
		t.Error(err)
	}
}

// TestXHTTP is the access type X-HTTP of a proposal of 1993 and of messages that
// used it.
func TestXHTTP(t *testing.T) {
	for _, c := range []struct{ name, params, want string }{
		{"Path", `access-type="X-HTTP"; host="info.cern.ch"; port="2784"; path="/hypertext/WWW/TheProject.html"`, "http://info.cern.ch:2784/hypertext/WWW/TheProject.html"},
		{"Name", "access-type=\"X-HTTP \t\"; host=\"info.cern.ch\"; name=\"/a b\"", "http://info.cern.ch/ab"},
		{"Anchor", `access-type=x-http; host=a.example; path=x; x-anchor=top`, "http://a.example/x#top"},
	} {
		ref := one(t, "message/external-body; "+c.params, "Content-ID: <a@b>\n")
		u, err := ref.Locate()
		if err != nil || u.String() != c.want {
			t.Errorf("%s: got %v, %v, want %s", c.name, u, err, c.want)
		}
		if req, err := ref.Request(); err != nil || req.URL.Fragment != "" || req.URL.Path != u.Path {
			t.Errorf("%s: got %+v, %v, want the URL without fragment", c.name, req, err)
		}
	}
}

// TestPine has the part that Pine 3.95 leaves when it forwards: types in capitals,
// the Content-ID in the outer header, one of its own for each part, and neither
// phantom headers nor the commands to the mail server.
func TestPine(t *testing.T) {
	text := `Content-Type: MULTIPART/ALTERNATIVE; BOUNDARY=OtherAccess

--OtherAccess
Content-Type: MESSAGE/EXTERNAL-BODY; ACCESS-TYPE=mail-server; SERVER="mailserv@ds.internic.net"
Content-ID: <Pine.BSF.3.95.971201104619.22475F@alive.znep.com>

--OtherAccess
Content-Type: MESSAGE/EXTERNAL-BODY; NAME="draft.txt"; SITE="ds.internic.net"; ACCESS-TYPE=anon-ftp; DIRECTORY=internet-drafts
Content-ID: <Pine.BSF.3.95.971201104619.22475G@alive.znep.com>

--OtherAccess--
`
	m := openMessage(t, text, &externalbody.OpenOptions{Dialects: links()})
	var got []string
	for choice := range m.Choices() {
		for _, body := range choice {
			loc, err := body[0].Locate()
			must(t, err)
			got = append(got, loc.String()+" "+diags(body[0]))
		}
	}
	want := []string{
		"ftp://ds.internic.net/internet-drafts/draft.txt no-phantom-header, no-content-id, outer-content-id",
		"mailto:mailserv@ds.internic.net no-phantom-header, no-content-id, outer-content-id",
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestLinkChoices has two links in a multipart/alternative, of which each is wanted.
func TestLinkChoices(t *testing.T) {
	text := "Content-Type: multipart/alternative; boundary=b\n\n--b\nX-Link: - - http://h.example/a\nX-Link: - - http://h.example/b\n\n--b--\n"
	m := openMessage(t, text, &externalbody.OpenOptions{Dialects: links()})
	if n := len(slices.Collect(m.Choices())); n != 2 {
		t.Errorf("got %d choices, want 2", n)
	}
}

// TestWeakFacts has an expiration that is in the link itself.
func TestWeakFacts(t *testing.T) {
	ref := link(t, "- - https://www.icloud.com/attachment/?u=https%3A%2F%2Fcvws.icloud-content.com%2FB%2Fa%2F%24%7Bf%7D%3Fo%3D1%26v%3D1%26e%3D1763787120%26k%3D%24%7Buk%7D&uk=key&f=film.mov&sz=123456")
	if ref.Size != 123456 || ref.Name != "film.mov" || !ref.Expiration.Equal(time.Unix(1763787120, 0)) {
		t.Errorf("got %d, %q, %v, want 123456, film.mov, %v", ref.Size, ref.Name, ref.Expiration, time.Unix(1763787120, 0))
	}
}

// TestPromises has the facts that a Dialect knows to be exact: a size is compared as
// the size of a standard part is, a type labels the body, and digests hold.
func TestPromises(t *testing.T) {
	const where = "http://h.example/a"
	sum := sha256.Sum256([]byte("%PDF-"))
	for _, c := range []struct {
		name     string
		ref      func(r *externalbody.Reference)
		label    string
		warnings string
		kind     fetch.Kind
	}{
		{"ShownSize", func(r *externalbody.Reference) { r.Size = 4 }, "application/zip", "[size-mismatch size]", 0},
		{"Size", func(r *externalbody.Reference) { r.Size, r.Promises = 4, []string{"size"} }, "", "", fetch.SizeMismatch},
		{"SizeKept", func(r *externalbody.Reference) { r.Size, r.Promises = 5, []string{"size"} }, "application/zip", "[]", 0},
		{"ShownType", func(r *externalbody.Reference) { r.MediaType = "application/pdf" }, "application/zip", "[other-type]", 0},
		{"Type", func(r *externalbody.Reference) { r.MediaType, r.Promises = "application/pdf", []string{"type"} }, "application/pdf", "[other-type]", 0},
		{"Digest", func(r *externalbody.Reference) { r.Digests = []fetch.Digest{{Algorithm: "sha-256", Sum: sum[:]}} }, "application/zip", "[]", 0},
		{"OtherDigest", func(r *externalbody.Reference) { r.Digests = []fetch.Digest{{Algorithm: "md5", Sum: make([]byte, 16)}} }, "", "", fetch.DigestMismatch},
		{"BadDigest", func(r *externalbody.Reference) { r.Digests = []fetch.Digest{{Algorithm: "md5", Sum: []byte{1}}} }, "application/zip", "[bad-digest md5]", 0},
		{"UnknownDigest", func(r *externalbody.Reference) { r.Digests = []fetch.Digest{{Algorithm: "crc32", Sum: []byte{1}}} }, "application/zip", "[]", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			dialects := links()
			read := dialects[0].Read
			dialects[0].Read = func(e *externalbody.Entity) []*externalbody.Reference {
				refs := read(e)
				c.ref(refs[0])
				return refs
			}
			refs := open(t, "X-Link: a - "+where+"\nX-Link: a - "+where+"\n\n", &externalbody.OpenOptions{Dialects: dialects})
			r := &externalbody.Resolver{Judge: externalbody.RefuseSize(nil), Fetcher: &web{pages: map[string]page{where: {mediaType: "application/zip", body: "%PDF-", size: -1}}}}
			_, body, err := readBody(t, r, refs[0])
			if fetch.KindOf(err) != c.kind {
				t.Fatalf("got %v, want %v", err, c.kind)
			}
			if err != nil {
				return
			}
			if report := body.Report(); report.MediaType != c.label || fmt.Sprint(report.Warnings) != c.warnings {
				t.Errorf("got %q, %v, want %q, %s", report.MediaType, report.Warnings, c.label, c.warnings)
			}
		})
	}
}
