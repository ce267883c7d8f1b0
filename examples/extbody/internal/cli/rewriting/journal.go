package rewriting

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/mailbox"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/internal/file/atomicfile"
)

// A Record is one line that --json writes about a rewriting: a record of the reference,
// and the outcome for its body.
type Record struct {
	*record.Record
	Action   string `json:"action,omitempty"`
	Encoding string `json:"encoding,omitempty"` // transfer encoding written
	Unsigned bool   `json:"unsigned,omitempty"` // see rewrite.Item

	// Removed are the parts that went with the reference. StoodIn is the part because
	// of which the reference was left; see rewrite.Item.
	Removed []removal `json:"removed,omitempty"`
	StoodIn string    `json:"stood_in,omitempty"`

	// The state of the signatures before.
	Signatures  []string `json:"signatures,omitempty"`
	AuthResults []string `json:"auth_results,omitempty"`
}

// A removal is a part that was removed.
type removal struct {
	Part string `json:"part"`
	Why  string `json:"why"`
}

// A Letter is the common part of the records of a message.
type Letter struct {
	message *mailbox.Message
	report  *rewrite.Report
}

// newRecord returns the record of an item.
func (w *Run) newRecord(l *Letter, r *record.Record, i rewrite.Item) *Record {
	rr := &Record{Record: r, Action: i.Action.String(), Encoding: i.Encoding, Unsigned: i.Unsigned, StoodIn: i.StoodIn, Signatures: l.report.Signatures}
	for _, a := range l.report.AuthResults {
		rr.AuthResults = append(rr.AuthResults, show.Escape(a))
	}
	r.Warnings = record.Warnings(r.Warnings, i.Diags)
	return rr
}

// remove adds the parts that went with the reference.
func (r *Record) remove(parts []rewrite.Removal) {
	for _, p := range parts {
		r.Removed = append(r.Removed, removal{p.Section, p.Why.String()})
	}
}

// maxPending is how many octets of records wait in memory until their message is in its
// place.
const maxPending = 1 << 20

// A journal is the destination of records: one JSON object a line, or a sentence for
// each failure. A record waits until it is true: commit writes the records that wait,
// and drop forgets them.
type journal struct {
	w    io.Writer
	file *os.File // nil if it is standard error
	json bool

	pending bytes.Buffer
	spill   *atomicfile.File // older records that wait; nil if there are few
	spilled int64            // octets in spill
}

// openJournal returns the journal of a run. It goes to errw if path is "". Records are
// appended to an existing file.
func openJournal(path string, json bool, errw io.Writer) (*journal, error) {
	if path == "" {
		return &journal{w: errw, json: json}, nil
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	return &journal{w: f, file: f, json: true}, nil
}

// add adds a record to those that wait.
func (j *journal) add(r *Record) error {
	if err := j.append(r); err != nil || j.pending.Len() <= maxPending {
		return err
	}
	if j.spill == nil {
		u, err := atomicfile.Temp(os.TempDir())
		if err != nil {
			return err
		}
		j.spill = u
	}
	n, err := j.pending.WriteTo(j.spill.File)
	j.spilled += n
	return err
}

// mark returns the position of the next record among those that wait, and rewind
// forgets the records from a position on.
func (j *journal) mark() int64 { return j.spilled + int64(j.pending.Len()) }

func (j *journal) rewind(mark int64) error {
	if mark >= j.spilled {
		j.pending.Truncate(int(mark - j.spilled))
		return nil
	}
	j.pending.Reset()
	j.spilled = mark
	_, err := j.spill.File.Seek(mark, io.SeekStart)
	return errors.Join(err, j.spill.File.Truncate(mark))
}

func (j *journal) append(r *Record) error {
	if j.json {
		return show.JSON(&j.pending, r)
	}
	if r.Status != record.Failed && r.Status != record.Pending {
		return nil
	}
	where := fmt.Sprintf("%s message %d", r.Message, r.Index)
	if r.Facts != nil {
		where += " part " + r.Ref
	}
	_, err := fmt.Fprintf(&j.pending, "extbody: %s: %s\n", show.Line(where), show.Line(r.Error))
	return err
}

// commit writes the records that wait, after their messages are in place. If it writes
// to a file, it syncs that.
func (j *journal) commit() error {
	defer j.drop()
	if j.spill != nil {
		if _, err := j.spill.File.Seek(0, io.SeekStart); err != nil {
			return err
		}
		if err := copyLines(j.w, j.spill.File); err != nil {
			return err
		}
	}
	if err := copyLines(j.w, &j.pending); err != nil || j.file == nil {
		return err
	}
	if err := j.file.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) {
		return err // and not a pipe, which has nothing to sync
	}
	return nil
}

// copyLines writes each line with one Write, so that programs can share a file.
func copyLines(w io.Writer, r io.Reader) error {
	lines := bufio.NewReaderSize(r, 64<<10)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			if _, err := w.Write(line); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// drop forgets the records that wait, since they did not come true.
func (j *journal) drop() {
	j.pending.Reset()
	if j.spill != nil {
		j.spill.Discard()
		j.spill, j.spilled = nil, 0
	}
}

func (j *journal) close() error {
	j.drop()
	if j.file == nil {
		return nil
	}
	return j.file.Close()
}
