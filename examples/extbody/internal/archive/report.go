package archive

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/csv"
	"errors"
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/codec/charset"
	"github.com/go-extbody/extbody/internal/mime/date"
)

// maxReported bounds the rows of a table of the page. The CSV has all references.
const maxReported = 2000

// maxHostRows bounds the rows of the table of hosts.
const maxHostRows = 100

// A group counts references that have something in common, which is its name.
type group struct {
	Name string
	HostStatus
}

func (t group) Total() int64 { return t.Captured + t.Excepted + t.Open }

// A reportRow is a reference in a table of the page.
type reportRow struct {
	*Row
	*Exception
	Changed *Changed
	Time    time.Time
}

// A reportData has the content of the page.
type reportData struct {
	Head          ledger.Head
	Status        *Status
	Made          time.Time
	Format        int
	Hosts, Years  []group
	HostsLeft     int
	Kinds, Labels []group
	Sources       []*SourceRecord
	Gone, Failed  rowList[reportRow]
	GivenUp       rowList[reportRow]
	Changes       rowList[reportRow]
	Files         rowList[*Exception]
	Due           rowList[*DueRow]
}

// A rowList has the rows of a table, and how many are left out.
type rowList[T any] struct {
	Rows []T
	Left int
}

func (t *rowList[T]) add(row T) {
	if len(t.Rows) < maxReported {
		t.Rows = append(t.Rows, row)
	} else {
		t.Left++
	}
}

// reportPage is the template of the page that WriteReport writes.
//
//go:embed report.html
var reportPage string

// WriteReport writes one page of HTML that loads nothing else: numbers, changes, references
// that were given up or are gone, exceptions with the servers' words, and due references.
// Tables of references and files have at most 2000 rows, and the number of the others.
func (a *Archive) WriteReport(w io.Writer) error {
	d := &reportData{Head: a.Head(), Made: a.now().UTC(), Format: Format}
	if err := a.gather(d); err != nil {
		return err
	}
	err := a.Due(func(r *DueRow) error {
		d.Due.add(r)
		return nil
	})
	if err != nil {
		return err
	}
	t, err := template.New("report").Funcs(template.FuncMap{
		"date":  stampOf,
		"short": func(s string) string { return s[:min(len(s), 12)] },
		"words": charset.Words,
	}).Parse(reportPage)
	if err != nil {
		return err
	}
	return t.Execute(orderly{w}, d)
}

// An orderly replaces with U+FFFD the characters that change the direction of text, and
// control characters, which a terminal obeys. Texts of strangers may have both.
type orderly struct{ w io.Writer }

// Write writes p. No character may be split between two calls.
func (o orderly) Write(p []byte) (int, error) {
	clean := bytes.Map(func(c rune) rune {
		if unicode.Is(unicode.Bidi_Control, c) || unicode.IsControl(c) && c != '\n' && c != '\t' {
			return '\uFFFD'
		}
		return c
	}, p)
	if _, err := o.w.Write(clean); err != nil {
		return 0, err
	}
	return len(p), nil
}

// gather reads the content of the page, except for the due references.
func (a *Archive) gather(d *reportData) (err error) {
	years, labels, sources := make(map[string]*HostStatus), make(map[string]*HostStatus), make(map[string]*SourceRecord)
	d.Status, err = a.account(func(r *Row) error {
		in(years, year(r.Message.Date)).count(r.state.outcome)
		switch r.state.outcome {
		case askCaptured:
			in(labels, r.state.word).count(askCaptured)
		case askExcepted:
			list := &d.Failed
			switch {
			case r.state.givenUp:
				list = &d.GivenUp
			case isGone(r.state.word):
				list = &d.Gone
			}
			row := reportRow{Row: r}
			if len(list.Rows) < maxReported {
				o, err := a.outcome(r.state)
				if err != nil {
					return err
				}
				row.Exception = o.Exception
			}
			list.add(row)
		}
		return nil
	}, func(l *ledger.Line, record any) error {
		switch r := record.(type) {
		case *SourceRecord:
			sources[r.Source] = r
		case *Changed:
			d.Changes.add(reportRow{Changed: r, Time: l.Time})
		}
		return nil
	}, kindSource, kindChanged)
	if err != nil {
		return err
	}
	byTotal := func(m map[string]*HostStatus) (list []group) {
		for name, h := range m {
			list = append(list, group{name, *h})
		}
		slices.SortFunc(list, func(a, b group) int {
			return cmp.Or(cmp.Compare(b.Total(), a.Total()), cmp.Compare(a.Name, b.Name))
		})
		return list
	}
	kinds := make(map[string]*HostStatus)
	for kind, n := range d.Status.Kinds {
		kinds[kind] = &HostStatus{Open: n}
	}
	d.Hosts, d.Years, d.Kinds, d.Labels = byTotal(d.Status.Hosts), byTotal(years), byTotal(kinds), byTotal(labels)
	d.HostsLeft = max(0, len(d.Hosts)-maxHostRows)
	d.Hosts = d.Hosts[:len(d.Hosts)-d.HostsLeft]
	slices.SortFunc(d.Years, func(a, b group) int { return cmp.Compare(a.Name, b.Name) })
	d.Sources = slices.SortedFunc(maps.Values(sources), func(a, b *SourceRecord) int { return cmp.Compare(a.Source, b.Source) })
	return a.files(d)
}

// files reads the exceptions of files and messages that cannot be read.
func (a *Archive) files(d *reportData) error {
	var list []*Exception
	first := func() {
		slices.SortFunc(list, func(a, b *Exception) int {
			return cmp.Or(cmp.Compare(a.Source, b.Source), cmp.Compare(a.File, b.File), cmp.Compare(a.UID, b.UID))
		})
		list = list[:min(len(list), maxReported)]
	}
	err := a.index.asks(func(_ ask, state askState) error {
		if !state.ofFile() {
			return nil
		}
		e := new(Exception)
		if err := a.line(state.last, e); err != nil {
			return err
		}
		if list = append(list, e); len(list) >= 2*maxReported {
			first()
		}
		return nil
	})
	first()
	d.Files = rowList[*Exception]{list, int(d.Status.Files) - len(list)}
	return err
}

// isGone reports whether the Kind with that text means that a body was deleted.
func isGone(word string) bool {
	var kind fetch.Kind
	return kind.UnmarshalText([]byte(word)) == nil && reason(kind, 0) == ItemDeletedOrOutsideRetention
}

// year returns the year in a field Date; "unknown" if it has none from 1970 to 2200.
func year(when string) string {
	t, _, err := date.Parse(when)
	if err != nil || t.Year() < 1970 || t.Year() > 2200 {
		return "unknown"
	}
	return fmt.Sprint(t.UTC().Year())
}

// csvColumns are the columns of [Archive.WriteCSV].
var csvColumns = []string{
	"message", "message_id", "date", "from", "subject", "reference", "dialect", "access_type", "url", "login", "host", "provider", "name",
	"announced_size", "announced_type", "expiration", "state", "capture", "sha256", "size", "content_type", "served_type", "version",
	"final_url", "hops", "address", "tls", "status", "started", "ended", "first_sha256", "held", "forgotten",
	"reason", "kind", "error", "words", "attempts", "due", "given_up", "exchange_file", "exchange_offset", "exchange_length", "source",
}

// WriteCSV writes a table (RFC 4180): a line with the names of the columns, and a line for
// each selected reference with its outcome. It returns the number of references. URLs are exact,
// and the encoded-words of senders and subjects are decoded. A text that a spreadsheet
// program would take for a formula gets a "'" before it.
func (a *Archive) WriteCSV(w io.Writer, sel *Selector) (n int64, err error) {
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
	e, c, first := cmp.Or(o.Exception, new(Exception)), cmp.Or(o.Capture, new(Capture)), new(Capture)
	f := e.Facts
	if o.Capture != nil {
		f = c.Facts
		if _, p := a.index.captured(ref.Key); p != 0 {
			if err := a.line(p, first); err != nil {
				return nil, err
			}
		}
	}
	forgotten := a.index.flags(c.SHA256)&flagForgotten != 0
	held := a.index.holds(ref.Key) > 0 || a.index.holds(c.SHA256) > 0
	row = append(row, c.Label, c.SHA256, number(c.Size), c.ContentType, f.ServedType, c.Version,
		f.FinalURL, strings.Join(f.Hops, " "), f.Address, cmp.Or(f.TLS, new(fetch.TLS)).Version, number(int64(f.Status)), stampOf(f.Started), stampOf(f.Ended), first.SHA256,
		mark(held), mark(c.SHA256 != "" && forgotten),
		e.Reason, e.Kind, e.Error, e.Words, number(int64(e.Attempts)), stampOf(e.Due), mark(e.GivenUp))
	if x := f.Exchanges; x != nil {
		row = append(row, x.File, fmt.Sprint(x.Offset), fmt.Sprint(x.Length))
	} else {
		row = append(row, "", "", "")
	}
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
