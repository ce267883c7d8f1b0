package externalbody_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// TestAccessTypes is AT-1 to AT-19 as far as a request shows them.
func TestAccessTypes(t *testing.T) {
	for _, c := range []struct {
		name, params string
		phantom      string
		url          string
		login        fetch.Login
		transfer     string
		warnings     string
	}{
		{"AnonFTP", `access-type=anon-ftp; site="ftp.ietf.org"; directory="internet-drafts"; name="draft.txt"`, "", "ftp://ftp.ietf.org/internet-drafts/draft.txt", fetch.LoginAnonymous, "a", ""},
		{"FTP", `access-type=ftp; site=Ftp.Ietf.Org; name=x`, "", "ftp://ftp.ietf.org/x", fetch.LoginRequired, "a", ""},
		{"OneCWD", `access-type=anon-ftp; site=h.example; directory="/pub/a b"; name="c/d%20;type=a"`, "", "ftp://h.example/%2Fpub%2Fa%20b/c%2Fd%2520%3Btype%3Da", fetch.LoginAnonymous, "a", ""},
		{"EmptyDirectory", `access-type=anon-ftp; site=h.example; directory=""; name=x`, "", "ftp://h.example/x", fetch.LoginAnonymous, "a", ""},
		{"ModeImage", `access-type=anon-ftp; site=h.example; name=x; mode="IMAGE"`, "image/gif", "ftp://h.example/x", fetch.LoginAnonymous, "i", ""},
		{"ModeLocal", `access-type=anon-ftp; site=h.example; name=x; mode=local36`, "image/gif", "ftp://h.example/x", fetch.LoginAnonymous, "l36", ""},
		{"ModeEBCDIC", `access-type=anon-ftp; site=h.example; name=x; mode=ebcdic`, "", "ftp://h.example/x", fetch.LoginAnonymous, "e", ""},
		{"ModeTenex", `access-type=anon-ftp; site=h.example; name=x; mode=tenex`, "", "ftp://h.example/x", fetch.LoginAnonymous, "l8", "mode-name mode"},
		{"ModeBinary", `access-type=anon-ftp; site=h.example; name=x; mode=binary`, "", "ftp://h.example/x", fetch.LoginAnonymous, "i", "mode-name mode"},
		{"DefaultModeOfImage", `access-type=anon-ftp; site=h.example; name=x`, "image/jpeg", "ftp://h.example/x", fetch.LoginAnonymous, "a", "no-mode mode"},
		{"TFTP", `access-type=tftp; site=h.example; directory="/boot"; name=x`, "", "tftp://h.example/%2Fboot%2Fx", fetch.LoginAny, "netascii", ""},
		{"TFTPSlash", `access-type=tftp; site=h.example; directory="boot/"; name=x; mode=octet`, "image/gif", "tftp://h.example/boot%2Fx", fetch.LoginAny, "octet", ""},
		{"NameWithBlanks", `access-type=anon-ftp; site=h.example; name=my annual report.pdf; mode=image`, "image/gif", "ftp://h.example/my%20annual%20report.pdf", fetch.LoginAnonymous, "i", "unquoted-value name"},
		{"QuotedPairInURL", `access-type=URL; URL="https://h.example/\a"`, "", "https://h.example/a", fetch.LoginAny, "", ""},
		{"LocalFile", `access-type=local-file; name="/etc/passwd"`, "", "file:///etc/passwd", fetch.LoginAny, "", ""},
		{"LocalFilePattern", `access-type=local-file; name="/a b"; site="*.Bellcore.com"`, "", "file://*.bellcore.com/a%20b", fetch.LoginAny, "", ""},
		{"AFS", `access-type=afs; name="/afs/x/y"`, "", "file:///afs/x/y", fetch.LoginAny, "", ""},
		{"MailServer", `access-type=mail-server; server="listserv@bogus.bitnet"; subject="get it"`, "", "mailto:listserv@bogus.bitnet?subject=get%20it&body=get%20RFC-MIME.DOC%0D%0A", fetch.LoginAny, "", ""},
		{"ContentID", `access-type=content-id`, "", "cid:a%40b", fetch.LoginAny, "", ""},
		{"URI", `access-type=URL; URI="http://h.example/"`, "", "http://h.example/", fetch.LoginAny, "", "uri-param uri"},
	} {
		t.Run(c.name, func(t *testing.T) {
			phantom := "Content-ID: <a@b>\n"
			if c.phantom != "" {
				phantom += "Content-Type: " + c.phantom + "\n"
			}
			ref := openText(t, "Content-Type: message/external-body; "+c.params+"\n\n"+phantom+"\nget RFC-MIME.DOC\n", nil)[0]
			req, err := ref.Request()
			must(t, err)
			if req.URL.String() != c.url || req.Login != c.login || req.TransferType != c.transfer {
				t.Errorf("got %s, login %d, type %q, want %d, %q", req.URL, req.Login, req.TransferType, c.login, c.transfer)
			}
			var warnings []string
			for _, d := range (&externalbody.Resolver{}).Plan(ref).Diags {
				warnings = append(warnings, d.String())
			}
			if got := strings.Join(warnings, ", "); got != c.warnings {
				t.Errorf("warnings %q, want %q", got, c.warnings)
			}
		})
	}
}

// TestAnySite: a caller that opens its networks means addresses.
func TestAnySite(t *testing.T) {
	ref := one(t, `message/external-body; access-type=anon-ftp; site="127.0.0.1"; name=x`, "Content-ID: <a@b>\n")
	if p := (&externalbody.Resolver{AnySite: true, Fetcher: &web{}}).Plan(ref); p.Kind != 0 || p.URL != "ftp://127.0.0.1/x" {
		t.Errorf("got %v %s, want 0", p.Kind, p.Reason)
	}
	if p := (&externalbody.Resolver{Fetcher: &web{}}).Plan(ref); p.Kind != fetch.Blocked || p.Cause != "address" {
		t.Errorf("got %v by %q, want %v by address", p.Kind, p.Cause, fetch.Blocked)
	}
}

var related = "From: Someone <sender@h.example>\n" + mixed(
	"Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: base64\nContent-ID: <target@h>\n\naGVsbG8=",
	external("content-id\nContent-ID: <target@h>\nContent-Transfer-Encoding: 7bit", ""),
	external(`URL; URL="cid:target@h"`, "Content-Type: text/html\nContent-ID: <2@h>\n"),
	external(`URL; URL="cid:target@h"`, "Content-Type: image/gif\nContent-ID: <3@h>\n"),
	external(`URL; URL="cid:nowhere@h"`, "Content-ID: <4@h>\n"),
	external(`URL; URL="cid:5@h"`, "Content-ID: <5@h>\n"),
	external(`URL; URL="cid:2@h"`, "Content-Type: text/html\nContent-ID: <6@h>\n"),
	external("content-id\nContent-ID: <twice@h>", ""),
	"Content-Type: multipart/alternative; boundary=c\n\n--c\nContent-ID: <twice@h>\n\nfirst\n--c\nContent-ID: <twice@h>\n\nsecond\n--c--",
	external(`URL; URL="cid:twice@h"`, "Content-ID: <9@h>\n"),
	"Content-Type: message/rfc822\n\n"+external("content-id\nContent-ID: <target@h>", ""),
	external(`URL; URL="mid:m1@h/target@h"`, "Content-Type: text/html\nContent-ID: <11@h>\n"),
	external(`URL; URL="mid:gone@h"`, "Content-Type: message/rfc822\nContent-ID: <12@h>\n"),
)

// TestWithin is AT-25 to AT-27 and CM-1 to CM-4.
func TestWithin(t *testing.T) {
	m := openMessage(t, related, nil)
	r := &externalbody.Resolver{Messages: func(_ context.Context, id string) (*externalbody.Message, error) {
		if id == "<m1@h>" {
			return m, nil
		}
		return nil, nil
	}}
	want := map[string]struct {
		kind        fetch.Kind
		body, label string
	}{
		"2":    {0, "hello", "text/html; charset=utf-8"},
		"3":    {0, "hello", "text/html; charset=utf-8"},
		"4":    {fetch.TypeMismatch, "", ""},
		"5":    {fetch.NotFound, "", ""},
		"6":    {fetch.Malformed, "", ""}, // itself
		"7":    {0, "hello", "text/html; charset=utf-8"},
		"8":    {fetch.Malformed, "", ""}, // two of them
		"10":   {0, "second", "text/plain; charset=us-ascii"},
		"11.1": {fetch.NotFound, "", ""}, // only outside of its message
		"12":   {0, "hello", "text/html; charset=utf-8"},
		"13":   {fetch.NotFound, "", ""},
	}
	for ref := range m.References() {
		w, ok := want[ref.ID]
		if !ok {
			t.Errorf("got reference %s, want none of ID %s", ref, ref.ID)
			continue
		}
		delete(want, ref.ID)
		b, body, err := readBody(t, r, ref)
		if body == nil {
			if fetch.KindOf(err) != w.kind {
				t.Errorf("%s: got %v, want %v", ref.ID, err, w.kind)
			}
			continue
		}
		if err != nil || w.kind != 0 || b != w.body || body.MediaType != w.label {
			t.Errorf("%s: got %q as %s, %v, want %q, %s, nil", ref.ID, b, body.MediaType, err, w.body, w.label)
		}
		if p := r.Plan(ref); !p.Local() || p.Sender != "sender@h.example" {
			t.Errorf("%s: got plan %+v, want a local one of %s", ref.ID, p, "sender@h.example")
		}
	}
	if len(want) > 0 {
		t.Errorf("not listed: %v", want)
	}
}

// TestNested is EB-36.
func TestNested(t *testing.T) {
	inner := func(url, phantom string) string {
		return "Content-Type: message/external-body; access-type=URL; URL=\"" + url + "\"\nContent-ID: <i@h>\n" + phantom
	}
	w := &web{pages: map[string]page{
		"http://h.example/ref":  {mediaType: "message/external-body", body: "Content-Type: text/plain\r\nContent-ID: <d@h>\r\n\r\n"},
		"http://h.example/data": {mediaType: "text/plain", body: "the data"},
	}}
	r := &externalbody.Resolver{Fetcher: w}
	ref := one(t, `message/external-body; access-type=URL; URL="http://h.example/ref"`, inner("http://h.example/data", "\n"))
	b, body, err := readBody(t, r, ref)
	if err != nil || b != "the data" || body.MediaType != "text/plain" {
		t.Fatalf("got %q, %v, want %q of text/plain", b, err, "the data")
	}
	if rep := body.Report(); rep.Reference != ref || rep.Inner == nil || rep.Inner.ContentID != "<d@h>" {
		t.Errorf("got report %+v, want that of %s, with an inner Reference %s", rep, ref, "<d@h>")
	}

	// One limit holds for all steps.
	step := int64(len(w.pages["http://h.example/ref"].body))
	for more, want := range map[int64]fetch.Kind{int64(len("the data")): 0, int64(len("the data")) - 1: fetch.TooLarge, 0: fetch.TooLarge} {
		limited := &externalbody.Resolver{Fetcher: w, MaxBytes: step + more}
		if _, _, err := readBody(t, limited, ref); fetch.KindOf(err) != want {
			t.Errorf("%d octets more than the inner reference has: got %v, want Kind %v", more, err, want)
		}
	}
	w.pages["http://h.example/data"] = page{mediaType: "text/plain", body: "x"}
	if _, _, err := readBody(t, &externalbody.Resolver{Fetcher: w, MaxBytes: step}, ref); fetch.KindOf(err) != fetch.TooLarge {
		t.Errorf("no octets left: got %v, want %v", err, fetch.TooLarge)
	}
	w.pages["http://h.example/data"] = page{mediaType: "text/plain", body: "the data"}

	// A refusal of the second step counts.
	r.Approve = func(_ context.Context, p *externalbody.Plan) error {
		if p.Path == "/data" {
			return errors.New("no")
		}
		return nil
	}
	if _, err := r.Resolve(t.Context(), ref); fetch.KindOf(err) != fetch.Denied {
		t.Errorf("got %v, want %v", err, fetch.Denied)
	}
	r.Approve = nil

	// A circle, and a chain without end.
	w.pages["http://h.example/loop"] = page{mediaType: "message/external-body", body: inner("http://h.example/loop", "")}
	ref = one(t, `message/external-body; access-type=URL; URL="http://h.example/loop"`, inner("http://h.example/loop", "\n"))
	if _, err := r.Resolve(t.Context(), ref); fetch.KindOf(err) != fetch.Malformed || !strings.Contains(err.Error(), "circle") {
		t.Errorf("circle: got error %v, want %v that says circle", err, fetch.Malformed)
	}
	for i := range 20 {
		w.pages[fmt.Sprintf("http://h.example/%d", i)] = page{mediaType: "message/external-body", body: inner(fmt.Sprintf("http://h.example/%d", i+2), "")}
	}
	w.asked = nil
	ref = one(t, `message/external-body; access-type=URL; URL="http://h.example/0"`, inner("http://h.example/1", "\n"))
	if _, err := r.Resolve(t.Context(), ref); fetch.KindOf(err) != fetch.Malformed || len(w.asked) > 7 {
		t.Errorf("chain: got error %v after %d requests, want %v after at most 7", err, len(w.asked), fetch.Malformed)
	}
}

// TestChoices is EB-32 to EB-35.
func TestChoices(t *testing.T) {
	const ps = "Content-Type: application/postscript\nContent-ID: <ps@h>\n"
	text := strings.Replace(mixed(
		external(`URL; URL="http://h.example/1.txt"`, "Content-Type: text/plain\nContent-ID: <txt@h>\n"),
		external(`mail-server; server="s@h.example"`, ps+"\nget it"),
		external(`anon-ftp; site="h.example"; name="1.ps"; mode=image`, ps),
		external(`URL; URL="https://h.example/1.ps"`, ps),
		external("x-odd", ps),
	), "mixed", "alternative", 1)
	m := openMessage(t, text, nil)
	var got []string
	for choice := range m.Choices() {
		for _, body := range choice {
			for _, ref := range body {
				got = append(got, ref.ID)
			}
			got = append(got, "/")
		}
		got = append(got, ";")
	}
	if s := strings.Join(got, " "); s != "2 3 4 5 / 1 / ;" {
		t.Errorf("got choices %s, want %s", s, "2 3 4 5 / 1 / ;")
	}
	// Save and Resolve try https, ftp, the unknown, and mail last.
	w := &web{pages: map[string]page{}}
	for choice := range m.Choices() {
		report, err := (&externalbody.Resolver{Fetcher: w}).Save(t.Context(), choice[0], new(tape))
		var order []string
		for _, f := range report.Failures {
			order = append(order, f.Reference.ID)
		}
		if fmt.Sprint(order) != "[4 3 5 2]" || err == nil {
			t.Errorf("got %v, %v, want [4 3 5 2], an error", order, err)
		}
		if _, again := (&externalbody.Resolver{Fetcher: w}).Resolve(t.Context(), choice[0]...); again == nil || again.Error() != err.Error() {
			t.Errorf("got %v of Resolve, want %v", again, err)
		}
	}
}

// TestMatch is AT-23.
func TestMatch(t *testing.T) {
	ref := one(t, `message/external-body; access-type=mail-server; server="mailserv@ds.example"`, "Content-Type: text/plain\nContent-ID: <draft@h>\nContent-MD5: "+md5sum("hello")+"\n\nget draft\n")
	reply := func(from, id, body string) *externalbody.Message {
		text := "From: " + from + "\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nHere it is.\n--b\nContent-Type: text/plain\nContent-ID: " + id + "\nContent-Transfer-Encoding: base64\n\n" + body + "\n--b--\n"
		return openMessage(t, text, nil)
	}
	r := &externalbody.Resolver{}
	body, err := r.Match(t.Context(), ref, reply("Server <MAILSERV@ds.example>", "<draft@h>", "aGVsbG8="))
	must(t, err)
	b, err := io.ReadAll(body)
	if err != nil || string(b) != "hello" || body.Report().Verified() != fetch.WeakMatch || len(body.Report().Warnings) != 0 {
		t.Errorf("got %q, %v, %+v, want %q, nil", b, err, body.Report(), "hello")
	}
	if body, err = r.Match(t.Context(), ref, reply("other@h.example", "<draft@h>", "aGVsbG8=")); err != nil {
		t.Errorf("other sender: got error %v, want none", err)
	} else if got := fmt.Sprint(body.Report().Warnings); got != "[other-sender from]" {
		t.Errorf("other sender: got warnings %s, want %s", got, "[other-sender from]")
	}
	if _, err = (&externalbody.Resolver{Strict: true}).Match(t.Context(), ref, reply("other@h.example", "<draft@h>", "aGVsbG8=")); fetch.KindOf(err) != fetch.Denied {
		t.Errorf("got %v, want %v", err, fetch.Denied)
	}
	if _, err = r.Match(t.Context(), ref, reply("a@h.example", "<other@h>", "aGVsbG8=")); fetch.KindOf(err) != fetch.NotFound {
		t.Errorf("got %v, want %v", err, fetch.NotFound)
	}
	if body, err = r.Match(t.Context(), ref, reply("a@h.example", "<draft@h>", "aGVsbG9v")); err == nil {
		_, err = io.ReadAll(body)
	}
	if fetch.KindOf(err) != fetch.DigestMismatch {
		t.Errorf("got %v, want %v", err, fetch.DigestMismatch)
	}
}

// TestOwnAccessType is EB-37: a caller adds a type, and it is guarded and checked
// like the ones that are known.
func TestOwnAccessType(t *testing.T) {
	ref := one(t, `message/external-body; access-type=x-blob; key=k1`, "Content-ID: <a@b>\nContent-MD5: "+md5sum("blob")+"\n")
	w := &web{pages: map[string]page{"http://store.example/k1": {mediaType: "text/plain", body: "blob"}}}
	r := &externalbody.Resolver{Fetcher: w, AccessTypes: map[string]func(*externalbody.Reference) (*fetch.Request, error){
		"x-blob": func(ref *externalbody.Reference) (*fetch.Request, error) {
			key, ok := ref.Param("key")
			if !ok {
				return nil, errors.New("no key")
			}
			return &fetch.Request{URL: &url.URL{Scheme: "http", Host: "store.example", Path: "/" + key}}, nil
		},
	}}
	if b, body, err := readBody(t, r, ref); err != nil || b != "blob" || body.Report().Verified() != fetch.WeakMatch {
		t.Errorf("got %q, %v, want %q, nil", b, err, "blob")
	}
	if p := r.Plan(ref); p.Host != "store.example" || p.Ref != ref {
		t.Errorf("got plan %+v, want host %s, access type %s", p, "store.example", "x-blob")
	}
	if p := (&externalbody.Resolver{Fetcher: w}).Plan(ref); p.Kind != fetch.Unsupported {
		t.Errorf("got %v, want %v", p.Kind, fetch.Unsupported)
	}
	r.AccessTypes["x-own"] = func(*externalbody.Reference) (*fetch.Request, error) { return nil, nil }
	for _, accessType := range []string{"x-blob", "x-own"} {
		if p := r.Plan(one(t, "message/external-body; access-type="+accessType, "")); p.Kind != fetch.Malformed {
			t.Errorf("%s that gives no request: got %v, want %v", accessType, p.Kind, fetch.Malformed)
		}
	}
}

// TestReferenceToReference: the body that a cid: URL leads to is reported under the
// Reference that was asked for, and keeps the promises of both.
func TestReferenceToReference(t *testing.T) {
	for _, c := range []struct {
		md5  string
		kind fetch.Kind
	}{{md5sum("data"), 0}, {md5sum("other"), fetch.DigestMismatch}} {
		refs := openText(t, mixed(
			external(`URL; URL="cid:2@h"`, "Content-ID: <1@h>\nContent-MD5: "+c.md5+"\n"),
			external(`URL; URL="http://h.example/x"`, "Content-ID: <2@h>\n"),
		), nil)
		r := &externalbody.Resolver{Fetcher: &web{pages: map[string]page{"http://h.example/x": {mediaType: "text/plain", body: "data"}}}}
		var s tape
		report, err := r.Save(t.Context(), refs[:1], &s)
		if fetch.KindOf(err) != c.kind || report.Reference != refs[0] || report.Inner != refs[1] {
			t.Errorf("got %v, report %+v, want %v", err, report, c.kind)
		}
	}
}

// TestPlanLogin: access type ftp never logs in anonymously (AT-3), and its Plan
// shows that.
func TestPlanLogin(t *testing.T) {
	for access, want := range map[string]string{"ftp": "credentials", "anon-ftp": "anonymous"} {
		p := (&externalbody.Resolver{Fetcher: &web{}}).Plan(one(t, "message/external-body; access-type="+access+"; site=h.example; name=x", ""))
		if p.Login != want || !strings.Contains(p.String(), "logs in") {
			t.Errorf("%s: got login %q, want %q, told by\n%s", access, p.Login, want, p)
		}
	}
}
