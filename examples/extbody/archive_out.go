package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/output"
)

func (a *app) archiveReport() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "report DIR",
		Short: "Write a page that tells what there is, what changed, what is gone and what is due",
		Long: `Write one page of HTML that needs nothing else, and beside it a table as CSV, with
a line for each reference. URLs are exact.`,
		Args: cobra.ExactArgs(1),
		RunE: running(func(_ *cobra.Command, args []string) error {
			return readArchive(args[0], func(ar *archive.Archive) error {
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
		}),
	}
	cmd.Flags().StringVarP(&out, "output", "o", "report.html", "write the page to `FILE`, and the table beside it")
	return cmd
}

func (a *app) archiveExport() *cobra.Command {
	var out string
	o := new(archive.ExportOptions)
	cmd := &cobra.Command{
		Use:   "export DIR --as FORM -o OUT",
		Short: "Write what an archive holds in a form that others read",
		Args:  cobra.ExactArgs(1),
		RunE: running(func(cmd *cobra.Command, args []string) error {
			if out == "" || o.As == "" {
				return exit.Mistake(errors.New("archive export needs --as and -o"))
			}
			return readArchive(args[0], func(ar *archive.Archive) error {
				n, err := ar.Export(cmd.Context(), out, o)
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(a.out, "%s: %d\n", out, n)
				return err
			})
		}),
	}
	f := cmd.Flags()
	f.StringVar(&o.As, "as", "", "csv, eml, maildir, mbox, warc or wacz")
	f.BoolVar(&o.Inline, "inline", false, "put captured bodies into the messages")
	f.StringVarP(&out, "output", "o", "", "write to `OUT`, which must not exist")
	return cmd
}

// archiveHold returns the command hold, release or forget.
func (a *app) archiveHold(name string) *cobra.Command {
	var why string
	short := map[string]string{
		"hold":    "Keep what is selected from being forgotten",
		"release": "Let what is selected be forgotten again",
		"forget":  "Remove the octets of what is selected, and record that and why",
	}
	cmd := &cobra.Command{
		Use:   name + " DIR SELECTOR...",
		Short: short[name],
		Long: short[name] + `.

A SELECTOR is kind=, host=, message=, ref=, url= or object= with a value; all of
them must hold. message= alone selects the message and the bodies that it refers to;
everything else selects bodies.`,
		Args: cobra.MinimumNArgs(2),
		RunE: running(func(_ *cobra.Command, args []string) error {
			sel, err := archive.ParseSelector(args[1:])
			if err != nil {
				return exit.Mistake(err)
			}
			if name == "forget" && why == "" {
				return exit.Mistake(errors.New("archive forget needs --reason"))
			}
			ar, err := openArchive(args[0], false)
			if err != nil {
				return err
			}
			defer ar.Close()
			if name != "forget" {
				n, err := ar.Hold(sel, why, name == "release")
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(a.out, "%d objects\nhead %s\n", n, ar.Head())
				return err
			}
			g, err := ar.Forget(sel, why)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(a.out, "%d objects and %d exchanges removed\nhead %s\n", len(g.Objects), len(g.Exchanges), ar.Head())
			return err
		}),
	}
	cmd.Flags().StringVar(&why, "reason", "", "record `WHY` in the ledger")
	return cmd
}
