package mailbox

import (
	"bytes"
	"io"

	"github.com/go-extbody/extbody/internal/mime/message"
)

// doubt finds out whether the line at next, after a message with the header h, separates
// nothing for some programs.
func (s *splitter) doubt(h head, content Span, next int64) {
	s.joined = Span{}
	if next >= s.size || s.err != nil || !h.cut && !s.mayBeOpen(h, content.End) {
		return
	}
	if s.doubts == nil {
		s.doubts = &doubter{splitter: &splitter{window: window{r: s.r, size: s.size}, dated: s.dated}}
	}
	end := next
	if h.cut {
		s.joined, end = s.doubts.header(content, next)
	} else {
		s.joined, end = s.doubts.body(content, next)
	}
	s.open = max(s.open, end)
	if s.joined.Len() > 0 {
		s.lengthsHold() // for Split
	}
}

// closeBefore is how far before the end of a message the last delimiter mostly is.
const closeBefore = 1 << 10

// mayBeOpen reports whether a multipart may be open at the end of a message.
func (s *splitter) mayBeOpen(h head, end int64) bool {
	if h.contentType == 0 {
		return false
	}
	field := s.look(h.contentType)
	boundary, plain := plainBoundary(field)
	if !plain {
		var mediaType string
		mediaType, boundary = typeOf(field)
		if !message.IsMultipart(mediaType) {
			return message.IsMessage(mediaType)
		}
	}
	from := max(h.body-1, end-closeBefore)
	text := s.look(from)
	return len(boundary) == 0 || !closes(text[:min(int64(len(text)), end-from)], boundary)
}

// closes reports whether text has a closing delimiter after its first line end.
func closes(text, boundary []byte) bool {
	for i := len(text); i >= 0; {
		i = bytes.LastIndex(text[:i], boundary)
		if i < 0 {
			break
		}
		rest, closing := bytes.CutPrefix(text[i+len(boundary):], []byte("--"))
		rest = bytes.TrimLeft(rest, " \t\r")
		isAlone := len(rest) == 0 || rest[0] == '\n'
		if closing && isAlone && bytes.HasSuffix(text[:i], []byte("\n--")) {
			return true
		}
	}
	return false
}

// header returns the other reading of a message if the line at next is within its header,
// and where it ends. Both are empty if the reading of an earlier message has that header.
func (d *doubter) header(content Span, next int64) (joined Span, end int64) {
	if next < d.headed {
		return Span{}, 0
	}
	h := d.splitter.header(d.line(next))
	for h.cut {
		h = d.splitter.header(d.line(h.body))
	}
	trailer, end := d.separator(h.body)
	if d.err != nil {
		return Span{}, 0
	}
	d.headed = h.body
	return Span{content.Start, trailer}, end
}

// body returns the other reading of a message if the line at next may be in the text of a
// part, and where it ends: a multipart of the message is open there, and a delimiter of it
// follows. If it cannot be known whether one follows, that reading is the message itself.
func (d *doubter) body(content Span, next int64) (joined Span, end int64) {
	index, err := message.Scan(io.NewSectionReader(d.r, content.Start, content.Len()), content.Len(), message.Limits{})
	if err != nil {
		return Span{}, 0 // the reader of the message sees the error
	}
	for _, p := range index.Parts {
		if p.Boundary == "" || p.Close.Len() > 0 || p.Body.End < content.Len() {
			continue
		}
		if !d.lines.cover(&d.window, next) && d.err == nil {
			return content, next + 1
		}
		if last := d.lines.last(p.Boundary, next); last >= 0 && d.err == nil {
			trailer, end := d.separator(last)
			return Span{content.Start, trailer}, end
		}
	}
	return Span{}, 0
}

// separator returns where the message at off ends and the next one starts. It reads nothing
// twice if it is called for places in order.
func (d *doubter) separator(off int64) (trailer, end int64) {
	if off < d.from || off >= d.end {
		d.from = off
		d.trailer, d.end = d.scan(off, d.size)
	}
	return max(off, d.trailer), d.end
}
