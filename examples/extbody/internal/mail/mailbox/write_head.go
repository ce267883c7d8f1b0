package mailbox

import (
	"bytes"
	"io"
	"strconv"
)

// A head is the facts in the header of a message about the length of its body.
type head struct {
	body  int64 // where the body begins
	blank Span  // the empty line before it; empty without one
	field Span  // the Content-Length field; empty, at the end of the header, without one
	value int64 // of the field; -1 without one, or with more than one
}

// readHead reads the header of a message, up to headerSize octets.
func (w *mailboxWriter) readHead(r *io.SectionReader) (head, error) {
	s := splitter{window: window{r: r, size: min(headerSize, r.Size()), space: w.space}}
	return s.header(0), s.err
}

// held reports whether the header was the header of m and its Content-Length is the length of
// the body.
func (h *head) held(m *Message) bool {
	return h.value >= 0 && h.body+h.value == m.Content.Len()
}

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
