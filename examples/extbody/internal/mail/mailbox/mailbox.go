// Package mailbox finds the messages that a path stands for: one message, an mbox or
// MMDF file, a Maildir, or a folder of any of these. It also writes such a mailbox with
// some of its messages replaced.
//
// A [Message] is three spans of its file: the envelope before it (the "From " line of an
// mbox, the opening line of MMDF), the message itself, and the trailer after it (the empty
// line of an mbox, the closing line of MMDF). In the order in which they are yielded,
// the spans of a file cover all of it and do not overlap. So a program that rewrites a
// mailbox can copy everything that it does not change.
//
// Files are read by offset, through one buffer of at most 1 MiB for each goroutine, in
// time linear in their size. They are not mapped: if another program truncates a file,
// that is an error of that file.
//
// # Formats
//
// A file whose name ends in ".eml", and a file in the cur or new folder of a Maildir,
// is one message. The beginning of any other file shows its format, after a byte order
// mark and empty lines: an mbox begins with "From ", MMDF with a line of four octets
// 01. Any other file is one message, and an empty file has none. Lines may end in LF or
// CRLF.
//
// # Where the messages of an mbox begin
//
// The variants of mbox disagree on quoting and cannot be distinguished with
// certainty. So a line that begins with "From " separates messages only with evidence.
// After the header of a message it does so
//
//   - if it has a date (day of the week, month, day, time and year, in the
//     order of asctime or of RFC 5322), and an empty line before it or a line
//     like a header field after it;
//   - or, in an mbox whose first line has no date, if it has both of these.
//
// The sender of a message can write a Content-Length, which mboxcl and mboxcl2 use
// instead of quoting. So it is followed only
//
//   - if it leads to the end of the file or to a line that separates messages, with
//     at most an empty line before it;
//   - and if nothing before that place separates messages, or the file has several
//     messages, each of which has a Content-Length that leads to the next one.
//
// It is ignored otherwise.
//
// A message is given as it is in the file. In mboxo and mboxrd, lines of its body that
// began with "From " have a ">" before them. No header field begins that way, so this
// affects neither the content nor the place of a reference.
package mailbox

import (
	"errors"
	"io"
	"iter"
)

// ErrNotMail is the error of a file that holds something other than mail, such as an
// archive, a picture or the mailbox of a program whose format is not read. The other
// files of a folder may hold mail.
var ErrNotMail = errors.New("the file holds no mail")

// ErrUnread is the error of such a file in the cur or new folder of a Maildir, where each
// file is a message.
var ErrUnread = errors.New("the message is in a form that is not read, such as lz4, xz or encrypted")

// Read yields the messages of the mailbox of size octets in r. The messages have the
// given Path. It is for mailboxes without a path, such as standard input.
//
// An error ends the sequence. It comes with a Message that has only Path and Index.
//
// The sequence can be ranged over more than once. r must stay open until the
// last message was read; it is not closed.
func Read(path string, r io.ReaderAt, size int64) iter.Seq2[*Message, error] {
	return func(yield func(*Message, error) bool) {
		s := splitter{window: window{r: r, size: size}, path: path, yield: yield}
		s.split(false)
	}
}
