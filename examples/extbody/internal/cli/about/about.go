// Package about has the commands about the program itself: its manual page, and the
// licenses of the modules that it links.
package about

import (
	"cmp"
	_ "embed"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
)

//go:embed licenses.txt
var licenses string

// Licenses returns the command licenses.
func Licenses() *cobra.Command {
	return &cobra.Command{
		Use:   "licenses",
		Short: "Print the licenses of the program and of what it links",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := io.WriteString(cmd.OutOrStdout(), licenses)
			return err
		},
	}
}

// Version returns the command that prints the version.
func Version(version string) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of the program and of Go",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "extbody version %s\n", version)
			return err
		},
	}
}

// Man returns the command man, which prints the manual page of a command. example returns
// examples of a command, or "".
func Man(example func(*cobra.Command) string) *cobra.Command {
	return &cobra.Command{
		Use:    "man",
		Short:  "Print the manual page, for man -l",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var b strings.Builder
			b.WriteString(".TH EXTBODY 1\n")
			writeManual(&b, cmd.Root(), example)
			b.WriteString(manualEnd)
			_, err := io.WriteString(cmd.OutOrStdout(), b.String())
			return err
		},
	}
}

// writeManual writes the sections of a command and of those below it. The help stays as it
// is.
func writeManual(b *strings.Builder, c *cobra.Command, example func(*cobra.Command) string) {
	if c.Hidden || c.Name() == "help" || c.Name() == "completion" {
		return
	}
	if !c.HasParent() {
		fmt.Fprintf(b, ".SH NAME\nextbody \\- %s\n.SH SYNOPSIS\n.B extbody\nCOMMAND [flags] [PATH...]\n.SH DESCRIPTION\n", roff(c.Short))
	} else {
		fmt.Fprintf(b, ".SH %s\n.B %s\n.PP\n", roff(strings.ToUpper(c.CommandPath())), roff(c.UseLine()))
	}
	fmt.Fprintf(b, ".nf\n%s\n.fi\n", roff(show.Wrap(cmp.Or(c.Long, c.Short), manualWidth)))
	if text := example(c); text != "" {
		fmt.Fprintf(b, ".PP\nExamples:\n.PP\n.RS 4\n.nf\n%s\n.fi\n.RE\n", roff(text))
	}
	c.NonInheritedFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		name, usage := pflag.UnquoteUsage(f)
		text := "--" + f.Name
		if f.Shorthand != "" {
			text = "-" + f.Shorthand + ", " + text
		}
		if name != "" {
			text += " " + name
		}
		fmt.Fprintf(b, ".TP\n.B %s\n%s\n", roff(text), roff(usage))
	})
	for _, below := range c.Commands() {
		writeManual(b, below, example)
	}
}

// manualEnd are the last sections of the manual page.
const manualEnd = `.SH ENVIRONMENT
.TP
.B EXTBODY_FLAG, EXTBODY_COMMAND_FLAG
the default of a flag that adds no trust, for all commands or for one
.TP
.B XDG_CONFIG_HOME, XDG_DOWNLOAD_DIR
where the settings are, and where open saves files
.TP
.B TERM, COLUMNS, NO_COLOR
how a terminal is written to; with TERM=dumb there are no bars
.TP
.B DISPLAY, WAYLAND_DISPLAY
whether a desktop shows files
.TP
.B TMPDIR
where bodies wait until all of them was verified
.SH FILES
.TP
.B ~/.config/extbody/config.toml
settings, and the hosts that are agreed to; see extbody config \-\-help
.TP
.B ~/.mailcap, /etc/mailcap
the programs that show files without a desktop
.TP
.B ~/.config/user\-dirs.dirs
the folder for downloads
`

// manualWidth is how many columns a text has beside the margin of a manual page, at a terminal
// of 80 columns.
const manualWidth = 71

// roff returns s as text of a manual page.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(s)
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, ".") || strings.HasPrefix(l, "'") {
			lines[i] = `\&` + l
		}
	}
	return strings.Join(lines, "\n")
}
