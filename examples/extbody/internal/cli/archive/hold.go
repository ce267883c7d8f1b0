package archive

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	core "github.com/go-extbody/extbody/examples/extbody/internal/archive"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/policy"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/examples/extbody/internal/fleet"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/serve"
	"github.com/go-extbody/extbody/internal/codec/charset"
	"github.com/go-extbody/extbody/internal/wording"
)

func (a *files) holdCommand(name, short string) *cobra.Command {
	var why string
	var dryRun bool
	cmd := &cobra.Command{
		Use:   name + " DIR SELECTOR...",
		Short: short,
		Long:  short + ". With --dry-run see first how much that is, and from whom." + selectors,
		Args:  cobra.MinimumNArgs(2),
		RunE: selecting(func(_ *cobra.Command, dir string, sel *core.Selector) error {
			if dryRun {
				return reading(dir, func(ar *core.Archive) error {
					p, err := ar.Preview(sel)
					if err == nil {
						writePreview(a.out, p)
					}
					return err
				})
			}
			return writing(dir, false, "", func(ar *core.Archive) error {
				n, err := ar.Hold(sel, why, name == "release")
				if err == nil {
					_, err = fmt.Fprintf(a.out, "%s\nhead %s\n", wording.Count(n, "object"), ar.Head())
				}
				return err
			})
		}),
	}
	cmd.Flags().StringVar(&why, "reason", "", "record `WHY` in the ledger")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "show how much is selected and from whom, and write nothing")
	return cmd
}

// maxSenders bounds the senders of a preview.
const maxSenders = 20

// writePreview writes how much is selected, and from whom.
func writePreview(w io.Writer, p *core.Preview) {
	fmt.Fprintf(w, "%s and %s are selected: %s\n",
		wording.Count(p.Messages, "message"), wording.Count(p.Bodies, "body"), show.Octets(p.Octets))
	if p.Of > 0 {
		fmt.Fprintf(w, "they are, or are referred to in, %s from\n", wording.Count(p.Of, "message"))
	}
	for i, s := range p.Senders {
		if i == maxSenders {
			fmt.Fprintf(w, "  and %s\n", wording.Count(len(p.Senders)-i, "more sender"))
			break
		}
		fmt.Fprintf(w, "  %s: %d\n", show.Line(cmp.Or(s.Address, "no address")), s.Messages)
	}
}

func (a *files) forgetCommand() *cobra.Command {
	o := new(core.ForgetOptions)
	var l policy.Fleet
	cmd := &cobra.Command{
		Use:   "forget DIR SELECTOR...",
		Short: "Remove the octets of a selection, and record that and why",
		Long: `Remove the octets of messages, bodies and exchanges, and record that and why.

The ledger is never changed. So the sender, subject and Message-ID of each message,
the URLs, and the reason given here stay in it.

With --fleet and --objects the fleet forgets the URLs and bodies first, as "extbody fleet
forget" does.` + selectors + `

If message= fits several messages, nothing is removed without --all-matches. Anyone can
send a message with the Message-ID of another one, so look at --dry-run first.`,
		Args: cobra.MinimumNArgs(2),
		RunE: selecting(func(cmd *cobra.Command, dir string, sel *core.Selector) error {
			if (l.Database == "") != (l.Objects == "") {
				return exit.Mistake(errors.New("--fleet and --objects need each other"))
			}
			if l.Given() {
				o.First = func(g *core.Forgetting) error { return forgetFleet(cmd.Context(), &l, g) }
			}
			if o.Reason == "" && !o.DryRun {
				return exit.Mistake(errors.New("archive forget needs --reason"))
			}
			forget := func(ar *core.Archive) error {
				g, err := ar.Forget(sel, o)
				if o.DryRun && g != nil || errors.Is(err, core.ErrSeveral) {
					for _, m := range g.Messages {
						fmt.Fprintf(a.out, "message=%s from=%s subject=%s\n",
							m.SHA256, show.Line(charset.Words(m.From)), show.Line(charset.Words(m.Subject)))
					}
				}
				if errors.Is(err, core.ErrSeveral) {
					return fmt.Errorf("%w: name one by its digest, or give --all-matches", err)
				}
				if err != nil {
					return err
				}
				word := "removed"
				if o.DryRun {
					word = "would be removed"
					writePreview(a.out, g.Preview())
				}
				_, err = fmt.Fprintf(a.out, "%s and %s %s\nhead %s\n", wording.Count(len(g.Objects), "object"),
					wording.Count(len(g.Exchanges), "exchange"), word, ar.Head())
				return err
			}
			if o.DryRun {
				return reading(dir, forget)
			}
			return writing(dir, false, "", forget)
		}),
	}
	f := cmd.Flags()
	f.StringVar(&o.Reason, "reason", "", "record `WHY` in the ledger, where it stays")
	f.BoolVar(&o.DryRun, "dry-run", false, "show the selection, and remove nothing")
	f.BoolVar(&o.AllMatches, "all-matches", false, "remove all messages that message= fits")
	l.Flags(f)
	return cmd
}

// forgetFleet has a fleet forget the references and bodies that g lists.
func forgetFleet(ctx context.Context, l *policy.Fleet, g *core.Forgetting) error {
	tier, err := l.Open(ctx, true)
	if err != nil {
		return err
	}
	defer tier.Close()
	s := &fleet.Selection{URLs: g.URLs}
	for _, o := range g.Objects {
		sum, err := hex.DecodeString(o.SHA256)
		if err != nil {
			return err
		}
		s.Bodies = append(s.Bodies, sum)
	}
	for _, m := range g.Messages {
		if slices.ContainsFunc(g.Objects, func(o core.Removed) bool { return o.SHA256 == m.SHA256 }) {
			s.Messages = append(s.Messages, serve.Plain(m.MessageID))
		}
	}
	_, err = tier.Forget(ctx, s)
	return err
}

func (a *files) holdsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "holds DIR",
		Short: "List the holds that are in force, with their reasons",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return reading(args[0], func(ar *core.Archive) error {
				list, err := ar.Holds()
				for _, h := range list {
					fmt.Fprintf(a.out, "%s %s: %s, %s (%s)\n",
						h.Time.UTC().Format(time.RFC3339), show.Line(h.Selector), wording.Count(len(h.Objects), "object"),
						wording.Count(len(h.Keys), "reference"), show.Line(h.Reason))
				}
				return err
			})
		},
	}
}
