package archive

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/internal/codec/charset"
)

// csvColumns are the columns of [Archive.WriteCSV].
var csvColumns = []string{
	"message", "message_id", "date", "from", "subject", "reference", "dialect", "access_type", "url", "login", "host", "provider", "name",
	"announced_size", "announced_type", "expiration", "state", "capture", "sha256", "size", "content_type", "served_type", "version",
	"final_url", "hops", "address", "tls", "status", "started", "ended", "first_sha256", "held", "forgotten",
	"reason", "kind", "error", "words", "attempts", "due", "given_up", "exchange_file", "exchange_offset", "exchange_length", "source",
}

// WriteCSV writes a table (RFC 4180): a line with the names of the columns, and a line for
// each reference with its outcome. It returns the number of references. URLs are exact,
// and the encoded-words of senders and subjects are decoded. A text that a spreadsheet
// program would take for a formula gets a "'" before it.
func (a *Archive) WriteCSV(w io.Writer) (int64, error) {
	return a.writeCSV(w, new(Selector))
}

func (a *Archive) writeCSV(w io.Writer, sel *Selector) (n int64, err error) {
	out := csv.NewWriter(w)
	out.UseCRLF = true
	if err := out.Write(csvColumns); err != nil {
		return 0, err
	}
	sources, err := a.custodians()
	if err != nil {
		return 0, err
	}
	err = a.matches(sel, func(r *Row) error {
		cells, err := a.cells(r)
		if err != nil {
			return err
		}
		n++
		return out.Write(append(cells, cell(sources[shortSum(r.Message.SHA256)])))
	})
	out.Flush()
	return n, errors.Join(err, out.Error())
}

// custodians returns the mailbox where each message was seen first, by shortSum.
func (a *Archive) custodians() (map[string]string, error) {
	sources := make(map[string]string)
	return sources, a.lines(func(_ *ledger.Line, record any) error {
		s := record.(*Sighting)
		if k := shortSum(s.Message); sources[k] == "" {
			sources[k] = s.Source
		}
		return nil
	}, kindSighting)
}

// cells returns the cells of the line of a reference.
func (a *Archive) cells(r *Row) ([]string, error) {
	o, err := a.outcome(r.state)
	if err != nil {
		return nil, err
	}
	m, ref := r.Message, r.Reference
	row := []string{m.SHA256, m.MessageID, m.Date, charset.Words(m.From), charset.Words(m.Subject), ref.Ref, ref.Dialect, ref.AccessType, ref.URL, ref.Login, ref.Host, ref.Provider, ref.Name,
		number(ref.Size), ref.ContentType, stampOf(ref.Expiration), state(o)}
	var f Facts
	c, e := new(Capture), new(Exception)
	if o.Exception != nil {
		f, e = o.Exception.Facts, o.Exception
	}
	first, size := "", ""
	if o.Capture != nil {
		f, c = o.Capture.Facts, o.Capture
		size = number(c.Size)
		if _, p := a.index.captured(ref.Key); p != 0 {
			var one Capture
			if err := a.line(p, &one); err != nil {
				return nil, err
			}
			first = one.SHA256
		}
	}
	tls := ""
	if f.TLS != nil {
		tls = f.TLS.Version
	}
	forgotten := a.index.flags(c.SHA256)&flagForgotten != 0
	held := a.index.holds(ref.Key) > 0 || a.index.holds(c.SHA256) > 0
	row = append(row, c.Label, c.SHA256, size, c.ContentType, f.ServedType, c.Version,
		f.FinalURL, strings.Join(f.Hops, " "), f.Address, tls, number(int64(f.Status)), stampOf(f.Started), stampOf(f.Ended), first,
		mark(held), mark(c.SHA256 != "" && forgotten),
		e.Reason, e.Kind, e.Error, e.Words, number(int64(e.Attempts)), stampOf(e.Due), mark(e.GivenUp))
	where := []string{"", "", ""}
	if x := f.Exchanges; x != nil {
		where = []string{x.File, fmt.Sprint(x.Offset), fmt.Sprint(x.Length)}
	}
	row = append(row, where...)
	for i := range row {
		row[i] = cell(row[i])
	}
	return row, nil
}

// state returns an outcome as a word: captured, exception or open.
func state(o *Outcome) string {
	switch {
	case o.Capture != nil:
		return "captured"
	case o.Exception != nil:
		return "exception"
	}
	return "open"
}

func number(n int64) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprint(n)
}

func mark(b bool) string {
	if b {
		return "yes"
	}
	return ""
}

func stampOf(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// cell makes a text fit for a cell:
//
//   - A text that begins a formula for some programs gets a "'" before it.
//   - Control characters and the line ends of Unicode become spaces.
//   - Characters that change the direction of text become U+FFFD.
func cell(s string) string {
	s = visible(s)
	// Where people use fullwidth characters, those begin a formula as well.
	if first, _ := utf8.DecodeRuneInString(strings.TrimLeft(s, " \u00a0\u3000\ufeff")); strings.ContainsRune("=+-@\uff1d\uff0b\uff0d\uff20", first) {
		return "'" + s
	}
	return s
}

// visible replaces the characters of the last two kinds.
func visible(s string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c < ' ', c == 0x7f, c == '\u2028', c == '\u2029':
			return ' '
		case unicode.Is(unicode.Bidi_Control, c):
			return '\uFFFD'
		}
		return c
	}, strings.ToValidUTF8(s, "\uFFFD"))
}
