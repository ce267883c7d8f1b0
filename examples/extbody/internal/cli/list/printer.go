package list

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/source"
	"github.com/go-extbody/extbody/externalbody"
)

// An entry is a message of a list.
type entry struct {
	*source.Found
	text []byte // its lines
	late bool   // text would be too long to wait for its turn
	err  error  // of reading the message
}

func entries(messages iter.Seq2[*source.Found, error]) iter.Seq[*entry] {
	return func(yield func(*entry) bool) {
		for m, err := range messages {
			if !yield(&entry{Found: m, err: err}) {
				return
			}
		}
	}
}

// maxText is how many octets of the text of an entry wait for its turn.
const maxText = 16 << 10

// read reads the message, and makes its text. A message with a longer text is read
// again at its turn.
func (e *entry) read(l *Flags) {
	if e.err != nil && e.At == nil {
		return
	}
	var text bytes.Buffer
	if err := e.write(&text, l); err != nil {
		e.err = err
	}
	if text.Len() <= maxText {
		e.text = text.Bytes()
		return
	}
	e.late = true
}

// write reads the message and writes its references. An error may be one of w.
func (e *entry) write(w io.Writer, l *Flags) error {
	err := e.Found.Read(&l.Reading)
	if werr := l.write(w, e.Found, e.Refs); werr != nil {
		return werr
	}
	return err
}

// A printer prints entries.
type printer struct {
	*Flags
	out    *bufio.Writer
	errw   io.Writer
	live   bool // out is a terminal
	counts record.Counts
	err    error // of writing
}

// print prints an entry. An error is an error of out.
func (p *printer) print(e *entry) error {
	if e.late {
		e.err = errors.Join(e.err, e.write(p.out, p.Flags))
	} else {
		p.out.Write(e.text)
	}
	if _, err := p.out.Write(nil); err != nil {
		return err
	}
	if e.err == nil || len(e.Refs) > 0 {
		p.counts.Message(e.Whole(), len(e.Refs))
	}
	p.counts.List(len(e.Refs))
	if e.err != nil {
		p.counts.Unread(e.err)
		if !p.JSON {
			p.out.Flush() // so that the order is right on a terminal
		}
		if err := e.Unreadable(p.out, p.errw, e.err, p.JSON); err != nil {
			return err
		}
	}
	if p.live {
		return p.out.Flush()
	}
	return nil
}

// write writes the references of one message, as records or as a table.
func (l *Flags) write(w io.Writer, f *source.Found, refs []*externalbody.Reference) error {
	if len(refs) == 0 {
		return nil
	}
	if l.JSON {
		for _, ref := range refs {
			if err := record.New(f.Place(), ref, l.Exact).WriteJSON(w); err != nil {
				return err
			}
		}
		return nil
	}
	var rows [][]string
	for _, ref := range refs {
		rows = append(rows, record.New(f.Place(), ref, l.Exact).Row())
	}
	if _, err := fmt.Fprintln(w, show.Line(f.Title())); err != nil {
		return err
	}
	for _, line := range show.Table(rows) {
		if _, err := fmt.Fprintln(w, " ", line); err != nil {
			return err
		}
	}
	return nil
}
