package serve

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/inspect"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/internal/file/spool"
)

// Text returns the message as a Decision demands: with bodies in it, with references taken
// out, or as it came. It returns nil if that cannot be done. The text is valid until Close.
func (c *Checked) Text(d inspect.Decision) *spool.Spool {
	key := fmt.Sprint(d.Change)
	switch d.Action {
	case inspect.Inline:
		key = string(inspect.Inline)
	case inspect.Notice, inspect.Strip:
	default:
		return c.mail.Spool
	}
	if text, tried := c.forms[key]; tried {
		return text
	}
	if c.forms == nil {
		c.forms = make(map[string]*spool.Spool)
	}
	text := c.engine.Spool()
	var err error
	if d.Action == inspect.Inline {
		err = c.inline(text)
	} else {
		err = c.engine.opts.Inspector.Change(c.ctx, text, &inspect.Message{Text: c.mail.Spool, Size: c.mail.Spool.Size()}, &d)
	}
	if err != nil {
		text.Close()
		text = nil
	}
	c.forms[key] = text
	return text
}

// Close closes the texts that Text returned, apart from the message as it came.
func (c *Checked) Close() {
	for _, text := range c.forms {
		if text != nil {
			text.Close()
		}
	}
}

// inlineTime bounds the time for putting the bodies into one message. It is short,
// because most bodies come from the cache.
const inlineTime = 30 * time.Second

// inline writes the message to large with the bodies put in that were found to be good. It
// is an error if
//
//   - no body could be put in; or
//   - a body that came is not the one that was looked at.
//
// Octets that were not looked at are never put in.
func (c *Checked) inline(large *spool.Spool) error {
	good := make(map[string]string) // the digest of the body, by the ID of its reference
	for i := range c.Report.Refs {
		r := &c.Report.Refs[i]
		if r.State == inspect.Known && !r.Mismatch && r.Scan != inspect.Infected && r.Scan != inspect.ScanFailed {
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
	o.MaxOutput, large.Max = c.mail.Most, 0
	report, err := rewrite.Inline(ctx, large, msg, &o)
	if err == nil && (!report.Changed() || !asLookedAt(report, good)) {
		err = errNoBody
	}
	return err
}

// asLookedAt reports whether all bodies that were put in are those that were looked at.
func asLookedAt(report *rewrite.Report, good map[string]string) bool {
	for _, i := range report.Items {
		if i.Action != rewrite.Replaced && i.Action != rewrite.Added {
			continue
		}
		if i.Resolved == nil || len(i.Resolved.SHA256) == 0 {
			return false
		}
		sum := fmt.Sprintf("%x", i.Resolved.SHA256)
		if !slices.ContainsFunc(i.References, func(ref *externalbody.Reference) bool { return good[ref.ID] == sum }) {
			return false
		}
	}
	return true
}
