package param

import (
	"bufio"
	"bytes"
	"io"
)

// A walker goes through a field value of any length in one pass, without holding it. It
// forgives less than [Parse] does. So its users compare what it finds with what Parse
// finds in the beginning of each value.
type walker struct {
	src   *bufio.Reader
	used  int   // octets of src that belong to the last piece
	state state // of what comes next

	word   []byte // the token that was read last, as far as it can be a name
	ended  bool   // something follows it
	depth  int    // of comments
	hidden bool   // the next octet has a backslash before it

	// The parameter whose value is being read, or was read last.
	name   string // in lower case, without suffix
	number int32  // of a section
	form   form
	quoted bool
}

// A state says where in a field a walker is.
type state uint8

const (
	between  state = iota // names, white space and everything else outside values
	expected              // after "=", where a value begins
	comment
	strayed // a quoted-string that is not a value
	within  // a quoted-string that is a value
	bare    // a value without quotes
)

// A piece says what a walker has found.
type piece uint8

const (
	pieceText      piece = iota // anything else
	pieceBlank                  // white space
	pieceComment                // a part of a comment
	pieceWord                   // a part of a token outside of values
	pieceSemicolon              // between parameters
	pieceEquals                 // after the name of a parameter
	pieceQuote                  // before or after a value
	pieceValue                  // a part of a value, as given
)

const (
	walkBuffer = 32 << 10

	// maxWord is longer than any name that has a meaning.
	maxWord = 100

	// maxAhead is how far the walker looks for a known parameter.
	maxAhead = 64
)

func newWalker(r io.Reader) *walker { return &walker{src: bufio.NewReaderSize(r, walkBuffer)} }

// next returns the next piece. Its text is valid until the next call. At the end the
// error is io.EOF, or that of the source.
func (w *walker) next() (p piece, text []byte, err error) {
	w.src.Discard(w.used)
	w.used = 0
	if _, err := w.src.Peek(1); err != nil {
		return 0, nil, err
	}
	if w.state == bare {
		w.src.Peek(maxAhead) // for semicolonInURL
	}
	text, _ = w.src.Peek(w.src.Buffered())
	var n int
	switch w.state {
	case comment:
		p, n = pieceComment, w.inComment(text)
	case strayed, within:
		p, n = w.inQuotes(text)
	case bare:
		p, n = w.inBare(text)
	default:
		p, n = w.outside(text)
	}
	w.used = n
	return p, text[:n], nil
}

// open reports whether the end of the field would be within something.
func (w *walker) open() bool { return w.state == comment || w.state == strayed || w.state == within }

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
				w.state = between
				if w.name != "" && !w.ended {
					w.state = expected
				}
				return i + 1
			}
		}
	}
	return len(text)
}

func (w *walker) inQuotes(text []byte) (piece, int) {
	p := pieceValue
	if w.state == strayed {
		p = pieceText
	}
	i := 0
	for quote := -1; ; {
		if i == len(text) {
			return p, i
		}
		if w.hidden {
			w.hidden = false
			i++
			continue
		}
		if quote < i {
			if quote = bytes.IndexByte(text[i:], '"'); quote < 0 {
				quote = len(text)
			} else {
				quote += i
			}
		}
		slash := bytes.IndexByte(text[i:quote], '\\')
		if slash < 0 {
			i = quote
			break
		}
		w.hidden = true
		i += slash + 1
	}
	if i == 0 {
		w.endValue()
		return pieceQuote, 1
	}
	return p, i
}

func (w *walker) inBare(text []byte) (piece, int) {
	for i, c := range text {
		switch {
		case class[c]&isSpace != 0, c == '(', c == '"':
		case c != ';':
			continue
		case i == 0 && (w.name == "url" || w.name == "uri") && semicolonInURL(string(text[:min(len(text), maxAhead)]), 0):
			return pieceValue, 1
		}
		if i > 0 {
			return pieceValue, i
		}
		w.endValue()
		return w.outside(text)
	}
	return pieceValue, len(text)
}

func (w *walker) endValue() {
	w.state, w.word, w.ended = between, w.word[:0], true
}

// outside is next for places outside values, comments and quoted-strings.
func (w *walker) outside(text []byte) (piece, int) {
	c := text[0]
	switch {
	case class[c]&isSpace != 0:
		w.ended = w.ended || w.state == between
		return pieceBlank, 1 + prefixLen(text[1:], isSpace)
	case c == '(':
		w.ended = w.ended || w.state == between
		w.state, w.depth = comment, 1
		return pieceComment, 1
	case c == ';':
		w.endValue()
		return pieceSemicolon, 1
	case w.state == expected:
		w.quoted = c == '"'
		if w.quoted {
			w.state = within
			return pieceQuote, 1
		}
		w.state = bare
		return w.inBare(text)
	case c == '"':
		w.endValue()
		w.state = strayed
		return pieceQuote, 1
	case c == '=' && len(w.word) > 0:
		var name string
		name, w.number, w.form = splitName(string(w.word))
		w.name = lower(name)
		w.endValue()
		w.state, w.ended = expected, false
		return pieceEquals, 1
	case class[c]&isToken != 0:
		if w.ended {
			w.word, w.ended = w.word[:0], false
		}
		n := 1 + prefixLen(text[1:], isToken)
		w.word = append(w.word, text[:min(n, max(0, maxWord-len(w.word)))]...)
		return pieceWord, n
	}
	w.endValue()
	return pieceText, 1
}

// prefixLen returns how many octets of text are of a class.
func prefixLen(text []byte, of uint8) int {
	for i, c := range text {
		if class[c]&of == 0 {
			return i
		}
	}
	return len(text)
}
