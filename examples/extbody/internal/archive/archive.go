// Package archive keeps what messages refer to, each reference captured once, with
// proof, for good.
//
// A reference that was asked for has one of two outcomes. It is captured: its body is an
// object, and the exchange that brought the body is kept. Or it is an exception, with the
// server's own answer and the time at which it is due again. A reference that no run was
// allowed to ask for is open. A run does what is due and nothing else.
//
// # Format, version 1
//
// An archive is a folder. Its folders have mode 0700, and its files mode 0600:
//
//	ledger/2026-11.jsonl           what was done: lines of JSON, specified in package ledger
//	objects/ab/cd/<sha256>         messages and bodies, octet for octet
//	exchanges/<run>-<n>.warc.gz    what was said on the wire: WARC 1.1, a gzip member a record
//	stamps/<seq>-<sha256>.tsr      time stamps (RFC 3161) of heads of the ledger
//	head                           the head of the ledger when the last run ended
//	index                          what a run looks up, made from the ledger
//	index.run                      the index of a run that is under way or was killed
//	lock                           locked while a process has the archive open for writing
//	README.txt                     what this is, and how to verify it without this program
//
// All digests of the format are SHA-256, as 64 hexadecimal digits in lower case.
//
//   - The name of an object is the digest of its octets. Its folders, ab and cd here, are
//     the first two digits and the two digits after them.
//   - <run> is the number of the line with which the run began, in at least eight digits.
//     <n> counts the files of that run from 1, in at least four digits. The next file is
//     begun when a file is larger than 1 GiB.
//   - A stamp is the response of an authority (RFC 3161 section 2.4.2) for the line with
//     the number <seq>. What it stamps is the digest of that line, which is in its name.
//   - head is one line: the number and the digest of the line with which the run ended,
//     with a space between them. A run that is killed does not write it.
//   - index, index.run and lock prove nothing. They can be deleted while no process has
//     the archive open: the index is made anew from the ledger.
//   - A name that begins with .extbody- is that of a file which was not finished.
//
// # Lines
//
// Each line of the ledger has one of these kinds. The type says which members it has:
//
//   - run: a run begins or ends ([Run]).
//   - source: a mailbox, file or folder was read ([SourceRecord]).
//   - message: a message ([MessageRecord]).
//   - reference: a reference of a message ([ReferenceRecord]).
//   - sighting: a message was seen at a place ([Sighting]).
//   - capture: a reference was captured ([Capture]).
//   - exception: something was not captured ([Exception]).
//   - changed: another body was captured than before ([Changed]).
//   - hold: something may not be forgotten, or may be again ([Hold]).
//   - forget: something was removed ([Forget]).
//
// Members may be added. Those that are here keep their meaning. A member that is absent
// has the zero value of its type: "", 0, false, or no list.
//
// The first line is of the kind run, and each line of that kind has the version of the
// format. A run that was killed has no line that ends it. The next process that opens the
// archive for writing writes one, with the command "recover".
//
// The lines of the references of a message follow the line of the message at once.
//
// Texts are UTF-8. In a text that is not UTF-8, U+FFFD takes the place of the octets that
// are wrong. A path that is not UTF-8 is written as a quoted string of Go instead.
//
// # Messages and references
//
// A message is known by the digest of its octets, wherever it is seen. A mailbox and UID,
// or a file and offset, are a sighting of the message. A message that was seen before at
// another place is not stored again, and its references are not asked for again. A line of
// a file of references is in no message, and is kept as a message of its own; see [Refs].
//
// A newer version of the program may find references where an older one found none, and so
// may other options. A run by other rules than those by which a message was read reads it
// again, once: an object from the archive, and another message from its source. References
// that it finds are told after another line of the message.
//
// A reference has a key. References with one key share one capture. The key is the digest
// of one of these texts:
//
//   - For a body that is asked for by a URL: the exact URL, LF, and the user who logs in,
//     "" if nobody does. If the body has a transfer encoding that is undone after it was
//     fetched, LF and the encoding in lower case follow.
//   - For a body that is in the message, and for a reference that cannot be asked for: the
//     word "message", a space, the digest of the message, LF, and the ID of the reference.
//
// What a reference promises of its body, a media type, a size or digests, is its
// expectation. Lines by versions of the program before November 2026 leave out the size:
// of their references with one key, only that which was resolved was compared with its
// size. An expectation is written as the first 16 digits of a digest of
// the promises, and "" if there are none. If references with one key have different
// expectations, the body is fetched for one of them, and is then compared with what the
// others promise. Each expectation has an outcome of its own.
//
// References that name alternatives for one body are references of their own.
//
// # Hold and forget
//
// A hold lists objects, which may not be removed, and the keys of references. Because of
// the keys it also covers what is told of these references later. Each hold needs a
// release of its own, which is a line of the kind hold too.
//
// A forget removes octets, and never a line. Its line lists the digests of what was
// removed, and keys. A reference with such a key is not asked for again unless a retry
// selects it. If it is due otherwise, it becomes an exception.
//
// What is too much for one line is told in several lines of the same kind, which are written
// together.
//
// # Exchanges
//
// A file of exchanges begins with a warcinfo record. The attempts follow, one after the
// other. The line of a capture or an exception says where its attempt is: file, offset,
// length and digest of a [Span]. The span of the first attempt in a file begins with the
// warcinfo record. A line has no span if nothing was said on the wire.
//
// All records of an attempt stand together:
//
//   - An exchange by HTTP, and a request to an HTTP proxy for a tunnel, is a request record;
//     a response record, if an answer came; and a metadata record that says how the
//     connection was made.
//   - An exchange by another protocol is one metadata record, with the dialogue.
//   - The last record is a metadata record of the type application/vnd.extbody.entry+json.
//     It has the kind of the line, and what the line tells except for the span.
//
// The other metadata records have the type application/vnd.extbody.exchange+json. Each is
// a [fetch.Exchange], for HTTP without heads and octets of the body, which are in the
// request and response records.
//
// If a run is killed before the body of an attempt is on the disk, the line is an exception
// although the last record is that of a capture.
//
// A body that is an object is not repeated here. Its response is a revisit record with the
// head alone, and WARC-Payload-Digest names the object. That holds as well if the object
// has the octets after a content coding was undone. Of all other bodies a response record
// has 64 KiB at most, and WARC-Truncated if that is not all. Among them are those from which
// an object was made in a further step: a transfer encoding of the reference was undone, or
// the body came in several answers.
//
// Heads and bodies are as they were on the wire, above TLS and without transfer coding.
// Credentials are cut out, as [fetch.Exchange] says.
//
// A forget overwrites a span with as many other octets: a gzip member with one metadata
// record, whose URI is urn:extbody:removed, and which has the reason, or the beginning of
// it if there is no room for all.
//
// # Order of writing
//
// An outcome is written in this order:
//
//  1. The object gets its octets and its name. The records are written.
//  2. The object, the folders that lead to it, and the records are synced to the disk.
//  3. The line is written and synced.
//  4. The index of the run, index.run, takes the line.
//
// So a line is true when it is there. A message is written in the same order, without
// records. When the archive is closed, index.run becomes index. Until then others read the
// index of the run before, and the lines after it.
//
// A forget has the opposite order: its line is synced first, and then octets are removed.
//
// A run that is killed can leave octets that no line tells of. The next process that opens
// the archive for writing deals with them before it does anything else. An attempt whose
// records are whole gets its line. All other records, objects and unfinished objects that
// no line tells of are removed. A forget is completed.
//
// A run whose disk fails does the same before it returns. If it cannot be sure which lines
// there are, it removes nothing, and the next process does it.
//
// # Secrets
//
// URLs are exact in the ledger, the objects and the exchanges, since they are evidence.
// They are in the report and the exports, and in no other output and no error. The
// passwords and tokens with which the program logs in are nowhere.
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

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/internal/file/atomicfile"
)

// Format is the version of the format that is written.
const Format = 1

// ErrBusy is the error of an archive in which another process writes.
var ErrBusy = errors.New("another run is writing to the archive")

// ErrNone is the error of a folder that is not an archive.
var ErrNone = errors.New("the folder is no archive")

// An Archive is an open folder. [Open] opens it for writing, and until Close no other
// process can. [Read] opens it for reading.
type Archive struct {
	dir     string
	agent   string
	lock    *os.File
	index   *index
	temp    string // the folder of an index that Close removes; "" if there is none
	objects objects
	places  *ledger.Places

	mu        sync.Mutex // guards what follows
	ledger    *ledger.Ledger
	exchanges *exchangeWriter
	head      ledger.Head
	next      ledger.Place // after the line that is the head
	last      time.Time    // of that line
	behind    error        // why the index lacks lines that the ledger has; nil if it lacks none
	now       func() time.Time
}

// Options are for [Open] and [Read].
type Options struct {
	// Agent names the program and its version in the ledger and in exports. "" means
	// "extbody".
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

// Open opens an archive for writing. With create it makes the archive if the folder is
// empty or missing. The error is ErrBusy if another process has the archive open for
// writing, and ErrNone if the folder is not an archive. Open also deals with what a run
// that was killed has left, as the package comment says under "Order of writing".
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

// create makes the folders, and the file that says what they are. The ledger comes last:
// a folder without it is not an archive.
func (a *Archive) create() error {
	entries, err := os.ReadDir(a.dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if len(entries) > 0 {
		if _, err := os.Stat(filepath.Join(a.dir, "ledger")); err == nil {
			return nil
		}
		for _, e := range entries { // left when an earlier create was killed
			switch name := e.Name(); {
			case slices.Contains([]string{"objects", "exchanges", "stamps", "README.txt", "lost+found"}, name):
			case strings.HasPrefix(name, atomicfile.Prefix):
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
	return errors.Join(atomicfile.SyncFolder(a.dir), atomicfile.SyncFolder(filepath.Dir(filepath.Clean(a.dir))))
}

// writeFile puts a file on the disk, and replaces a file that has its name.
func writeFile(path string, text []byte) error {
	f, err := atomicfile.Open(filepath.Dir(path))
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

// open brings the index up to the ledger, removes unfinished lines, and recovers.
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

// tell writes lines. When it returns nil they are on the disk. After a crash all of them
// are there or none. If it fails to update the index, the lines are on the disk
// although it returns an error, and nothing more can be told.
func (a *Archive) tell(entries ...ledger.Entry) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.behind != nil {
		return errBehind
	}
	lines, err := a.ledger.Append(a.now(), entries...)
	if err != nil || len(lines) == 0 {
		return err
	}
	end := lines[len(lines)-1]
	a.head, a.next, a.last = a.ledger.Head(), end.End(), end.Time
	if a.behind = a.apply(lines); a.behind != nil {
		return fmt.Errorf("index: %w", a.behind)
	}
	return nil
}

// apply applies lines to the index.
func (a *Archive) apply(lines []*ledger.Line) error {
	return safely(func() error {
		f, err := a.index.begin()
		if err != nil {
			return err
		}
		defer f.drop()
		for _, l := range lines {
			if err := f.apply(l); err != nil {
				return err
			}
		}
		return f.commit()
	})
}

// begin begins a run with a line. rules are those by which it reads messages; "" if it reads
// none. The files of exchanges are named after that line.
func (a *Archive) begin(command, rules string) error {
	a.exchanges = &exchangeWriter{dir: a.exchangesDir(), run: a.head.Seq + 1, agent: a.agent}
	return a.tell(ledger.Entry{Kind: kindRun, Body: &Run{Format: Format, Event: "begin", Command: command, Version: a.agent, Rules: rules}})
}

// end ends a run with a line, and writes the file head.
func (a *Archive) end(command string, counts *Counts, why string) error {
	return a.endWith(&Run{Command: command, Counts: counts, Why: why})
}

// endWith is end for a run of which more is told.
func (a *Archive) endWith(r *Run) error {
	r.Format, r.Event = Format, "end"
	if err := a.tell(ledger.Entry{Kind: kindRun, Body: r}); err != nil {
		return err
	}
	return writeFile(filepath.Join(a.dir, "head"), []byte(a.head.String()+"\n"))
}
