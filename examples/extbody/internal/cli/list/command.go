package list

import (
	"github.com/spf13/cobra"
)

// Command returns the command.
func Command() *cobra.Command {
	var l Flags
	cmd := &cobra.Command{
		Use:   "list [PATH...]",
		Short: "List what messages refer to; no network",
		Long: `List each reference of each message. Of all hosts, only the IMAP servers that a
PATH names are contacted.

URLs are shown without user names, passwords, query values and fragments, and
data: URLs without their data. --exact-urls shows them as they are, apart from
data: URLs of more than 64 KiB.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			run := &Run{In: cmd.InOrStdin(), Out: cmd.OutOrStdout(), Err: cmd.ErrOrStderr(), Flags: &l}
			return run.Do(cmd.Context(), args)
		},
	}
	l.Add(cmd.Flags())
	return cmd
}
