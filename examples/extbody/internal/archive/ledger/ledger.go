// Package ledger appends JSON lines to files and reads them. Each line has the digest of the
// line before it, so a line cannot be changed, removed, inserted or moved without changes to
// all lines after it.
//
// ARCHIVE.md in the folder of the program specifies files and lines.
//
// The head of a ledger is the number and the digest of its last line. A head that was
// written down proves later that all lines up to that one are unchanged.
package ledger

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-extbody/extbody/internal/codec/bounded"
	"github.com/go-extbody/extbody/internal/file/atomicfile"
	"github.com/go-extbody/extbody/internal/file/below"
	"github.com/go-extbody/extbody/internal/wording"
)

var errTooLong = errors.New("a line has more than 4 MiB")

// MaxLine bounds a line, in octets with its LF.
const MaxLine = 4 << 20

// maxValues bounds the values of a line. A hold with as many names as fit into a line has half of them.
const maxValues = 200_000

// A Head is the end of a ledger. The zero Head is the end of an empty ledger.
type Head struct {
	Seq    int64
	Digest [sha256.Size]byte
}

// String returns the number and the digest in hexadecimal digits, with a space between
// them.
func (h Head) String() string { return fmt.Sprintf("%d %x", h.Seq, h.Digest) }

// MarshalText returns the text of [Head.String].
func (h Head) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// ParseHead parses the result of [Head.String], and nothing else.
func ParseHead(s string) (Head, error) {
	var h Head
	var sum []byte
	_, err := fmt.Sscanf(s, "%d %64x", &h.Seq, &sum)
	isWhole := copy(h.Digest[:], sum) == len(h.Digest) && h.String() == s
	if err != nil || h.Seq < 0 || !isWhole {
		return Head{}, fmt.Errorf("%.100q is no head of a ledger", s)
	}
	return h, nil
}

// UnmarshalText sets h to the Head that [ParseHead] returns.
func (h *Head) UnmarshalText(text []byte) (err error) {
	*h, err = ParseHead(string(text))
	return err
}

// A Place is where a line is.
type Place struct {
	File   string // its name within the folder
	Offset int64  // of the first octet
}

// String returns the file and the offset.
func (p Place) String() string { return fmt.Sprintf("%s:%d", p.File, p.Offset) }

// Before reports whether p is nearer to the start of the ledger than q.
func (p Place) Before(q Place) bool {
	return p.File < q.File || p.File == q.File && p.Offset < q.Offset
}

// A Line is a line of a ledger. One that [Read] gives is valid until the next one.
type Line struct {
	Seq  int64     `json:"seq"`
	Prev string    `json:"prev"`
	Time time.Time `json:"time"`
	More int       `json:"more"`
	Kind string    `json:"kind"`

	Text   []byte            `json:"-"` // all of it, with its LF
	Place  Place             `json:"-"`
	Digest [sha256.Size]byte `json:"-"`
}

// End returns the place after the line.
func (l *Line) End() Place { return Place{l.Place.File, l.Place.Offset + int64(len(l.Text))} }

// Body decodes the member named like the kind into v. Its errors name the place of the line.
func (l *Line) Body(v any) error {
	key := `"kind":"` + l.Kind + `","` + l.Kind + `":`
	i := bytes.Index(l.Text[:min(len(l.Text), 400)], []byte(key))
	if i < 0 || len(l.Text) < i+len(key)+2 {
		return fmt.Errorf("%s: line %d has no member %.20q", l.Place, l.Seq, l.Kind)
	}
	if err := bounded.JSON(l.Text[i+len(key):len(l.Text)-2], v, maxValues); err != nil {
		return fmt.Errorf("%s: line %d: %w", l.Place, l.Seq, err)
	}
	return nil
}

// A Fault is damage to a ledger.
type Fault struct {
	Place Place
	Seq   int64 // the number of the line, or its expected number if it cannot be read; 0 if neither is known
	What  string

	// Before is the head before the damage, and After the one after it. They are equal if the damage is in
	// one line.
	Before, After Head
}

// Error returns the place and the fault.
func (f *Fault) Error() string { return fmt.Sprintf("%s: line %d %s", f.Place, f.Seq, f.What) }

// IsFile reports whether a file of a ledger can have that name.
func IsFile(name string) bool {
	month, ok := strings.CutSuffix(name, ".jsonl")
	t, err := time.Parse("2006-01", month)
	return ok && err == nil && t.UTC().Format("2006-01") == month
}

// fileOf returns the name of the file with the lines of a month.
func fileOf(t time.Time) string { return t.UTC().Format("2006-01") + ".jsonl" }

// Files returns the names of the files of a ledger, in order.
func Files(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if IsFile(e.Name()) {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names, nil
}

// parse reads the members with which each line starts. It relies on their order, and so
// reads a million lines in seconds.
func (l *Line) parse() bool {
	rest, ok := bytes.CutPrefix(l.Text[:min(len(l.Text), 300)], []byte(`{"seq":`))
	number, rest, ok2 := bytes.Cut(rest, []byte(`,"prev":"`))
	prev, rest, ok3 := bytes.Cut(rest, []byte(`","time":"`))
	at, rest, ok4 := bytes.Cut(rest, []byte(`",`))
	if more, ok := bytes.CutPrefix(rest, []byte(`"more":`)); ok {
		number, after, _ := bytes.Cut(more, []byte(","))
		n, err := strconv.Atoi(string(number))
		if err != nil || n < 1 {
			return false
		}
		l.More = n
		rest = after
	}
	rest, ok5 := bytes.CutPrefix(rest, []byte(`"kind":"`))
	kind, _, ok6 := bytes.Cut(rest, []byte(`"`))
	chained := ok && ok2 && ok3    // by seq and prev
	described := ok4 && ok5 && ok6 // by time and kind
	if !chained || !described || !bytes.HasSuffix(l.Text, []byte("}}\n")) {
		return false
	}
	if l.Time.UnmarshalText(at) != nil {
		return false
	}
	var err error
	l.Seq, err = strconv.ParseInt(string(number), 10, 64)
	if err != nil {
		return false
	}
	l.Prev = string(prev)
	l.Kind = string(kind)
	return true
}

// An Entry is a line to append. Kind stands in the line as it is, so it must not need
// escapes in JSON. The JSON of Body must be an object.
type Entry struct {
	Kind string
	Body any
}

// A Ledger appends to a ledger. Its methods must not be called by several
// goroutines at once, and only one Ledger of a folder may be open.
type Ledger struct {
	dir    string
	file   *os.File
	name   string
	size   int64 // of file
	head   Head
	broken error // why nothing more can be appended
	unsure bool  // see Unsure
}

// Open opens the ledger in the folder dir, and removes the unfinished lines at its end. head
// and torn are the results of [Read].
func Open(dir string, head Head, torn int64) (*Ledger, error) {
	l := &Ledger{dir: dir, head: head}
	names, err := Files(dir)
	if err != nil || len(names) == 0 {
		return l, err
	}
	if err := l.open(names[len(names)-1]); err != nil {
		return nil, err
	}
	if torn > 0 {
		l.size -= torn
		if err := errors.Join(l.file.Truncate(l.size), l.file.Sync()); err != nil {
			l.file.Close()
			return nil, err
		}
	}
	return l, nil
}

func (l *Ledger) open(name string) error {
	_, missing := os.Lstat(filepath.Join(l.dir, name))
	f, err := below.OpenFile(l.dir, name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	size, err := f.Seek(0, io.SeekEnd)
	if err == nil && missing != nil {
		err = atomicfile.SyncFolder(l.dir)
	}
	if err != nil {
		f.Close()
		return err
	}
	if l.file != nil {
		l.file.Close()
	}
	l.file = f
	l.name = name
	l.size = size
	return nil
}

// Unsure reports whether the ledger may have lines for which Append returned an error. That
// is so if Append could not remove the written part of them.
func (l *Ledger) Unsure() bool { return l.unsure }

// Head returns the head.
func (l *Ledger) Head() Head { return l.head }

// Append adds a line for each entry, and syncs them. When it returns nil, all of them are on
// the disk. If it returns an error, it has removed the written part of them, unless
// [Ledger.Unsure]. After an error of writing or syncing nothing more can be appended.
//
// now is the time of the lines. It also names the file, unless it is in an earlier month
// than the last file.
func (l *Ledger) Append(now time.Time, entries ...Entry) ([]*Line, error) {
	if l.broken != nil || len(entries) == 0 {
		return nil, l.broken
	}
	now = now.UTC().Truncate(time.Millisecond)
	// If the clock was set back, lines still go to the last file.
	if name := fileOf(now); name > l.name {
		if err := l.open(name); err != nil {
			return nil, err
		}
	}
	var lines []*Line
	var text []byte
	head := l.head
	for i, e := range entries {
		line, err := newLine(head, now, len(entries)-1-i, e)
		if err != nil {
			return nil, err
		}
		line.Place = Place{l.name, l.size + int64(len(text))}
		head = Head{line.Seq, line.Digest}
		lines = append(lines, line)
		text = append(text, line.Text...)
	}
	_, err := l.file.WriteAt(text, l.size)
	if err == nil {
		err = l.file.Sync()
	}
	if err != nil {
		l.broken = fmt.Errorf("ledger: %w", err)
		l.unsure = errors.Join(l.file.Truncate(l.size), l.file.Sync()) != nil
		return nil, l.broken
	}
	l.size += int64(len(text))
	l.head = head
	return lines, nil
}

// newLine returns the line after head, which more lines follow that are written with it.
func newLine(head Head, now time.Time, more int, e Entry) (*Line, error) {
	told, err := json.Marshal(e.Body)
	if err != nil {
		return nil, err
	}
	told = wording.JSON(told)
	line := &Line{Seq: head.Seq + 1, Prev: hex.EncodeToString(head.Digest[:]), Time: now, More: more, Kind: e.Kind}
	line.Text = fmt.Appendf(nil, `{"seq":%d,"prev":"%s","time":"%s",`, line.Seq, line.Prev, now.Format(time.RFC3339Nano))
	if more > 0 {
		line.Text = fmt.Appendf(line.Text, `"more":%d,`, more)
	}
	line.Text = fmt.Appendf(line.Text, `"kind":"%s","%s":%s}`+"\n", e.Kind, e.Kind, told)
	if len(line.Text) > MaxLine {
		return nil, errTooLong
	}
	line.Digest = sha256.Sum256(line.Text)
	return line, nil
}

// Close closes the ledger.
func (l *Ledger) Close() error {
	if l.file == nil {
		return nil
	}
	return l.file.Close()
}
