// Package inline has the command that puts bodies into messages.
package inline

import (
	"cmp"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/flagvalue"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/get"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/rewriting"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/source"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
)

// filterMaxMessage is the default of --max-message for a filter. Servers refuse larger
// messages, and would do so again at each try.
const filterMaxMessage = 25_000_000

// Command returns the command.
func Command() *cobra.Command {
	var n flags
	cmd := &cobra.Command{
		Use:   "inline [PATH]",
		Short: "Put the bodies that messages refer to into them",
		Long: `Replace references by the bodies that they refer to, and change nothing else. With
--dialects, also attach the files that other forms refer to. The text that names
them stays as it is. Pictures (remote-images) are put beside the HTML that shows
them, in which their URLs become cid: URLs. Each URL that the result still loads when
it is shown is a warning then, and the status is 3.

--sealed takes that out: attributes are emptied, and URLs in style sheets become
about:blank. Frames, scripts, refreshes and hints always go. A message from which it
cannot be taken, such as a signed one, stays as it is, which is a failure.

` + rewriting.PathHelp + `
--watch keeps a Maildir, and those in it, whole for a reader that shows no references: it
rewrites each message in place when it comes, until it is interrupted. With --yes or
--policy bodies come from the hosts alone that these name, also after a redirect; a
watch without them lists the files of new messages. A body that may be had later is asked
for again, up to 12 times, after 10 minutes and then after twice as long, a day at most.

A reference whose body cannot be had stays as it is, and the others are replaced.
That also holds for bodies for which --timeout or --max-message leave no room. A line on
standard error counts the files that a flag left, or that have one of the --dialects that
are not read, with the flag that takes them.
Nothing is written before everything is decided.

The exit status is
   0  when the message was written, also with references left in it;
   1  when a message or mailbox of a PATH was not written, or the disk had no room for a
      body, or a message could not be sealed;
   2  for a mistake on the command line;
   3  with remote-images, when a message that was written still loads something;
  75  when a filter did not write the whole message, or with --tempfail when a body
      may be had later: throw the output away, and try again.`,
		Args: cobra.MaximumNArgs(1),
		RunE: n.run,
	}
	f := cmd.Flags()
	n.Flags.Add(f)
	n.policy.Flags(f)
	n.policy.Cache.Flags(f)
	f.StringVar(&n.policy.NetrcFile, "netrc", "", "log in to the hosts that `FILE` names, by their entries")
	f.Lookup("timeout").Usage = "give up after `D`: a filter by then, a mailbox each message"
	flagvalue.Default(f, "timeout", rewriting.DefaultTimeout.String())
	f.Lookup("dialects").Usage = "attach the files that these other forms refer to: `all|none|NAME,...` of " +
		strings.Join(dialect.Names(), ", ")
	flagvalue.Default(f, "dialects", "none")
	n.choice.Flags(f)
	f.StringVar(
		&n.watched, "watch", "", "keep the Maildir `DIR` whole, until it is interrupted: rewrite each message in place when it comes",
	)
	n.hosts.add(f)
	f.StringVar(&n.account, "account", "", "ask for the files of its hosts with the account `NAME` of the settings, in this run")
	f.BoolVar(
		&n.sealed, "sealed", false,
		"take out all that the message would still load when it is shown, or leave the message as it is and fail",
	)
	f.BoolVar(&n.dryRun, "dry-run", false, "show what would be contacted, and contact nobody")
	f.Var(
		&n.max, "max-message",
		"leave references whose bodies would make the message larger than `N` "+
			"octets; 10MB, 1GiB or none (default 25MB for a filter, otherwise none)",
	)
	o := &n.options
	f.BoolVar(&o.Transport8bit, "8bit", false, "write text as 8bit; use it if all that follows can carry that")
	f.BoolVar(&o.Notice, "notice", false, "put a text in place of a body that cannot be had")
	f.BoolVar(&o.KeepAlternatives, "keep-alternatives", false, "keep the other references to a body that was put in")
	f.BoolVar(
		&n.acceptSize, "accept-size", false, "put in bodies that are not of the announced size; they may be cut short, or something else",
	)
	f.BoolVar(
		&o.DropOuter, "drop-outer", false,
		"drop the description, disposition and language of the reference itself; where "+
			"it is the whole message, use the subject and Message-ID of its inner header",
	)
	f.BoolVar(&o.AllowSVG, "allow-svg", false, "put in pictures in SVG also with scripts or references to elsewhere")
	f.BoolVar(&o.Location, "location", false, "add a Content-Location with the URL of the body")
	f.StringVar(&o.ResultField, "result-field", "", "add a header field `NAME` that says how the body was fetched")
	return cmd
}

// run rewrites a message or mailbox.
func (n *flags) run(cmd *cobra.Command, args []string) error {
	if err := cmp.Or(n.choice.Check(), n.hosts.read()); err != nil {
		return err
	}
	if err := n.useAccount(); err != nil {
		return err
	}
	engine, err := n.policy.Engine(nil, cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	defer engine.Close()
	resolver := engine.Resolver
	n.Timeout = n.policy.Timeout
	n.Reading = n.policy.Reading
	if n.dryRun {
		return n.plan(cmd, args, resolver)
	}
	n.options.At = n.At()
	n.options.Nested = n.Nested
	n.options.Attach = !n.policy.Standard()
	if err := checkInline(n.options); err != nil {
		return exit.Mistake(err)
	}
	if n.watched != "" {
		if len(args) > 0 || n.HasOutput() {
			return exit.Mistake(errors.New("--watch names the Maildir and rewrites in place: leave out PATH, -o and --in-place"))
		}
		return n.watch(cmd, engine)
	}
	w := n.newRun(cmd, resolver)
	n.options.MaxOutput = max(int64(n.max), 0)
	if n.max == 0 && w.IsFilter(args) {
		n.options.MaxOutput = filterMaxMessage
	}
	if !n.RecordsToError() {
		n.left = new(left)
	}
	err = w.Do(cmd.Context(), args)
	n.left.print(cmd.ErrOrStderr())
	if err != nil || w.IsFilter(args) {
		return err // a filter reads one mail after the other
	}
	return n.choice.Missed()
}

// plan shows the hosts that a run would contact, and counts the files that it would not see.
func (n *flags) plan(cmd *cobra.Command, args []string, resolver *externalbody.Resolver) error {
	g := &get.Run{
		In: cmd.InOrStdin(), Out: cmd.OutOrStdout(), Err: cmd.ErrOrStderr(), JSON: n.JSON, Exact: n.Exact,
		Policy: n.policy, Choice: &n.choice,
	}
	l := new(left)
	if n.Reading.Standard() {
		g.Planned = func(m *source.Found) {
			if m.Whole() != nil {
				l.read(m.Message, m.Whole(), &n.Reading)
			}
		}
	}
	err := g.Plan(cmd.Context(), record.Paths(args), resolver)
	l.parts = record.Counts{} // which the line of the plans has
	l.print(cmd.ErrOrStderr())
	return err
}
