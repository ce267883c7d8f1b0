package message

import "bytes"

// A Reading is a set of rules in which mail programs differ from this package.
type Reading uint8

const (
	// ReadJunk has a header go on after a line that is not a field, up to an empty line.
	// Dovecot and GMime read so.
	ReadJunk Reading = 1 << iota
	// ReadPrefix takes each line that begins with two dashes and a boundary for a
	// delimiter line, as a note in RFC 2046 section 5.1.1 has it. Of several boundaries
	// the longest counts. Dovecot reads so.
	ReadPrefix
	// ReadCR takes a CR for a line end, unless a line end follows it. Python reads so.
	ReadCR
	// ReadLast has the last of several Content-Type or Content-Transfer-Encoding fields
	// count, and the last of several boundaries, and ignores NUL.
	ReadLast
)

// Others returns the readings in which the message, with the sources that were scanned
// after it, may have another structure. It returns nil for almost all messages.
func (x *Index) Others() []Reading {
	var others []Reading
	doubts := x.budget.doubts | x.budget.limits.Reading
	for r := Reading(1); r <= doubts; r++ {
		// Of ReadJunk and ReadPrefix, programs have both or neither.
		const dovecot = ReadJunk | ReadPrefix
		if r&^doubts == 0 && (r&dovecot == 0 || r&dovecot == doubts&dovecot) {
			others = append(others, r)
		}
	}
	return others
}

// Differs returns the first part of x that has another place among the parts or another
// kind in y. It returns nil if there is none.
func (x *Index) Differs(y *Index) *Part {
	for i, p := range x.Parts {
		if i == len(y.Parts) {
			return p
		}
		if q := y.Parts[i]; p.Depth != q.Depth || p.Type != q.Type || p.Encoding != q.Encoding || p.Encoded != q.Encoded {
			return p
		}
	}
	if len(y.Parts) > len(x.Parts) {
		return x.Root()
	}
	return nil
}

// doubt notes that readings may differ.
func (s *scanner) doubt(r Reading) {
	if s.budget != nil {
		s.budget.doubts |= r
	}
}

// reads reports whether a rule holds.
func (s *scanner) reads(r Reading) bool { return s.budget != nil && s.budget.limits.Reading&r != 0 }

// bareCR returns the index of the first CR in b that is a line end by itself, or -1. A CR
// at the end of b is not, since b may go on.
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
		i = end
	}
}

// doubtHeader notes a doubt if a header that ended at a line that is not a field has, up to
// the next empty line, another field that says what the part is. A multipart may go on with
// its first delimiter line.
func (s *scanner) doubtHeader(h *header) error {
	pos := h.part.Body.Start
	line, err := s.win.from(pos, maxDelimiter)
	if err != nil || h.part.Boundary != "" && bytes.HasPrefix(line, []byte("--"+h.part.Boundary)) {
		return err
	}
	for end := pos + h.limit; pos < min(end, s.win.end); {
		line, err := s.win.from(pos, maxDelimiter)
		if err != nil {
			return err
		}
		if emptyLine(line) > 0 {
			break
		}
		const field = "content-"
		if len(line) > len(field) && bytes.EqualFold(line[:len(field)], []byte(field)) {
			s.doubt(ReadJunk)
			break
		}
		if pos, err = s.lineEnd(pos); err != nil {
			return err
		}
	}
	return nil
}
