package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/output"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/rewriting"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
)

// An app is one run of the program: its standard files.
type app struct {
	in       io.Reader
	out, err io.Writer
}

// run is the program: arguments without its name in, exit status out.
func run(ctx context.Context, args []string, in io.Reader, out, errw io.Writer) int {
	std := output.NewStandard(out)
	a := &app{in: in, out: std, err: errw}
	root := a.command()
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(std)
	root.SetErr(errw)
	err := root.ExecuteContext(ctx)
	if lost := std.Err(); err == nil && lost != nil {
		err = exit.With(exit.Failed, fmt.Errorf("not everything was written: %w", lost))
	}
	if err == nil {
		return exit.OK
	}
	e, ok := errors.AsType[*exit.Error](err)
	if !ok || e.Status == exit.Usage {
		fmt.Fprintf(errw, "extbody: %s\nRun \"extbody --help\" for usage.\n", show.Line(err.Error()))
		return exit.Usage
	}
	if e.Err != nil {
		fmt.Fprintln(errw, "extbody:", show.Line(e.Error()))
	}
	return e.Status
}

// running gives the error of a command a status, if it has none.
func running(f func(cmd *cobra.Command, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		err := f(cmd, args)
		if _, ok := errors.AsType[*exit.Error](err); ok || err == nil {
			return err
		}
		return exit.With(exit.Failed, err)
	}
}

func (a *app) command() *cobra.Command {
	root := &cobra.Command{
		Use:   "extbody",
		Short: "Find, get and verify what mail refers to",
		Long: `extbody finds the message/external-body parts of mail, says what they refer to,
gets it safely, and saves what it could verify.

A PATH is a message, an mbox or MMDF file, a Maildir, a folder of any of these,
or "-" for standard input, which is also read without a PATH. list and get take
a mailbox of an IMAP server as well: imaps://user@host/Mailbox, all mailboxes of the
server: imaps://user@host/, or a message as it is printed.

The forms that today's mail programs write instead of message/external-body parts are
read too, such as links to files in a cloud: see --dialects.

The exit status is
   0  when every reference was resolved, is gone for good, or will arrive later;
   3  when everything was done, and some references failed for reasons of their own;
   1  when something was not done, because of this machine, a mailbox that cannot
      be read, or an interruption;
   2  for a mistake on the command line;
  75  when a filter should be tried again.

OUTPUT.md has the statuses of each command, and the keys of JSON.`,
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return exit.Mistake(fmt.Errorf("unknown command %q", args[0]))
			}
			return exit.Mistake(errors.New("want a command"))
		},
	}
	root.AddCommand(a.listCommand(), a.getCommand(), a.inlineCommand(), a.externalizeCommand(), a.normalizeCommand(), a.newCommand(), a.urlCommand(), a.dataCommand(), a.archiveCommand(), a.checkCommand(), a.serveCommand(), a.demoCommand())
	return root
}

// rewriter returns a rewriter with the standard files of the program.
func (a *app) rewriter(flags *rewriting.Flags) *rewriting.Run {
	return &rewriting.Run{In: a.in, Out: a.out, Err: a.err, Flags: flags}
}
