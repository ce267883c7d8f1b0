package main

import (
	"github.com/spf13/cobra"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/list"
)

func (a *app) listCommand() *cobra.Command {
	var l list.Flags
	cmd := &cobra.Command{
		Use:   "list [PATH...]",
		Short: "List what messages refer to; no network",
		Long: `List each reference of each message. Of all hosts, only the IMAP servers that a
PATH names are contacted.

URLs are shown without user names, passwords, query values and fragments, and
data: URLs without their data. --exact-urls shows them as they are, apart from
data: URLs of more than 64 KiB.`,
		RunE: running(func(cmd *cobra.Command, args []string) error {
			run := &list.Run{In: a.in, Out: a.out, Err: a.err, Flags: &l}
			return run.Do(cmd.Context(), args)
		}),
	}
	l.Add(cmd.Flags())
	return cmd
}
