package mailbox

import (
	"io"
	"io/fs"
	"os"
)

// A Span is a range of octets of a file: from Start up to, not including, End.
type Span struct {
	Start, End int64
}

// Len returns the number of octets.
func (s Span) Len() int64 { return s.End - s.Start }

// A Message is the place of a message in a file.
type Message struct {
	// Path is the file that holds the message.
	Path string

	// Index counts the messages of an mbox or MMDF file, or of a Maildir,
	// from 0. It is 0 for a file that is one message.
	Index int

	// Flags are the letters after ":2," in the name of a file in a Maildir;
	// "" elsewhere.
	Flags string

	// Compressed reports that the file is in gzip, zlib, bzip2 or zstd. The spans, and
	// the file that File returns, are of its contents.
	Compressed bool

	// Envelope, Content and Trailer are the octets before the message, the
	// message, and the octets after it. Each begins where the one before it
	// ends. Envelope and Trailer may be empty.
	Envelope, Content, Trailer Span

	r    io.ReaderAt
	file *sharedFile
}

// Reader returns a new reader of the message, without its envelope and
// trailer. Several may be used at the same time.
//
// Reading returns the error [ErrChanged] if the message is no longer where it was
// found, since another program wrote to its file.
func (m *Message) Reader() *io.SectionReader {
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
	return f.release()
}
