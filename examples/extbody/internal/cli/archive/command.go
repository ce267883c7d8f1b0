package archive

import (
	"github.com/spf13/cobra"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/settings"
)

// Command returns the command with its commands. The commands that resolve have the accounts of the settings.
func Command(s *settings.Settings) *cobra.Command {
	a := &files{settings: s}
	cmd := &cobra.Command{
		Use:   "archive",
		Short: "Keep the bodies that messages refer to, with proof",
		Long: `Keep what the references of mail refer to, each captured once, with the exchange
that brought it, or the reason why not and the time at which it is due again.

A run does what is due, and nothing else. DIR/README.txt says how to verify an
archive without this program.

The exit status is
   0  when everything is accounted for, and nothing new failed;
   3  when everything was done, and there are new exceptions, something was given up, a
      message is beyond a limit, or a capture that a server handed over is damaged;
   4  when a budget ended and more is due, or when the bucket of the objects is away;
   1  when something was not done, or objects of the archive are lost;
   2  when there is a mistake, such as credentials that the bucket refuses;
  75  when another run is writing to the archive.`,
		PersistentPreRun: func(cmd *cobra.Command, _ []string) {
			a.in = cmd.InOrStdin()
			a.out = cmd.OutOrStdout()
			a.err = cmd.ErrOrStderr()
		},
	}
	commands := []*cobra.Command{a.syncCommand(), a.retryCommand(), a.statusCommand(), a.dueCommand(), a.verifyCommand(),
		a.reportCommand(), a.searchCommand(), a.indexCommand(), a.browseCommand(), a.exportCommand(),
		a.restoreCommand(), a.copyCommand(), a.repairCommand(),
		a.holdCommand("hold", "Keep a selection from being forgotten"),
		a.holdCommand("release", "Let a selection be forgotten again"), a.holdsCommand(), a.forgetCommand()}
	for _, c := range commands {
		run := c.RunE
		c.RunE = func(cmd *cobra.Command, args []string) error { return status(run(cmd, args)) }
		cmd.AddCommand(c)
	}
	return cmd
}
