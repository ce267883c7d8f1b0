package param

import (
	"bufio"
	"bytes"
	"io"
)

// A walker splits a field value of any length into pieces, in one pass and in
// constant memory. It knows the grammar of RFC 2045, and the unquoted URLs and the words
// behind a value that [Parse] forgives. Anything else is odd: Parse may then find other parameters.
type walker struct {
	src    *bufio.Reader
	used   int // octets of src that belong to the last piece
	state  state
	depth  int  // of comments
	hidden bool // the next octet follows a backslash
	odd    bool

	word  []byte // the name of the parameter that comes next, up to maxWord octets
	apart bool   // white space or a comment follows word, "=" or the value

	// The current parameter, or the last one.
	name   string // in lower case, without suffix
	number int32  // of a section
	form   form
	quoted bool
	token  bool // the value without quotes is a token so far
}

// A state is the syntactic context of a walker, outside of comments.
type state uint8

const (
	stateType     state = iota // before the first semicolon
	stateName                  // after a semicolon
	stateValue                 // after "=", where a value starts
	stateQuoted                // in a quoted-string
	stateUnquoted              // in a value without quotes
	stateAfter                 // after a value
)

// A piece is the kind of a piece of a field value.
type piece uint8

const (
	pieceText      piece = iota // anything else
	pieceBlank                  // white space
	pieceComment                // a part of a comment
	pieceSemicolon              // between parameters
	pieceEquals                 // after the name of a parameter
	pieceValue                  // a part of a value, as written, without quotes
)

const (
	walkBuffer = 32 << 10

	// maxWord is longer than any name that has a meaning.
	maxWord = 100

	// maxAhead is how many octets the walker looks ahead for a known parameter, and maxStray for the end of a word
	// behind a value.
	maxAhead = 64
	maxStray = 1 << 10
)

func newWalker(r io.Reader) *walker { return &walker{src: bufio.NewReaderSize(r, walkBuffer)} }

// next returns the next piece. Its text is valid until the next call. The error is
// io.EOF at the end, or the error of the source.
func (w *walker) next() (p piece, text []byte, err error) {
	w.src.Discard(w.used)
	w.used = 0
	if _, err := w.src.Peek(1); err != nil {
		isOpen := w.depth > 0 || w.state == stateQuoted
		w.odd = w.odd || isOpen || w.inName()
		return 0, nil, err
	}
	switch w.state {
	case stateUnquoted:
		w.src.Peek(maxAhead) // for semicolonInURL
	case stateAfter:
		w.src.Peek(maxStray) // for stray
	}
	text, _ = w.src.Peek(w.src.Buffered())
	var n int
	switch {
	case w.depth > 0:
		p = pieceComment
		n = w.inComment(text)
	case w.state == stateQuoted:
		p, n = w.inQuotes(text)
	case w.state == stateUnquoted:
		p, n = w.inBare(text)
	default:
		p, n = w.outside(text)
	}
	w.used = n
	return p, text[:n], nil
}

// inName reports whether a name has begun that "=" has not ended.
func (w *walker) inName() bool { return w.state == stateName && len(w.word) > 0 }

func (w *walker) inComment(text []byte) int {
	for i, c := range text {
		switch {
		case w.hidden:
			w.hidden = false
		case c == '\\':
			w.hidden = true
		case c == '(':
			w.depth++
		case c == ')':
			if w.depth--; w.depth == 0 {
				return i + 1
			}
		}
	}
	return len(text)
}

func (w *walker) inQuotes(text []byte) (piece, int) {
	for i := 0; i < len(text); i++ {
		if w.hidden {
			w.hidden = false
			continue
		}
		n := bytes.IndexAny(text[i:], `"\`)
		if n < 0 {
			break
		}
		i += n
		if text[i] == '\\' {
			w.hidden = true
		} else if i > 0 {
			return pieceValue, i
		} else {
			w.state = stateAfter
			w.apart = false
			return pieceText, 1
		}
	}
	return pieceValue, len(text)
}

func (w *walker) inBare(text []byte) (piece, int) {
	for i, c := range text {
		switch {
		case class[c]&isSpace != 0, c == '(', c == '"':
		case c != ';':
			w.odd = w.odd || class[c]&(isControl|isHigh) != 0
			w.token = w.token && class[c]&isToken != 0
			continue
		case i == 0 && !w.token && isURL(w.name):
			ahead := string(text[:min(len(text), maxAhead)])
			if semicolonInURL(ahead, 0) {
				// The name of a parameter may be longer than ahead with its blanks.
				w.odd = w.odd || len(ahead) == maxAhead && class[ahead[maxAhead-1]]&isSpace != 0
				return pieceValue, 1
			}
		}
		if i > 0 {
			return pieceValue, i
		}
		w.state = stateAfter
		w.apart = false
		return pieceText, 0
	}
	return pieceValue, len(text)
}

// stray returns the length of the word at the start of text, directly behind a value, such as the quote in x=y"; z=1.
// It returns 0 if the word is not all there or if Parse may find something else in it.
func (w *walker) stray(text []byte) int {
	all, err := w.src.Peek(maxStray)
	ended := err == io.EOF
	p := parser{s: string(all), v: new(Value)}
	if p.attribute() {
		return 0
	}
	p.stray()
	goesOn := p.unclosed || p.pos == len(all)
	if !ended && goesOn || p.pos < len(all) && all[p.pos] != ';' {
		return 0
	}
	// A comment with a quote counts for Parse, and is not in the Field of a Summary.
	if last := bytes.LastIndexByte(all[:p.pos], '"'); last >= 0 {
		if next := bytes.IndexByte(all[last+1:], '"'); next >= 0 && bytes.IndexByte(all[last:last+1+next], '(') >= 0 {
			return 0
		}
	}
	return min(p.pos, len(text))
}

// outside is next outside values and comments.
func (w *walker) outside(text []byte) (piece, int) {
	c := text[0]
	switch {
	case class[c]&isSpace != 0:
		w.part()
		return pieceBlank, prefixLen(text, isSpace)
	case c == '(':
		w.part()
		w.depth = 1
		return pieceComment, 1
	case c == ';':
		w.odd = w.odd || w.inName()
		w.state = stateName
		w.word = w.word[:0]
		w.apart = false
		return pieceSemicolon, 1
	case w.state == stateValue:
		w.quoted = c == '"'
		if w.quoted {
			w.state = stateQuoted
			return pieceText, 1
		}
		w.odd = w.odd || w.apart || c == '='
		w.state = stateUnquoted
		w.token = true
		return w.inBare(text)
	case c == '=' && w.inName():
		var name string
		name, w.number, w.form = splitName(string(w.word))
		w.name = lower(name)
		w.state = stateValue
		w.word = w.word[:0]
		w.apart = false
		return pieceEquals, 1
	case w.state == stateName && class[c]&isToken != 0:
		n := prefixLen(text, isToken)
		w.odd = w.odd || w.apart || len(w.word)+n > maxWord
		w.word = append(w.word, text[:min(n, maxWord-len(w.word))]...)
		return pieceText, n
	}
	if w.state == stateAfter && !w.apart {
		if n := w.stray(text); n > 0 {
			return pieceText, n
		}
	}
	isOdd := c == '"' || c == '=' || class[c]&(isControl|isHigh) != 0
	w.odd = w.odd || isOdd || w.state != stateType
	return pieceText, 1
}

// part records white space or a comment behind "=", a value or a word.
func (w *walker) part() {
	if w.state == stateValue || w.state == stateAfter || len(w.word) > 0 {
		w.apart = true
	}
}

// prefixLen returns the number of octets at the start of text that are of a
// class.
func prefixLen(text []byte, of uint8) int {
	for i, c := range text {
		if class[c]&of == 0 {
			return i
		}
	}
	return len(text)
}
