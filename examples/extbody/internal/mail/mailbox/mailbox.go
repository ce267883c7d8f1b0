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
	"slices"
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

// Walk is [Walker.Walk] of a Walker without options.
func Walk(path string) iter.Seq2[*Message, error] { return new(Walker).Walk(path) }

// Walk yields the messages of a file, a Maildir, or a folder of them.
//
// Each file and folder below a path is one of three:
//
//   - It is read.
//   - It holds no mail, by its name: it belongs to a program for mail, to version control or to the system, it
//     is in the folder tmp of a Maildir, from which it has not arrived, or it is a backup of [Replace]. It is
//     counted in NoMail.
//   - It is an error.
//
// A folder whose folder cur or new holds files is a Maildir, whatever else it lacks, and each of these files is one
// message. The exceptions are files whose names end in ".mbox", ".mbx", ".emlx" or ".zip", and without a folder
// beside cur or new, files without a name such as "1700000000.a.example:2,S". These are read as those of any other
// folder. So is everything that is beside cur and new, and so are folders in them.
//
// The entries of a folder are in the order of their names, and the entries of a folder in it
// at its place. The messages of a Maildir are in the order of their unique names,
// whether they are in cur or in new, so that reading a message does not move it. They precede everything
// else in the Maildir.
//
// Links to files are followed. A link to a folder is read if it is the path itself. Below the path each folder is
// read once, at its own place, and a link to one that was read there yields nothing. A link to another folder is
// [ErrLink].
//
// If another program changes a file meanwhile, the file ends with [ErrChanged]. If it
// has only grown, the messages that were there are yielded. If another program renames
// a message of a Maildir, for example when its flags change, it is found under its new
// name.
//
// A file in gzip, zlib, bzip2 or zstd, as cron and the zlib plugin of Dovecot write
// them, is read as its contents. It is first inflated to a temporary file: up to 64
// MiB, and beyond that up to 250 times its size ([ErrInflated]). A file that holds no
// mail by its octets is [ErrNotMail]. One that may hold mail in a form that is not read is [ErrUnread], as is
// a file without mail that is a message of a Maildir.
//
// An error concerns one file or folder, and the sequence goes on with the next. It
// comes with a Message that has only Path and Index. A path that names neither a file
// nor a folder is [ErrIrregular].
//
// The receiver must close each Message. A Message may be read and closed in any
// goroutine, also after the end of the sequence.
func (o *Walker) Walk(path string) iter.Seq2[*Message, error] {
	return func(yield func(*Message, error) bool) {
		w := walker{opener: opener{o.Root}, yield: yield, options: o}
		if w.walk(path) {
			w.unfollowed()
		}
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

// unfollowed yields an error for each link to a folder that was not read. It is called after all
// folders were.
func (w *walker) unfollowed() {
	for _, path := range w.links {
		info, err := w.stat(path)
		switch {
		case err == nil && w.wasRead(info):
			w.nowOpen(path)
		case err == nil:
			err = &fs.PathError{Op: "open", Path: path, Err: ErrLink}
		}
		if err != nil && !w.fail(path, err) {
			return
		}
	}
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
	w.nowOpen(path)
	begin := w.space.ahead[:min(info.Size(), lookSize)]
	n, _ := f.ReadAt(begin, 0) // an error will come again
	if w.options.Zips && !inMaildir && isZip(begin[:n]) {
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
	info, err := w.stat(path)
	if err != nil {
		return w.fail(path, err)
	}
	if w.wasRead(info) {
		return true // it is mounted at two places
	}
	w.note(info)
	entries, err := w.readDir(path)
	if err == nil {
		w.nowOpen(path)
	} else if !w.fail(path, err) {
		return false
	}
	if slices.ContainsFunc(entries, isSub) {
		return w.maildir(path, entries)
	}
	for _, e := range entries {
		if !w.entry(filepath.Join(path, e.Name()), e, false) {
			return false
		}
	}
	return true
}

// isSub reports whether an entry of a folder is a folder cur or new.
func isSub(e fs.DirEntry) bool { return e.IsDir() && slices.Contains(maildirSubs, e.Name()) }

// entry yields the messages of an entry of a folder that is not a message of a Maildir. beside reports that
// the entry is beside the folder cur or new.
func (w *walker) entry(path string, e fs.DirEntry, beside bool) bool {
	switch {
	case w.isApart(path, e.IsDir()):
		return true
	case isNoMail(e.Name(), e.IsDir(), beside):
		w.options.NoMail++
		return true
	case e.IsDir():
		return w.folder(path)
	case e.Type()&fs.ModeSymlink != 0:
		return w.link(path)
	case e.Type().IsRegular():
		return w.file(path, true, false)
	}
	return w.fail(path, &fs.PathError{Op: "open", Path: path, Err: ErrIrregular})
}

// link yields the messages of the file that a link leads to, and notes a link to a folder for unfollowed.
func (w *walker) link(path string) bool {
	info, err := w.stat(path)
	if err == nil && info.IsDir() {
		w.links = append(w.links, path)
		return true
	}
	return w.file(path, false, false)
}
