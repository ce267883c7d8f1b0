package archive

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
)

// An ask is asked for once: 16 octets of a key, and 8 of an expectation.
type ask [24]byte

// newAsk returns the ask of a key and an expectation, both in hexadecimal digits.
func newAsk(key, expect string) (a ask) {
	hex.Decode(a[:16], []byte(key[:min(len(key), 32)]))
	hex.Decode(a[16:], []byte(expect[:min(len(expect), 16)]))
	return a
}

// keptForgotten is the word for references that were forgotten, whatever their hosts answered before: in [Status].Kinds, and
// in the term kind=.
const keptForgotten = "forgotten"

// An askState is the value of an ask in the index.
type askState struct {
	outcome   byte
	throttled bool // the host wanted fewer requests
	givenUp   bool
	forgotten bool // its key was forgotten, and it has no exception of its own; see counted
	removed   bool // its key was forgotten, and not captured since, or its message; like forgotten it is not in the index
	idle      bool // other lines replace those of its references
	attempts  byte
	due       int64  // Unix seconds; 0 is never
	at        int64  // in Unix seconds, the time of the line of the exception, or when the capture that counts ended
	delivered bool   // since is the time of a capture at delivery
	since     int64  // in Unix seconds, when the first capture ended of the chain of the one that counts; see [capturedState]
	expires   int64  // Unix seconds; 0 is not known
	ref       place  // of the line of the first reference
	last      place  // of the line of the latest attempt, or 0
	captured  place  // of the line of the capture that counts, if there is one
	word      string // the Kind of the exception, or the label of the capture; "" for a file or message
}

// isDue reports whether a reference is due, apart from captures that are too old. It is due
// now if the clock was wrong at the latest attempt.
func (s *askState) isDue(now time.Time) bool {
	switch {
	case s.idle:
		return false
	case s.outcome == askOpen:
		return true
	case s.outcome == askExcepted:
		return s.due != 0 && (s.due <= now.Unix() || s.at > now.Add(maxAhead).Unix())
	}
	return false
}

// ofFile reports whether the state belongs to a file or message that cannot be read.
func (s *askState) ofFile() bool { return s.ref == 0 && s.outcome == askExcepted }

// bytes returns the state as the index has it: numbers of variable length, and then the
// word. The last numbers are the distances from ref to last, and from captured to last,
// which are usually small. There are millions of states.
func (s *askState) bytes() []byte {
	b := make([]byte, 0, 32)
	first := s.outcome
	if s.throttled {
		first |= bitThrottled
	}
	if s.givenUp {
		first |= bitGivenUp
	}
	if s.delivered {
		first |= bitDelivered
	}
	if s.idle {
		first |= bitIdle
	}
	b = append(b, first, s.attempts)
	for _, n := range []int64{s.due, s.at, s.expires, int64(s.ref) >> placeBits, int64(s.ref) & (1<<placeBits - 1)} {
		b = binary.AppendVarint(b, n)
	}
	if s.last == 0 {
		return b
	}
	b = binary.AppendVarint(b, int64(s.last-s.ref))
	if s.outcome == askCaptured {
		b = binary.AppendVarint(b, int64(s.last-s.captured))
		b = binary.AppendVarint(b, s.at-s.since)
	}
	return append(b, s.word[:min(len(s.word), maxWord)]...)
}

// maxAhead is how far in the future an attempt may be. If it is more, the clock was wrong then.
const maxAhead = 24 * time.Hour

// maxWord bounds a word, in octets, because a foreign line may have any.
const maxWord = 40

func parseAsk(b []byte) (s askState) {
	if len(b) < 2 {
		return s
	}
	s.outcome = b[0] &^ (bitThrottled | bitGivenUp | bitDelivered | bitIdle)
	s.attempts = b[1]
	s.throttled = b[0]&bitThrottled != 0
	s.givenUp = b[0]&bitGivenUp != 0
	s.delivered = b[0]&bitDelivered != 0
	s.idle = b[0]&bitIdle != 0
	var month, offset int64
	b = b[2:]
	for _, p := range []*int64{&s.due, &s.at, &s.expires, &month, &offset} {
		v, n := binary.Varint(b)
		if n <= 0 {
			return askState{}
		}
		*p = v
		b = b[n:]
	}
	s.ref = place(month<<placeBits | offset)
	if v, n := binary.Varint(b); n > 0 {
		s.last = s.ref + place(v)
		b = b[n:]
	}
	if s.outcome == askCaptured {
		v, n := binary.Varint(b)
		s.captured = s.last - place(v)
		b = b[max(n, 0):]
		v, n = binary.Varint(b)
		s.since = s.at - v
		b = b[max(n, 0):]
	}
	s.word = string(b)
	return s
}

func fileAsk(e *Exception) ask {
	text := fmt.Appendf(nil, "file %q %q %d", e.Source, e.File, e.UID)
	if e.EmailID != "" && e.UID == 0 {
		text = fmt.Appendf(text, " %q", e.EmailID)
	}
	sum := sha256.Sum256(text)
	return ask(sum[:24])
}

// An objectState is the value of an object or key in the index.
type objectState struct {
	flags, holds byte
	size         int64 // of a captured body; -1 for a message or a key
}

func (s *objectState) bytes() []byte {
	b := []byte{s.flags, s.holds}
	if s.size < 0 {
		return b
	}
	return binary.AppendUvarint(b, uint64(s.size))
}

func parseObject(b []byte) objectState {
	if len(b) < 2 {
		return objectState{size: -1}
	}
	s := objectState{flags: b[0], holds: b[1], size: -1}
	if v, n := binary.Uvarint(b[2:]); n > 0 {
		s.size = int64(v)
	}
	return s
}

// A capturedState is the value of the captures of a key in the index. Its chain are the latest captures that have the
// same body, one after the other and without a forget between them.
type capturedState struct {
	latest, first place
	since         int64  // when the first capture of the chain ended, in Unix seconds
	delivered     bool   // since is the time of a capture at delivery
	sum           string // of that body, by shortSum
}

func (s *capturedState) bytes() []byte {
	var b []byte
	for _, n := range []int64{int64(s.latest), int64(s.first), s.since} {
		b = binary.BigEndian.AppendUint64(b, uint64(n))
	}
	if s.delivered {
		return append(append(b, 1), s.sum...)
	}
	return append(append(b, 0), s.sum...)
}

func parseCaptured(b []byte) (s capturedState) {
	if len(b) < 25 {
		return s
	}
	s.latest = place(binary.BigEndian.Uint64(b))
	s.first = place(binary.BigEndian.Uint64(b[8:]))
	s.since = int64(binary.BigEndian.Uint64(b[16:]))
	s.delivered = b[24] == 1
	s.sum = string(b[25:])
	return s
}

// with returns the state after one more capture, which has a line at a place and ended at a time.
func (s capturedState) with(c *Capture, at place, ended int64, forgotten place) capturedState {
	after := capturedState{latest: at, first: at, since: ended, delivered: c.By != "", sum: shortSum(c.SHA256)}
	if s.latest == 0 {
		return after
	}
	after.first = s.first
	if s.sum == after.sum && s.latest > forgotten {
		after.since = s.since
		after.delivered = s.delivered
	}
	return after
}

// Flags of objects.
const (
	flagStored    = 1 << iota // a line names it
	flagForgotten             // a later line removes it
)

// Outcomes of asks.
const (
	askOpen byte = iota // not tried yet
	askCaptured
	askExcepted

	// In the first octet of a state, beside its outcome.
	bitIdle      = 1 << 4
	bitDelivered = 1 << 5
	bitThrottled = 1 << 6
	bitGivenUp   = 1 << 7
)

// A place is where a line of the ledger is, as a number: the months since the year 0, and
// the offset in its last placeBits bits.
type place int64

func (p place) place() ledger.Place {
	months := int(p >> placeBits)
	return ledger.Place{File: fmt.Sprintf("%04d-%02d.jsonl", months/12, months%12+1), Offset: int64(p) & (1<<placeBits - 1)}
}

const placeBits = 48

func newPlace(p ledger.Place) place {
	t, err := time.Parse("2006-01", p.File[:min(7, len(p.File))])
	if err != nil {
		return 0
	}
	return place(int64(t.Year()*12+int(t.Month())-1)<<placeBits | p.Offset)
}

// shortSum returns the first 16 octets of a digest in hexadecimal digits.
func shortSum(hexDigits string) string {
	var b [16]byte
	hex.Decode(b[:], []byte(hexDigits[:min(len(hexDigits), 32)]))
	return string(b[:])
}
