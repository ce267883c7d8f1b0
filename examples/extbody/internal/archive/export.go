package archive

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/examples/extbody/internal/store"
	"github.com/go-extbody/extbody/internal/file/spool"
)

// Forms returns the forms of an export.
func Forms() []string { return []string{"csv", "eml", "load", "maildir", "mbox", "warc", "wacz"} }

// ErrWhich is the error of a form that cannot have the captures that are meant.
var ErrWhich = errors.New("these captures cannot be chosen")

// Export writes the content of the archive to out, which must not exist. It makes a file for
// csv, mbox, warc and wacz, and a folder for eml and maildir. It writes the same octets
// each time, as long as nothing is written to the archive. It returns the number of messages
// it wrote, of records for warc and wacz, of references for csv, and of documents for load.
// The error is ErrNothing if the Selector selects nothing, and ErrWhich if the form cannot have the captures that it means.
//
// load is a folder with the load files load.dat (Concordance, UTF-8) and load.xml (EDRM XML
// 1.2), and the messages and bodies in the folder natives.
func (a *Archive) Export(ctx context.Context, out string, o *ExportOptions) (int64, error) {
	sel := cmp.Or(o.Selector, new(Selector))
	inlines := o.Inline && slices.Contains([]string{"eml", "maildir", "mbox"}, o.As)
	exchanges := o.As == "warc" || o.As == "wacz"
	switch {
	case exchanges && !sel.Capture.latest():
		return 0, fmt.Errorf("%w: %s has every exchange", ErrWhich, o.As)
	case inlines && sel.Capture.All():
		return 0, fmt.Errorf("%w: a message has one body for a reference", ErrWhich)
	}
	opts := *o
	o = &opts
	if inlines {
		if err := a.noticeLater(sel); err != nil {
			return 0, err
		}
		var err error
		o.versions, err = a.versions(sel.Capture)
		if err != nil {
			return 0, err
		}
		defer func() { a.noticeBare(o, sel.Capture) }()
	}
	var c *choice // nil for everything
	if !sel.all() {
		var err error
		c, err = a.choose(sel)
		if err != nil {
			return 0, err
		}
		if inlines {
			a.noticeEarlier(sel, c.earlier)
		}
		if len(c.messages) == 0 {
			return 0, ErrNothing
		}
	}
	switch o.As {
	case "load":
		return a.loadFiles(ctx, out, o, sel)
	case "eml":
		return a.folder(ctx, out, o, c, "%s.eml")
	case "maildir":
		return a.folder(ctx, out, o, c, "cur/%s:2,S", "cur", "new", "tmp")
	case "csv", "mbox", "warc", "wacz":
	default:
		return 0, fmt.Errorf("%.20q is no form of an export: want %s", o.As, strings.Join(Forms(), ", "))
	}
	return exportFile(out, func(w io.Writer) (int64, error) {
		switch o.As {
		case "csv":
			return a.WriteCSV(w, sel)
		case "mbox":
			whole := new(spool.Spool)
			defer whole.Close()
			return a.messages(ctx, o, c, func(_ *MessageRecord, r io.Reader) error {
				if err := whole.Reset(); err != nil {
					return err
				}
				if _, err := io.Copy(whole, r); err != nil {
					return err // of a damaged message nothing is written
				}
				return writeMbox(w, whole.Section())
			})
		case "warc":
			e := &warcExport{a: a, o: o, c: c, w: w}
			err := e.write(ctx)
			return e.n, err
		}
		return a.wacz(ctx, w, o, c)
	})
}

// folder writes each message into a file of a new folder that has the folders in. name is
// the path of the file, with a verb for the digest of the message.
func (a *Archive) folder(ctx context.Context, out string, o *ExportOptions, c *choice, name string, in ...string) (int64, error) {
	if err := newFolder(out, in...); err != nil {
		return 0, err
	}
	return a.messages(ctx, o, c, func(m *MessageRecord, r io.Reader) error {
		_, err := exportFile(filepath.Join(out, fmt.Sprintf(name, m.SHA256)), func(w io.Writer) (int64, error) { return io.Copy(w, r) })
		return err
	})
}

// messages calls write with each message that is an object, in the order of the ledger.
func (a *Archive) messages(
	ctx context.Context, o *ExportOptions, c *choice, write func(*MessageRecord, io.Reader) error,
) (n int64, err error) {
	text := new(spool.Spool)
	defer text.Close()
	err = a.lines(func(_ *ledger.Line, record any) error {
		m := record.(*MessageRecord)
		chosen := c == nil || c.messages[m.SHA256] != nil
		if !m.Stored || m.Again || !chosen {
			return nil
		}
		f, _, err := a.objects.Reader(m.SHA256)
		if errors.Is(err, os.ErrNotExist) && (o.lose(a, m.SHA256) || a.index.flags(m.SHA256)&flagForgotten != 0) {
			return nil
		}
		if err != nil {
			return err
		}
		defer f.Close()
		var r io.Reader = f
		if o.Inline {
			r, err = a.inlined(ctx, o, m, f, text)
			if err != nil {
				err = fmt.Errorf("message %s: %w", m.SHA256, err)
			}
		}
		if err == nil {
			err = write(m, r)
		}
		switch {
		case errors.Is(err, store.ErrDigest) && o.lose(a, m.SHA256):
			return ctx.Err()
		case err != nil:
			return err
		}
		n++
		return ctx.Err()
	}, kindMessage)
	return n, err
}

// writeMbox writes a message in the form mboxrd. A line that starts with any number of
// ">" and then "From " gets one more ">".
func writeMbox(w io.Writer, r io.Reader) error {
	in := bufio.NewReaderSize(r, 64<<10)
	out := bufio.NewWriter(w)
	out.WriteString("From extbody@localhost Thu Jan  1 00:00:00 1970\n")
	start := true // of a line
	for {
		piece, err := in.ReadSlice('\n')
		if start && strings.HasPrefix(strings.TrimLeft(string(piece[:min(len(piece), 4096)]), ">"), "From ") {
			out.WriteByte('>')
		}
		if out.Write(piece); len(piece) > 0 {
			start = piece[len(piece)-1] == '\n'
		}
		if err == io.EOF {
			break
		}
		if err != nil && err != bufio.ErrBufferFull {
			return err
		}
	}
	if !start {
		out.WriteByte('\n')
	}
	out.WriteByte('\n')
	return out.Flush()
}
