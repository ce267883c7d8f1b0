package archive

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/internal/file/atomicfile"
)

// An index is the database that a run looks up in. It is the result of applying the lines of
// the ledger one after the other: a table, and the changes since it was written. It is made
// anew from the ledger if it is missing or does not fit.
//
// Its records have these keys, which begin with the letter of the key functions below, and
// values:
//
//	m  position; open, the run that has not ended; rules of the last run; by rules, the place up to which objects have been read by them
//	g  digest of a message: places of its lines before lines of references, or of its first line
//	s  digest of the name of a source: rules by which all of its messages have been read
//	p  digest of the place of a sighting: digest of the message; digest of an mbox and a message: nothing
//	a  key and expectation: state
//	c  key: places of the lines of the latest capture and of the first
//	o  digest of an object, or key: flags, number of holds, and the size if it is a captured body
//
// Digests are cut to 16 octets: two are equal only by an attack. Values are short, so that a
// million references need some hundred megabytes of disk and little memory.
type index struct {
	temp   string // the folder for a table of a run that changes much
	mu     sync.RWMutex
	base   *table // nil if it is empty
	held   map[string][]byte
	broken atomic.Pointer[error] // of reading the table

	// The lines that were applied.
	head ledger.Head
	next ledger.Place // after the head
	last time.Time    // of the head

	saved ledger.Head // of the file that was opened
}

// maxHeld is the number of changes above which a run writes a table, some 40 MB.
const maxHeld = 400_000

const (
	keyPosition = "m position"
	keyOpen     = "m open"
	keyRules    = "m rules"
)

// maxRules bounds rules, in octets, so that the key of readKey is short.
const maxRules = 16

func readKey(rules string) string   { return "m read " + rules[:min(len(rules), maxRules)] }
func messageKey(sum string) string  { return "g" + shortSum(sum) }
func objectKey(sum string) string   { return "o" + shortSum(sum) }
func capturedKey(key string) string { return "c" + shortSum(key) }
func askKey(a ask) string           { return "a" + string(a[:]) }
func sourceKey(name string) string  { return "s" + shortSum(digest(name)) }

// sightingKey returns the key of the place where a message was seen.
func sightingKey(s *Sighting) string {
	return "p" + shortSum(digest(fmt.Sprintf("%q %d %d %q %d", s.Source, s.UIDValidity, s.UID, s.File, s.Offset)))
}

// fileKey returns the key of a message in an mbox, whatever its offset. When a message before
// it is removed, all offsets change.
func fileKey(s *Sighting) string {
	return "p" + shortSum(digest(fmt.Sprintf("in %q %q %s", s.Source, s.File, s.Message)))
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
	bitThrottled = 1 << 6
	bitGivenUp   = 1 << 7
)

// An ask is asked for once: 16 octets of a key, and 8 of an expectation.
type ask [24]byte

// newAsk returns the ask of a key and an expectation, both in hexadecimal digits.
func newAsk(key, expect string) (a ask) {
	hex.Decode(a[:16], []byte(key[:min(len(key), 32)]))
	hex.Decode(a[16:], []byte(expect[:min(len(expect), 16)]))
	return a
}

// An askState is the value of an ask in the index.
type askState struct {
	outcome   byte
	throttled bool // the host wanted fewer requests
	givenUp   bool
	attempts  byte
	due       int64  // Unix seconds; 0 is never
	at        int64  // the time of the line of the exception, in Unix seconds
	expires   int64  // Unix seconds; 0 is not known
	ref       place  // of the line of the first reference
	last      place  // of the line of the outcome, or 0
	word      string // the Kind of the exception, or the label of the capture; "" for a file or message
}

// isDue reports whether a reference is due, apart from captures that are too old. If the
// latest attempt is more than a day in the future, the clock was wrong then. The reference
// is due now in that case.
func (s *askState) isDue(now time.Time) bool {
	switch s.outcome {
	case askOpen:
		return true
	case askExcepted:
		return s.due != 0 && (s.due <= now.Unix() || s.at > now.Add(24*time.Hour).Unix())
	}
	return false
}

// ofFile reports whether the state belongs to a file or message that cannot be read.
func (s *askState) ofFile() bool { return s.ref == 0 && s.outcome == askExcepted }

// maxWord bounds a word, in octets, because a foreign line may have any.
const maxWord = 40

// bytes returns the state as the index has it: numbers of variable length, and then the
// word. The last number is the distance from ref to last, which is usually small. There
// are millions of states.
func (s *askState) bytes() []byte {
	b := make([]byte, 0, 32)
	first := s.outcome
	if s.throttled {
		first |= bitThrottled
	}
	if s.givenUp {
		first |= bitGivenUp
	}
	b = append(b, first, s.attempts)
	for _, n := range []int64{s.due, s.at, s.expires, int64(s.ref) >> placeBits, int64(s.ref) & (1<<placeBits - 1)} {
		b = binary.AppendVarint(b, n)
	}
	if s.last == 0 {
		return b
	}
	b = binary.AppendVarint(b, int64(s.last-s.ref))
	return append(b, s.word[:min(len(s.word), maxWord)]...)
}

func parseAsk(b []byte) (s askState) {
	if len(b) < 2 {
		return s
	}
	s.outcome, s.attempts = b[0]&^(bitThrottled|bitGivenUp), b[1]
	s.throttled, s.givenUp = b[0]&bitThrottled != 0, b[0]&bitGivenUp != 0
	var month, offset int64
	b = b[2:]
	for _, p := range []*int64{&s.due, &s.at, &s.expires, &month, &offset} {
		v, n := binary.Varint(b)
		if n <= 0 {
			return askState{}
		}
		*p, b = v, b[n:]
	}
	s.ref = place(month<<placeBits | offset)
	if v, n := binary.Varint(b); n > 0 {
		s.last = s.ref + place(v)
		s.word = string(b[n:])
	}
	return s
}

// A place is where a line of the ledger is, as a number: the months since the year 0, and
// the offset in its last placeBits bits.
type place int64

const placeBits = 48

func newPlace(p ledger.Place) place {
	t, err := time.Parse("2006-01", p.File[:min(7, len(p.File))])
	if err != nil {
		return 0
	}
	return place(int64(t.Year()*12+int(t.Month())-1)<<placeBits | p.Offset)
}

func (p place) place() ledger.Place {
	months := int(p >> placeBits)
	return ledger.Place{File: fmt.Sprintf("%04d-%02d.jsonl", months/12, months%12+1), Offset: int64(p) & (1<<placeBits - 1)}
}

// shortSum returns the first 16 octets of a digest in hexadecimal digits.
func shortSum(hexDigits string) string {
	var b [16]byte
	hex.Decode(b[:], []byte(hexDigits[:min(len(hexDigits), 32)]))
	return string(b[:])
}

func fileAsk(e *Exception) ask {
	sum := sha256.Sum256(fmt.Appendf(nil, "file %q %q %d", e.Source, e.File, e.UID))
	return ask(sum[:24])
}

// openIndex opens the index of an archive. temp is a folder for temporary files. The error
// is errDamaged or errStale, or of the
// file, if the index has to be made anew.
func openIndex(dir, temp string) (*index, error) {
	f, size, err := openRegular(dir, "index")
	if err != nil {
		return nil, err
	}
	x := newIndex(temp)
	if x.base, err = openTable(f, size); err == nil {
		var digest string
		var at int64
		if _, e := fmt.Sscanf(string(x.get(keyPosition)), "%d %64s %s %d %d", &x.head.Seq, &digest, &x.next.File, &x.next.Offset, &at); e == nil {
			x.last = time.Unix(at, 0)
			if x.head, e = ledger.ParseHead(fmt.Sprintf("%d %s", x.head.Seq, digest)); e != nil {
				err = errDamaged
			}
			x.saved = x.head
		}
	}
	if err != nil {
		f.Close()
	}
	return x, err
}

func newIndex(temp string) *index { return &index{temp: temp, held: make(map[string][]byte)} }

func (x *index) close() error {
	if x == nil {
		return nil
	}
	err := x.base.close()
	x.base = nil
	return err
}

// fault returns the error of reading the index, if there was one.
func (x *index) fault() error {
	if err := x.broken.Load(); err != nil {
		return fmt.Errorf("index: %w", *err)
	}
	return nil
}

func (x *index) put(key string, value []byte) { x.held[key] = value }

func (x *index) add(l *ledger.Line) error {
	record, err := body(l)
	if err != nil {
		return err
	}
	return x.apply(l, record)
}

// apply applies a line with its record.
func (x *index) apply(l *ledger.Line, record any) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.head, x.next, x.last = ledger.Head{Seq: l.Seq, Digest: l.Digest}, l.End(), l.Time
	x.put(keyPosition, fmt.Appendf(nil, "%s %s %d %d", x.head, x.next.File, x.next.Offset, l.Time.Unix()))
	at := newPlace(l.Place)
	switch r := record.(type) {
	case *Run:
		switch {
		case r.Format != Format:
			return fmt.Errorf("%s: the format is version %d, and this program knows version %d", l.Place, r.Format, Format)
		case r.Event != "begin":
			if r.Rules != "" && r.ReadTo != "" {
				x.put(readKey(r.Rules), []byte(r.ReadTo))
			}
			x.put(keyOpen, nil)
		default:
			x.put(keyRules, []byte(r.Rules))
			if x.load(keyOpen) == nil { // recover begins with the first run that has not ended
				x.put(keyOpen, fmt.Appendf(nil, "%s %d %d", l.Place.File, l.Place.Offset, l.Seq))
			}
		}
	case *SourceRecord:
		if r.Rules != "" {
			x.put(sourceKey(r.Source), []byte(r.Rules))
		}
	case *MessageRecord:
		if r.Stored {
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
	case *Sighting:
		// If the run has other rules than the source, they do not hold for the source now.
		key := sourceKey(r.Source)
		if by := x.load(key); by != nil && string(by) != string(x.load(keyRules)) {
			x.put(key, nil)
		}
		if r.Offset > 0 {
			x.put(fileKey(r), []byte{})
		}
		x.put(sightingKey(r), []byte(shortSum(r.Message)))
	case *ReferenceRecord:
		x.reference(r, at)
	case *Capture:
		x.capture(r, at)
	case *Exception:
		x.exception(r, at, l.Time)
	case *Hold:
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
	case *Forget:
		forget := func(s *objectState) { s.flags |= flagForgotten }
		for _, o := range r.Objects {
			x.object(o.SHA256, forget)
		}
		for _, key := range r.Keys {
			x.object(key, forget)
		}
	}
	if len(x.held) < maxHeld {
		return nil
	}
	return x.spill()
}

// A spilled is a temporary table, which is removed when it is closed.
type spilled struct{ *atomicfile.File }

// Close implements io.Closer.
func (s spilled) Close() error { s.Discard(); return nil }

// spill moves the changes to a temporary table.
func (x *index) spill() error {
	f, err := atomicfile.Temp(x.temp)
	if err != nil {
		return err
	}
	x.mu.Unlock()
	_, err = x.write(f)
	x.mu.Lock()
	size, serr := f.Seek(0, io.SeekCurrent)
	base, berr := openTable(spilled{f}, size)
	if err = errors.Join(err, serr, berr); err != nil {
		f.Discard()
		return err
	}
	err = x.base.close()
	x.base = base
	clear(x.held)
	return err
}

// object changes the state of an object or key.
func (x *index) object(sum string, change func(*objectState)) {
	s := parseObject(x.load(objectKey(sum)))
	change(&s)
	x.put(objectKey(sum), s.bytes())
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

func (x *index) reference(r *ReferenceRecord, at place) {
	key := askKey(newAsk(r.Key, r.Expect))
	var expires int64
	if !r.Expiration.IsZero() {
		expires = r.Expiration.Unix()
	}
	s := askState{ref: at}
	if v := x.load(key); v != nil {
		s = parseAsk(v)
		if expires == 0 || s.expires != 0 && s.expires <= expires {
			return
		}
	}
	s.expires = expires
	x.put(key, s.bytes())
}

func (x *index) capture(c *Capture, at place) {
	if x.load(objectKey(c.Key)) != nil { // a retry brought it back
		x.object(c.Key, func(s *objectState) { s.flags &^= flagForgotten })
	}
	if !c.NotModified {
		x.object(c.SHA256, func(s *objectState) {
			s.flags, s.size = s.flags&^flagForgotten|flagStored, max(c.Size, 0)
		})
	}
	first := at
	if v := x.load(capturedKey(c.Key)); len(v) == 16 {
		first = place(binary.BigEndian.Uint64(v[8:]))
	}
	x.put(capturedKey(c.Key), binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, uint64(at)), uint64(first)))
	x.outcome(newAsk(c.Key, c.Expect), func(s *askState) {
		s.outcome, s.due, s.last, s.word = askCaptured, 0, at, c.Label
	})
}

func (x *index) exception(e *Exception, at place, when time.Time) {
	a := newAsk(e.Key, e.Expect)
	if e.Key == "" {
		a = fileAsk(e)
		if e.Resolved {
			x.put(askKey(a), nil)
			return
		}
	}
	x.outcome(a, func(s *askState) {
		s.last = at
		if s.outcome == askCaptured {
			return // what is captured stays captured
		}
		s.outcome, s.at, s.due = askExcepted, when.Unix(), 0
		s.attempts = byte(min(e.Attempts, 255))
		s.throttled, s.givenUp = e.Reason == Throttling, e.GivenUp
		if e.Key != "" {
			s.word = e.Kind
		}
		if !e.Due.IsZero() {
			s.due = e.Due.Unix()
		}
	})
}

func (x *index) outcome(a ask, change func(*askState)) {
	s := parseAsk(x.load(askKey(a)))
	change(&s)
	x.put(askKey(a), s.bytes())
}

// ask returns the state of an ask, with the outcome that counts.
func (x *index) ask(a ask) (s askState, ok bool) {
	v := x.get(askKey(a))
	return x.counted(a, v), v != nil
}

// counted reads a state. It is the one place that decides which outcome of a reference
// counts, as ARCHIVE.md specifies it: a reference that was forgotten and is not captured is
// an exception that is never due.
func (x *index) counted(a ask, value []byte) askState {
	s := parseAsk(value)
	if s.outcome == askCaptured || parseObject(x.get("o"+string(a[:16]))).flags&flagForgotten == 0 {
		return s
	}
	if s.outcome == askOpen {
		s.outcome, s.word = askExcepted, "gone"
	}
	s.due, s.givenUp = 0, false
	return s
}

// captured returns the places of the latest and the first capture of a key. Both are 0 if
// it was not captured.
func (x *index) captured(key string) (latest, first place) {
	if v := x.get(capturedKey(key)); len(v) == 16 {
		return place(binary.BigEndian.Uint64(v)), place(binary.BigEndian.Uint64(v[8:]))
	}
	return 0, 0
}

func (x *index) flags(sum string) byte { return parseObject(x.get(objectKey(sum))).flags }

// holds reports how often an object or key is held.
func (x *index) holds(sum string) int { return int(parseObject(x.get(objectKey(sum))).holds) }

// message returns the places of the lines of a message that lines of references follow.
func (x *index) message(sum string) (places []place) {
	for v := x.get(messageKey(sum)); len(v) > 0; {
		p, n := binary.Varint(v)
		if n <= 0 {
			break
		}
		places, v = append(places, place(p)), v[n:]
	}
	return places
}

// readTo returns the place in the ledger up to which objects have been read by rules.
func (x *index) readTo(rules string) (p ledger.Place) {
	file, offset, _ := strings.Cut(string(x.get(readKey(rules))), ":")
	n, err := strconv.ParseInt(offset, 10, 64)
	if err != nil || !ledger.IsFile(file) {
		return ledger.Place{}
	}
	return ledger.Place{File: file, Offset: n}
}

// openRun returns the line with which the first run that has not ended began: its place
// and its number. It returns false if every run has ended.
func (x *index) openRun() (p ledger.Place, seq int64, ok bool) {
	_, err := fmt.Sscanf(string(x.get(keyOpen)), "%s %d %d", &p.File, &p.Offset, &seq)
	return p, seq, err == nil
}

// asks calls f with each ask.
func (x *index) asks(f func(ask, askState) error) error {
	return x.each("a", func(key string, v []byte) error {
		var a ask
		copy(a[:], key[1:])
		return f(a, x.counted(a, v))
	})
}

// count returns four numbers: messages; stored messages that are not forgotten; captured
// bodies that are not forgotten; and the octets of these bodies.
func (x *index) count() (messages, stored, bodies, octets int64, err error) {
	err = x.each("g", func(key string, _ []byte) error {
		messages++
		if parseObject(x.get("o"+key[1:])).flags == flagStored {
			stored++
		}
		return nil
	})
	err2 := x.each("o", func(_ string, v []byte) error {
		if s := parseObject(v); s.size >= 0 && s.flags == flagStored {
			bodies++
			octets += s.size
		}
		return nil
	})
	return messages, stored, bodies, octets, errors.Join(err, err2)
}

// catchUp applies the lines that the index lacks. It returns the number of octets of
// unfinished lines. It returns an error if the index does not fit the ledger.
func (x *index) catchUp(dir string) (torn int64, err error) {
	if x.next.File != "" {
		if info, err := os.Stat(filepath.Join(dir, x.next.File)); err != nil || info.Size() < x.next.Offset {
			return 0, errStale
		}
	}
	_, torn, err = ledger.Read(dir, x.next, x.head, nil, x.add)
	return torn, err
}
