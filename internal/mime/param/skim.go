package param

import (
	"bytes"
	"io"
	"slices"
)

// A Summary is a field value that [Skim] shortened.
type Summary struct {
	// Field is the shortened field value, for [Parse]. It has no comments and only
	// the beginnings of long values.
	Field string

	// Long has the names, in lower case, of the parameters whose values are cut in
	// Field. [NewValueReader] reads the whole of such a value.
	Long []string

	// Octets is the length of the value of the first of Long, as written in the
	// field.
	Octets int64

	// Cut is true if Field may lack parameters or have others than the field value:
	// if the value has a fault other than an unquoted URL, if it has too many
	// parameters, or if a long parameter occurs twice.
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
		s.drop, s.mark = false, s.out.Len()
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
		r.Cut = r.Cut || t.disorder || t.whole > 1 || t.whole > 0 && t.sections > 0
		if i == 0 {
			r.Octets = t.octets
		}
	}
	r.Long = slices.Clip(r.Long)
	return r
}
