package inspect

import (
	"maps"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/link/host"
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
	if d.Tries == 0 {
		d.Tries = 5
	}
	if d.Delay == 0 {
		d.Delay = 30 * time.Minute
	}
	if d.Retry == 0 {
		d.Retry = time.Minute
	}
	return d
}

// A Rule has conditions and an action. An empty condition always holds. The conditions
// on references, from Dialects to Scans, must hold together for one reference. A rule
// without conditions matches every reference.
//
// Each part of a message that could not be looked into, and a message that could not be
// looked at in full, counts as a reference of its own: its body could not be had.
type Rule struct {
	Name string // in log lines and header fields

	Verdicts      []Verdict // the verdict of the message is one of them
	Recipients    []string  // the recipient is one of these addresses, or of these domains
	Authenticated *bool     // whether the client that sent it is known to have logged in

	Dialects []string // Standard, or the name of a dialect
	Hosts    []string // the host of the URL is one of them, or below it
	Kinds    []fetch.Kind
	Mismatch *bool
	MinSize  int64    // octets of the body; the announced size if it could not be had
	Unread   []string // why the part could not be looked into; see [Unread]
	Scans    []Scan

	// Extensions are compared with the extensions of all names that the message, the
	// server and the URL give the body, in lower case without the dot. A rule whose
	// action is stricter than Inline also sees the names of the members of a zip file,
	// and matches if one of all these is in the list. Any other rule matches if all
	// names of the body are in the list.
	Extensions []string

	Action Action
	To     string // the address for Redirect
	Mode   Mode   // "" is Enforce
}

// An Envelope is the facts about a message that are not in it.
type Envelope struct {
	From          string // the sender; "<>" for a bounce, "" if it is not known
	Recipients    []string
	Client        netip.Addr // of the client that sent it; the zero Addr if it is not known
	Authenticated bool       // the client that sent it is known to have logged in
}

// A Decision is the action for a message.
type Decision struct {
	Action Action `json:"action"`
	Rule   string `json:"rule,omitempty"` // the rule that decided; "" if no rule did
	Mode   Mode   `json:"mode,omitempty"` // the mode of that rule; "" if no rule did

	// To is the address that gets the message instead of its recipients; "" unless
	// Action is Redirect.
	To string `json:"to,omitempty"`

	// Change has the references, by ID, to which Notice or Strip is done; nil unless
	// Action is one of these.
	Change map[string]Action `json:"change,omitempty"`

	// Would is the action of the rule if Action is another one, because the rule only
	// tags, or because the action was not possible; see [Decision.Within]. Otherwise it
	// is "".
	Would Action `json:"would,omitempty"`

	// Shadow has the rules in the mode Shadow that matched before the deciding one,
	// with their actions, as "name=action".
	Shadow []string `json:"shadow,omitempty"`
}

// Within returns a Decision that can be carried out. None, Tag, Defer and Reject always
// can, and can reports whether another Decision can. If d cannot, the next action is tried,
// and Would is the action of d. After Notice comes Strip, after Strip and Redirect comes
// Quarantine, and after that Reject. After Inline comes Tag.
func (d Decision) Within(can func(Decision) bool) Decision {
	first := d.Action
	for !slices.Contains([]Action{"", None, Tag, Defer, Reject}, d.Action) && !can(d) {
		d.Action, d.To, d.Would = d.Action.next(), "", first
		if d.Action != Strip {
			d.Change = nil
		}
		d.Change = maps.Clone(d.Change)
		for id := range d.Change {
			d.Change[id] = Strip
		}
	}
	return d
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
// Decide stores in rep which rules match the references, for the next recipient. Several
// goroutines must not call it for one Report at once.
func (p *Policy) Decide(rep *Report, env *Envelope, recipient string, mayDefer func() bool) Decision {
	items := rep.items()
	if len(items) == 0 {
		return Decision{Action: None}
	}
	may := sync.OnceValue(func() bool { return mayDefer != nil && mayDefer() })
	var rules []int
	for i := range p.Rules {
		if p.Rules[i].unmetByMessage(rep, env, recipient) == "" {
			rules = append(rules, i)
		}
	}
	shadowed := make(map[int]bool)
	changes := make(map[string]Action)
	worst, worstRule := Decision{}, -1
	for n := range items {
		d, at := Decision{Action: Tag}, len(p.Rules)
		for _, i := range rules {
			r := &p.Rules[i]
			if !r.matched(rep)[n] {
				continue
			}
			if r.Mode == Shadow {
				shadowed[i] = true
				continue
			}
			if r.Action == Defer && r.Mode != TagOnly && !may() {
				continue
			}
			d, at = r.decision(), i
			break
		}
		if d.Action == Notice || d.Action == Strip {
			// The parts and failures after the references cannot be taken out.
			if n >= len(rep.Refs) {
				d = d.Within(func(d Decision) bool { return d.Action == Quarantine })
			} else {
				changes[rep.Refs[n].ID] = d.Action
			}
		}
		if worstRule < 0 || d.Action.stricter(worst.Action) ||
			d.Action == worst.Action && (d.Would.stricter(worst.Would) || d.Would == worst.Would && at < worstRule) {
			worst, worstRule = d, at
		}
	}
	if worst.Action == Notice || worst.Action == Strip {
		worst.Change = changes
	}
	for _, i := range slices.Sorted(maps.Keys(shadowed)) {
		worst.Shadow = append(worst.Shadow, p.Rules[i].Name+"="+string(p.Rules[i].Action))
	}
	return worst
}

// final reports whether no rule after r is tried if r matches.
func (r *Rule) final() bool {
	return r.Mode != Shadow && (r.Action != Defer || r.Mode == TagOnly)
}

// covers reports whether r matches whenever o does.
func (r *Rule) covers(o *Rule) bool {
	same := func(a, b *bool) bool { return a == nil || b != nil && *a == *b }
	names := len(r.Extensions) == 0 || r.Action.stricter(Inline) == o.Action.stricter(Inline) && within(o.Extensions, r.Extensions, equal[string])
	return names && r.MinSize <= o.MinSize && same(r.Authenticated, o.Authenticated) && same(r.Mismatch, o.Mismatch) &&
		within(o.Verdicts, r.Verdicts, equal[Verdict]) && within(o.Recipients, r.Recipients, addressed) &&
		within(o.Dialects, r.Dialects, equal[string]) && within(o.Hosts, r.Hosts, below) && within(o.Kinds, r.Kinds, equal[fetch.Kind]) &&
		within(o.Unread, r.Unread, equal[string]) && within(o.Scans, r.Scans, equal[Scan])
}

func equal[T comparable](a, b T) bool { return a == b }

// within reports whether a condition on list is met by all that meet a condition on some.
func within[T any](some, list []T, in func(a, b T) bool) bool {
	if len(list) == 0 {
		return true
	}
	return len(some) > 0 && !slices.ContainsFunc(some, func(a T) bool {
		return !slices.ContainsFunc(list, func(b T) bool { return in(a, b) })
	})
}

// A Trial is the trial of a rule on a reference, for a recipient.
type Trial struct {
	Recipient string
	Ref       string // the ID of the Ref, or the section of an Unread; "" for a Failure
	Rule      string
	Unmet     string // the condition that does not hold; "" if the rule matches
}

// Explain returns the trials that lead to the Decisions for the recipients, or for an
// unknown one without recipients.
func (p *Policy) Explain(rep *Report, env *Envelope) (list []Trial) {
	recipients := env.Recipients
	if len(recipients) == 0 {
		recipients = []string{""}
	}
	for _, rcpt := range recipients {
		for _, ref := range rep.items() {
			for i := range p.Rules {
				r := &p.Rules[i]
				unmet := r.unmetByMessage(rep, env, rcpt)
				if unmet == "" {
					unmet = r.unmet(ref)
				}
				list = append(list, Trial{rcpt, ref.ID, r.Name, unmet})
				if unmet == "" && r.final() {
					break
				}
			}
		}
	}
	return list
}

// decision returns the Decision of a rule that matches and is not in the mode Shadow.
func (r *Rule) decision() Decision {
	d := Decision{Rule: r.Name, Mode: r.Mode, Action: r.Action}
	if d.Mode == "" {
		d.Mode = Enforce
	}
	if r.Mode == TagOnly && r.Action.stricter(Tag) {
		d.Action, d.Would = Tag, r.Action
	}
	if d.Action == Redirect {
		d.To = r.To
	}
	return d
}

// DecideAll returns the Decision for a message that gets one answer for all its
// recipients: the strictest of their Decisions. A mild rule for one recipient therefore
// does not let the message pass to the others.
func (p *Policy) DecideAll(rep *Report, env *Envelope, mayDefer func() bool) Decision {
	recipients := env.Recipients
	if len(recipients) == 0 || !p.byRecipient() {
		recipients = []string{""}
		if len(env.Recipients) > 0 {
			recipients = env.Recipients[:1]
		}
	}
	may := sync.OnceValue(func() bool { return mayDefer != nil && mayDefer() })
	var worst Decision
	for i, rcpt := range recipients {
		if d := p.Decide(rep, env, rcpt, may); i == 0 || d.Action.stricter(worst.Action) {
			worst = d
		}
	}
	return worst
}

// byRecipient reports whether any rule has a condition about the recipient.
func (p *Policy) byRecipient() bool {
	return slices.ContainsFunc(p.Rules, func(r Rule) bool { return len(r.Recipients) > 0 })
}

// unmetByMessage returns the name of a condition on the message that does not hold, or
// "".
func (r *Rule) unmetByMessage(rep *Report, env *Envelope, recipient string) string {
	switch {
	case len(r.Verdicts) > 0 && !slices.Contains(r.Verdicts, rep.Verdict):
		return "verdict"
	case r.Authenticated != nil && *r.Authenticated != env.Authenticated:
		return "authenticated"
	case len(r.Recipients) > 0 && !slices.ContainsFunc(r.Recipients, func(want string) bool { return addressed(recipient, want) }):
		return "recipient"
	}
	return ""
}

// matched reports for each of the items of a Report whether the conditions on references
// hold for it. This is the same for all recipients.
func (r *Rule) matched(rep *Report) []bool {
	m, known := rep.matched[r]
	if !known {
		for _, ref := range rep.items() {
			m = append(m, r.unmet(ref) == "")
		}
		if rep.matched == nil {
			rep.matched = make(map[*Rule][]bool)
		}
		rep.matched[r] = m
	}
	return m
}

// unmet returns the name of a condition on references that does not hold for ref, or "".
func (r *Rule) unmet(ref *Ref) string {
	size := ref.Octets
	if ref.State != Known {
		size = ref.Size
	}
	switch {
	case len(r.Dialects) > 0 && !slices.Contains(r.Dialects, ref.Dialect):
		return "dialect"
	case len(r.Hosts) > 0 && !slices.ContainsFunc(r.Hosts, func(h string) bool { return below(ref.Host, h) }):
		return "host"
	case len(r.Kinds) > 0 && !slices.Contains(r.Kinds, ref.Kind):
		return "kind"
	case r.Mismatch != nil && *r.Mismatch != ref.Mismatch:
		return "mismatch"
	case r.MinSize > 0 && size < r.MinSize:
		return "min_size"
	case len(r.Unread) > 0 && !slices.Contains(r.Unread, ref.unread):
		return "unread"
	case len(r.Extensions) > 0 && !r.meetsExtensions(ref):
		return "extension"
	case len(r.Scans) > 0 && !slices.Contains(r.Scans, ref.Scan):
		return "scan"
	}
	return ""
}

func (r *Rule) meetsExtensions(ref *Ref) bool {
	listed := func(ext string) bool { return slices.Contains(r.Extensions, ext) }
	names := slices.Concat(ref.extensions, ref.finding.extensions)
	if r.Action.stricter(Inline) {
		return slices.ContainsFunc(names, listed) || slices.ContainsFunc(ref.members, listed)
	}
	return len(names) > 0 && !slices.ContainsFunc(names, func(ext string) bool { return !listed(ext) })
}

// below reports whether host, which may have a port, is want or a name below it.
func below(hostname, want string) bool {
	if i := strings.LastIndexByte(hostname, ':'); i > strings.LastIndexByte(hostname, ']') {
		hostname = hostname[:i]
	}
	return host.Below(hostname, want)
}

// addressed reports whether an address is want, or is of the domain want.
func addressed(address, want string) bool {
	address = mailbox(address)
	if strings.Contains(want, "@") && !strings.HasPrefix(want, "@") {
		return address == mailbox(want)
	}
	i := strings.LastIndexByte(address, '@')
	return i >= 0 && address[i+1:] == strings.TrimPrefix(want, "@")
}

// mailbox returns an address in the form in which addresses are compared: in lower
// case, without a route (RFC 5321 appendix C), without the quotes of its local part,
// which have no meaning (RFC 5321 section 4.1.2), and without a dot after its domain.
func mailbox(address string) string {
	address = strings.TrimSuffix(strings.ToLower(address), ".")
	if strings.HasPrefix(address, "@") {
		if _, after, ok := strings.Cut(address, ":"); ok {
			address = after
		}
	}
	i := strings.LastIndexByte(address, '@')
	if i < 2 || address[0] != '"' || address[i-1] != '"' {
		return address
	}
	var b strings.Builder
	for quoted, local := false, address[1:i-1]; local != ""; local = local[1:] {
		if quoted = !quoted && local[0] == '\\'; !quoted {
			b.WriteByte(local[0])
		}
	}
	return b.String() + address[i:]
}
