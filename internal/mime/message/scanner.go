package message

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/go-extbody/extbody/internal/codec/ascii"
	"github.com/go-extbody/extbody/internal/mime/param"
)

// scanners has the released scanners.
var scanners = sync.Pool{New: func() any { return &scanner{array: new([windowSize]byte)} }}

// newScanner returns a scanner of span, with a window of at most window octets. The
// caller must release it.
func newScanner(r io.ReaderAt, span Span, b *budget, window int) *scanner {
	s := scanners.Get().(*scanner)
	s.win = newWindow(r, span, s.array[:0:window])
	s.index = &Index{Size: span.End, budget: b}
	s.budget = b
	return s
}

// release keeps the memory of s for the next scanner. It invalidates all slices of
// the window.
func (s *scanner) release() {
	clear(s.stack[:cap(s.stack)])
	s.win = window{}
	s.index = nil
	s.budget = nil
	s.slab = nil
	s.stack = s.stack[:0]
	s.work = 0
	if len(s.open.level) > 0 || cap(s.stack) > maxStack {
		*s = scanner{array: s.array} // the scan failed, or the message was a rare one
	}
	scanners.Put(s)
}

// maxStack bounds the stack that is kept for the next message.
const maxStack = 256

// scan indexes the source as a message.
func (s *scanner) scan() (*Index, error) { return s.parts(s.enter(s.newPart(nil), 0, true)) }

// scanBody indexes the source as the body of p.
func (s *scanner) scanBody(p *Part) (*Index, error) {
	root := s.newPart(nil)
	root.Parent = p.Parent
	root.Depth = p.Depth
	root.number = p.number
	root.message = p.message
	root.Type = p.Type
	root.Boundary = p.Boundary
	s.push(root)
	child, err := s.contain(root)
	if child == nil {
		return s.parts(0, delimiter{}, err)
	}
	return s.parts(s.enter(child, 0, true))
}

// parts reads from pos, the start of a line in the body of the innermost open part, to
// the end of the source. d is the delimiter line at pos, if there is one.
func (s *scanner) parts(pos int64, d delimiter, err error) (*Index, error) {
	for {
		if err == nil && !d.found {
			d, err = s.find(pos)
		}
		if err != nil {
			return nil, err
		}
		if !d.found {
			break
		}
		span := s.delimit(d)
		f := &s.stack[d.level]
		if d.closing {
			s.forget(f)
			f.state = inEpilogue
			f.part.Close = span
			pos = d.end
			d = delimiter{}
			continue
		}
		f.state = inParts
		if limit := s.budget.exceeded(span.Start); limit != nil {
			s.limit(limit)
			f.part.Diag |= TooMany
			f.part.Close = Span{span.Start, span.Start}
			f.state = inEpilogue
			break
		}
		child := s.newPart(f.part)
		child.Delimiter = span
		if f.part.Type == "multipart/digest" {
			child.Type = "message/rfc822" // RFC 2046 section 5.1.5
		}
		pos, d, err = s.enter(child, d.end, false)
	}
	s.closeFrom(0, s.win.end)
	return s.index, nil
}

// enter reads the header of p at pos, and the headers of messages that start at its
// body. It returns the start of the innermost body. If a delimiter line there ended a
// header, it also returns that line. The header of a message may start with lines of
// a mailbox file.
func (s *scanner) enter(p *Part, pos int64, isMessage bool) (int64, delimiter, error) {
	for {
		s.push(p)
		h := header{part: p, limit: s.budget.limits.HeaderBytes, mailbox: isMessage}
		d, err := s.readHeader(&h, pos)
		if err != nil {
			return 0, d, err
		}
		pos = p.Body.Start
		if err := s.interpret(&h); err != nil {
			return 0, d, err
		}
		if p.Diag.Has(MissingBlank) {
			if err := s.doubtHeader(&h); err != nil {
				return 0, d, err
			}
		}
		if p.Type != "message/external-body" && p.ContentType.Len() > h.limit {
			p.Diag |= HeaderTooLong
		}
		if p.Diag.Has(HeaderTooLong) {
			s.limit(&LimitError{"HeaderBytes", h.limit, p.Header.Start})
		}
		p, err = s.contain(p)
		if p == nil {
			return pos, d, err
		}
		isMessage = true
	}
}

// interpret sets the fields of a part from its header.
func (s *scanner) interpret(h *header) error {
	p := h.part
	s.budget.header += min(h.others(), h.limit) + min(h.contentType.Len(), h.limit)
	for i, field := range [...]Span{h.contentType, h.encoding} {
		if err := s.compare(h, field, h.again[i]); err != nil {
			return err
		}
	}
	if h.encoding.Len() > 0 {
		encoding, err := s.fieldValue(h, h.encoding)
		if err != nil {
			return err
		}
		s.setEncoding(p, string(encoding))
	}
	p.ContentType = h.contentType
	if p.ContentType.Len() == 0 {
		return nil
	}
	value, err := s.fieldValue(h, h.contentType)
	if err != nil {
		return err
	}
	if bytes.IndexByte(value, 0) >= 0 {
		if s.doubt(ReadLast); s.reads(ReadLast) {
			value = bytes.ReplaceAll(value, []byte{0}, nil)
		}
	}
	near := mentionsBoundary(value)
	p.Type = leafType(value)
	if p.Type != "" && !near {
		return nil
	}
	contentType := param.Parse(string(value))
	p.Type = strings.Clone(contentType.Type)
	if !isType(p.Type) {
		p.Type = "text/plain" // RFC 2045 section 5.2
		p.Diag |= BadContentType
	}
	if near && !IsMultipart(p.Type) {
		s.guessMultipart(p, contentType)
	} else if IsMultipart(p.Type) {
		boundary, _ := contentType.Get("boundary")
		// Some programs keep a backslash before a letter.
		other := strings.ReplaceAll(boundary, `\`, "")
		for _, p := range contentType.Params {
			if p.Name == "boundary" && p.Value != boundary {
				other = p.Value
			}
		}
		if other != boundary {
			if s.doubt(ReadLast); s.reads(ReadLast) {
				boundary = other
			}
		}
		// RFC 2046 section 5.1.1: a boundary does not end with white space.
		p.Boundary = strings.Clone(strings.TrimRight(boundary, " \t\r\n"))
	} else if bytes.IndexByte(value, '(') >= 0 {
		s.guessMessage(p, string(value))
	}
	return nil
}

func (s *scanner) setEncoding(p *Part, value string) {
	p.Encoding = ParseEncoding(value)
	switch {
	case p.Encoding == OtherEncoding:
		p.Diag |= UnknownEncoding
	case p.Encoding != Identity, encodingToken(value) != "":
		return
	}
	meant := MeantEncoding(value)
	if meant == OtherEncoding {
		return
	}
	p.Diag |= NearEncoding
	s.doubt(ReadNear)
	if s.reads(ReadNear) {
		p.Encoding = meant
	}
}

// guessMultipart makes p a multipart if [ReadNear] does, until its end is reached without a delimiter line. p has
// another type, and its Content-Type has a boundary.
func (s *scanner) guessMultipart(p *Part, contentType *param.Value) {
	boundary, _ := contentType.Get("boundary")
	boundary = strings.TrimRight(boundary, " \t\r\n")
	if boundary == "" || IsMessage(p.Type) || p.Type == "message/external-body" {
		return
	}
	s.doubt(ReadNear)
	if !s.reads(ReadNear) {
		return
	}
	s.stack[len(s.stack)-1].plain = p.Type
	p.Type = "multipart/mixed"
	p.Boundary = strings.Clone(boundary)
}

// guessMessage makes p a message if [ReadNear] does: it leaves out the comments of a Content-Type value, also those within a
// word of the type.
func (s *scanner) guessMessage(p *Part, value string) {
	meant := param.Parse(withoutComments(value)).Type
	if meant == p.Type || !IsMessage(meant) && meant != "message/external-body" {
		return
	}
	s.doubt(ReadNear)
	if s.reads(ReadNear) {
		p.Type = meant
	}
}

// leafType returns the type of a Content-Type value in simple syntax whose parameters
// do not matter; otherwise "". It is an optimization: most fields need no full parse.
func leafType(value []byte) string {
	value = bytes.Trim(value, " \t\r\n")
	i := 0
	slash := 0
	for ; i < len(value) && value[i] != ';'; i++ {
		switch c := value[i]; {
		case ascii.IsAlphanumeric(c):
		case c == '/' && i > 0 && slash == 0:
			slash = i
		case c == '-', c == '.', c == '+':
			if slash == 0 {
				return ""
			}
		default:
			return ""
		}
	}
	if slash == 0 || slash == i-1 || bytes.EqualFold(value[:slash], []byte("multipart")) {
		return ""
	}
	switch string(value[:i]) {
	case "text/plain": // the usual types need no allocation
		return "text/plain"
	case "text/html":
		return "text/html"
	}
	return strings.ToLower(string(value[:i]))
}

// isType reports whether a mail program takes a text for a media type. It shows a part as
// text if the type has no slash, two of them, or nothing before it.
func isType(s string) bool {
	main, sub, ok := strings.Cut(s, "/")
	if main == "multipart" {
		return true
	}
	return ok && main != "" && !strings.Contains(sub, "/")
}

// compare records a doubt if a field differs from another field of its name.
func (s *scanner) compare(h *header, field, again Span) error {
	if again.Len() == 0 {
		return nil
	}
	var texts [2][]byte
	for i, span := range [...]Span{field, again} {
		value, err := s.fieldValue(h, span)
		if err != nil {
			return err
		}
		texts[i] = bytes.ToLower(bytes.Join(bytes.Fields(value), nil))
	}
	if !bytes.Equal(texts[0], texts[1]) {
		s.doubt(ReadLast)
	}
	return nil
}

// fieldValue returns the value of the field at span, as far as the limit on a header
// allows. It is valid until the window moves.
func (s *scanner) fieldValue(h *header, span Span) ([]byte, error) {
	raw, err := s.win.bytes(span.First(h.limit))
	if err != nil {
		return nil, err
	}
	if name, _ := fieldName(raw); name == 0 || raw[0] == '(' {
		return nearValue(raw), nil
	}
	_, value, _ := bytes.Cut(raw, []byte(":"))
	return value, nil
}

// contain prepares the scan of the content of p, the innermost open part. It opens
// the boundary of a multipart. For a message part it returns the message within,
// which the caller must enter. If it returns nil, the caller must search the body for
// delimiter lines.
func (s *scanner) contain(p *Part) (*Part, error) {
	switch {
	case IsMultipart(p.Type):
		s.openMultipart(p)
	case IsMessage(p.Type):
		return s.openMessage(p)
	case p.Type == "message/external-body" && p.Encoding.Hides():
		p.Encoded = true
		p.Diag |= EncodedContainer
	}
	return nil, nil
}

// openMultipart opens the boundary of p, if p may be entered.
func (s *scanner) openMultipart(p *Part) {
	if p.Boundary == "" || len(p.Boundary) > maxBoundary || strings.Contains(p.Boundary, "\n") {
		p.Boundary = ""
		p.Diag |= BadBoundary
		return
	}
	p.kind = kindUnseen
	if s.tooDeep(p) {
		return
	}
	p.kind = kindMultipart
	level := len(s.stack) - 1
	f := &s.stack[level]
	f.outer = s.open.open(p.Boundary, level)
	f.state = inPreamble
}

// openMessage returns the message within p, if p may be entered.
func (s *scanner) openMessage(p *Part) (*Part, error) {
	if p.Encoding.Hides() {
		// No line of base64 is a header field. In quoted-printable any line may be a
		// field with an encoded value.
		literal, err := s.startsHeader(p.Body.Start)
		if err != nil {
			return nil, err
		}
		if !literal || p.Encoding != Base64 {
			p.Encoded = true
			p.Diag |= EncodedContainer
			return nil, nil
		}
		p.Diag |= EncodingIgnored
	}
	if s.tooDeep(p) {
		return nil, nil
	}
	if limit := s.budget.exceeded(p.Body.Start); limit != nil {
		s.limit(limit)
		p.Diag |= TooMany
		return nil, nil
	}
	p.kind = kindMessage
	return s.newPart(p), nil
}

// tooDeep reports whether p is at the deepest level allowed, and so must not have
// children.
func (s *scanner) tooDeep(p *Part) bool {
	most := s.budget.limits.Depth
	if p.Depth < most {
		return false
	}
	s.limit(&LimitError{"Depth", int64(most), p.Body.Start})
	p.Diag |= TooDeep
	return true
}

// limit records the first limit that was reached.
func (s *scanner) limit(err *LimitError) {
	if s.index.Limit == nil {
		s.index.Limit = err
	}
}

// newPart returns a new part below parent, of the type of a part without a
// Content-Type field.
func (s *scanner) newPart(parent *Part) *Part {
	if len(s.slab) == 0 {
		s.slab = make([]Part, min(4+len(s.index.Parts), 64))
		s.index.Parts = slices.Grow(s.index.Parts, len(s.slab))
	}
	p := &s.slab[0]
	s.slab = s.slab[1:]
	p.Type = "text/plain"
	if parent != nil {
		parent.addChild(p)
	}
	s.budget.parts++
	s.index.Parts = append(s.index.Parts, p)
	return p
}

func (s *scanner) push(p *Part) { s.stack = append(s.stack, frame{part: p, outer: -1}) }

// delimit ends the parts within the multipart that d delimits. It returns the span of
// the delimiter. The span contains the line end before the delimiter line, unless the
// entity that ends here is empty and the line end precedes it.
func (s *scanner) delimit(d delimiter) Span {
	f := &s.stack[d.level]
	begin := f.part.Body.Start
	if d.level+1 < len(s.stack) {
		begin = s.stack[d.level+1].part.Header.Start
	}
	end := d.start
	if end > begin {
		end--
	}
	if end > begin && d.crlf {
		end--
	}
	s.closeFrom(d.level+1, end)
	if f.state == inPreamble {
		f.part.Preamble = Span{f.part.Body.Start, end}
		if f.part.Encoding.Hides() {
			f.part.Diag |= EncodingIgnored
		}
	}
	return Span{end, d.end}
}

// closeFrom ends the open parts from a level of the stack inwards.
func (s *scanner) closeFrom(level int, end int64) {
	for len(s.stack) > level {
		f := &s.stack[len(s.stack)-1]
		s.forget(f)
		f.close(end)
		s.stack = s.stack[:len(s.stack)-1]
		s.work++
	}
}

// forget closes the boundary of f. Inner frames must be closed already.
func (s *scanner) forget(f *frame) {
	if f.state == inPreamble || f.state == inParts {
		s.open.close(f.part.Boundary, f.outer)
	}
}

// close ends the part of f at end. The delimiter that follows may have taken the line
// end before it from an empty line or a delimiter line of the part.
func (f *frame) close(end int64) {
	p := f.part
	p.Body.End = end
	for _, span := range []*Span{&p.Delimiter, &p.Header, &p.Blank, &p.Body, &p.ContentType, &p.Preamble, &p.Close} {
		*span = span.clamp(end)
	}
	if f.plain != "" && f.state <= inPreamble {
		p.Type = f.plain
		p.Boundary = ""
		p.Diag &^= BadBoundary
		p.kind = kindLeaf
		return
	}
	switch f.state {
	case notMultipart:
		return
	case inPreamble:
		if p.Encoding.Hides() {
			p.kind = kindUnseen
			p.Encoded = true
			p.Diag |= EncodedContainer
			return
		}
		p.Preamble = p.Body
		p.Close = Span{end, end}
	case inParts:
		p.Close = Span{end, end}
		p.Diag |= MissingClose
	}
	p.Epilogue = Span{p.Close.End, end}
	if p.first == nil && !p.Diag.Has(TooMany) {
		p.Diag |= NoParts
	}
}

// Split splits the octets of span into a header and a body. It is for the body of a
// message/external-body, which is a phantom header, an empty line and a phantom body
// (RFC 2046 section 5.2.3). The header is empty if the span is empty or starts with
// an empty line. The end of the span may end the header. A header longer than
// limits.HeaderBytes is split at its end, and Diag has HeaderTooLong. The other
// limits do not apply.
//
// Errors are those of r.
func Split(r io.ReaderAt, span Span, limits Limits) (Block, error) {
	s := newScanner(r, span, nil, windowSize)
	defer s.release()
	h := header{part: &Part{}, limit: limits.withDefaults().HeaderBytes}
	if _, err := s.readHeader(&h, span.Start); err != nil {
		return Block{}, err
	}
	p := h.part
	if p.Header.Len() > h.limit {
		p.Diag |= HeaderTooLong
	}
	diag := p.Diag & (MissingBlank | MalformedField | HeaderTooLong)
	return Block{p.Header, p.Blank, Span{p.Body.Start, span.End}, diag}, nil
}
