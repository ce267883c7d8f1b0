package archive

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/internal/file/atomicfile"
	"github.com/go-extbody/extbody/internal/file/spool"
)

// ExportOptions are for [Archive.Export].
type ExportOptions struct {
	// As is the form: csv, eml, load, maildir, mbox, warc or wacz.
	As string

	// Selector selects references, and the messages with them; nil selects everything.
	Selector *Selector

	// Inline puts captured bodies into the messages of eml, maildir and mbox, instead
	// of the references. It contacts no host.
	Inline bool
}

// Export writes the content of the archive to out, which must not exist. It makes a file for
// csv, mbox, warc and wacz, and a folder for eml and maildir. It writes the same octets
// each time, as long as nothing is written to the archive. It returns the number of messages
// it wrote, of records for warc and wacz, of references for csv, and of documents for load.
// The error is ErrNothing if the Selector selects nothing.
//
// load is a folder with the load files load.dat (Concordance, UTF-8) and load.xml (EDRM XML
// 1.2), and the messages and bodies in the folder natives.
func (a *Archive) Export(ctx context.Context, out string, o *ExportOptions) (int64, error) {
	sel := new(Selector)
	var c *choice // nil for everything
	if o.Selector != nil && len(o.Selector.terms) > 0 {
		sel = o.Selector
		var err error
		if c, err = a.choose(sel); err != nil {
			return 0, err
		}
		if len(c.messages) == 0 {
			return 0, ErrNothing
		}
	}
	switch o.As {
	case "csv":
		return exportFile(out, func(w io.Writer) (int64, error) { return a.writeCSV(w, sel) })
	case "load":
		return a.loadFiles(ctx, out, sel)
	case "warc":
		return exportFile(out, func(w io.Writer) (int64, error) {
			e := &warcExport{a: a, c: c, w: &offsetWriter{w: w}}
			err := e.write(ctx)
			return e.n, err
		})
	case "wacz":
		return exportFile(out, func(w io.Writer) (int64, error) { return a.wacz(ctx, w, c) })
	case "mbox":
		return exportFile(out, func(w io.Writer) (int64, error) {
			return a.messages(ctx, o, c, func(m *MessageRecord, r io.Reader) error { return writeMbox(w, r) })
		})
	case "eml":
		return a.folder(ctx, out, o, c, "", func(m *MessageRecord) string { return m.SHA256 + ".eml" })
	case "maildir":
		return a.folder(ctx, out, o, c, "cur", func(m *MessageRecord) string { return m.SHA256 + ":2,S" })
	}
	return 0, fmt.Errorf("%.20q is no form of an export: want csv, eml, load, maildir, mbox, warc or wacz", o.As)
}

// exportFile writes a new file, which gets its name when it is whole.
func exportFile(out string, write func(io.Writer) (int64, error)) (n int64, err error) {
	err = atomicfile.PublishFile(out, func(w io.Writer) (err error) {
		n, err = write(w)
		return err
	})
	return n, err
}

// folder writes each message into a file of a new folder.
func (a *Archive) folder(ctx context.Context, out string, o *ExportOptions, c *choice, sub string, name func(*MessageRecord) string) (int64, error) {
	if err := os.Mkdir(out, 0o700); err != nil {
		return 0, err
	}
	if sub != "" {
		for _, d := range []string{"cur", "new", "tmp"} {
			if err := os.Mkdir(filepath.Join(out, d), 0o700); err != nil {
				return 0, err
			}
		}
	}
	return a.messages(ctx, o, c, func(m *MessageRecord, r io.Reader) error {
		_, err := exportFile(filepath.Join(out, sub, name(m)), func(w io.Writer) (int64, error) {
			return io.Copy(w, r)
		})
		return err
	})
}

// messages calls write with each message that is an object, in the order of the ledger.
func (a *Archive) messages(ctx context.Context, o *ExportOptions, c *choice, write func(*MessageRecord, io.Reader) error) (n int64, err error) {
	text := new(spool.Spool)
	defer text.Close()
	err = a.lines(func(_ *ledger.Line, record any) error {
		m := record.(*MessageRecord)
		if !m.Stored || m.Again || c != nil && c.messages[m.SHA256] == nil {
			return nil
		}
		f, _, err := a.objects.reader(m.SHA256)
		if errors.Is(err, os.ErrNotExist) && a.index.flags(m.SHA256)&flagForgotten != 0 {
			return nil
		}
		if err != nil {
			return err
		}
		defer f.Close()
		var r io.Reader = f
		if o.Inline {
			if r, err = a.inlined(ctx, m, f, text); err != nil {
				return fmt.Errorf("message %s: %w", m.SHA256, err)
			}
		}
		if err := write(m, r); err != nil {
			return err
		}
		n++
		return ctx.Err()
	}, kindMessage)
	return n, err
}

// writeMbox writes a message in the form mboxrd. A line that begins with any number of
// ">" and then "From " gets one more ">".
func writeMbox(w io.Writer, r io.Reader) error {
	if _, err := io.WriteString(w, "From extbody@localhost Thu Jan  1 00:00:00 1970\n"); err != nil {
		return err
	}
	in := bufio.NewReaderSize(r, 64<<10)
	start, last := true, byte('\n')
	for {
		piece, err := in.ReadSlice('\n')
		if start && strings.HasPrefix(strings.TrimLeft(string(piece[:min(len(piece), 4096)]), ">"), "From ") {
			if _, err := io.WriteString(w, ">"); err != nil {
				return err
			}
		}
		if _, werr := w.Write(piece); werr != nil {
			return werr
		}
		if len(piece) > 0 {
			last = piece[len(piece)-1]
			start = last == '\n'
		}
		if err == io.EOF {
			break
		}
		if err != nil && err != bufio.ErrBufferFull {
			return err
		}
	}
	end := "\n"
	if last != '\n' {
		end = "\n\n"
	}
	_, err := io.WriteString(w, end)
	return err
}
