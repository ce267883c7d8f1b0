package archive

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	core "github.com/go-extbody/extbody/examples/extbody/internal/archive"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/internal/file/atomicfile"
)

func (a *files) reportCommand() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "report DIR",
		Short: "Write a page about captures, changes, losses and due references",
		Long: `Write one page of HTML that needs nothing else, and beside it a table as CSV, with
a line for each reference. URLs are exact.`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return reading(args[0], func(ar *core.Archive) error {
				if err := atomicfile.ReplaceFile(out, ar.WriteReport); err != nil {
					return err
				}
				table := out[:len(out)-len(filepath.Ext(out))] + ".csv"
				err := atomicfile.ReplaceFile(table, func(w io.Writer) error {
					_, err := ar.WriteCSV(w)
					return err
				})
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(a.out, "%s\n%s\n", out, table)
				return err
			})
		},
	}
	cmd.Flags().StringVarP(&out, "output", "o", "report.html", "write the page to `FILE`, and the table beside it")
	return cmd
}

func (a *files) exportCommand() *cobra.Command {
	var out string
	o := new(core.ExportOptions)
	cmd := &cobra.Command{
		Use:   "export DIR [SELECTOR...] --as FORM -o OUT",
		Short: "Write the content of an archive, or a selection, in a common form",
		Long: `Write the content of an archive, or the selected references and their messages.

The form load is a folder for review platforms: load.dat (Concordance) and load.xml
(EDRM XML) list the messages and bodies, whose octets are in its folder natives.` + selectors,
		Args: cobra.MinimumNArgs(1),
		RunE: selecting(func(cmd *cobra.Command, dir string, sel *core.Selector) error {
			if out == "" || o.As == "" {
				return exit.Mistake(errors.New("archive export needs --as and -o"))
			}
			o.Selector = sel
			return reading(dir, func(ar *core.Archive) error {
				n, err := ar.Export(cmd.Context(), out, o)
				if err == nil {
					_, err = fmt.Fprintf(a.out, "%s: %d\n", out, n)
				}
				return err
			})
		}),
	}
	f := cmd.Flags()
	f.StringVar(&o.As, "as", "", "csv, eml, load, maildir, mbox, warc or wacz")
	f.BoolVar(&o.Inline, "inline", false, "put captured bodies into the messages")
	f.StringVarP(&out, "output", "o", "", "write to `OUT`, which must not exist")
	return cmd
}

func (a *files) copyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "copy DIR TO",
		Short: "Make a copy of an archive, or bring one up to date",
		Long: `Make a copy of an archive in the folder TO, or add to a copy what is new, and remove
from it what was forgotten since. Every digest is compared. A run may be under way in DIR.`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return reading(args[0], func(ar *core.Archive) error {
				m, err := ar.Copy(cmd.Context(), args[1])
				return a.mended(m, err)
			})
		},
	}
}

func (a *files) repairCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "repair DIR COPY",
		Short: "Bring back from a copy of an archive what it has lost",
		Long: `Bring back from COPY the lines, objects and exchanges of DIR that are lost or damaged.
COPY may be older than DIR. Nothing is taken that has another digest than the ledger names.`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			m, err := core.Repair(cmd.Context(), args[0], args[1])
			return a.mended(m, err)
		},
	}
}

// mended prints the numbers of a copy or repair.
func (a *files) mended(m *core.Mending, err error) error {
	for _, name := range m.Lost {
		fmt.Fprintln(a.out, "lost:", show.Line(name))
	}
	fmt.Fprintf(a.out, "%d objects, %d exchanges and %d files of the ledger were written\n", m.Objects, m.Exchanges, m.Ledgers)
	if err == nil && len(m.Lost) > 0 {
		err = fmt.Errorf("%d objects and exchanges are lost or damaged in both", len(m.Lost))
	}
	return busy(err)
}
