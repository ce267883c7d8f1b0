package archive

import (
	"cmp"
	"maps"
	"slices"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// A Failure is the exceptions of one run that are of one kind, and of one Cause.
type Failure struct {
	Kind  fetch.Kind
	Count int64
	Due   int64 // those that will be asked for again

	// Ref and Err are of the first of them. Ref is nil if its message was not read.
	Ref *externalbody.Reference
	Err error
}

// failed counts an exception. The caller has the lock of the syncer.
func (r *Result) failed(e *Exception, report *externalbody.Report, err error) {
	f := &Failure{Kind: fetch.KindOf(err), Err: err}
	if report != nil {
		f.Ref = report.Reference
	}
	key := f.Kind.String() + " " + fetch.CauseOf(err).String()
	if r.failures == nil {
		r.failures = make(map[string]*Failure)
	}
	if r.failures[key] == nil {
		r.failures[key] = f
	}
	r.failures[key].Count++
	if !e.Due.IsZero() {
		r.failures[key].Due++
	}
}

// Frequent returns the kinds of the exceptions of references, the most frequent first, at most n.
func (r *Result) Frequent(n int) []*Failure {
	list := slices.SortedFunc(maps.Values(r.failures), func(x, y *Failure) int {
		return cmp.Or(cmp.Compare(y.Count, x.Count), cmp.Compare(x.Kind, y.Kind), cmp.Compare(x.Err.Error(), y.Err.Error()))
	})
	return list[:min(n, len(list))]
}
