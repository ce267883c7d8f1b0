package archive

import (
	"bytes"
	"cmp"
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
	"time"
	"unicode"

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
	Name                     string
	Captured, Excepted, Open int64
}

func (t *group) Total() int64 { return t.Captured + t.Excepted + t.Open }

// count counts a reference by its outcome.
func (t *group) count(outcome byte) {
	switch outcome {
	case askCaptured:
		t.Captured++
	case askExcepted:
		t.Excepted++
	default:
		t.Open++
	}
}

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
	Hosts, Years  []*group
	HostsLeft     int
	Kinds, Labels []*group
	Sources       []*SourceRecord
	Gone, Failed  []reportRow
	GivenUp       []reportRow
	GivenUpLeft   int
	FailedLeft    int
	GoneLeft      int
	Changes       []reportRow
	ChangesLeft   int
	Files         []*Exception
	FilesLeft     int
	Due           []DueRow
	DueLeft       int
}

// WriteReport writes one page of HTML that loads nothing else: numbers, changes, references
// that were given up or are gone, exceptions with the servers' words, and due references.
// Tables of references and files have at most 2000 rows, and the number of the others.
func (a *Archive) WriteReport(w io.Writer) error {
	d := &reportData{Head: a.head, Made: a.now().UTC(), Format: Format}
	var err error
	if d.Status, err = a.Status(); err != nil {
		return err
	}
	if err := a.gather(d); err != nil {
		return err
	}
	err = a.Due(func(r *DueRow) error {
		if len(d.Due) < maxReported {
			d.Due = append(d.Due, *r)
			return nil
		}
		d.DueLeft++
		return nil
	})
	if err != nil {
		return err
	}
	t, err := template.New("report").Funcs(template.FuncMap{
		"date":  func(t time.Time) string { return stampOf(t) },
		"size":  sizeWords,
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

// limit returns the first maxReported rows, and how many are left.
func limit[T any](rows []T) ([]T, int) {
	if len(rows) > maxReported {
		return rows[:maxReported], len(rows) - maxReported
	}
	return rows, 0
}

// gather reads the content of the page, except for the Status and the due references.
func (a *Archive) gather(d *reportData) error {
	hosts, years := make(map[string]*group), make(map[string]*group)
	kinds, labels := make(map[string]*group), make(map[string]*group)
	in := func(m map[string]*group, name string) *group {
		if m[name] == nil {
			m[name] = &group{Name: name}
		}
		return m[name]
	}
	err := a.References(func(r *Row) error {
		k := newAsk(r.Reference.Key, r.Reference.Expect)
		state, _ := a.index.ask(k)
		host := cmp.Or(r.Reference.Host, "(in the message)")
		if hosts[host] == nil && len(hosts) >= maxHosts {
			host = OtherHosts
		}
		in(hosts, host).count(state.outcome)
		in(years, year(r.Message.Date)).count(state.outcome)
		switch state.outcome {
		case askCaptured:
			in(kinds, "captured").count(state.outcome)
			in(labels, state.word).count(state.outcome)
		case askExcepted:
			in(kinds, state.word).count(state.outcome)
			list, left := &d.Failed, &d.FailedLeft
			switch {
			case state.givenUp:
				list, left = &d.GivenUp, &d.GivenUpLeft
			case isGone(state.word):
				list, left = &d.Gone, &d.GoneLeft
			}
			if len(*list) == maxReported {
				*left++
				return nil
			}
			o, err := a.outcome(k)
			if err != nil {
				return err
			}
			*list = append(*list, reportRow{Row: r, Exception: o.Exception})
		default:
			in(kinds, "open").count(state.outcome)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := a.events(d); err != nil {
		return err
	}
	byTotal := func(m map[string]*group) []*group {
		return slices.SortedFunc(maps.Values(m), func(a, b *group) int {
			return cmp.Or(cmp.Compare(b.Total(), a.Total()), cmp.Compare(a.Name, b.Name))
		})
	}
	d.Hosts = byTotal(hosts)
	d.HostsLeft = max(0, len(d.Hosts)-maxHostRows)
	d.Hosts = d.Hosts[:len(d.Hosts)-d.HostsLeft]
	d.Years = slices.SortedFunc(maps.Values(years), func(a, b *group) int { return cmp.Compare(a.Name, b.Name) })
	d.Kinds, d.Labels = byTotal(kinds), byTotal(labels)
	return nil
}

// events reads the sources, the changes, and the exceptions of files and messages.
func (a *Archive) events(d *reportData) error {
	sources := make(map[string]*SourceRecord)
	err := a.lines(func(l *ledger.Line) error {
		switch l.Kind {
		case kindSource:
			var s SourceRecord
			if err := l.Body(&s); err != nil {
				return err
			}
			sources[s.Source] = &s
		case kindChanged:
			c := new(Changed)
			if err := l.Body(c); err != nil {
				return err
			}
			if len(d.Changes) == maxReported {
				d.ChangesLeft++
				return nil
			}
			d.Changes = append(d.Changes, reportRow{Changed: c, Time: l.Time})
		}
		return nil
	})
	if err != nil {
		return err
	}
	d.Sources = slices.SortedFunc(maps.Values(sources), func(a, b *SourceRecord) int { return cmp.Compare(a.Source, b.Source) })
	return a.files(d)
}

// files reads the exceptions of files and messages that cannot be read.
func (a *Archive) files(d *reportData) error {
	first := func() {
		slices.SortFunc(d.Files, func(a, b *Exception) int {
			return cmp.Or(cmp.Compare(a.Source, b.Source), cmp.Compare(a.File, b.File), cmp.Compare(a.UID, b.UID))
		})
		var left int
		d.Files, left = limit(d.Files)
		d.FilesLeft += left
	}
	err := a.index.asks(func(_ ask, state askState) error {
		if !state.ofFile() {
			return nil
		}
		e := new(Exception)
		if err := a.line(state.last, e); err != nil {
			return err
		}
		if d.Files = append(d.Files, e); len(d.Files) >= 2*maxReported {
			first()
		}
		return nil
	})
	first()
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

func sizeWords(n int64) string {
	const units = "kMGTPE"
	if n < 1000 {
		return fmt.Sprintf("%d octets", n)
	}
	f, i := float64(n)/1000, 0
	for f >= 1000 && i < len(units)-1 {
		f /= 1000
		i++
	}
	return fmt.Sprintf("%.1f %cB", f, units[i])
}
