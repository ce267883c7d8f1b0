package message

import (
	"bytes"
	"strings"
)

// A header is the state of reading a header.
type header struct {
	part        *Part
	limit       int64 // the number of octets that are read for fields
	mailbox     bool  // the header may start with lines of a mailbox file
	contentType Span
	encoding    Span
	again       [2]Span // the last other Content-Type and Content-Transfer-Encoding
}

// readHeader reads the header of a part from pos and sets Header, Blank and the start
// of Body. If a delimiter line ends the header, it returns that line.
func (s *scanner) readHeader(h *header, pos int64) (d delimiter, err error) {
	start := pos
	var blank int64
	var started bool // there was a field, so a line may continue it
	var field *Span  // the field to extend, if its span is needed
	for pos < s.win.end {
		line, err := s.win.from(pos, maxDelimiter)
		if err != nil {
			return d, err
		}
		if line[0] == '-' {
			d, err = s.delimiterAt(pos)
			if err != nil {
				return d, err
			}
			if d.found {
				break
			}
		}
		s.work++
		line = line[:min(len(line), maxDelimiter)]
		if s.reads(ReadCR) {
			if n := bareCR(line); n == 0 {
				blank = 1
				break
			} else if n > 0 {
				line = line[:n]
			}
		}
		blank = emptyLine(line)
		if blank > int64(len("\r\n")) && !s.win.crBefore(pos, 2) {
			if s.doubt(ReadJunk); s.reads(ReadJunk) {
				blank = 0
			}
		}
		if blank > 0 && pos == start && !h.mailbox {
			near, err := s.nearFieldAt(pos + blank)
			if err != nil {
				return d, err
			}
			if near {
				blank = 0
				pos, err = s.lineEnd(pos)
				if err != nil {
					return d, err
				}
				continue
			}
		}
		if blank > 0 {
			break
		}
		if !started || !isBlank(line[0]) {
			name, kind := s.readFieldName(h, line, started)
			if kind == bodyLine {
				h.part.Diag |= MissingBlank
				break
			}
			started = kind != mailboxLine
			field = nil
			if pos-start-h.contentType.Len() < h.limit {
				field = s.field(h, name, pos)
			}
		}
		s.bareCR = false
		pos, err = s.lineEnd(pos)
		if err != nil {
			return d, err
		}
		if s.bareCR {
			h.part.Diag |= BareCR
		}
		if field != nil {
			field.End = pos
		}
	}
	h.end(start, pos, blank)
	return d, nil
}

// end sets the spans of a header, and the octets of the empty line after it.
func (h *header) end(start, pos, blank int64) {
	p := h.part
	p.Header = Span{start, pos}
	p.Blank = Span{pos, pos + blank}
	p.Body = Span{pos + blank, pos + blank}
	if h.others() > h.limit {
		p.Diag |= HeaderTooLong
	}
}

// A lineKind is the kind of a line in a header that continues no field.
type lineKind uint8

const (
	fieldLine   lineKind = iota // also of a field that is malformed
	mailboxLine                 // before the header, in the file of a mailbox
	bodyLine                    // the first of a body without an empty line before it
)

// readFieldName returns the name of the field that begins with a line, and the kind of the line. started reports that
// there was a field before it.
func (s *scanner) readFieldName(h *header, line []byte, started bool) ([]byte, lineKind) {
	if before, _, _ := bytes.Cut(line, []byte(":")); bytes.IndexByte(before, 0) >= 0 {
		if s.doubt(ReadLast); s.reads(ReadLast) {
			line = bytes.ReplaceAll(line, []byte{0}, nil)
		}
	}
	n, colon := fieldName(line)
	if colon == 0 || line[0] == '(' {
		if near := s.nearField(h, line); near != "" {
			return []byte(near), fieldLine
		}
	}
	switch {
	case colon != 0:
		return line[:n], fieldLine
	case h.mailbox && !started && isMailboxLine(line):
		h.part.Diag |= MailboxLine
		return line[:n], mailboxLine
	case isMalformed(line), s.reads(ReadJunk):
		h.part.Diag |= MalformedField
		return line[:n], fieldLine
	}
	return nil, bodyLine
}

// nearField returns the name of the field that a line is nearly, if the scan takes it for one. A field of that name
// before it counts more.
func (s *scanner) nearField(h *header, line []byte) string {
	name := nearName(line)
	if name == "" {
		return ""
	}
	isEncoding := name == encodingName
	if isEncoding && h.encoding.Len() > 0 || !isEncoding && h.contentType.Len() > 0 {
		return ""
	}
	s.doubt(ReadNear)
	if isEncoding && MeantEncoding(string(nearValue(line))) != OtherEncoding {
		h.part.Diag |= NearEncoding
	}
	if !s.reads(ReadNear) {
		return ""
	}
	return name
}

// nearFieldAt reports whether the header goes on at pos, after an empty line at its start, because a Content-Type or
// Content-Transfer-Encoding field follows. RFC 2046 section 5.1.1 takes that for a body.
func (s *scanner) nearFieldAt(pos int64) (bool, error) {
	if pos >= s.win.end {
		return false, nil
	}
	line, err := s.win.from(pos, maxDelimiter)
	if err != nil || nearName(line) == "" {
		return false, err
	}
	s.doubt(ReadNear)
	return s.reads(ReadNear), nil
}

// others returns the number of octets of the fields other than Content-Type. The URL
// in the Content-Type of a message/external-body can contain a whole file.
func (h *header) others() int64 { return h.part.Header.Len() - h.contentType.Len() }

// field returns the span of h for fields with this name, or nil. pos is the start of
// the field.
func (s *scanner) field(h *header, name []byte, pos int64) *Span {
	var span, again *Span
	switch {
	case len(name) == len("Content-Type") && strings.EqualFold(string(name), "Content-Type"):
		span = &h.contentType
		again = &h.again[0]
	case len(name) == len("Content-Transfer-Encoding") && strings.EqualFold(string(name), "Content-Transfer-Encoding"):
		span = &h.encoding
		again = &h.again[1]
	default:
		return nil
	}
	if span.Len() > 0 {
		h.part.Diag |= DuplicateField
		if s.reads(ReadLast) {
			*again = *span
		} else {
			span = again
		}
	}
	*span = Span{pos, pos}
	return span
}

// startsHeader reports whether the line at pos could be the first line of the header
// of a message.
func (s *scanner) startsHeader(pos int64) (bool, error) {
	line, err := s.win.from(pos, maxDelimiter)
	if err != nil {
		return false, err
	}
	return isMalformed(line[:min(len(line), maxDelimiter)]) || isMailboxLine(line), nil
}

// lineEnd returns the index after the line end of the line at pos.
func (s *scanner) lineEnd(pos int64) (int64, error) {
	for pos < s.win.end {
		w, err := s.win.from(pos, 2)
		if err != nil {
			return 0, err
		}
		i := bytes.IndexByte(w, '\n')
		line := w
		if i >= 0 {
			line = w[:i+1]
		}
		if n := bareCR(line); n >= 0 {
			s.bareCR = true
			s.doubt(ReadCR)
			if s.reads(ReadCR) {
				return pos + int64(n) + 1, nil
			}
		}
		if i >= 0 {
			return pos + int64(i) + 1, nil
		}
		pos += int64(len(w))
		if len(w) > 1 && w[len(w)-1] == '\r' {
			pos-- // the next octet decides its meaning
		}
	}
	return pos, nil
}

// emptyLine returns the length of the empty line at the start of b, or 0.
func emptyLine(b []byte) int64 {
	i := 0
	for i < len(b) && b[i] == '\r' {
		i++
	}
	if i == len(b) || b[i] != '\n' {
		return 0
	}
	return int64(i) + 1
}

// isMalformed reports whether the line at the start of b is a field, or was meant
// as a field: it has a colon, and the first colon is not part of a URL in a text.
func isMalformed(b []byte) bool {
	line, _, _ := bytes.Cut(b, []byte("\n"))
	_, rest, found := bytes.Cut(line, []byte(":"))
	return found && !bytes.HasPrefix(rest, []byte("//"))
}

// isMailboxLine reports whether a line that is not a field is the separator of a
// mailbox file, or a quoted separator.
func isMailboxLine(line []byte) bool {
	return bytes.HasPrefix(line, []byte("From ")) || bytes.HasPrefix(line, []byte(">From "))
}

// A Block is a text split into a header and a body. The three concatenated spans are
// the text.
type Block struct {
	// Header ends with its last line end, without the empty line.
	Header Span
	// Blank is the empty line after the header, if there is one.
	Blank Span
	// Body is the rest.
	Body Span
	// Diag may have MissingBlank, MalformedField and HeaderTooLong.
	Diag Diag
}

// doubt records that the message may differ by the rule r.
func (s *scanner) doubt(r Reading) {
	if s.budget != nil {
		s.budget.doubts |= r
	}
}

// reads reports whether the scan follows the rule r.
func (s *scanner) reads(r Reading) bool { return s.budget != nil && s.budget.limits.Reading&r != 0 }

// bareCR returns the index of the first CR in b that is a line end by itself, or -1.
// A CR at the end of b does not count, because b may be incomplete.
func bareCR(b []byte) int {
	for i := 0; ; {
		n := bytes.IndexByte(b[i:], '\r')
		if n < 0 {
			return -1
		}
		i += n
		end := i + 1
		for end < len(b) && b[end] == '\r' {
			end++
		}
		if end == len(b) {
			return -1
		}
		if b[end] != '\n' {
			return i
		}
		i = end + 1
		if i == len(b) {
			return -1
		}
	}
}

// doubtHeader checks a header that ended at a line that is not a field. It records a
// doubt if a message or encoded data start there, if the line closes the multipart, or if a "Content-"
// field follows before the next empty line or delimiter line, unless the line is the first
// delimiter line of the multipart.
func (s *scanner) doubtHeader(h *header) error {
	pos := h.part.Body.Start
	line, err := s.win.from(pos, maxDelimiter)
	if err != nil {
		return err
	}
	own := h.part.Boundary != "" && bytes.HasPrefix(line, []byte("--"+h.part.Boundary))
	hides := IsMessage(h.part.Type) || h.part.Encoding.Hides()
	if hides || own && bytes.HasPrefix(line[len("--"+h.part.Boundary):], []byte("--")) {
		s.doubt(ReadJunk)
	}
	if own {
		return nil
	}
	for end := pos + h.limit; pos < min(end, s.win.end); {
		line, err := s.win.from(pos, maxDelimiter)
		if err != nil {
			return err
		}
		if emptyLine(line) > 0 {
			break
		}
		if line[0] == '-' {
			if d, err := s.delimiterAt(pos); err != nil || d.found {
				return err
			}
		}
		const field = "content-"
		if len(line) > len(field) && bytes.EqualFold(line[:len(field)], []byte(field)) {
			s.doubt(ReadJunk)
			break
		}
		pos, err = s.lineEnd(pos)
		if err != nil {
			return err
		}
	}
	return nil
}

// delimiterAt returns the delimiter line at pos, which must be the start of a line.
func (s *scanner) delimiterAt(pos int64) (delimiter, error) {
	line, err := s.win.from(pos, maxDelimiter)
	if err != nil || len(s.open.level) == 0 {
		return delimiter{}, err
	}
	if len(line) < 2 || line[0] != '-' || line[1] != '-' {
		return delimiter{}, nil
	}
	s.work++
	crlf := s.win.crBefore(pos, 1)
	line = line[:min(len(line), maxDelimiter)]
	level, closing, ok := s.open.matchPrefix(line)
	if !ok {
		return delimiter{}, nil
	}
	if i := bytes.IndexByte(line, '\n'); i >= 0 {
		line = line[:i+1]
	}
	if n := bareCR(line); n >= 0 {
		s.doubt(ReadCR)
		if s.reads(ReadCR) {
			line = line[:n+1]
		}
	}
	end := pos + int64(len(line))
	exact, closes, ok := s.open.match(line)
	isWhole := isBreak(line[len(line)-1]) || end == s.win.end
	if ok && isWhole {
		level = exact
		closing = closes
	} else {
		if s.doubt(ReadPrefix); !s.reads(ReadPrefix) {
			return delimiter{}, nil
		}
		end, err = s.lineEnd(pos)
		if err != nil {
			return delimiter{}, err
		}
	}
	return delimiter{found: true, closing: closing, crlf: crlf, level: level, start: pos, end: end}, nil
}

// find returns the next delimiter line at or after pos, which must be the start of a
// line.
func (s *scanner) find(pos int64) (delimiter, error) {
	if len(s.open.level) == 0 {
		return delimiter{}, nil
	}
	for lineStart := true; pos < s.win.end; {
		if lineStart {
			if d, err := s.delimiterAt(pos); err != nil || d.found {
				return d, err
			}
		}
		w, err := s.win.from(pos, 1)
		if err != nil {
			return delimiter{}, err
		}
		s.work++
		n := indexDashes(w)
		last := w[n-1]
		pos += int64(n)
		lineStart = last == '\n' || n < len(w) && last != '\r'
		if last == '\r' {
			next, err := s.win.from(pos, len("--"))
			if err != nil {
				return delimiter{}, err
			}
			if bytes.HasPrefix(next, []byte("--")) {
				s.doubt(ReadCR)
				lineStart = s.reads(ReadCR)
			}
		}
	}
	return delimiter{}, nil
}
