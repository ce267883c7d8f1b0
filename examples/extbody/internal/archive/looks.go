package archive

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/examples/extbody/internal/mail/mailbox"
	"github.com/go-extbody/extbody/internal/file/below"
)

// looks are the messages in the Maildirs of a source, as the system knows their files without opening them. A message
// whose file is as it was when an earlier run read it is not opened. The looks of the run before prove nothing, and can
// be deleted: then each message is read.
type looks struct {
	a       *Archive
	source  string
	all     bool
	path    string       // of the file
	before  *looksReader // nil if it does not count
	removed bool         // the file of before
	made    *looksWriter // nil until there is a message
	faulty  bool         // made cannot be written

	since time.Time // of the source
	asked look
	at    time.Time // of asked
	kept  [3]int64  // messages that were not opened, by their state
	fresh int64     // messages that were opened
}

// lookMargin is how long before a look a file has to be unchanged, so that each later change shows: systems count
// time in ticks, and the clock of a server may not be the one of this machine.
const lookMargin = 2 * time.Second

func (a *Archive) looksDir() string { return filepath.Join(a.dir, "looks") }

// forgetLooks removes all looks.
func (a *Archive) forgetLooks() error {
	if err := below.Folder(a.looksDir()); err != nil {
		return err
	}
	return os.RemoveAll(a.looksDir())
}

// looksAt returns the looks of a source for a run, which wants to store all messages or not.
func (a *Archive) looksAt(src Source, all bool) *looks {
	l := &looks{a: a, source: src.Name(), all: all}
	f, ok := src.(*files)
	if !ok || below.Folder(a.looksDir()) != nil {
		return l
	}
	sum := sha256.Sum256([]byte(l.source))
	l.path = filepath.Join(a.looksDir(), hex.EncodeToString(sum[:16]))
	l.since = f.since
	f.unchanged = l.unchanged
	r, err := readLooks(l.path)
	if err != nil {
		return l
	}
	l.before = r
	if !a.lookedAt(&r.looksTrailer, l.source) {
		l.distrust()
	}
	return l
}

// distrust has each message opened.
func (l *looks) distrust() {
	l.remove()
	if l.before != nil {
		l.before.file.Close()
		l.before = nil
	}
}

// lookedAt reports whether looks count: the ledger has the lines of their messages, and no message has been stored
// since that was not when it was read.
func (a *Archive) lookedAt(t *looksTrailer, source string) bool {
	h, err := ledger.ParseHead(t.Head)
	if err != nil || t.Source != source || !ledger.IsFile(t.File) {
		return false
	}
	digest, err := ledger.DigestBefore(a.ledgerDir(), ledger.Place{File: t.File, Offset: t.End})
	return err == nil && digest == h.Digest && a.index.storedLater() <= h.Seq
}

// remove removes the file of the run before. It is called before the ledger gets a line about an error, so that a run
// after one that was killed reads each message. This run goes on with the looks that it has.
func (l *looks) remove() {
	if l.path == "" || l.removed {
		return
	}
	os.Remove(l.path)
	l.removed = true
}

// unchanged notes a look at a message, and reports whether it is as it was when it was read.
func (l *looks) unchanged(maildir, unique string, seen mailbox.Look) bool {
	l.asked = look{maildir: maildir, unique: unique, Look: seen}
	l.at = l.a.now()
	if l.before == nil || !l.before.find(&l.asked) {
		return false
	}
	switch l.asked.state {
	case lookStored:
	case lookRead:
		if l.all {
			return false
		}
	case lookOlder:
		if !time.Unix(0, seen.Modified).Before(l.since) {
			return false
		}
	default:
		return false
	}
	l.kept[l.asked.state]++
	l.write()
	return true
}

// count adds the messages that were not opened to the record of the source.
func (l *looks) count(rec *SourceRecord) {
	rec.Exists += l.total()
	rec.Seen += l.kept[lookRead] + l.kept[lookStored]
	rec.Stored += l.kept[lookStored]
	rec.Older += l.kept[lookOlder]
}

func (l *looks) total() int64 { return l.kept[lookRead] + l.kept[lookStored] + l.kept[lookOlder] }

// add notes a message whose file was opened after the look at it.
func (l *looks) add(it *Item, state lookState) {
	isAsked := it.inMaildir && it.File == pathText(filepath.Join(l.asked.maildir, l.asked.unique))
	isSettled := l.at.Sub(time.Unix(0, l.asked.Changed)) > lookMargin
	if !isAsked || !isSettled {
		return
	}
	l.fresh++
	l.asked.state = state
	l.write()
}

// write writes a message to the file of this run.
func (l *looks) write() {
	if l.made == nil && !l.faulty {
		w, err := writeLooks(l.a.looksDir())
		l.made = w
		l.faulty = err != nil
	}
	if l.made != nil {
		l.made.add(&l.asked)
	}
}

// end ends the use of the looks. After a source was read to its end, those of this run replace those of the run
// before. An error of that is no error of the run: the next one reads more.
func (l *looks) end(whole bool) {
	if l.before != nil {
		l.before.file.Close()
	}
	if l.made == nil {
		return
	}
	defer l.made.file.Discard()
	isSame := l.before != nil && !l.removed && l.fresh == 0 && l.total() == l.before.Total
	if !whole || isSame {
		return
	}
	head := l.a.Head()
	next := l.a.next()
	l.made.publish(l.path, looksTrailer{Source: l.source, Head: head.String(), File: next.File, End: next.Offset})
}
