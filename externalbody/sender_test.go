package externalbody_test

import (
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
)

// TestSenderOfFrom: a decision about a sender hangs on the one mailbox that every reader of RFC
// 5322 sees, or on none.
func TestSenderOfFrom(t *testing.T) {
	for _, tt := range []struct{ from, want string }{
		{"alice@example.com", "alice@example.com"},
		{" Alice <alice@Example.COM>\r\n", "alice@example.com"},
		{"Mallory <mallory@evil.example> (<alice@example.com>)", "mallory@evil.example"},
		{"(<alice@example.com>) mallory@evil.example", ""}, // legal, and net/mail refuses it
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

// TestPlanSender: Plan has the Sender of the message, or the one that a caller sets.
func TestPlanSender(t *testing.T) {
	for _, tt := range []struct{ name, header, set, want string }{
		{"One", "From: Alice <alice@Example.com>\n", "", "alice@example.com"},
		{"Comment", "From: Mallory <mallory@evil.example> (<alice@example.com>)\n", "", "mallory@evil.example"},
		{"Two", "From: alice@example.com\nfrom: mallory@evil.example\n", "", ""},
		{"TooLong", "From: alice@example.com\nX: " + strings.Repeat("x", 300<<10) + "\nFrom: m@evil.example\n", "", ""},
		{"None", "", "", ""},
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
}
