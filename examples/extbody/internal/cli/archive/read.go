package archive

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	core "github.com/go-extbody/extbody/examples/extbody/internal/archive"
	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/codec/charset"
	"github.com/go-extbody/extbody/internal/file/atomicfile"
	"github.com/go-extbody/extbody/internal/wording"
)

func jsonFlag(cmd *cobra.Command, on *bool) *cobra.Command {
	cmd.Flags().BoolVar(on, "json", false, "write JSON, as OUTPUT.md describes it")
	return cmd
}

func exactFlag(cmd *cobra.Command, on *bool) {
	cmd.Flags().BoolVar(on, "exact-urls", false, "write URLs with their passwords, which are xxxxx otherwise")
}

func captureFlag(f *pflag.FlagSet, which *core.Which) {
	f.Var((*whichValue)(which), "capture", "which captures of a reference: latest, first, sent, all, or the latest at `TIME`")
}

// A whichValue is the value of --capture.
type whichValue core.Which

// Set implements [pflag.Value].
func (v *whichValue) Set(text string) error {
	w, err := core.ParseWhich(text)
	*v = whichValue(w)
	return err
}

// String implements [pflag.Value].
func (v *whichValue) String() string { return core.Which(*v).String() }

// Type implements [pflag.Value].
func (v *whichValue) Type() string { return "string" }

// captures is about the flag --capture, for the help of commands.
const captures = `

Of the captures of a reference, --capture chooses the latest, the first, all of them, the latest that
ended at or before a TIME, or with sent the one whose label is declared or version: that body was there
when the message was sent. A reference without such a capture stands as one that was not tried.`

// view returns a command that only reads an archive. asJSON is nil without --json.
func (a *files) view(use, short string, write func(ar *core.Archive, asJSON func(any) error) error) *cobra.Command {
	var inJSON bool
	return jsonFlag(&cobra.Command{
		Use:   use,
		Short: short,
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return reading(args[0], func(ar *core.Archive) error {
				if inJSON {
					return write(ar, func(v any) error { return show.JSON(a.out, v) })
				}
				return write(ar, nil)
			})
		},
	}, &inJSON)
}

func (a *files) statusCommand() *cobra.Command {
	return a.view("status DIR", "Print the numbers of an archive", func(ar *core.Archive, asJSON func(any) error) error {
		s, err := ar.Status()
		switch {
		case err != nil:
			return err
		case asJSON != nil:
			return asJSON(s)
		}
		return writeStatus(a.out, s)
	})
}

func writeStatus(w io.Writer, s *core.Status) error {
	fmt.Fprintf(w, "%s, %d of them stored; %s\n",
		wording.Count(s.Messages, "message"), s.Stored, wording.Count(s.References, "reference"))
	fmt.Fprintf(w, "%d captured, %s (%d final, %d of them given up), %d not tried; %d due now\n",
		s.Captures, wording.Count(s.Exceptions, "exception"), s.Final, s.GivenUp, s.Unasked, s.Due)
	if s.Files > 0 {
		fmt.Fprintf(w, "%s cannot be read\n", wording.Choose(s.Files, "file or message", "files or messages"))
	}
	if d := &s.Delays; d.Captures > 0 {
		fmt.Fprintf(w, "50 %% within %s of the message, 90 %% within %s, 99 %% within %s",
			wording.Span(d.Within50), wording.Span(d.Within90), wording.Span(d.Within99))
		if d.ByDate > 0 {
			fmt.Fprintf(w, "; %d of %d by the field Date, for want of Received", d.ByDate, d.Captures)
		}
		if d.Before > 0 {
			fmt.Fprintf(w, "; and %d captured before the message", d.Before)
		}
		fmt.Fprintln(w)
	}
	if n := s.Waiting; n.Entries > 0 {
		fmt.Fprintf(w, "%s (%s, the first of %s) for a sync, or for a message that refers to the same\n",
			wording.Choose(n.Entries, "body that servers captured at delivery waits", "bodies that servers captured at delivery wait"),
			show.Octets(n.Octets), n.Oldest.Format(time.RFC3339))
	}
	if s.Waiting.Damaged > 0 {
		fmt.Fprintln(w, wording.Choose(s.Waiting.Damaged, "body that servers captured at delivery is damaged: verify names it",
			"bodies that servers captured at delivery are damaged: verify names them"))
	}
	for _, kind := range slices.Sorted(maps.Keys(s.Kinds)) {
		fmt.Fprintf(w, "  %s: %d\n", kind, s.Kinds[kind])
	}
	for _, host := range slices.Sorted(maps.Keys(s.Hosts)) {
		h := s.Hosts[host]
		host = cmp.Or(host, "in the message")
		fmt.Fprintf(w, "%s: %d captured, %s, %d not tried", show.Line(host), h.Captured, wording.Count(h.Excepted, "exception"), h.Open)
		if h.Forgotten > 0 {
			fmt.Fprintf(w, ", %d of the exceptions forgotten", h.Forgotten)
		}
		if h.Down {
			fmt.Fprint(w, ", down")
		}
		if !h.Due.IsZero() {
			fmt.Fprintf(w, ", due %s", h.Due.Format(time.RFC3339))
		}
		if d := &h.Delays; d.Captures > 0 {
			fmt.Fprintf(w, ", 50/90/99 %% within %s/%s/%s", wording.Span(d.Within50), wording.Span(d.Within90), wording.Span(d.Within99))
		}
		fmt.Fprintln(w)
	}
	switch {
	case s.LastRun == nil:
	case s.Killed:
		fmt.Fprintf(w, "the last run began %s, and has not ended\n", s.Ended.Format(time.RFC3339))
	default:
		fmt.Fprintln(w, strings.TrimSpace("the last run ended "+s.Ended.Format(time.RFC3339)+" "+show.Line(s.LastRun.Why)))
	}
	_, err := fmt.Fprintln(w, "head", s.Head)
	return err
}

func (a *files) dueCommand() *cobra.Command {
	return a.view("due DIR", "List the references that will be asked for, and when", func(ar *core.Archive, asJSON func(any) error) error {
		return ar.Due(func(r *core.DueRow) error {
			if asJSON != nil {
				return asJSON(r)
			}
			at := "now"
			why := "not tried"
			if !r.Due.IsZero() {
				at = r.Due.Format(time.RFC3339)
				why = r.Kind + ", " + wording.Count(r.Attempts, "attempt")
			}
			_, err := fmt.Fprintf(a.out, "%s %s %s message=%.12s (%s)\n",
				at, show.Line(cmp.Or(r.Host, "-")), show.Line(cmp.Or(r.Name, "(no name)")), r.Message, why)
			return err
		})
	})
}

func (a *files) verifyCommand() *cobra.Command {
	var head string
	var inJSON bool
	cmd := jsonFlag(&cobra.Command{
		Use:   "verify DIR",
		Short: "Compute every digest of an archive, and account for every reference",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var known ledger.Head
			if head != "" {
				list, err := listed(head)
				if err == nil && len(list) != 1 {
					err = fmt.Errorf("%s: want a file with one line", head)
				}
				if err != nil {
					return exit.Mistake(fmt.Errorf("--head: %w", err))
				}
				known, err = ledger.ParseHead(strings.TrimPrefix(list[0], "head "))
				if err != nil {
					return exit.Mistake(fmt.Errorf("--head: %w", err))
				}
			}
			v, err := core.Verify(cmd.Context(), args[0], known)
			if inJSON {
				err = errors.Join(err, show.JSON(a.out, v))
			} else {
				for _, f := range v.Faults {
					fmt.Fprintln(a.out, "fault:", show.Line(f))
				}
				for _, n := range v.Notes {
					fmt.Fprintln(a.out, "note:", show.Line(n))
				}
			}
			if err != nil {
				return err
			}
			if !inJSON {
				fmt.Fprintf(a.out, "%s, %s, %s, %s agree; %d removed on purpose\n",
					wording.Count(v.Lines, "line"), wording.Count(v.Objects, "object"),
					wording.Count(v.Spans, "exchange"), wording.Count(v.Stamps, "stamp"), v.Forgotten)
				if v.Incoming > 0 {
					fmt.Fprintln(a.out, wording.Choose(v.Incoming, "capture at delivery is whole, and waits for a sync",
						"captures at delivery are whole, and wait for a sync"))
				}
				fmt.Fprintf(a.out, "%s of %s: %d captured, %d excepted, %d not tried\n", wording.Count(v.References, "reference"),
					wording.Count(v.Messages, "message"), v.Captured, v.Excepted, v.Open)
				fmt.Fprintln(a.out, "head", v.Head)
			}
			if len(v.Faults) > 0 {
				return fmt.Errorf("the archive has %s", wording.Count(len(v.Faults), "fault"))
			}
			return nil
		},
	}, &inJSON)
	cmd.Flags().StringVar(&head, "head", "", "the line in `FILE`, such as was printed at the end of a run, has to be in the ledger")
	return cmd
}

func (a *files) reportCommand() *cobra.Command {
	var out string
	var exact bool
	var which core.Which
	cmd := &cobra.Command{
		Use:   "report DIR [SELECTOR...]",
		Short: "Write a page about captures, changes, losses and due references",
		Long: `Write one page of HTML that needs nothing else, and beside it a table as CSV, with
a line for each reference. With selectors both are about what they select.` + captures + selectors,
		Args: cobra.MinimumNArgs(1),
		RunE: selecting(func(_ *cobra.Command, dir string, sel *core.Selector) error {
			sel.Capture = which
			return readingURLs(dir, exact, func(ar *core.Archive) error {
				err := atomicfile.ReplaceFile(out, func(w io.Writer) error { return ar.WriteReport(w, sel) })
				if err != nil {
					return err
				}
				table := out[:len(out)-len(filepath.Ext(out))] + ".csv"
				err = atomicfile.ReplaceFile(table, func(w io.Writer) error {
					_, err := ar.WriteCSV(w, sel)
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
	exactFlag(cmd, &exact)
	captureFlag(cmd.Flags(), &which)
	cmd.Flags().StringVarP(&out, "output", "o", "report.html", "write the page to `FILE`, and the table beside it")
	return cmd
}

func (a *files) searchCommand() *cobra.Command {
	var inJSON, inCSV, exact bool
	var which core.Which
	cmd := jsonFlag(&cobra.Command{
		Use:   "search DIR [SELECTOR...]",
		Short: "Find references by sender, time, name, host and more",
		Long: `Print the selected references with their outcomes, in the order in which their messages
came into the archive. Nothing is contacted, and nothing is written.` + captures + selectors,
		Args: cobra.MinimumNArgs(1),
		RunE: selecting(func(_ *cobra.Command, dir string, sel *core.Selector) error {
			if inJSON && inCSV {
				return exit.Mistake(errors.New("--json and --csv exclude each other"))
			}
			sel.Capture = which
			return readingURLs(dir, exact, func(ar *core.Archive) error {
				out := bufio.NewWriter(a.out)
				var err error
				if inCSV {
					_, err = ar.WriteCSV(out, sel)
				} else {
					err = ar.Search(sel, func(f *core.Found) error {
						if inJSON {
							return show.JSON(out, f)
						}
						return writeFound(out, f, which)
					})
				}
				return errors.Join(err, out.Flush())
			})
		}),
	}, &inJSON)
	exactFlag(cmd, &exact)
	captureFlag(cmd.Flags(), &which)
	cmd.Flags().BoolVar(&inCSV, "csv", false, "write the table that report writes")
	return cmd
}

// late returns how late a capture was, in words that a field of the message follows.
func late(delay int64) string {
	if delay < 0 {
		return wording.Span(-delay) + " before"
	}
	return wording.Span(delay) + " after"
}

func (a *files) indexCommand() *cobra.Command {
	var texts bool
	cmd := &cobra.Command{
		Use:   "index DIR --text",
		Short: "Make the index of texts, by which text= need not read each message",
		Long: `Make the index of the words of messages and captured texts, or bring it up to date. It is
the file text in the folder of the archive, which no copy or export has. text= finds the
same with it and without it, and says what has to be read because the index lacks it.
forget removes the index, since a word that is forgotten may be in it.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !texts {
				return exit.Mistake(errors.New("archive index needs --text"))
			}
			return writing(args[0], false, "", func(ar *core.Archive) error {
				t, err := ar.IndexTexts(cmd.Context())
				if err != nil {
					return err
				}
				if t.Cut > 0 {
					fmt.Fprintf(a.out, "%s longer than 16 MiB: the words after that are not searched\n", wording.Count(t.Cut, "text"))
				}
				_, err = fmt.Fprintf(a.out, "%s in the index, %d of them new: %s\n",
					wording.Count(t.Texts, "text"), t.Added, show.Octets(t.Octets))
				return err
			})
		},
	}
	cmd.Flags().BoolVar(&texts, "text", false, "make the index of texts")
	return cmd
}

// writeFound writes a line about a reference, for captures that are meant. Its URL is not in it, because URLs can be secrets.
func writeFound(w io.Writer, f *core.Found, which core.Which) error {
	about := cmp.Or(f.Label, f.Kind)
	switch {
	case f.State == "message":
		about = "no references"
	case f.State == "open" && which != core.Which{}:
		about = "no such capture"
	case f.State == "open":
		about = "not asked for"
	}
	if f.Forgotten {
		about += ", forgotten"
	}
	if f.Delay != nil {
		about += ", " + late(*f.Delay) + " " + f.DelayBy
	}
	when := f.Date
	if !f.Received.IsZero() {
		when = f.Received.Format(time.RFC3339)
	}
	_, err := fmt.Fprintf(w, "%s (%s) %s %s from=%s subject=%s at=%s message=%.12s ref=%s %s\n",
		f.State, about, show.Line(cmp.Or(f.Host, "-")), show.Line(cmp.Or(charset.Words(f.Name), "-")),
		show.Line(charset.Words(f.From)), show.Line(charset.Words(f.Subject)), show.Line(when),
		f.Message, show.Line(f.Ref), f.SHA256)
	if f.Snippet != "" && err == nil {
		_, err = fmt.Fprintf(w, "  %s\n", show.Line(f.Snippet))
	}
	return err
}

func (a *files) exportCommand() *cobra.Command {
	var out string
	var exact bool
	o := new(core.ExportOptions)
	var which core.Which
	cmd := &cobra.Command{
		Use:   "export DIR [SELECTOR...] --as FORM -o OUT",
		Short: "Write the content of an archive, or a selection, in a common form",
		Long: `Write the content of an archive, or the selected references and their messages.

The form load is a folder for review platforms: load.dat (Concordance) and load.xml
(EDRM XML) list the messages and bodies, whose octets are in its folder natives, and the
texts of the messages in text. manifest.csv has the digest of each file. A body is a linked
file of its message, and no attachment.

What the archive has lost is named, and the rest is exported; the exit status is 3.` + captures + `
The forms csv and load have each of them. warc and wacz have every exchange, and take no --capture.` + selectors,
		Args: cobra.MinimumNArgs(1),
		RunE: selecting(func(cmd *cobra.Command, dir string, sel *core.Selector) error {
			if out == "" || o.As == "" {
				return exit.Mistake(errors.New("archive export needs --as and -o"))
			}
			if !slices.Contains(core.Forms(), o.As) {
				return exit.Mistake(fmt.Errorf("--as %.20q: want %s", o.As, strings.Join(core.Forms(), ", ")))
			}
			sel.Capture = which
			o.Selector = sel
			lost := make(map[string]bool)
			o.Lost = func(name string) {
				if !lost[name] {
					lost[name] = true
					fmt.Fprintln(a.out, "lost:", show.Line(name))
				}
			}
			left := 0
			o.Left = func(m *core.MessageRecord, ref *externalbody.Reference, err error) {
				left++
				fmt.Fprintf(a.out, "left in message %.12s: %s\n", m.SHA256, show.Line(record.InList(0, ref)+": "+record.Reason(err)))
			}
			return readingURLs(dir, exact, func(ar *core.Archive) error {
				n, err := ar.Export(cmd.Context(), out, o)
				if errors.Is(err, core.ErrWhich) {
					return exit.Mistake(fmt.Errorf("--capture %s: %w", which, err))
				}
				if err == nil {
					_, err = fmt.Fprintf(a.out, "%s: %d\n", out, n)
				}
				if err == nil && len(lost) == 0 && left > 0 {
					return exit.With(exit.Some, fmt.Errorf("captured bodies that could not be put into their messages: %d", left))
				}
				if err == nil && len(lost) > 0 {
					err = fmt.Errorf("objects or files that are lost or damaged, and not in the export: %d", len(lost))
					err = exit.With(exit.Some, err)
				}
				return err
			})
		}),
	}
	exactFlag(cmd, &exact)
	f := cmd.Flags()
	f.StringVar(&o.As, "as", "", "one of "+strings.Join(core.Forms(), ", "))
	captureFlag(f, &which)
	f.BoolVar(&o.Inline, "inline", false, "put captured bodies into the messages")
	f.StringVarP(&out, "output", "o", "", "write to `OUT`, which must not exist")
	return cmd
}

func (a *files) copyCommand() *cobra.Command {
	var o core.Options
	cmd := &cobra.Command{
		Use:   "copy DIR TO",
		Short: "Make a copy of an archive, or bring one up to date",
		Long: `Make a copy of an archive in the folder TO, or add to a copy what is new, and remove
from it what was forgotten since. Every digest is compared. A run may be under way in DIR.`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return reading(args[0], func(ar *core.Archive) error {
				m, err := ar.Copy(cmd.Context(), args[1], &o)
				return a.mended(m, err)
			})
		},
	}
	objectsFlag(cmd.Flags(), &o.Objects)
	return cmd
}

func (a *files) repairCommand() *cobra.Command {
	var accept bool
	cmd := &cobra.Command{
		Use:   "repair DIR COPY",
		Short: "Bring back from a copy of an archive what it has lost",
		Long: `Bring back from COPY the lines, objects and exchanges of DIR that are lost or damaged.
COPY may be older than DIR. Nothing is taken that has another digest than the ledger names.
Index and head are made anew if they are damaged. The exit status is that of a verify
after the repair.

With --accept and without COPY a line notes the gaps in the ledger that no copy mends. After it
commands print one line about them and go on. Verify still reports them. If another folder
has written to the same bucket, it also accepts that this folder is the only one from now on.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if accept {
				return cobra.ExactArgs(1)(cmd, args)
			}
			return cobra.ExactArgs(2)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if accept {
				return a.accept(args[0])
			}
			m, err := core.Repair(cmd.Context(), args[0], args[1])
			err = a.mended(m, err)
			if err != nil {
				return err
			}
			v, err := core.Verify(cmd.Context(), args[0], ledger.Head{})
			if err != nil {
				return err
			}
			for _, f := range v.Faults {
				fmt.Fprintln(a.out, "fault:", show.Line(f))
			}
			if len(v.Faults) > 0 {
				return fmt.Errorf("the archive has %s after the repair", wording.Count(len(v.Faults), "fault"))
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&accept, "accept", false, "note the gaps in the ledger, and go on without the lines that are lost")
	return cmd
}

// accept accepts the gaps of a ledger, and prints them.
func (a *files) accept(dir string) error {
	gaps, err := core.Accept(dir, &core.Options{Agent: record.Version()})
	for _, g := range gaps {
		fmt.Fprintf(a.out, "accepted: the gap between line %d and line %d\n", g.Before.Seq, g.After.Seq)
	}
	if err == nil && len(gaps) == 0 {
		fmt.Fprintln(a.out, "the ledger is whole")
	}
	return err
}

// mended prints the numbers of a copy or repair.
func (a *files) mended(m *core.Mending, err error) error {
	for _, name := range m.Lost {
		fmt.Fprintln(a.out, "lost:", show.Line(name))
	}
	for _, name := range m.Made {
		fmt.Fprintln(a.out, "made anew:", show.Line(name))
	}
	for _, name := range m.Kept {
		fmt.Fprintln(a.out, "a damaged file is kept:", show.Line(name))
	}
	fmt.Fprintf(a.out, "%s, %s, %s and %s of the ledger were written\n",
		wording.Count(m.Objects, "object"), wording.Count(m.Exchanges, "exchange"),
		wording.Count(m.Stamps, "stamp"), wording.Count(m.Ledgers, "file"))
	if m.Forgotten > 0 {
		fmt.Fprintln(a.out, wording.Choose(m.Forgotten, "object or exchange was removed, because a line of the ledger forgot it",
			"objects and exchanges were removed, because a line of the ledger forgot them"))
	}
	if m.Cut > 0 {
		fmt.Fprintf(a.out, "%s after the last exchanges of a file: removed, because no line of the ledger names them\n",
			wording.Count(m.Cut, "octet"))
	}
	if m.Again {
		fmt.Fprintln(a.out, "Nothing in the archive shows whether something was forgotten after the copy was made.")
		fmt.Fprintln(a.out, "If nothing was, run the same repair again: it takes what this one did not take.")
	}
	if err == nil && len(m.Lost) > 0 {
		err = fmt.Errorf("%s lost",
			wording.Choose(len(m.Lost), "object, exchange, line or stamp is", "objects, exchanges, lines or stamps are"))
	}
	return err
}
