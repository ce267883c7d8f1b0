package archive

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	core "github.com/go-extbody/extbody/examples/extbody/internal/archive"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/output"
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
			return readArchive(args[0], func(ar *core.Archive) error {
				if err := output.Replace(out, ar.WriteReport); err != nil {
					return err
				}
				table := out[:len(out)-len(filepath.Ext(out))] + ".csv"
				err := output.Replace(table, func(w io.Writer) error {
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
		Use:   "export DIR --as FORM -o OUT",
		Short: "Write the content of an archive in a common form",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" || o.As == "" {
				return exit.Mistake(errors.New("archive export needs --as and -o"))
			}
			return readArchive(args[0], func(ar *core.Archive) error {
				n, err := ar.Export(cmd.Context(), out, o)
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(a.out, "%s: %d\n", out, n)
				return err
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.As, "as", "", "csv, eml, maildir, mbox, warc or wacz")
	f.BoolVar(&o.Inline, "inline", false, "put captured bodies into the messages")
	f.StringVarP(&out, "output", "o", "", "write to `OUT`, which must not exist")
	return cmd
}
