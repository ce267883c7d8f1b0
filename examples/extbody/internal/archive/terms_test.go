package archive

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/fetch"
)

// candidates returns references of each outcome, of which everything is known.
func candidates() (list []*candidate) {
	message := &MessageRecord{SHA256: strings.Repeat("ab", 32), MessageID: "<1@example.org>", Date: "Mon, 2 Nov 2026 10:00:00 +0000",
		From: `"Ann (of) B" <ann@example.org>`, Subject: "=?utf-8?q?Pr=C3=BCfung?="}
	received := *message
	received.Received, received.From, received.MessageID = time.Date(2025, 12, 31, 23, 59, 59, 0, time.UTC), "joann@sub.example.org", ""
	for _, m := range []*MessageRecord{message, &received} {
		r := &ReferenceRecord{Message: m.SHA256, Ref: "1", URL: "https://a.example/x", Host: "a.example", Name: "Plan.PDF", ContentType: "application/pdf; x=y",
			Size: 1_000_000, Dialect: "exo", Provider: "OneDrive"}
		for outcome, o := range map[byte]*Outcome{
			askOpen:     {},
			askCaptured: {Capture: &Capture{SHA256: strings.Repeat("cd", 32), Name: "other.png", ContentType: "Image/PNG", Label: "version", Size: 5}},
			askExcepted: {Exception: &Exception{Kind: "not-found", Reason: ItemDeletedOrOutsideRetention}},
		} {
			word := ""
			switch outcome {
			case askCaptured:
				word = "version"
			case askExcepted:
				word = "not-found"
			}
			list = append(list, &candidate{depth: ofBodies, message: m, reference: r, outcome: o, state: &askState{outcome: outcome, word: word, at: 1793707200}, // 2026-11-03T12:00:00Z
				about: sampleAbout{},
				texts: []string{"Prüfung\nthe settlement\nagreement", "a captured text"}, md5s: []string{strings.Repeat("ef", 16)},
				fields: map[string][]string{"to": {"Team: Bob <bob@example.com>, carl@example.com;"}, "cc": {`"x, y"@example.net (a@comment.example)`}}})
		}
	}
	return list
}

// A sampleAbout is an archive whose lines are the same about all candidates.
type sampleAbout struct{}

func (sampleAbout) seenIn(v, _ string) bool { return strings.Contains("imaps://mail/inbox", v) }
func (sampleAbout) hadBody(v string, _ *ReferenceRecord) bool {
	return strings.HasPrefix(strings.Repeat("cd", 32), v)
}
func (sampleAbout) isHeld(v, _ string) bool            { return strings.Contains("case 7", v) }
func (sampleAbout) wasChanged(*ReferenceRecord) bool   { return true }
func (sampleAbout) delayOf(*candidate) Delay           { return Delay{7200, byDate} }
func (sampleAbout) references(*MessageRecord) int      { return 2 }
func (sampleAbout) inThread(v, _ string) bool          { return v == "<1@example.org>" }
func (sampleAbout) lacksWords(string, *candidate) bool { return false }

// TestSelectorTerms holds: a selector fits as many of six references (two messages, each outcome) as
// its row says.
func TestSelectorTerms(t *testing.T) {
	for text, want := range map[string]int{
		"": 6, "from=ann@example.org": 3, "from=Ann@Example.ORG": 3, "from=@example.org": 3, "from=@sub.example.org": 3, "from=ann": 6, "from=of": 3, "from=nn@example.org": 0,
		"subject=prüf": 6, "subject=PRÜFUNG": 6, "subject=?utf": 0, "message=<1@example.org>": 3, "message=1@example.org": 3, "message=abababab": 6, "message=ababab": 0,
		"since=2025": 6, "until=2025": 3, "since=2026": 3, "until=2025-12-31": 3, "until=2025-12-30": 0, "since=2026-11": 3, "until=2026-10": 3, "since=2026-11-02T10:00:00Z": 3, "since=2026-11-02T10:00:01Z": 0,
		"to=bob@example.com": 6, "to=carl@example.com": 6, "to=a@comment.example": 0, `to="x, y"@example.net`: 6, "to=@example.com": 6, "to=team": 6,
		"state=captured": 2, "state=exception": 2, "state=open": 2, "label=version": 2, "label=current": 0, "kind=not-found": 2, "kind=gone": 0, "kind=captured": 2, "kind=open": 2,
		"kind=ItemDeletedOrOutsideRetention": 2, "kind=PermissionDenied": 0, "object=cdcdcdcd": 6, "object=CDCDCDCD": 6, "object=cdcdcdcc": 0,
		"name=plan": 6, "name=other": 2, "type=application/pdf": 4, "type=image": 2, "type=image/*": 2, "type=image/png": 2, "type=application": 4,
		"host=a.example": 6, "host=example": 6, "host=b.example": 0, "ref=1": 6, "url=https://a.example/x": 6, "custodian=INBOX": 6, "custodian=sent": 0,
		"state=open or state=captured": 4, "not state=open": 4, "not not state=open": 2, "from=ann@example.org and state=open": 1, "from=ann@example.org state=open or label=version": 3,
		"from=ann@example.org ( state=open or label=version )": 2, "not ( state=open or label=version )": 2, "from=ann from=joann": 3, "not to=bob@example.com": 0,
		"not ( to=nobody or since=2026 )": 3,
		"to-only=bob@example.com":         6, "to-only=@example.net": 0, "cc=@example.net": 6, "cc=bob@example.com": 0, "cc=@example.net not to-only=@example.net": 6,
		"files=2": 6, "files=0": 0, "files=1+": 6, "files=2-": 6, "files=3+": 0, "hold=case": 6, "hold=9": 0, "changed": 6, "not changed": 0, "given-up": 0, "kind=forgotten": 0,
		"delay=2h": 2, "delay=7200": 2, "delay=2h+": 2, "delay=121m-": 2, "delay=1d+": 0, "not delay=1d+": 6,
		"size=5": 2, "size=5b+ size=1KiB-": 2, "size=5+": 6, "size=1MB+": 4, "size=1.5MB+": 0, "size=4-": 0,
		"captured-since=2026-11-03": 2, "captured-since=2026-11-04": 0, "captured-since=2026": 2,
		"text=settlement": 6, "text=PRÜFUNG": 6, "text=\"settlement agreement\"": 6, "text=\"agreement settlement\"": 0, "text=captured text=the": 6, "text=sett*": 6, "text=sett": 0,
		"thread=<1@example.org>": 6, "thread=<2@example.org>": 0, "md5=EFEFEFEFEFEFEFEFEFEFEFEFEFEFEFEF": 6, "md5=00efefefefefefefefefefefefefefef": 0,
		"subject=PRU\u0308FUNG": 6, "name=ｐｌａｎ": 6,
		"dialect=exo": 6, "dialect=ex": 0, "provider=drive": 6, "provider=OneDrive": 6, "provider=box": 0,
	} {
		sel, err := ParseSelector(splitTerms(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		got := 0
		for _, c := range candidates() {
			if sel.root.fits(c) == yes {
				got++
			}
		}
		if got != want {
			t.Errorf("%s: got %d, want %d", text, got, want)
		}
	}
}

// TestSelectorSize: kind=digest-mismatch finds the lines of a size that were written before it had a
// Kind of its own, and the ones since.
func TestSelectorSize(t *testing.T) {
	for _, row := range []struct {
		term, word string
		want       fit
	}{
		{"kind=digest-mismatch", "digest-mismatch", yes},
		{"kind=digest-mismatch", "size-mismatch", yes},
		{"kind=size-mismatch", "size-mismatch", yes},
		{"kind=size-mismatch", "digest-mismatch", no},
	} {
		sel, err := ParseSelector([]string{row.term})
		if err != nil {
			t.Fatal(err)
		}
		outcome := &Outcome{Exception: &Exception{Kind: row.word, Reason: UnsupportedArtifact}}
		c := &candidate{depth: ofState, outcome: outcome, state: &askState{outcome: askExcepted, word: row.word}}
		if got := sel.root.fits(c); got != row.want {
			t.Errorf("%s of %s: got %v, want %v", row.term, row.word, got, row.want)
		}
	}
}

// TestPlainOutcomes: every Kind has words on the page.
func TestPlainOutcomes(t *testing.T) {
	for k := range fetch.Kinds() {
		if plainOutcomes[k.String()] == "" {
			t.Errorf("%s: got no words, want some", k)
		}
	}
}

// splitTerms splits at spaces, but not within quotation marks.
func splitTerms(text string) []string {
	quoted := false
	return strings.FieldsFunc(text, func(c rune) bool {
		if c == '"' {
			quoted = !quoted
		}
		return c == ' ' && !quoted
	})
}

// TestSelectorMistakes holds: a text that is not a selector is an error.
func TestSelectorMistakes(t *testing.T) {
	for _, text := range []string{"x", "x=y", "host=", "=a", "and", "or", "not", "(", ")", "( )", "host=a or", "or host=a", "host=a host=b", "( host=a", "host=a )", "not or",
		"state=done", "label=x", "object=cdcdcdc", "size=", "size=big", "size=1XB", "size=-1", "size=+", "size=1++", "size=NaN", "size=1e3", "size=9999999999GB", "delay=1w", "md5=ef", "md5=gfefefefefefefefefefefefefefefef", "text=*", "text=.", "files=1k", "captured-since=x",
		"changed=1", "given-up=1", "changed changed", "files=0 or changed=", "since=yesterday", "since=2025-13", "until=2025-02-30", "host=a and and ref=1", strings.Repeat("( ", 200) + "ref=1" + strings.Repeat(" )", 200), strings.Repeat("not ", 1_000_000) + "ref=1"} {
		if sel, err := ParseSelector(strings.Fields(text)); err == nil {
			t.Errorf("%.30q: got %v, want an error", text, sel)
		}
	}
}

// FuzzSelector checks that the answer about a candidate of which little is known is unknown or stays
// the same as more becomes known, that it is not unknown in the end, and that "not" turns it around.
func FuzzSelector(f *testing.F) {
	for _, text := range []string{"from=a@b or not ( host=a.example name=plan )", "kind=not-found to=@x", "since=2025 until=2026-01", "state=open and label=version", "type=image/* custodian=in"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		words := strings.Split(text, " ")
		sel, err := ParseSelector(words)
		if err != nil {
			return
		}
		turned, err := ParseSelector(slices.Concat([]string{"not", "("}, words, []string{")"}))
		if err != nil {
			t.Skip("nested too deeply")
		}
		for _, c := range candidates() {
			want := sel.root.fits(c)
			if want == unknown || turned.root.fits(c) != -want {
				t.Fatalf("%q: got %v, and %v with \"not\"", text, want, turned.root.fits(c))
			}
			for d := range ofBodies {
				part := &candidate{depth: d, message: c.message, about: c.about}
				if d >= ofReference {
					part.reference = c.reference
				}
				if d >= ofState {
					part.state = c.state
				}
				if d >= ofOutcome {
					part.outcome = c.outcome
				}
				if got := sel.root.fits(part); got != unknown && got != want {
					t.Fatalf("%q at depth %d: got %v, want %v", text, d, got, want)
				}
			}
		}
	})
}
