// Package normalize has the command that adds standard references to messages.
package normalize

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/rewriting"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/rewrite"
)

type flags struct {
	rewriting.Flags
	options rewrite.NormalizeOptions
}

// Command returns the command.
func Command() *cobra.Command {
	var n flags
	cmd := &cobra.Command{
		Use:   "normalize [PATH]",
		Short: "Add a standard reference for each one that has another form",
		Long: `Add a message/external-body part for each reference that a message has in one of
the forms of today's mail programs. Then a program that knows only the standard sees
it. Nothing else is changed, and nobody is contacted.

` + rewriting.PathHelp + `
A message that is signed or encrypted as a whole stays as it is.

The exit status is
   0  when the message was written;
   1  when a message or mailbox of a PATH was not written;
   2  for a mistake on the command line;
  75  when a filter did not write the whole message: throw the output away, and try
      again.`,
		Args: cobra.MaximumNArgs(1),
		RunE: n.run,
	}
	f := cmd.Flags()
	n.Flags.Add(f)
	f.MarkHidden("tempfail") // nothing is fetched
	n.Reading.Flags(f)
	n.AddTimeout(f)
	f.StringVar(&n.options.Domain, "domain", "", "the domain of new Content-IDs")
	return cmd
}

// run rewrites a message or mailbox.
func (n *flags) run(cmd *cobra.Command, args []string) error {
	o := n.options
	o.At = n.At()
	o.Nested = n.Nested
	w := rewriting.New(cmd, &n.Flags)
	w.Concerns = func(ref *externalbody.Reference) bool { return ref.Dialect != "" }
	w.Rewrite = func(ctx context.Context, dst io.Writer, msg *externalbody.Message) (*rewrite.Report, error) {
		return rewrite.Normalize(ctx, dst, msg, &o)
	}
	w.Records = w.Normalized
	return w.Do(cmd.Context(), args)
}
