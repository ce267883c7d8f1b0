package inspect

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// A Policy decides about messages. The zero Policy passes them all: those that have
// references, or could not be looked at, with a header field that has the verdict. A
// Policy must not change after its first use.
type Policy struct {
	// Rules are tried in order. The first one that matches decides, apart from those in
	// the mode Shadow.
	Rules []Rule

	// Defer bounds how a message is deferred.
	Defer DeferLimits

	// Read is when ReadPolicy read it.
	Read time.Time

	// AuthservIDs are the hosts whose Authentication-Results count, in lower case.
	AuthservIDs []string
}

// Decide returns the Decision for one recipient, or for an unknown one if recipient is
// "". The first rule that matches a reference decides about it, and the strictest of
// these decisions is the one for the message. A mild rule for one reference therefore
// does not let the others pass.
//
// Decide calls mayDefer at most once, and only if a rule would defer the message; nil
// means that the message must not be deferred. A message without references passes,
// whatever the rules, if it was looked at in full.
//
// Decide stores in rep which conditions hold, for the next recipient. All calls for a Report
// must have the same env, and only one goroutine at a time may call it.
func (p *Policy) Decide(rep *Report, env *Envelope, recipient string, mayDefer func() bool) Decision {
	return p.decide(rep, env, []string{recipient}, mayDefer)
}

// DecideAll returns the Decision for a message that gets one answer for all its
// recipients: the strictest of their Decisions, with the changes and the rules in the mode
// Shadow of all of them. A mild rule for one recipient therefore does not let the message
// pass to the others.
func (p *Policy) DecideAll(rep *Report, env *Envelope, mayDefer func() bool) Decision {
	recipients := env.recipients()
	if !p.byRecipient() {
		recipients = recipients[:1]
	}
	return p.decide(rep, env, recipients, mayDefer)
}

// decide returns the Decision for recipients that get one answer.
func (p *Policy) decide(rep *Report, env *Envelope, recipients []string, mayDefer func() bool) Decision {
	items := rep.items()
	if len(items) == 0 {
		return Decision{Action: None}
	}
	may := sync.OnceValue(func() bool { return mayDefer != nil && mayDefer() })
	shadowed := make(map[int]bool)
	changes := make(map[string]Action)
	var worst Decision
	worstRule := -1
	var subject string
	var copies []string
	for _, rcpt := range recipients {
		q := &query{trusted: p.AuthservIDs, rep: rep, items: items, env: env, recipient: rcpt}
		for n := range items {
			q.at = n
			d := Decision{Action: Tag}
			at := len(p.Rules)
			for i := range p.Rules {
				r := &p.Rules[i]
				if unmet, _ := r.unmet(q); unmet != "" {
					continue
				}
				if r.Mode == Shadow {
					shadowed[i] = true
					continue
				}
				if r.Action == Capture || r.Action == Defer && r.Mode != TagOnly && !may() {
					continue
				}
				d = r.decision()
				at = i
				break
			}
			if d.Action.changes() {
				// The parts and failures after the references cannot be changed.
				if n >= len(rep.Refs) {
					d = d.Within(func(d Decision) bool { return d.Action == Quarantine })
				} else if id := rep.Refs[n].ID; d.Action.stricter(changes[id]) {
					changes[id] = d.Action
				}
			}
			subject = cmp.Or(subject, d.Subject)
			for _, to := range d.Copies {
				if !slices.Contains(copies, to) {
					copies = append(copies, to)
				}
			}
			if worstRule < 0 || d.Action.stricter(worst.Action) ||
				d.Action == worst.Action && (d.Would.stricter(worst.Would) || d.Would == worst.Would && at < worstRule) {
				worst = d
				worstRule = at
			}
		}
	}
	if worst.Action.changes() {
		// Bodies are not put in while references are taken out.
		maps.DeleteFunc(changes, func(_ string, a Action) bool { return a == Inline && worst.Action != Inline })
		worst.Change = changes
	}
	if worst.Action == Copy || worst.Action == Subject {
		worst.Subject = subject
		worst.Copies = copies
	}
	for _, i := range slices.Sorted(maps.Keys(shadowed)) {
		worst.Shadow = append(worst.Shadow, p.Rules[i].Name+"="+string(p.Rules[i].Action))
	}
	return worst
}

// Skips reports whether nothing is to be fetched for the reference n of rep, because a rule in force
// with the action Skip decides about it for each recipient. Of the rules before that, those with
// conditions that need a body do not count yet. rep needs the facts that are known without fetching.
func (p *Policy) Skips(rep *Report, env *Envelope, n int) bool {
	if !slices.ContainsFunc(p.Rules, func(r Rule) bool { return r.Action == Skip }) {
		return false
	}
	known := rep.known // a fact that is not known yet must not be remembered
	defer func() { rep.known = known }()
	for _, rcpt := range env.recipients() {
		rep.known = nil
		q := &query{trusted: p.AuthservIDs, rep: rep, items: []*Ref{&rep.Refs[n]}, env: env, recipient: rcpt}
		i := slices.IndexFunc(p.Rules, func(r Rule) bool {
			unmet, _ := r.unmet(q)
			return unmet == "" && r.final() && !slices.ContainsFunc(r.when, (*term).later)
		})
		if i < 0 || p.Rules[i].Action != Skip || p.Rules[i].Mode == TagOnly {
			return false
		}
	}
	return true
}

// Captures reports whether the body of the reference n of rep is handed over to an archive: a rule in force
// with the action Capture matches for a recipient, wherever it is among the rules. rep needs the facts that
// are known without fetching.
func (p *Policy) Captures(rep *Report, env *Envelope, n int) bool {
	known := rep.known // a fact that is not known yet must not be remembered
	defer func() { rep.known = known }()
	for i := range p.Rules {
		r := &p.Rules[i]
		if r.Action != Capture || cmp.Or(r.Mode, Enforce) != Enforce {
			continue
		}
		for _, rcpt := range env.recipients() {
			rep.known = nil
			q := &query{trusted: p.AuthservIDs, rep: rep, items: []*Ref{&rep.Refs[n]}, env: env, recipient: rcpt}
			if unmet, _ := r.unmet(q); unmet == "" {
				return true
			}
		}
	}
	return false
}

// Explain returns the trials that lead to the Decisions for the recipients, or for an
// unknown one without recipients.
func (p *Policy) Explain(rep *Report, env *Envelope) (list []Trial) {
	for _, rcpt := range env.recipients() {
		q := &query{trusted: p.AuthservIDs, rep: rep, items: rep.items(), env: env, recipient: rcpt}
		for n, ref := range q.items {
			q.at = n
			for i := range p.Rules {
				r := &p.Rules[i]
				unmet, o := r.unmet(q)
				list = append(list, Trial{rcpt, ref.ID, r.Name, unmet, o&open != 0})
				if unmet == "" && r.final() {
					break
				}
			}
		}
	}
	return list
}

// byRecipient reports whether any rule has a condition about the recipient.
func (p *Policy) byRecipient() bool {
	return len(p.Uses("recipient")) > 0
}

// Answer returns the Answer for a Report and a Decision by this Policy.
func (p *Policy) Answer(rep *Report, d Decision) *Answer {
	a := &Answer{Report: rep, Decision: d}
	switch wait := time.Until(rep.RetryAfter); {
	case rep.Verdict == Pending:
		a.RetryAfter = seconds(p.Defer.or().Retry)
	case !rep.RetryAfter.IsZero() && wait > 0:
		a.RetryAfter = seconds(wait)
	}
	return a
}

// DeferLimits bound the delay of a message. A message that reaches one of them is not
// deferred any more: rules with the action Defer do not match it, and the rules after
// them decide.
type DeferLimits struct {
	Tries int           // how often a message is deferred; 0 means 5
	Delay time.Duration // how long after its first try it is deferred; 0 means 30 minutes
	Retry time.Duration // the RetryAfter of an Answer with the verdict Pending; 0 means 1 minute
}

func (d DeferLimits) or() DeferLimits {
	return DeferLimits{cmp.Or(d.Tries, 5), cmp.Or(d.Delay, 30*time.Minute), cmp.Or(d.Retry, time.Minute)}
}

// A Rule has conditions and an action. The conditions must hold together, for one
// reference. A rule without conditions matches every reference. [ParsePolicy] has the
// conditions.
//
// Each part of a message that could not be looked into, and a message that could not be
// looked at in full, counts as a reference of its own: its body could not be had.
//
// A message may have the actions Subject and Copy by different rules: then both are done, and
// several copies are. An action that is stricter is done alone.
//
// A rule whose action is stricter than Inline is strict. It sees all names and types that
// any program may use for a body, and the names of the members of a zip file. One of them
// is enough. Any other rule matches if all facts are known and meet its conditions. A fact
// that is not known meets neither a condition nor its opposite, with one exception: within a
// "not" of a strict rule, a fact about the client, the envelope, the sender or their
// authentication that is not known does not meet the condition. A fact that exempts a message
// from such a rule must be proven.
type Rule struct {
	Name   string // in log lines and header fields
	Action Action
	To     []string // the address for Redirect, and those for Copy
	Text   string   // the text for Subject
	Mode   Mode     // "" is Enforce

	when []*term
	line int // in the text of the policy
}

// final reports whether no rule after r is tried if r matches.
func (r *Rule) final() bool {
	defers := r.Action == Defer && r.Mode != TagOnly
	return r.Mode != Shadow && r.Action != Capture && !defers
}

// Exceptions returns the conditions about the client, the envelope, the sender and their
// authentication that exempt a message from the rule if they are known to be met. Where such a
// fact is not known, the rule matches. It returns nil for a rule that is not strict.
func (r *Rule) Exceptions() (fields []string) {
	if !r.strict() {
		return nil
	}
	for _, t := range r.when {
		fields = t.exceptions(false, fields)
	}
	return fields
}

// Uses returns the names of the rules that have a condition, in a "not" or elsewhere.
func (p *Policy) Uses(condition string) (rules []string) {
	for _, r := range p.Rules {
		if slices.ContainsFunc(r.when, func(t *term) bool { return t.uses(condition) }) {
			rules = append(rules, r.Name)
		}
	}
	return rules
}

func (r *Rule) strict() bool { return r.Action.stricter(Inline) }

// covers reports whether r matches whenever o does.
func (r *Rule) covers(o *Rule) bool {
	same := r.strict() || !o.strict()
	return !slices.ContainsFunc(r.when, func(a *term) bool {
		return !slices.ContainsFunc(o.when, func(b *term) bool { return (same || a.single()) && a.covers(b) })
	})
}

// contradiction returns the fields of two conditions that never hold together.
func (r *Rule) contradiction() (a, b string) {
	own := make(map[string]*term)
	for _, t := range r.when {
		own[t.field] = t
	}
	for field, least := range own {
		what, isLeast := strings.CutPrefix(field, "min_")
		if most := own["max_"+what]; isLeast && most != nil && least.number > most.number {
			return field, most.field
		}
	}
	verdict := own["verdict"]
	scan := own["scan"]
	switch found := own["signature"]; {
	case found == nil:
	case verdict != nil && !verdict.set[string(Malware)]:
		return "verdict", "signature"
	case scan != nil && !scan.set[string(Infected)]:
		return "scan", "signature"
	}
	for field, value := range map[string]string{"mismatch": "true", "scan": string(Infected)} {
		t := own[field]
		isAlone := t != nil && t.set[value] && len(t.set) == 1
		if verdict == nil || !isAlone {
			continue
		}
		mayHold := verdict.set[string(Malware)] || field != "scan" && verdict.set[string(Suspicious)]
		if !mayHold {
			return "verdict", field
		}
	}
	isCompound := func(t *term) bool { return !t.single() }
	if not := own["not"]; not != nil && !slices.ContainsFunc(not.terms, isCompound) && (&Rule{when: not.terms}).covers(r) {
		return "not", not.terms[0].field
	}
	return "", ""
}

// decision returns the Decision of a rule that matches and is not in the mode Shadow.
func (r *Rule) decision() Decision {
	d := Decision{Rule: r.Name, Mode: cmp.Or(r.Mode, Enforce), Action: r.Action}
	if d.Action == Skip {
		d.Action = None
	}
	if r.Mode == TagOnly && r.Action.stricter(Tag) {
		d.Action = Tag
		d.Would = r.Action
	}
	switch d.Action {
	case Redirect:
		d.To = r.To[0]
	case Copy:
		d.Copies = slices.Clone(r.To)
	case Subject:
		d.Subject = r.Text
	}
	return d
}

// unmet returns the first condition that is not met, with its outcome, or "".
func (r *Rule) unmet(q *query) (string, outcome) {
	q.strict = r.strict()
	for _, t := range r.when {
		if o := t.outcome(q, false); !o.met(q.strict) {
			return t.field, o
		}
	}
	return "", 0
}

// A Trial is the trial of a rule on a reference, for a recipient.
type Trial struct {
	Recipient string
	Ref       string // the ID of the Ref, or the section of an Unread; "" for a Failure
	Rule      string
	Unmet     string // the condition that does not hold; "" if the rule matches
	Unknown   bool   // it is not known whether that condition holds
}
