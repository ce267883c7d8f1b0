package inspect

import (
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Each condition decides about a mail that needs it. A fact that is not known meets neither a
// condition nor its opposite. A fact that exempts a sender from a strict rule must be known
// (OP-41).
func TestConditions(t *testing.T) {
	const header = "From: Boss <boss@Sales.A.example>\r\n" +
		"Authentication-Results: mx.example (a; dkim=fail) 1; dkim=pass header.d=a.example; dkim=fail (\"b;\") header.d=b.example;\r\n spf = softfail smtp.mailfrom=a.example; dmarc/1=pass\r\n" +
		"Authentication-Results: evil.example; dmarc=fail\r\n"
	envelope := Envelope{From: "Bounce@b\u00fccher.example", Recipients: []string{"to@sub.a.example"}, Client: netip.MustParseAddr("::ffff:192.0.2.77")}
	bounce := envelope
	bounce.From = "<>"
	var none Envelope
	for _, test := range []struct {
		name, header string
		host         string
		envelope     Envelope
		condition    string
		strict, mild bool
	}{
		{"EnvelopeFrom", header, "good", envelope, "envelope_from = 'bounce@xn--bcher-kva.example'", true, true},
		{"EnvelopeFromBelow", header, "good", envelope, "envelope_from = 'example'", true, true},
		{"EnvelopeFromOther", header, "good", envelope, "envelope_from = 'a.example'", false, false},
		{"EnvelopeFromNot", header, "good", envelope, "not = { envelope_from = 'a.example' }", true, true},
		{"EnvelopeFromUnknown", header, "good", none, "envelope_from = 'a.example'", false, false},
		{"EnvelopeFromUnknownNot", header, "good", none, "not = { envelope_from = 'a.example' }", true, false},
		{"Bounce", header, "good", bounce, "envelope_from = '<>'", true, true},
		{"BounceNot", header, "good", bounce, "not = { envelope_from = 'a.example' }", true, true},
		{"Recipient", header, "good", envelope, "recipient = 'a.example'", true, true},
		{"RecipientExact", header, "good", envelope, "recipient = '@a.example'", false, false},
		{"RecipientUnknown", header, "good", none, "not = { recipient = 'a.example' }", true, false},
		{"Client", header, "good", envelope, "client = ['10.0.0.0/8', '192.0.2.64/26']", true, true},
		{"ClientOther", header, "good", envelope, "client = '192.0.2.0/26'", false, false},
		{"ClientAddress", header, "good", envelope, "client = '192.0.2.77'", true, true},
		{"ClientUnknown", header, "good", none, "not = { client = '10.0.0.0/8' }", true, false},
		{"HeaderFrom", header, "good", none, "header_from = 'a.example'", true, true},
		{"HeaderFromExact", header, "good", none, "header_from = '@a.example'", false, false},
		{"HeaderFromTwice", header + "From: c@c.example\r\n", "good", none, "header_from = 'a.example'", false, false},
		{"HeaderFromTwiceNot", header + "From: c@c.example\r\n", "good", none, "not = { header_from = 'a.example' }", true, true},
		{"HeaderTooLong", header + "X: " + strings.Repeat("x", maxHeader), "good", none, "not = { header_from = 'a.example' }", true, false},
		{"Header", header, "good", none, "header = { From = '*boss*', authentication-results = '*evil*' }", true, false},
		{"HeaderOther", header, "good", none, "header = { From = '*boss*', Subject = '*' }", false, false},
		{"HeaderWithinUnseen", header + "Subject: in\u200bvo=?utf-8?Q?=C2=AD?=ice\r\n", "good", none, "header = { Subject = '*invoice*' }", true, false},
		{"HeaderOfUnseen", header + "Subject: in\u200bvoice\r\n", "good", none, "header = { Subject = '*\u200b*' }", true, true},
		{"HeaderWithoutUnseen", header + "Subject: invoice\r\n", "good", none, "header = { Subject = '*\u200b*' }", false, false},
		{"HeaderNot", header, "good", none, "not = { header = { Subject = '*' } }", true, true},
		{"HeaderUnknown", header + "X: " + strings.Repeat("x", maxFieldOctets), "good", none, "header = { Subject = '*' }", false, false},
		{"HeaderUnknownNot", header + "X: " + strings.Repeat("x", maxFieldOctets), "good", none, "not = { header = { Subject = '*' } }", true, false},
		{"HeaderBeyondBound", header + "X: " + strings.Repeat("x", maxFieldOctets), "good", none, "header = { From = '*boss*' }", true, false},
		{"NameUnknown", header, "gone", none, "not = { file_name = 'x' }", true, false},
		{"DigestUnknown", header, "gone", none, "not = { sha256 = '" + digest("x") + "' }", false, false},
		{"CountUnknown", header, "gone", none, "max_count = 1", true, true},
		{"TotalUnknown", header, "gone", none, "not = { min_total_size = 5 }", false, false},
		{"RedirectsUnknown", header, "gone", none, "not = { min_redirects = 5 }", false, false},
		{"SignatureUnknown", header, "gone", none, "not = { signature = 'x' }", false, false},
		{"DMARC", header, "good", none, "dmarc = 'pass'", true, true},
		{"DMARCNot", header, "good", none, "not = { dmarc = 'pass' }", false, false},
		{"DKIMOfSeveral", header, "good", none, "dkim = 'pass'", true, true},
		{"DKIMOfSeveralNot", header, "good", none, "not = { dkim = 'pass' }", false, false},
		{"DKIMOfSender", header, "good", none, "not = { dkim = 'pass', header_from = 'a.example' }", false, false},
		{"DKIMNotAligned", strings.Replace(header, "header.d=a.example", "header.d=esp.example", 1), "good", none, "not = { dkim = 'pass' }", true, true},
		{"DKIMWithoutDomain", strings.Replace(header, " header.d=a.example", "", 1), "good", none, "not = { dkim = 'pass' }", true, true},
		{"DKIMByUser", strings.Replace(header, "header.d=a.example", "header.i = boss@a.example", 1), "good", none, "not = { dkim = 'pass' }", false, false},
		{"DKIMDomain", strings.Replace(header, "header.d=a.example", "header.d=mail.esp.example", 1), "good", none, "not = { dkim = 'pass', dkim_domain = 'esp.example' }", false, false},
		{"DKIMDomainFails", header, "good", none, "not = { dkim = 'pass', dkim_domain = 'b.example' }", true, true},
		{"DKIMTwoSenders", header + "From: c@c.example\r\n", "good", none, "not = { dkim = 'pass' }", true, true},
		{"NoVerifierNotNot", "", "good", none, "not = { not = { dmarc = 'pass' } }", false, false},
		{"NoVerifierPositive", "", "good", none, "dmarc = ['fail', 'none']", false, false},
		{"NotAnyUnknown", "", "good", none, "not = { any = [{ client = '10.0.0.0/8' }, { dkim = 'pass' }] }", true, false},
		{"NotAnyKnown", header, "good", none, "not = { any = [{ client = '10.0.0.0/8' }, { dkim = 'pass' }] }", false, false},
		{"NotUnknownFile", "", "gone", none, "not = { any = [{ client = '10.0.0.0/8' }, { min_size = '1GB' }] }", false, false},
		{"SPF", header, "good", none, "spf = ['fail', 'softfail']", true, true},
		{"NoVerifier", "", "good", none, "not = { dmarc = 'pass' }", true, false},
		{"OtherVerifier", "Authentication-Results: evil.example; dmarc=pass\r\n", "good", none, "dmarc = 'pass'", false, false},
		{"OtherVersion", "Authentication-Results: mx.example 2; dmarc=pass\r\n", "good", none, "dmarc = 'pass'", false, false},
		{"NoResult", "Authentication-Results: MX.example; none\r\n", "good", none, "dmarc = 'none'", true, true},
		{"Type", "", "good", none, "type = 'text/plain'", true, true},
		{"TypeFamily", "", "good", none, "type = 'Text/*'", true, true},
		{"TypeOther", "", "good", none, "type = 'image/*'", false, false},
		{"TypeDisguised", "", "program", none, "type = 'application/pdf'", true, false},
		{"TypeSniffed", "", "program", none, "type = 'application/x-dosexec'", true, false},
		{"TypeNotHad", "", "gone", none, "type = 'text/plain'", true, false},
		{"TypeNotHadNot", "", "gone", none, "not = { type = 'image/*' }", true, false},
		{"MaxSize", "", "good", none, "max_size = 5", true, true},
		{"MaxSizeLess", "", "good", none, "max_size = 4", false, false},
		{"MaxSizeUnknown", "", "gone", none, "max_size = '1GB'", false, false},
		{"MinSizeUnknown", "", "gone", none, "not = { min_size = '1GB' }", false, false},
		{"NotBoth", "", "good", none, "not = { host = 'good.example', max_size = 4 }", true, true},
		{"NotWithUnknown", "", "good", none, "not = { client = '10.0.0.0/8', host = 'good.example' }", true, false},
		{"NotWithUnknownAndUnmet", "", "good", none, "not = { client = '10.0.0.0/8', host = 'bad.example' }", true, true},
		{"Any", "", "good", none, "any = [{ host = 'bad.example' }, { max_size = 5 }]", true, true},
		{"AnyUnmet", "", "good", none, "any = [{ host = 'bad.example' }, { max_size = 4 }]", false, false},
		{"AnyWithUnknown", "", "good", none, "any = [{ client = '10.0.0.0/8' }, { max_size = 5 }]", true, true},
		{"All", "", "good", none, "all = [{ not = { host = 'bad.example' } }, { not = { max_size = 4 } }]", true, true},
		{"AllUnmet", "", "good", none, "all = [{ host = 'good.example' }, { not = { max_size = 5 } }]", false, false},
		{"HostAfterUser", "", "user@bad", none, "host = 'bad.example'", true, true},
		{"HostAfterUserOther", "", "user@bad", none, "host = 'user'", false, false},
		{"UnicodeHost", "", "b\u00fccher", none, "host = 'xn--bcher-kva.example'", true, true},
		{"UnicodeHostInPolicy", "", "xn--bcher-kva", none, "host = '*.B\u00dccher.example'", true, true},
		{"MismatchNotHad", "", "gone", none, "mismatch = false", true, false},
	} {
		m := refers(test.host + ".example")
		text := test.header + readAll(m)
		in := newInspector(t, new(web), nil, PoolOptions{})
		rep := in.Inspect(t.Context(), messageOf(text))
		for action, want := range map[Action]bool{Reject: test.strict, Inline: test.mild} {
			p := parsed(t, "[authentication]\nauthserv_id = 'MX.example'\n[[rule]]\nname = 'r'\naction = '"+string(action)+"'\n"+test.condition+"\n")
			d := p.DecideAll(rep, &test.envelope, nil)
			if (d.Action == action) != want {
				t.Errorf("%s: %s: got %s, want a match %t: %+v", test.name, test.condition, d.Action, want, p.Explain(rep, &test.envelope))
			}
			if unmet := p.Explain(rep, &test.envelope)[0].Unmet; (unmet == "") != want || unmet != "" && !strings.HasPrefix(test.condition, unmet) {
				t.Errorf("%s: got the explanation %q, want a match %t", test.name, unmet, want)
			}
		}
	}
}

// The values of a condition can be in files beside the policy, which are read each time. A
// mistake in one has its line, and the line of the policy.
func TestPolicyFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(dir, "policy.toml")
	write("policy.toml", "[[rule]]\nname = 'r'\naction = 'reject'\nhost = ['c.example', { file = 'hosts' }]\n")
	if _, err := ReadPolicy(path); err == nil {
		t.Error("a list that is missing: got no error")
	}
	rep := report(Ref{Dialect: Standard, Host: "x.b\u00fccher.example"})
	for _, test := range []struct {
		list string
		want Action
		err  string
	}{
		{"\ufeff# hosts\n\nb\u00fccher.example # all below\r\nd.example", Reject, ""},
		{"d.example\n", Tag, ""},
		{"", Tag, ""},
		{"d.example\n\n/x\n", "", "line 4: rule.host: hosts, line 3: "},
		{strings.Repeat("#", maxListBytes), Tag, ""},
		{strings.Repeat("#", maxListBytes+1), "", "octets"},
	} {
		write("hosts", test.list)
		p, err := ReadPolicy(path)
		if test.err != "" {
			if err == nil || !strings.Contains(err.Error(), test.err) {
				t.Errorf("%.20q: got %v, want %s", test.list, err, test.err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if d := p.Decide(rep, new(Envelope), "", nil); d.Action != test.want {
			t.Errorf("%.20q: got %s, want %s", test.list, d.Action, test.want)
		}
	}
	if _, err := ParsePolicy([]byte("[[rule]]\nname = 'r'\naction = 'tag'\nhost = { file = 'hosts' }\n")); err == nil {
		t.Error("a list without a file: got no error")
	}
}

// SERVE.md has a row for each condition.
func TestConditionRows(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "SERVE.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, field := range fields() {
		row := regexp.MustCompile("(?m)^\\|[^|]*`" + field + "`[^|]*\\| .")
		if !row.Match(text) {
			t.Errorf("got no row for %s in SERVE.md, want one", field)
		}
	}
}
