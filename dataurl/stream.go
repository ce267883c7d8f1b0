package dataurl

import (
	"bufio"
	"errors"
	"io"
	"slices"
)

// maxHead bounds the octets before the comma of a URL that is read as a stream.
const maxHead = 64 << 10

// A Stream is a data: URL that is read from a reader and decoded as the Stream is read.
// Its memory is constant: 64 KiB for the text before the comma, and some buffers. A run
// of spaces and control characters in the text is also held, until it is known whether
// the URL ends with it.
//
// A Stream must not be used by several goroutines concurrently.
type Stream struct {
	// MediaType and Base64 are as in URL.
	MediaType string
	Base64    bool

	next    func() (text string, err error) // the next piece of the text
	decoder decoder
	out     []byte // decoded and not yet read
	room    []byte // of out
	err     error  // returned after out
}

func (u *URL) stream() *Stream {
	rest := u.Encoded
	return &Stream{MediaType: u.MediaType, Base64: u.Base64, decoder: decoder{base64: u.Base64}, next: func() (string, error) {
		if rest == "" {
			return "", io.EOF
		}
		piece := rest[:min(len(rest), chunk)]
		rest = rest[len(piece):]
		return piece, nil
	}}
}

// ParseReader is [Parse] for a text of any length. It reads r up to the comma, and the
// Stream reads the rest. The Stream reads as the reader of [URL.NewReader] does: it
// returns the octets of the body, and then io.EOF if the whole text was read and has no fault.
//
// The error is one of r, or an [*Error] as Parse returns it, or one about a text that is too long,
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
// The error is as for [ParseReader] and [ParseStrict].
func ParseReaderStrict(r io.Reader) (*Stream, error) { return parseReader(r, true) }

func parseReader(r io.Reader, strict bool) (*Stream, error) {
	src := bufio.NewReaderSize(r, 4*chunk)
	head, comma, err := readHead(src)
	if err != nil {
		return nil, err
	}
	parse := Parse
	switch {
	case strict:
		parse = ParseStrict
	case isHierarchical(head):
		return parseWhole(head, src)
	}
	u, err := parse(head)
	if !comma && (err == nil || errors.Is(err, noComma)) {
		err = &Error{tooLong, len(head)}
	}
	if err != nil {
		return nil, err
	}
	s := u.stream()
	if strict {
		s.decoder.check = &checker{base64: u.Base64}
	}
	used := 0
	s.next = func() (string, error) {
		src.Discard(used)
		if _, err := src.Peek(1); err != nil {
			return "", err
		}
		piece, _ := src.Peek(min(src.Buffered(), chunk))
		used = len(piece)
		return text(piece), nil
	}
	return s, nil
}

// isHierarchical reports whether the URL has no opaque path.
func isHierarchical(head string) bool {
	start, end := trim(head)
	n, ok := scheme(head[start:end])
	return ok && hierarchical(head[start+n:end])
}

// readHead reads the text up to the comma. comma is false if the text is too long, and
// true if it has a comma or has ended.
func readHead(src *bufio.Reader) (head string, comma bool, err error) {
	var b []byte
	for len(b) < maxHead {
		c, err := src.ReadByte()
		if err == io.EOF {
			return string(b), true, nil
		}
		if err != nil {
			return "", false, err
		}
		b = append(b, c)
		if c == ',' {
			return string(b), true, nil
		}
	}
	return string(b), false, nil
}

// parseWhole reads a URL that must be normalized as a whole. head is its start.
func parseWhole(head string, src io.Reader) (*Stream, error) {
	rest, err := io.ReadAll(io.LimitReader(src, int64(maxHead-len(head)+1)))
	if err != nil {
		return nil, err
	}
	if len(head)+len(rest) > maxHead {
		return nil, &Error{tooLong, maxHead}
	}
	u, err := Parse(head + string(rest))
	if err != nil {
		return nil, err
	}
	return u.stream(), nil
}

// Read implements [io.Reader].
func (s *Stream) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for len(s.out) == 0 && s.err == nil {
		text, err := s.next()
		s.room = slices.Grow(s.room[:0], len(text))
		if err == io.EOF {
			s.out = s.decoder.finish(s.room)
		} else {
			s.out = s.decoder.decode(s.room, text)
		}
		s.room = s.out
		s.err = err
		if s.decoder.fault != nil {
			s.err = s.decoder.fault
		}
	}
	if len(s.out) == 0 {
		return 0, s.err
	}
	n := copy(p, s.out)
	s.out = s.out[n:]
	return n, nil
}

// NewReader returns a reader of the body. It decodes while it is read, and holds 8 KiB
// in addition to the string, however long that is.
//
// Its only error other than io.EOF is an [*Error] about base64, after the octets
// that precede the fault. A URL that ParseStrict returned has no such fault. The reader
// must not be used by several goroutines concurrently. A URL can have any number of readers.
func (u *URL) NewReader() io.Reader { return u.stream() }

// AppendDecode is [Decode] into a buffer. It appends the body to dst and returns the
// extended buffer. With an error it returns dst as it was. It may use the capacity of
// dst after the result as scratch space. If the body fits, it allocates at most
// the media type.
func AppendDecode(dst []byte, s string) (mediaType string, out []byte, err error) {
	u, err := parse(s)
	if err != nil {
		return "", dst, err
	}
	room := grow(dst, &u)
	if out, ok := decodeShort(room, &u); ok {
		return u.MediaType, out, nil
	}
	d := decoder{base64: u.Base64}
	out = d.finish(d.decode(room, u.Encoded))
	if d.fault != nil {
		return "", dst, d.fault
	}
	return u.MediaType, out, nil
}

// Decode parses s as [Parse] does and decodes the body. The error is an [*Error]; no
// data is returned with it.
func Decode(s string) (mediaType string, data []byte, err error) {
	mediaType, data, err = AppendDecode([]byte{}, s)
	if err != nil {
		return "", nil, err
	}
	return mediaType, data, nil
}
