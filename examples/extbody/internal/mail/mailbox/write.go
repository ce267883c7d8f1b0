package mailbox

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash"
	"io"
	"slices"
	"strconv"
)

// A File is the destination of a mailbox. It can be read back.
type File interface {
	io.Writer
	io.ReaderAt
}

// A ReplaceFunc returns the new content of a message, or nil to leave the message as it
// is. The content is read before the function is called for the next message. An error
// ends the writing.
//
// The Message is without the quoting of mbox: where the body in the file has ">From "
// at the start of a line, its Reader gives "From ". The new content must also be
// without it. A message in doubt is as it is in the file: it gets no new content.
type ReplaceFunc func(m *Message) (*io.SectionReader, error)

// A RefuseFunc is called for each message that has, or may have, new content that
// cannot be written. The message stays as it is, and others are written. err is
// ErrInDoubt, ErrAmbiguous, ErrDelimiter or ErrQuoted. An error that the function returns ends the
// writing.
type RefuseFunc func(m *Message, err error) error

// Errors of content that cannot be written. The message is as it was.
var (
	// ErrAmbiguous is the error of content that would not be read as one message in its
	// mailbox. It is the error of a whole mailbox if its messages would be split in
	// another way than before, for a reason that is not in one of them.
	ErrAmbiguous = errors.New("the new mailbox would not be read as the same messages")

	// ErrInDoubt is the error of a message that some programs read together with the next
	// one, or that they read as several: new content could drop a message of theirs.
	ErrInDoubt = errors.New("it is not certain where the message ends: a line that begins with \"From \" is within it or beside it")

	// ErrDelimiter is the error of content for MMDF that contains a delimiter line.
	ErrDelimiter = errors.New("the new content has a delimiter line of MMDF in it")

	// ErrQuoted is the error of a message of mbox with more quoted lines than are kept
	// in memory.
	ErrQuoted = errors.New("too many quoted lines")
)

// Write writes the mailbox of size octets in r to dst, an empty file. It replaces the
// content of those messages for which replace returns one. If there are none, it writes
// nothing and reports false. The path shows the format, as for [Read].
//
// Messages that are not replaced, and the envelope and trailer of all, are
// copied as they are. For the ones that are replaced:
//
//   - In mbox, ">" is put before each line of the body that starts with any number of
//     ">" and "From ", as in mboxrd. Lines that were not changed come out as they were,
//     in mboxo and in mboxrd, quoted or not. Nothing is quoted in a file in which the
//     Content-Length of every message is right (mboxcl2). Content in which there would be
//     more or fewer lines that start with "From " than before is ErrInDoubt, since many
//     programs take each of them for the start of a message.
//   - In mbox, a message whose Content-Length was right gets one that is right.
//   - In a file that is one message after a line "From ", content is ErrInDoubt if lines
//     that would separate messages in an mbox are missing in it.
//   - In mbox and MMDF, a last line without a line end gets one. MMDF quotes nothing:
//     ErrDelimiter is the error of content that would end a message.
//
// Content is written only if it is read as one message at its place. refuse is called
// for content that cannot be written; if refuse is nil, such content ends the writing.
//
// The result is read back. ErrAmbiguous means that its messages are not the ones that were
// written.
func Write(dst File, path string, r io.ReaderAt, size int64, replace ReplaceFunc, refuse RefuseFunc) (changed bool, err error) {
	w := &mailboxWriter{dst: dst, r: r, path: path, size: size, space: new(space), layout: sha256.New()}
	for m, err := range Read(path, r, size) {
		if err != nil {
			return false, err
		}
		err = w.message(m, replace)
		if refuse != nil && isRefusal(err) {
			addSpans(w.layout, m, m.Content.Len())
			err = refuse(m, err)
		}
		if err != nil {
			return false, err
		}
	}
	if !w.changed {
		return false, nil
	}
	if err := w.copy(size); err != nil {
		return false, err
	}
	back := sha256.New()
	for m, err := range Read(path, dst, w.n) {
		if err != nil {
			return false, err
		}
		addSpans(back, m, m.Content.Len())
	}
	if !bytes.Equal(back.Sum(nil), w.layout.Sum(nil)) {
		return false, ErrAmbiguous
	}
	return true, nil
}

func isRefusal(err error) bool {
	refusals := []error{ErrInDoubt, ErrAmbiguous, ErrDelimiter, ErrQuoted}
	return slices.ContainsFunc(refusals, func(refusal error) bool { return errors.Is(err, refusal) })
}

// A mailboxWriter is a call of Write.
type mailboxWriter struct {
	dst     File
	r       io.ReaderAt
	path    string
	size    int64
	format  format
	dated   bool   // the first line of an mbox has a date
	space   *space // for reading the output
	lengths *bool  // whether the Content-Length of every message is right; nil if not known
	changed bool
	copied  int64     // up to here the octets of r were written or replaced
	n       int64     // octets written
	layout  hash.Hash // of the octets that were written; see addSpans
	buf     []byte
}

// message writes a message. It writes nothing of a refused message.
func (w *mailboxWriter) message(m *Message, replace ReplaceFunc) error {
	w.format = m.format
	w.dated = m.dated
	src := m
	var old head
	if w.format == mbox {
		var err error
		old, err = w.readHead(m.Reader())
		if err != nil {
			return err
		}
		src, err = w.unquoted(m, old)
		if err != nil {
			return err
		}
	}
	content, err := replace(src)
	if err != nil {
		return err
	}
	if content == nil {
		addSpans(w.layout, m, m.Content.Len())
		return nil
	}
	if m.InDoubt() {
		return ErrInDoubt
	}
	content, all, err := w.composed(content, m, old)
	if err != nil {
		return err
	}
	if ok, err := w.fits(content, m, all); err != nil {
		return err
	} else if !ok {
		return ErrAmbiguous
	}
	w.changed = true
	if err := w.copy(m.Content.Start); err != nil {
		return err
	}
	if err := w.write(content); err != nil {
		return err
	}
	w.copied = m.Content.End
	addSpans(w.layout, m, content.Size())
	return nil
}

// maxEnvelope bounds how much of an envelope is read.
const maxEnvelope = 64 << 10

func readSpan(r io.ReaderAt, s Span) ([]byte, error) {
	b := make([]byte, min(s.Len(), maxEnvelope))
	n, err := r.ReadAt(b, s.Start)
	if n == len(b) {
		return b, nil
	}
	if err == nil || err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return nil, err
}

// unquoted returns m without quoting, if there is any. Of a message in doubt the places in
// the file count, so that one is returned as it is.
func (w *mailboxWriter) unquoted(m *Message, h head) (*Message, error) {
	if m.InDoubt() {
		return m, nil
	}
	quoted, err := quotable(m.Reader(), h.body, true)
	if quoted == nil || err != nil {
		return m, err
	}
	if all, err := w.allLengths(); all || err != nil {
		return m, err
	}
	c := *m
	c.r = &edited{r: m.Reader(), places: quoted}
	c.Content = Span{0, m.Content.Len() - int64(len(quoted))}
	return &c, nil
}

// allLengths reports whether the Content-Length of every message is right, so that
// readers follow it.
func (w *mailboxWriter) allLengths() (bool, error) {
	if w.lengths == nil {
		s := splitter{window: window{r: w.r, size: w.size}, dated: w.dated}
		s.first = s.start()
		all := s.lengthsHold()
		if s.err != nil {
			return false, s.err
		}
		w.lengths = &all
	}
	return *w.lengths, nil
}

// lineEnd returns the line end that content lacks, or "" if it has one. held reports that the
// length of m leads to the next message. Then an empty line at the end of m is in its body, and
// content gets one too, without which nmh finds no next message.
func (w *mailboxWriter) lineEnd(content *io.SectionReader, m *Message, held bool) (string, error) {
	envelope, err := readSpan(w.r, m.Envelope)
	if err != nil {
		return "", err
	}
	eol := "\n"
	if bytes.Contains(envelope, []byte("\r\n")) {
		eol = "\r\n"
	}
	end := ""
	if !bytes.HasSuffix(lastOf(content, 1), []byte("\n")) {
		end = eol
	}
	isLast := m.Trailer.End >= w.size
	if !held || isLast || m.Trailer.Len() > 0 {
		return end, nil
	}
	if emptyLine(lastOf(m.Reader(), before)) > 0 && emptyLine(lastOf(join(content, text(end)), before)) == 0 {
		end += eol
	}
	return end, nil
}

// copy writes the octets of the mailbox before end that were not written yet.
func (w *mailboxWriter) copy(end int64) error {
	err := w.write(io.NewSectionReader(w.r, w.copied, end-w.copied))
	w.copied = end
	return err
}

// write writes all of s. It is an error if the source ends before that.
func (w *mailboxWriter) write(s *io.SectionReader) error {
	if w.buf == nil {
		w.buf = make([]byte, copySize)
	}
	n, err := io.CopyBuffer(struct{ io.Writer }{w.dst}, struct{ io.Reader }{s}, w.buf)
	w.n += n
	if err == nil && n < s.Size() {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// hasDelimiter reports whether a line of s is a delimiter of MMDF.
func hasDelimiter(s *io.SectionReader) (bool, error) {
	lines := join(text("\n"), s)
	c := splitter{window: window{r: lines, size: lines.Size()}}
	return c.nextDelimiter(1) < lines.Size(), c.err
}

// readHead reads the header of a message, up to headerSize octets.
func (w *mailboxWriter) readHead(r *io.SectionReader) (head, error) {
	s := splitter{window: window{r: r, size: min(headerSize, r.Size()), space: w.space}}
	return s.header(0), s.err
}

// held reports whether the header was the header of m and its Content-Length is the length of
// the body.
func (h *head) held(m *Message) bool { return h.value >= 0 && h.body+h.value == m.Content.Len() }

// length returns the field for a body of n octets. content has the old one.
func (h *head) length(content io.ReaderAt, n int64) (string, error) {
	old, err := readSpan(content, h.field)
	name, _, named := bytes.Cut(old, []byte(":"))
	if !named && err == nil {
		name = []byte("Content-Length")
		old, err = readSpan(content, h.blank)
	}
	eol := "\n"
	if bytes.HasSuffix(old, []byte("\r\n")) {
		eol = "\r\n"
	}
	return string(name) + ": " + strconv.FormatInt(n, 10) + eol, err
}

// addSpans adds a message to the digest of a mailbox, by the lengths of its spans, given the
// length of its content. Two digests are equal if the messages are at the same places, and
// the same ones are in doubt.
func addSpans(layout hash.Hash, m *Message, content int64) {
	binary.Write(layout, binary.BigEndian, []int64{m.Envelope.Len(), content, m.Trailer.Len()})
	binary.Write(layout, binary.BigEndian, m.inDoubt)
}
