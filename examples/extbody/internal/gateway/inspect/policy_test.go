package inspect

import (
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/file/spool"
)

func report(refs ...Ref) *Report {
	r := &Report{Refs: refs}
	r.conclude()
	return r
}

// parsed returns the policy in a text.
func parsed(t testing.TB, text string) *Policy {
	t.Helper()
	p, err := ParsePolicy([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return p
}

// rules returns a policy with rules, whose fields have semicolons between them.
func rules(t testing.TB, list ...string) *Policy {
	t.Helper()
	text := ""
	for _, r := range list {
		text += "[[rule]]\n" + strings.ReplaceAll(r, "; ", "\n") + "\n"
	}
	return parsed(t, text)
}

// by returns the Decision of a rule in force.
func by(rule string, a Action) Decision { return Decision{Action: a, Rule: rule, Mode: Enforce} }

func TestDecide(t *testing.T) {
	evil := Ref{Dialect: Standard, Host: "evil.example", finding: finding{State: Known, scanned: scanned{Scan: Infected}}}
	late := Ref{Dialect: Standard, finding: finding{State: StillToCome}}
	a := Ref{ID: "1", Dialect: Standard, Host: "a.example", finding: finding{State: Known}}
	b := Ref{ID: "2", Dialect: Standard, Host: "b.example", finding: finding{State: Known}}
	named := Ref{extensions: []string{"pdf", "exe"}, finding: finding{members: []string{"js"}}}
	infected, pending := report(evil), report(late)
	two := report(
		Ref{Dialect: Standard, Host: "a.example:8443", extensions: []string{"exe"}, finding: finding{State: Known, Octets: 10}},
		Ref{Dialect: "share-link", Host: "b.a.example", finding: finding{State: Known, Octets: 1000}},
	)
	const (
		reject = "name='r'; verdict='malware'; action='reject'"
		allow  = "name='trusted'; host='a.example'; action='none'"
		notice = "name='notice'; host='a.example'; action='notice'"
		strip  = "name='strip'; host='b.example'; action='strip'"
	)
	trusting := []string{allow, reject, "name='pending'; verdict='pending'; action='defer'"}
	for _, test := range []struct {
		name  string
		rules []string
		rep   *Report
		env   Envelope
		may   bool
		want  Decision
	}{
		{"NoReferences", []string{"name='all'; action='reject'"}, report(), Envelope{}, true, Decision{Action: None}},
		{"NoRules", nil, infected, Envelope{}, true, Decision{Action: Tag}},
		{"Enforce", []string{reject}, infected, Envelope{}, true, by("r", Reject)},
		{"NoMatch", []string{reject}, pending, Envelope{}, true, Decision{Action: Tag}},
		{"FirstDecides", []string{"name='n'; host='evil.example'; action='none'", reject}, infected, Envelope{}, true, by("n", None)},
		{"ShadowGoesOn", []string{"name='s'; action='quarantine'; mode='shadow'", reject}, infected, Envelope{}, true, Decision{Action: Reject, Rule: "r", Mode: Enforce, Shadow: []string{"s=quarantine"}}},
		{"TagOnly", []string{"name='t'; action='reject'; mode='tag'"}, infected, Envelope{}, true, Decision{Action: Tag, Rule: "t", Mode: TagOnly, Would: Reject}},
		{"Defer", []string{"name='d'; verdict='pending'; action='defer'"}, pending, Envelope{}, true, by("d", Defer)},
		{"DeferredEnough", []string{"name='d'; action='defer'", "name='q'; verdict='pending'; action='quarantine'"}, pending, Envelope{}, false, by("q", Quarantine)},
		{"DeferredEnoughOpen", []string{"name='d'; action='defer'"}, pending, Envelope{}, false, Decision{Action: Tag}},
		{"OneReferenceMeetsAll", []string{"name='x'; dialect='share-link'; extension='exe'; action='reject'"}, two, Envelope{}, true, Decision{Action: Tag}},
		{"HostWithPort", []string{"name='x'; host='a.example'; extension='exe'; action='reject'"}, two, Envelope{}, true, by("x", Reject)},
		{"HostIsNoSuffix", []string{"name='x'; host='il.example'; action='reject'"}, infected, Envelope{}, true, Decision{Action: Tag}},
		{"MinSize", []string{"name='x'; min_size=1000; action='quarantine'"}, two, Envelope{}, true, by("x", Quarantine)},
		{"MinSizeOneMore", []string{"name='x'; min_size=1001; action='quarantine'"}, two, Envelope{}, true, Decision{Action: Tag}},
		{"Authenticated", []string{"name='x'; authenticated=true; action='none'"}, infected, Envelope{}, true, Decision{Action: Tag}},
		{"FailureByKind", []string{"name='x'; kind='local'; action='defer'"}, Failure(fetch.Local), Envelope{}, true, by("x", Defer)},
		{"SizeMismatch", []string{"name='x'; kind='size-mismatch'; action='hold'"}, Failure(fetch.SizeMismatch), Envelope{}, true, by("x", Hold)},
		{"SizeMismatchByOldKind", []string{"name='x'; kind='digest-mismatch'; action='hold'"}, Failure(fetch.SizeMismatch), Envelope{}, true, by("x", Hold)},
		{"DigestMismatchIsNoSize", []string{"name='x'; kind='size-mismatch'; action='hold'"}, Failure(fetch.DigestMismatch), Envelope{}, true, Decision{Action: Tag}},
		{"FailurePasses", nil, Failure(fetch.Local), Envelope{}, true, Decision{Action: Tag}},
		// A copy to an address that takes everything lets the message pass to no other one.
		{"StrictestRecipient", []string{"name='abuse'; recipient='abuse@a.example'; action='none'", reject}, infected, Envelope{Recipients: []string{"abuse@a.example", "b@a.example"}}, true, by("r", Reject)},
		{"OneRecipient", []string{"name='abuse'; recipient='abuse@a.example'; action='none'", reject}, infected, Envelope{Recipients: []string{"Abuse@A.example"}}, true, by("abuse", None)},
		{"RecipientDomain", []string{"name='d'; recipient='@a.example'; action='quarantine'"}, infected, Envelope{Recipients: []string{"x@b.a.example", "y@a.example"}}, true, by("d", Quarantine)},
		// A rule that lets one reference pass lets no other one pass.
		{"Trusted", trusting, report(a), Envelope{}, true, by("trusted", None)},
		{"TrustedFirst", trusting, report(a, evil), Envelope{}, true, by("r", Reject)},
		{"TrustedLast", trusting, report(evil, a), Envelope{}, true, by("r", Reject)},
		{"TrustedAndPending", trusting, report(a, late), Envelope{}, true, by("pending", Defer)},
		{"TrustedAndUnknown", []string{allow}, report(a, b), Envelope{}, true, Decision{Action: Tag}},
		{"AllNames", []string{"name='x'; extension='pdf'; action='none'"}, report(named), Envelope{}, true, Decision{Action: Tag}},
		{"AnyName", []string{"name='x'; extension='exe'; action='reject'"}, report(named), Envelope{}, true, by("x", Reject)},
		{"Member", []string{"name='x'; extension='js'; action='reject'"}, report(named), Envelope{}, true, by("x", Reject)},
		// A message gets the strictest of the changes, and only the references that a rule
		// matches are changed. Nothing but a reference can be taken out.
		{"Notice", []string{notice}, report(a, b), Envelope{}, true, Decision{Action: Notice, Rule: "notice", Mode: Enforce, Change: map[string]Action{"1": Notice}}},
		{"NoticeAndStrip", []string{notice, strip}, report(a, b), Envelope{}, true, Decision{Action: Strip, Rule: "strip", Mode: Enforce, Change: map[string]Action{"1": Notice, "2": Strip}}},
		{"Redirect", []string{"name='x'; host='a.example'; action='redirect'; to='x@a.example'", strip}, report(a, b), Envelope{}, true, Decision{Action: Redirect, Rule: "x", Mode: Enforce, To: "x@a.example"}},
		{"StripUnread", []string{"name='x'; action='strip'"}, &Report{Refs: []Ref{a}, Unread: []Unread{{Section: "3", Reason: "encrypted"}}}, Envelope{}, true, Decision{Action: Quarantine, Rule: "x", Mode: Enforce, Would: Strip}},
		{"InlineOne", []string{"name='i'; host='a.example'; action='inline'"}, report(a, b), Envelope{}, true, Decision{Action: Inline, Rule: "i", Mode: Enforce, Change: map[string]Action{"1": Inline}}},
		{"InlineAndStrip", []string{"name='i'; host='a.example'; action='inline'", strip}, report(a, b), Envelope{}, true, Decision{Action: Strip, Rule: "strip", Mode: Enforce, Change: map[string]Action{"2": Strip}}},
		{"StripTwice", []string{"name='a'; recipient='a@a.example'; host='a.example'; action='strip'", strip}, report(a, b), Envelope{Recipients: []string{"b@a.example", "a@a.example"}}, true, Decision{Action: Strip, Rule: "a", Mode: Enforce, Change: map[string]Action{"1": Strip, "2": Strip}}},
		{"WouldForOne", []string{"name='s'; recipient='a@a.example'; action='hold'; mode='shadow'", "name='t'; recipient='b@a.example'; action='reject'; mode='tag'"}, report(a), Envelope{Recipients: []string{"a@a.example", "b@a.example"}}, true, Decision{Action: Tag, Rule: "t", Mode: TagOnly, Would: Reject, Shadow: []string{"s=hold"}}},
		// A fact that is not known yet lets nothing pass.
		{"NotScanned", []string{"name='x'; not = { scan='infected' }; action='none'"}, pending, Envelope{}, true, Decision{Action: Tag}},
		{"NotFailed", []string{"name='x'; not = { kind='gone' }; action='none'"}, pending, Envelope{}, true, Decision{Action: Tag}},
		{"NotScannedStrict", []string{"name='x'; scan='none'; action='hold'"}, pending, Envelope{}, true, by("x", Hold)},
		{"StripTagOnly", []string{"name='x'; action='strip'; mode='tag'"}, report(a), Envelope{}, true, Decision{Action: Tag, Rule: "x", Mode: TagOnly, Would: Strip}},
	} {
		t.Run(test.name, func(t *testing.T) {
			asked := 0
			got := rules(t, test.rules...).DecideAll(test.rep, &test.env, func() bool { asked++; return test.may })
			if !reflect.DeepEqual(got, test.want) {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
			if asked > 1 {
				t.Errorf("asked %d times whether it may be deferred, want at most 1", asked)
			}
		})
	}
}

func TestVerdict(t *testing.T) {
	for _, test := range []struct {
		name    string
		finding finding
		verdict Verdict
		symbol  string
	}{
		{"Clean", finding{State: Known, scanned: scanned{Scan: ScanClean}}, Clean, SymbolClean},
		{"Unscanned", finding{State: Known}, Clean, SymbolClean},
		{"Infected", finding{State: Known, scanned: scanned{Scan: Infected}, Mismatch: true}, Malware, SymbolMalware},
		{"Mismatch", finding{State: Known, Mismatch: true}, Suspicious, SymbolMismatch},
		{"Digest", finding{State: Failed, Kind: fetch.DigestMismatch, Mismatch: true}, Suspicious, SymbolMismatch},
		{"Pending", finding{State: StillToCome}, Pending, SymbolPending},
		{"Gone", finding{State: Failed, Kind: fetch.NotFound}, Unavailable, SymbolUnavailable},
		{"OurDisk", finding{State: Failed, Kind: fetch.Local}, Pending, SymbolFail},
		{"Scanner", finding{State: Known, scanned: scanned{Scan: ScanFailed}}, Pending, SymbolFail},
		{"TooLongForScanner", finding{State: Known, scanned: scanned{Scan: ScanFailed, Oversize: true}}, Unavailable, SymbolFail},
	} {
		r := report(Ref{finding: test.finding}, Ref{finding: finding{State: Known}})
		if r.Verdict != test.verdict || len(r.Symbols) != 1 || r.Symbols[0] != test.symbol {
			t.Errorf("%s: got %s %v, want %s %s", test.name, r.Verdict, r.Symbols, test.verdict, test.symbol)
		}
	}
	// A file that was not asked for is not called clean.
	if r := report(Ref{finding: finding{State: Left}}); r.Verdict != Clean || len(r.Symbols) != 0 {
		t.Errorf("left: got %s %v, want %s and no symbols", r.Verdict, r.Symbols, Clean)
	}
	if r := report(); r.Verdict != Clean || len(r.Symbols) != 0 {
		t.Errorf("no references: got %s %v, want %s and no symbols", r.Verdict, r.Symbols, Clean)
	}
}

// However an address is written, the rule for it matches.
func TestAddressed(t *testing.T) {
	for _, test := range []struct {
		address, want string
		matches       bool
	}{
		{"boss@a.example", "boss@a.example", true},
		{"BOSS@A.Example", "boss@a.example", true},
		{`"boss"@a.example`, "boss@a.example", true},
		{`"b\oss"@a.example`, "boss@a.example", true},
		{"boss@a.example.", "boss@a.example", true},
		{"@b.example,@c.example:boss@a.example", "boss@a.example", true},
		{`"a@b"@a.example`, "a.example", true},
		{`"x@a.example"@b.example`, "a.example", false},
		{`"x@a.example"@b.example`, "x@a.example", false},
		{"boss@b.a.example", "a.example", true}, {"boss@b.a.example", "@a.example", false},
		{"boss@a.example", "@a.example", true}, {"boss@ba.example", "a.example", false},
		{"boss@B\u00dccher.example", "xn--bcher-kva.example", true}, {"boss@xn--bcher-kva.example", "b\u00fccher.example", true},
		{"<>", "<>", true}, {"<>", "a.example", false},
		{"", "a.example", false}, {"@", "a.example", false}, {`"@a.example`, "@a.example", true}, {`"`, "a.example", false},
	} {
		want, err := readAddress(test.want)
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.Contains(slices.Collect(addresses(test.address)), want); got != test.matches {
			t.Errorf("%q, %q: got %v, want %v", test.address, test.want, got, test.matches)
		}
	}
}

// A message with many references to many recipients is matched against each rule once.
func TestDecideManyRecipients(t *testing.T) {
	p := rules(t, "name='a'; host='none.example'; action='reject'", "name='b'; recipient='7@a.example'; host='a.example'; action='quarantine'")
	rep := report(slices.Repeat([]Ref{{Dialect: Standard}}, 1000)...)
	rep.Refs[999].Host = "a.example"
	for i := range 1000 {
		want := Tag
		if i == 7 {
			want = Quarantine
		}
		if d := p.Decide(rep, &Envelope{}, fmt.Sprintf("%d@a.example", i), nil); d.Action != want {
			t.Errorf("recipient %d: got %s, want %s", i, d.Action, want)
		}
		// Nothing is looked at again: this would match the first rule.
		if i == 7 {
			rep.Refs[0].Host = "none.example"
		}
	}
}

// A change takes out the references that a rule matched, and no others. It fails if one of
// them remains.
func TestChange(t *testing.T) {
	const (
		link = "https://www.dropbox.com/s/au3bned42n0x8q1/minutes.pdf?dl=0"
		part = "--b\r\nContent-Type: message/external-body; access-type=url; url=\"https://a.example/f\"\r\n\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename=a.exe\r\n\r\n"
		head = "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nsee "
	)
	for _, test := range []struct {
		name, rule, text, want string
	}{
		{"Strip", "host='a.example'; action='strip'", head + link + "\r\n" + part + "--b--\r\n", head + link + "\r\n--b--\r\n"},
		{"Notice", "host='dropbox.com'; action='notice'", head + link + " there\r\n" + part + "--b--\r\n", head + "[A file was removed here: minutes.pdf] there\r\n" + part + "--b--\r\n"},
		{"Remains", "host='a.example'; extension='exe'; action='strip'", head + "\r\n" + part + strings.Replace(part, "a.exe", "a.pdf", 1) + "--b--\r\n", ""},
		{"Signed", "action='strip'", strings.ReplaceAll(head, "mixed", "signed") + "\r\n" + part + "--b--\r\n", ""},
	} {
		in := &Inspector{Reading: &externalbody.OpenOptions{Dialects: dialect.All()}}
		m := &Message{Text: strings.NewReader(test.text), Size: int64(len(test.text))}
		rep := in.Inspect(t.Context(), m)
		d := rules(t, "name='r'; "+test.rule).Decide(rep, new(Envelope), "", nil)
		dst := &spool.Spool{Memory: 1 << 20}
		err := in.Change(t.Context(), dst, m, &d)
		got, _ := io.ReadAll(io.NewSectionReader(dst, 0, dst.Size()))
		dst.Close()
		if (err == nil) != (test.want != "") || err == nil && string(got) != test.want {
			t.Errorf("%s: got %q, %v for %+v, want %q", test.name, got, err, d, test.want)
		}
	}
}

// An action that a front end cannot carry out becomes the next stricter one that it can.
func TestWithin(t *testing.T) {
	for _, test := range []struct {
		action Action
		can    []Action
		want   Action
	}{
		{Inline, nil, Tag}, {Inline, []Action{Inline}, Inline},
		{Notice, []Action{Strip}, Strip}, {Notice, []Action{Quarantine}, Quarantine}, {Notice, nil, Reject},
		{Strip, []Action{Notice, Redirect, Quarantine}, Quarantine}, {Redirect, []Action{Strip}, Reject}, {Redirect, []Action{Redirect}, Redirect},
		{Quarantine, nil, Reject}, {Defer, nil, Defer}, {Reject, nil, Reject}, {None, nil, None},
	} {
		d := Decision{Action: test.action, Change: map[string]Action{"1": Notice}}
		got := d.Within(func(d Decision) bool { return slices.Contains(test.can, d.Action) })
		if got.Action != test.want || (got.Would == test.action) != (test.want != test.action) || got.Action == Strip && got.Change["1"] != Strip || d.Change["1"] != Notice || got.Would != "" && got.Within(func(Decision) bool { return false }).Would != test.action {
			t.Errorf("%s with %v: got %+v, want %s", test.action, test.can, got, test.want)
		}
	}
}

// With the action skip no host is contacted for whom it is proven, and for all others one is.
func TestSkip(t *testing.T) {
	const own, partner, reject = "name='own'; authenticated=true; action='skip'", "name='partner'; dmarc='pass'; header_from='p.example'; host='good.example'; action='skip'",
		"name='r'; host='good.example'; action='reject'"
	const verified = "From: a@p.example\r\nAuthentication-Results: mx.example; dmarc=pass\r\n"
	login := Envelope{Authenticated: true, Recipients: []string{"a@a.example", "b@a.example"}}
	for _, test := range []struct {
		name, header string
		env          Envelope
		rules        []string
		fetches      int
		want         Decision
	}{
		{"Own", "", login, []string{own, reject}, 0, by("own", None)},
		{"Others", "", Envelope{}, []string{own}, 1, Decision{Action: Tag}},
		{"Partner", verified, Envelope{}, []string{partner}, 0, by("partner", None)},
		{"NotVerified", "From: a@p.example\r\n", Envelope{}, []string{partner}, 1, Decision{Action: Tag}},
		{"StricterBefore", "", login, []string{reject, own}, 1, by("r", Reject)},
		{"BodyBefore", "", login, []string{"name='v'; verdict='malware'; action='reject'", own}, 0, by("own", None)},
		{"OneOfTwo", "", Envelope{Recipients: []string{"a@a.example", "b@b.example"}}, []string{"name='a'; recipient='a.example'; action='skip'"}, 1, Decision{Action: Tag}},
		{"Both", "", Envelope{Recipients: []string{"a@a.example", "b@b.example"}}, []string{"name='a'; recipient='example'; action='skip'"}, 0, by("a", None)},
		{"Shadow", "", login, []string{own + "; mode='shadow'"}, 1, Decision{Action: Tag, Shadow: []string{"own=skip"}}},
		{"TagOnly", "", login, []string{own + "; mode='tag'"}, 1, Decision{Action: None, Rule: "own", Mode: TagOnly}},
	} {
		w := new(web)
		in := newInspector(t, w, nil, PoolOptions{})
		text := "[authentication]\nauthserv_id = 'mx.example'\n"
		for _, r := range test.rules {
			text += "[[rule]]\n" + strings.ReplaceAll(r, "; ", "\n") + "\n"
		}
		p := parsed(t, text)
		m := messageOf(test.header + readAll(refers("good.example")))
		m.Skip = func(rep *Report, n int) bool { return p.Skips(rep, &test.env, n) }
		d := p.DecideAll(in.Inspect(t.Context(), m), &test.env, nil)
		if n := w.count("good.example"); n != test.fetches || !reflect.DeepEqual(d, test.want) {
			t.Errorf("%s: got %d requests, %+v, want %d, %+v", test.name, n, d, test.fetches, test.want)
		}
	}
}

// A named set of extensions stands for its members.
func TestSets(t *testing.T) {
	rep := report(Ref{extensions: []string{"exe"}, finding: finding{State: Known}})
	for set, want := range map[string]Action{"@programs": Reject, "@scripts": Tag, "@containers": Tag, "@macros": Tag} {
		if d := rules(t, "name='x'; extension=['zzz', '"+set+"']; action='reject'").Decide(rep, new(Envelope), "", nil); d.Action != want {
			t.Errorf("%s: got %s, want %s", set, d.Action, want)
		}
	}
	for name, list := range sets {
		for i, ext := range list {
			if got, err := readExtension(ext); err != nil || got != ext || i > 0 && list[i-1] >= ext {
				t.Errorf("%s: got %q, %v, want extensions in order", name, ext, err)
			}
		}
	}
}
