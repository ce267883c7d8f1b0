package archive

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
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
	"github.com/go-extbody/extbody/internal/file/below"
)

// An index is the database that a run looks up in. It is the result of applying the lines of
// the ledger one after the other: a table, and the changes since it was written. It is made
// anew from the ledger if it is missing or does not fit.
//
// Its records have these keys, which start with the letter of the key functions below, and
// values:
//
//	m  position; open, the run that has not ended; rules of the last run; lost, the names of
//	   objects with an exception; the size and last line of each file but the last; gaps that were
//	   accepted; later, the number of the last line that stored a message that was known, and was not stored;
//	   the digests of lines with stamps; by rules, the place up to which objects have been read by them
//	g  digest of a message: places of its lines before lines of references, or of its first line
//	s  digest of the name of a source: rules by which all of its messages have been read
//	q  digest of the name of a source: digest of the latest line of it
//	w  digest of the name of a source: whether it has messages; see presence
//	p  digest of the place of a sighting: digest of the message; digest of a file and of one of its messages: nothing
//	a  key and expectation: state
//	c  key: places of the lines of the latest capture and of the first; since when captures have the body of
//	   the latest one, in Unix seconds, whether that was at delivery, and the digest of that body
//	f  key: place of the line of the latest forget
//	v  key: intervals in which a version was in force, with the places of their captures; see [interval]
//	x  digest of a line of a reference: nothing; another line replaces it
//	h  digest of a host: until when it wants no request, and when it said so, in Unix seconds
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

	replaces bool // there is a line that another one replaces

	forgets []ledger.Place // of the lines of forgets that were applied
}

func (x *index) close() error {
	if x == nil {
		return nil
	}
	err := x.base.close()
	x.base = nil
	return err
}

// isReplaced reports whether another line replaces the line of a reference.
func (x *index) isReplaced(r *ReferenceRecord) bool {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.replaces && x.load(replacedKey(r, r.Expect)) != nil
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

// An indexed record changes the index. Its method index gets the line of the record, and the place of
// the line. The caller has the lock of the index.
type indexed interface {
	index(x *index, l *ledger.Line, at place) error
}

// apply applies a line with its record.
func (x *index) apply(l *ledger.Line, record any) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.next.File != "" && x.next.File != l.Place.File {
		x.put(keyFile+x.next.File, fmt.Appendf(nil, "%d %d", x.next.Offset, x.head.Seq))
	}
	x.head = ledger.Head{Seq: l.Seq, Digest: l.Digest}
	x.next = l.End()
	x.last = l.Time
	x.put(keyPosition, fmt.Appendf(nil, "%s %s %d %d", x.head, x.next.File, x.next.Offset, l.Time.Unix()))
	if r, ok := record.(indexed); ok {
		if err := r.index(x, l, newPlace(l.Place)); err != nil {
			return err
		}
	}
	if len(x.held) < maxHeld {
		return nil
	}
	return x.spill()
}

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
	err = errors.Join(err, serr, berr)
	if err != nil {
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

func (x *index) outcome(a ask, change func(*askState)) {
	s := parseAsk(x.load(askKey(a)))
	change(&s)
	x.put(askKey(a), s.bytes())
}

// counted reads a state. It is the one place that decides which outcome of a reference
// counts, as ARCHIVE.md specifies it: a capture from before the latest forget of its key does
// not count. A reference whose key was forgotten, and not captured since, is an exception that is never due.
func (x *index) counted(a ask, value []byte) askState {
	s := parseAsk(value)
	at := x.forgotten(string(a[:16]))
	if at == 0 || s.outcome == askCaptured && s.captured > at {
		return s
	}
	if s.outcome == askCaptured {
		failed := s.last != s.captured // a later attempt
		s.outcome = askOpen
		s.captured = 0
		s.word = ""
		if failed {
			s.outcome = askExcepted
			s.word = "gone"
			s.forgotten = true
		}
	}
	if !x.keyForgotten(string(a[:16])) {
		return s
	}
	if s.outcome == askOpen {
		s.outcome = askExcepted
		s.word = "gone"
		s.forgotten = true
	}
	s.removed = true
	s.due = 0
	s.givenUp = false
	return s
}

// forgotten returns the place of the latest forget of a key, of which it gets the first 16
// octets; 0 if there is none.
func (x *index) forgotten(short string) place { return placeOf(x.get(forgetKey(short))) }

// placeOf returns the place with which a value starts; 0 if it has none.
func placeOf(value []byte) place {
	if len(value) < 8 {
		return 0
	}
	return place(binary.BigEndian.Uint64(value))
}

// keyForgotten reports whether a key, of which it gets the first 16 octets, was forgotten after
// its latest capture.
func (x *index) keyForgotten(short string) bool {
	at := x.forgotten(short)
	if at == 0 {
		return false
	}
	return placeOf(x.get("c"+short)) < at
}

// captured returns the captures of a key; the zero value if it was not captured.
func (x *index) captured(key string) capturedState {
	return parseCaptured(x.get(capturedKey(key)))
}

// holds reports how often an object or key is held.
func (x *index) holds(sum string) int { return int(parseObject(x.get(objectKey(sum))).holds) }

// message returns the places of the lines of a message that lines of references follow.
func (x *index) message(sum string) (places []place) {
	for v := x.get(messageKey(sum)); len(v) > 0; {
		p, n := binary.Varint(v)
		if n <= 0 {
			break
		}
		places = append(places, place(p))
		v = v[n:]
	}
	return places
}

// waits reports whether a host has said, with the field Retry-After, that it wants no request now.
func (x *index) waits(host string, now time.Time) bool {
	var until, said int64
	_, err := fmt.Sscan(string(x.get(hostKey(host))), &until, &said)
	byWrongClock := said > now.Add(maxAhead).Unix()
	return err == nil && now.Unix() < until && !byWrongClock
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

// openRun returns the line with which the first run that has not ended started: its place
// and its number. It returns false if every run has ended.
func (x *index) openRun() (p ledger.Place, seq int64, ok bool) {
	_, err := fmt.Sscanf(string(x.get(keyOpen)), "%s %d %d", &p.File, &p.Offset, &seq)
	return p, seq, err == nil
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

// stores reports whether there is an object that is stored and not forgotten.
func (x *index) stores() (some bool, err error) {
	err = x.each("o", func(_ string, v []byte) error {
		some = parseObject(v).flags == flagStored
		if some {
			return errStop
		}
		return nil
	})
	if errors.Is(err, errStop) {
		err = nil
	}
	return some, err
}

// storing notes that an object gets stored by a line.
func (x *index) storing(sum string, l *ledger.Line) {
	wasStored := parseObject(x.load(objectKey(sum))).flags&flagStored != 0
	if !wasStored && x.load(messageKey(sum)) != nil {
		x.put(keyLater, strconv.AppendInt(nil, l.Seq, 10))
	}
}

// storedLater returns the number of the last line that stored a message which an earlier line named, and which was not
// stored; 0 if there is none.
func (x *index) storedLater() int64 {
	seq, _ := strconv.ParseInt(string(x.get(keyLater)), 10, 64)
	return seq
}

// lose notes that an object with that name is lost, or is there again.
func (x *index) lose(name string, resolved bool) {
	names := slices.DeleteFunc(strings.Fields(string(x.load(keyLost))), func(s string) bool { return s == name })
	if !resolved && len(names) < maxLost {
		names = append(names, name)
	}
	if len(names) == 0 {
		x.put(keyLost, nil)
		return
	}
	x.put(keyLost, []byte(strings.Join(names, "\n")))
}

// lost returns the names of objects that have an exception.
func (x *index) lost() []string { return strings.Fields(string(x.get(keyLost))) }

// maxLost bounds the objects that each run looks for again.
const maxLost = 1000

// lostPrefix starts the names of objects in exceptions.
const lostPrefix = "objects/"

// catchUp applies the lines that the index lacks. It returns the number of octets of
// unfinished lines. It returns an error if the index does not fit the ledger. fault is as for [ledger.Read], and
// is called with lines that cannot be applied too.
func (x *index) catchUp(dir string, fault func(*ledger.Fault) bool) (torn int64, err error) {
	if x.next.File != "" {
		if info, err := os.Stat(filepath.Join(dir, x.next.File)); err != nil || info.Size() < x.next.Offset {
			return 0, errStale
		}
		if digest, err := ledger.DigestBefore(dir, x.next); err != nil || digest != x.head.Digest {
			return 0, errStale
		}
	}
	_, torn, err = ledger.Read(dir, x.next, x.head, fault, func(l *ledger.Line) error {
		record, err := body(l)
		if err != nil && fault != nil {
			h := headOf(l)
			fault(&ledger.Fault{Place: l.Place, Seq: l.Seq, What: "cannot be read", Before: h, After: h})
			record = nil
			err = nil
		}
		if err != nil {
			return err
		}
		return x.apply(l, record)
	})
	return torn, err
}

// maxHeld is the number of changes above which a run writes a table, some 40 MB.
const maxHeld = 400_000

// quiet reports whether a line of a source would repeat its latest line, and change nothing.
func (x *index) quiet(r *SourceRecord) bool {
	return string(x.get(lineKey(r.Source))) == r.short() && (r.Rules == "" || string(x.get(sourceKey(r.Source))) == r.Rules)
}

// presence returns one of the constants below, by the latest lines of a source, or "" if it never had messages.
func (x *index) presence(source string) string { return string(x.get(presenceKey(source))) }

// The presences of a source.
const (
	sourceHasMail = "mail"
	sourceHadMail = "none"
	sourceGone    = "gone"
)

// state returns the counts and the state of the latest line of a source; nil if that has no state.
func (x *index) state(source string) *SourceRecord {
	r := &SourceRecord{Source: source}
	_, err := fmt.Sscanf(string(x.get(stateKey(source))), "%d %d %q", &r.Seen, &r.Stored, &r.State)
	if err != nil {
		return nil
	}
	r.Exists = r.Seen
	return r
}

// email returns the digest of the message that had the EmailID of a sighting, "" if its octets were not read, and the
// rules of the run that saw it; "" if none did.
func (x *index) email(s *Sighting) (message, rules string) {
	if key := emailKey(s); key != "" {
		rules, message, _ = strings.Cut(string(x.get(key)), " ")
	}
	return message, rules
}

// openIndex opens the index of an archive. temp is a folder for temporary files. The error
// is errDamaged or errStale, or of the
// file, if the index has to be made anew.
func openIndex(dir, temp string) (*index, error) {
	f, size, err := below.Open(dir, "index")
	if err != nil {
		return nil, err
	}
	x := newIndex(temp)
	x.base, err = openTable(f, size)
	if err == nil {
		var seq, sum string
		var at int64
		if v := string(x.get(keyPosition)); v != "" {
			_, serr := fmt.Sscanf(v, "%s %s %s %d %d", &seq, &sum, &x.next.File, &x.next.Offset, &at)
			x.head, err = ledger.ParseHead(seq + " " + sum)
			if err != nil || serr != nil {
				err = errDamaged
			}
			x.last = time.Unix(at, 0)
			x.replaces = x.get(keyReplaced) != nil
			x.saved = x.head
		}
	}
	if err != nil {
		f.Close()
	}
	return x, err
}

func newIndex(temp string) *index { return &index{temp: temp, held: make(map[string][]byte)} }

// A spilled is a temporary table, which is removed when it is closed.
type spilled struct{ *atomicfile.File }

// Close implements io.Closer.
func (s spilled) Close() error { s.Discard(); return nil }

// Format is the version of the format that is written.
const Format = 1

// The codes of exceptions. The first seven are from the standard for references in
// e-discovery (RGR). The last three are ours.
const (
	PermissionDenied              = "PermissionDenied"
	ItemDeletedOrOutsideRetention = "ItemDeletedOrOutsideRetention"
	Throttling                    = "Throttling"
	TransientServiceError         = "TransientServiceError"
	UnresolvableLink              = "UnresolvableLink"
	UnsupportedArtifact           = "UnsupportedArtifact"
	Unknown                       = "Unknown"
	Interstitial                  = "interstitial"
	Blocked                       = "blocked"
	Denied                        = "denied"
)

// A ledgerFile is the end of a file of the ledger, as the index has it.
type ledgerFile struct {
	name string
	size int64
	last int64 // the number of its last line
}

// files returns the files of the ledger that the index was made from.
func (x *index) files() (list []ledgerFile, err error) {
	err = x.each(keyFile, func(key string, v []byte) error {
		f := ledgerFile{name: strings.TrimPrefix(key, keyFile)}
		_, err := fmt.Sscanf(string(v), "%d %d", &f.size, &f.last)
		list = append(list, f)
		return err
	})
	if x.next.File != "" {
		list = append(list, ledgerFile{x.next.File, x.next.Offset, x.head.Seq})
	}
	return list, err
}

// lostFile returns the first file of the ledger that is lost or shorter than the index names it; nil if there is none.
func (x *index) lostFile(dir string) (*ledger.Fault, error) {
	files, err := x.files()
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		info, err := os.Stat(filepath.Join(dir, f.name))
		switch {
		case errors.Is(err, os.ErrNotExist):
			return &ledger.Fault{Place: ledger.Place{File: f.name}, Seq: f.last, What: "is lost with the file, which index names"}, nil
		case err != nil:
			return nil, err
		case info.Size() < f.size:
			at := ledger.Place{File: f.name, Offset: info.Size()}
			return &ledger.Fault{Place: at, Seq: f.last, What: "is lost, which index names: the file is shorter"}, nil
		}
	}
	return nil, nil
}

// gaps returns the gaps that were accepted.
func (x *index) gaps() (map[Gap]bool, error) {
	gaps := make(map[Gap]bool)
	err := x.each(keyGap, func(_ string, v []byte) error {
		before, after, _ := strings.Cut(string(v), "\n")
		b, err := ledger.ParseHead(before)
		if err != nil {
			return err
		}
		h, err := ledger.ParseHead(after)
		gaps[Gap{b, h}] = true
		return err
	})
	return gaps, err
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
