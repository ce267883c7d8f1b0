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

	"github.com/go-extbody/extbody/internal/mailbox"
)

// A Source is where messages are seen.
type Source interface {
	// Name names the mailbox, file or folder, without secrets.
	Name() string

	// Messages yields the messages. seen reports whether one was seen there before. An
	// error is that of one file or message, if the Item has a File or a UID, and otherwise of all that is left of the source.
	// The receiver closes each Item.
	Messages(ctx context.Context, seen func(*Sighting) bool) iter.Seq2[*Item, error]

	// Exists returns, after the messages, how many the server announced, and the
	// UIDVALIDITY; a negative number if there is no such announcement.
	Exists() (int64, uint32)
}

// An Item is a message that was seen somewhere.
type Item struct {
	Sighting

	// Older says that the message was received before what is wanted, and is neither
	// read nor stored. Content is nil then.
	Older bool

	// Content returns the octets of the message. nil means that the message was
	// seen before and not read, or, if the sighting is new, that it holds no
	// references and its octets are not at hand.
	Content func() (*io.SectionReader, error)

	close func()
}

// NewItem returns an Item that calls closer, if it is not nil, when it is closed.
func NewItem(s Sighting, content func() (*io.SectionReader, error), closer func()) *Item {
	return &Item{Sighting: s, Content: content, close: closer}
}

// Close says that the Item is not needed any more.
func (i *Item) Close() {
	if i.close != nil {
		i.close()
		i.close = nil
	}
}

// Files returns the Source of a file, a Maildir or a folder of them.
func Files(path string) Source {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	return files{path: path}
}

// FilesSince is Files without what was received before a time. When that was is what the
// file system says, the time at which a file was changed last, and nothing that is in the
// message, since that is what its sender says. An mbox that was changed since is read
// whole.
func FilesSince(path string, since time.Time) Source {
	f := Files(path).(files)
	f.since = since
	return f
}

type files struct {
	path  string
	since time.Time
}

func (f files) Name() string            { return told(f.path) }
func (f files) Exists() (int64, uint32) { return -1, 0 }

func (f files) Messages(ctx context.Context, seen func(*Sighting) bool) iter.Seq2[*Item, error] {
	return func(yield func(*Item, error) bool) {
		var last string // the file that was looked at
		var older bool
		for m, err := range mailbox.Walk(f.path) {
			s := Sighting{Source: f.Name(), File: told(sightedFile(m.Path)), Offset: m.Content.Start}
			item := &Item{Sighting: s, Content: func() (*io.SectionReader, error) { return m.Reader(), nil }, close: func() { m.Close() }}
			if ctx.Err() != nil {
				item.Close()
				yield(&Item{Sighting: Sighting{Source: f.Name()}}, context.Cause(ctx))
				return
			}
			if errors.Is(err, fs.ErrNotExist) && m.Path != f.path {
				if _, serr := os.Lstat(m.Path); errors.Is(serr, fs.ErrNotExist) && isMaildirFile(m.Path) {
					continue // another program took it away, which is no loss
				}
			}
			if m.Path != last {
				last, older = m.Path, f.older(m.Path)
			}
			if older && (err != nil || !seen(&s)) {
				item.Older, item.Content, err = true, nil, nil
			}
			if !yield(item, err) {
				return
			}
		}
	}
}

// older reports whether a file was changed last before what is wanted.
func (f files) older(path string) bool {
	if f.since.IsZero() {
		return false
	}
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.ModTime().Before(f.since)
}

// told returns a path as lines have it, which are UTF-8: another one is quoted as Go does
// it. No two paths that begin with a slash are told alike.
func told(path string) string {
	if utf8.ValidString(path) {
		return path
	}
	return strconv.Quote(path)
}

func isMaildirFile(path string) bool {
	sub := filepath.Base(filepath.Dir(path))
	return sub == "cur" || sub == "new"
}

// sightedFile returns the path of a file; in a Maildir without the folder and the
// flags, which change.
func sightedFile(path string) string {
	if !isMaildirFile(path) {
		return path
	}
	name, _, _ := strings.Cut(filepath.Base(path), ":")
	return filepath.Join(filepath.Dir(filepath.Dir(path)), name)
}
