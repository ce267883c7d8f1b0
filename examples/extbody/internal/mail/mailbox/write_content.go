package mailbox

import (
	"bytes"
	"cmp"
	"errors"
	"hash/maphash"
	"io"
	"sort"
	"strings"
)

// composed returns the new content of m, which had the header old, as it is written:
// quoted, with a line end, and with a right Content-Length if the old one was right. all
// reports that the Content-Length of every message is right, so that nothing is quoted.
func (w *mailboxWriter) composed(content *io.SectionReader, m *Message, old head) (written *io.SectionReader, all bool, err error) {
	if w.format == single {
		envelope := io.NewSectionReader(w.r, 0, m.Envelope.Len())
		if envelope.Size() > 0 {
			if drops, err := Drops(io.NewSectionReader(w.r, 0, w.size), join(envelope, content)); drops || err != nil {
				return nil, false, cmp.Or(err, ErrInDoubt)
			}
		}
		return content, false, nil
	}
	h, err := w.readHead(content)
	if err != nil {
		return nil, false, err
	}
	held := w.format == mbox && old.held(m)
	end, err := w.lineEnd(content, m, held)
	if err != nil {
		return nil, false, err
	}
	if w.format == mmdf {
		if bad, err := hasDelimiter(content); bad || err != nil {
			return nil, false, errors.Join(err, ErrDelimiter)
		}
		return join(content, text(end)), false, nil
	}
	if held {
		all, err = w.allLengths()
		if err != nil {
			return nil, false, err
		}
	}
	q := &edited{r: content, quotes: true}
	q.places, err = toQuote(content, h.body, m.Reader(), old.body, all)
	if err != nil {
		return nil, false, err
	}
	body := io.NewSectionReader(q, 0, content.Size()+int64(len(q.places)))
	length := body.Size() - h.body + int64(len(end))
	if !held || h.blank.Len() == 0 || h.value == length {
		return join(body, text(end)), all, nil // a field that is right stays as it is
	}
	field, err := h.length(content, length)
	return join(
		io.NewSectionReader(content, 0, h.field.Start),
		text(field),
		io.NewSectionReader(body, h.field.End, body.Size()-h.field.End), // nothing before it is quoted
		text(end),
	), all, err
}

// Drops reports whether a file that starts with "From " and was rewritten as one message has
// fewer messages than before if it is read as an mbox. Then it may be one, and the rewriting
// would lose a message.
func Drops(before, after *io.SectionReader) (bool, error) {
	var n [2]int
	for i, r := range []*io.SectionReader{before, after} {
		for _, err := range Read("", r, r.Size()) {
			if err != nil {
				return false, err
			}
			n[i]++
		}
	}
	return n[1] < n[0], nil
}

// fits reports whether the new content of m is read as one message, between the octets
// before and after it.
func (w *mailboxWriter) fits(content *io.SectionReader, m *Message, all bool) (bool, error) {
	if all {
		// Readers also split other messages by the length of this one.
		if h, err := w.readHead(content); err != nil || h.value < 0 || h.body+h.value != content.Size() {
			return false, err
		}
	}
	behind := min(lookSize, w.size-m.Trailer.End)
	part := join(
		io.NewSectionReader(w.r, m.Envelope.Start, m.Envelope.Len()),
		content,
		io.NewSectionReader(w.r, m.Trailer.Start, m.Trailer.Len()+behind),
	)
	var got *Message
	var err error
	s := splitter{
		window:  window{r: part, size: part.Size(), space: w.space},
		path:    w.path,
		dated:   w.dated,
		lengths: &all,
		yield: func(m *Message, e error) bool {
			got = m
			err = e
			return false
		},
	}
	switch {
	case m.Index == 0:
		s.split(false)
	case w.format == mbox:
		s.mbox(0)
	default:
		s.mmdf()
	}
	if errors.Is(err, ErrNotMail) || errors.Is(err, ErrUnread) {
		return false, nil
	}
	err = errors.Join(err, s.err)
	if err != nil || got == nil {
		return false, err
	}
	sameEnds := got.Envelope.Len() == m.Envelope.Len() && got.Trailer.Len() == m.Trailer.Len()
	if got.InDoubt() || !sameEnds || got.Content.Len() != content.Size() {
		return false, nil
	}
	return m.Index == 0 || w.begins(part, m), nil
}

// starts reports whether the message before m still ends where m starts, with part in
// place of m.
func (w *mailboxWriter) begins(part *io.SectionReader, m *Message) bool {
	first := firstOf(part, lookSize)
	if w.format == mmdf {
		// Empty lines after a delimiter belong to the message before it.
		return newline(first) == 0
	}
	source := io.NewSectionReader(w.r, m.Envelope.Start, w.size-m.Envelope.Start)
	last := lastOf(io.NewSectionReader(w.r, 0, m.Envelope.Start), before)
	if !separates(firstOf(source, lookSize), emptyLine(last) > 0, w.dated) {
		return separates(first, true, w.dated) // a length leads here
	}
	last = lastOf(join(
		io.NewSectionReader(w.dst, 0, w.n),
		io.NewSectionReader(w.r, w.copied, m.Envelope.Start-w.copied),
	), before)
	return separates(first, emptyLine(last) > 0, w.dated)
}

// firstOf returns the first octets of s, at most n, and lastOf the last ones. They
// leave out octets that cannot be read.
func firstOf(s *io.SectionReader, n int64) []byte {
	b := make([]byte, min(n, s.Size()))
	k, _ := s.ReadAt(b, 0)
	return b[:k]
}

func lastOf(s *io.SectionReader, n int64) []byte {
	n = min(n, s.Size())
	return firstOf(io.NewSectionReader(s, s.Size()-n, n), n)
}

func text(s string) *io.SectionReader {
	return io.NewSectionReader(strings.NewReader(s), 0, int64(len(s)))
}

// A joined is the concatenation of several readers.
type joined []*io.SectionReader

func join(parts ...*io.SectionReader) *io.SectionReader {
	var size int64
	for _, p := range parts {
		size += p.Size()
	}
	return io.NewSectionReader(joined(parts), 0, size)
}

// ReadAt implements io.ReaderAt.
func (j joined) ReadAt(b []byte, off int64) (n int, err error) {
	for _, p := range j {
		if off >= p.Size() {
			off -= p.Size()
			continue
		}
		want := int(min(int64(len(b)-n), p.Size()-off))
		k, err := p.ReadAt(b[n:n+want], off)
		n += k
		if k < want {
			if err == nil || err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return n, err
		}
		off = 0
		if n == len(b) {
			return n, nil
		}
	}
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

// maxQuoted bounds the quoted lines of a message. Their places are kept in memory.
const maxQuoted = 1 << 20

// quotable returns the starts of the lines after from that consist of any number of
// ">", "From " and more. With quoted, these are only the lines with a ">".
func quotable(s *io.SectionReader, from int64, quoted bool) (lines []int64, err error) {
	body := io.NewSectionReader(s, from, s.Size()-from)
	w := window{r: body, size: body.Size()}
	find := func(off int64) int64 {
		return w.find(off, len(fromWord), func(b []byte) int { return bytes.Index(b, fromWord) })
	}
	for off := find(0); off < body.Size(); off = find(off + 1) {
		start, ok, err := lineStart(body, off)
		if err != nil {
			return nil, err
		}
		if !ok || quoted && start == off {
			continue
		}
		lines = append(lines, from+start)
		if len(lines) > maxQuoted {
			return nil, ErrQuoted
		}
	}
	return lines, w.err
}

// A fromText is a line of a body that starts with any number of ">" and "From ".
type fromText struct {
	at     int64
	sum    uint64 // of the line without its quote, up to lookSize octets
	quoted bool
}

// fromTexts returns these lines of a text whose body starts at from. quotes reports that
// the first ">" of a line is a quote.
func fromTexts(s *io.SectionReader, from int64, quotes bool, seed maphash.Seed) ([]fromText, error) {
	places, err := quotable(s, from, false)
	if err != nil {
		return nil, err
	}
	lines := make([]fromText, 0, len(places))
	w := window{r: s, size: s.Size()}
	for _, at := range places {
		line, _, _ := bytes.Cut(w.at(at, lookSize, lookSize), []byte("\n"))
		text := fromText{at: at}
		if quotes {
			line, text.quoted = bytes.CutPrefix(line, []byte(">"))
		}
		text.sum = maphash.Bytes(seed, line)
		lines = append(lines, text)
	}
	return lines, w.err
}

// toQuote returns where content gets quotes: before the lines of its body that start with
// any number of ">" and "From ", except those that stand in the old text without one. all
// reports that the file quotes nothing. The error is ErrInDoubt if the content would have
// more or fewer lines that start with "From ".
func toQuote(content *io.SectionReader, body int64, old *io.SectionReader, oldBody int64, all bool) ([]int64, error) {
	seed := maphash.MakeSeed()
	lines, err := fromTexts(content, body, all, seed)
	if err != nil {
		return nil, err
	}
	before, err := fromTexts(old, oldBody, true, seed)
	if err != nil || len(lines)+len(before) == 0 {
		return nil, err
	}
	bare := 0 // lines of the old text that begin with "From " and are not found yet
	same := make(map[uint64][]int)
	for i, line := range before {
		if !line.quoted {
			bare++
		}
		same[line.sum] = append(same[line.sum], i)
	}
	var quotes []int64
	next := 0 // the lines of the old text before it are found, or gone
	for _, line := range lines {
		found := same[line.sum]
		for len(found) > 0 && found[0] < next {
			found = found[1:]
		}
		quoted := true
		same[line.sum] = found
		if len(found) > 0 {
			next = found[0] + 1
			quoted = before[found[0]].quoted
		}
		switch {
		case !quoted:
			bare--
		case !all:
			quotes = append(quotes, line.at)
		case !line.quoted:
			return nil, ErrInDoubt
		}
	}
	if bare != 0 {
		return nil, ErrInDoubt
	}
	return quotes, nil
}

// lineStart goes back from off over any number of ">". It returns where that ends, and
// reports whether a line starts there.
func lineStart(s *io.SectionReader, off int64) (start int64, ok bool, err error) {
	var b [64]byte
	for off > 0 {
		n := min(off, int64(len(b)))
		if _, err := s.ReadAt(b[:n], off-n); err != nil && err != io.EOF {
			return 0, false, err
		}
		for i := n - 1; i >= 0; i-- {
			if b[i] != '>' {
				return off, b[i] == '\n', nil
			}
			off--
		}
	}
	return 0, true, nil
}

// An edited is a text without the octets at some places, or with a ">" before them.
type edited struct {
	r      *io.SectionReader
	places []int64 // in order
	quotes bool    // it has a ">" before each
}

// ReadAt implements io.ReaderAt.
func (e *edited) ReadAt(p []byte, off int64) (int, error) {
	// The place i is i octets earlier than in r, or later with quotes.
	sign := int64(-1)
	if e.quotes {
		sign = 1
	}
	i := sort.Search(len(e.places), func(i int) bool { return e.places[i]+sign*int64(i) >= off })
	at := off - sign*int64(i)
	n := 0
	for n < len(p) {
		if i < len(e.places) && at == e.places[i] {
			if e.quotes {
				p[n] = '>'
				n++
			} else {
				at++
			}
			i++
			continue
		}
		step := p[n:]
		if i < len(e.places) {
			step = step[:min(int64(len(step)), e.places[i]-at)]
		}
		k, err := e.r.ReadAt(step, at)
		n += k
		at += int64(k)
		if k < len(step) {
			return n, err
		}
	}
	return n, nil
}
