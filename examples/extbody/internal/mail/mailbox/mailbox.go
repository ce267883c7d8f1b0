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
// 01. Any other file is one message, and an empty file has none. Lines may end in LF,
// CRLF or CR CR LF. An mbox whose lines end in CR is [ErrCR].
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
//   - if nothing follows "From " but "-", as Thunderbird writes it for a while, and a line
//     like a header field comes after it;
//   - or, in an mbox whose first line has no date, if it has both an empty line before it
//     and a line like a header field after it.
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
// A line that separates messages is in doubt if a multipart of the message before it is
// still open there and one of its delimiters follows later: the line may be in the text of
// a part, such as a patch of git. The messages are those on both sides of the line, and
// [Message.Joined] is the other reading.
//
// A message is given as it is in the file. In mboxo and mboxrd, lines of its body that
// began with "From " have a ">" before them. No header field begins that way, so this
// affects neither the content nor the place of a reference.
package mailbox

import (
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
)

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

// Split yields the messages in the octets of Joined: this one, and the others up to the end
// of the doubt. They need not be closed.
func (m *Message) Split() iter.Seq2[*Message, error] {
	return func(yield func(*Message, error) bool) {
		r := io.NewSectionReader(m.r, m.Envelope.Start, m.joined.End-m.Envelope.Start)
		s := splitter{window: window{r: r, size: r.Size()}, path: m.Path, dated: m.dated, yield: yield, format: mbox}
		if !s.mbox(0) || s.err == nil {
			return
		}
		yield(&Message{Path: m.Path}, s.err)
	}
}

// Walk yields the messages of a file, a Maildir, or a folder of them.
//
// The entries of a folder come in the order of their names, and the entries of a folder in it
// at its place. The messages of a Maildir come in the order of their unique names,
// whether they are in cur or in new, so that reading a message does not move it.
// Messages in tmp have not arrived. The Maildirs within a Maildir follow. Links to
// files are followed, links to folders are not. Walk passes over anything that is
// neither a file nor a folder, over files and folders whose names begin with a dot,
// except for Maildirs, and over the backups of [Replace].
//
// If another program changes a file meanwhile, the file ends with [ErrChanged]. If it
// has only grown, the messages that were there are yielded. If another program renames
// a message of a Maildir, for example when its flags change, it is found under its new
// name.
//
// A file in gzip, zlib, bzip2 or zstd, as cron and the zlib plugin of Dovecot write
// them, is read as its contents. It is first inflated to a temporary file: up to 64
// MiB, and beyond that up to 250 times its size ([ErrInflated]). A file that holds no
// mail is [ErrNotMail], or [ErrUnread] in a Maildir.
//
// An error concerns one file or folder, and the sequence goes on with the next. It
// comes with a Message that has only Path and Index. A path that names neither a file
// nor a folder is an error.
//
// The receiver must close each Message. A Message may be read and closed in any
// goroutine, also after the end of the sequence.
func Walk(path string) iter.Seq2[*Message, error] {
	return func(yield func(*Message, error) bool) {
		w := walker{yield: yield}
		w.walk(path)
	}
}

var errIrregular = errors.New("neither a file nor a folder")

// A walker yields the messages of the files it is given. Its methods report
// whether the caller wants more.
type walker struct {
	yield func(*Message, error) bool
	space space // used for one file after the other
}

func (w *walker) walk(path string) bool {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return w.fail(path, 0, err)
	case info.IsDir():
		return w.folder(path)
	}
	return w.file(path, info.Mode().IsRegular())
}

func (w *walker) fail(path string, index int, err error) bool {
	return w.yield(&Message{Path: path, Index: index}, err)
}

// file yields the messages of a file. regular means that it was seen to be a regular one.
func (w *walker) file(path string, regular bool) bool {
	f, info, err := openRegular(path, regular)
	if err != nil {
		return w.fail(path, 0, err)
	}
	return w.opened(path, f, info, 0, false)
}

// opened yields the messages of an open file, which count from index. In a Maildir it is
// one message.
func (w *walker) opened(path string, f *os.File, info os.FileInfo, index int, inMaildir bool) bool {
	begin := w.space.ahead[:min(info.Size(), lookSize)]
	n, _ := f.ReadAt(begin, 0) // an error will come again
	shared, err := newSharedFile(f, info).inflated(begin[:n])
	if err != nil {
		return w.fail(path, index, err)
	}
	defer shared.release()
	ahead := Span{End: int64(n)}
	if n < len(begin) || shared.spool != nil {
		ahead = Span{}
	}
	s := &splitter{
		compressed: shared.spool != nil,
		window:     window{r: shared, size: shared.size, file: shared, ahead: ahead, space: &w.space},
		path:       path,
		index:      index,
		yield:      w.yield,
	}
	if inMaildir {
		s.flags = flags(path)
	}
	return s.split(inMaildir)
}

// openRegular opens a file. It does not open pipes and devices, which may wait or act,
// unless something replaced a file that was seen to be regular.
func openRegular(path string, regular bool) (f *os.File, info os.FileInfo, err error) {
	if !regular {
		info, err := os.Stat(path)
		if err != nil {
			return nil, nil, err
		}
		if !info.Mode().IsRegular() {
			return nil, nil, &fs.PathError{Op: "open", Path: path, Err: errIrregular}
		}
	}
	f, err = os.OpenFile(path, openFlags, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err = f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: path, Err: errIrregular}
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

func (w *walker) folder(path string) bool {
	entries, err := os.ReadDir(path)
	if err != nil {
		return w.fail(path, 0, err)
	}
	if isMaildir(path) {
		return w.maildir(path, entries)
	}
	for _, e := range entries {
		if !w.entry(path, e) {
			return false
		}
	}
	return true
}

// entry yields the messages of an entry of a folder that is not a Maildir.
func (w *walker) entry(path string, e fs.DirEntry) bool {
	name := filepath.Join(path, e.Name())
	hidden := strings.HasPrefix(e.Name(), ".") || strings.HasSuffix(e.Name(), BackupSuffix)
	switch {
	case e.IsDir() && (!hidden || isMaildir(name)):
		return w.folder(name)
	case !hidden && isFile(name, e):
		return w.file(name, e.Type().IsRegular())
	}
	return true
}

// isFile reports whether e is a file or a link to one. A link to nothing counts, so
// that it is reported.
func isFile(path string, e fs.DirEntry) bool {
	if e.Type()&fs.ModeSymlink == 0 {
		return e.Type().IsRegular()
	}
	info, err := os.Stat(path)
	return err != nil || info.Mode().IsRegular()
}
