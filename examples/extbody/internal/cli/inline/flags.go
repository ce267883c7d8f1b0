package inline

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/flagvalue"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/policy"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/rewriting"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/selection"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/mailbox"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/file/diskfull"
)

// flags are the flags of the command.
type flags struct {
	rewriting.Flags
	policy  policy.Policy
	options rewrite.InlineOptions
	choice  selection.Selection
	max     flagvalue.Size // of a message; 0 if not given
	dryRun  bool
	sealed  bool

	acceptSize bool

	hosts   hosts
	full    atomic.Bool // the disk took no more octets in this run, or in this pass of a watch
	account string      // that is used in this run; "" for none
	watched string      // a Maildir that is kept whole; "" for none
	left    *left       // nil: nothing is counted
}

// newRun returns a run that puts the bodies that were chosen, at hosts that were agreed to, into
// messages.
func (n *flags) newRun(cmd *cobra.Command, resolver *externalbody.Resolver) *rewriting.Run {
	w := rewriting.New(cmd, &n.Flags)
	if n.acceptSize {
		resolver = acceptsSize(resolver)
	}
	w.Concerns = func(*externalbody.Reference) bool { return true }
	w.Shown = n.Reading.Shows()
	w.Sealed = n.sealed
	chooses := n.choice.ByMessage() || !n.choice.All()
	if !chooses && !n.sealed {
		w.Open = n.open
	}
	w.Chosen = func(m *mailbox.Message, msg *externalbody.Message) (bool, error) {
		ok, err := n.choice.InMailbox(m, msg)
		if ok && err == nil {
			n.left.read(m, msg, &n.Reading)
		}
		return ok, err
	}
	w.Rewrite = func(ctx context.Context, dst io.Writer, msg *externalbody.Message) (*rewrite.Report, error) {
		o := n.options
		of := resolver
		if !n.choice.All() {
			o.Select = n.choice.Choose(slices.Collect(msg.References()))
		}
		chosen := o.Select
		if n.hosts.given() {
			var agreed func(*externalbody.Reference) bool
			of, agreed = n.hosts.limited(resolver, msg)
			o.Select = func(ref *externalbody.Reference) bool { return (chosen == nil || chosen(ref)) && agreed(ref) }
		}
		limited, stop := rewriting.Deadline(ctx, of, n.Timeout)
		defer stop()
		o.Resolver = limited
		if n.full.Load() {
			o.Resolver = asksNoHost(limited)
		}
		report, err := rewrite.Inline(ctx, dst, msg, &o)
		n.left.note(report, chosen, func(ref *externalbody.Reference) string { return resolver.Plan(ref).Host })
		if diskfull.Is(err) || report != nil && slices.ContainsFunc(report.Items, func(i rewrite.Item) bool { return diskfull.Is(i.Err) }) {
			n.full.Store(true)
		}
		return report, err
	}
	w.WayOut = n.policy.WayOut
	w.Records = w.Inlined
	return w
}

// open reads a message for a rewriting, so that most messages of a run that counts files are read once: in one
// without a reference and an unread part, of any dialect, the standard reading finds nothing either.
func (n *flags) open(m *mailbox.Message) (*externalbody.Message, error) {
	if n.left == nil || !n.Reading.Standard() {
		return n.Reading.Open(m)
	}
	listed, err := n.Reading.OpenListed(m)
	if err == nil && isPlain(listed) {
		return listed, nil
	}
	return n.Reading.Open(m)
}

// isPlain reports whether a message has neither references nor unread parts.
func isPlain(msg *externalbody.Message) bool {
	for range msg.References() {
		return false
	}
	for range msg.Unread() {
		return false
	}
	return true
}

// acceptsSize returns r as one that accepts bodies of another size than the announced one. With Strict, and for
// bodies that are larger than the agreed size, the error stays (HT-19).
func acceptsSize(r *externalbody.Resolver) *externalbody.Resolver {
	c := *r
	c.Judge = func(ctx context.Context, o *externalbody.Objection) error {
		otherSize := o.Check == "size" && errors.Is(o.Err, fetch.SizeMismatch)
		switch {
		case otherSize && !r.Strict:
			return nil
		case r.Judge == nil:
			return o.Err
		}
		return r.Judge(ctx, o)
	}
	return &c
}

// asksNoHost returns r for the messages after one for which the disk had no room: their files stay
// where they are (OP-51).
func asksNoHost(r *externalbody.Resolver) *externalbody.Resolver {
	c := *r
	c.Approve = func(ctx context.Context, p *externalbody.Plan) error {
		if !p.Local() {
			return &fetch.Error{Op: "inline", Kind: fetch.Local, Err: errFull}
		}
		if r.Approve == nil {
			return nil
		}
		return r.Approve(ctx, p)
	}
	return &c
}

var errFull = errors.New("no host is asked since the disk took no more octets: make room, and run the command again")

// checkInline returns the mistakes in the options, which an empty message shows.
func checkInline(o rewrite.InlineOptions) error {
	const empty = "\n"
	msg, err := externalbody.Open(strings.NewReader(empty), int64(len(empty)), nil)
	if err != nil {
		return err
	}
	o.Resolver = new(externalbody.Resolver)
	_, err = rewrite.Inline(context.Background(), io.Discard, msg, &o)
	return err
}
