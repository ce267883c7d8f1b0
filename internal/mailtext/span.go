package mailtext

import (
	"slices"
	"strings"
)

// attrPieces are pieces of the value of an attribute, in order.
type attrPieces struct {
	name  string
	value []int // where the pieces begin in the value, and where the last one ends
	text  []int // the same in the text
}

// Span returns the place of value[from:to] in the text, where value is the value of the
// attribute of that name. It reports false if the place is not known. It is known if from
// and to are the ends of the value, or beside an octet that is less than "0", and if
// the charset of the value is UTF-8 or has one octet for each of its characters there.
func (t *Token) Span(name string, from, to int) (start, end int64, ok bool) {
	p := &t.pieces
	if p.name != name {
		*p = attrPieces{name: name}
		p.read(t)
	}
	i, starts := slices.BinarySearch(p.value, from)
	j, ends := slices.BinarySearch(p.value, to)
	if !starts || !ends {
		return 0, 0, false
	}
	return t.Start + int64(p.text[i]), t.Start + int64(p.text[j]), true
}

// read reads the pieces from the tag of t. There are none if they do not make the value
// of the attribute.
func (p *attrPieces) read(t *Token) {
	value, _ := t.Attr(p.name)
	written, at := t.written(p.name)
	if t.chars == nil || strings.IndexByte(written, escape) >= 0 {
		return
	}
	var read strings.Builder
	for rest := written; rest != ""; {
		n := pieceLen(rest)
		p.value, p.text = append(p.value, read.Len()), append(p.text, at)
		piece := t.chars.text([]byte(rest[:n]))
		if rest[0] == '&' {
			read.WriteString(attrReference(piece, rest[n:]))
		} else {
			read.WriteString(attrValue(piece))
		}
		rest, at = rest[n:], at+n
	}
	p.value, p.text = append(p.value, read.Len()), append(p.text, at)
	if read.String() != value {
		p.value = nil
	}
}

// escape begins the escape sequences of ISO-2022-JP.
const escape = 0x1b

// pieceLen returns the length of the first piece of a value as written: a character
// reference, a line end, an octet less than "0", or what is before the next of these. In
// every supported charset such an octet is a character.
func pieceLen(s string) int {
	switch {
	case s[0] == '&':
		return referenceLen(s)
	case strings.HasPrefix(s, "\r\n"):
		return len("\r\n")
	}
	n := 1
	for s[0] >= '0' && n < len(s) && s[n] >= '0' {
		n++
	}
	return n
}

// written returns the value of an attribute as written, and where it is in the tag. An
// xlink:href is also an href, unless the tag has an href.
func (t *Token) written(name string) (value string, at int) {
	end := nameLen(t.tag)
	for {
		var key, v []byte
		if key, v, end = nextAttr(t.tag, end); len(key) == 0 {
			break
		}
		if isName(key, name) {
			return string(v), cap(t.tag) - cap(v) // v is a slice of the tag
		}
	}
	if name == "href" {
		return t.written("xlink:href")
	}
	return "", 0
}
