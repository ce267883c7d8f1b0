package mailbox

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"path/filepath"
	"strings"
)

// A File is what a mailbox is written to: it can be read back.
type File interface {
	io.Writer
	io.ReaderAt
}

// A ReplaceFunc returns the new content of a message; nil leaves the message as it
// is. The content is read before the function is called for the next message. An
// error ends the writing.
//
// The Message is without the quoting of mbox: where the file has ">From " at the
// start of a line of the body, its Reader gives "From ". The new content is to
// be without it too.
type ReplaceFunc func(m *Message) (*io.SectionReader, error)

// Errors of what cannot be written. The mailbox that was read is as it was.
var (
	// ErrAmbiguous is the error of a mailbox that, as it would have to be
	// written, does not read as the same messages.
	ErrAmbiguous = errors.New("the new mailbox would not be read as the same messages")

	// ErrDelimiter is the error of content for MMDF that has a line of its
	// delimiters.
	ErrDelimiter = errors.New("the new content has a delimiter line of MMDF in it")

	// ErrQuoted is the error of a message of mbox that has more quoted lines
	// than are kept in memory.
	ErrQuoted = errors.New("too many quoted lines")
)

// Write writes the mailbox of size octets in r to dst, an empty file, with the
// content of the messages replaced for which replace returns one. It writes
// nothing if there is none, and reports whether there was. The path tells the
// format, as for [Read].
//
// Messages that are not replaced, and the envelope and trailer of all, are
// copied as they are. For those that are replaced:
//
//   - In mbox, ">" is put before each line of the body that begins with any
//     number of ">" and "From ", as mboxrd has it. The lines that were not
//     changed come out as they were, whether the file is mboxo or mboxrd, but
//     for one that was not quoted and should have been. Nothing is quoted in a
//     file in all of whose messages the Content-Length holds (mboxcl2).
//   - In mbox, a message whose Content-Length held gets one that holds.
//   - In mbox and MMDF, a last line without a line end gets one. MMDF quotes
//     nothing: ErrDelimiter is the error of what would end a message.
//
// What was written is read back. ErrAmbiguous means that its messages are not
// those that were written.
func Write(dst File, path string, r io.ReaderAt, size int64, replace ReplaceFunc) (changed bool, err error) {
	w := &mailboxWriter{dst: dst, r: r, path: path, size: size}
	for m, err := range Read(path, r, size) {
		if err != nil {
			return false, err
		}
		if err := w.message(m, replace); err != nil {
			return false, err
		}
	}
	if !w.changed {
		return false, nil
	}
	if err := w.copy(size); err != nil {
		return false, err
	}
	var back layout
	for m, err := range Read(path, dst, w.n) {
		if err != nil {
			return false, err
		}
		back.add(m.Envelope.Len(), m.Content.Len(), m.Trailer.Len())
	}
	if back != w.layout {
		return false, ErrAmbiguous
	}
	return true, nil
}

// A mailboxWriter is a call of Write.
type mailboxWriter struct {
	dst     File
	r       io.ReaderAt
	path    string
	size    int64
	format  format
	lengths *bool // whether the Content-Length of all messages holds; nil if not known
	changed bool
	copied  int64 // up to where the octets of r were written, or replaced
	n       int64 // octets written
	layout  layout
	buf     []byte
}

func (w *mailboxWriter) message(m *Message, replace ReplaceFunc) error {
	if m.Index == 0 {
		if err := w.detect(m); err != nil {
			return err
		}
	}
	src := m
	var old head
	if w.format == mbox {
		var err error
		if old, err = readHead(m.Reader()); err != nil {
			return err
		}
		if src, err = w.unquoted(m, old); err != nil {
			return err
		}
	}
	content, err := replace(src)
	if err != nil {
		return err
	}
	if content == nil {
		w.layout.add(m.Envelope.Len(), m.Content.Len(), m.Trailer.Len())
		return nil
	}
	w.changed = true
	if err := w.copy(m.Content.Start); err != nil {
		return err
	}
	before := w.n
	if err := w.content(content, m, old.held(m)); err != nil {
		return err
	}
	w.copied = m.Content.End
	w.layout.add(m.Envelope.Len(), w.n-before, m.Trailer.Len())
	return nil
}

// detect tells the format by what is before the first message.
func (w *mailboxWriter) detect(m *Message) error {
	if m.Envelope.Len() == 0 || strings.EqualFold(filepath.Ext(w.path), ".eml") {
		w.format = single
		return nil
	}
	envelope, err := readSpan(w.r, m.Envelope)
	if err != nil {
		return err
	}
	w.format = mmdf
	if bytes.HasPrefix(bytes.TrimLeft(bytes.TrimPrefix(envelope, []byte(bom)), "\r\n"), fromWord) {
		w.format = mbox
	}
	return nil
}

// maxEnvelope bounds what is looked at of an envelope.
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

// unquoted returns m without quoting, if there is any.
func (w *mailboxWriter) unquoted(m *Message, h head) (*Message, error) {
	v := &unquoted{r: m.Reader()}
	for off, err := range fromLines(m.Reader(), h.body) {
		if err != nil {
			return nil, err
		}
		var c [1]byte
		if _, err := v.r.ReadAt(c[:], off); err != nil {
			return nil, err
		}
		if c[0] != '>' {
			continue
		}
		if v.dropped = append(v.dropped, off); len(v.dropped) > maxQuoted {
			return nil, ErrQuoted
		}
	}
	if v.dropped == nil {
		return m, nil
	}
	if all, err := w.allLengths(); all || err != nil {
		return m, err
	}
	c := *m
	c.r = v
	c.Content = Span{0, m.Content.Len() - int64(len(v.dropped))}
	return &c, nil
}

// allLengths reports whether the Content-Length of all messages holds, so that
// their readers follow it.
func (w *mailboxWriter) allLengths() (bool, error) {
	if w.lengths != nil {
		return *w.lengths, nil
	}
	all, n := true, 0
	for m, err := range Read(w.path, w.r, w.size) {
		if err != nil {
			return false, err
		}
		h, err := readHead(m.Reader())
		if err != nil {
			return false, err
		}
		if all = h.held(m); !all {
			break
		}
		n++
	}
	all = all && n >= leastLengths
	w.lengths = &all
	return all, nil
}

// content writes the new content of m. held says that the Content-Length of m is
// right.
func (w *mailboxWriter) content(content *io.SectionReader, m *Message, held bool) error {
	if w.format == single {
		return w.write(content)
	}
	h, err := readHead(content)
	if err != nil {
		return err
	}
	end, err := w.lineEnd(content, m)
	if err != nil {
		return err
	}
	if w.format == mmdf {
		if bad, err := hasDelimiter(content); bad || err != nil {
			return errors.Join(err, ErrDelimiter)
		}
		if err := w.write(content); err != nil {
			return err
		}
		return w.octets(end)
	}
	all := false
	if held {
		if all, err = w.allLengths(); err != nil {
			return err
		}
	}
	var quote []int64
	if !all {
		for off, err := range fromLines(content, h.body) {
			if err != nil {
				return err
			}
			if quote = append(quote, off); len(quote) > maxQuoted {
				return ErrQuoted
			}
		}
	}
	at := int64(0)
	if held && h.blank.Len() > 0 {
		if err := w.write(io.NewSectionReader(content, 0, h.field.Start)); err != nil {
			return err
		}
		length := content.Size() - h.body + int64(len(quote)+len(end))
		if err := w.octets(h.length(length)); err != nil {
			return err
		}
		at = h.field.End
	}
	for _, off := range quote {
		if err := w.write(io.NewSectionReader(content, at, off-at)); err != nil {
			return err
		}
		if err := w.octets(">"); err != nil {
			return err
		}
		at = off
	}
	if err := w.write(io.NewSectionReader(content, at, content.Size()-at)); err != nil {
		return err
	}
	return w.octets(end)
}

// lineEnd returns the line end that content lacks, "" if it has one.
func (w *mailboxWriter) lineEnd(content *io.SectionReader, m *Message) (string, error) {
	var last [1]byte
	if content.Size() > 0 {
		if _, err := content.ReadAt(last[:], content.Size()-1); err != nil && err != io.EOF {
			return "", err
		}
	}
	if last[0] == '\n' {
		return "", nil
	}
	envelope, err := readSpan(w.r, m.Envelope)
	if err != nil {
		return "", err
	}
	if bytes.Contains(envelope, []byte("\r\n")) {
		return "\r\n", nil
	}
	return "\n", nil
}

// copy writes the octets of the mailbox that come before end and were not
// written yet.
func (w *mailboxWriter) copy(end int64) error {
	err := w.write(io.NewSectionReader(w.r, w.copied, end-w.copied))
	w.copied = end
	return err
}

// copySize is how much is copied at a time: larger writes are slower on ext4.
const copySize = 32 << 10

// write writes all of s. A source that ends before is an error.
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

func (w *mailboxWriter) octets(s string) error {
	n, err := io.WriteString(w.dst, s)
	w.n += int64(n)
	return err
}

// hasDelimiter reports whether a line of s is a delimiter of MMDF.
func hasDelimiter(s *io.SectionReader) (bool, error) {
	for off, err := range places(s, delimiterMark) {
		if err != nil {
			return false, err
		}
		b, err := around(s, off, len(delimiterMark)+2)
		if err != nil {
			return false, err
		}
		if (off == 0 || b[0] == '\n') && delimiter(b[min(off, 1):]) > 0 {
			return true, nil
		}
	}
	return false, nil
}

// around returns the octet before off, if there is one, and up to n from there.
func around(r *io.SectionReader, off int64, n int) ([]byte, error) {
	b := make([]byte, min(off, 1)+int64(n))
	n, err := r.ReadAt(b, off-min(off, 1))
	if err != nil && err != io.EOF {
		return nil, err
	}
	return b[:n], nil
}

// places yields where text is in s, in order, overlapping ones apart.
func places(s *io.SectionReader, text []byte) iter.Seq2[int64, error] {
	return func(yield func(int64, error) bool) {
		w := window{r: s, size: s.Size()}
		find := func(off int64) int64 {
			return w.find(off, len(text), func(b []byte) int { return bytes.Index(b, text) })
		}
		for off := find(0); off < s.Size(); off = find(off + 1) {
			if !yield(off, nil) {
				return
			}
		}
		if w.err != nil {
			yield(0, w.err)
		}
	}
}
