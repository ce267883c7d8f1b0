package archive

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-extbody/extbody/examples/extbody/internal/mail/mailbox"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// A Source is a place where messages are seen.
type Source interface {
	// Name names the mailbox, file or folder, without secrets.
	Name() string

	// Messages yields the messages. known reports whether a message is known at a place. If
	// the Item has a File, a UID or an EmailID, an error concerns one file or message. Otherwise it
	// concerns the rest of the source. The receiver closes each Item, also one that comes
	// with an error.
	Messages(ctx context.Context, known func(*Sighting) Known) iter.Seq2[*Item, error]

	// Exists is called after Messages. It returns how many messages the server
	// announced, and the UIDVALIDITY. The number is negative if there was no
	// announcement.
	Exists() (int64, uint32)
}

// A Mark is how a Source was when all of its messages had been seen.
type Mark struct {
	State    string // as State returned it
	Messages int64  // that were in it
}

// A Resumable is a Source that can find the changes since a Mark.
type Resumable interface {
	Source

	// Resume is called before Messages. Messages may then yield the changes alone: the messages that are
	// new, and with Gone set those that are no longer there.
	Resume(Mark)

	// State is called after Messages. It returns the state for the next Mark, "" without one,
	// and whether Messages yielded the changes alone.
	State() (state string, resumed bool)
}

// Known is the knowledge about a message at a place.
type Known uint8

const (
	Unseen    Known = iota // it was not seen there
	Outdated               // it was seen there, and has to be read again, because other rules found no references in it
	Seen                   // it was seen there, and need not be read
	Elsewhere              // it was seen at another place of its account, by its EmailID, and need not be read
)

// An Item is a message that was seen somewhere.
type Item struct {
	Sighting

	// Arrived is when the message came to its mailbox, by the server of the mailbox; zero if that is not known.
	Arrived time.Time

	// Older is set if the message was received before the time of [Files]. It is neither
	// read nor stored, and Content is nil.
	Older bool

	// Gone is set if the message, which was Seen, is no longer in a [Resumable].
	Gone bool

	// Refetched is set if the message was fetched whole, because the answers of its server about
	// parts of it were not enough or contradict each other.
	Refetched bool

	// Content returns the octets of the message. It is nil if the message was not
	// read, because it is Seen. If the message is Unseen or Outdated, nil means that
	// it holds no references, and its octets are not at hand.
	Content func() (*io.SectionReader, error)

	// Joined is the message, after which a line is in doubt, if the Item is its other
	// reading; see [mailbox.Message.Joined]. Such an Item comes after the one of the message,
	// at the place of the line before that, and counts as no message.
	Joined *mailbox.Message

	// Apart are the parts whose bodies are not in the file of the message, as in [mailbox.Message].
	Apart []mailbox.ApartPart

	// Unread are the parts that could not be looked into, if the message was read and
	// Content is nil.
	Unread []externalbody.UnreadPart

	inMaildir bool
	close     func()
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

// Files returns the Source of a file, a Maildir, or a folder of these, with zip archives in them, without the messages
// that were received before since. The time of a message is the time of the last change of
// its file, as the file system has it. The header fields do not count, because the sender
// writes them. An mbox that was changed after since is read as a whole. If since is zero,
// all messages are read.
func Files(path string, since time.Time) Source { return &files{path: absolute(path), since: since} }

// absolute returns the absolute path, if the current folder is known.
func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

type files struct {
	path   string
	since  time.Time
	noMail int // files and folders that hold no mail by their names

	// unchanged is as in [mailbox.Walker], if it is not nil.
	unchanged func(maildir, unique string, l mailbox.Look) bool

	// opened is as in [mailbox.Walker], if it is not nil.
	opened func(path string)
}

// NoMail is called after Messages.
func (f *files) NoMail() int64 { return int64(f.noMail) }

func (f *files) Name() string { return pathText(f.path) }

func (f *files) Exists() (int64, uint32) { return -1, 0 }

func (f *files) Messages(ctx context.Context, known func(*Sighting) Known) iter.Seq2[*Item, error] {
	return func(yield func(*Item, error) bool) {
		var last string // the file that was looked at
		var older bool
		walker := &mailbox.Walker{Zips: true, Opened: f.opened}
		if f.unchanged != nil {
			walker.Unchanged = func(maildir, unique string, l mailbox.Look) bool {
				return ctx.Err() == nil && f.unchanged(maildir, unique, l)
			}
		}
		defer func() { f.noMail = walker.NoMail }()
		for m, err := range walker.Walk(f.path) {
			s := Sighting{Source: f.Name(), File: pathText(sightedFile(m.Path)), Offset: m.Content.Start}
			item := &Item{Sighting: s, Content: func() (*io.SectionReader, error) { return m.Reader(), nil }, close: func() { m.Close() }}
			item.Apart = m.Apart
			item.inMaildir = isMaildirFile(m.Path)
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
			if _, ok := errors.AsType[*fs.PathError](err); ok && m.Path == f.path {
				yield(&Item{Sighting: Sighting{Source: f.Name()}}, err)
				return // nothing of the source can be found
			}
			if m.Path != last {
				last = m.Path
				older = f.older(m.Path)
			}
			if older && (err != nil || known(&s) == Unseen) {
				item.Older = true
				item.Content = nil
				err = nil
			}
			joined := m.Joined()
			if joined == nil || item.Older || err != nil {
				if !yield(item, err) {
					return
				}
				continue
			}
			item.close = nil // the message is closed after its other reading
			other := NewItem(s, func() (*io.SectionReader, error) { return joined, nil }, func() { m.Close() })
			other.Offset = m.Envelope.Start
			other.Joined = m
			if !yield(item, nil) {
				other.Close()
				return
			}
			if !yield(other, nil) {
				return
			}
		}
	}
}

// older reports whether the last change of a file was before f.since.
func (f *files) older(path string) bool {
	if f.since.IsZero() {
		return false
	}
	path, _, _ = mailbox.CutZip(path)
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.ModTime().Before(f.since)
}

// pathText returns a path as lines have it. A path that is not UTF-8 is quoted as Go does
// it, because lines are UTF-8. Different paths that start with a slash stay different.
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

// MaxRefLine bounds a line of the file of [Refs], in octets.
const MaxRefLine = 1 << 20

// Refs returns the Source of a file of references whose messages are not at hand. The file
// has JSON lines as extbody list --json --exact-urls writes them. Each line is an object.
// Empty lines, and members other than these, are ignored:
//
//	ref            the ID of the reference; it must not be empty
//	dialect        "" for a message/external-body part
//	access_type    of such a part
//	params         of such a part: a list of pairs of a name and a value
//	url            where the body is; enough for a line without params
//	name           a name for the body
//	size           the size of the body
//	content_type   the media type of the body
//	expiration     RFC 3339
//	content_id     of the part
//	promises       of a dialect: the members that it knows to be exact
//	message_id     of the message with the reference
//
// A line of a part has access_type and params, and no dialect. Its size and content_type
// are promises. Those of another line are ignored, unless promises has "size" or "type".
//
// A line is kept as a message with one reference, an equivalent message/external-body part.
// The message is seen in the file, at the number of the line. Equivalent lines are the same
// message, wherever they are seen. A URL has the same key as in mail.
//
// A line is an exception, with its number, in these cases. The lines after it are read.
//
//   - It is not a JSON object of this form, or has no ref.
//   - It has neither a url nor access_type and params.
//   - It is longer than [MaxRefLine].
//   - Its URL was redacted.
func Refs(path string) Source { return refs{absolute(path)} }

type refs struct{ path string }

func (f refs) Name() string { return pathText(f.path) }

func (f refs) Exists() (int64, uint32) { return -1, 0 }

func (f refs) Messages(ctx context.Context, _ func(*Sighting) Known) iter.Seq2[*Item, error] {
	return func(yield func(*Item, error) bool) {
		whole := func(err error) { yield(&Item{Sighting: Sighting{Source: f.Name()}}, err) }
		file, err := os.Open(f.path)
		if err != nil {
			whole(err)
			return
		}
		defer file.Close()
		in := bufio.NewReaderSize(file, MaxRefLine+1)
		for n := 1; ; n++ {
			line, err := refLine(in)
			if err == io.EOF {
				return
			}
			if ctx.Err() != nil {
				err = context.Cause(ctx)
			}
			if err != nil && !errors.Is(err, errRefLong) {
				whole(err)
				return
			}
			if err == nil && len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			var text []byte
			if err == nil {
				text, err = refMessage(line)
			}
			if _, ok := errors.AsType[*fetch.Error](err); err != nil && !ok {
				err = &fetch.Error{Op: "read", Kind: fetch.Malformed, Err: err}
			}
			item := &Item{
				Sighting: Sighting{Source: f.Name(), File: f.Name() + ":" + strconv.Itoa(n)},
				Content: func() (*io.SectionReader, error) {
					return io.NewSectionReader(bytes.NewReader(text), 0, int64(len(text))), nil
				},
			}
			if !yield(item, err) {
				return
			}
		}
	}
}

var (
	errRefLong     = errors.New("the line is longer than 1 MiB")
	errRefNone     = errors.New("the line is not one of a reference")
	errRefURL      = errors.New("the line names no URL and no access type")
	errRefRedacted = errors.New("the URL was redacted, and leads nowhere: it has to be listed with --exact-urls")
)

// refLine returns a line without its end. It reads a line that is too long to its end.
func refLine(in *bufio.Reader) ([]byte, error) {
	line, err := in.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		for err == bufio.ErrBufferFull {
			_, err = in.ReadSlice('\n')
		}
		if err == nil || err == io.EOF {
			err = errRefLong
		}
		return nil, err
	}
	if err == io.EOF && len(line) > 0 {
		err = nil
	}
	return bytes.TrimSuffix(line, []byte("\n")), err
}

// A refRecord has the members of a line that count.
type refRecord struct {
	Ref         string      `json:"ref"`
	Dialect     string      `json:"dialect"`
	AccessType  string      `json:"access_type"`
	Params      [][2]string `json:"params"`
	URL         string      `json:"url"`
	Name        string      `json:"name"`
	Size        *int64      `json:"size"`
	ContentType string      `json:"content_type"`
	Expiration  time.Time   `json:"expiration"`
	ContentID   string      `json:"content_id"`
	Promises    []string    `json:"promises"`
	MessageID   string      `json:"message_id"`
}

// written removes the characters of a name that no header field can have.
var written = strings.NewReplacer("\r", "", "\n", "", "\x00", "")

// refMessage returns the message for a line. Equivalent lines give the same octets.
func refMessage(line []byte) ([]byte, error) {
	var rec refRecord
	if err := json.Unmarshal(line, &rec); err != nil {
		return nil, err
	}
	if rec.Ref == "" {
		return nil, errRefNone
	}
	standard := rec.Dialect == "" && rec.AccessType != "" && len(rec.Params) > 0
	if !standard && rec.URL == "" {
		return nil, errRefURL
	}
	ref := &externalbody.Reference{
		AccessType: "url",
		Size:       -1,
		Name:       written.Replace(rec.Name),
		Expiration: rec.Expiration,
		MediaType:  "application/octet-stream",
	}
	ref.Params = externalbody.Fields{{Name: "access-type", Value: "url"}, {Name: "url", Value: rec.URL}}
	if standard {
		ref.AccessType = rec.AccessType
		ref.Params = nil
		for _, p := range rec.Params {
			ref.Params = append(ref.Params, externalbody.Field{Name: strings.ToLower(p[0]), Value: p[1]})
		}
	}
	for _, p := range ref.Params {
		if p.Name == "url" && redacted(p.Value) {
			return nil, errRefRedacted
		}
	}
	promised := standard || slices.Contains(rec.Promises, "size")
	if rec.Size != nil && *rec.Size >= 0 && promised {
		ref.Size = *rec.Size
	}
	if rec.ContentType != "" && (standard || slices.Contains(rec.Promises, "type")) {
		ref.MediaType = rec.ContentType
	}
	ref.ContentID = rec.ContentID
	if !isID(rec.ContentID) {
		ref.ContentID = "<" + digest(rec.URL + "\n" + rec.Ref)[:32] + "@refs.invalid>"
	}
	var b bytes.Buffer
	if isID(rec.MessageID) {
		fmt.Fprintf(&b, "Message-ID: %s\r\n", rec.MessageID)
	}
	b.WriteString("MIME-Version: 1.0\r\n")
	if _, err := ref.WriteTo(&b); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// isID reports whether s can be written as a Message-ID or Content-ID without a change.
func isID(s string) bool {
	if len(s) <= 2 || len(s) > 250 {
		return false
	}
	bracketed := s[0] == '<' && s[len(s)-1] == '>'
	return bracketed && strings.IndexFunc(s, func(c rune) bool { return c <= ' ' || c > '~' }) < 0
}

// redacted reports whether a URL was made for logs: package redact replaces secrets with
// "xxxxx" and "...".
func redacted(text string) bool {
	u, err := url.Parse(text)
	if err != nil {
		return false
	}
	for pair := range strings.SplitSeq(u.RawQuery, "&") {
		if _, value, _ := strings.Cut(pair, "="); value == "xxxxx" {
			return true
		}
	}
	return slices.Contains(strings.Split(u.Path, "/"), "...") || strings.HasSuffix(text, "...")
}
