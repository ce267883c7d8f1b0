package rewrite

import "bytes"

// maxLine is the longest line of 7bit and 8bit data, without its line end (RFC
// 2045 sections 2.7 and 2.8).
const maxLine = 998

// A survey has the facts from which a transfer encoding is chosen.
type survey struct {
	n       int64
	high    int64 // octets above 127
	escaped int64 // octets that quoted-printable has to escape
	crlf    int64 // line ends
	lf, cr  int64 // line ends that are not within a CRLF
	nul     bool
	long    bool // there is a line of more than maxLine octets

	line   int64 // the length of the last line
	lastCR bool

	// brief ends the survey as soon as the data is neither 7bit nor 8bit. All counts
	// except n are then of a part of the data.
	brief bool
	ended bool
}

// Write takes the next octets. It never fails.
func (s *survey) Write(p []byte) (int, error) {
	s.n += int64(len(p))
	const stretch = 4 << 10
	for q := p; len(q) > 0 && !s.ended; q = q[min(stretch, len(q)):] {
		s.look(q[:min(stretch, len(q))])
		s.ended = s.brief && (s.nul || s.long || s.lf > 0 || s.cr > 0)
	}
	return len(p), nil
}

func (s *survey) look(p []byte) {
	for _, c := range p {
		if s.lastCR && c != '\n' {
			s.cr++
			s.line++
		}
		switch {
		case c == '\n':
			if s.lastCR {
				s.crlf++
			} else {
				s.lf++
			}
			s.long = s.long || s.line > maxLine
			s.line = -1
		case c >= 0x80:
			s.high++
			s.escaped++
		case c == '\r':
			s.line--
		case c < ' ' && c != '\t', c == '=', c == 0x7f:
			s.escaped++
			s.nul = s.nul || c == 0
		}
		s.line++
		s.lastCR = c == '\r'
	}
}

// finish ends the data.
func (s *survey) finish() {
	if s.lastCR {
		s.cr++
		s.lastCR = false
	}
	s.long = s.long || s.line > maxLine
}

// A clashWriter looks for lines that begin with "--" and one of the boundaries (RFC
// 2046 section 5.1.1), whether more follows in the line or not. It can also look for
// lines that are quoted in an mbox.
type clashWriter struct {
	from       bool     // look for "From " after any number of ">"
	delimiters [][]byte // with the dashes
	most       int      // the length of the longest
	head       []byte   // the beginning of the line, up to most octets
	found      bool
}

// quotedFrom is how much of a line shows whether it is quoted in an mbox.
const quotedFrom = 32

func newClashWriter(boundaries []string) *clashWriter {
	c := &clashWriter{most: quotedFrom}
	for _, b := range boundaries {
		c.delimiters = append(c.delimiters, []byte("--"+b))
		c.most = max(c.most, len(b)+2)
	}
	return c
}

// look judges the beginning of a line.
func (c *clashWriter) look() {
	for _, d := range c.delimiters {
		c.found = c.found || bytes.HasPrefix(c.head, d)
	}
	c.found = c.found || c.from && bytes.HasPrefix(bytes.TrimLeft(c.head, ">"), []byte("From "))
}

// Write takes the next octets. It never fails.
func (c *clashWriter) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 && !c.found {
		if need := c.most - len(c.head); need > 0 {
			k := min(need, len(p))
			if i := bytes.IndexByte(p[:k], '\n'); i >= 0 {
				k = i + 1
			}
			c.head = append(c.head, p[:k]...)
			c.look()
			p = p[k:]
			if c.head[len(c.head)-1] == '\n' {
				c.head = c.head[:0]
			}
			continue
		}
		i := bytes.IndexByte(p, '\n')
		if i < 0 {
			break
		}
		p, c.head = p[i+1:], c.head[:0]
	}
	return n, nil
}
