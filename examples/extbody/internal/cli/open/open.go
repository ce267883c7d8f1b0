// Package open has the command that opens the files that a message points at, from within a mail
// program: it lists them, asks once a host, saves each file that could be verified, and
// shows it with the program for its type, unless that could run something.
package open

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/flagvalue"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/get"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/settings"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/terminal"
	"github.com/go-extbody/extbody/externalbody"
)

// A run is one run of the command.
type run struct {
	get.Run
	noOpen   bool
	yes      flagvalue.Hosts
	settings *settings.Settings

	saved []get.Saved
	pages []page
}

// A page is one that a person wants to open in the browser, since no program gets its file.
type page struct {
	number int // of its line in the list
	ref    *externalbody.Reference
}

// Command returns the command. The hosts that the settings have are agreed to.
func Command(s *settings.Settings) *cobra.Command {
	r := run{settings: s}
	cmd := &cobra.Command{
		Use:   "open [PATH] [REF...]",
		Short: "Ask, get, save and show what a message points at",
		Long: `List the files that a message points at, ask once about each host that has some, get
them, save them under the names that the message gives them, and show them.

The message comes from standard input, as from "pipe" in a mail program, or from PATH.
The questions are asked at the terminal of the program. A key answers: y gets all
files of the host, n none, and numbers and ranges of the list, such as 1 3-7, with
Enter get some. From four files on the answer is a word with Enter, such as all, also for
files that need no agreement. The word always keeps the agreement for later. q and Escape
end the questions, and nothing more is got. REF, --ref and --name leave out the other
files: REF is a number of the list, a range such as 3-7, or an id that is not of digits alone,
and --ref is an id, as "extbody list" shows it. Control-C leaves no part of a file behind.

A file is shown with xdg-open, with open on macOS, or with the program of mailcap for
its type, once all of it was verified. What runs or can have scripts is saved, and not
shown: programs, scripts, shortcuts, pages, SVG, XML, Office documents with macros, embedded
objects or templates from elsewhere, files of unknown kinds, and files whose octets are not
those of their names. Pictures that a document loads from elsewhere are named. A file is never made
executable, and has the mark of macOS and Windows for files from elsewhere. PDF is shown
as it is: what actions, scripts and files within it may do is up to its viewer.

The exit status is 0 also if nobody agreed, and 3 if there is no file, or one could not be
had or was not shown, so that a mail program waits for a key.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			r.In = cmd.InOrStdin()
			r.Out = cmd.OutOrStdout()
			r.Err = cmd.ErrOrStderr()
			return r.do(cmd, args)
		},
	}
	f := cmd.Flags()
	r.Base(f)
	f.StringVarP(&r.Dir, "output", "o", "", "save in `DIR` (default: the folder for downloads)")
	f.BoolVar(&r.noOpen, "no-open", false, "save, and show nothing")
	f.Var(&r.yes, "yes", "agree to `HOST` without a question, or to https://HOST for encrypted ways alone (repeatable)")
	return cmd
}

func (r *run) do(cmd *cobra.Command, args []string) error {
	path := "-"
	if len(args) > 0 {
		path = args[0]
		r.Choice.Add(args[1:]...)
	}
	r.Ask = true
	if !r.noOpen && !r.Stdout {
		r.Many = many
		r.Browse = func(number int, ref *externalbody.Reference) { r.pages = append(r.pages, page{number, ref}) }
	}
	r.Agreed = r.settings.Agreed(r.yes)
	r.Remember = r.settings.Keeps()
	r.Policy.Accounts = r.settings.Accounts()
	if r.Stdout {
		return r.Do(cmd.Context(), []string{path})
	}
	var err error
	if r.Dir == "" {
		r.Dir, err = Downloads()
		if err != nil {
			return fmt.Errorf("there is no folder for downloads: name one with -o: %w", err)
		}
	}
	r.Dir, err = filepath.Abs(r.Dir)
	if err != nil {
		return err
	}
	if _, err := os.Stat(r.Dir); err != nil {
		defer os.Remove(r.Dir) // which does nothing if there is something in it
	}
	r.Saved = func(s get.Saved) {
		if err := Mark(s.Path); err != nil {
			fmt.Fprintf(r.Err, "extbody: %s cannot be marked as a file from elsewhere: %s\n", show.Line(s.Path), show.Line(err.Error()))
		}
		r.saved = append(r.saved, s)
	}
	err = r.Do(cmd.Context(), []string{path})
	ended := cmd.Context().Err() != nil
	if r.Chosen == 0 && err == nil {
		return r.none(path)
	}
	for _, p := range r.pages {
		if ended {
			break
		}
		outcome, shown := openPage(p.ref)
		if !shown && err == nil {
			err = exit.With(exit.Some, nil)
		}
		if _, werr := fmt.Fprintf(r.Out, "%s: %s\n", show.Line(record.InList(p.number, p.ref)), show.Line(outcome)); werr != nil {
			return werr
		}
	}
	if r.Refused > 0 && err == nil {
		err = exit.With(exit.Some, nil)
	}
	for _, s := range r.inOrder() {
		outcome := "saved"
		shown := true
		if !r.noOpen && !ended {
			outcome, shown = Show(s.Path, s.Report.MediaType)
		}
		if !shown && err == nil {
			err = exit.With(exit.Some, nil)
		}
		line := show.Line(sentence(s) + ": " + outcome)
		if _, werr := fmt.Fprintln(r.Out, show.Wrap(line, terminal.Width(r.Out))); werr != nil {
			return werr
		}
	}
	return err
}

// many is from how many files on no key alone opens them.
const many = 4

// inOrder returns the files in the order of the list, each once: several references may lead to the
// same file.
func (r *run) inOrder() (files []get.Saved) {
	seen := make(map[string]bool)
	for _, s := range slices.SortedStableFunc(slices.Values(r.saved), func(s, t get.Saved) int { return cmp.Compare(s.Number, t.Number) }) {
		if !seen[s.Path] {
			files = append(files, s)
		}
		seen[s.Path] = true
	}
	return files
}

// none reports that no file was found. The status makes a mail program wait for a key.
func (r *run) none(path string) error {
	text := "The message points at no files."
	switch {
	case !r.Choice.All():
		text = "No file of the message is chosen by --name or --ref."
		if r.Unread != "" {
			text += " Also, " + r.Unread + "."
		}
	case r.Unread != "":
		text = "No files were found, but " + r.Unread + "."
	case r.NoMIME && path == "-":
		text += " It came without a header of MIME: mutt pipes text that has lost its parts if pipe_decode is set."
	}
	if _, err := fmt.Fprintln(r.Out, show.Wrap(text, terminal.Width(r.Out))); err != nil {
		return err
	}
	return exit.With(exit.Some, nil)
}

// sentence returns the start of a sentence about a file that was saved.
func sentence(s get.Saved) string {
	return fmt.Sprintf("%s (%s)", s.Path, strings.Join(Notes(s.Report), ", "))
}
