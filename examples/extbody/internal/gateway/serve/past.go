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

// remember keeps the last maxPast decisions.
func (e *Engine) remember(p Past) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.last = append(e.last[max(0, len(e.last)+1-maxPast):], p)
}

// Last returns the last decisions, the newest first, at most 100.
func (e *Engine) Last() []Past {
	e.mu.Lock()
	defer e.mu.Unlock()
	list := slices.Clone(e.last)
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
		list = append(list, Plain(rep.Refs[i].Text()))
	}
	return list
}
