package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/internal/mailbox"
)

// A rewriteRecord is one line of what --json writes of a rewriting: a record of
// the reference, and what was done with its body.
type rewriteRecord struct {
	*record
	Action   string `json:"action,omitempty"`
	Encoding string `json:"encoding,omitempty"` // transfer encoding written
	Unsigned bool   `json:"unsigned,omitempty"` // see rewrite.Item

	// What was known of the signatures of the message before.
	Signatures  []string `json:"signatures,omitempty"`
	AuthResults []string `json:"auth_results,omitempty"`
}

// A letterhead is what the records of a message have in common.
type letterhead struct {
	message *mailbox.Message
	report  *rewrite.Report
}

// newRecord returns the record of an item.
func (w *rewriter) newRecord(l *letterhead, r *record, i rewrite.Item) *rewriteRecord {
	rr := &rewriteRecord{record: r, Action: i.Action.String(), Encoding: i.Encoding, Unsigned: i.Unsigned, Signatures: l.report.Signatures}
	for _, a := range l.report.AuthResults {
		rr.AuthResults = append(rr.AuthResults, escaped(a))
	}
	r.Warnings = warnings(r.Warnings, i.Diags)
	return rr
}

// A journal is where records go: one JSON object a line, or a sentence for what
// failed.
type journal struct {
	w    io.Writer
	file *os.File // nil if it is standard error
	json bool
}

// openJournal returns the journal of a run. Records are added to a file that is
// there already.
func (a *app) openJournal(path string, json bool) (*journal, error) {
	if path == "" {
		return &journal{w: a.err, json: json}, nil
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	return &journal{w: f, file: f, json: true}, nil
}

// add writes a record.
func (j *journal) add(r *rewriteRecord) error {
	if !j.json {
		if r.Status != statusFailure && r.Status != statusPending {
			return nil
		}
		where := fmt.Sprintf("%s message %d", r.Message, r.Index)
		if r.facts != nil {
			where += " part " + r.Ref
		}
		// That nobody reads it is no reason to hold mail up.
		fmt.Fprintf(j.w, "extbody: %s: %s\n", oneLine(where), oneLine(r.Error))
		return nil
	}
	var line bytes.Buffer // for one Write, so that programs can share a file
	e := json.NewEncoder(&line)
	e.SetEscapeHTML(false)
	if err := e.Encode(r); err != nil {
		return err
	}
	_, err := j.w.Write(line.Bytes())
	return err
}

func (j *journal) close() error {
	if j.file == nil {
		return nil
	}
	return j.file.Close()
}
