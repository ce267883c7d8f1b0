package rewriting

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/output"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/mailbox"
)

// Do rewrites the messages that the arguments name.
func (w *Run) Do(ctx context.Context, args []string) (err error) {
	path := "-"
	if len(args) > 0 {
		path = args[0]
	}
	w.filter = w.IsFilter(args)
	defer func() { err = w.Status(err, w.filter) }()
	switch {
	case w.Timeout <= 0:
		return exit.Mistake(fmt.Errorf("--timeout %s: want a time such as 90s or 5m", w.Timeout))
	case w.inPlace && w.output != "":
		return exit.Mistake(errors.New("--in-place and -o exclude each other"))
	case w.inPlace && path == "-":
		return exit.Mistake(errors.New("--in-place needs a PATH"))
	}
	defer exit.BrokenPipes()()
	w.journal, err = openJournal(w.report, w.JSON, w.Err)
	if err != nil {
		if !w.filter {
			return err
		}
		// Mail goes on without the records.
		w.warn(err)
		w.journal = &journal{w: io.Discard}
	}
	defer func() { err = errors.Join(err, w.journal.close()) }()
	w.scratch = output.Scratch()
	defer w.scratch.Close()
	if path == "-" {
		return w.stream(ctx, path, w.In)
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	isZip := info.Mode().IsRegular() && mailbox.IsZip(path)
	switch {
	case isZip && w.inPlace:
		return exit.Mistake(errors.New("a zip archive is not rewritten in place: name a new folder with -o"))
	case isZip && w.toStandardOutput():
		return exit.Mistake(errors.New("a zip archive needs -o, with the name of a new folder"))
	case w.inPlace && (info.IsDir() || info.Mode().IsRegular()):
		return w.replaceAll(ctx, path)
	case w.inPlace:
		return exit.Mistake(errors.New("--in-place needs a file or a folder"))
	case info.IsDir() && w.output == "":
		return exit.Mistake(errors.New("a folder needs -o or --in-place"))
	case info.IsDir(), isZip:
		return w.newFolder(ctx, path)
	case info.Mode().IsRegular():
		if out, err := os.Stat(w.output); err == nil && os.SameFile(out, info) {
			return exit.Mistake(errors.New("-o names the PATH itself: use --in-place"))
		}
	}
	return w.file(ctx, path)
}
