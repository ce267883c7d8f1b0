package archive

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
)

// A table is a file of records in the order of their keys. No program changes it: a run
// writes a new one. The file has these parts:
//
//	tableHead
//	blocks   each of them its length in 4 octets, and records:
//	         length of the key in an octet, key, length of the value as a uvarint, value
//	seal     the SHA-256 of all octets before it
//
// Tables with the same records have the same octets.
type table struct {
	file  tableFile
	marks []tableMark
	seal  [sha256.Size]byte

	mu     sync.Mutex
	recent [8]tableBlock // a run asks for the same few records of a message several times
	oldest int           // of them
}

// A tableBlock is a block that was read. Nothing changes its octets.
type tableBlock struct {
	at     int64
	octets []byte // nil if there is none
}

// block returns the octets of a block.
func (t *table) block(m tableMark) ([]byte, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, b := range t.recent {
		if b.at == m.at && b.octets != nil {
			return b.octets, nil
		}
	}
	octets := make([]byte, m.size)
	if _, err := t.file.ReadAt(octets, m.at); err != nil {
		return nil, err
	}
	t.recent[t.oldest] = tableBlock{m.at, octets}
	t.oldest = (t.oldest + 1) % len(t.recent)
	return octets, nil
}

// walk calls f with the records whose keys begin with prefix.
func (t *table) walk(prefix string, f func(tableRecord) error) error {
	if t == nil {
		return nil
	}
	i, found := slices.BinarySearchFunc(t.marks, prefix, func(m tableMark, key string) int { return cmp.Compare(m.key, key) })
	if !found {
		i = max(0, i-1)
	}
	for _, m := range t.marks[min(i, len(t.marks)):] {
		block, err := t.block(m)
		if err != nil {
			return err
		}
		for len(block) > 0 {
			key, value, rest, ok := cutRecord(block, false)
			if !ok {
				return errDamaged
			}
			switch block = rest; {
			case bytes.HasPrefix(key, []byte(prefix)):
				if err := f(tableRecord{string(key), value}); err != nil {
					return err
				}
			case string(key) > prefix:
				return nil
			}
		}
	}
	return nil
}

func (t *table) close() error {
	if t == nil {
		return nil
	}
	return t.file.Close()
}

type tableFile interface {
	io.ReaderAt
	io.Closer
}

// A tableMark is the place of a block.
type tableMark struct {
	key      string // of its first record
	at, size int64
}

// A tableRecord is a record of a table. A nil value removes the key.
type tableRecord struct {
	key   string
	value []byte
}

const (
	tableHead = "extbody index 15\n" // with the version
	blockSize = 4 << 10              // above which a block ends
)

var (
	errStale   = errors.New("the index is of another version")
	errDamaged = errors.New("the index is damaged")
)

// openTable opens a table, and compares its octets with its seal. The table closes the
// file.
func openTable(f tableFile, size int64) (*table, error) {
	t := &table{file: f}
	h := sha256.New()
	in := bufio.NewReaderSize(io.TeeReader(io.NewSectionReader(f, 0, max(0, size-sha256.Size)), h), 256<<10)
	head := make([]byte, len(tableHead))
	if _, err := io.ReadFull(in, head); err != nil || string(head) != tableHead {
		if bytes.HasPrefix(head, []byte("extbody index ")) {
			return nil, errStale
		}
		return nil, errDamaged
	}
	for at := int64(len(tableHead)); ; {
		var n [4]byte
		if _, err := io.ReadFull(in, n[:]); err == io.EOF {
			break
		}
		m := tableMark{at: at + 4, size: int64(binary.BigEndian.Uint32(n[:]))}
		first, err := in.Peek(int(min(m.size, 256)))
		key, _, _, ok := cutRecord(first, true)
		m.key = string(key) // before the buffer is filled again
		if _, derr := io.CopyN(io.Discard, in, m.size); err != nil || derr != nil || !ok {
			return nil, errDamaged
		}
		t.marks = append(t.marks, m)
		at = m.at + m.size
	}
	if _, err := f.ReadAt(t.seal[:], size-sha256.Size); err != nil || t.seal != [sha256.Size]byte(h.Sum(nil)) {
		return nil, errDamaged
	}
	return t, nil
}

// cutRecord cuts the first record off a block. With keyOnly the value may be missing.
func cutRecord(b []byte, keyOnly bool) (key, value, rest []byte, ok bool) {
	if len(b) == 0 || len(b) < 1+int(b[0]) {
		return nil, nil, nil, false
	}
	end := 1 + int(b[0])
	key = b[1:end]
	b = b[end:]
	n, k := binary.Uvarint(b)
	if keyOnly {
		return key, nil, nil, true
	}
	if k <= 0 || n > uint64(len(b)-k) {
		return nil, nil, nil, false
	}
	return key, b[k : k+int(n) : k+int(n)], b[k+int(n):], true
}

// get returns the value of a key; nil if there is none. An error of the table is in
// x.broken after it.
func (x *index) get(key string) []byte {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.load(key)
}

// load is get for a caller that holds the lock.
func (x *index) load(key string) (value []byte) {
	if v, ok := x.held[key]; ok {
		return v
	}
	err := x.base.walk(key, func(r tableRecord) error {
		if r.key == key {
			value = r.value
		}
		return errStop
	})
	if err != nil && !errors.Is(err, errStop) {
		x.broken.Store(&err)
	}
	return value
}

// each calls f with the records whose keys begin with prefix, in the order of the keys.
func (x *index) each(prefix string, f func(key string, value []byte) error) error {
	x.mu.RLock()
	base := x.base
	held := maps.Clone(x.held)
	x.mu.RUnlock()
	maps.DeleteFunc(held, func(key string, _ []byte) bool { return !strings.HasPrefix(key, prefix) })
	fresh := slices.Sorted(maps.Keys(held))
	give := func(key string, value []byte) error {
		if value == nil {
			return nil
		}
		return f(key, value)
	}
	err := base.walk(prefix, func(r tableRecord) error {
		for len(fresh) > 0 && fresh[0] <= r.key {
			key := fresh[0]
			fresh = fresh[1:]
			if err := give(key, held[key]); key == r.key || err != nil {
				return err
			}
		}
		return give(r.key, r.value)
	})
	for _, key := range fresh {
		if err != nil {
			break
		}
		err = give(key, held[key])
	}
	return err
}

// write writes a table with the records of x. It returns its seal.
func (x *index) write(w io.Writer) (seal [sha256.Size]byte, err error) {
	h := sha256.New()
	out := bufio.NewWriterSize(io.MultiWriter(w, h), 256<<10)
	out.WriteString(tableHead)
	block := make([]byte, 4, 2*blockSize)
	end := func(least int) {
		if len(block) > least {
			binary.BigEndian.PutUint32(block, uint32(len(block)-4))
			out.Write(block)
			block = block[:4]
		}
	}
	err = x.each("", func(key string, value []byte) error {
		block = append(append(block, byte(len(key))), key...)
		block = append(binary.AppendUvarint(block, uint64(len(value))), value...)
		end(blockSize)
		return nil
	})
	end(4)
	err = errors.Join(err, out.Flush())
	if err == nil {
		_, err = w.Write(h.Sum(seal[:0]))
	}
	return seal, err
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
	forgotten bool // its key was forgotten, and it has no exception of its own; see counted
	attempts  byte
	due       int64  // Unix seconds; 0 is never
	at        int64  // in Unix seconds, the time of the line of the exception, or when the capture that counts ended
	expires   int64  // Unix seconds; 0 is not known
	ref       place  // of the line of the first reference
	last      place  // of the line of the latest attempt, or 0
	captured  place  // of the line of the capture that counts, if there is one
	word      string // the Kind of the exception, or the label of the capture; "" for a file or message
}

// isDue reports whether a reference is due, apart from captures that are too old. It is due
// now if the clock was wrong at the latest attempt.
func (s *askState) isDue(now time.Time) bool {
	switch s.outcome {
	case askOpen:
		return true
	case askExcepted:
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
	s.outcome = b[0] &^ (bitThrottled | bitGivenUp)
	s.attempts = b[1]
	s.throttled = b[0]&bitThrottled != 0
	s.givenUp = b[0]&bitGivenUp != 0
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
	}
	s.word = string(b)
	return s
}

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

// A capturedState is the value of the captures of a key in the index.
type capturedState struct {
	latest, first place
	since         int64  // of the first of the latest captures that have the same body, in Unix seconds
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

// ask returns the state of an ask, with the outcome that counts.
func (x *index) ask(a ask) (s askState, ok bool) {
	v := x.get(askKey(a))
	return x.counted(a, v), v != nil
}

func (x *index) flags(sum string) byte { return parseObject(x.get(objectKey(sum))).flags }

// asks calls f with each ask.
func (x *index) asks(f func(ask, askState) error) error {
	return x.each("a", func(key string, v []byte) error {
		var a ask
		copy(a[:], key[1:])
		return f(a, x.counted(a, v))
	})
}
