package archive

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	bolt "go.etcd.io/bbolt"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
)

// An index is the database that a run looks up in. It is the result of applying the lines of
// the ledger one after the other, and is made anew from them if it is missing or does not fit.
//
// Its buckets have these keys and values:
//
//	meta       version; the head up to which the index has the ledger, the place after it, and its time; the run that has not
//	           ended; the rules of the last run; by rules, the place up to which objects have been read by them
//	messages   digest: places of the lines of the message before lines of references, or of its first line
//	sources    digest of the name: rules by which all of its messages have been read
//	sightings  digest of the place: digest of the message; digest of an mbox and a message: nothing
//	asks       key and expectation: state
//	captured   key: places of the lines of the latest capture and of the first
//	objects    digest, or key: flags, number of holds, and the size if it is a captured body
//
// The file that others read is never written; see [Archive.work]. Digests are cut to 16
// octets: two are equal only by an attack. Values are short, so that a million references
// need some hundred megabytes of disk and little memory.
type index struct {
	db *bolt.DB
}

const indexVersion = 8

var (
	bucketMeta      = []byte("meta")
	bucketMessages  = []byte("messages")
	bucketSightings = []byte("sightings")
	bucketAsks      = []byte("asks")
	bucketCaptured  = []byte("captured")
	bucketObjects   = []byte("objects")
	bucketSources   = []byte("sources")

	metaVersion = []byte("version")
	metaHead    = []byte("head")
	metaOpen    = []byte("open")
	metaRules   = []byte("rules")
)

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

func shortSum(hexDigits string) []byte {
	var b [16]byte
	hex.Decode(b[:], []byte(hexDigits[:min(len(hexDigits), 32)]))
	return b[:]
}

// sightingKey returns the key of the place where a message was seen.
func sightingKey(s *Sighting) []byte {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %d %d %q %d", s.Source, s.UIDValidity, s.UID, s.File, s.Offset))
	return sum[:16]
}

// fileKey returns the key of a message in an mbox, whatever its offset. When a message before
// it is removed, all offsets change.
func fileKey(s *Sighting) []byte {
	sum := sha256.Sum256(fmt.Appendf(nil, "in %q %q %s", s.Source, s.File, s.Message))
	return sum[:16]
}

// sourceKey returns the key of a source.
func sourceKey(name string) []byte {
	sum := sha256.Sum256([]byte(name))
	return sum[:16]
}

// metaRead returns the key of the place up to which objects have been read by rules.
func metaRead(rules string) []byte { return []byte("read " + rules[:min(len(rules), maxRules)]) }

// maxRules bounds rules, in octets, so that the key of metaRead is short.
const maxRules = 16

// optional returns the octets of s; nil if it is "".
func optional(s string) []byte {
	if s == "" {
		return nil
	}
	return []byte(s)
}

func fileAsk(e *Exception) ask {
	sum := sha256.Sum256(fmt.Appendf(nil, "file %q %q %d", e.Source, e.File, e.UID))
	return ask(sum[:24])
}

var (
	errStale   = errors.New("the index is of another version or ledger")
	errDamaged = errors.New("the index is damaged")
)

// openIndex opens an index for writing, and makes it if it is missing. Only seal puts it
// on the disk. The error is errStale if the index has another version.
func openIndex(path string) (*index, error) {
	db, err := bolt.Open(path, 0o600, &bolt.Options{Timeout: 200 * time.Millisecond, FreelistType: bolt.FreelistMapType, NoFreelistSync: true, NoSync: true})
	if err != nil {
		return nil, err
	}
	err = db.Update(func(tx *bolt.Tx) error {
		for _, name := range buckets {
			if _, err := tx.CreateBucketIfNotExists(name); err != nil {
				return err
			}
		}
		b := tx.Bucket(bucketMeta)
		switch v := b.Get(metaVersion); {
		case v == nil:
			return b.Put(metaVersion, fmt.Append(nil, indexVersion))
		case string(v) != fmt.Sprint(indexVersion):
			return errStale
		}
		return nil
	})
	if err != nil {
		db.Close()
		return nil, err
	}
	return &index{db}, nil
}

// view calls f with a transaction for reading. A page that cannot be read is an error.
func (x *index) view(f func(*bolt.Tx) error) error {
	return safely(func() error { return x.db.View(f) })
}

// safely calls f, and returns a panic of bbolt about a wrong page as an error. Pages are
// memory that is mapped, so a file that became shorter is a fault of memory.
func safely(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", errDamaged, p)
		}
	}()
	return f()
}

// position returns the head up to which the index has the ledger, the place after that
// line, and its time.
func (x *index) position() (head ledger.Head, next ledger.Place, last time.Time, err error) {
	err = x.view(func(tx *bolt.Tx) error {
		text := string(tx.Bucket(bucketMeta).Get(metaHead))
		if text == "" {
			return nil
		}
		var digest string
		var at int64
		if _, err := fmt.Sscanf(text, "%d %64s %s %d %d", &head.Seq, &digest, &next.File, &next.Offset, &at); err != nil {
			return err
		}
		last = time.Unix(at, 0)
		head, err = ledger.ParseHead(fmt.Sprintf("%d %s", head.Seq, digest))
		return err
	})
	return head, next, last, err
}

// apply applies a line.
func (f *fold) apply(l *ledger.Line) error {
	f.n++
	f.head = ledger.Head{Seq: l.Seq, Digest: l.Digest}
	f.next, f.time = l.End(), l.Time
	at := newPlace(l.Place)
	switch l.Kind {
	case kindRun:
		var r Run
		if err := l.Body(&r); err != nil {
			return err
		}
		if r.Format != Format {
			return fmt.Errorf("%s: the format is version %d, and this program knows version %d", l.Place, r.Format, Format)
		}
		if r.Event == "begin" {
			if err := f.put(bucketMeta, metaRules, optional(r.Rules)); err != nil {
				return err
			}
			if f.get(bucketMeta, metaOpen) != nil {
				return nil // recover begins with the first run that has not ended
			}
			return f.put(bucketMeta, metaOpen, fmt.Appendf(nil, "%s %d %d", l.Place.File, l.Place.Offset, l.Seq))
		}
		if r.Rules != "" && r.ReadTo != "" {
			if err := f.put(bucketMeta, metaRead(r.Rules), []byte(r.ReadTo)); err != nil {
				return err
			}
		}
		return f.put(bucketMeta, metaOpen, nil)
	case kindSource:
		var s SourceRecord
		if err := l.Body(&s); err != nil || s.Rules == "" {
			return err
		}
		return f.put(bucketSources, sourceKey(s.Source), []byte(s.Rules))
	case kindMessage:
		var m MessageRecord
		if err := l.Body(&m); err != nil {
			return err
		}
		if m.Stored {
			if err := f.flag(m.SHA256, flagStored, flagForgotten); err != nil {
				return err
			}
		}
		places := f.get(bucketMessages, shortSum(m.SHA256))
		switch {
		case places != nil && m.References == 0:
			return nil // the message was known, and is stored only now
		case !m.Again:
			places = nil // it had no lines of references
		}
		return f.put(bucketMessages, shortSum(m.SHA256), binary.AppendVarint(slices.Clip(slices.Clone(places)), int64(at)))
	case kindSighting:
		var s Sighting
		if err := l.Body(&s); err != nil {
			return err
		}
		// If the run has other rules than the source, they do not hold for the source now.
		key := sourceKey(s.Source)
		if by := f.get(bucketSources, key); by != nil && string(by) != string(f.get(bucketMeta, metaRules)) {
			if err := f.put(bucketSources, key, nil); err != nil {
				return err
			}
		}
		if s.Offset > 0 {
			if err := f.put(bucketSightings, fileKey(&s), []byte{}); err != nil {
				return err
			}
		}
		return f.put(bucketSightings, sightingKey(&s), shortSum(s.Message))
	case kindReference:
		var r ReferenceRecord
		if err := l.Body(&r); err != nil {
			return err
		}
		return f.reference(&r, at)
	case kindCapture:
		var c Capture
		if err := l.Body(&c); err != nil {
			return err
		}
		return f.capture(&c, at)
	case kindException:
		var e Exception
		if err := l.Body(&e); err != nil {
			return err
		}
		return f.exception(&e, at, l.Time)
	case kindHold:
		var h Hold
		if err := l.Body(&h); err != nil {
			return err
		}
		for _, sum := range slices.Concat(h.Objects, h.Keys) {
			if err := f.hold(sum, h.Release); err != nil {
				return err
			}
		}
	case kindForget:
		var g Forget
		if err := l.Body(&g); err != nil {
			return err
		}
		for _, r := range g.Objects {
			if err := f.flag(r.SHA256, flagForgotten, 0); err != nil {
				return err
			}
		}
		for _, key := range g.Keys {
			if err := f.flag(key, flagForgotten, 0); err != nil {
				return err
			}
		}
	}
	return nil
}

func (f *fold) flag(sum string, set, clear byte) error {
	return f.object(sum, func(s *objectState) { s.flags = s.flags&^clear | set })
}

// hold counts a hold of an object or key, or ends one.
func (f *fold) hold(sum string, release bool) error {
	return f.object(sum, func(s *objectState) {
		switch {
		case !release && s.holds < 255:
			s.holds++
		case release && s.holds > 0:
			s.holds--
		}
	})
}

func (f *fold) object(sum string, change func(*objectState)) error {
	s := parseObject(f.get(bucketObjects, shortSum(sum)))
	change(&s)
	return f.put(bucketObjects, shortSum(sum), s.bytes())
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

func (f *fold) reference(r *ReferenceRecord, at place) error {
	a := newAsk(r.Key, r.Expect)
	var expires int64
	if !r.Expiration.IsZero() {
		expires = r.Expiration.Unix()
	}
	if v := f.get(bucketAsks, a[:]); v != nil {
		s := parseAsk(v)
		if expires == 0 || s.expires != 0 && s.expires <= expires {
			return nil
		}
		s.expires = expires
		return f.put(bucketAsks, a[:], s.bytes())
	}
	s := askState{expires: expires, ref: at}
	return f.put(bucketAsks, a[:], s.bytes())
}

func (f *fold) capture(c *Capture, at place) error {
	if f.get(bucketObjects, shortSum(c.Key)) != nil { // a retry brought it back
		if err := f.flag(c.Key, 0, flagForgotten); err != nil {
			return err
		}
	}
	if !c.NotModified {
		err := f.object(c.SHA256, func(s *objectState) {
			s.flags, s.size = s.flags&^flagForgotten|flagStored, max(c.Size, 0)
		})
		if err != nil {
			return err
		}
	}
	key := newAsk(c.Key, "")
	first := at
	if v := f.get(bucketCaptured, key[:16]); len(v) == 16 {
		first = place(binary.BigEndian.Uint64(v[8:]))
	}
	both := binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, uint64(at)), uint64(first))
	if err := f.put(bucketCaptured, key[:16], both); err != nil {
		return err
	}
	return f.outcome(newAsk(c.Key, c.Expect), func(s *askState) {
		s.outcome, s.due, s.last, s.word = askCaptured, 0, at, c.Label
	})
}

func (f *fold) exception(e *Exception, at place, when time.Time) error {
	a := newAsk(e.Key, e.Expect)
	if e.Key == "" {
		a = fileAsk(e)
		if e.Resolved {
			return f.put(bucketAsks, a[:], nil)
		}
	}
	return f.outcome(a, func(s *askState) {
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

func (f *fold) outcome(a ask, change func(*askState)) error {
	s := parseAsk(f.get(bucketAsks, a[:]))
	change(&s)
	return f.put(bucketAsks, a[:], s.bytes())
}

// get returns the value of a key, or nil.
func (x *index) get(bucket, key []byte) (v []byte) {
	x.view(func(tx *bolt.Tx) error {
		if b := tx.Bucket(bucket).Get(key); b != nil {
			v = append([]byte{}, b...)
		}
		return nil
	})
	return v
}

// ask returns the state of an ask, with the outcome that counts.
func (x *index) ask(a ask) (s askState, ok bool) {
	x.view(func(tx *bolt.Tx) error {
		v := tx.Bucket(bucketAsks).Get(a[:])
		s, ok = counted(tx, a[:], v), v != nil
		return nil
	})
	return s, ok
}

// counted reads a state. It is the one place that decides which outcome of a reference
// counts, as ARCHIVE.md specifies it: a reference that was forgotten and is not captured is
// an exception that is never due.
func counted(tx *bolt.Tx, key, value []byte) askState {
	s := parseAsk(value)
	if s.outcome == askCaptured || parseObject(tx.Bucket(bucketObjects).Get(key[:16])).flags&flagForgotten == 0 {
		return s
	}
	if s.outcome == askOpen {
		s.outcome, s.word = askExcepted, "gone"
	}
	s.due, s.givenUp = 0, false
	return s
}

// has reports whether the ledger has a reference with an ask.
func (x *index) has(a ask) bool { return x.get(bucketAsks, a[:]) != nil }

// captured returns the places of the latest and the first capture of a key. Both are 0 if
// it was not captured.
func (x *index) captured(key string) (latest, first place) {
	a := newAsk(key, "")
	if v := x.get(bucketCaptured, a[:16]); len(v) == 16 {
		return place(binary.BigEndian.Uint64(v)), place(binary.BigEndian.Uint64(v[8:]))
	}
	return 0, 0
}

func (x *index) flags(sum string) byte { return parseObject(x.get(bucketObjects, shortSum(sum))).flags }

// held reports how often an object or key is held.
func (x *index) held(sum string) int {
	return int(parseObject(x.get(bucketObjects, shortSum(sum))).holds)
}

// message returns the places of the lines of a message that lines of references follow.
func (x *index) message(sum string) (places []place) {
	for v := x.get(bucketMessages, shortSum(sum)); len(v) > 0; {
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
	file, offset, _ := strings.Cut(string(x.get(bucketMeta, metaRead(rules))), ":")
	n, err := strconv.ParseInt(offset, 10, 64)
	if err != nil || !ledger.IsFile(file) {
		return ledger.Place{}
	}
	return ledger.Place{File: file, Offset: n}
}

// openRun returns the line with which the first run that has not ended began: its place
// and its number. It returns false if every run has ended.
func (x *index) openRun() (p ledger.Place, seq int64, ok bool) {
	v := x.get(bucketMeta, metaOpen)
	if v == nil {
		return p, 0, false
	}
	_, err := fmt.Sscanf(string(v), "%s %d %d", &p.File, &p.Offset, &seq)
	return p, seq, err == nil
}

// asks calls f with each ask.
func (x *index) asks(f func(ask, askState) error) error {
	return x.view(func(tx *bolt.Tx) error {
		return tx.Bucket(bucketAsks).ForEach(func(k, v []byte) error { return f(ask(k), counted(tx, k, v)) })
	})
}

// count returns four numbers: messages; stored messages that are not forgotten; captured
// bodies that are not forgotten; and the octets of these bodies.
func (x *index) count() (messages, stored, bodies, octets int64, err error) {
	err = x.view(func(tx *bolt.Tx) error {
		objects := tx.Bucket(bucketObjects)
		err := tx.Bucket(bucketMessages).ForEach(func(k, _ []byte) error {
			messages++
			if parseObject(objects.Get(k)).flags == flagStored {
				stored++
			}
			return nil
		})
		if err != nil {
			return err
		}
		return objects.ForEach(func(_, v []byte) error {
			if s := parseObject(v); s.size >= 0 && s.flags == flagStored {
				bodies++
				octets += s.size
			}
			return nil
		})
	})
	return messages, stored, bodies, octets, err
}

func (x *index) close() error { return x.db.Close() }

// catchUp applies the lines that the index lacks. It returns the head of the ledger, and
// the number of octets of unfinished lines. It returns an error if the index does not fit
// the ledger.
func (x *index) catchUp(dir string) (ledger.Head, int64, error) {
	head, next, _, err := x.position()
	if err != nil {
		return head, 0, errStale
	}
	if next.File != "" {
		if info, err := os.Stat(filepath.Join(dir, next.File)); err != nil || info.Size() < next.Offset {
			return head, 0, errStale
		}
	}
	return x.fill(dir, next, head, func(*ledger.Line) error { return nil })
}

// fill applies the lines from a place on, after the line that is the head. It stops without
// an error when more returns errStop. Its results are the results of catchUp.
func (x *index) fill(dir string, next ledger.Place, head ledger.Head, more func(*ledger.Line) error) (ledger.Head, int64, error) {
	f := x.fold()
	defer f.drop()
	end, torn, err := ledger.Read(dir, next, head, nil, func(l *ledger.Line) error {
		err := more(l)
		if err == nil {
			err = f.apply(l)
		}
		if err != nil || len(f.held) < maxHeld {
			return err
		}
		return f.commit()
	})
	if err != nil && !errors.Is(err, errStop) {
		return end, torn, err
	}
	return end, torn, f.commit()
}

// equal reports whether two indexes hold the same.
func (x *index) equal(y *index) (same bool, err error) {
	err = x.view(func(tx *bolt.Tx) error {
		return y.view(func(ty *bolt.Tx) error {
			for _, name := range buckets {
				a, b := tx.Bucket(name).Cursor(), ty.Bucket(name).Cursor()
				k, v := a.First()
				l, w := b.First()
				for ; k != nil && bytes.Equal(k, l) && bytes.Equal(v, w); k, v = a.Next() {
					l, w = b.Next()
				}
				if k != nil || l != nil {
					return nil
				}
			}
			same = true
			return nil
		})
	})
	return same, err
}
