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
// mark and empty lines: an mbox starts with "From ", MMDF with a line of four octets
// 01. An .emlx starts with a line that is a number, and ends with a property list. Any other file is one message, and
// an empty file has none. Attachments that Apple Mail keeps beside an .emlx are read with it; see [ApartPart]. Lines may end in LF,
// CRLF or CR CR LF. A file that starts with "From " and whose lines end in CR is [ErrCR].
//
// # Where the messages of an mbox begin
//
// The variants of mbox disagree on quoting and cannot be distinguished with
// certainty. So a line that starts with "From " separates messages only with evidence.
// After the header of a message, and within it after the first field, it does so
//
//   - if it has a date (day of the week, month, day, time and year, in the
//     order of asctime or of RFC 5322), and an empty line before it or a line
//     like a header field after it;
//   - if nothing follows "From " but "-", as Thunderbird writes it for a while, and a line
//     like a header field comes after it;
//   - or, in an mbox whose first line has no date, if it has both an empty line before it
//     and a line like a header field after it.
//
// Within a header there is no empty line before it.
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
// A line that separates messages is in doubt in two cases. The messages are those on both
// sides of the line, and [Message.Joined] is the other reading.
//
//   - A multipart of the message before it is still open there, and one of its delimiters
//     follows later: the line may be in the text of a part, such as a patch of git.
//   - It is within a header: Python and Dovecot split there, mutt and nmh do not.
//
// A message is given as it is in the file. In mboxo and mboxrd, lines of its body that
// started with "From " have a ">" before them. No header field starts that way, so this
// affects neither the content nor the place of a reference.
package mailbox

import (
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
)

// Split yields the messages in the octets of Joined: this one, and the others up to the end
// of the doubt. They need not be closed.
func (m *Message) Split() iter.Seq2[*Message, error] {
	return func(yield func(*Message, error) bool) {
		r := io.NewSectionReader(m.r, m.Envelope.Start, m.joined.End-m.Envelope.Start)
		s := splitter{
			window: window{r: r, size: r.Size()}, path: m.Path, format: mbox, dated: m.dated, lengths: m.lengths, yield: yield,
		}
		s.first = s.start()
		if !s.mbox(s.first) || s.err == nil {
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
// neither a file nor a folder, over files and folders whose names start with a dot,
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

// WalkIn is Walk for a path that is the name of a root or below it. Everything is opened
// through the root: a path with a link out of it, and an absolute link, are errors. The path
// is not looked at in any other way.
func WalkIn(root *os.Root, path string) iter.Seq2[*Message, error] {
	return func(yield func(*Message, error) bool) {
		w := walker{opener: opener{root}, yield: yield}
		w.walk(path)
	}
}

// WalkZips is [Walk], and yields the messages in zip archives too, and in those within them. A file in an
// archive is read if its name ends in ".eml", ".emlx", ".mbox" or ".mbx", or if it starts as mail. One that
// holds mail in a form that is not read is an error. The other files of an archive with mail are passed over,
// and an archive without mail is [ErrNotMail].
//
// Together, the files of an archive may have 64 MiB, and beyond that 250 times its size; the error is
// [ErrInflated]. Of several with one name, the later ones have "#2" and so on after it.
func WalkZips(path string) iter.Seq2[*Message, error] {
	return func(yield func(*Message, error) bool) {
		w := walker{yield: yield, zips: true}
		w.walk(path)
	}
}

func (w *walker) walk(path string) bool {
	info, err := w.stat(path)
	switch {
	case err != nil:
		return w.fail(path, err)
	case info.IsDir():
		return w.folder(path)
	}
	return w.file(path, info.Mode().IsRegular(), w.maildirOf(path) != "")
}

// file yields the messages of a file. regular means that it was seen to be a regular one.
func (w *walker) file(path string, regular, inMaildir bool) bool {
	f, info, err := w.openRegular(path, regular)
	if err != nil {
		return w.fail(path, err)
	}
	return w.opened(path, f, info, inMaildir)
}

// opened yields the messages of an open file. In a Maildir it is one message.
func (w *walker) opened(path string, f *os.File, info os.FileInfo, inMaildir bool) bool {
	begin := w.space.ahead[:min(info.Size(), lookSize)]
	n, _ := f.ReadAt(begin, 0) // an error will come again
	if w.zips && !inMaildir && isZip(begin[:n]) {
		defer f.Close()
		return w.zipped(path, f, info.Size(), &zipBudget{max(minInflated, maxRatio*info.Size())}, 0)
	}
	shared, err := newSharedFile(f, info).inflated(begin[:n])
	if err != nil {
		return w.fail(path, err)
	}
	defer shared.release()
	ahead := Span{End: int64(n)}
	if n < len(begin) || shared.spool != nil {
		ahead = Span{}
	}
	s := &splitter{
		beside:     &w.opener,
		compressed: shared.spool != nil,
		window:     window{r: shared, size: shared.size, file: shared, ahead: ahead, space: &w.space},
		path:       path,
		yield:      w.yield,
	}
	if inMaildir {
		s.flags = flags(path)
	}
	return s.split(inMaildir)
}

func (w *walker) folder(path string) bool {
	entries, err := w.readDir(path)
	if err != nil {
		return w.fail(path, err)
	}
	if w.isMaildir(path) {
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
	case w.isApart(name, e.IsDir()):
		return true
	case e.IsDir() && (!hidden || w.isMaildir(name)):
		return w.folder(name)
	case !hidden && w.isFile(name, e):
		return w.file(name, e.Type().IsRegular(), false)
	}
	return true
}
