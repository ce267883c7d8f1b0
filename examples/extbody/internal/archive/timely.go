package archive

import (
	"cmp"
	"slices"

	"github.com/go-extbody/extbody/fetch"
)

// A timely counts the references to hosts by whether their bodies are in the version of the time of the message.
type timely struct {
	Linked int64 // all of them

	// By the history of the host, captured at the arrival, in the version that the URL names, and by a digest in the
	// message.
	History, Then, Named, Declared int64

	others map[string]int64 // by the reason, in words
}

// An untimely is a reason in words, and how many references have it.
type untimely struct {
	Name  string
	Count int64
}

// thenTime is how many seconds after the arrival of a message a capture has the body of that time.
const thenTime = 5 * 60

func (a *Archive) timely(t *timely, r *Row) error {
	if r.Reference.Host == "" {
		return nil // the body is in the message, or nowhere
	}
	t.Linked++
	word := r.state.word
	delay := a.delay(r)
	isThen := delay.By != "" && delay.By != byDate && delay.Seconds >= 0 && delay.Seconds <= thenTime
	switch {
	case r.state.outcome == askOpen:
		t.others[plain(plainOutcomes, "open")]++
	case r.state.removed:
		t.others[plain(plainOutcomes, keptForgotten)]++
	case r.state.outcome == askExcepted:
		t.others["not captured: "+plain(plainOutcomes, word)]++
	case word == labelVersion && r.Reference.Account != "":
		t.History++
	case word == labelVersion:
		t.Named++
	case word == string(fetch.CaptureDeclared):
		t.Declared++
	case isThen && word != labelRendition:
		t.Then++
	default:
		history, err := a.history(r)
		t.others[plain(plainHistories, history)]++
		return err
	}
	return nil
}

// history returns why a captured reference is not in the version of the time of the message; "" if no account was asked.
func (a *Archive) history(r *Row) (string, error) {
	if r.Reference.Account == "" {
		return map[bool]string{true: labelRendition}[r.state.word == labelRendition], nil
	}
	o, err := a.outcome(r.state)
	if err != nil || o.Capture == nil {
		return "", err
	}
	return o.Capture.History, nil
}

// Percent returns how many of a hundred are in that version, rounded down.
func (t timely) Percent() int64 {
	return 100 * (t.History + t.Then + t.Named + t.Declared) / max(1, t.Linked)
}

// Others returns the reasons of the others, the most frequent one first.
func (t timely) Others() (list []untimely) {
	for name, n := range t.others {
		list = append(list, untimely{name, n})
	}
	slices.SortFunc(list, func(a, b untimely) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name)) })
	return list
}
