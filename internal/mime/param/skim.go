package param

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-extbody/extbody/internal/codec/percent"
)

// A Summary is a field value that [Skim] shortened.
type Summary struct {
	// Field is the shortened field value, for [Parse]. It has no comments and only
	// the starts of long values.
	Field string

	// Long has the names, in lower case, of the parameters whose values are cut in
	// Field. [NewValueReader] reads the whole of such a value.
	Long []string

	// Octets is the length of the value of the first of Long, as written in the
	// field.
	Octets int64

	// Cut is true if Field may lack parameters or have others than the field value:
	// if the value has a fault other than an unquoted URL and a word behind a value, such
	// as the quote in x=y"; z=1, if it has too many parameters, or if a long parameter
	// occurs twice.
	Cut bool
}

const (
	// maxSkimmed bounds a Field apart from its long values.
	maxSkimmed = 256 << 10

	// maxBlank bounds the white space that is kept.
	maxBlank = 1 << 10
)

// Skim reads a field value that may be too long to hold. It keeps at most the first
// keep octets of each value. keep must be more than 0. For an RFC 2231 parameter, it
// counts all sections together. The sections of a longer parameter must be in order.
//
// Skim returns the errors of r.
func Skim(r io.Reader, keep int64) (*Summary, error) {
	s := skimmer{walker: newWalker(r), keep: keep, tallies: make(map[string]*tally)}
	for {
		p, text, err := s.walker.next()
		if err == io.EOF {
			return s.result(), nil
		}
		if err != nil {
			return nil, err
		}
		if s.add(p, text); s.out.Len() > maxSkimmed+int(keep) {
			s.cut = true
			return s.result(), nil
		}
	}
}

// A skimmer is the state of one Skim.
type skimmer struct {
	*walker
	keep    int64
	out     bytes.Buffer
	blank   int  // octets of white space at the end of out
	mark    int  // the index in out of the last semicolon
	drop    bool // the section is omitted
	tallies map[string]*tally
	long    []string
	cut     bool
}

// A tally counts the values and sections of a parameter.
type tally struct {
	octets   int64 // of its values
	whole    int   // values that are not sections
	sections int32 // the number of the next section
	disorder bool  // a section was out of order
	long     bool
}

func (s *skimmer) add(p piece, text []byte) {
	if p != pieceBlank {
		s.blank = 0
	}
	switch p {
	case pieceBlank:
		text = text[:min(len(text), max(0, maxBlank-s.blank))]
		s.blank += len(text)
	case pieceComment:
		text = []byte(" ")
	case pieceSemicolon:
		s.drop = false
		s.mark = s.out.Len()
	case pieceEquals:
		s.parameter()
	case pieceValue:
		s.value(text)
		return
	}
	if !s.drop {
		s.out.Write(text)
	}
}

// parameter counts the parameter whose value comes next.
func (s *skimmer) parameter() {
	t := s.tallies[s.name]
	if t == nil {
		t = &tally{}
		s.tallies[s.name] = t
	}
	if s.form != section && s.form != encodedSection {
		t.whole++
		return
	}
	t.disorder = t.disorder || s.number != t.sections
	t.sections++
	if t.octets >= s.keep {
		s.drop = true
		s.out.Truncate(s.mark)
		s.addLong(t)
	}
}

// addLong records that the value is not kept as a whole.
func (s *skimmer) addLong(t *tally) {
	if !t.long {
		t.long = true
		s.long = append(s.long, s.name)
	}
}

// value writes a piece of a value, as far as keep allows.
func (s *skimmer) value(text []byte) {
	t := s.tallies[s.name]
	room := max(0, s.keep-t.octets)
	t.octets += int64(len(text))
	if !s.drop && room >= int64(len(text)) {
		s.out.Write(text)
		return
	}
	s.addLong(t)
	if s.drop || room == 0 && t.octets > s.keep+int64(len(text)) {
		return
	}
	s.out.Write(text[:min(room, int64(len(text)))])
	s.trim()
}

// trim removes an incomplete escape at the end of a value that was cut.
func (s *skimmer) trim() {
	b := s.out.Bytes()
	kept := bytes.TrimRight(b, "\\ \t\r\n")
	if s.form == encoded || s.form == encodedSection {
		if i := bytes.LastIndexByte(kept, '%'); i >= len(kept)-2 && i >= 0 {
			kept = kept[:i]
		}
	}
	s.out.Truncate(len(kept))
}

func (s *skimmer) result() *Summary {
	r := &Summary{Field: s.out.String(), Long: s.long, Cut: s.cut || s.odd}
	for i, name := range s.long {
		t := s.tallies[name]
		isRepeated := t.whole > 1 || t.whole > 0 && t.sections > 0
		r.Cut = r.Cut || t.disorder || isRepeated
		if i == 0 {
			r.Octets = t.octets
		}
	}
	r.Long = slices.Clip(r.Long)
	return r
}

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
	return &valueReader{walker: newWalker(r), want: name, parser: parser{v: new(Value), name: name}}
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

	raw  []byte // the start of a quoted-pair or of a line end
	text string // the start of a label or of a percent-encoded octet
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
	v.reading = err == nil && v.name == v.want
	if v.reading {
		return v.begin()
	}
	return err
}

func (v *valueReader) fault() error { return fmt.Errorf("%w: parameter %s", ErrValue, v.want) }

// begin checks that this value or section may come next.
func (v *valueReader) begin() error {
	isSection := v.form == section || v.form == encodedSection
	isRepeated := v.values > 0 && !(isSection && v.section)
	isMissing := isSection && v.number != v.values
	if isRepeated || isMissing {
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
		charset, language, rest, ok := cutCharset(text)
		isMissing := last && !ok
		isOther := ok && !isCharset(charset, language)
		if isMissing || isOther || len(text)-len(rest) > maxLabel {
			return v.fault()
		}
		if !ok {
			v.text = text
			return nil
		}
		text = rest
		v.label = false
		switch strings.ToLower(charset) {
		case "", "us-ascii", "ascii", "utf-8", "utf8":
		default:
			v.ascii = true
		}
	}
	if i := strings.LastIndexByte(text, '%'); !last && i >= 0 && i >= len(text)-2 {
		v.text = text[i:]
		text = text[:i]
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
