package serve

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/inspect"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/internal/file/spool"
)

// A Checked is a message with its Report, and the policy at the time of the check. Close
// must be called.
type Checked struct {
	engine *Engine
	ctx    context.Context
	mail   *Mail
	policy *inspect.Policy
	forms  map[string]*spool.Spool // see Text; nil if it cannot be done
	Report *inspect.Report

	decided *inspect.Decision // by Decide
}

var errNoBody = errors.New("no body can be put in")

// Decide returns one Decision for all recipients, and counts it. Close writes the log line, so
// that the client does not wait for that.
func (c *Checked) Decide() inspect.Decision {
	env := &c.mail.Envelope
	d := c.policy.DecideAll(c.Report, env, c.mayDefer(env.Recipients)).Within(c.can)
	c.count(d, env.Recipients)
	c.decided = &d
	return d
}

// DecideEach returns a Decision for each recipient, in their order. A recipient that is
// given twice gets the same Decision twice. The front end calls Record when it has carried
// the Decisions out.
func (c *Checked) DecideEach() []inspect.Decision {
	env := &c.mail.Envelope
	list := make([]inspect.Decision, len(env.Recipients))
	decided := make(map[string]inspect.Decision)
	for i, rcpt := range env.Recipients {
		if _, again := decided[rcpt]; !again {
			decided[rcpt] = c.policy.Decide(c.Report, env, rcpt, c.mayDefer(env.Recipients[i:i+1])).Within(c.can)
		}
		list[i] = decided[rcpt]
	}
	return list
}

// Record logs and counts the Decisions that were carried out, one for each recipient. Those
// with the same action and rule are logged and counted once, with the number of their
// recipients and the rules in the mode Shadow of all of them.
func (c *Checked) Record(list []inspect.Decision) {
	recipients := make(map[string][]string) // by action and rule
	var order []*inspect.Decision
	key := func(d *inspect.Decision) string { return string(d.Action) + " " + d.Rule }
	for i, d := range list {
		at := slices.IndexFunc(order, func(o *inspect.Decision) bool { return key(o) == key(&d) })
		if at < 0 {
			at = len(order)
			order = append(order, &d)
		}
		order[at].Shadow = distinct(slices.Concat(order[at].Shadow, d.Shadow), func(s string) string { return s })
		recipients[key(&d)] = append(recipients[key(&d)], c.mail.Envelope.Recipients[i])
	}
	for _, d := range order {
		c.count(*d, recipients[key(d)])
		c.log(*d, recipients[key(d)])
	}
}

func (c *Checked) can(d inspect.Decision) bool {
	may := slices.Contains(c.mail.Actions, d.Action) && (d.Subject == "" || slices.Contains(c.mail.Actions, inspect.Subject))
	return may && c.Text(d) != nil
}

// Answer returns the Answer for a Decision, which is written as JSON.
func (c *Checked) Answer(d inspect.Decision) *inspect.Answer { return c.policy.Answer(c.Report, d) }

// Field returns the value of the header field for a Decision. It returns "" for a
// message that was looked at in full and has no references, which gets no field.
func (c *Checked) Field(d inspect.Decision) string {
	if c.Report.Nothing() {
		return ""
	}
	return inspect.FieldValue(c.engine.opts.Name, c.Report, &d)
}

// mayDefer returns the function that a Policy calls before it defers, or nil if the
// message must not be deferred.
func (c *Checked) mayDefer(recipients []string) func() bool {
	if c.mail.Submit || c.engine.opts.Deferrals == nil {
		return nil
	}
	return func() bool {
		key := inspect.DeferralKey(c.Report, &c.mail.Envelope, recipients)
		may := c.engine.opts.Deferrals.May(key, c.policy.Defer, !c.Report.Untried())
		if !may {
			c.engine.opts.Metrics.ended.Inc()
		}
		return may
	}
}

// count counts a decision for recipients, and remembers it for the operator.
func (c *Checked) count(d inspect.Decision, recipients []string) {
	if c.mail.Submit {
		return
	}
	e := c.engine
	rep := c.Report
	e.opts.Metrics.decided(c.mail.Front, rep, &d)
	e.tally(&d)
	if rep.Nothing() {
		return
	}
	e.remember(newPast(c, d, recipients))
}

// Text returns the message as a Decision demands: with bodies in it, with references taken
// out, with a text before its Subject, or as it came. It returns nil if that cannot be done. The text is valid until Close.
func (c *Checked) Text(d inspect.Decision) *spool.Spool {
	key := fmt.Sprint(d.Change, d.Subject)
	switch {
	case d.Subject != "":
		if c.Report.Failure != 0 || c.Report.Bound() != "" {
			return nil // the Spool may have a part of the message
		}
	case d.Action == inspect.Inline, d.Action == inspect.Notice, d.Action == inspect.Strip:
	default:
		return c.mail.Spool
	}
	if text, tried := c.forms[key]; tried {
		return text
	}
	text := c.engine.Spool()
	in := c.engine.opts.Inspector
	whole := &inspect.Message{Text: c.mail.Spool, Size: c.mail.Spool.Size()}
	var err error
	switch {
	case d.Subject != "":
		text.Max = 0
		err = in.Retitle(text, whole, d.Subject)
	case d.Action == inspect.Inline:
		err = c.inline(text, &d)
	default:
		err = in.Change(c.ctx, text, whole, &d)
	}
	if err != nil {
		text.Close()
		text = nil
	}
	c.forms[key] = text
	return text
}

// Close closes the texts that Text returned, apart from the message as it came, and logs the
// Decision of Decide.
func (c *Checked) Close() {
	if c.decided != nil {
		c.log(*c.decided, c.mail.Envelope.Recipients)
	}
	for _, text := range c.forms {
		if text != nil {
			text.Close()
		}
	}
}

// inlineTime bounds the time for putting the bodies into one message. It is short,
// because most bodies come from the cache.
const inlineTime = 30 * time.Second

// inline writes the message to large with the bodies put in that d demands and that were
// found to be good. It is an error if
//
//   - no body could be put in; or
//   - a body that came is not the one that was looked at.
//
// Octets that were not looked at are never put in.
func (c *Checked) inline(large *spool.Spool, d *inspect.Decision) error {
	good := make(map[string]string) // the digest of the body, by the ID of its reference
	for _, r := range c.Report.Refs {
		if d.Change[r.ID] == inspect.Inline && r.State == inspect.Known && r.Judge() == inspect.Clean {
			good[r.ID] = r.SHA256
		}
	}
	o := c.engine.opts.Inline
	if len(good) == 0 || o.Resolver == nil {
		return errNoBody
	}
	ctx, stop := context.WithTimeout(c.ctx, inlineTime)
	defer stop()
	msg, err := externalbody.Open(c.mail.Spool, c.mail.Spool.Size(), c.engine.opts.Inspector.Reading)
	if err != nil {
		return err
	}
	o.Select = func(ref *externalbody.Reference) bool { return good[ref.ID] != "" }
	o.MaxOutput = c.mail.Most
	large.Max = 0
	report, err := rewrite.Inline(ctx, large, msg, &o)
	if err != nil {
		return err
	}
	unlooked := notLookedAt(report, good)
	for _, r := range c.Report.Refs {
		if unlooked[r.ID] != "" && r.SHA256 != "" {
			c.engine.opts.Inspector.Pool.Differ(&r)
		}
	}
	if !report.Changed() || len(unlooked) > 0 {
		return errNoBody
	}
	return nil
}

// notLookedAt returns the digests of the bodies that were put in and are not the ones that were looked at, by the
// IDs of their references. A digest that is not known is "".
func notLookedAt(report *rewrite.Report, good map[string]string) map[string]string {
	others := make(map[string]string)
	for _, i := range report.Items {
		if i.Action != rewrite.Replaced && i.Action != rewrite.Added {
			continue
		}
		sum := ""
		if i.Resolved != nil {
			sum = fmt.Sprintf("%x", i.Resolved.SHA256)
		}
		if sum != "" && slices.ContainsFunc(i.References, func(ref *externalbody.Reference) bool { return good[ref.ID] == sum }) {
			continue
		}
		for _, ref := range i.References {
			others[ref.ID] = sum
		}
	}
	return others
}
