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
	"math"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/record"
	"github.com/go-extbody/extbody/internal/codec/charset"
	"github.com/go-extbody/extbody/internal/wording"
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
	Selection     string
	selected      map[ask]bool    // nil for all
	keys          map[string]bool // of the selected references
	Hosts, Years  []group
	HostsLeft     int
	Kinds, Labels []group
	Late, Months  []bar
	InTime        timely
	Sources       []*SourceRecord
	Gone, Failed  rowList[reportRow]
	GivenUp       rowList[reportRow]
	Changes       rowList[reportRow]
	Files         rowList[*Exception]
	Unread        rowList[*unreadRow]
	Due           rowList[*DueRow]
}

// An unreadRow is a message with parts that could not be looked into. Message is nil if the octets of the message were
// never read.
type unreadRow struct {
	Message  *MessageRecord
	Sighting *Sighting
	UnreadParts
}

// A bar is a row of a chart: how many captures have something in common, which is its name. Width is
// from 0 to 1000, for the row with the most captures.
type bar struct {
	Name  string
	Count int64
	Width int64
}

// newChart returns the rows with names and counts.
func newChart(names []string, counts []int64) (list []bar) {
	most := max(1, slices.Max(append(counts, 1)))
	for i, name := range names {
		list = append(list, bar{name, counts[i], counts[i] * 1000 / most})
	}
	return list
}

// A lateness is a row of the chart of delays.
type lateness struct {
	most int64 // in seconds
	name string
}

var latenesses = []lateness{
	{10, "within 10 s"}, {60, "within a minute"}, {600, "within 10 minutes"}, {3600, "within an hour"}, {86400, "within a day"},
	{10 * 86400, "within 10 days"}, {30 * 86400, "within 30 days"}, {math.MaxInt64, "later"},
}

// chart returns the rows of the chart of delays. Each capture is in the first row that fits.
func (d *Delays) chart() []bar {
	counts := make([]int64, len(latenesses))
	for _, s := range d.seconds {
		counts[slices.IndexFunc(latenesses, func(l lateness) bool { return s <= l.most })]++
	}
	var names []string
	for _, l := range latenesses {
		names = append(names, l.name)
	}
	if d.Before > 0 {
		names = append(names, "before the message")
		counts = append(counts, d.Before)
	}
	return newChart(names, counts)
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
//
// If sel means all captures, the page is about the latest ones.
//
// With a Selector that has terms, the page is about the references that it selects, and leaves out the
// sources and the files that cannot be read.
func (a *Archive) WriteReport(w io.Writer, sel *Selector) error {
	d := &reportData{Head: a.Head(), Made: a.now().UTC(), Format: Format, Selection: sel.String()}
	if !sel.all() {
		d.selected = make(map[ask]bool)
		d.keys = make(map[string]bool)
		err := a.matches(sel, func(r *Row) error {
			d.selected[r.ask] = true
			d.keys[r.Reference.Key] = true
			return nil
		})
		if err != nil {
			return err
		}
	}
	if err := a.gather(d, sel); err != nil {
		return err
	}
	err := a.due(func(k ask) bool { return d.selected == nil || d.selected[k] }, func(r *DueRow) error {
		d.Due.add(r)
		return nil
	})
	if err != nil {
		return err
	}
	t, err := template.New("report").Funcs(template.FuncMap{
		"date":   stampOf,
		"short":  func(s string) string { return s[:min(len(s), 12)] },
		"url":    func(text string) string { return visible(a.shown(text)) },
		"plain":  visible,
		"words":  func(text string) string { return visible(charset.Words(text)) },
		"count":  wording.Grouped,
		"about":  wording.About,
		"span":   wording.Span,
		"kind":   func(code string) string { return plain(plainOutcomes, code) },
		"label":  func(code string) string { return plain(plainLabels, code) },
		"reason": func(code string) string { return plain(plainReasons, code) },
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
		if unicode.Is(unicode.Bidi_Control, c) {
			return '\uFFFD'
		}
		if unicode.IsControl(c) && c != '\n' && c != '\t' {
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
func (a *Archive) gather(d *reportData, sel *Selector) (err error) {
	d.InTime.others = make(map[string]int64)
	g := &gathering{
		a: a, d: d,
		years: make(map[string]*HostStatus), labels: make(map[string]*HostStatus),
		months: make(map[string]int64), sources: make(map[string]*SourceRecord),
	}
	d.Status, err = a.account(sel, g.row, g.line, kindSource, kindChanged)
	if err != nil {
		return err
	}
	for _, of := range g.years {
		of.Delays.end()
	}
	kinds := make(map[string]*HostStatus)
	for kind, n := range d.Status.Kinds {
		kinds[kind] = &HostStatus{Open: n}
	}
	d.Hosts = byTotal(d.Status.Hosts)
	d.Years = byTotal(g.years)
	d.Kinds = byTotal(kinds)
	d.Labels = byTotal(g.labels)
	d.HostsLeft = max(0, len(d.Hosts)-maxHostRows)
	d.Hosts = d.Hosts[:len(d.Hosts)-d.HostsLeft]
	slices.SortFunc(d.Years, func(a, b group) int { return cmp.Compare(a.Name, b.Name) })
	d.Sources = slices.SortedFunc(maps.Values(g.sources), func(a, b *SourceRecord) int {
		return cmp.Compare(a.Source, b.Source)
	})
	d.Late = d.Status.Delays.chart()
	d.Months = g.monthsChart()
	if err := a.files(d); err != nil || !sel.all() {
		return err
	}
	return a.unreadParts(d)
}

// A gathering is the reading of references and lines for a page. It adds rows to the tables of d, and counts the rest.
type gathering struct {
	a             *Archive
	d             *reportData
	years, labels map[string]*HostStatus
	months        map[string]int64 // captures
	sources       map[string]*SourceRecord
}

func (g *gathering) row(r *Row) error {
	of := in(g.years, year(r.Message.Date))
	of.count(r.state.outcome)
	if err := g.a.timely(&g.d.InTime, r); err != nil {
		return err
	}
	switch r.state.outcome {
	case askCaptured:
		of.Delays.add(g.a.delay(r))
		in(g.labels, r.state.word).count(askCaptured)
		g.months[time.Unix(r.state.at, 0).UTC().Format("2006-01")]++
	case askExcepted:
		return g.excepted(r)
	}
	return nil
}

// excepted adds a reference with an exception to its table.
func (g *gathering) excepted(r *Row) error {
	if r.state.removed {
		return nil // by the user, and not by its host
	}
	list := &g.d.Failed
	switch {
	case r.state.givenUp:
		list = &g.d.GivenUp
	case isGone(r.state.word):
		list = &g.d.Gone
	}
	row := reportRow{Row: r}
	if len(list.Rows) < maxReported {
		o, err := g.a.outcome(r.state)
		if err != nil {
			return err
		}
		row.Exception = o.Exception
	}
	list.add(row)
	return nil
}

// line notes the line of a source, or of a body that changed.
func (g *gathering) line(l *ledger.Line, record any) error {
	switch r := record.(type) {
	case *SourceRecord:
		if before := g.sources[r.Source]; r.Gone && before != nil {
			before.Gone = true
			return nil
		}
		g.sources[r.Source] = r
	case *Changed:
		if g.d.keys == nil || g.d.keys[r.Key] {
			g.d.Changes.add(reportRow{Changed: r, Time: l.Time})
		}
	}
	return nil
}

func (g *gathering) monthsChart() []bar {
	names := slices.Sorted(maps.Keys(g.months))
	names = names[max(0, len(names)-maxMonths):]
	var counts []int64
	for _, name := range names {
		counts = append(counts, g.months[name])
	}
	return newChart(names, counts)
}

// byTotal returns groups with their names, the largest first.
func byTotal(m map[string]*HostStatus) (list []group) {
	for name, h := range m {
		list = append(list, group{name, *h})
	}
	slices.SortFunc(list, func(a, b group) int {
		return cmp.Or(cmp.Compare(b.Total(), a.Total()), cmp.Compare(a.Name, b.Name))
	})
	return list
}

// maxMonths bounds the rows of the chart of captures by month, which has the latest.
const maxMonths = 60

// files reads the exceptions of files and messages that cannot be read.
func (a *Archive) files(d *reportData) error {
	var list []*Exception
	first := func() {
		slices.SortFunc(list, func(a, b *Exception) int {
			return cmp.Or(
				cmp.Compare(a.Source, b.Source), cmp.Compare(a.File, b.File),
				cmp.Compare(a.UID, b.UID), cmp.Compare(a.EmailID, b.EmailID),
			)
		})
		list = list[:min(len(list), maxReported)]
	}
	err := a.index.asks(func(_ ask, state askState) error {
		if !state.ofFile() {
			return nil
		}
		e := new(Exception)
		if err := a.line(state.last, e); err != nil {
			return a.unreadable(state.last.place(), ledger.Head{}, err)
		}
		list = append(list, e)
		if len(list) >= 2*maxReported {
			first()
		}
		return nil
	})
	first()
	d.Files = rowList[*Exception]{list, int(d.Status.Files) - len(list)}
	return err
}

// unreadParts reads which messages have parts that could not be looked into, by the latest line of each.
func (a *Archive) unreadParts(d *reportData) error {
	rows := make(map[string]*unreadRow) // by shortSum, of the messages in the table
	left := make(map[string]bool)       // by shortSum, the others
	err := a.lines(func(_ *ledger.Line, record any) error {
		if s, ok := record.(*Sighting); ok {
			if s.Unread != nil {
				d.Unread.add(&unreadRow{nil, s, s.UnreadParts})
			}
			return nil
		}
		m := record.(*MessageRecord)
		k := shortSum(m.SHA256)
		row := rows[k]
		switch {
		case row != nil:
			row.UnreadParts = m.UnreadParts
		case m.Unread == nil:
			delete(left, k)
		case len(d.Unread.Rows) < maxReported:
			rows[k] = &unreadRow{m, nil, m.UnreadParts}
			d.Unread.add(rows[k])
		default:
			left[k] = true
		}
		return nil
	}, kindMessage, kindSighting)
	d.Unread.Left += len(left)
	d.Unread.Rows = slices.DeleteFunc(d.Unread.Rows, func(r *unreadRow) bool { return r.Unread == nil })
	return err
}

// isGone reports whether the Kind with that text means that a body was deleted.
func isGone(word string) bool {
	var kind fetch.Kind
	return kind.UnmarshalText([]byte(word)) == nil && reason(kind, 0) == ItemDeletedOrOutsideRetention
}

// year returns the year in a field Date; "unknown" if it has none from 1970 to 2200.
func year(when string) string {
	t, ok := sensible(when)
	if !ok {
		return "unknown"
	}
	return fmt.Sprint(t.Year())
}

// csvColumns are the columns of [Archive.WriteCSV].
var csvColumns = []string{
	"message", "message_id", "date", "from", "subject", "reference", "dialect", "access_type", "url", "login", "host", "provider", "name",
	"announced_size", "announced_type", "expiration", "state", "capture", "sha256", "size", "content_type", "served_type", "version",
	"final_url", "hops", "address", "tls", "status", "started", "ended", "first_sha256", "held", "forgotten",
	"reason", "kind", "error", "words", "attempts", "due", "given_up", "exchange_file", "exchange_offset", "exchange_length",
	"received", "delay_by", "etag", "last_modified", "as_sent", "version_at", "version_from", "version_until", "history", "item", "delay", "source",
}

// WriteCSV writes a table (RFC 4180): a line with the names of the columns, and a line for each selected reference
// with its outcome, for each capture that sel means. It returns the number of these lines. The encoded-words of
// senders and subjects are decoded. The column delay has a [Delay] in seconds, and as_sent whether the body was last
// modified not later than the message arrived, by its server. A text that a spreadsheet program would take for a
// formula gets a "'" before it.
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
	err = a.meant(sel, func(r *Row) error {
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

// allCustodians returns the mailboxes where each message was seen, in the order of the ledger, by shortSum.
func (a *Archive) allCustodians() (map[string][]string, error) {
	sources := make(map[string][]string)
	return sources, a.lines(func(_ *ledger.Line, record any) error {
		s := record.(*Sighting)
		if k := shortSum(s.Message); s.Message != "" && !slices.Contains(sources[k], s.Source) {
			sources[k] = append(sources[k], s.Source)
		}
		return nil
	}, kindSighting)
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

func (a *Archive) cells(r *Row) ([]string, error) {
	o, err := a.outcome(r.state)
	if err != nil {
		return nil, err
	}
	m := r.Message
	ref := r.Reference
	login := ref.Login
	if o.Capture != nil {
		login = o.Capture.Login
	}
	row := []string{
		m.SHA256, m.MessageID, m.Date, charset.Words(m.From), charset.Words(m.Subject),
		ref.Ref, ref.Dialect, ref.AccessType, a.shown(ref.URL), login, ref.Host, ref.Provider, ref.Name,
		announced(ref.Size), ref.ContentType, stampOf(ref.Expiration), state(o),
	}
	e := cmp.Or(o.Exception, new(Exception))
	c := cmp.Or(o.Capture, new(Capture))
	first := new(Capture)
	f := e.Facts
	size := ""
	if o.Capture != nil {
		f = c.Facts
		size = fmt.Sprint(c.Size)
		first, err = a.firstCapture(ref.Key)
		if err != nil {
			return nil, err
		}
	}
	held := a.index.holds(ref.Key) > 0 || a.index.holds(c.SHA256) > 0
	row = append(row, c.Label, c.SHA256, size, c.ContentType, f.ServedType, c.Version,
		a.shown(f.FinalURL), a.shown(strings.Join(f.Hops, " ")), f.Address, cmp.Or(f.TLS, new(record.TLS)).Version,
		number(int64(f.Status)), stampOf(f.Started), stampOf(f.Ended), first.SHA256,
		mark(held), mark(a.forgets(ref, c)),
		e.Reason, e.Kind, e.Error, e.Words, number(int64(e.Attempts)), stampOf(e.Due), mark(e.GivenUp))
	if x := f.Exchanges; x != nil {
		row = append(row, x.File, fmt.Sprint(x.Offset), fmt.Sprint(x.Length))
	} else {
		row = append(row, "", "", "")
	}
	delay := a.delay(r)
	seconds := ""
	if delay.By != "" {
		seconds = fmt.Sprint(delay.Seconds)
	}
	row = append(row, stampOf(m.Received), delay.By, c.Header.Get("ETag"), c.Header.Get("Last-Modified"), asSent(m, c),
		stampOf(ref.VersionAt), stampOf(c.Modified), stampOf(c.Until), c.History, c.Item)
	for i := range row {
		row[i] = cell(row[i])
	}
	return append(row, seconds), nil // which may be negative, and is no formula
}

// firstCapture returns the first capture of a key; the zero Capture without one, or if its line is lost.
func (a *Archive) firstCapture(key string) (*Capture, error) {
	c := new(Capture)
	at := a.index.captured(key).first
	if at == 0 {
		return c, nil
	}
	err := a.line(at, c)
	if err != nil {
		err = a.unreadable(at.place(), ledger.Head{}, err)
	}
	return c, err
}

// forgets reports whether a capture of a reference, which may be the zero Capture, was forgotten, or the key after its
// captures, or, if it has none, its message.
func (a *Archive) forgets(r *ReferenceRecord, c *Capture) bool {
	sum := c.SHA256
	if sum == "" {
		sum = r.Message
	}
	return a.index.flags(sum)&flagForgotten != 0 || a.index.keyForgotten(shortSum(r.Key))
}

// checked returns the checks with their results, such as "size=match; md5=weak-match". A digest of the reference by
// MD5 or SHA-1 that agrees is a weak match.
func checked(checks []fetch.Check) string {
	var list []string
	for _, c := range checks {
		status := c.Status
		weak := c.Name == "md5" || c.Name == "sha-1"
		if weak && status == fetch.Match {
			status = fetch.WeakMatch
		}
		text := fmt.Sprintf("%s=%s", c.Name, status)
		if c.Form != "" && c.Form != "raw" {
			text += " (" + c.Form + ")"
		}
		list = append(list, text)
	}
	return strings.Join(list, "; ")
}

// asSent reports whether the server of a captured body says that it was last modified not later than the
// message arrived: "yes", "no", or "" if one of the times is not known.
func asSent(m *MessageRecord, c *Capture) string {
	modified, err := http.ParseTime(c.Header.Get("Last-Modified"))
	when, by := m.arrived()
	switch {
	case err != nil || by == "":
		return ""
	case modified.After(when):
		return "no"
	}
	return "yes"
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

// announced returns a size that a reference announces; "" if it announces none.
func announced(size int64) string {
	if size < 0 {
		return ""
	}
	return fmt.Sprint(size)
}

// number returns a number; "" for 0, which is a number that is not known.
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

// cell makes a text fit for a cell:
//
//   - A text that starts a formula for some programs gets a "'" before it.
//   - Control characters and the line ends of Unicode become spaces.
//   - Characters that change the direction of text become U+FFFD.
//   - So do tags, which are letters without a picture (U+E0000 and those that follow).
func cell(s string) string {
	s = visible(s)
	// Where people use fullwidth characters, those begin a formula as well.
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(s, " \u00a0\u3000\ufeff"))
	if strings.ContainsRune("=+-@\uff1d\uff0b\uff0d\uff20", first) {
		return "'" + s
	}
	return s
}

// visible replaces the characters of the last three kinds.
func visible(s string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case unicode.IsControl(c), c == '\u2028', c == '\u2029':
			return ' '
		case unicode.Is(unicode.Bidi_Control, c), c >= 0xE0000 && c <= 0xE0FFF:
			return '\uFFFD'
		}
		return c
	}, strings.ToValidUTF8(s, "\uFFFD"))
}
