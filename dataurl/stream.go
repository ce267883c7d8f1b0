package dataurl

import (
	"bufio"
	"errors"
	"io"
	"slices"

	"github.com/go-extbody/extbody/internal/codec/base64x"
	"github.com/go-extbody/extbody/internal/codec/percent"
)

// maxHead bounds the octets before the comma of a URL that is read as a stream.
const maxHead = 64 << 10

// A Stream is a data: URL that is read from a reader and decoded as the Stream is read.
// Its memory is constant: 64 KiB for the text before the comma, and some buffers. A run
// of spaces and control characters in the text is also held, until it is known whether
// the URL ends with it.
//
// A Stream must not be used by several goroutines at once.
type Stream struct {
	// MediaType and Base64 are as in [URL].
	MediaType string
	Base64    bool

	src   *bufio.Reader
	check *checker // nil unless strict
	err   error    // returned after out
	out   []byte   // decoded and not yet read
	room  []byte   // of out

	seen    int    // octets of the text that were read
	blank   []byte // of the text, which ends with it or goes on
	ended   bool   // there was a fragment
	escape  [3]byte
	escaped int // octets of escape
	start   int // where it begins

	// The fields of base64.
	group   []byte // characters of a group that is not complete
	pads    int
	careful bool // the text has something else than base64 and white space
	broken  *Error
}

// ParseReader is [Parse] for a text of any length. It reads r up to the comma, and the
// Stream reads the rest. The Stream reads as the reader of [URL.NewReader] does: it
// returns the octets of the body, and then io.EOF if the whole text was read and has no fault.
//
// The error is one of r, or an [*Error] of a Kind that Parse returns or of Kind
// [TooLong]. It is TooLong
//
//   - if more than 64 KiB precede the comma,
//   - if "/" follows "data:" and the URL has more than 64 KiB, because the URL Standard
//     normalizes such a URL as a whole.
//
// The errors of the Stream are from r, or as for the reader of URL.NewReader.
func ParseReader(r io.Reader) (*Stream, error) { return parseReader(r, false) }

// ParseReaderStrict is [ParseStrict] for a text of any length. It reads r up to the
// comma, and the Stream reads the rest. Faults in the body are therefore errors of the
// Stream: its octets are not a body unless it ends with io.EOF.
//
// The error is as for [ParseReader], with the Kinds that ParseStrict returns.
func ParseReaderStrict(r io.Reader) (*Stream, error) { return parseReader(r, true) }

func parseReader(r io.Reader, strict bool) (*Stream, error) {
	s := &Stream{src: bufio.NewReaderSize(r, 4*chunk), room: make([]byte, 0, 4*chunk)}
	head, comma, err := s.head()
	if err != nil {
		return nil, err
	}
	parse := Parse
	switch {
	case strict:
		parse = ParseStrict
	case isHierarchical(head):
		return s.whole(head)
	}
	u, err := parse(head)
	if !comma && (err == nil || errors.Is(err, NoComma)) {
		err = &Error{TooLong, len(head)}
	}
	if err != nil {
		return nil, err
	}
	s.MediaType, s.Base64 = u.MediaType, u.Base64
	if strict {
		s.check = &checker{base64: u.Base64}
	}
	return s, nil
}

// isHierarchical reports whether the URL has no opaque path.
func isHierarchical(head string) bool {
	start, end := trim(head)
	n, ok := scheme(head[start:end])
	return ok && hierarchical(head[start+n:end])
}

// head reads the text up to the comma. It reports whether there is a comma; otherwise
// the text has ended.
func (s *Stream) head() (head string, comma bool, err error) {
	var b []byte
	for len(b) < maxHead {
		c, err := s.src.ReadByte()
		if err == io.EOF {
			return string(b), true, nil
		}
		if err != nil {
			return "", false, err
		}
		if b = append(b, c); c == ',' {
			return string(b), true, nil
		}
	}
	return string(b), false, nil
}

// whole reads a URL that must be normalized as a whole. head is its beginning, which
// has been read.
func (s *Stream) whole(head string) (*Stream, error) {
	rest, err := io.ReadAll(io.LimitReader(s.src, int64(maxHead-len(head)+1)))
	if err != nil {
		return nil, err
	}
	text := head + string(rest)
	if len(text) > maxHead {
		return nil, &Error{TooLong, maxHead}
	}
	u, err := Parse(text)
	if err != nil {
		return nil, err
	}
	s.MediaType, s.Base64 = u.MediaType, u.Base64
	s.out, s.err = u.decoded()
	return s, nil
}

// decoded returns the body, and the error after it.
func (u *URL) decoded() ([]byte, error) {
	b := body{text: u.Encoded, base64: u.Base64}
	out := b.appendTo(nil)
	if b.fault != nil {
		return out, b.fault
	}
	return out, io.EOF
}

// Read implements [io.Reader].
func (s *Stream) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for len(s.out) == 0 && s.err == nil {
		s.out = s.room[:0]
		s.err = s.step()
		s.room = s.out
	}
	if len(s.out) == 0 {
		return 0, s.err
	}
	n := copy(p, s.out)
	s.out = s.out[n:]
	return n, nil
}

// step decodes a buffer of text.
func (s *Stream) step() error {
	if _, err := s.src.Peek(1); err == io.EOF {
		return s.finish()
	} else if err != nil {
		return err
	}
	text, _ := s.src.Peek(min(s.src.Buffered(), chunk))
	err := s.decode(text)
	s.seen += len(text)
	s.src.Discard(len(text))
	return err
}

// decode decodes a part of the text.
func (s *Stream) decode(text []byte) error {
	for i := 0; i < len(text) && !s.ended; i++ {
		if s.escaped == 0 && len(s.blank) == 0 && s.check == nil {
			if i += s.run(text[i:]); i == len(text) {
				break
			}
		}
		c := text[i]
		if s.check != nil {
			if c == '#' {
				s.ended = true
				break
			}
			if err := s.check.add(c); err != nil {
				return err
			}
		}
		switch {
		case isBreak(c):
		case c <= ' ':
			s.blank = append(s.blank, c)
		default:
			at := s.seen + i
			for j, b := range s.blank {
				s.put(b, at-len(s.blank)+j)
			}
			s.blank = s.blank[:0]
			if s.ended = c == '#'; !s.ended {
				s.put(c, at)
			}
		}
	}
	return s.fault()
}

// fault returns the fault that was found, if any.
func (s *Stream) fault() error {
	if s.broken != nil {
		return s.broken
	}
	return nil
}

// run decodes the beginning of text, as far as it needs no second look, and returns its
// length.
func (s *Stream) run(text []byte) int {
	if !s.Base64 {
		return s.runText(text)
	}
	if s.careful {
		return 0
	}
	held := len(s.group)
	s.group = slices.Grow(s.group, len(text))
	group := s.group[:held+len(text)]
	n := base64x.Run(group[held:], text)
	whole := (held + n) &^ 3
	end := len(s.out)
	s.out = slices.Grow(s.out, whole)
	octets, ok := base64x.Decode(s.out[end:end+whole], group[:whole])
	if s.careful = !ok || slices.ContainsFunc(group[whole:held+n], notAlphabet); s.careful {
		return 0
	}
	s.out = s.out[:end+octets]
	s.group = s.group[:copy(group, group[whole:held+n])]
	return n
}

// runText is run for a body that is not base64.
func (s *Stream) runText(text []byte) int {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c <= ' ' || c == '#':
			return i
		case c != '%':
			s.out = append(s.out, c)
		default:
			if i+2 >= len(text) {
				return i
			}
			high, ok1 := percent.Unhex(text[i+1])
			low, ok2 := percent.Unhex(text[i+2])
			if !ok1 || !ok2 {
				return i
			}
			s.out = append(s.out, high<<4|low)
			i += 2
		}
	}
	return len(text)
}

func notAlphabet(c byte) bool { return !base64x.IsAlphabet(c) }

// put decodes one character of the text, which is at an offset.
func (s *Stream) put(c byte, at int) {
	if s.escaped == 0 {
		if c != '%' {
			s.octet(c, at)
			return
		}
		s.start = at
	}
	if _, ok := percent.Unhex(c); !ok && s.escaped > 0 {
		s.literal()
		s.put(c, at)
		return
	}
	s.escape[s.escaped] = c
	if s.escaped++; s.escaped == len(s.escape) {
		high, _ := percent.Unhex(s.escape[1])
		low, _ := percent.Unhex(s.escape[2])
		s.escaped = 0
		s.octet(high<<4|low, s.start)
	}
}

// literal puts out the characters of an escape that is not one.
func (s *Stream) literal() {
	n := s.escaped
	s.escaped = 0
	for i := range n {
		s.octet(s.escape[i], s.start+i)
	}
}

// octet decodes one octet of the percent-decoded body.
func (s *Stream) octet(c byte, at int) {
	switch {
	case !s.Base64:
		s.out = append(s.out, c)
	case isSpace(c) || s.broken != nil:
	case c == '=' && len(s.group) >= 2 && len(s.group)+s.pads < 4:
		s.pads++
	case s.pads == 0 && base64x.IsAlphabet(c):
		if s.group = append(s.group, c); len(s.group) == 4 {
			octets, _ := base64x.DecodeGroup([4]byte(s.group))
			s.out = append(s.out, octets[:]...)
			s.group = s.group[:0]
		}
	default:
		s.broken = &Error{BadBase64, at}
	}
}

// finish decodes the held characters at the end of the text.
func (s *Stream) finish() error {
	if s.check != nil {
		if err := s.check.end(); err != nil {
			return err
		}
	}
	s.literal()
	if s.broken != nil {
		return s.broken
	}
	if s.Base64 {
		held := len(s.group)
		var ok bool
		if s.out, ok = base64x.AppendTail(s.out, s.group); !ok || s.pads > 0 && held+s.pads < 4 {
			s.out = s.out[:0]
			return &Error{BadBase64, s.seen}
		}
	}
	return io.EOF
}
