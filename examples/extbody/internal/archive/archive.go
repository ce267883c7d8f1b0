// Package archive keeps the bodies that messages refer to, each reference captured once,
// with proof, for good.
//
// A reference has one of three outcomes. It is captured: its body is an object, and the
// exchange that brought the body is kept. It is an exception, with the server's answer and
// the time at which it is due again. Or it is open, because no run has asked for it. A run
// resolves the references that are due and nothing else.
//
// ARCHIVE.md in the folder of the program specifies the format: which outcome counts, the
// meaning of each line, and the order of writing.
package archive

import (
	"bytes"
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/exchange"
	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/examples/extbody/internal/store"
	"github.com/go-extbody/extbody/internal/file/atomicfile"
	"github.com/go-extbody/extbody/internal/file/below"
	"github.com/go-extbody/extbody/internal/file/filelock"
)

// An Archive is an open folder. [Open] opens it for writing, and until Close no other
// process can. [Read] opens it for reading.
type Archive struct {
	dir     string
	base    string // where create puts the objects; see Options
	exact   bool   // see Options.ExactURLs
	agent   string
	lock    *os.File
	index   *index
	indexed ledger.Head // of the index that was there, whether it fits or not
	places  *ledger.Places
	objects store.Objects
	url     string // of the bucket with the objects; "" if they are in the folder
	texts   fullText
	notice  func(string) // see Options.Notice

	// Of the mark beside the objects in a bucket.
	marked string   // a line that is in the ledger
	others []string // the lines that are not; see Shared

	mu        sync.Mutex // guards the fields below
	ledger    *ledger.Ledger
	exchanges *exchange.Writer
	behind    error // why the index lacks lines that the ledger has; nil if it lacks none
	wholeness
	skipped map[string]bool // see Skipped
	now     func() time.Time
}

// load opens the index and applies the lines that it lacks, or makes it anew. It returns the
// number of octets of unfinished lines. temp is a folder for temporary files. With anew it does not open the index that is
// there. Damage is noted.
func (a *Archive) load(temp string, anew bool) (torn int64, err error) {
	a.required, err = a.heads()
	if err != nil && a.lock == nil {
		a.first = err
	}
	var faults []*ledger.Fault
	found := func(f *ledger.Fault) bool {
		faults = append(faults, f)
		return true
	}
	fits := false
	err = errStale
	if !anew {
		a.index, err = openIndex(a.dir, temp)
	}
	if err == nil {
		a.indexed = a.index.saved
		lost, err := a.index.lostFile(a.ledgerDir())
		if err == nil && lost == nil {
			torn, err = a.index.catchUp(a.ledgerDir(), found)
			fits = err == nil
		}
		if lost != nil {
			found(lost)
		}
		if !fits {
			a.index.close()
		}
	}
	if !fits {
		a.index = newIndex(temp)
		torn, err = a.index.catchUp(a.ledgerDir(), found)
		if err != nil {
			return torn, fmt.Errorf("index: %w", err)
		}
	}
	a.accepted, err = a.index.gaps()
	if err != nil {
		return torn, err
	}
	for _, f := range faults {
		a.note(f)
	}
	if !fits && a.indexed.Seq > 0 {
		a.required = append(a.required, named{"index", a.indexed})
	}
	for _, n := range a.required {
		if n.head.Seq > a.Head().Seq {
			a.wholeness.lacks(n, a.Head())
		}
	}
	return torn, nil
}

// create makes the folders and README.txt. The ledger comes last: a folder without it is not
// an archive.
func (a *Archive) create() error {
	entries, err := os.ReadDir(a.dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if len(entries) > 0 {
		if _, err := os.Stat(a.ledgerDir()); err == nil {
			return a.settle(true)
		}
		if err := a.remains(); err != nil {
			return err
		}
		for _, e := range entries { // left when an earlier create was killed
			switch name := e.Name(); {
			case slices.Contains([]string{"objects", "exchanges", "stamps", "incoming", "README.txt", "lost+found"}, name):
			case strings.HasPrefix(name, atomicfile.Prefix):
			default:
				return fmt.Errorf("%s: %w, and it is not empty", a.dir, ErrNone)
			}
		}
	}
	if err := errors.Join(os.MkdirAll(a.dir, 0o700), os.Chmod(a.dir, 0o700), a.settle(false)); err != nil {
		return err
	}
	for _, name := range []string{"objects", "exchanges", "stamps"} {
		path := filepath.Join(a.dir, name)
		if info, err := os.Lstat(path); err == nil && !info.IsDir() {
			if name == "objects" && info.Mode().IsRegular() {
				continue // it has a URL
			}
			return fmt.Errorf("%s: is no folder, and was there before the archive", path)
		}
		if err := os.MkdirAll(path, 0o700); err != nil {
			return err
		}
	}
	if err := writeFile(filepath.Join(a.dir, "README.txt"), readme); err != nil {
		return err
	}
	if err := os.Mkdir(a.ledgerDir(), 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	return errors.Join(atomicfile.SyncFolder(a.dir), atomicfile.SyncFolder(filepath.Dir(filepath.Clean(a.dir))))
}

func (a *Archive) ledgerDir() string { return filepath.Join(a.dir, "ledger") }

func (a *Archive) exchangesDir() string { return filepath.Join(a.dir, "exchanges") }

func (a *Archive) stampsDir() string { return filepath.Join(a.dir, "stamps") }

// Head returns the head of the ledger.
func (a *Archive) Head() ledger.Head { return a.index.head }

// Close closes the archive. After a run it writes the index.
func (a *Archive) Close() error {
	var errs []error
	changed := a.lock != nil && a.index != nil && a.index.head != a.index.saved
	if changed && a.behind == nil && a.first == nil {
		errs = append(errs, atomicfile.ReplaceFile(filepath.Join(a.dir, "index"), func(w io.Writer) error {
			_, err := a.index.write(w)
			return errors.Join(err, a.index.close()) // some systems cannot replace an open file
		}))
	}
	if a.exchanges != nil {
		errs = append(errs, a.exchanges.Close())
	}
	if a.ledger != nil {
		errs = append(errs, a.ledger.Close())
	}
	errs = append(errs, a.places.Close(), a.index.close(), a.texts.close())
	if a.lock != nil {
		errs = append(errs, a.lock.Close())
	}
	return errors.Join(errs...)
}

// append writes lines. When it returns nil they are on the disk. After a crash all of them
// are there or none. If it fails to update the index, the lines are on the disk although it
// returns an error, and no more lines can be written.
func (a *Archive) append(entries ...ledger.Entry) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.behind != nil {
		return errBehind
	}
	lines, err := a.ledger.Append(a.now(), entries...)
	if err != nil || len(lines) == 0 {
		return err
	}
	for _, l := range lines {
		if a.behind == nil {
			a.behind = a.index.add(l)
		}
	}
	a.behind = errors.Join(a.behind, a.index.fault())
	if a.behind != nil {
		return fmt.Errorf("index: %w", a.behind)
	}
	return nil
}

// line decodes the line at p into v.
func (a *Archive) line(p place, v any) error {
	l, err := a.places.At(p.place())
	if err == nil {
		err = l.Body(v)
	}
	return err
}

// ErrBusy is the error of an archive in which another process writes.
var ErrBusy = errors.New("another run is writing to the archive")

// ErrNone is the error of a folder that is not an archive.
var ErrNone = errors.New("the folder is no archive")

// ErrGone is the error of a run that found none of the objects that it looked for. Nothing was read or
// fetched, because a disk may not be mounted.
var ErrGone = errors.New("the objects of the archive are gone: run extbody archive verify, and repair with a copy")

// ErrLost is the error of an archive whose ledger has lost lines: the file head or a time stamp
// names a line that is not there. A command that wrote lines would replace the proof of that.
var ErrLost = errors.New("the ledger has lost lines: run extbody archive repair with a copy")

// whole returns ErrLost if a line is missing from the ledger that the file head, the name of a time
// stamp or the index names, or if there is no line although the archive has something else.
func (a *Archive) whole() error {
	if a.Head().Seq == 0 {
		return a.remains()
	}
	if a.first != nil {
		return fmt.Errorf("%w: %w", ErrLost, a.first)
	}
	heads, err := a.heads()
	if err != nil {
		return err
	}
	if a.indexed != a.index.saved { // the index did not fit
		heads = append(heads, named{"index", a.indexed})
	}
	for _, n := range heads {
		found, err := a.has(n.head)
		if err != nil {
			return err
		}
		if !found {
			a.lacks(n, a.Head())
		}
	}
	if a.first != nil {
		return fmt.Errorf("%w: %w", ErrLost, a.first)
	}
	return nil
}

// has reports whether the ledger has the line with a head.
func (a *Archive) has(h ledger.Head) (found bool, err error) {
	if h == a.Head() {
		return true, nil
	}
	if prev := string(a.index.get(stampedKey(h.Seq))); prev != "" {
		return prev == string(h.Digest[:]), nil
	}
	err = a.read(ledger.Place{}, a.next(), func(l *ledger.Line) error {
		if l.Seq < h.Seq {
			return nil
		}
		found = l.Seq == h.Seq && l.Digest == h.Digest
		return errStop
	})
	return found || h.Seq == 0, err
}

// remains returns ErrLost if an archive whose ledger has no line has something else that was
// written after a line.
func (a *Archive) remains() error {
	lost := fmt.Errorf("%s: %w: there is none, and there are other parts of an archive", a.dir, ErrLost)
	text, _ := readSmall(filepath.Join(a.dir, "head"))
	if h, err := ledger.ParseHead(strings.TrimSpace(string(text))); err == nil && h.Seq > 0 {
		return lost
	}
	if x, err := openIndex(a.dir, os.TempDir()); err == nil {
		x.close()
		return lost
	}
	for _, dir := range []string{a.exchangesDir(), a.stampsDir()} {
		entries, err := os.ReadDir(dir)
		if len(entries) > 0 {
			return lost
		}
		if err != nil && !errors.Is(err, os.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
			return err
		}
	}
	err := a.store(os.TempDir())
	if err == nil {
		err = a.objects.Walk(func(name string) error {
			if store.Sum(name) == "" {
				return nil
			}
			return lost
		})
	}
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil
	}
	return err
}

// Options are for [Open] and [Read].
type Options struct {
	// Agent names the program and its version in the ledger and in exports. "" means
	// "extbody".
	Agent string

	// Now returns the time; nil means time.Now.
	Now func() time.Time

	// Objects is where an archive that Open makes keeps its objects: a URL for
	// [store.Open]. "" means the folder of the archive. If the archive is there
	// already, "" means where they are, and another place is ErrElsewhere.
	Objects string

	// ExactURLs keeps the passwords of URLs in the results of Search, in reports and in exports.
	// Without it they are "xxxxx". The ledger and the exchanges have them.
	ExactURLs bool

	// Notice, if it is not nil, gets sentences for people:
	//
	//   - about text=: whether there is an index of texts, and which texts are read
	//   - about object= and text=: how many references have a later body than the one that fits, which is given
	//   - about messages with captured bodies in them: how many references stay
	Notice func(string)
}

func newArchive(dir string, opts *Options) *Archive {
	o := *cmp.Or(opts, new(Options))
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Archive{dir: dir, base: o.Objects, exact: o.ExactURLs, agent: cmp.Or(o.Agent, "extbody"), now: o.Now,
		places: ledger.NewPlaces(filepath.Join(dir, "ledger")), notice: o.Notice, texts: fullText{notice: o.Notice}}
}

// Read opens an archive for reading. Another process may write at the same time, and neither
// waits for the other. The Archive shows the state at the time of Read, except for objects
// that are forgotten later. The error is ErrNone if the folder is not an archive.
func Read(dir string, opts *Options) (*Archive, error) {
	a := newArchive(dir, opts)
	if err := a.locate(os.TempDir()); err != nil {
		return nil, err
	}
	if _, err := a.load(os.TempDir(), false); err != nil {
		return nil, err
	}
	return a, nil
}

// lockFile opens a file and locks it until the file is closed.
func lockFile(path string) (*os.File, error) {
	if !filelock.Supported {
		return nil, errors.ErrUnsupported
	}
	f, err := below.OpenFile(filepath.Dir(path), filepath.Base(path), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := filelock.Try(f); err != nil {
		f.Close()
		if errors.Is(err, filelock.ErrLocked) {
			err = ErrBusy
		}
		return nil, err
	}
	return f, nil
}

// readme is README.txt of an archive.
//
//go:embed readme.txt
var readme []byte

// earlierReadmes are the digests of the texts that earlier versions wrote.
var earlierReadmes = []string{
	"970cdafb3644aaead52aa7bc26da923085292571d62fe6475d28b6d0d7d08948",
	"ef78d06787119c278e4370c4dd3417fe977803b9299a78e46ef3b8d71e1123b7",
	"4e9c3e0b13711fd02937300e097777fd20a512e0dcf08f9e6a49b49c47315ea3",
	"c90702eb356960950492d03256326b19c9fe311669b89da2d650092b524970c1",
}

// isReadme reports whether this version or an earlier one has written a README.txt.
func isReadme(text []byte) bool {
	return bytes.Equal(text, readme) || slices.Contains(earlierReadmes, digest(string(text)))
}

// writeFile puts a file on the disk, and replaces a file that has its name.
func writeFile(path string, text []byte) error {
	return atomicfile.ReplaceFile(path, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

var errBehind = errors.New("the index could not be written, and lacks lines")

func (a *Archive) note(f *ledger.Fault) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.wholeness.note(f)
}

// Gaps returns a sentence for each gap in the ledger that was accepted.
func (a *Archive) Gaps() (list []string) {
	for g := range a.accepted {
		list = append(list, fmt.Sprintf("the ledger lacks lines between %d and %d, which was accepted", g.Before.Seq, g.After.Seq))
	}
	slices.Sort(list)
	return list
}

// Whole returns ErrDamaged with the first damage of the ledger, if there is any that was not accepted. It
// reads the ledger unless a method has read all of it.
func (a *Archive) Whole() error {
	a.mu.Lock()
	known := a.walked || a.first != nil
	a.mu.Unlock()
	if !known {
		if err := a.read(ledger.Place{}, a.next(), func(*ledger.Line) error { return nil }); err != nil {
			return err
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.first == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", a.first, ErrDamaged)
}

// heads returns the heads that have to be in the ledger: those with a stamp, and the one in the file
// head, with their names.
func (a *Archive) heads() (list []named, err error) {
	entries, err := os.ReadDir(a.stampsDir())
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		if h, err := stampName(e.Name()); err == nil {
			list = append(list, named{"stamps/" + e.Name(), h})
		}
	}
	text, err := readSmall(filepath.Join(a.dir, "head"))
	if errors.Is(err, os.ErrNotExist) {
		return list, nil // no run has ended yet
	}
	if err != nil {
		return nil, err
	}
	h, err := ledger.ParseHead(strings.TrimSpace(string(text)))
	if err != nil {
		return nil, fmt.Errorf("head: %w: run extbody archive repair with a copy", err)
	}
	return append(list, named{"head", h}), nil
}
