package serve

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/inspect"
	"github.com/go-extbody/extbody/fetch"
)

// A Past is a decision that is shown to the operator: one on a message that has
// references or could not be looked at in full. Its texts of strangers are Plain.
type Past struct {
	Time      time.Time
	Front     string
	QueueID   string
	MessageID string
	Client    string
	Verdict   inspect.Verdict
	Action    inspect.Action
	Rule      string
	Would     inspect.Action // of the rule, if it is another one than Action
	Shadow    []string       // rules in the mode shadow that matched, as name=action
	Names     []string       // of files
	To        []string       // the recipients, with Options.LogRecipients
	Reasons   []string       // for each reference; after ten, how many more there are
	Find      string         // the text that Has searches: the texts in lower case, with spaces between
}

func newPast(c *Checked, d inspect.Decision, recipients []string) Past {
	rep := c.Report
	p := Past{
		Time: time.Now(), Front: c.mail.Front, QueueID: Plain(c.mail.QueueID), MessageID: Plain(rep.MessageID()), Client: Plain(c.mail.Client),
		Verdict: rep.Verdict, Action: d.Action, Rule: d.Rule, Would: d.Would, Shadow: d.Shadow, Reasons: reasons(rep),
	}
	p.Names = distinct(rep.Refs, refName)
	if len(p.Names) > maxNames {
		p.Names = p.Names[:maxNames]
	}
	words := []string{p.QueueID, p.MessageID, p.Client}
	if c.engine.opts.LogRecipients {
		p.To = distinct(recipients, func(r string) string { return r })
		words = append(words, p.To...)
	}
	for _, of := range []func(inspect.Ref) string{refHost, refName, refDigest, refSignature} {
		words = append(words, distinct(rep.Refs, of)...)
	}
	p.Find = strings.ToLower(strings.Join(words, " "))
	return p
}

// maxNames bounds Past.Names.
const maxNames = 10

// Has reports whether the message, or a file that it refers to, has a text in its queue
// ID, Message-ID, client, recipients, host, name, SHA-256 or signature, whatever the case.
func (p *Past) Has(text string) bool { return strings.Contains(p.Find, strings.ToLower(text)) }

// octets returns about how much memory p has.
func (p *Past) octets() int {
	n := 300 + len(p.MessageID) + len(p.Find)
	for _, r := range slices.Concat(p.Reasons, p.Shadow, p.Names, p.To) {
		n += 16 + len(r)
	}
	return n
}

// remember keeps the last decisions.
func (e *Engine) remember(p Past) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.last = append(e.last, p)
	e.octets += p.octets()
	n := 0
	for ; len(e.last)-n > maxPast || e.octets > maxPastOctets; n++ {
		e.octets -= e.last[n].octets()
	}
	e.last = slices.Delete(e.last, 0, n)
}

// Last returns the last decisions, the newest first: at most 1,000, and those that have
// 4 MiB of memory.
func (e *Engine) Last() []Past {
	e.mu.Lock()
	defer e.mu.Unlock()
	list := slices.Clone(e.last)
	slices.Reverse(list)
	return list
}

// A Total is how often rules led to an action since the start, or matched in the mode shadow.
type Total struct {
	Action inspect.Action
	Rule   string // "" if no rule decided
	Shadow bool   // it did not act
	Number int
}

// tally counts a decision by its action and rule.
func (e *Engine) tally(d *inspect.Decision) {
	e.mu.Lock()
	defer e.mu.Unlock()
	add := func(t Total) {
		if _, known := e.totals[t]; !known && len(e.totals) >= maxTotals {
			t.Rule = "other"
		}
		e.totals[t]++
	}
	add(Total{Action: d.Action, Rule: d.Rule})
	for _, s := range d.Shadow {
		rule, action, _ := strings.Cut(s, "=")
		add(Total{Action: inspect.Action(action), Rule: rule, Shadow: true})
	}
	if d.Would != "" {
		add(Total{Action: d.Would, Rule: d.Rule, Shadow: true})
	}
}

// maxTotals bounds the rules of Totals. Those after that are together, by action.
const maxTotals = 500

// Totals returns the numbers of decisions since the start, the largest first, and after them the numbers of
// matches that did not act.
func (e *Engine) Totals() []Total {
	e.mu.Lock()
	defer e.mu.Unlock()
	var list []Total
	for t, n := range e.totals {
		t.Number = n
		list = append(list, t)
	}
	slices.SortFunc(list, func(a, b Total) int {
		switch {
		case b.Shadow && !a.Shadow:
			return -1
		case a.Shadow && !b.Shadow:
			return 1
		}
		return cmp.Or(cmp.Compare(b.Number, a.Number), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Action, b.Action))
	})
	return list
}

// reasons returns the outcome for each reference, in words.
func reasons(rep *inspect.Report) []string {
	var list []string
	if rep.Failure != 0 {
		list = append(list, "not looked at in full: "+rep.Failure.String())
	}
	for _, reason := range rep.UnreadReasons() {
		list = append(list, "not looked into: "+reason)
	}
	if bound := rep.Bound(); bound != "" {
		list = append(list, "not looked at in full: "+Plain(bound))
	}
	for i := range rep.Refs {
		if len(list) == 10 {
			return append(list, fmt.Sprintf("and %d more", len(rep.Refs)-i))
		}
		list = append(list, Plain(rep.Refs[i].Text()))
	}
	return list
}

// log writes the log line for a decision.
func (c *Checked) log(d inspect.Decision, recipients []string) {
	if c.mail.Submit {
		return
	}
	rep := c.Report
	domain := Plain(inspect.Domain(c.mail.Envelope.From))
	pairs := []any{
		"front", c.mail.Front, "queue_id", Plain(c.mail.QueueID), "from_domain", domain, "recipients", len(recipients),
		"octets", c.mail.Spool.Size(), "verdict", string(rep.Verdict), "action", string(d.Action), "refs", len(rep.Refs),
	}
	add := func(key string, value any, set bool) {
		if set {
			pairs = append(pairs, key, value)
		}
	}
	text := func(key, value string) { add(key, Plain(value), value != "") }
	list := func(key string, values []string) { add(key, values, len(values) > 0) }
	text("message_id", rep.MessageID())
	text("client", c.mail.Client)
	if c.engine.opts.LogRecipients {
		list("rcpt", distinct(recipients, func(r string) string { return r }))
	}
	text("rule", d.Rule)
	text("mode", string(d.Mode))
	text("would", string(d.Would))
	text("to", d.To)
	text("subject", d.Subject)
	list("copies", distinct(d.Copies, func(to string) string { return to }))
	list("shadow", d.Shadow)
	list("symbols", rep.Symbols)
	list("hosts", distinct(rep.Refs, refHost))
	list("names", distinct(rep.Refs, refName))
	list("kinds", distinct(rep.Refs, refKind))
	digests := distinct(rep.Refs, refDigest)
	list("sha256", digests)
	list("signatures", distinct(rep.Refs, refSignature))
	list("unread", rep.UnreadReasons())
	add("failure", rep.Failure.String(), rep.Failure != 0)
	add("passed_unverified", true, passedUnverified(rep, &d))
	c.engine.Log("decision", pairs...)
	if len(digests) > 0 && c.engine.opts.Found != nil {
		c.engine.opts.Found(digests, Plain(c.mail.QueueID), Plain(rep.MessageID()))
	}
}

// The facts about a reference by which a message is looked for.
func refHost(r inspect.Ref) string      { return r.Host }
func refName(r inspect.Ref) string      { return r.Name }
func refDigest(r inspect.Ref) string    { return r.SHA256 }
func refSignature(r inspect.Ref) string { return r.Signature }
func refKind(r inspect.Ref) string      { return kindText(r.Kind) }

// kindText returns the text of a Kind, or "" for none.
func kindText(k fetch.Kind) string {
	text, _ := k.MarshalText()
	return string(text)
}

// maxListed bounds a list in a log line.
const maxListed = 100

// distinct returns the first texts of the values that are not "", each once and Plain.
func distinct[T any](list []T, text func(T) string) (texts []string) {
	seen := make(map[string]bool)
	for _, v := range list {
		if s := Plain(text(v)); s != "" && !seen[s] && len(texts) < maxListed {
			seen[s] = true
			texts = append(texts, s)
		}
	}
	return texts
}

// passedUnverified reports whether a message passes although something about it is not
// known.
func passedUnverified(rep *inspect.Report, d *inspect.Decision) bool {
	open := rep.Verdict == inspect.Pending || rep.Verdict == inspect.Unavailable
	return open && !slices.Contains([]inspect.Action{inspect.Quarantine, inspect.Hold, inspect.Defer, inspect.Reject}, d.Action)
}

// Plain returns a text of a stranger for a log line or a page. It cuts the text, and
// replaces characters that cannot be printed, so that nothing in it moves the cursor of
// a terminal or reverses the line.
func Plain(s string) string {
	const most = 255
	s = strings.ToValidUTF8(s[:min(len(s), most)], "?")
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, s)
}
