package archive

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
)

func (r *Run) index(x *index, l *ledger.Line, _ place) error {
	switch {
	case r.Format != Format:
		return fmt.Errorf("%s: the format is version %d, and this program knows version %d", l.Place, r.Format, Format)
	case r.Event == "accept":
		for i, g := range r.Gaps {
			x.put(fmt.Sprintf("%s%d %d", keyGap, l.Seq, i), fmt.Appendf(nil, "%s\n%s", g.Before, g.After))
		}
	case r.Event != "begin":
		if r.Event == "stamp" { // of the line before
			sum := sumOf(l.Prev)
			x.put(stampedKey(l.Seq-1), sum[:])
		}
		if r.Rules != "" && r.ReadTo != "" {
			x.put(readKey(r.Rules), []byte(r.ReadTo))
		}
		x.put(keyOpen, nil)
	default:
		x.put(keyRules, []byte(r.Rules))
		if x.load(keyOpen) == nil { // recover starts with the first run that has not ended
			x.put(keyOpen, fmt.Appendf(nil, "%s %d %d", l.Place.File, l.Place.Offset, l.Seq))
		}
	}
	return nil
}

func (r *SourceRecord) index(x *index, _ *ledger.Line, _ place) error {
	if r.Rules != "" {
		x.put(sourceKey(r.Source), []byte(r.Rules))
	}
	x.put(lineKey(r.Source), []byte(r.short()))
	switch key := presenceKey(r.Source); {
	case r.Gone:
		x.put(key, []byte(sourceGone))
	case r.Error != "":
	case r.Seen+r.Excepted+r.Older > 0:
		x.put(key, []byte(sourceHasMail))
	case string(x.load(key)) == sourceHasMail:
		x.put(key, []byte(sourceHadMail))
	case string(x.load(key)) == sourceGone:
		x.put(key, nil)
	}
	switch key := stateKey(r.Source); {
	case r.State != "":
		x.put(key, fmt.Appendf(nil, "%d %d %q", r.Seen, r.Stored, r.State))
	case x.load(key) != nil:
		x.put(key, nil)
	}
	return nil
}

func (r *MessageRecord) index(x *index, l *ledger.Line, at place) error {
	if r.Stored {
		x.storing(r.SHA256, l)
		x.object(r.SHA256, func(s *objectState) { s.flags = s.flags&^flagForgotten | flagStored })
	}
	places := x.load(messageKey(r.SHA256))
	switch {
	case places != nil && r.References == 0:
		return nil // the message was known, and is stored only now
	case !r.Again:
		places = nil // it had no lines of references
	}
	x.put(messageKey(r.SHA256), binary.AppendVarint(slices.Clip(places), int64(at)))
	return nil
}

func (r *Sighting) index(x *index, _ *ledger.Line, _ place) error {
	// If the run has other rules than the source, they do not hold for the source now.
	key := sourceKey(r.Source)
	if by := x.load(key); by != nil && string(by) != string(x.load(keyRules)) {
		x.put(key, nil)
	}
	before := string(x.load(sightingKey(r)))
	short := shortSum(r.Message)
	isOther := r.File != "" && before != "" && before != short
	if r.Offset > 0 || isOther {
		x.put(fileKey(r, short), []byte{})
	}
	if isOther { // two files of a Maildir may have one unique name
		x.put(fileKey(r, before), []byte{})
	}
	if key := emailKey(r); key != "" {
		x.put(key, fmt.Appendf(nil, "%s %s", x.load(keyRules), r.Message))
	}
	x.put(sightingKey(r), []byte(short))
	return nil
}

func (r *ReferenceRecord) index(x *index, _ *ledger.Line, at place) error {
	key := askKey(newAsk(r.Key, r.Expect))
	var expires int64
	if !r.Expiration.IsZero() {
		expires = r.Expiration.Unix()
	}
	if r.Replaces != nil {
		x.replace(r)
	}
	s := askState{ref: at}
	if v := x.load(key); v != nil {
		s = parseAsk(v)
		later := expires == 0 || s.expires != 0 && s.expires <= expires
		if later && !s.idle {
			return nil
		}
		if later {
			expires = s.expires
		}
		if s.idle {
			s.ref = at
			s.idle = false
		}
	}
	s.expires = expires
	x.put(key, s.bytes())
	return nil
}

// replace notes that a line replaces the one of the same reference that has the other expectation.
func (x *index) replace(r *ReferenceRecord) {
	x.replaces = true
	x.put(keyReplaced, []byte{1})
	x.put(replacedKey(r, *r.Replaces), []byte{1})
	if a := newAsk(r.Key, *r.Replaces); x.load(askKey(a)) != nil {
		x.outcome(a, func(s *askState) { s.idle = true })
	}
}

func (r *Capture) index(x *index, l *ledger.Line, at place) error {
	ended := r.endedAt(l)
	if !r.NotModified {
		x.storing(r.SHA256, l)
		x.object(r.SHA256, func(s *objectState) {
			s.flags = s.flags&^flagForgotten | flagStored
			s.size = max(r.Size, 0)
		})
	}
	if key := hostKey(r.Host); x.load(key) != nil && !r.Compared {
		x.put(key, nil) // it answers
	}
	forgotten := placeOf(x.load(forgetKey(shortSum(r.Key))))
	chain := parseCaptured(x.load(capturedKey(r.Key))).with(r, at, ended, forgotten)
	x.put(capturedKey(r.Key), chain.bytes())
	if i := r.interval(at); i.isKnown() && !r.Compared && !r.NotModified {
		x.put(intervalKey(r.Key), i.append(x.load(intervalKey(r.Key))))
	}
	x.outcome(newAsk(r.Key, r.Expect), func(s *askState) {
		s.outcome = askCaptured
		s.due = 0
		s.at = ended
		s.since = chain.since
		s.delivered = chain.delivered
		s.last = at
		s.captured = at
		s.word = r.Label
	})
	return nil
}

// endedAt returns when a capture with a line ended, in Unix seconds.
func (r *Capture) endedAt(l *ledger.Line) int64 {
	if r.Ended.IsZero() {
		return l.Time.Unix()
	}
	return r.Ended.Unix()
}

func (r *Exception) index(x *index, l *ledger.Line, at place) error {
	a := newAsk(r.Key, r.Expect)
	if r.Key == "" {
		a = fileAsk(r)
		if r.Source == "" && strings.HasPrefix(r.File, lostPrefix) {
			x.lose(r.File, r.Resolved)
		}
		if r.Resolved {
			x.put(askKey(a), nil)
			return nil
		}
	}
	if r.Host != "" && r.Header.Get("Retry-After") != "" && !r.Due.IsZero() {
		x.put(hostKey(r.Host), fmt.Appendf(nil, "%d %d", r.Due.Unix(), l.Time.Unix()))
	}
	forgotten := placeOf(x.load(forgetKey(shortSum(r.Key))))
	x.outcome(a, func(s *askState) {
		s.last = at
		if s.outcome == askCaptured && s.captured > forgotten {
			return // a captured reference stays captured
		}
		s.outcome = askExcepted
		s.at = l.Time.Unix()
		s.due = 0
		s.attempts = byte(min(r.Attempts, 255))
		s.throttled = r.Reason == Throttling
		s.givenUp = r.GivenUp
		if r.Key != "" {
			s.word = r.Kind
		}
		if !r.Due.IsZero() {
			s.due = r.Due.Unix()
		}
	})
	return nil
}

func (r *Hold) index(x *index, _ *ledger.Line, _ place) error {
	for _, sum := range slices.Concat(r.Objects, r.Keys) {
		x.object(sum, func(s *objectState) {
			switch {
			case !r.Release && s.holds < 255:
				s.holds++
			case r.Release && s.holds > 0:
				s.holds--
			}
		})
	}
	return nil
}

func (r *Forget) index(x *index, l *ledger.Line, at place) error {
	x.forgets = append(x.forgets, l.Place)
	for _, o := range r.Objects {
		x.object(o.SHA256, func(s *objectState) { s.flags |= flagForgotten })
	}
	for _, key := range r.Keys {
		x.put(forgetKey(shortSum(key)), binary.BigEndian.AppendUint64(nil, uint64(at)))
	}
	return nil
}

// referencesOf calls f with each reference of a message in the ledger.
func (a *Archive) referencesOf(sum string, f func(*ReferenceRecord) error) error {
	for _, at := range a.index.message(sum) {
		l, err := a.places.At(at.place())
		m := new(MessageRecord)
		if err == nil {
			err = l.Body(m)
		}
		for n := 0; err == nil && n < m.References; n++ {
			l, err = a.places.At(l.End())
			if err != nil {
				break
			}
			if l.Kind != kindReference {
				break // early versions wrote no references with a message that was stored later
			}
			r := new(ReferenceRecord)
			err = l.Body(r)
			if err == nil && !a.index.isReplaced(r) {
				err = f(r)
			}
		}
		if _, damaged := errors.AsType[*ledger.Fault](err); damaged {
			err = a.unreadable(at.place(), ledger.Head{}, err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func sumOf(hexDigits string) (sum [sha256.Size]byte) {
	hex.Decode(sum[:], []byte(hexDigits[:min(len(hexDigits), 2*sha256.Size)]))
	return sum
}
