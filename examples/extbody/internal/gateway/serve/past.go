package serve

import (
	"fmt"
	"slices"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/inspect"
)

// A Past is a decision that is shown to the operator: one on a message that has
// references or could not be looked at in full.
type Past struct {
	Time    time.Time
	Front   string
	QueueID string
	Verdict inspect.Verdict
	Action  inspect.Action
	Rule    string
	Reasons []string // for each reference; after ten, how many more there are
}

// remember keeps a decision. When there are maxPast, it replaces the oldest one.
func (e *Engine) remember(p Past) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.last) < maxPast {
		e.last = append(e.last, p)
		return
	}
	e.last[e.next] = p
	e.next = (e.next + 1) % maxPast
}

// Last returns the last decisions, the newest first, at most 100.
func (e *Engine) Last() []Past {
	e.mu.Lock()
	defer e.mu.Unlock()
	list := append(slices.Clone(e.last[e.next:]), e.last[:e.next]...)
	slices.Reverse(list)
	return list
}

// reasons returns the outcome for each reference, in words.
func reasons(rep *inspect.Report) []string {
	var list []string
	if rep.Failure != 0 {
		list = append(list, "not looked at in full: "+rep.Failure.String())
	}
	for _, reason := range rep.UnreadReasons() {
		list = append(list, "not looked into: "+reason)
	}
	for i := range rep.Refs {
		if len(list) == 10 {
			return append(list, fmt.Sprintf("and %d more", len(rep.Refs)-i))
		}
		r := &rep.Refs[i]
		s := fmt.Sprintf("%s %s: %s", r.Dialect, Plain(r.Host), r.State)
		if r.Kind != 0 {
			s += ", " + r.Kind.String()
		}
		if r.Mismatch {
			s += fmt.Sprintf(", said to be %q, is %q", r.Said, r.Sniffed)
		}
		if r.Scan != inspect.Unscanned {
			s += fmt.Sprintf(", scan %s %s", r.Scan, Plain(r.Signature))
		}
		if r.Oversize {
			s += "(longer than the scanner takes)"
		}
		list = append(list, s)
	}
	return list
}
