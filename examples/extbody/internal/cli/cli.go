// Package cli is the command line of the program: the commands, and the status with which
// the program ends. Each folder below it is a command or a part that commands share.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/about"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/accounts"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/archive"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/check"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/codec"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/demo"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/externalize"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/flagvalue"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/fleet"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/get"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/hosts"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/inline"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/list"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/mcp"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/native"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/newpart"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/normalize"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/open"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/output"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/serve"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/settings"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/terminal"
	"github.com/go-extbody/extbody/externalbody/dialect"
)

// A Builder makes a command. Commands are made only when they are called, or when their
// help is shown.
type Builder struct {
	Name  string
	Build func() *cobra.Command
}

// builders returns the builders of the commands, in the order of the help. The settings are read
// before a command runs that has them.
func builders(s *settings.Settings) []Builder {
	return []Builder{
		{"list", func() *cobra.Command { return list.Command(s) }},
		{"open", func() *cobra.Command { return open.Command(s) }},
		{"get", func() *cobra.Command { return get.Command(s) }},
		{"inline", inline.Command},
		{"externalize", externalize.Command},
		{"normalize", normalize.Command},
		{"new", newpart.Command},
		{"url", codec.URL},
		{"data", codec.Data},
		{"check", check.Command},
		{"policy", check.Policy},
		{"serve", serve.Command},
		{"mcp", mcp.Command},
		{"native", func() *cobra.Command { return native.Command(s) }},
		{"archive", func() *cobra.Command { return archive.Command(s) }},
		{"fetcher", fleet.Fetcher},
		{"fleet", fleet.Command},
		{"hosts", hosts.Command},
		{"accounts", accounts.Command},
		{"config", func() *cobra.Command { return settings.Command(all) }},
		{"demo", demo.Command},
		{"licenses", about.Licenses},
		{"version", func() *cobra.Command { return about.Version(version()) }},
		{"man", func() *cobra.Command { return about.Man(Example) }},
	}
}

// Main runs the program with the arguments and files of the process, and returns its exit
// status. The first signal ends the command, the second one ends the program at once.
func Main(documents fs.FS) int {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	// SIGHUP makes a server read its policy again.
	if len(os.Args) < 2 || os.Args[1] != "serve" {
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	context.AfterFunc(ctx, stop)
	return Run(ctx, documents, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
}

// Run runs the program with arguments, without the program's name, and returns its exit
// status. The command help shows the documents in a folder, which may be nil.
func Run(ctx context.Context, folder fs.FS, args []string, in io.Reader, out, errw io.Writer) int {
	std := output.NewStandard(out)
	root := Root(folder, args)
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(std)
	root.SetErr(errw)
	help := setHelp(root, folder, out)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		err = help.mistake
	}
	if lost := std.Err(); err == nil && lost != nil {
		err = exit.With(exit.Failed, fmt.Errorf("not everything was written: %w", lost))
	}
	if err == nil {
		return exit.OK
	}
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		var flags []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				flags = append(flags, "--"+f.Name)
			}
		})
		err = fmt.Errorf("%w%s%s", err, show.DidYouMean("--"+unknown.GetSpecifiedName(), flags), asFile(args))
	}
	e, ok := errors.AsType[*exit.Error](err)
	if !ok || e.Status == exit.Usage && e.Err != nil {
		fmt.Fprintf(errw, "extbody: %s\nRun \"%s --help\" for usage.\n", show.Lines(err.Error()), cmd.CommandPath())
		return exit.Usage
	}
	if e.Err != nil {
		for _, text := range texts(e.Err) {
			if cause := context.Cause(ctx); cause != nil && (text == cause.Error() || text == context.Canceled.Error()) {
				text = exit.ErrInterrupted.Error()
			}
			fmt.Fprintln(errw, "extbody:", show.Line(text))
		}
	}
	return e.Status
}

// asFile returns the words about a file whose name starts with a hyphen, if an argument names one.
func asFile(args []string) string {
	for _, arg := range args {
		if arg == "--" {
			break
		}
		if _, err := os.Lstat(arg); strings.HasPrefix(arg, "-") && err == nil {
			return fmt.Sprintf("; for the file of that name give -- before it, or ./%s", show.Line(arg))
		}
	}
	return ""
}

// texts returns the texts of the errors that errors.Join joined, each once.
func texts(err error) (list []string) {
	if joined, ok := err.(interface{ Unwrap() []error }); ok && strings.Contains(err.Error(), "\n") {
		for _, e := range joined.Unwrap() {
			for _, text := range texts(e) {
				if !slices.Contains(list, text) {
					list = append(list, text)
				}
			}
		}
		return list
	}
	return []string{err.Error()}
}

// Root returns the root command with the command that args call, or with all commands if
// args call none of them. The command help shows the documents in a folder, which may be nil.
func Root(folder fs.FS, args []string) *cobra.Command {
	s := new(settings.Settings)
	list := builders(s)
	root := &cobra.Command{
		Use:   "extbody",
		Short: "Find, get and verify what mail refers to",
		Long: `extbody finds the message/external-body parts of mail, says what they refer to,
gets it safely, and saves what it could verify.

A PATH is a message, an mbox or MMDF file, a Maildir, a folder of any of these,
or "-" for standard input, which is also read without a PATH. list and get take
a mailbox of an IMAP server as well: imaps://user@host/Mailbox, all mailboxes of the
server: imaps://user@host/, or a message as it is printed. Of a JMAP server they take
the account of the user: jmap://user@host/, a mailbox: jmap://user@host/Archive/2024,
another account: jmap://user@host/?account=NAME, or a message as it is printed.

The forms that today's mail programs write instead of message/external-body parts are
read too, such as links to files in a cloud: see --dialects.

The exit status is
   0  when every reference was resolved, is gone for good, or will arrive later;
   3  when everything was done, and some references failed for reasons of their own;
   1  when something was not done, because of this machine, a mailbox that cannot
      be read, or an interruption;
   2  for a mistake on the command line;
  75  when a filter should be tried again.

OUTPUT.md has the statuses of each command, and the keys of JSON. "extbody help output"
prints it.`,
		Version:       version(),
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          needCommand,
	}
	if len(args) > 0 {
		if i := slices.IndexFunc(list, func(b Builder) bool { return b.Name == args[0] }); i >= 0 && args[0] != "man" {
			list = list[i : i+1]
		}
	}
	for _, b := range list {
		root.AddCommand(b.Build())
	}
	root.SetHelpCommand(help(folder))
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	prepare(root, s)
	if len(args) > 0 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd) {
		plainUsage(root)
	}
	return root
}

// plainUsage takes the quotation marks of values out of the texts about flags, which completion shows as
// they are.
func plainUsage(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) { f.Usage = strings.ReplaceAll(f.Usage, "`", "") })
	for _, c := range cmd.Commands() {
		plainUsage(c)
	}
}

// version is the version of the program and of Go.
func version() string {
	return strings.TrimPrefix(record.Version(), "extbody ") + " " + runtime.Version()
}

func all() *cobra.Command { return Root(nil, nil) }

// prepare makes each error of a command that has no status one with [exit.Failed], and
// gives commands that only have commands their errors, and flags with a choice of words
// their completion. It makes commands read the settings before they run.
func prepare(cmd *cobra.Command, s *settings.Settings) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		var words []string
		if c, ok := f.Value.(*flagvalue.Choice); ok {
			words = c.Words()
		} else if f.Name == "dialects" {
			words = append([]string{"all", "none"}, dialect.Names()...)
		}
		if words != nil {
			cmd.RegisterFlagCompletionFunc(f.Name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
		}
	})
	if f := cmd.RunE; f != nil {
		settings.Flag(cmd)
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			if settings.Reads(cmd, args) {
				if err := s.Load(settings.Path(), os.Environ(), all); err != nil {
					return err
				}
				if err := s.Apply(cmd); err != nil {
					return err
				}
			}
			if len(args) == 0 && strings.Contains(cmd.Use, "[PATH") && !cmd.Flags().Changed("retry") && terminal.Is(cmd.InOrStdin()) {
				fmt.Fprintln(cmd.ErrOrStderr(), "extbody: without a PATH the message is read from this terminal")
			}
			err := f(cmd, args)
			if _, ok := errors.AsType[*exit.Error](err); ok || err == nil {
				return s.Explain(err)
			}
			return exit.With(exit.Failed, err)
		}
	} else {
		cmd.Args = cobra.ArbitraryArgs
		cmd.RunE = needCommand
	}
	for _, c := range cmd.Commands() {
		prepare(c, s)
	}
}

func help(folder fs.FS) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND|DOCUMENT]",
		Short: "Show the help of a command, or a document",
		Long: `Show the help of a command, or print a document about the program as plain text. A
document has the name that "extbody help" lists, or that of its file: OUTPUT.md.`,
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) (names []string, _ cobra.ShellCompDirective) {
			if len(args) == 0 {
				for _, b := range builders(nil) {
					names = append(names, b.Name)
				}
				for _, d := range about.Documents(folder) {
					names = append(names, d.Name)
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			documents := about.Documents(folder)
			if len(args) == 1 {
				if d, ok := about.Find(documents, args[0]); ok {
					_, err := io.WriteString(cmd.OutOrStdout(), d.Plain(terminal.Columns(cmd.OutOrStdout())))
					return err
				}
			}
			to, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return unknownCommand(cmd.Root(), args[0], documents)
			}
			to.InitDefaultHelpFlag()
			return to.Help()
		},
	}
}
