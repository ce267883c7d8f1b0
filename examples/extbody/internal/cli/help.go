package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/about"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/terminal"
)

// A section is a heading of help, and the names of the commands or flags below it.
type section struct{ title, names string }

// commandSections are the sections of the commands below the root. Other commands come last.
var commandSections = []section{
	{"Read mail", "list open native get inline"},
	{"Keep it", "archive externalize normalize"},
	{"For servers and agents", "check policy serve mcp fetcher fleet"},
	{"Single values", "new url data hosts accounts"},
}

// flagSections are the sections of the flags of a command that has many. Other flags come
// last.
var flagSections = []section{
	{"What", "message ref name dialects profile strict alternatives retry skip-done kind host hosts all all-matches min-size at nested " +
		"resolve accounts"},
	{"Where", "output stdout in-place names link watch cache offline to store base-url archive-objects no-open"},
	{"Network", "yes ask policy dry-run allow-net deny-net allow-port allow-scheme guessed-hosts share-host share-hosts " +
		"accept-type accept-size proxy trust-proxy user-agent mail-from sendmail local-root"},
	{"Login", "netrc password-command credentials-command login-host account allow-plaintext"},
	{"Limits", "max-bytes max-run-bytes max-message timeout until jobs min-free rate give-up"},
	{"Records", "json exact-urls verbose quiet no-progress ordered report digest trace tsa"},
	{"Fleet", "fleet objects"},
}

// firstFlags are, by the path of a command that has many flags, those that a reader of mail needs first.
// The others are shown with "--help all".
var firstFlags = map[string]string{
	"open":   "yes output no-open name ref dialects guessed-hosts share-host max-bytes allow-net",
	"get":    "output dry-run ask stdout name ref message dialects json max-bytes",
	"inline": "dialects yes output in-place watch name dry-run sealed max-message at",
}

// allFlags is the word after --help that shows all flags.
const allFlags = "all"

// manyFlags is how many flags a command has that are shown in sections.
const manyFlags = 12

// examples are shown in the help of each command, by its path below the root. An example has
// lines of at most 67 columns, as a manual page has them; one that goes on ends with a backslash.
var examples = map[string]string{
	"":            "extbody list mail.eml\nextbody open mail.eml\nextbody inline --dialects all <mail.eml >whole.eml",
	"list":        "extbody list mail.eml\nextbody list --json ~/Maildir\nextbody list imaps://me@mail.example/INBOX",
	"open":        "extbody open <mail.eml\nextbody open mail.eml 2\nextbody open mail.eml --name \"*.pdf\" --yes cloud.example",
	"get":         "extbody get --dry-run mail.eml\nextbody get -o attachments mail.eml\nextbody get --ref 2 --stdout mail.eml >report.pdf",
	"inline":      "extbody inline --dialects all <mail.eml >whole.eml\nextbody inline --watch ~/Maildir --dialects all \\\n    --yes cloud.example",
	"externalize": "extbody externalize --min-size 1MB --store www \\\n    --base-url https://files.example/ mail.eml -o small.eml",
	"normalize":   "extbody normalize <mail.eml >standard.eml",
	"new": "extbody new --url https://files.example/report.pdf \\\n    --type application/pdf\n" +
		"extbody new --access anon-ftp --site ftp.a.example --name b.png \\\n    --type image/png",

	"url":         "extbody url encode https://files.example/a",
	"url encode":  "extbody url encode https://files.example/a",
	"url decode":  "extbody url decode \"https://files.example/a\"",
	"url unwrap":  "extbody url unwrap https://www.google.com/url?q=https://a.example/",
	"data":        "extbody data encode <picture.png",
	"data encode": "extbody data encode <picture.png",
	"data decode": "extbody data decode data:,hello",
	"accounts":    "extbody accounts\nextbody accounts check work",

	"hosts": "extbody hosts\nextbody hosts https://cloud.example/s/abc",

	"check":       "extbody check --no-resolve mail.eml\nextbody check --policy policy.toml <mail.eml",
	"policy":      "extbody policy test policy.toml mail.eml",
	"policy test": "extbody policy test policy.toml mail.eml",
	"policy sets": "extbody policy sets",
	"serve":       "extbody serve --http 127.0.0.1:8025 --policy policy.toml \\\n    --cache cache",
	"mcp":         "extbody mcp --root ~/Maildir --output files",

	"archive":         "extbody archive sync ~/Maildir --to archive --resolve all\nextbody archive status archive",
	"archive sync":    "extbody archive sync ~/Maildir --to archive --resolve all",
	"archive status":  "extbody archive status archive",
	"archive due":     "extbody archive due archive --json",
	"archive retry":   "extbody archive retry archive host=cloud.example",
	"archive verify":  "extbody archive verify archive",
	"archive report":  "extbody archive report archive -o report.html",
	"archive index":   "extbody archive index archive --text",
	"archive search":  "extbody archive search archive from=ann@a.example since=2025 \\\n    until=2025 name=plan",
	"archive browse":  "extbody archive browse archive",
	"archive export":  "extbody archive export archive from=@a.example --as mbox \\\n    -o mail.mbox --inline",
	"archive copy":    "extbody archive copy archive /mnt/backup/archive",
	"archive restore": "extbody archive restore archive from=@a.example --to ~/Restored",
	"archive repair":  "extbody archive repair archive /mnt/backup/archive",
	"archive hold":    "extbody archive hold archive from=@a.example --reason \"case 12\"",
	"archive holds":   "extbody archive holds archive",
	"archive release": "extbody archive release archive from=@a.example \\\n    --reason \"case 12 is closed\"",
	"archive forget": "extbody archive forget archive \"message=<1@a.example>\" --dry-run\n" +
		"extbody archive forget archive \"message=<1@a.example>\" \\\n    --reason \"asked for\"",

	"fetcher":      "extbody fetcher " + aFleet,
	"fleet":        "extbody fleet init --fleet postgres://me@db.example/fleet\nextbody fleet status " + aFleet,
	"fleet init":   "extbody fleet init --fleet postgres://me@db.example/fleet",
	"fleet status": "extbody fleet status " + aFleet,
	"fleet tenant": "extbody fleet tenant --fleet postgres://me@db.example/fleet mx-a a",
	"fleet drain":  "extbody fleet drain " + aFleet + " two",
	"fleet who":    "extbody fleet who " + aFleet + " \\\n  2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
	"fleet forget": "extbody fleet forget " + aFleet + " \\\n    https://cloud.example/s/abc",

	"native":                "extbody native --install thunderbird\nextbody native --remove thunderbird",
	"config":                "extbody config\nextbody config --forget cloud.example",
	"demo":                  "extbody demo",
	"licenses":              "extbody licenses",
	"version":               "extbody version",
	"completion bash":       "extbody completion bash >/etc/bash_completion.d/extbody",
	"completion zsh":        "extbody completion zsh >~/.zfunc/_extbody",
	"completion fish":       "extbody completion fish \\\n    >~/.config/fish/completions/extbody.fish",
	"completion powershell": "extbody completion powershell >extbody.ps1",
}

// aFleet is the fleet of the examples.
const aFleet = "--fleet postgres://me@db.example/fleet \\\n    --objects s3://store.example/bodies"

// A helper shows help, in lines of width columns.
type helper struct {
	width   int
	folder  fs.FS // of the documents
	mistake error // a word where a command is wanted, beside --help
	all     bool  // of a command with first flags, all are shown
}

// setHelp makes a command, and those below it, show help as a helper does.
func setHelp(root *cobra.Command, folder fs.FS, out io.Writer) *helper {
	h := &helper{width: terminal.Columns(out), folder: folder}
	root.SetUsageFunc(h.usage)
	root.SetHelpFunc(h.help)
	return h
}

// help shows the help of a command. A word that is the name of no command, beside --help, is a
// mistake.
func (h *helper) help(cmd *cobra.Command, _ []string) {
	words := cmd.Flags().Args()
	h.all = len(words) == 1 && words[0] == allFlags && firstFlags[below(cmd)] != ""
	if cmd.HasSubCommands() && len(words) > 0 {
		h.mistake = needCommand(cmd, words)
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", show.Wrap(strings.TrimSpace(cmd.Long+cmdShort(cmd)), h.width))
	h.write(&b, cmd)
	io.WriteString(cmd.OutOrStdout(), b.String())
}

// cmdShort is the description of a command without a long one.
func cmdShort(cmd *cobra.Command) string {
	if cmd.Long == "" {
		return cmd.Short + "."
	}
	return ""
}

func (h *helper) usage(cmd *cobra.Command) error {
	var b strings.Builder
	h.write(&b, cmd)
	_, err := io.WriteString(cmd.OutOrStderr(), b.String())
	return err
}

// write writes how a command is called, examples, its commands and its flags.
func (h *helper) write(b *strings.Builder, cmd *cobra.Command) {
	b.WriteString("Usage:\n")
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(b, "  %s COMMAND [flags]\n", cmd.CommandPath())
	} else {
		fmt.Fprintf(b, "  %s\n", cmd.UseLine())
	}
	if text := Example(cmd); text != "" {
		b.WriteString("\nExamples:\n")
		for line := range strings.Lines(text) {
			b.WriteString("  " + line)
		}
		b.WriteString("\n")
	}
	h.commands(b, cmd)
	if documents := about.Documents(h.folder); !cmd.HasParent() && len(documents) > 0 {
		b.WriteString("\nDocuments, for \"extbody help\":\n")
		columns := 0
		for _, d := range documents {
			columns = max(columns, len(d.Name))
		}
		for _, d := range documents {
			h.entry(b, d.Name, columns, d.Title)
		}
	}
	h.flags(b, cmd)
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(b, "\n\"%s COMMAND --help\" has more about a command.\n", cmd.CommandPath())
	}
}

// Example returns examples of a command, a line each, or "".
func Example(cmd *cobra.Command) string {
	return examples[below(cmd)]
}

// below returns the path of a command below the root.
func below(cmd *cobra.Command) string {
	return strings.TrimPrefix(strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()), " ")
}

func (h *helper) commands(b *strings.Builder, cmd *cobra.Command) {
	if !cmd.HasAvailableSubCommands() {
		return
	}
	rest := slices.DeleteFunc(
		slices.Clone(cmd.Commands()), func(c *cobra.Command) bool { return !c.IsAvailableCommand() && c.Name() != "help" },
	)
	columns := 0
	for _, c := range rest {
		columns = max(columns, len(c.Name()))
	}
	writeAll := func(title string, list []*cobra.Command) {
		if len(list) == 0 {
			return
		}
		fmt.Fprintf(b, "\n%s:\n", title)
		for _, c := range list {
			h.entry(b, c.Name(), columns, c.Short)
		}
	}
	title := "Commands"
	if !cmd.HasParent() {
		for _, s := range commandSections {
			var list []*cobra.Command
			for name := range strings.FieldsSeq(s.names) {
				if i := slices.IndexFunc(rest, func(c *cobra.Command) bool { return c.Name() == name }); i >= 0 {
					list = append(list, rest[i])
					rest = slices.Delete(rest, i, i+1)
				}
			}
			writeAll(s.title, list)
		}
		title = "More commands"
	}
	writeAll(title, rest)
}

// entry writes a line of a list: a name in some columns, and a text beside it.
func (h *helper) entry(b *strings.Builder, name string, columns int, text string) {
	text = strings.ReplaceAll(show.Wrap(text, max(h.width-columns-4, 20)), "\n", "\n"+strings.Repeat(" ", columns+4))
	fmt.Fprintf(b, "  %-*s  %s\n", columns, name, text)
}

func (h *helper) flags(b *strings.Builder, cmd *cobra.Command) {
	if names := firstFlags[below(cmd)]; names != "" && !h.all {
		first := pflag.NewFlagSet("", pflag.ContinueOnError)
		first.SortFlags = false
		for name := range strings.FieldsSeq(names) {
			first.AddFlag(cmd.Flags().Lookup(name))
		}
		others := -len(strings.Fields(names))
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				others++
			}
		})
		fmt.Fprintf(
			b, "\nFlags:\n%s\n\"%s --help %s\" has %d more, by section.\n", first.FlagUsagesWrapped(h.width),
			cmd.CommandPath(), allFlags, others,
		)
		return
	}
	of := make(map[string]*pflag.FlagSet) // by the title of the section
	add := func(title string, f *pflag.Flag) {
		if of[title] == nil {
			of[title] = pflag.NewFlagSet("", pflag.ContinueOnError)
			of[title].SortFlags = false
		}
		of[title].AddFlag(f)
	}
	const other, only = "Other flags", "Flags"
	all := cmd.Flags()
	seen := 0
	all.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			seen++
		}
	})
	sectioned := make(map[string]bool)
	if seen >= manyFlags {
		for _, s := range flagSections {
			for name := range strings.FieldsSeq(s.names) {
				if f := all.Lookup(name); f != nil {
					add(s.title, f)
					sectioned[name] = true
				}
			}
		}
	}
	all.VisitAll(func(f *pflag.Flag) {
		switch {
		case sectioned[f.Name]:
		case seen >= manyFlags:
			add(other, f)
		default:
			add(only, f)
		}
	})
	titles := []string{only}
	for _, s := range flagSections {
		titles = append(titles, s.title)
	}
	for _, title := range append(titles, other) {
		if f := of[title]; f != nil && f.HasAvailableFlags() {
			fmt.Fprintf(b, "\n%s:\n%s", title, f.FlagUsagesWrapped(h.width))
		}
	}
}

// introduce describes the program and lists its commands, to a user who called it without a
// command. That is a mistake, and nothing is on standard output: a program that wants a filter
// would take it for the mail.
func introduce(cmd *cobra.Command) error {
	w := cmd.ErrOrStderr()
	h := &helper{width: terminal.Columns(w)}
	var b strings.Builder
	b.WriteString(show.Wrap(
		"extbody finds the files that mail points at and does not carry, gets them safely, and puts them where they belong.", h.width,
	))
	b.WriteString("\n\n")
	b.WriteString("Usage:\n  extbody COMMAND [flags]\n")
	h.commands(&b, cmd)
	b.WriteString("\n\"extbody COMMAND --help\" has more about a command, and \"extbody help\" about all.\n")
	if _, err := io.WriteString(w, b.String()); err != nil {
		return err
	}
	return exit.With(exit.Usage, nil)
}

// needCommand is the error of a command that only has commands.
func needCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		if !cmd.HasParent() {
			return introduce(cmd)
		}
		return exit.Mistake(fmt.Errorf("want a command: %s", strings.Join(names(cmd), ", ")))
	}
	return unknownCommand(cmd, args[0], nil)
}

// unknownCommand is the error of a word that is the name of no command below another, and of no
// document.
func unknownCommand(cmd *cobra.Command, word string, documents []about.Document) error {
	text := fmt.Sprintf("unknown command %q", word)
	if cmd.HasParent() {
		text += " for " + cmd.CommandPath()
	}
	list := names(cmd)
	for _, d := range documents {
		list = append(list, d.Name)
	}
	return exit.Mistake(errors.New(text + show.DidYouMean(word, list)))
}

// names returns the names of the commands below a command.
func names(cmd *cobra.Command) (list []string) {
	for _, c := range cmd.Commands() {
		if !c.Hidden {
			list = append(list, c.Name())
		}
	}
	return list
}
