package record

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// Failures are the files of a message that cannot be had, for people. Files of one host that cannot be had
// for the same reason share a line. The zero Failures has none.
type Failures struct {
	groups []*failure
	shared map[failureKey]*failure // those that others may join
}

type failureKey struct{ shared, wayOut string }

// A failure is the files of one line.
type failure struct {
	numbers []int                   // in the list
	ref     *externalbody.Reference // the first
	host    string
	kind    fetch.Kind
	alone   string // the reason if there is one file
	shared  string // the reason if there are several
	wayOut  string // the end of the line
	after   time.Time
}

// Add adds a file by the number of its line in the list. wayOut is the end of its line.
func (f *Failures) Add(number int, ref *externalbody.Reference, err error, wayOut string) {
	added := newFailure(ref, err, wayOut)
	key := failureKey{added.shared, wayOut}
	g := f.shared[key]
	if g == nil {
		g = added
		f.groups = append(f.groups, g)
	}
	g.numbers = append(g.numbers, number)
	if added.after.After(g.after) {
		g.after = added.after
	}
	if g.host == "" {
		return
	}
	if f.shared == nil {
		f.shared = make(map[failureKey]*failure)
	}
	f.shared[key] = g
}

func newFailure(ref *externalbody.Reference, err error, wayOut string) *failure {
	g := &failure{ref: ref, kind: fetch.KindOf(err), alone: Reason(err), wayOut: wayOut}
	e := innermost(err)
	g.host = hostOf(e)
	if g.host == "" {
		return g
	}
	if words := silence(e); words != "" {
		g.alone = g.host + ": " + words
		g.shared = g.alone
		return g
	}
	g.after = e.After
	g.shared = g.host + ": " + (&fetch.Error{Kind: e.Kind, Err: e.Err}).Error()
	return g
}

// Lines returns the lines, in the order of the list. They are not escaped.
func (f *Failures) Lines() []string {
	groups := f.merged()
	for _, g := range groups {
		slices.Sort(g.numbers)
		g.numbers = slices.Compact(g.numbers)
	}
	slices.SortStableFunc(groups, func(g, h *failure) int { return cmp.Compare(g.numbers[0], h.numbers[0]) })
	var lines []string
	for _, g := range groups {
		lines = append(lines, g.line())
	}
	return lines
}

// merged returns the groups, with the files that were not asked for, since their host had just failed, in
// the group of that failure.
func (f *Failures) merged() []*failure {
	silent := make(map[string]*failure)
	for _, g := range f.groups {
		if g.kind == fetch.Unavailable && g.host != "" && silent[g.host] == nil {
			silent[g.host] = g
		}
	}
	var kept []*failure
	for _, g := range f.groups {
		first := silent[g.host]
		if g.kind != fetch.Deferred || first == nil {
			kept = append(kept, g)
			continue
		}
		first.numbers = append(first.numbers, g.numbers...)
	}
	return kept
}

func (g *failure) line() string {
	if len(g.numbers) == 1 {
		return InList(g.numbers[0], g.ref) + ": " + g.alone + g.wayOut
	}
	line := fmt.Sprintf("%s: %s%s", Ranges(g.numbers), g.shared, g.wayOut)
	if !g.after.IsZero() {
		line += "; try again after " + g.after.UTC().Format(time.RFC3339)
	}
	return line
}
