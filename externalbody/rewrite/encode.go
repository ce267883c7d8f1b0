package rewrite

import (
	"bytes"
	"io"
	"mime/quotedprintable"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/internal/codec/base64x"
)

// The transfer encodings that are written (RFC 2045 section 6.1).
const (
	sevenBit        = "7bit"
	eightBit        = "8bit"
	quotedPrintable = "quoted-printable"
	inBase64        = "base64"
)

// A coding is how octets are written as a body.
type coding struct {
	name string
	crlf bool   // line ends LF are made CRLF first
	eol  string // the line end of the message, which replaces CRLF in the result
	last bool   // the message ends here with a line end, which the last line of base64 gets
}

// A kind is a sort of data.
type kind struct {
	text      bool
	composite bool
	wide      bool // text in a charset for which isWide is true
	exact     bool // text with a digest of the line ends that it has
	stands    bool // text with a digest of CRLF where it has LF
	part      bool // of a body, in whose lines LF stands for CRLF
}

// choose returns the transfer encoding for data that s surveyed, and whether line ends
// LF must be made CRLF. It returns "" if no encoding fits. eight reports whether 8bit
// may be written (RFC 2045 section 6.2).
func choose(s *survey, k kind, eight bool, eol string) (name string, crlf bool) {
	hasBothEnds := s.lf > 0 && s.crlf > 0
	mixed := hasBothEnds || s.cr > 0 || s.nul
	allowed := s.high == 0 || eight
	fits := allowed && !mixed && !s.long
	label := sevenBit
	if s.high > 0 {
		label = eightBit
	}
	// Written as lines of the message, these line ends would change, such as the ones of a shell script.
	losesLF := s.lf > 0 && !k.stands && !k.part
	losesCRLF := k.exact && s.crlf > 0 && eol == "\n"
	switch {
	case k.composite:
		if !fits {
			return "", false
		}
		return label, s.lf > 0
	case !k.text:
		// The line ends of other data are data. In a message with other line ends they
		// would change.
		keepsCRLF := s.crlf == 0 || eol == "\r\n"
		if fits && s.lf == 0 && keepsCRLF {
			return label, false
		}
		return inBase64, false
	case mixed, k.wide, losesLF, losesCRLF:
		return inBase64, false
	case fits:
		return label, s.lf > 0
	case s.escaped*6 <= s.n, k.stands && s.lf > 0 && eol == "\n":
		// In base64 the line ends would be CRLF and not LF that stands for CRLF.
		return quotedPrintable, s.lf > 0
	}
	return inBase64, s.lf > 0
}

// writer returns a Writer that encodes octets and writes them to w. Its
// Close writes the rest, and does not close w.
func (c *coding) writer(w io.Writer) io.WriteCloser {
	if c.eol == "\n" {
		w = dropCR(w)
	}
	switch c.name {
	case inBase64:
		if !c.last {
			w = &openEnd{w: w}
		}
		e := base64x.NewLineWriter(w)
		if c.crlf {
			return encoder{addCR(e), e}
		}
		return e
	case quotedPrintable:
		// In text mode it writes each LF as CRLF.
		return quotedprintable.NewWriter(w)
	}
	if c.crlf {
		w = addCR(w)
	}
	return encoder{w, io.NopCloser(nil)}
}

// An encoder is a Writer with the Closer of another one.
type encoder struct {
	io.Writer
	io.Closer
}

// encode writes the octets of r to w.
func (c *coding) encode(w io.Writer, r io.Reader, buf []byte) error {
	e := c.writer(w)
	if _, err := io.CopyBuffer(struct{ io.Writer }{e}, struct{ io.Reader }{r}, buf); err != nil {
		return err
	}
	return e.Close()
}

// A lineEnds writes text with other line ends: each old octet as new ones.
type lineEnds struct {
	w        io.Writer
	old, new string
	buf      []byte
}

// addCR returns a Writer that makes each LF a CRLF. It is for text without any CR.
func addCR(w io.Writer) *lineEnds { return &lineEnds{w: w, old: "\n", new: "\r\n"} }

// dropCR returns a Writer that makes each CRLF an LF. It is for text that has CRs only in
// CRLFs.
func dropCR(w io.Writer) *lineEnds { return &lineEnds{w: w, old: "\r"} }

func (e *lineEnds) Write(p []byte) (int, error) {
	e.buf = e.buf[:0]
	for text := range bytes.SplitAfterSeq(p, []byte(e.old)) {
		text, cut := bytes.CutSuffix(text, []byte(e.old))
		e.buf = append(e.buf, text...)
		if cut {
			e.buf = append(e.buf, e.new...)
		}
	}
	if _, err := e.w.Write(e.buf); err != nil {
		return 0, err
	}
	return len(p), nil
}

// An openEnd leaves out the last CRLF, since the CRLF before a delimiter line belongs
// to the delimiter (RFC 2046 section 5.1.1). Each Write must end with a CRLF, as with
// a base64x.LineWriter.
type openEnd struct {
	w    io.Writer
	held bool
}

var crlf = []byte("\r\n")

func (o *openEnd) Write(p []byte) (int, error) {
	if o.held {
		if _, err := o.w.Write(crlf); err != nil {
			return 0, err
		}
	}
	o.held = true
	if _, err := o.w.Write(bytes.TrimSuffix(p, crlf)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// isWide reports whether octets NUL, CR and LF have another meaning in text of that
// charset.
func isWide(charset string) bool {
	charset = strings.ToLower(charset)
	wide := []string{"utf-16", "utf16", "utf-32", "utf32", "ucs-", "iso-10646-ucs"}
	return slices.ContainsFunc(wide, func(p string) bool { return strings.HasPrefix(charset, p) })
}

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
		hasEnd := s.lf > 0 || s.cr > 0
		needsCoding := hasEnd || s.nul || s.long
		s.ended = s.brief && needsCoding
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

// A clashWriter looks for lines that start with "--" and one of the boundaries (RFC
// 2046 section 5.1.1), whether more follows in the line or not. It can also look for
// lines that are quoted in an mbox.
type clashWriter struct {
	from       bool     // look for "From " after any number of ">"
	delimiters [][]byte // with the dashes
	most       int      // the length of the longest
	head       []byte   // the start of the line, up to most octets
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

// look judges the start of a line.
func (c *clashWriter) look() {
	for _, d := range c.delimiters {
		c.found = c.found || bytes.HasPrefix(c.head, d)
	}
	c.found = c.found || c.from && bytes.HasPrefix(bytes.TrimLeft(c.head, ">"), []byte("From "))
}

// Write takes the next octets. It never fails.
func (c *clashWriter) Write(p []byte) (int, error) {
	for line := range bytes.Lines(p) {
		c.head = append(c.head, line[:min(len(line), c.most-len(c.head))]...)
		c.look()
		if line[len(line)-1] == '\n' {
			c.head = c.head[:0]
		}
	}
	return len(p), nil
}
