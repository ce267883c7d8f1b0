package archive

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/wording"
)

// A Which says which captures of a reference are meant. The zero Which is the latest one.
type Which struct {
	word  string // "" for the latest, or first, sent, all or until
	until time.Time
}

// ParseWhich reads one of these words or a time:
//
//	latest   the latest capture
//	first    the first one
//	sent     the latest one whose label says that the body was there when the message was sent: declared or version
//	all      each capture with another body than the one before
//	TIME     the latest one that ended at or before a time such as 2025-01-31T12:00:00Z, or before the end of a day
//
// A captured reference without such a capture is open. A capture before a forget of its key does not count.
func ParseWhich(text string) (Which, error) {
	switch text {
	case "", "latest":
		return Which{}, nil
	case "first", "sent", "all":
		return Which{word: text}, nil
	}
	n := &node{name: "until", value: text}
	if n.day() != nil {
		return Which{}, fmt.Errorf("%q: want latest, first, sent, all, or a time such as 2025-01-31T12:00:00Z", text)
	}
	return Which{"until", n.when}, nil
}

// String returns the word or the time.
func (w Which) String() string {
	switch w.word {
	case "":
		return "latest"
	case "until":
		return w.until.UTC().Format(time.RFC3339)
	}
	return w.word
}

// All reports whether all captures are meant.
func (w Which) All() bool { return w.word == "all" }

// latest reports whether the latest capture is meant.
func (w Which) latest() bool { return w.word == "" }

// A bodyVersion is a body that a reference had: the first of its captures that have it, one after the other.
type bodyVersion struct {
	at    place
	ended int64
	since bodyTime // of the chain of the key
	label string
	sum   string // by shortSum
}

// wasSent reports whether the label says that the body was there when the message was sent.
func (v *bodyVersion) wasSent() bool {
	return v.label == string(fetch.CaptureDeclared) || v.label == string(fetch.CaptureVersion)
}

// versions are the bodies that references had, in the order of the ledger. It is nil for the latest captures.
type versions struct {
	which Which
	of    map[ask][]bodyVersion
}

// versions reads the captures that are meant. It reads nothing for the latest ones.
func (a *Archive) versions(w Which) (*versions, error) {
	if w.latest() {
		return nil, nil
	}
	return a.versionsFrom(ledger.Place{}, w, func(string) bool { return true })
}

// versionsOf reads the captures of some keys that are meant.
func (a *Archive) versionsOf(w Which, keys map[string]bool) (*versions, error) {
	var first place
	for key := range keys {
		at := a.index.captured(key).first
		if at != 0 && (first == 0 || at < first) {
			first = at
		}
	}
	if first == 0 {
		return &versions{which: w}, nil
	}
	return a.versionsFrom(first.place(), w, func(key string) bool { return keys[key] })
}

// versionsFrom reads the captures from a place on that are meant, of the keys for which wanted returns true.
func (a *Archive) versionsFrom(from ledger.Place, w Which, wanted func(key string) bool) (*versions, error) {
	all := &versions{w, make(map[ask][]bodyVersion)}
	chains := make(map[string]capturedState) // by the short key
	return all, a.linesFrom(from, func(l *ledger.Line, record any) error {
		c := record.(*Capture)
		at := newPlace(l.Place)
		key := shortSum(c.Key)
		if !wanted(c.Key) || at < a.index.forgotten(key) {
			return nil
		}
		ended := c.endedAt(l)
		chain := chains[key].with(c, at, ended, 0)
		chains[key] = chain
		k := newAsk(c.Key, c.Expect)
		list := all.of[k]
		if n := len(list); n > 0 && list[n-1].sum == chain.sum && list[n-1].label == c.Label {
			return nil
		}
		all.of[k] = append(list, bodyVersion{at, ended, bodyTime{chain.since, chain.delivered}, c.Label, chain.sum})
		return nil
	}, kindCapture)
}

// states returns the states of an ask for the captures that are meant, at least one.
func (v *versions) states(k ask, latest askState) []askState {
	if v == nil || latest.outcome != askCaptured {
		return []askState{latest}
	}
	var states []askState
	for _, x := range v.of[k] {
		s := latest
		s.at = x.ended
		s.since = x.since.at
		s.delivered = x.since.delivered
		s.last = x.at
		s.captured = x.at
		s.word = x.label
		switch {
		case v.which.word == "sent" && !x.wasSent(), v.which.word == "until" && x.ended > v.which.until.Unix():
		case v.which.All():
			states = append(states, s)
		case v.which.word == "first" && states != nil:
		default:
			states = []askState{s}
		}
	}
	if states == nil {
		states = []askState{{outcome: askOpen, ref: latest.ref, expires: latest.expires}}
	}
	return states
}

// had returns the states of an ask for each body that it had, the oldest first; none unless it is captured.
func (v *versions) had(k ask, latest askState) []askState {
	if latest.outcome != askCaptured || len(v.of[k]) == 0 {
		return nil
	}
	return (&versions{Which{word: "all"}, v.of}).states(k, latest)
}

// meant returns the state of an ask for a capture that is meant; of several the latest.
func (v *versions) meant(which Which, k ask, latest askState) askState {
	if which.latest() {
		return latest
	}
	states := (&versions{which, v.of}).states(k, latest)
	return states[len(states)-1]
}

// noticeLater notices how many of the selected references have a later body than one that a term object= finds, if the
// latest one is meant.
func (a *Archive) noticeLater(sel *Selector) error {
	if a.notice == nil || !sel.names("object") || !sel.Capture.latest() {
		return nil
	}
	all, err := a.versions(Which{word: "all"})
	if err != nil {
		return err
	}
	later := 0
	err = a.matches(sel, func(r *Row) error {
		bodies := all.of[r.ask]
		last := len(bodies) - 1
		if r.state.outcome != askCaptured || last < 1 || bodies[last].isOne(sel) {
			return nil
		}
		if slices.ContainsFunc(bodies[:last], func(v bodyVersion) bool { return v.isOne(sel) }) {
			later++
		}
		return nil
	})
	if later > 0 {
		a.notice("object= finds an earlier body of " + wording.Count(later, "reference") + latestIsGiven)
	}
	return err
}

const latestIsGiven = ", and the latest is given here: --capture first, all or a time gives others"

// isOne reports whether a term object= names the body.
func (v *bodyVersion) isOne(sel *Selector) bool {
	sum := hex.EncodeToString([]byte(v.sum))
	for value := range sel.root.values("object") {
		if strings.HasPrefix(sum, strings.ToLower(value[:min(len(value), len(sum))])) {
			return true
		}
	}
	return false
}

// meant calls f with the references that are selected, once for each capture that is meant.
func (a *Archive) meant(sel *Selector, f func(*Row) error) error {
	if err := a.noticeLater(sel); err != nil {
		return err
	}
	v, err := a.versions(sel.Capture)
	if err != nil {
		return err
	}
	earlier := 0
	err = a.matches(sel, func(r *Row) error {
		if r.isEarlier {
			earlier++
		}
		for _, s := range v.states(r.ask, r.state) {
			one := *r
			one.state = s
			if err := f(&one); err != nil {
				return err
			}
		}
		return nil
	})
	a.noticeEarlier(sel, earlier)
	return err
}

// noticeEarlier notices of how many references text= or md5= finds an earlier body than the one that is meant.
func (a *Archive) noticeEarlier(sel *Selector, n int) {
	if n == 0 || a.notice == nil || !sel.Capture.latest() {
		return
	}
	term := "text="
	if !sel.names("text") {
		term = "md5="
	}
	a.notice(term + " finds an earlier body of " + wording.Count(n, "reference") + latestIsGiven)
}
