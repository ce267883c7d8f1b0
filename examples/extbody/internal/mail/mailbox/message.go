package mailbox

import (
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A Message is the place of a message in a file.
type Message struct {
	// Path is the file that holds the message.
	Path string

	// Index counts the messages of the file from 0. It is 0 for a file that is one
	// message, such as a file of a Maildir.
	Index int

	// Flags are the letters after ":2," in the name of a file in a Maildir;
	// "" elsewhere.
	Flags string

	// Compressed reports that the file is in gzip, zlib, bzip2 or zstd, is in a zip archive, or is an
	// .emlx, and is not rewritten. The spans, and
	// the file that File returns, are of its contents.
	Compressed bool

	// Apart are the parts whose bodies are not in the file; see [ApartPart]. Those with a File are put into the
	// octets that Reader reads, encoded anew as the part is. So these are not the octets that were sent.
	Apart []ApartPart

	// Envelope, Content and Trailer are the octets before the message, the
	// message, and the octets after it. Each starts where the one before it
	// ends. Envelope and Trailer may be empty.
	Envelope, Content, Trailer Span

	r       io.ReaderAt
	whole   *assembled // nil unless bodies were put in
	file    *sharedFile
	format  format // of the file
	dated   bool   // the first line of an mbox has a date
	joined  Span   // see Joined; empty if no line after the message is in doubt
	inDoubt bool
	lengths *bool              // each Content-Length of the mbox leads to the next message; known if joined is not empty
	sum     *[sha256.Size]byte // of the file, if it was remembered
}

// Remember notes the octets of the file, for [Maildir.Replace]: with it a message that
// another program renames meanwhile is replaced, unless its octets changed. The error is
// [ErrChanged] if they changed since the message was found.
func (m *Message) Remember() error {
	if m.file == nil {
		return nil
	}
	sum, err := m.file.digest()
	if err == nil {
		err = m.file.unchanged(&sum)
	}
	m.sum = &sum
	return err
}

// IsFile reports whether the file, or the text that [Read] read, is this one message and no mailbox,
// which may get more.
func (m *Message) IsFile() bool { return m.format == single }

// InDoubt reports whether a line that separates the message from the one before it or
// after it may be in the text of a part; see the package comment.
func (m *Message) InDoubt() bool { return m.inDoubt }

// Joined returns a new reader of the message as it is if the lines in doubt after it
// separate nothing, up to the one after which no multipart is open. It returns nil if no
// line after the message is in doubt.
func (m *Message) Joined() *io.SectionReader {
	if m.joined.Len() == 0 {
		return nil
	}
	return io.NewSectionReader(m.r, m.joined.Start, m.joined.Len())
}

// Reader returns a new reader of the message, without its envelope and
// trailer. Several may be used at the same time.
//
// Reading returns the error [ErrChanged] if the message is no longer where it was
// found, since another program wrote to its file.
func (m *Message) Reader() *io.SectionReader {
	if m.whole != nil {
		return io.NewSectionReader(m.whole, 0, m.whole.size)
	}
	return io.NewSectionReader(m.r, m.Content.Start, m.Content.Len())
}

// File returns the whole file of the message, even if it was moved, and information
// about it. It can be read until the message is closed. Messages of [Read] have no
// file.
func (m *Message) File() (io.ReaderAt, os.FileInfo, error) {
	if m.file == nil {
		return nil, nil, &fs.PathError{Op: "open", Path: m.Path, Err: fs.ErrClosed}
	}
	info, err := m.file.Stat()
	return m.file, info, err
}

// Close ends the use of the message. Its file is closed with the last of its messages.
// A second Close does nothing, nor does Close of a message of [Read].
func (m *Message) Close() error {
	f := m.file
	m.file = nil
	if f == nil {
		return nil
	}
	if m.whole != nil {
		m.whole.close()
	}
	return f.release()
}

// ErrNotMail is the error of a file that holds no mail by its octets, such as a picture.
// The other files of a folder may hold mail. [ForeignError] names the form of the file.
var ErrNotMail = errors.New("the file holds no mail")

// ErrCR is the error of an mbox whose lines end in CR alone, as on the first Macintosh. No
// other program reads it as several messages.
var ErrCR = errors.New("the lines of the mailbox end in CR, which is not read: convert them, for example with tr '\\r' '\\n'")

// ErrUnread is the error of a file that may hold mail in a form that is not read, such as an archive or the
// mailbox of a program, and of every file without mail that is a message of a Maildir.
var ErrUnread = errors.New("the file may hold mail, in a form that is not read")

// A Span is a range of octets of a file: from Start up to, not including, End.
type Span struct {
	Start, End int64
}

// Len returns the number of octets.
func (s Span) Len() int64 { return s.End - s.Start }

func flags(path string) string {
	_, flags, _ := strings.Cut(filepath.Base(path), flagMark)
	return flags
}

// BackupSuffix is added to the name of a mailbox for the name of its backup.
const BackupSuffix = ".extbody-backup"

// A format is how a file holds messages.
type format uint8

const (
	single format = iota // one message
	mbox
	mmdf
)

// flagMark separates the unique name of a message in a Maildir from its flags.
const flagMark = ":2,"
