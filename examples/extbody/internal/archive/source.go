package archive

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-extbody/extbody/examples/extbody/internal/mail/mailbox"
)

// A Source is a place where messages are seen.
type Source interface {
	// Name names the mailbox, file or folder, without secrets.
	Name() string

	// Messages yields the messages. known reports whether a message is known at a place. If
	// the Item has a File or a UID, an error concerns one file or message. Otherwise it
	// concerns the rest of the source. The receiver closes each Item, also one that comes
	// with an error.
	Messages(ctx context.Context, known func(*Sighting) Known) iter.Seq2[*Item, error]

	// Exists is called after Messages. It returns how many messages the server
	// announced, and the UIDVALIDITY. The number is negative if there was no
	// announcement.
	Exists() (int64, uint32)
}

// Known is the knowledge about a message at a place.
type Known uint8

const (
	Unseen   Known = iota // it was not seen there
	Outdated              // it was seen there, and has to be read again, because other rules found no references in it
	Seen                  // it was seen there, and need not be read
)

// An Item is a message that was seen somewhere.
type Item struct {
	Sighting

	// Older is set if the message was received before the time of FilesSince. It is neither
	// read nor stored, and Content is nil.
	Older bool

	// Content returns the octets of the message. It is nil if the message was not
	// read, because it is Seen. If the message is Unseen or Outdated, nil means that
	// it holds no references, and its octets are not at hand.
	Content func() (*io.SectionReader, error)

	close func()
}

// NewItem returns an Item. Close calls closer if it is not nil.
func NewItem(s Sighting, content func() (*io.SectionReader, error), closer func()) *Item {
	return &Item{Sighting: s, Content: content, close: closer}
}

// Close ends the use of the Item. It may be called again.
func (i *Item) Close() {
	if i.close != nil {
		i.close()
		i.close = nil
	}
}

// Files returns the Source of a file, a Maildir, or a folder of these.
func Files(path string) Source {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	return files{path: path}
}

// FilesSince is Files without the messages that were received before since. The time of a
// message is the time of the last change of its file, as the file system has it. The
// header fields do not count, because the sender writes them. An mbox that was
// changed after since is read as a whole. If since is zero, all messages are read.
func FilesSince(path string, since time.Time) Source {
	f := Files(path).(files)
	f.since = since
	return f
}

type files struct {
	path  string
	since time.Time
}

func (f files) Name() string            { return pathText(f.path) }
func (f files) Exists() (int64, uint32) { return -1, 0 }

func (f files) Messages(ctx context.Context, known func(*Sighting) Known) iter.Seq2[*Item, error] {
	return func(yield func(*Item, error) bool) {
		var last string // the file that was looked at
		var older bool
		for m, err := range mailbox.Walk(f.path) {
			s := Sighting{Source: f.Name(), File: pathText(sightedFile(m.Path)), Offset: m.Content.Start}
			item := &Item{Sighting: s, Content: func() (*io.SectionReader, error) { return m.Reader(), nil }, close: func() { m.Close() }}
			if ctx.Err() != nil {
				item.Close()
				yield(&Item{Sighting: Sighting{Source: f.Name()}}, context.Cause(ctx))
				return
			}
			if errors.Is(err, fs.ErrNotExist) && m.Path != f.path {
				if _, serr := os.Lstat(m.Path); errors.Is(serr, fs.ErrNotExist) && isMaildirFile(m.Path) {
					continue // another program took it away
				}
			}
			if m.Path != last {
				last, older = m.Path, f.older(m.Path)
			}
			if older && (err != nil || known(&s) == Unseen) {
				item.Older, item.Content, err = true, nil, nil
			}
			if !yield(item, err) {
				return
			}
		}
	}
}

// older reports whether the last change of a file was before f.since.
func (f files) older(path string) bool {
	if f.since.IsZero() {
		return false
	}
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.ModTime().Before(f.since)
}

// pathText returns a path as lines have it. A path that is not UTF-8 is quoted as Go does
// it, because lines are UTF-8. Different paths that begin with a slash stay different.
func pathText(path string) string {
	if utf8.ValidString(path) {
		return path
	}
	return strconv.Quote(path)
}

func isMaildirFile(path string) bool {
	sub := filepath.Base(filepath.Dir(path))
	return sub == "cur" || sub == "new"
}

// sightedFile returns the path of a file. For a file of a Maildir it leaves out "cur" or
// "new" and the flags, because these change.
func sightedFile(path string) string {
	if !isMaildirFile(path) {
		return path
	}
	name, _, _ := strings.Cut(filepath.Base(path), ":")
	return filepath.Join(filepath.Dir(filepath.Dir(path)), name)
}
