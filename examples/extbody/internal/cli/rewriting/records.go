package rewriting

import (
	"encoding/hex"
	"slices"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/bodystore"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/fetch"
)

// Inlined returns the records about a body that was to be put in.
func (w *Run) Inlined(l *Letter, i rewrite.Item) []*Record {
	var records []*Record
	for _, ref := range i.References {
		r := w.newRecord(l, record.New(record.InFile(l.message), ref, w.Exact), i)
		res := &record.Result{Report: i.Resolved, Err: i.Err}
		served := i.Resolved != nil && i.Resolved.Reference == ref
		if served || i.Action == rewrite.Noticed && len(records) == 0 {
			r.remove(i.Removed)
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
			if f := failureOf(i.Resolved, ref); f != nil {
				res.Err = f
			}
			r.Resolved(res, w.Exact)
		}
		records = append(records, r)
	}
	return records
}

// failureOf returns why the body of a reference could not be had, or nil if that is not
// known.
func failureOf(r *externalbody.Report, ref *externalbody.Reference) error {
	if r == nil {
		return nil
	}
	if i := slices.IndexFunc(r.Failures, func(f externalbody.Failure) bool { return f.Reference == ref }); i >= 0 {
		return r.Failures[i].Err
	}
	return nil
}

// isTransient reports whether a body that could not be had may be had later.
func isTransient(i rewrite.Item) bool {
	if i.Action != rewrite.Failed && i.Action != rewrite.Noticed {
		return false
	}
	if fetch.KindOf(i.Err).Transient() {
		return true
	}
	return i.Resolved != nil && slices.ContainsFunc(i.Resolved.Failures, func(f externalbody.Failure) bool {
		return fetch.KindOf(f.Err).Transient()
	})
}

// Externalized returns the record about a part that was to be taken out.
func (w *Run) Externalized(l *Letter, i rewrite.Item, store *bodystore.Bodies) []*Record {
	r := &record.Record{Place: record.InFile(l.message).Escaped()}
	switch {
	case i.Action == rewrite.Replaced:
		r = record.New(record.InFile(l.message), i.References[0], w.Exact)
		r.Status = record.OK
		where := store.Where(i.Section)
		r.Outcome = &record.Outcome{Bytes: &where.Size, SHA256: where.SHA256, File: show.Escape(where.Path)}
	default:
		r.Facts = &record.Facts{}
		r.Resolved(&record.Result{Err: i.Err}, w.Exact)
	}
	r.Part, r.Ref = i.Section, i.Section
	return []*Record{w.newRecord(l, r, i)}
}

// Normalized returns the records about a reference to which a part was to be added.
func (w *Run) Normalized(l *Letter, i rewrite.Item) []*Record {
	var records []*Record
	for _, ref := range i.References {
		r := record.New(record.InFile(l.message), ref, w.Exact)
		if i.Err != nil {
			r.Resolved(&record.Result{Err: i.Err}, w.Exact)
		}
		records = append(records, w.newRecord(l, r, i))
	}
	return records
}
