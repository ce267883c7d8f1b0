package param

import (
	"bufio"
	"bytes"
	"io"
)

// A walker splits a field value of any length into pieces, in one pass and in
// constant memory. It forgives less than [Parse]. So its users compare its result
// with the result of Parse for the beginning of each value.
type walker struct {
	src   *bufio.Reader
	used  int   // octets of src that belong to the last piece
	state state // at the next octet

	word   []byte // the last token, up to maxWord octets
	ended  bool   // something follows the token
	depth  int    // of comments
	hidden bool   // the next octet follows a backslash

	// The current parameter, or the last one.
	name   string // in lower case, without suffix
	number int32  // of a section
	form   form
	quoted bool
}

// A state is the syntactic context of a walker.
type state uint8

const (
	stateOutside    state = iota // in names, white space and everything else outside values
	stateValueStart              // after "=", where a value begins
	stateComment
	stateStrayQuote // in a quoted-string that is not a value
	stateQuoted     // in a quoted-string that is a value
	stateUnquoted   // in a value without quotes
)

// A piece is the kind of a piece of a field value.
type piece uint8

const (
	pieceText      piece = iota // anything else
	pieceBlank                  // white space
	pieceComment                // a part of a comment
	pieceWord                   // a part of a token outside of values
	pieceSemicolon              // between parameters
	pieceEquals                 // after the name of a parameter
	pieceQuote                  // before or after a value
	pieceValue                  // a part of a value, as written
)

const (
	walkBuffer = 32 << 10

	// maxWord is longer than any name that has a meaning.
	maxWord = 100

	// maxAhead is how many octets the walker looks ahead for a known parameter.
	maxAhead = 64
)

func newWalker(r io.Reader) *walker { return &walker{src: bufio.NewReaderSize(r, walkBuffer)} }

// next returns the next piece. Its text is valid until the next call. The error is
// io.EOF at the end, or the error of the source.
func (w *walker) next() (p piece, text []byte, err error) {
	w.src.Discard(w.used)
	w.used = 0
	if _, err := w.src.Peek(1); err != nil {
		return 0, nil, err
	}
	if w.state == stateUnquoted {
		w.src.Peek(maxAhead) // for semicolonInURL
	}
	text, _ = w.src.Peek(w.src.Buffered())
	var n int
	switch w.state {
	case stateComment:
		p, n = pieceComment, w.inComment(text)
	case stateStrayQuote, stateQuoted:
		p, n = w.inQuotes(text)
	case stateUnquoted:
		p, n = w.inBare(text)
	default:
		p, n = w.outside(text)
	}
	w.used = n
	return p, text[:n], nil
}

// open reports whether a comment or a quoted-string is not yet closed.
func (w *walker) open() bool {
	return w.state == stateComment || w.state == stateStrayQuote || w.state == stateQuoted
}

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
				w.state = stateOutside
				if w.name != "" && !w.ended {
					w.state = stateValueStart
				}
				return i + 1
			}
		}
	}
	return len(text)
}

func (w *walker) inQuotes(text []byte) (piece, int) {
	p := pieceValue
	if w.state == stateStrayQuote {
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
	w.state, w.word, w.ended = stateOutside, w.word[:0], true
}

// outside is next outside values, comments and quoted-strings.
func (w *walker) outside(text []byte) (piece, int) {
	c := text[0]
	switch {
	case class[c]&isSpace != 0:
		w.ended = w.ended || w.state == stateOutside
		return pieceBlank, 1 + prefixLen(text[1:], isSpace)
	case c == '(':
		w.ended = w.ended || w.state == stateOutside
		w.state, w.depth = stateComment, 1
		return pieceComment, 1
	case c == ';':
		w.endValue()
		return pieceSemicolon, 1
	case w.state == stateValueStart:
		w.quoted = c == '"'
		if w.quoted {
			w.state = stateQuoted
			return pieceQuote, 1
		}
		w.state = stateUnquoted
		return w.inBare(text)
	case c == '"':
		w.endValue()
		w.state = stateStrayQuote
		return pieceQuote, 1
	case c == '=' && len(w.word) > 0:
		var name string
		name, w.number, w.form = splitName(string(w.word))
		w.name = lower(name)
		w.endValue()
		w.state, w.ended = stateValueStart, false
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

// prefixLen returns the number of octets at the beginning of text that are of a
// class.
func prefixLen(text []byte, of uint8) int {
	for i, c := range text {
		if class[c]&of == 0 {
			return i
		}
	}
	return len(text)
}
