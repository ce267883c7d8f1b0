package rewriting

import (
	"bufio"
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"syscall"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/bodystore"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/source"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/terminal"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/file/spool"
	"github.com/go-extbody/extbody/internal/mime/message"
)

// Path is the file of the message.
func (l *Letter) Path() string { return l.message.Path }

// failure returns the failure of a file, or nil if records are JSON.
func (w *Run) failure(l *Letter, ref *externalbody.Reference, err error) *failure {
	if w.journal.json {
		return nil
	}
	f := &failure{number: w.numberInList(l, ref), ref: ref, err: err}
	if w.WayOut != nil {
		f.wayOut = w.WayOut(ref, err)
	}
	return f
}

// numberInList returns the number of a file in the list. As list does, it reads all dialects if the run reads
// none.
func (w *Run) numberInList(l *Letter, ref *externalbody.Reference) int {
	if l.lines == nil {
		msg := l.opened
		if w.Reading.Standard() {
			// The index may have references from before an error.
			listed, _ := w.Reading.OpenListed(l.message)
			msg = cmp.Or(listed, msg)
		}
		l.lines = make(map[string]int)
		for ref := range msg.References() {
			l.lines[ref.ID] = len(l.lines) + 1
		}
	}
	return l.lines[ref.ID]
}

// maxHeader bounds how much of the header of a part is read for its name.
const maxHeader = 64 << 10

// nameOfPart returns the words that name a part of a message to people: its file name if it has one, and
// its section.
func nameOfPart(l *Letter, section string) string {
	index, r := message.IndexOf(l.opened.Reader())
	part := index.Sections()[section]
	if part == nil {
		return "part " + section
	}
	header, err := message.ReadSpan(r, part.Header.First(maxHeader))
	names := message.FileNames(header)
	if err != nil || len(names) == 0 {
		return "part " + section
	}
	return fmt.Sprintf("%s (part %s)", names[0], section)
}

func (w *Run) newRecord(l *Letter, r *record.Record, i rewrite.Item) *Record {
	rr := &Record{
		Record: r, Action: i.Action.String(), Encoding: i.Encoding, Unsigned: i.Unsigned, StoodIn: i.StoodIn,
		Signatures: l.report.Signatures,
	}
	for _, a := range l.report.AuthResults {
		rr.AuthResults = append(rr.AuthResults, show.Escape(a))
	}
	r.Warnings = record.Warnings(r.Warnings, i.Diags)
	return rr
}

// maxPending is how many octets of records wait in memory until their message is in its
// place. More of them wait in a temporary file.
const maxPending = 1 << 20

// openJournal returns the journal of a run. It goes to errw if path is "". Records are
// appended to an existing file.
func openJournal(path string, json bool, errw io.Writer) (*journal, error) {
	j := &journal{w: errw, json: json, width: terminal.Width(errw), earlier: spool.Spool{Memory: maxPending}}
	if path == "" {
		return j, nil
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	j.w = f
	j.file = f
	j.json = true
	return j, nil
}

// add adds a record of the last message to those that wait.
func (j *journal) add(r *Record) error {
	if j.json {
		return show.JSON(&j.last, r)
	}
	where := source.Numbered(r.Message, r.Index)
	for _, l := range r.Loads {
		j.say(where, "still loads "+l.String())
	}
	if r.Status != record.Failed && r.Status != record.Pending {
		return nil
	}
	if f := r.failed; f != nil {
		j.where = where
		j.failures.Add(f.number, f.ref, f.err, f.wayOut)
		return nil
	}
	if r.file != "" {
		where += ": " + r.file
	}
	j.say(where, r.Error)
	return nil
}

// say adds a sentence to the records of the last message.
func (j *journal) say(where, text string) {
	j.last.WriteString(show.Wrap("extbody: "+show.Line(where+": "+text), j.width) + "\n")
}

// settle adds the lines about the failures of the last message to those that wait.
func (j *journal) settle() {
	for _, line := range j.failures.Lines() {
		j.say(j.where, line)
	}
	j.failures = record.Failures{}
}

// next starts the records of another message.
func (j *journal) next() error {
	j.settle()
	_, err := j.last.WriteTo(&j.earlier)
	return err
}

// retract forgets the records of the last message.
func (j *journal) retract() {
	j.last.Reset()
	j.failures = record.Failures{}
}

// commit writes the records that wait, after their messages are in place. Each line is
// one Write, so that programs can share a file, which is synced.
func (j *journal) commit() error {
	defer j.drop()
	j.settle()
	lines := bufio.NewReader(io.MultiReader(j.earlier.Section(), &j.last))
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			break
		}
		if err == nil {
			_, err = j.w.Write(line)
		}
		if err != nil {
			return err
		}
	}
	if j.file == nil {
		return nil
	}
	if err := j.file.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) {
		return err // and not a pipe, which has nothing to sync
	}
	return nil
}

// drop forgets the records that wait, since they did not come true.
func (j *journal) drop() {
	j.retract()
	j.earlier.Reset()
}

func (j *journal) close() error {
	j.earlier.Close()
	if j.file == nil {
		return nil
	}
	return j.file.Close()
}

// Inlined returns the records about a body that was to be put in.
func (w *Run) Inlined(l *Letter, i rewrite.Item) []*Record {
	var records []*Record
	for _, ref := range i.References {
		r := w.newRecord(l, record.New(record.InFile(l.message), ref, w.Exact), i)
		res := &record.Result{Report: i.Resolved, Err: i.Err}
		served := i.Resolved != nil && i.Resolved.Reference == ref
		if served || i.Action == rewrite.Noticed && len(records) == 0 {
			for _, p := range i.Removed {
				r.Removed = append(r.Removed, removal{p.Section, p.Why.String()})
			}
		}
		switch {
		case (i.Action == rewrite.Replaced || i.Action == rewrite.Added) && served:
			r.Resolved(res, w.Exact)
			r.Status = record.OK
			r.Bytes = &i.Resolved.Bytes
			r.Verified = i.Resolved.Verified()
			r.SHA256 = hex.EncodeToString(i.Resolved.SHA256)
		case i.Err == nil:
			r.Status = record.Skipped
		default:
			if i.Resolved != nil {
				for _, f := range i.Resolved.Failures {
					if f.Reference == ref {
						res.Err = f.Err
					}
				}
			}
			r.Resolved(res, w.Exact)
			r.failed = w.failure(l, ref, res.Err)
		}
		records = append(records, r)
	}
	return records
}

// IsTransient reports whether a body that could not be had may be had later.
func IsTransient(i rewrite.Item) bool {
	if i.Action != rewrite.Failed && i.Action != rewrite.Noticed {
		return false
	}
	if mayPass(i.Err) {
		return true
	}
	return i.Resolved != nil && slices.ContainsFunc(i.Resolved.Failures, func(f externalbody.Failure) bool { return mayPass(f.Err) })
}

// mayPass reports whether another try may succeed. A fault of our own disk can be mended meanwhile.
func mayPass(err error) bool {
	kind := fetch.KindOf(err)
	return kind.Transient() || kind == fetch.Local
}

// Externalized returns the record about a part that was to be taken out.
func (w *Run) Externalized(l *Letter, i rewrite.Item, store *bodystore.Bodies) []*Record {
	r := &record.Record{Place: record.InFile(l.message).Escaped()}
	if i.Action == rewrite.Replaced {
		r = record.New(record.InFile(l.message), i.References[0], w.Exact)
		r.Status = record.OK
		where := store.Where(i.Section)
		r.Outcome = &record.Outcome{Bytes: &where.Size, SHA256: where.SHA256, File: show.Escape(where.Path)}
	} else {
		r.Facts = &record.Facts{}
		r.Resolved(&record.Result{Err: i.Err}, w.Exact)
	}
	r.Part = i.Section
	r.Ref = i.Section
	rr := w.newRecord(l, r, i)
	if i.Err != nil && !w.journal.json {
		rr.file = nameOfPart(l, i.Section)
	}
	return []*Record{rr}
}

// Normalized returns the records about a reference to which a part was to be added.
func (w *Run) Normalized(l *Letter, i rewrite.Item) []*Record {
	var records []*Record
	for _, ref := range i.References {
		r := w.newRecord(l, record.New(record.InFile(l.message), ref, w.Exact), i)
		if i.Err != nil {
			r.Resolved(&record.Result{Err: i.Err}, w.Exact)
			r.failed = w.failure(l, ref, i.Err)
		}
		records = append(records, r)
	}
	return records
}
