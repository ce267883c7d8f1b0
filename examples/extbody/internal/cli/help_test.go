package cli

import (
	"bytes"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/about"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/internal/wording"
)

// Each example is of a command that there is, with flags and as many arguments as it takes. Each
// command has one.
func TestExamples(t *testing.T) {
	left := maps.Clone(examples)
	everyCommand(func(cmd *cobra.Command) {
		text := Example(cmd)
		delete(left, strings.TrimPrefix(strings.TrimPrefix(cmd.CommandPath(), "extbody"), " "))
		if text == "" && !cmd.Hidden && cmd.Name() != "help" && cmd.Name() != "completion" {
			t.Errorf("%s: got no example, want one", cmd.CommandPath())
		}
		for line := range strings.SplitSeq(text, "\n") {
			if len(line) > 67 {
				t.Errorf("%s: got the example %q, want at most 67 columns", cmd.CommandPath(), line)
			}
		}
		for line := range strings.SplitSeq(strings.ReplaceAll(text, "\\\n", ""), "\n") {
			if line == "" {
				continue
			}
			words := shellWords(line)
			if words[0] != "extbody" {
				t.Errorf("got the example %q, want one of extbody", line)
			}
			to, rest, err := Root(nil, words[1:]).Find(words[1:])
			if err != nil || to.HasAvailableSubCommands() {
				t.Errorf("%s: got %v and %s, want a command that runs", line, err, to.CommandPath())
				continue
			}
			to.InitDefaultHelpFlag()
			if err := to.ParseFlags(rest); err != nil {
				t.Errorf("%s: got %v, want flags that there are", line, err)
			} else if err := to.ValidateArgs(to.Flags().Args()); err != nil {
				t.Errorf("%s: got %v, want arguments that the command takes", line, err)
			}
		}
	})
	if len(left) > 0 {
		t.Errorf("got examples of the commands %q, want them of commands that there are", slices.Sorted(maps.Keys(left)))
	}
}

// everyCommand calls a function with each command.
func everyCommand(do func(*cobra.Command)) {
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		do(cmd)
		for _, c := range cmd.Commands() {
			visit(c)
		}
	}
	visit(Root(nil, nil))
}

// shellWords returns the words of a command line, without redirections.
func shellWords(line string) (words []string) {
	for i, part := range strings.Split(line, "\"") {
		if i%2 == 1 {
			words[len(words)-1] += part
			continue
		}
		for word := range strings.FieldsSeq(part) {
			if word[0] != '<' && word[0] != '>' {
				words = append(words, word)
			}
		}
		if strings.HasSuffix(part, " ") {
			words = append(words, "")
		}
	}
	return slices.DeleteFunc(words, func(word string) bool { return word == "" })
}

// The names in sections are names of commands and flags, each once.
func TestSections(t *testing.T) {
	there := make(map[string]bool)
	everyCommand(func(cmd *cobra.Command) {
		there[cmd.Name()] = true
		cmd.Flags().VisitAll(func(f *pflag.Flag) { there["--"+f.Name] = true })
	})
	for prefix, list := range map[string][]section{"": commandSections, "--": flagSections} {
		seen := make(map[string]bool)
		for _, s := range list {
			for name := range strings.FieldsSeq(s.names) {
				if seen[name] || !there[prefix+name] {
					t.Errorf("got %s%s in %s, want what there is, once", prefix, name, s.title)
				}
				seen[name] = true
			}
		}
	}
}

// Help keeps to 80 columns, and to COLUMNS where it is not on a terminal.
func TestHelpColumns(t *testing.T) {
	for _, columns := range []int{80, 120} {
		t.Setenv("COLUMNS", strconv.Itoa(columns))
		everyCommand(func(cmd *cobra.Command) {
			var out bytes.Buffer
			args := append(strings.Fields(cmd.CommandPath())[1:], "--help")
			if status := Run(t.Context(), os.DirFS("../.."), args, strings.NewReader(""), &out, &out); status != 0 {
				t.Fatalf("%s: got status %d, want 0", args, status)
			}
			for line := range strings.Lines(out.String()) {
				if wording.Columns(strings.TrimSuffix(line, "\n")) > columns {
					t.Errorf("%s: got %q, want at most %d columns", args, line, columns)
				}
			}
		})
	}
}

// Each document that a help text or the manual names is one that help prints.
func TestHelpDocuments(t *testing.T) {
	folder := os.DirFS("../..")
	run := func(args ...string) (int, string) {
		var out bytes.Buffer
		status := Run(t.Context(), folder, args, strings.NewReader(""), &out, &out)
		return status, out.String()
	}
	named := make(map[string]string) // where, by the arguments of help
	look := func(args ...string) {
		_, text := run(args...)
		for _, name := range regexp.MustCompile(`\b[A-Za-z-]+\.md\b|"extbody help [^"]+"`).FindAllString(text, -1) {
			named[strings.TrimPrefix(strings.Trim(name, "\""), "extbody help ")] = strings.Join(args, " ")
		}
	}
	everyCommand(func(cmd *cobra.Command) { look(append(strings.Fields(cmd.CommandPath())[1:], "--help")...) })
	look("man")
	if len(named) < 4 {
		t.Errorf("got %v, want the documents that help names", named)
	}
	for _, d := range about.Documents(folder) {
		named[d.Name] = "the list"
	}
	for name, where := range named {
		status, text := run(append([]string{"help"}, strings.Fields(name)...)...)
		if status != 0 || !strings.Contains(text, "\n====") {
			t.Errorf("%s: got status %d, %.60q for %s, want a document", where, status, text, name)
		}
	}
	if status, text := run("help", "outptu"); status != exit.Usage || !strings.Contains(text, "did you mean output?") {
		t.Errorf("got status %d, %q, want a suggestion", status, text)
	}
}

// The help of open, get and inline fits on two screens with the flags that a reader of mail needs first. "--help all" has each flag.
func TestFirstFlags(t *testing.T) {
	for command, names := range firstFlags {
		if n := len(strings.Fields(names)); n != 10 {
			t.Errorf("%s: got %d flags, want 10", command, n)
		}
		short := written(t, []string{command, "--help"})
		long := written(t, []string{command, "--help", allFlags})
		if n := strings.Count(short, "\n"); n > 100 || n >= strings.Count(long, "\n") {
			t.Errorf("%s: got %d lines, want fewer", command, n)
		}
		if !strings.Contains(short, `--help all" has `) || strings.Contains(short, "--netrc") || !strings.Contains(long, "--netrc") {
			t.Errorf("%s: got %s, want the first flags and how to see the others", command, short)
		}
		for name := range strings.FieldsSeq(names) {
			if !strings.Contains(short, "--"+name) {
				t.Errorf("%s: got no --%s, want it", command, name)
			}
		}
	}
}

// Small things that people try: the version, a file that looks like a flag, completion, and the manual.
func TestTried(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("-x.eml", []byte("Subject: x\n\nx\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args        []string
		want, never string
	}{
		{[]string{"version"}, "extbody version ", ""},
		{[]string{"list", "-x.eml"}, "; for the file of that name give -- before it, or ./-x.eml", ""},
		{[]string{"list", "-y.eml"}, "unknown shorthand flag", "for the file"},
		{[]string{"list", "--", "-x.eml"}, "0 references in 1 message", ""},
		{[]string{cobra.ShellCompRequestCmd, "get", "--out"}, "--output\tsave in DIR", "`"},
		{[]string{"man"}, ".SH SYNOPSIS\n", ""},
		{[]string{"man"}, ".SH ENVIRONMENT\n", ""},
		{[]string{"man"}, ".SH FILES\n", ""},
	} {
		if got := written(t, tt.args); !strings.Contains(got, tt.want) || tt.never != "" && strings.Contains(got, tt.never) {
			t.Errorf("%q: got %.400q, want %q in it, and not %q", tt.args, got, tt.want, tt.never)
		}
	}
}
