package message

import "bytes"

// A Reading is a set of rules in which mail programs differ from this package.
type Reading uint8

const (
	// ReadJunk continues a header after a line that is not a field, up to an empty
	// line. Dovecot and GMime do so.
	ReadJunk Reading = 1 << iota
	// ReadPrefix takes each line that begins with two dashes and a boundary for a
	// delimiter line, as a note in RFC 2046 section 5.1.1 suggests. Of several
	// boundaries the longest counts. Dovecot does so.
	ReadPrefix
	// ReadCR takes a CR for a line end, unless a line end follows it. Python does so.
	ReadCR
	// ReadLast takes the last of several Content-Type or Content-Transfer-Encoding
	// fields, and the last of several boundaries. It ignores NUL.
	ReadLast
)

// Others returns the readings by which the message, with the sources that were
// scanned after it, may have another structure. It returns nil for almost all
// messages.
func (x *Index) Others() []Reading {
	var others []Reading
	doubts := x.budget.doubts | x.budget.limits.Reading
	for r := Reading(1); r <= doubts; r++ {
		// Programs follow both of ReadJunk and ReadPrefix or neither.
		const dovecot = ReadJunk | ReadPrefix
		if r&^doubts == 0 && (r&dovecot == 0 || r&dovecot == doubts&dovecot) {
			others = append(others, r)
		}
	}
	return others
}

// Differs returns the first part of x whose depth, type or encoding differs in y, or
// nil. If y only has further parts, it returns the root of x.
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
		if i = end + 1; i == len(b) {
			return -1
		}
	}
}

// doubtHeader checks a header that ended at a line that is not a field. It records a
// doubt if a "Content-" field follows before the next empty line or delimiter line,
// unless the line is the first delimiter line of the multipart.
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
		if pos, err = s.lineEnd(pos); err != nil {
			return err
		}
	}
	return nil
}
