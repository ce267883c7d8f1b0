// Package archive keeps what messages refer to, each reference captured once, with
// proof, for good.
//
// Every reference of every message ends in exactly one of two: a captured object with
// the exchange that brought it, or an exception with the server's own answer and the
// time at which it is due again. A run does what is due and nothing else.
//
// # Format, version 1
//
// An archive is a folder, with mode 0700, whose files have mode 0600:
//
//	ledger/2026-11.jsonl           the truth: see package ledger for the lines and their chain
//	objects/ab/cd/<sha256>         messages and bodies, octet for octet, named by their SHA-256
//	exchanges/<run>-<n>.warc.gz    what was said on the wire: WARC 1.1, a gzip member a record
//	stamps/<seq>-<sha256>.tsr      time stamps (RFC 3161) of heads of the ledger
//	head                           the head of the ledger at the end of the last run
//	index                          what a run looks up; it is made anew from the ledger if it is missing
//	index.run                      the index of a run that is under way
//	lock                           locked while something writes
//	README.txt                     what this is, and how to verify it without this program
//
// The kinds of lines, and what they tell, are [Run], [SourceRecord], [MessageRecord],
// [Sighting], [ReferenceRecord], [Capture], [Exception], [Changed], [Hold] and [Forget].
// Members may be added; those that are here keep their meaning. The first line is of
// the kind run, and each line of that kind has the version of the format.
//
// A message is known by the SHA-256 of its octets, wherever it is seen: a mailbox and
// UID, a file and offset, are a sighting of it. A message that was seen elsewhere is
// neither stored nor asked for again.
//
// A reference has a key: the SHA-256 of the exact URL, LF, and the user who logs in,
// "" if nobody does; then, for a body with a transfer encoding to be undone, LF and the
// encoding. The key of what is within the message is made of the word "message" and
// the digest, LF, and the ID of the reference. Many references have one key, and one
// capture serves them. What a reference promises of the body, a media type or digests,
// is its expectation; it is "" if there is none. Where references of one key have
// different expectations the body is fetched for one of them, and compared with what
// the others promise. References that name alternatives for one body are references
// of their own.
//
// A path that is not UTF-8 stands in a line as a quoted string of Go. A line of a file of
// references, which is in no message, is kept as a message too; see [Refs].
//
// # Hold and forget
//
// A hold has the objects that it keeps and the keys of the references, so that what is
// told of these later is held as well. Each hold has to be released by a line of its own.
// A forget removes octets and leaves its line, with the digests of what was removed. Its
// keys are asked for again only where a retry names them: for what refers to them
// otherwise there is an exception.
//
// # Exchanges
//
// All records of an attempt stand together. Those of an exchange by HTTP are a request
// and a response, and a metadata record that says how the connection was made. Those
// of other protocols are one metadata record, with the dialogue. The last record of
// the attempt is a metadata record of the type application/vnd.extbody.entry+json,
// which has what the line in the ledger says. A body that is an object stands there
// once: its response is a revisit with the digest of the object as its payload, also
// where the octets of the object are those after a content coding was undone. Heads and
// what arrived of other bodies are as they were on the wire, above TLS and without
// transfer coding; credentials are cut out, as [fetch.Exchange] has it.
//
// # Order of writing
//
// The object has its octets and name, and the records are written; then the object,
// its folders and the records are synced; then the line is written and synced. The index
// of the run follows, and has the name of the index when the run has ended: those who
// read meanwhile have that of the run before, and the lines. So a line is true when it is there. What is killed in between leaves octets
// that no line tells of, and the next run, before it does anything else, tells of them if
// they are whole, or removes them. Where a disk fails so that it is not sure which lines
// there are, nothing is removed by that run.
//
// # Secrets
//
// URLs are exact in the ledger, objects and exchanges, as evidence has to be. They are
// in no error and no output but the report and the exports. Passwords and tokens are
// nowhere.
package archive

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-extbody/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/internal/unnamed"
)

// Format is the version of the format that is written.
const Format = 1

// ErrBusy is the error of an archive in which another process writes.
var ErrBusy = errors.New("another run is writing to the archive")

// ErrNone is the error of a folder that is not an archive.
var ErrNone = errors.New("the folder is no archive")

// An Archive is a folder that is open. One made by Open is for writing, and nobody else
// writes meanwhile; one made by [Read] is for reading.
type Archive struct {
	dir     string
	agent   string
	lock    *os.File
	index   *index
	temp    string // the folder of an index that is used once; "" if there is none
	objects objects
	places  *ledger.Places

	mu        sync.Mutex // guards what follows
	ledger    *ledger.Ledger
	exchanges *exchangeWriter
	head      ledger.Head
	next      ledger.Place // after the line that is the head
	behind    bool         // the index has not all that the ledger has
	now       func() time.Time
}

// Options are for [Open] and [Read].
type Options struct {
	// Agent names the program and its version, for the record.
	Agent string

	// Now returns the time; nil means time.Now.
	Now func() time.Time
}

func (o *Options) withDefaults() Options {
	var c Options
	if o != nil {
		c = *o
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Agent == "" {
		c.Agent = "extbody"
	}
	return c
}

func newArchive(dir string, opts *Options) *Archive {
	o := opts.withDefaults()
	return &Archive{dir: dir, agent: o.Agent, now: o.Now, objects: objects{filepath.Join(dir, "objects")}, places: ledger.NewPlaces(filepath.Join(dir, "ledger"))}
}

// Open opens an archive for writing, and makes it if create is set and the folder is
// empty or missing. The error is ErrBusy if another process writes. What a run that
// was killed has left is put in order.
func Open(dir string, create bool, opts *Options) (*Archive, error) {
	a := newArchive(dir, opts)
	if create {
		if err := a.create(); err != nil {
			return nil, err
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "ledger")); err != nil {
		return nil, fmt.Errorf("%s: %w", dir, ErrNone)
	}
	var err error
	if a.lock, err = lockFile(filepath.Join(dir, "lock")); err != nil {
		return nil, err
	}
	if err := a.open(); err != nil {
		a.Close()
		return nil, err
	}
	return a, nil
}

// create makes the folders and the file that says what they are.
func (a *Archive) create() error {
	entries, err := os.ReadDir(a.dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if len(entries) > 0 {
		if _, err := os.Stat(filepath.Join(a.dir, "ledger")); err == nil {
			return nil
		}
		for _, e := range entries { // of a creation that was killed
			switch name := e.Name(); {
			case slices.Contains([]string{"objects", "exchanges", "stamps", "README.txt", "lost+found"}, name):
			case strings.HasPrefix(name, unnamed.Prefix):
			default:
				return fmt.Errorf("%s: %w, and it is not empty", a.dir, ErrNone)
			}
		}
	}
	for _, name := range []string{"", "objects", "exchanges", "stamps"} {
		if err := os.MkdirAll(filepath.Join(a.dir, name), 0o700); err != nil {
			return err
		}
	}
	if err := os.Chmod(a.dir, 0o700); err != nil {
		return err
	}
	if err := writeFile(filepath.Join(a.dir, "README.txt"), []byte(readme)); err != nil {
		return err
	}
	if err := os.Mkdir(filepath.Join(a.dir, "ledger"), 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	return errors.Join(unnamed.SyncFolder(a.dir), unnamed.SyncFolder(filepath.Dir(filepath.Clean(a.dir))))
}

// writeFile puts a file on the disk, in the place of what has its name.
func writeFile(path string, text []byte) error {
	f, err := unnamed.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	if _, err = f.Write(text); err == nil {
		err = f.Replace(path, 0o600)
	}
	if err != nil {
		f.Discard()
	}
	return err
}

func (a *Archive) ledgerDir() string    { return filepath.Join(a.dir, "ledger") }
func (a *Archive) exchangesDir() string { return filepath.Join(a.dir, "exchanges") }

// open brings the index up to the ledger.
func (a *Archive) open() error {
	torn, err := a.work(filepath.Join(a.dir, workName))
	if err != nil {
		return err
	}
	if a.ledger, err = ledger.Open(a.ledgerDir(), a.head, torn); err != nil {
		return err
	}
	return a.recover()
}

// Head returns the head of the ledger.
func (a *Archive) Head() ledger.Head { return a.head }

// Close closes the archive.
func (a *Archive) Close() error {
	var errs []error
	if a.exchanges != nil {
		errs = append(errs, a.exchanges.close())
	}
	if a.ledger != nil {
		errs = append(errs, a.ledger.Close())
	}
	errs = append(errs, a.places.Close(), a.closeIndex())
	if a.temp != "" {
		errs = append(errs, os.RemoveAll(a.temp))
	}
	if a.lock != nil {
		errs = append(errs, a.lock.Close())
	}
	return errors.Join(errs...)
}

var errBehind = errors.New("the index could not be written, and what it would say now would be wrong")

// tell writes lines, which are on the disk when it returns. All or none of them are.
func (a *Archive) tell(entries ...ledger.Entry) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.behind {
		return errBehind
	}
	lines, err := a.ledger.Append(a.now(), entries...)
	if err != nil || len(lines) == 0 {
		return err
	}
	a.head, a.next = a.ledger.Head(), lines[len(lines)-1].End()
	if err := a.apply(lines); err != nil {
		a.behind = true
		return fmt.Errorf("index: %w", err)
	}
	return nil
}

// apply applies lines to the index.
func (a *Archive) apply(lines []*ledger.Line) error {
	f, err := a.index.begin()
	if err != nil {
		return err
	}
	for _, l := range lines {
		if err := f.apply(l); err != nil {
			f.drop()
			return err
		}
	}
	return f.commit()
}

// begin begins a run: a line says so, and files of exchanges are named after it.
func (a *Archive) begin(command string) error {
	a.exchanges = &exchangeWriter{dir: a.exchangesDir(), run: a.head.Seq + 1, agent: a.agent}
	return a.tell(ledger.Entry{Kind: kindRun, Body: &Run{Format: Format, Event: "begin", Command: command, Version: a.agent}})
}

// end ends a run, and writes down the head.
func (a *Archive) end(command string, counts *Counts, why string) error {
	if err := a.tell(ledger.Entry{Kind: kindRun, Body: &Run{Format: Format, Event: "end", Command: command, Counts: counts, Why: why}}); err != nil {
		return err
	}
	return writeFile(filepath.Join(a.dir, "head"), []byte(a.head.String()+"\n"))
}
