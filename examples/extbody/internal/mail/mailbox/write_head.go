package mailbox

import (
	"bytes"
	"io"
	"strconv"
)

// A head is the facts in the header of a message about the length of its body.
type head struct {
	body  int64  // where the body begins
	blank Span   // the empty line before it; empty without one
	field Span   // the Content-Length field; empty, at the end of the header, without one
	eol   string // of the field, or of the empty line
	name  string // of the field, with its colon
	value int64  // of the field; -1 without one
}

// readHead reads the header of a message, up to headerSize octets.
func readHead(r *io.SectionReader) (head, error) {
	h := head{value: -1}
	b := make([]byte, min(headerSize, r.Size()))
	if n, err := r.ReadAt(b, 0); n < len(b) {
		if err == nil || err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return h, err
	}
	fields := 0
	for {
		lf := bytes.IndexByte(b[h.body:], '\n')
		if lf < 0 {
			h.body = int64(len(b))
			break
		}
		start := h.body
		h.body += int64(lf) + 1
		line := bytes.TrimSuffix(b[start:h.body-1], []byte("\r"))
		if len(line) == 0 {
			h.blank = Span{start, h.body}
			break
		}
		if n, ok := contentLength(line); ok {
			fields++
			name, _, _ := bytes.Cut(line, []byte(":"))
			h.name = string(name) + ":"
			h.eol = string(b[start+int64(len(line)) : h.body])
			h.field, h.value = Span{start, h.body}, n
		}
	}
	if fields != 1 {
		h.field, h.value = Span{h.blank.Start, h.blank.Start}, -1
		h.name, h.eol = "Content-Length:", string(b[h.blank.Start:h.blank.End])
	}
	return h, nil
}

// held reports whether the header was the header of m and its Content-Length is the length of
// the body.
func (h *head) held(m *Message) bool {
	return h.value >= 0 && h.body+h.value == m.Content.Len()
}

// length returns the field for a body of n octets.
func (h *head) length(n int64) string {
	return h.name + " " + strconv.FormatInt(n, 10) + h.eol
}
