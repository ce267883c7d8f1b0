// Package check has the command that looks at one message, and the flags that it shares
// with the command serve.
package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/netip"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/source"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/inspect"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/lmtpfront"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/mailbox"
	"github.com/go-extbody/extbody/fetch"
)

// The exit statuses of check in addition to 0, which means no references.
const (
	StatusFound      = 10
	StatusSuspicious = 11
	StatusMalware    = 12
)

type flags struct {
	Inspecting
	json, noResolve, explain bool
	envelope                 inspect.Envelope
}

// Command returns the command.
func Command() *cobra.Command {
	var c flags
	cmd := &cobra.Command{
		Use:   "check [PATH]",
		Short: "Say what the files are that a message refers to, and what a policy does",
		Long: `Look at one message, from PATH or standard input, as serve does. Say what the files are
that it refers to, and what the policy does with it. Hosts are contacted as by get;
with --no-resolve nobody is. Nothing is deferred: a rule that would defer is named. A
policy file with a mistake has the status 2, so that a site can try a policy before the
server reads it.

The exit status is
   0  when there are no references;
  10  when there are, and nothing speaks against them;
  11  when something is suspicious, was not to be had, or was not scanned, or when a part
      could not be looked into, for example because it is encrypted;
  12  when the scanner found something;
   1  when the message could not be looked at, because of this machine;
   2  for a mistake on the command line or in the policy.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return c.run(cmd, args) },
	}
	c.addFlags(cmd)
	return cmd
}

func (c *flags) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	c.Inspecting.Flags(f)
	f.BoolVar(&c.json, "json", false, "write one JSON object, as POST /v1/check of serve answers")
	f.BoolVar(
		&c.explain, "explain", false,
		"also show, unless with --json, for each rule and reference whether the rule matches, or which condition does not hold",
	)
	f.BoolVar(&c.noResolve, "no-resolve", false, "contact nobody")
	f.StringVar(&c.envelope.From, "from", "", "the sender of the envelope, for the policy; <> for a bounce")
	f.StringSliceVar(&c.envelope.Recipients, "rcpt", nil, "a recipient of the envelope, for the policy (repeatable)")
	f.TextVar(&c.envelope.Client, "client", netip.Addr{}, "the address of the client that sent the message, for the policy")
	f.BoolVar(&c.envelope.Authenticated, "authenticated", false, "the client has logged in, for the policy")
}

// run looks at a message.
func (c *flags) run(cmd *cobra.Command, args []string) error {
	ctx := cmd.Context()
	errw := cmd.ErrOrStderr()
	policy, err := c.ReadPolicy()
	if err != nil {
		return exit.Mistake(err)
	}
	text, release, err := oneMessage(ctx, cmd.InOrStdin(), args)
	if err != nil {
		return err
	}
	defer release()
	in := &inspect.Inspector{Reading: c.Policy.Reading.Options()}
	if !c.noResolve {
		i, _, closeAll, err := c.Inspector(
			inspect.PoolOptions{}, nil, errw, func(err error) { fmt.Fprintf(errw, "extbody: %s\n", show.Line(err.Error())) },
		)
		if err != nil {
			return err
		}
		defer closeAll()
		in = i
	}
	rep := in.Inspect(ctx, &inspect.Message{
		Text: text, Size: text.Size(),
		Skip: func(rep *inspect.Report, n int) bool { return policy.Skips(rep, &c.envelope, n) },
	})
	if err := ctx.Err(); err != nil {
		return err
	}
	d := policy.DecideAll(rep, &c.envelope, func() bool { return true })
	if err := writeVerdict(cmd.OutOrStdout(), policy.Answer(rep, d), c.json); err != nil {
		return err
	}
	if c.explain && !c.json {
		if err := writeTrials(cmd.OutOrStdout(), policy.Explain(rep, &c.envelope)); err != nil {
			return err
		}
	}
	switch {
	case rep.Failure == fetch.Local:
		return exit.With(exit.Failed, fmt.Errorf("the message could not be inspected because of this machine: %s", rep.Failure))
	case rep.Verdict == inspect.Malware:
		return exit.With(StatusMalware, nil)
	case rep.Verdict != inspect.Clean:
		return exit.With(StatusSuspicious, nil)
	case len(rep.Refs) > 0:
		return exit.With(StatusFound, nil)
	}
	return nil
}

// writeVerdict writes the Answer for a message, as text or as JSON.
func writeVerdict(out io.Writer, answer *inspect.Answer, asJSON bool) error {
	if asJSON {
		return show.JSON(out, answer)
	}
	var b strings.Builder
	add := func(is bool, format string, args ...any) {
		if is {
			fmt.Fprintf(&b, format, args...)
		}
	}
	add(true, "%s, action %s", answer.Verdict, answer.Action)
	add(answer.Rule != "", " by rule %s", answer.Rule)
	add(answer.To != "", " to %s", show.Line(answer.To))
	add(answer.Would != "", ", which would %s", answer.Would)
	add(len(answer.Shadow) > 0, ", in the shadow %s", strings.Join(answer.Shadow, " "))
	add(answer.Failure != 0, ", not looked at in full: %s", answer.Failure)
	b.WriteByte('\n')
	for _, u := range answer.Unread {
		if u.Whole() {
			fmt.Fprintf(&b, "-\tnot looked at in full: %s\n", show.Line(u.Detail))
			continue
		}
		fmt.Fprintf(&b, "%s\t%s: not looked into, %s", cmp.Or(u.Section, "-"), show.Line(u.Type), u.Reason)
		add(u.Detail != "", " (%s)", show.Line(u.Detail))
		b.WriteByte('\n')
	}
	for _, r := range answer.Refs {
		fmt.Fprintf(&b, "%s\t%s\n", r.ID, r.Text())
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// writeTrials writes the trials of rules, one a line.
func writeTrials(out io.Writer, trials []inspect.Trial) error {
	for _, t := range trials {
		outcome := "matches"
		if t.Unmet != "" {
			outcome = "does not match: " + t.Unmet
			if t.Unknown {
				outcome += ", of which not everything is known"
			}
		}
		who := ""
		if t.Recipient != "" {
			who = " for " + show.Line(t.Recipient)
		}
		if _, err := fmt.Fprintf(out, "%s\trule %s%s %s\n", cmp.Or(t.Ref, "-"), t.Rule, who, outcome); err != nil {
			return err
		}
	}
	return nil
}

// Policy returns the command policy.
func Policy() *cobra.Command {
	cmd := &cobra.Command{Use: "policy", Short: "Try the policy of check and serve"}
	var c flags
	test := &cobra.Command{
		Use:   "test POLICY [PATH...]",
		Short: "Show which rules match messages, and why",
		Long: `Read a policy, and show for each message, rule and reference whether the rule matches, or
which condition does not hold. Each of several messages is named first. Without a PATH only the policy is read. Before that it names
the strict rules that exempt a sender, and so match where the sender is not known, and the
facts that a front end cannot know. Hosts are contacted as by check; with --no-resolve none is.

The exit status is
   0  when the policy has no mistake, and all messages were looked at;
   1  when a message could not be looked at, because of this machine;
   2  for a mistake on the command line or in the policy.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			c.File = args[0]
			c.explain = true
			p, err := inspect.ReadPolicy(args[0])
			if err != nil {
				return exit.Mistake(err)
			}
			for _, note := range notes(p) {
				if _, err := fmt.Fprintln(cmd.OutOrStdout(), note); err != nil {
					return err
				}
			}
			for _, path := range args[1:] {
				if len(args) > 2 {
					if _, err := fmt.Fprintf(cmd.OutOrStdout(), "%s:\n", show.Line(path)); err != nil {
						return err
					}
				}
				err := c.run(cmd, []string{path})
				if e, ok := errors.AsType[*exit.Error](err); err != nil && (!ok || e.Status < StatusFound) {
					return err
				}
			}
			return nil
		},
	}
	c.addFlags(test)
	test.Flags().MarkHidden("policy")
	test.Flags().MarkHidden("explain")
	cmd.AddCommand(test, &cobra.Command{
		Use:   "sets",
		Short: "Show the named sets of extensions that a policy may name",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var b strings.Builder
			all := inspect.Sets()
			for _, name := range slices.Sorted(maps.Keys(all)) {
				fmt.Fprintf(&b, "%s = %s\n", name, strings.Join(all[name], " "))
			}
			_, err := io.WriteString(cmd.OutOrStdout(), b.String())
			return err
		},
	})
	return cmd
}

// notes returns facts that a reader of a policy may not expect: which rules match where a fact is not
// known, and which facts a front end cannot know.
func notes(p *inspect.Policy) (list []string) {
	for _, r := range p.Rules {
		if fields := r.Exceptions(); len(fields) > 0 {
			list = append(list, fmt.Sprintf("rule %s exempts nobody of whom it is not known: %s", r.Name, strings.Join(fields, ", ")))
		}
	}
	for _, fact := range lmtpfront.Unknown {
		if rules := p.Uses(fact); len(rules) > 0 {
			list = append(list, fmt.Sprintf("by LMTP it is not known: %s, for the rules %s", fact, strings.Join(rules, ", ")))
		}
	}
	return list
}

// oneMessage returns the message that the arguments name: a file, or standard input for
// "-" and for no argument. release must be called after its last use.
func oneMessage(ctx context.Context, in io.Reader, args []string) (text *io.SectionReader, release func(), err error) {
	path := "-.eml" // one message, whatever its lines are
	if len(args) > 0 && args[0] != "-" {
		path = args[0]
		if _, _, ok := mailbox.CutZip(path); ok || mailbox.IsZip(path) {
			return oneOfZip(ctx, path)
		}
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			return nil, nil, exit.Mistake(fmt.Errorf("%s is a folder: give the file of one message", path))
		}
		f, err := source.Open(ctx, path)
		if err != nil {
			return nil, nil, err
		}
		defer func() {
			if err != nil {
				f.Close()
				return
			}
			held := release
			release = func() { held(); f.Close() }
		}()
		in = f
	}
	text, release, err = source.Hold(ctx, in)
	if err != nil {
		return nil, nil, err
	}
	err = isOne(path, text)
	if err != nil {
		release()
	}
	return text, release, err
}

// oneOfZip returns the one message in a zip archive, or the one in a file of it.
func oneOfZip(ctx context.Context, path string) (text *io.SectionReader, release func(), err error) {
	files := new(source.Files)
	var one *source.Found
	defer func() {
		if err != nil && one != nil {
			one.Close()
		}
	}()
	for f, err := range source.Messages(ctx, record.Paths([]string{path}), files, nil) {
		if err != nil {
			f.Close()
			return nil, nil, fmt.Errorf("%s: %w", f.Path, err)
		}
		if one != nil {
			f.Close()
			return nil, nil, exit.Mistake(fmt.Errorf("%s has several messages: give one, such as %s", path, one.Path))
		}
		one = f
	}
	if one == nil {
		return nil, nil, exit.Mistake(fmt.Errorf("%s has no message", path))
	}
	return one.Reader(), func() { one.Close() }, nil
}

// isOne returns an error if a text is a mailbox of several messages, or one that cannot be read.
func isOne(path string, text *io.SectionReader) error {
	n := 0
	for _, err := range mailbox.Read(path, text, text.Size()) {
		if n++; errors.Is(err, mailbox.ErrCR) {
			return err
		}
		if n > 1 {
			return exit.Mistake(fmt.Errorf("%s is a mailbox of several messages: give the file of one message", path))
		}
	}
	return nil
}
