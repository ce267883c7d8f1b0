package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/urlaccess"
)

func (a *app) urlCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "url",
		Short: "Encode and decode the URL parameter of RFC 2017",
		Args:  noCommand,
		RunE:  needCommand,
	}
	cmd.AddCommand(
		&cobra.Command{
			Use:   "encode [VALUE]",
			Short: "Write a URL as the value of a URL parameter",
			Long: `Write a URL as the value of a URL parameter: words of at most 40 characters.
The header may be folded between any two of them. The quotes around the value
are not written.`,
			Args: cobra.MaximumNArgs(1),
			RunE: running(func(_ *cobra.Command, args []string) error {
				value, err := a.value(args)
				if err != nil {
					return err
				}
				_, err = fmt.Fprintln(a.out, urlaccess.Encode(value))
				return err
			}),
		},
		&cobra.Command{
			Use:   "decode [VALUE]",
			Short: "Write the URL that the value of a URL parameter stands for",
			Long: `Write the URL that the value of a URL parameter stands for. The value is what
stands between the quotes, and may be folded.`,
			Args: cobra.MaximumNArgs(1),
			RunE: running(func(_ *cobra.Command, args []string) error {
				value, err := a.value(args)
				if err != nil {
					return err
				}
				text, err := urlaccess.Decode(value)
				if err != nil {
					return err
				}
				_, err = fmt.Fprintln(a.out, text)
				return err
			}),
		},
	)
	return cmd
}

// maxValue bounds what is read as a value from standard input.
const maxValue = 256 << 20

// value returns the argument, or what standard input has up to the line end at
// its end.
func (a *app) value(args []string) (string, error) {
	if len(args) > 0 && args[0] != "-" {
		return args[0], nil
	}
	b, err := io.ReadAll(io.LimitReader(a.in, maxValue+1))
	if err != nil {
		return "", err
	}
	if len(b) > maxValue {
		return "", fmt.Errorf("standard input has more than %s", show.Octets(maxValue))
	}
	return strings.TrimSuffix(strings.TrimSuffix(string(b), "\n"), "\r"), nil
}

// noCommand and needCommand are for commands that only have commands.
func noCommand(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("unknown command %q for %s", args[0], cmd.CommandPath())
	}
	return nil
}

func needCommand(cmd *cobra.Command, _ []string) error {
	return exit.Mistake(fmt.Errorf("%s: want a command", cmd.CommandPath()))
}
