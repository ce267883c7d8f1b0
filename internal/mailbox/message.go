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

// A Message is a place in a file where a message is.
type Message struct {
	// Path is the file that holds the message.
	Path string

	// Index counts the messages of an mbox or MMDF file, or of a Maildir,
	// from 0. It is 0 for a file that is one message.
	Index int

	// Flags are the letters after ":2," in the name of a file in a Maildir;
	// "" elsewhere.
	Flags string

	// Compressed says that the file is in gzip, zlib, bzip2 or zstd. The spans are
	// those of what it holds, and so is what File returns.
	Compressed bool

	// Envelope, Content and Trailer are what comes before the message, the
	// message, and what comes after it. Each begins where the one before it
	// ends. Envelope and Trailer may be empty.
	Envelope, Content, Trailer Span

	r    io.ReaderAt
	file *sharedFile
}

// Reader returns a new reader of the message, without its envelope and
// trailer. Several may be used at the same time.
//
// Reading is an error, [ErrChanged], if the message is not where it was found any more,
// since another program has written to its file.
func (m *Message) Reader() *io.SectionReader {
	return io.NewSectionReader(m.r, m.Content.Start, m.Content.Len())
}

// File returns the whole file of the message, wherever it has been moved to since, and
// what there is to know of it. It can be read until the message is closed. The messages
// of [Read] have none.
func (m *Message) File() (io.ReaderAt, os.FileInfo, error) {
	if m.file == nil {
		return nil, nil, &fs.PathError{Op: "open", Path: m.Path, Err: fs.ErrClosed}
	}
	info, err := m.file.Stat()
	return m.file, info, err
}

// Close says that the message will not be read any more. Its file is closed
// with the last of its messages. Close does nothing the second time, and
// nothing for the messages of [Read].
func (m *Message) Close() error {
	f := m.file
	m.file = nil
	if f == nil {
		return nil
	}
	return f.release()
}
