package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli"
)

// An app is the standard files of a command that is not below internal/cli yet.
type app struct {
	in       io.Reader
	out, err io.Writer
}

// moving returns the commands that are not below internal/cli yet.
func moving() []cli.Builder {
	files := func(build func(*app) *cobra.Command) func() *cobra.Command {
		return func() *cobra.Command {
			a := new(app)
			cmd := build(a)
			before := cmd.PersistentPreRun
			cmd.PersistentPreRun = func(cmd *cobra.Command, args []string) {
				if before != nil {
					before(cmd, args)
				}
				a.in, a.out, a.err = cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr()
			}
			return cmd
		}
	}
	return []cli.Builder{
		{Name: "check", Build: files((*app).checkCommand)},
		{Name: "serve", Build: files((*app).serveCommand)},
	}
}

func running(f func(*cobra.Command, []string) error) func(*cobra.Command, []string) error { return f }
