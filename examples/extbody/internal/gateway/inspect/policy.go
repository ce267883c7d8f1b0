package inspect

import (
	"slices"
	"strings"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/link/host"
)

// A Policy says what is done with messages. The zero Policy passes them all: those that
// have references, or could not be looked at, with a header field that tells the
// verdict. A Policy must not change after its first use.
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

// A Rule has conditions and an action. An empty condition always holds. Those about
// references, from Dialects to Scans, must hold together for one reference. A rule
// without conditions matches each message that has references, or that could not be
// looked at.
type Rule struct {
	Name string // in log lines and header fields

	Verdicts      []Verdict // the verdict of the message is one of them
	Recipients    []string  // the recipient is one of these addresses, or of these domains
	Authenticated *bool     // whether the client that sent it is known to have logged in

	Dialects   []string // Standard, or the name of a dialect
	Hosts      []string // the host of the URL is one of them, or below it
	Kinds      []fetch.Kind
	Mismatch   *bool
	MinSize    int64    // octets of the body; the announced size if it could not be had
	Extensions []string // of the name in the message or of the body, in lower case without the dot
	Scans      []Scan

	Action Action
	Mode   Mode // "" is Enforce
}

// An Envelope is what is known about how a message came.
type Envelope struct {
	From          string
	Recipients    []string
	Authenticated bool // the client that sent it is known to have logged in
}

// A Decision is what to do with a message.
type Decision struct {
	Action Action `json:"action"`
	Rule   string `json:"rule,omitempty"` // the rule that decided; "" if no rule did
	Mode   Mode   `json:"mode,omitempty"` // the mode of that rule; "" if no rule did

	// Would is the action of a rule that only tags; "" for all others.
	Would Action `json:"would,omitempty"`

	// Shadow has the rules in the mode Shadow that matched before the deciding one,
	// with their actions, as "name=action".
	Shadow []string `json:"shadow,omitempty"`
}

// Decide returns the Decision for one recipient, or for an unknown one if recipient is
// "". It calls mayDefer at most once, and only if a rule would defer the message; nil
// means that the message must not be deferred.
//
// A message without references passes, whatever the rules, if it was looked at in full.
//
// Decide stores in rep which rules match the references, for the next recipient. Several
// goroutines must not call it for one Report at once.
func (p *Policy) Decide(rep *Report, env *Envelope, recipient string, mayDefer func() bool) Decision {
	if len(rep.Refs) == 0 && rep.Failure == 0 {
		return Decision{Action: None}
	}
	d := Decision{Action: Tag}
	allowed, askedFor := false, false
	for i := range p.Rules {
		r := &p.Rules[i]
		if !r.matches(rep, env, recipient) {
			continue
		}
		if r.Mode == Shadow {
			d.Shadow = append(d.Shadow, r.Name+"="+string(r.Action))
			continue
		}
		if r.Action == Defer && r.Mode != TagOnly {
			if !askedFor {
				allowed, askedFor = mayDefer != nil && mayDefer(), true
			}
			if !allowed {
				continue
			}
		}
		d.Rule, d.Mode, d.Action = r.Name, r.Mode, r.Action
		if d.Mode == "" {
			d.Mode = Enforce
		}
		if r.Mode == TagOnly && r.Action.stricter(Tag) {
			d.Action, d.Would = Tag, r.Action
		}
		return d
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
	// mayDefer is called once for all of them.
	allowed, askedFor := false, false
	once := func() bool {
		if !askedFor {
			allowed, askedFor = mayDefer != nil && mayDefer(), true
		}
		return allowed
	}
	var worst Decision
	for i, rcpt := range recipients {
		if d := p.Decide(rep, env, rcpt, once); i == 0 || d.Action.stricter(worst.Action) {
			worst = d
		}
	}
	return worst
}

// byRecipient reports whether any rule has a condition about the recipient.
func (p *Policy) byRecipient() bool {
	return slices.ContainsFunc(p.Rules, func(r Rule) bool { return len(r.Recipients) > 0 })
}

func (r *Rule) matches(rep *Report, env *Envelope, recipient string) bool {
	switch {
	case len(r.Verdicts) > 0 && !slices.Contains(r.Verdicts, rep.Verdict):
		return false
	case r.Authenticated != nil && *r.Authenticated != env.Authenticated:
		return false
	case len(r.Recipients) > 0 && !slices.ContainsFunc(r.Recipients, func(want string) bool { return addressed(recipient, want) }):
		return false
	case !r.onReferences():
		return true
	}
	// This is the same for all recipients.
	m, known := rep.matched[r]
	if !known {
		m = r.matchesAny(rep)
		if rep.matched == nil {
			rep.matched = make(map[*Rule]bool)
		}
		rep.matched[r] = m
	}
	return m
}

// matchesAny reports whether the conditions on references hold for one of them.
func (r *Rule) matchesAny(rep *Report) bool {
	if rep.Failure != 0 && r.matchesRef(&Ref{Size: -1, finding: finding{State: Failed, Kind: rep.Failure}}) {
		return true
	}
	for i := range rep.Refs {
		if r.matchesRef(&rep.Refs[i]) {
			return true
		}
	}
	return false
}

// onReferences reports whether there are conditions about references.
func (r *Rule) onReferences() bool {
	return len(r.Dialects)+len(r.Hosts)+len(r.Kinds)+len(r.Extensions)+len(r.Scans) > 0 || r.MinSize > 0 || r.Mismatch != nil
}

func (r *Rule) matchesRef(ref *Ref) bool {
	size := ref.Octets
	if ref.State != Known {
		size = ref.Size
	}
	switch {
	case len(r.Dialects) > 0 && !slices.Contains(r.Dialects, ref.Dialect),
		len(r.Hosts) > 0 && !slices.ContainsFunc(r.Hosts, func(h string) bool { return below(ref.Host, h) }),
		len(r.Kinds) > 0 && !slices.Contains(r.Kinds, ref.Kind),
		r.Mismatch != nil && *r.Mismatch != ref.Mismatch,
		r.MinSize > 0 && size < r.MinSize,
		len(r.Scans) > 0 && !slices.Contains(r.Scans, ref.Scan),
		len(r.Extensions) > 0 && !slices.Contains(r.Extensions, ref.extension) && !slices.Contains(r.Extensions, ref.finding.extension):
		return false
	}
	return true
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

// extension returns what follows the last dot of a safe name, in lower case.
func extension(name string) string {
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return ""
	}
	return strings.ToLower(name[i+1:])
}
