package param

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/go-extbody/extbody/internal/codec/percent"
)

// ErrValue is the error of a reader of [NewValueReader] for a value that it cannot
// read.
var ErrValue = errors.New("param: a long value that cannot be read")

// NewValueReader returns a reader of the value of a parameter, in constant memory.
// The name must be in lower case, and r must return the field value. The reader
// returns the same value as [Parse], but converts no charset except US-ASCII and
// UTF-8.
//
// The reader returns the errors of r. It returns [ErrValue] if [Skim] does not list
// the parameter in Long, or cuts the field.
func NewValueReader(r io.Reader, name string) io.Reader {
	return &valueReader{walker: newWalker(r), want: name, parser: parser{v: new(Value)}}
}

// A valueReader is the result of NewValueReader.
type valueReader struct {
	*walker
	parser parser // for its method unfold
	want   string
	out    []byte // decoded octets that are not read yet
	buf    []byte // of out
	err    error

	reading bool  // the wanted value comes next, or continues
	values  int32 // the number of sections so far; 1 for a value without sections
	section bool  // the value has sections
	escaped bool  // the section is percent-encoded
	label   bool  // the charset'language' is still to come
	ascii   bool  // only US-ASCII is allowed, because other octets would need conversion

	raw  []byte // the beginning of a quoted-pair or of a line end
	text string // the beginning of a label or of a percent-encoded octet
}

// maxLabel bounds the charset'language' of a value, in octets.
const maxLabel = 1 << 10

// Read implements [io.Reader].
func (v *valueReader) Read(p []byte) (int, error) {
	for len(v.out) == 0 && v.err == nil {
		v.out = v.buf[:0]
		v.err = v.step()
		v.buf = v.out
	}
	if len(v.out) == 0 {
		return 0, v.err
	}
	n := copy(p, v.out)
	v.out = v.out[n:]
	return n, nil
}

func (v *valueReader) step() error {
	p, text, err := v.walker.next()
	switch {
	case err != nil && err != io.EOF:
		return err
	case p == pieceValue && v.reading:
		return v.decode(text, false)
	case err == nil && p != pieceEquals:
		return nil
	}
	if v.reading {
		if err := v.decode(nil, true); err != nil {
			return err
		}
	}
	if err == io.EOF && (v.values == 0 || v.odd) {
		return v.fault()
	}
	if v.reading = err == nil && v.name == v.want; v.reading {
		return v.begin()
	}
	return err
}

func (v *valueReader) fault() error { return fmt.Errorf("%w: parameter %s", ErrValue, v.want) }

// begin checks that this value or section may come next.
func (v *valueReader) begin() error {
	isSection := v.form == section || v.form == encodedSection
	if v.values > 0 && !(isSection && v.section) || isSection && v.number != v.values {
		return v.fault()
	}
	v.section = isSection
	v.escaped = v.form == encoded || v.form == encodedSection
	v.label = v.escaped && v.values == 0
	v.values++
	return nil
}

// decode decodes a piece of a value. If it is not the last one, the end of it is kept as
// far as the next piece decides its meaning.
func (v *valueReader) decode(piece []byte, last bool) error {
	v.raw = append(v.raw, piece...)
	n := len(v.raw)
	if v.quoted && !last {
		n = len(bytes.TrimRight(v.raw, "\r"))
		n -= (n - len(bytes.TrimRight(v.raw[:n], `\`))) % 2
	}
	if len(v.raw)-n > walkBuffer {
		return v.fault()
	}
	var err error
	switch whole := v.raw[:n]; {
	case v.escaped:
		err = v.unescape(whole, last)
	case v.quoted:
		v.out = unfold(&v.parser, v.out, whole, 0)
	default:
		v.out = append(v.out, whole...)
	}
	v.raw = v.raw[:copy(v.raw, v.raw[n:])]
	return err
}

// unescape is decode for a percent-encoded section.
func (v *valueReader) unescape(piece []byte, last bool) error {
	if v.quoted {
		piece = unfold(&v.parser, nil, piece, 0)
	}
	text := v.text + string(piece)
	v.text = ""
	if v.label {
		charset, rest, _ := strings.Cut(text, "'")
		_, rest, ok := strings.Cut(rest, "'")
		if last && !ok || len(text)-len(rest) > maxLabel {
			return v.fault()
		}
		if !ok {
			v.text = text
			return nil
		}
		text, v.label = rest, false
		switch strings.ToLower(charset) {
		case "", "us-ascii", "ascii", "utf-8", "utf8":
		default:
			v.ascii = true
		}
	}
	if i := strings.LastIndexByte(text, '%'); !last && i >= 0 && i >= len(text)-2 {
		text, v.text = text[:i], text[i:]
	}
	v.out = percent.AppendDecode(v.out, text)
	for _, c := range v.out {
		if v.ascii && (c >= utf8.RuneSelf || c == '\x1b') { // ISO-2022-JP has escape sequences
			v.out = v.out[:0]
			return v.fault()
		}
	}
	return nil
}
