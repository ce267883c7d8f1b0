package param

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/go-extbody/extbody/internal/codec/percent"
)

// ErrValue is the error of a reader of [NewValueReader] for a value that it cannot
// read.
var ErrValue = errors.New("mimeparam: a long value that cannot be read")

// NewValueReader returns a reader of the value of a parameter, in constant memory.
// The name must be in lower case, and r must return the field value. The reader
// returns the same value as [Parse], but converts no charset except US-ASCII and
// UTF-8.
//
// The reader returns the errors of r. It returns [ErrValue] if [Skim] does not list
// the parameter in Long, or cuts the field.
func NewValueReader(r io.Reader, name string) io.Reader {
	return &valueReader{walker: newWalker(r), want: name}
}

// A valueReader is the result of NewValueReader.
type valueReader struct {
	*walker
	want string
	out  []byte // decoded octets that are not read yet
	buf  []byte // of out
	err  error

	reading bool  // the wanted value comes next, or continues
	values  int32 // the number of sections so far; 1 for a value without sections
	section bool  // the value has sections

	slash   bool   // a pending backslash
	returns int    // the number of pending carriage returns
	escape  []byte // the pending beginning of a percent-encoded octet
	prefix  int    // the number of quotes of charset'language' still to come
	charset strings.Builder
	ascii   bool // only US-ASCII is allowed, because other octets would need conversion
}

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
	if err == io.EOF {
		v.finish()
		if v.values == 0 || v.reading && v.open() || v.prefix > 0 {
			return v.fault()
		}
	}
	if err != nil {
		return err
	}
	switch p {
	case pieceEquals:
		v.finish()
		if v.reading = v.name == v.want; v.reading {
			return v.begin()
		}
	case pieceValue:
		if v.reading {
			return v.decode(text)
		}
	}
	return nil
}

func (v *valueReader) fault() error { return fmt.Errorf("%w: parameter %s", ErrValue, v.want) }

// begin checks that this value or section may come next.
func (v *valueReader) begin() error {
	isSection := v.form == section || v.form == encodedSection
	if v.values > 0 && !(isSection && v.section) || isSection && v.number != v.values {
		return v.fault()
	}
	v.section = isSection
	if v.values == 0 && v.encoded() {
		v.prefix = 2
	}
	v.values++
	return nil
}

func (v *valueReader) encoded() bool { return v.form == encoded || v.form == encodedSection }

// finish writes the pending octets at the end of a value.
func (v *valueReader) finish() {
	if v.slash {
		v.slash = false
		v.put('\\')
	}
	for ; v.returns > 0; v.returns-- {
		v.put('\r')
	}
	v.out = append(v.out, v.escape...)
	v.escape = v.escape[:0]
}

// decode removes quoted-pairs and line breaks, as unfold does.
func (v *valueReader) decode(text []byte) error {
	if !v.quoted {
		for _, c := range text {
			v.put(c)
		}
		return v.check()
	}
	for _, c := range text {
		if v.slash {
			v.slash = false
			if class[c]&isTSpecial != 0 {
				v.put(c)
				continue
			}
			v.put('\\')
		}
		if class[c]&isStop == 0 && v.returns == 0 {
			v.put(c)
			continue
		}
		switch c {
		case '\\':
			v.returnsAreData()
			v.slash = true
		case '\r':
			v.returns++
		case '\n':
			v.returns = 0
		default:
			v.returnsAreData()
			v.put(c)
		}
	}
	return v.check()
}

func (v *valueReader) returnsAreData() {
	for ; v.returns > 0; v.returns-- {
		v.put('\r')
	}
}

// put handles an octet of a value.
func (v *valueReader) put(c byte) {
	switch {
	case v.prefix > 0:
		v.label(c)
	case !v.encoded() || c != '%' && len(v.escape) == 0:
		v.out = append(v.out, c)
	default:
		v.percent(c)
	}
}

// label handles an octet of the charset'language' before an encoded value (RFC 2231
// section 4).
func (v *valueReader) label(c byte) {
	if c != '\'' {
		if v.prefix == 2 && v.charset.Len() < maxWord {
			v.charset.WriteByte(c)
		}
		return
	}
	if v.prefix--; v.prefix == 0 {
		switch strings.ToLower(v.charset.String()) {
		case "", "us-ascii", "ascii", "utf-8", "utf8":
		default:
			v.ascii = true
		}
	}
}

// percent handles an octet of a possible escape.
func (v *valueReader) percent(c byte) {
	if _, ok := percent.Unhex(c); !ok && len(v.escape) > 0 {
		v.out = append(v.out, v.escape...)
		v.escape = v.escape[:0]
		v.put(c)
		return
	}
	if v.escape = append(v.escape, c); len(v.escape) == 3 {
		high, _ := percent.Unhex(v.escape[1])
		low, _ := percent.Unhex(v.escape[2])
		v.out = append(v.out, high<<4|low)
		v.escape = v.escape[:0]
	}
}

// check returns an error for octets that would need conversion.
func (v *valueReader) check() error {
	if !v.ascii {
		return nil
	}
	for _, c := range v.out {
		if c >= utf8.RuneSelf || c == '\x1b' { // ISO-2022-JP has escape sequences
			v.out = v.out[:0]
			return v.fault()
		}
	}
	return nil
}
