package externalbody_test

import (
	"encoding/json"
	"errors"
	"net/url"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// TestPlanID has pairs of references and settings that differ in the body that is
// fetched or accepted: their Plans have different IDs. The same, read again, has
// the same.
func TestPlanID(t *testing.T) {
	const entity = "Content-Type: message/external-body; access-type=URL; URL=\"http://a.example/b\"\n\nContent-Type: image/png\n"
	within := func(body string) string {
		return mixed(external(`URL; URL="cid:a@h"`, "Content-Type: image/png\n"), "Content-Type: image/png\nContent-ID: <a@h>\n\n"+body)
	}
	own := func(query string) externalbody.Resolver {
		return externalbody.Resolver{AccessTypes: map[string]func(*externalbody.Reference) (*fetch.Request, error){
			"url": func(*externalbody.Reference) (*fetch.Request, error) {
				return &fetch.Request{URL: &url.URL{Scheme: "https", Host: "a.example", Path: "/b", RawQuery: query}}, nil
			},
		}}
	}
	type setup struct {
		text string
		r    externalbody.Resolver
	}
	mail := func(text string) setup { return setup{text: text} }
	by := func(r externalbody.Resolver) setup { return setup{entity + "\n", r} }
	for _, c := range []struct {
		name string
		a, b setup
	}{
		{"URL", mail(entity + "\n"), mail(strings.Replace(entity, "/b", "/c", 1) + "\n")},
		{"ShareLink", mail(strings.Replace(entity, "http://a.example/b", "https://www.dropbox.com/s/Other1a2B3c4D5e/a.pdf", 1) + "\n"), mail(strings.Replace(entity, "http://a.example/b", "https://www.dropbox.com/s/Secr3t1a2B3c4D5/a.pdf", 1) + "\n")},
		{"Query", mail(entity + "\n"), mail(strings.Replace(entity, "/b", "/b?c", 1) + "\n")},
		{"MD5", mail(entity + "Content-MD5: " + md5sum("x") + "\n\n"), mail(entity + "Content-MD5: " + md5sum("y") + "\n\n")},
		{"NoMD5", mail(entity + "\n"), mail(entity + "Content-MD5: " + md5sum("y") + "\n\n")},
		{"MediaType", mail(entity + "\n"), mail(strings.Replace(entity, "png", "gif", 1) + "\n")},
		{"Encoding", mail(entity + "\n"), mail(entity + "Content-Transfer-Encoding: base64\n\n")},
		{"Size", mail(entity + "\n"), mail(strings.Replace(entity, "URL;", "URL; size=7;", 1) + "\n")},
		{"NestedReference",
			mail(strings.Replace(entity, "image/png", "message/external-body; access-type=URL; URL=\"http://a.example/c\"", 1) + "\n"),
			mail(strings.Replace(entity, "image/png", "message/external-body; access-type=URL; URL=\"http://a.example/d\"", 1) + "\n")},
		{"RequestToMailServer",
			mail("Content-Type: message/external-body; access-type=mail-server; server=\"a@h.example\"\n\nContent-ID: <a@h>\n\nget 1\n"),
			mail("Content-Type: message/external-body; access-type=mail-server; server=\"a@h.example\"\n\nContent-ID: <a@h>\n\nget 2\n")},
		{"Message", mail(within("x")), mail(within("y"))},
		{"ContentID",
			mail(strings.Replace(within("x"), "URL; URL=\"cid:a@h\"\n", "content-id\n\nContent-ID: <a@h>", 1)),
			mail(strings.Replace(within("y"), "URL; URL=\"cid:a@h\"\n", "content-id\n\nContent-ID: <a@h>", 1))},
		{"MaxBytes", by(externalbody.Resolver{}), by(externalbody.Resolver{MaxBytes: 9})},
		{"Profile", by(externalbody.Resolver{}), by(externalbody.Resolver{SIP: new(externalbody.SIP)})},
		{"Accept", by(externalbody.Resolver{SIP: new(externalbody.SIP)}), by(externalbody.Resolver{SIP: &externalbody.SIP{Accept: []string{"image/png"}}})},
		{"Strict", by(externalbody.Resolver{}), by(externalbody.Resolver{Strict: true})},
		{"OwnAccessType", by(own("a")), by(own("b"))},
	} {
		id := func(s setup) string {
			s.r.Fetcher = &web{}
			return s.r.Plan(openText(t, s.text, nil)[0]).ID
		}
		a, again, b := id(c.a), id(c.a), id(c.b)
		if a != again || a == "" {
			t.Errorf("%s: got ID %s, then %s, want the same", c.name, a, again)
		}
		if a == b {
			t.Errorf("%s: got ID %s for both, want different ones", c.name, a)
		}
	}
}

// A message that cannot be read any more has no identity: the Plan is refused, and
// is not the Plan of another message that cannot be read.
func TestPlanIDUnreadable(t *testing.T) {
	text := "Content-Type: message/external-body; access-type=URL; URL=\"cid:a@h\"\n\nContent-Type: image/png\n\n"
	src := &brokenReader{strings.NewReader(text), int64(len(text))}
	m, err := externalbody.Open(src, int64(len(text)), nil)
	must(t, err)
	src.from = 0
	r := &externalbody.Resolver{Fetcher: &web{}}
	for ref := range m.References() {
		if p := r.Plan(ref); p.Kind != fetch.Local {
			t.Errorf("got Kind %v, want %v", p.Kind, fetch.Local)
		}
		if _, err := r.Resolve(t.Context(), ref); fetch.KindOf(err) != fetch.Local || !errors.Is(err, errBroken) {
			t.Errorf("got %v, want Kind %v and the error of the reader", err, fetch.Local)
		}
	}
}

// A standard part can refer to a share link, whose facts are in its Plan as well.
func TestPlanOfStandardShareLink(t *testing.T) {
	text := "Content-Type: message/external-body; access-type=url; url=\"https://we.tl/t-AbCdEfGhIj\"\r\n\r\nContent-Type: text/plain\r\n\r\n"
	m := openMessage(t, text, nil)
	for ref := range m.References() {
		if p := new(externalbody.Resolver).Plan(ref); !p.Once {
			t.Errorf("got the plan %+v, want one with Once", p)
		}
	}
}

// TestSenderOfFrom: a decision about a sender hangs on the one mailbox that every reader of RFC
// 5322 sees, or on none.
func TestSenderOfFrom(t *testing.T) {
	for _, tt := range []struct{ from, want string }{
		{"alice@example.com", "alice@example.com"},
		{" Alice <alice@Example.COM>\r\n", "alice@example.com"},
		{"Mallory <mallory@evil.example> (<alice@example.com>)", "mallory@evil.example"},
		{"(<alice@example.com>) mallory@evil.example", "mallory@evil.example"},
		{"alice(@example.com, m)@evil.example", "alice@evil.example"},
		{"(a (b\\) \") c) mallory (d) @ (e) evil.example (f)", "mallory@evil.example"},
		{"(a)\"Alice (b\" (c) < (d) mallory@evil.example (e)>(f)", "mallory@evil.example"},
		{"\"a(b)\"(c)@evil.example", "\"a(b)\"@evil.example"},
		{"=?utf-8?q?Alice_(Sales)?= <a@b.example>", "a@b.example"},
		{"alice (c) mallory@evil.example", ""},
		{"ali(c)ce@evil.example", ""},
		{"alice@evil(c).example", ""}, // obsolete, and readers differ
		{"alice . mallory@evil.example", ""},
		{"(alice@example.com mallory@evil.example", ""},
		{"alice@example.com) mallory@evil.example", ""},
		{"\"alice (\\\" ) <mallory@evil.example>", ""},
		{`"<alice@example.com>" <mallory@evil.example>`, "mallory@evil.example"},
		{`"alice@example.com" <mallory@evil.example>`, "mallory@evil.example"},
		{`"alice@example.com"@evil.example`, `"alice@example.com"@evil.example`},
		{"=?utf-8?q?=3Calice=40example=2Ecom=3E?= <mallory@evil.example>", "mallory@evil.example"},
		{"=?x-unknown?q?=E9?= <a@b.example>", "a@b.example"},
		{"Andr\xe9 <a@b.example>", "a@b.example"},
		{"alice <alice@example.com> <mallory@evil.example>", ""},
		{"<alice@example.com>, <mallory@evil.example>", ""},
		{"alice@example.com, mallory@evil.example", ""},
		{"Team: alice@example.com, mallory@evil.example;", ""},
		{"undisclosed-recipients:;", ""},
		{"alice@example.com mallory@evil.example", ""},
		{"alice@example.com (", ""},
		{"mallory@evil.example\x00<alice@example.com>", ""},
		{"mallory@evil.example\rFrom: alice@example.com", ""},
		{"J. Q. Public\r\n <j@b.example>", "j@b.example"},
		{"用户@例子.广告", "用户@xn--fsqu00a.xn--4rr70v"},
		{"u@xn--fsqu00a.xn--4rr70v", "u@xn--fsqu00a.xn--4rr70v"},
		{"u@EXAMPLE.com.", ""},
		{"u@ｅxample.com", "u@example.com"},
		{"u@[192.0.2.1]", ""},
		{"u@exa mple.com", ""},
		{"a\u202eb@c.example", ""},
		{"a\xff@c.example", ""},
		{"alice", ""},
		{"", ""},
		{"a@b.example (" + strings.Repeat("x", 16<<10) + ")", ""},
	} {
		if got := externalbody.Sender(tt.from); got != tt.want {
			t.Errorf("%.80q: got %q, want %q", tt.from, got, tt.want)
		}
	}
	if got := externalbody.Sender("a@b.example", "a@b.example"); got != "" {
		t.Errorf("two fields: got %q, want none", got)
	}
	if got := externalbody.Sender(); got != "" {
		t.Errorf("no field: got %q, want none", got)
	}
}

// TestPlanSender: Plan has the Sender of the message, or the one that a caller sets. It is
// neither who forwards the message nor whom the header of a forwarded one names.
func TestPlanSender(t *testing.T) {
	for _, tt := range []struct{ name, header, set, want string }{
		{"One", "From: Alice <alice@Example.com>\n", "", "alice@example.com"},
		{"Comment", "From: Mallory <mallory@evil.example> (<alice@example.com>)\n", "", "mallory@evil.example"},
		{"Two", "From: alice@example.com\nfrom: mallory@evil.example\n", "", ""},
		{"TooLong", "From: alice@example.com\nX: " + strings.Repeat("x", 300<<10) + "\nFrom: m@evil.example\n", "", ""},
		{"None", "", "", ""},
		{"Forwarded", "From: outer@h.example\nContent-Type: message/rfc822\n\nFrom: inner@h.example\n", "", ""},
		{"Set", "From: mallory@evil.example\n", "alice@EXAMPLE.com", "alice@example.com"},
		{"SetToAnAccount", "", "account 7", "account 7"},
	} {
		refs := openText(t, tt.header+"MIME-Version: 1.0\n"+remotePart, nil)
		if len(refs) == 0 && tt.name == "TooLong" {
			continue
		}
		refs[0].Sender = tt.set
		if got := new(externalbody.Resolver).Plan(refs[0]).Sender; got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
	raw, err := externalbody.ReadRaw([]byte(remotePart), nil)
	must(t, err)
	for _, want := range []string{"", "a@b.example"} {
		raw.Sender = want
		if got := new(externalbody.Resolver).Plan(raw).Sender; got != want {
			t.Errorf("read alone: got %q, want %q", got, want)
		}
	}
}

// TestPlanForged: no text of a stranger can write a fact of the Plan, since nothing in it ends its
// quotation marks.
func TestPlanForged(t *testing.T) {
	const name, access = `a.pdf", text/plain, 5 octets; verifies sha-256`, `x", contacts nobody`
	p := &externalbody.Plan{Ref: &externalbody.Reference{AccessType: access, Name: name, MediaType: "text/plain, verifies", Size: -1}, MaxBytes: -1}
	got := p.String()
	for _, want := range []string{
		`access type "x\", contacts nobody"`,
		`expects "a.pdf\", text/plain, 5 octets; verifies sha-256", "text/plain, verifies"`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("got %s, want %s in it", got, want)
		}
	}
}

// TestPlanJSON: the facts of the Reference are members of the Plan in JSON, also in a Plan by value and
// for a redirect.
func TestPlanJSON(t *testing.T) {
	ref := one(t, `message/external-body; access-type=url; url="https://files.example/a.pdf"; size=7; expiration="Fri, 14 Jun 2030 23:13:14 GMT"`, "Content-Type: application/pdf; name=b.pdf\nContent-ID: <a@b>\n\n")
	p := new(externalbody.Resolver).Plan(ref)
	if p.Ref != ref {
		t.Errorf("got %v, want the Reference itself", p.Ref)
	}
	for _, v := range []any{p, *p, struct{ P *externalbody.Plan }{p}} {
		text, err := json.Marshal(v)
		must(t, err)
		for _, want := range []string{
			`"ref":"1"`, `"access_type":"url"`, `"content_type":"application/pdf"`, `"name":"b.pdf"`, `"size":7`,
			`"expiration":"2030-06-14T23:13:14Z"`, `"host":"files.example"`, `"id":"` + p.ID,
		} {
			if strings.Count(string(text), want) != 1 {
				t.Errorf("got %s, want %s in it, once", text, want)
			}
		}
	}
	text, err := json.Marshal(new(externalbody.Plan))
	if err != nil || !strings.Contains(string(text), `"ref":"","access_type":""`) || !strings.Contains(string(text), `"size":-1`) {
		t.Errorf("got %s, %v without a Reference, want the members that are always there", text, err)
	}
}
