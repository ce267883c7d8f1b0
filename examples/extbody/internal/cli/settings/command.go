package settings

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/flagvalue"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
)

// Command returns the command config. root is as for [Settings.Load].
func Command(root func() *cobra.Command) *cobra.Command {
	var forget flagvalue.Hosts
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Show the settings, and from where each is",
		Long: `Print the defaults of flags that hold, and the hosts that are agreed to, each with the
line of the file or the variable from which it is.

The file is config.toml, in the folder extbody of the folder for settings:
~/.config, $XDG_CONFIG_HOME, ~/Library/Application Support or %AppData%. It has flags
by their names, for all commands and for one, and a path starts with / or ~/:

   jobs = 4
   [open]
   output = "~/Mail/files"
   [archive.sync]
   allow-net = ["10.0.0.0/8"]
   [agreed]
   "cloud.example" = 2030-01-31

The variables EXTBODY_JOBS and EXTBODY_OPEN_JOBS stand for jobs, and for jobs of open. They
count before the file, and the command line before both. What adds trust, such as
--allow-net and --yes, comes from the file alone, and the file counts if nobody but you may
write it. A host of [agreed] is exactly that host, for open and for get with --ask
alone, and holds for encrypted ways; "http://cloud.example" holds for http too. Answering
a question of these with "always" adds it.

No settings are read by a filter, check, policy, serve, mcp and fetcher, and by others
with --no-config. Secrets are refused.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var s Settings
			if err := s.Load(Path(), os.Environ(), root); err != nil {
				return err
			}
			if len(forget) > 0 {
				return s.Forget(forget)
			}
			return s.print(cmd)
		},
	}
	cmd.Flags().Var(&forget, "forget", "ask about the agreed `HOST` again (repeatable)")
	return cmd
}

// print writes the settings of the file by their lines, and then the environment.
func (s *Settings) print(cmd *cobra.Command) error {
	row := func(where string, set setting) []string {
		command := set.command
		if command == "" {
			command = "all commands"
		}
		return []string{where, command, show.Line("--" + set.flag + " " + strings.Join(set.values, ", "))}
	}
	line := func(from origin) string { return "  line " + strconv.Itoa(from.line) }
	var file, environment [][]string
	for _, set := range s.settings {
		file = append(file, row(line(set.from), set))
	}
	for _, a := range s.agreed {
		text := "agreed to " + show.Line(a.shown())
		if a.since != "" {
			text += " since " + a.since
		}
		file = append(file, []string{line(a.from), "open, get --ask", text})
	}
	for _, a := range s.accounts {
		file = append(file, []string{
			line(a.from), "open, get, archive", "the account " + show.Line(a.Name) + " at " + show.Line(strings.Join(a.Hosts, ", ")),
		})
	}
	for _, set := range s.variables {
		environment = append(environment, row("  "+set.from.variable, set))
	}
	lines := []string{"There are no settings. Their file would be " + show.Line(short(s.file)) + "."}
	if len(file)+len(environment) > 0 {
		lines = nil
	}
	if len(file) > 0 {
		lines = append(append(lines, show.Line(short(s.file))+":"), show.Table(file)...)
	}
	if len(environment) > 0 {
		lines = append(append(lines, "The environment:"), show.Table(environment)...)
	}
	for _, line := range lines {
		if _, err := fmt.Fprintln(cmd.OutOrStdout(), line); err != nil {
			return err
		}
	}
	return nil
}
