package get

import (
	"github.com/spf13/cobra"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/settings"
	"github.com/go-extbody/extbody/fetch"
)

// Command returns the command. With --ask, the hosts that the settings have are agreed to.
func Command(s *settings.Settings) *cobra.Command {
	var run Run
	cmd := &cobra.Command{
		Use:   "get [PATH...]",
		Short: "Resolve what messages refer to, and save it",
		Long: `Get the body of each reference of each message, verify it, and save it.

Files of one message have the names that the message, the server or the URL gives
them. A second file of a name with other octets gets a number: report-2.pdf. A file of
a mailbox is named by the beginning of the SHA-256 of its message, the id of its
reference, and an extension: 9f86d081884c7d65-1.2.png. That name is the same in every
run. With --names index it begins with the number of the message in its mailbox:
3-1.2.png. Nothing is overwritten, and no file gets its name before all of it has been
verified. With --link, bodies with the same octets are one file with several
names (hard links): editing one changes the others. A body that several messages
refer to is fetched once, unless it is large. --cache keeps large ones too, and all
of them for later runs.

The line about a body is written after the body is on the disk with its name. So
lines come in the order in which bodies come, unless --ordered is given, and after a
crash every line is true.

If the disk is full, or has less than --min-free, the run ends with status 1 after the
bodies that have begun. Without a terminal, a line a minute on standard error says how
far the run is.

A host is asked for two bodies at a time. If it asks for patience or does not answer,
its other bodies fail with the kind deferred, and "retry_at" in their records says when
to try again. --retry does that, from the records that --json wrote. --skip-done
continues a run that was interrupted. One message causes at most 200 requests and
10 GiB, and takes at most an hour.

Getting a body tells its server that, when and from where the message is read.
--dry-run shows what would be contacted, and contacts nobody. --ref, --name and
--message choose, so that no host is contacted for other files. --ask lists the files
on the terminal, also while the message comes from standard input, and asks once about
each host.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			run.In = cmd.InOrStdin()
			run.Out = cmd.OutOrStdout()
			run.Err = cmd.ErrOrStderr()
			run.Stdout = run.Stdout || run.Dir == "-"
			run.Agreed = s.Agreed(nil)
			run.Remember = s.Keeps()
			run.Policy.Accounts = s.Accounts()
			return run.Do(cmd.Context(), args)
		},
	}
	run.flags(cmd.Flags())
	var kinds []string
	for k := range fetch.Kinds() {
		kinds = append(kinds, k.String())
	}
	cmd.RegisterFlagCompletionFunc("kind", cobra.FixedCompletions(kinds, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}
