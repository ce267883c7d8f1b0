package mailtext

import (
	"bytes"
	"strings"
)

// A lexer cuts HTML that is in memory into the same pieces as the tokenizer of
// golang.org/x/net/html. It copies nothing.
type lexer struct {
	text []byte
	pos  int    // where the next piece begins
	raw  string // the element whose content begins there, if that is not markup; "" otherwise
	data bool   // raw is a script that is data

	limit    int // a comment of about that length or more is skipped, whatever its condition
	from, to int // the start and end of the last comment that Outlook shows
}

// A lexeme is a piece of HTML.
type lexeme struct {
	kind       lexemeKind
	start, end int
	name       []byte // the name of a tag, as written
}

// A lexemeKind says what a lexeme is.
type lexemeKind uint8

const (
	skippedLexeme lexemeKind = iota // a comment, a declaration, or the content of a raw element
	textLexeme
	dataLexeme // the content of a script that is data
	startLexeme
	endLexeme
)

// next sets l to the next piece. It reports false at the end of the text, and at a tag
// that the end of the text cuts (HTML section 13.2.5.8).
func (x *lexer) next(l *lexeme) bool {
	l.start, l.kind, l.name = x.pos, skippedLexeme, nil
	if x.raw != "" {
		if x.data {
			l.kind = dataLexeme
		}
		l.end = x.rawEnd()
		x.raw, x.data = "", false
		if l.end > x.pos {
			x.pos = l.end
			return true
		}
		l.kind = skippedLexeme
	}
	if x.pos == len(x.text) {
		return false
	}
	if x.text[x.pos] == '<' && x.pos+1 < len(x.text) {
		switch c := x.text[x.pos+1]; {
		case isLetter(c):
			l.kind = startLexeme
			return x.tag(l, x.pos+1)
		case c == '/' && x.pos+2 == len(x.text):
			l.kind = textLexeme
			x.skip(l, len(x.text))
			return true
		case c == '/' && isLetter(x.text[x.pos+2]):
			l.kind = endLexeme
			return x.tag(l, x.pos+2)
		case c == '!' && bytes.HasPrefix(x.text[x.pos:], []byte("<!--")):
			x.comment(l)
			return true
		case c == '/' || c == '!' || c == '?':
			x.skip(l, after(x.text, x.pos+2, '>'))
			return true
		}
	}
	l.kind = textLexeme
	x.skip(l, textEnd(x.text, x.pos+1))
	return true
}

// skip ends l at end.
func (x *lexer) skip(l *lexeme, end int) { x.pos, l.end = end, end }

// tag makes l the tag whose name begins at pos. It reports false if the tag does not end.
func (x *lexer) tag(l *lexeme, pos int) bool {
	end := pos
	for end < len(x.text) && !isBlank(x.text[end]) && x.text[end] != '/' && x.text[end] != '>' {
		end++
	}
	l.name = x.text[pos:end]
	if end = tagEnd(x.text, end); end < 0 {
		x.skip(l, len(x.text))
		return false
	}
	x.skip(l, end)
	if l.kind == startLexeme && len(l.name) >= len("xmp") {
		x.raw = rawName(l.name)
		x.data = x.raw == "script" && isDataTag(string(x.text[l.start:l.end]))
	}
	return true
}

// isDataTag reports whether the start tag of a script is that of JSON-LD.
func isDataTag(tag string) bool {
	for key, value, end := nextAttr(tag, len("<script")); key != ""; key, value, end = nextAttr(tag, end) {
		if strings.EqualFold(key, "type") {
			return isDataType(attrValue(value))
		}
	}
	return false
}

// rawEnd returns where the content of the element x.raw ends. It begins at the position.
func (x *lexer) rawEnd() int { return rawEnd(x.text, x.pos, x.raw) }

// escapesScript reports whether the content of a script begins at the position and
// contains a comment. Such a script ends by rules that a lexer does not have (HTML section
// 13.2.5.17 and the sections after it).
func (x *lexer) escapesScript() bool {
	return x.raw == "script" && bytes.Contains(x.text[x.pos:x.rawEnd()], []byte("<!--"))
}

// textEnd returns where a text ends that contains pos: at the next tag, comment or
// declaration.
func textEnd(text []byte, pos int) int {
	for {
		n := bytes.IndexByte(text[min(pos, len(text)):], '<')
		if n < 0 || pos+n+1 == len(text) {
			return len(text)
		}
		pos += n + 1
		if c := text[pos]; isLetter(c) || c == '/' || c == '!' || c == '?' {
			return pos - 1
		}
	}
}

// after returns the index after the first c in text[pos:], or the length of text.
func after(text []byte, pos int, c byte) int {
	if n := bytes.IndexByte(text[pos:], c); n >= 0 {
		return pos + n + 1
	}
	return len(text)
}

// commentEnd returns where the comment ends whose content begins at pos (HTML section
// 13.2.5.43 and the sections after it).
func commentEnd(text []byte, pos int) int {
	first := pos
	for first < len(text) && text[first] == '-' {
		first++
	}
	if first < len(text) && text[first] == '>' {
		return first + 1
	}
	for {
		n := bytes.Index(text[pos:], []byte("--"))
		if n < 0 {
			return len(text)
		}
		pos += n
		switch rest := text[pos+2:]; {
		case len(rest) > 0 && rest[0] == '>':
			return pos + len("-->")
		case len(rest) > 1 && rest[0] == '!' && rest[1] == '>':
			return pos + len("--!>")
		}
		pos++
	}
}

// tagEnd returns where the tag ends whose name ends at pos, or -1 if it does not end
// (HTML section 13.2.5.32 and the sections after it).
func tagEnd(text []byte, pos int) int {
	for pos < len(text) {
		switch c := text[pos]; {
		case c == '>':
			return pos + 1
		case isBlank(c) || c == '/':
			pos++
			continue
		}
		for pos++; pos < len(text) && !endsKey[text[pos]]; pos++ {
		}
		for pos < len(text) && isBlank(text[pos]) {
			pos++
		}
		if pos == len(text) || text[pos] != '=' {
			continue
		}
		for pos++; pos < len(text) && isBlank(text[pos]); pos++ {
		}
		if pos == len(text) {
			return -1
		}
		switch c := text[pos]; c {
		case '>':
		case '"', '\'':
			n := bytes.IndexByte(text[pos+1:], c)
			if n < 0 {
				return -1
			}
			pos += n + 2
		default:
			for pos < len(text) && text[pos] != '>' && !isBlank(text[pos]) {
				pos++
			}
		}
	}
	return -1
}

// endsKey has the octets before which the name of an attribute ends.
var endsKey = [256]bool{' ': true, '\n': true, '\r': true, '\t': true, '\f': true, '/': true, '>': true, '=': true}

// rawName returns name in lower case if the content of that element is not markup, and ""
// otherwise.
func rawName(name []byte) string {
	for _, raw := range rawElements {
		if isName(name, raw) {
			return raw
		}
	}
	return ""
}

// rawElements are the elements whose content is not markup.
var rawElements = [...]string{"style", "script", "title", "xmp", "iframe", "noembed", "noframes", "plaintext", "textarea"}

// isName reports whether name and want are equal without regard to the case of letters.
// want is in lower case.
func isName(name []byte, want string) bool {
	if len(name) != len(want) {
		return false
	}
	for i, c := range name {
		if c != want[i] && (c|0x20 != want[i] || !isLetter(c)) {
			return false
		}
	}
	return true
}

// rawEnd returns where the content of an element ends: at its end tag (HTML section
// 13.2.5.11 and the sections after it), or at the end of text. name is the name of the
// element, and its content begins at pos.
func rawEnd(text []byte, pos int, name string) int {
	for name != "plaintext" {
		n := bytes.Index(text[pos:], []byte("</"))
		if n < 0 {
			break
		}
		pos += n
		rest := text[pos+len("</"):]
		if len(rest) <= len(name) {
			break
		}
		if c := rest[len(name)]; isName(rest[:len(name)], name) && (isBlank(c) || c == '/' || c == '>') {
			return pos
		}
		pos += len("</")
	}
	return len(text)
}
