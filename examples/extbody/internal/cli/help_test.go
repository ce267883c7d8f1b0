package cli

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Each example is of a command that there is, with flags that it has. Each command below the
// root has one.
func TestExamples(t *testing.T) {
	left := maps.Clone(examples)
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		text := Example(cmd)
		delete(left, strings.TrimPrefix(strings.TrimPrefix(cmd.CommandPath(), "extbody"), " "))
		if text == "" && cmd.Parent() == cmd.Root() && !cmd.Hidden && cmd.Name() != "help" && cmd.Name() != "completion" {
			t.Errorf("%s: got no example, want one", cmd.CommandPath())
		}
		for line := range strings.FieldsFuncSeq(text, func(c rune) bool { return c == '\n' }) {
			words := strings.FieldsFunc(strings.NewReplacer("\"", "", "<", " ", ">", " ").Replace(line), func(c rune) bool { return c == ' ' })
			if words[0] != "extbody" {
				t.Errorf("got the example %q, want one of extbody", line)
			}
			to, rest, err := Root(words[1:]).Find(words[1:])
			if err != nil || to.HasAvailableSubCommands() {
				t.Errorf("%s: got %v and %s, want a command that runs", line, err, to.CommandPath())
				continue
			}
			to.InitDefaultHelpFlag()
			if err := to.ParseFlags(rest); err != nil {
				t.Errorf("%s: got %v, want flags that there are", line, err)
			}
		}
		for _, c := range cmd.Commands() {
			visit(c)
		}
	}
	visit(Root(nil))
	if len(left) > 0 {
		t.Errorf("got examples of the commands %q, want them of commands that there are", slices.Sorted(maps.Keys(left)))
	}
}

// The names in sections are those of commands and flags, each once.
func TestSections(t *testing.T) {
	there := make(map[string]bool)
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		there[cmd.Name()] = true
		cmd.Flags().VisitAll(func(f *pflag.Flag) { there["--"+f.Name] = true })
		for _, c := range cmd.Commands() {
			visit(c)
		}
	}
	visit(Root(nil))
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

// Help keeps to COLUMNS where it is not on a terminal, apart from words that are longer and from
// lines that begin with a blank.
func TestHelpColumns(t *testing.T) {
	t.Setenv("COLUMNS", "70")
	var out bytes.Buffer
	if status := Run(t.Context(), []string{"--help"}, strings.NewReader(""), &out, &out); status != 0 {
		t.Fatalf("got status %d, want 0", status)
	}
	for line := range strings.Lines(out.String()) {
		if len(strings.TrimSuffix(line, "\n")) > 70 && !strings.HasPrefix(line, " ") {
			t.Errorf("got %q, want at most 70 columns", line)
		}
	}
}
