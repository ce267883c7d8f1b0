package mailtext

import (
	"bytes"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/go-extbody/extbody/internal/codec/ascii"
	"github.com/go-extbody/extbody/internal/codec/multimatch"
)

// endsKey has the octets before which the name of an attribute ends.
var endsKey = [256]bool{' ': true, '\n': true, '\r': true, '\t': true, '\f': true, '/': true, '>': true, '=': true}

// lineEnds replaces each line end by LF (HTML section 13.2.3.5).
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// A Token is a piece of a text. It is valid until the next call of emit.
type Token struct {
	Kind TokenKind

	// Name is the name of a tag, in lower case. Of a ContentToken it is the element, "style" or
	// "script".
	Name string

	// Attrs are the attributes of a start tag in order. Of several attributes with
	// the same name, it has only the first.
	Attrs []Attr

	// Text is the text in UTF-8, with the character references of HTML decoded except
	// in a DataToken and a ContentToken. For a LinkToken or URLToken it is the URL. If the URL is in angle
	// brackets, line ends and quote marks within it are removed. A ContentToken that
	// overlaps too many others has none.
	Text string

	// Longer is for a URLToken at the end of a line of text/plain. It is the URL
	// joined with the lines after it, or "" if these cannot belong to it. Wrapped is
	// true if Longer is more likely the intended URL than Text, and Certain if the
	// format of the text or angle brackets say so. LongerEnd is the end of Longer in
	// the text.
	Longer           string
	Wrapped, Certain bool
	LongerEnd        int64

	// Start and End are the offsets of the token in the text, in octets. If a
	// URLToken of HTML has character references other than "&amp;", it and later
	// URLTokens in the same TextToken have the Start and End of the TextToken.
	Start, End int64

	// Quoted is true if the token is in a quoted or forwarded message.
	Quoted bool

	// Ambiguous is true if programs read the text there in several ways. Some
	// programs may not have the token. A link that starts in one of several readings
	// ends, at the latest, where only one reading is left.
	Ambiguous bool

	// Foreign is true if a start tag may be in an svg, math or select element, or starts one.
	Foreign bool

	tag    []byte       // a start tag as written
	raw    []byte       // a text as written
	chars  *textDecoder // of the text
	pieces attrPieces   // of the value for which Span was called last
}

// An Attr is an attribute of a tag: its name in lower case, and its value without
// character references and in UTF-8.
type Attr struct{ Name, Value string }

// A TokenKind is the kind of a Token.
type TokenKind uint8

const (
	StartTagToken TokenKind = iota // a start tag, self-closing or not
	EndTagToken                    // an end tag
	TextToken                      // text between tags; one line of text/plain, with its line end
	LinkToken                      // a URL in angle brackets in text/plain, before the line in which it starts
	URLToken                       // an http or https URL in a text, before the TextToken in which it starts
	EndToken                       // the end of the text
	DataToken                      // the content of a script of type application/ld+json, up to its end tag
	ContentToken                   // the content of a style element or of another script, or a piece of it
)

// Attr returns the value of an attribute. name must be in lower case. It reports
// false if there is no such attribute.
func (t *Token) Attr(name string) (string, bool) {
	for _, a := range t.Attrs {
		if a.Name == name {
			return a.Value, true
		}
	}
	return "", false
}

// afterName returns the end of the name of a tag that starts at pos.
func afterName(text []byte, pos int) int {
	for pos < len(text) && !endsName(text[pos]) {
		pos++
	}
	return pos
}

// endsName reports whether the name of a tag ends before c (HTML section 13.2.5.8).
func endsName(c byte) bool { return isBlank(c) || c == '/' || c == '>' }

// nextAttr returns the first attribute in tag[pos:], and the start of the rest. The key
// is empty before the ">" of the tag, or where the text ends without one
// (HTML section 13.2.5.32 and the sections after it).
func nextAttr(tag []byte, pos int) (key, value []byte, next int) {
	for pos < len(tag) && (isBlank(tag[pos]) || tag[pos] == '/') {
		pos++
	}
	if pos == len(tag) || tag[pos] == '>' {
		return nil, nil, pos
	}
	start := pos
	for pos++; pos < len(tag) && !endsKey[tag[pos]]; pos++ {
	}
	key = tag[start:pos]
	next = skipBlanks(tag, pos)
	if next == len(tag) || tag[next] != '=' {
		return key, nil, next
	}
	next = skipBlanks(tag, next+1)
	if next == len(tag) || tag[next] == '>' {
		return key, nil, next
	}
	start = next
	if quote := tag[next]; quote == '"' || quote == '\'' {
		n := bytes.IndexByte(tag[start+1:], quote)
		if n < 0 {
			return nil, nil, len(tag)
		}
		next += n + 2
		return key, tag[start+1 : next-1], next
	}
	for next < len(tag) && !isBlank(tag[next]) && tag[next] != '>' {
		next++
	}
	return key, tag[start:next], next
}

func skipBlanks(s []byte, pos int) int {
	for pos < len(s) && isBlank(s[pos]) {
		pos++
	}
	return pos
}

// tagName normalizes the name of a tag or an attribute: in lower case and without NUL
// (HTML section 13.2.5.8).
func tagName(s string) string {
	if strings.ContainsFunc(s, func(c rune) bool { return 'A' <= c && c <= 'Z' || c == 0 }) {
		return multimatch.Lower(strings.ReplaceAll(s, "\x00", "\uFFFD"))
	}
	return s
}

// attrValue returns the value of an attribute, with character references decoded and line
// ends replaced by LF. s is the value as written.
func attrValue(s string) string {
	if strings.IndexByte(s, 0) >= 0 {
		s = strings.ReplaceAll(s, "\x00", "\uFFFD")
	}
	if strings.IndexByte(s, '\r') >= 0 {
		s = lineEnds.Replace(s)
	}
	if strings.IndexByte(s, '&') < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for {
		i := strings.IndexByte(s, '&')
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:i])
		s = s[i:]
		n := referenceLen(s)
		b.WriteString(attrReference(s[:n], s[n:]))
		s = s[n:]
	}
}

// referenceLen returns the length of a possible character reference at the start
// of s, which is "&".
func referenceLen(s string) int {
	n := 1
	if n < len(s) && s[n] == '#' {
		n++
	}
	for n < len(s) && ascii.IsAlphanumeric(s[n]) {
		n++
	}
	if n < len(s) && s[n] == ';' {
		n++
	}
	return n
}

// attrReference decodes ref, which is in the value of an attribute. It returns ref
// itself if ref is not a character reference. A named reference without a semicolon
// must be all of ref, and no "=" may follow it in rest. So a query such as
// "?a=1&copy=2" does not change (HTML section 13.2.5.73).
func attrReference(ref, rest string) string {
	text := html.UnescapeString(ref)
	if len(ref) < 2 || ref[1] == '#' || text == ref {
		return text
	}
	if ref[len(ref)-1] == ';' {
		if text == ";" || text[len(text)-1] != ';' {
			return text
		}
		return ref // only its start is the name of a reference
	}
	if strings.HasPrefix(rest, "=") || ascii.IsAlphanumeric(text[len(text)-1]) {
		return ref
	}
	return text
}

// AsWritten reports whether Text is made of the octets from Start to End as they are in
// the text. Character references and other charsets change octets, and so do line ends
// that are removed from a URL.
func (t *Token) AsWritten() bool { return t.raw != nil && string(t.raw) == t.Text }

// attrPieces are pieces of the value of an attribute, in order.
type attrPieces struct {
	name  string
	value []int // where the pieces start in the value, and where the last one ends
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
		p.value = append(p.value, read.Len())
		p.text = append(p.text, at)
		piece := t.chars.text([]byte(rest[:n]))
		if rest[0] == '&' {
			read.WriteString(attrReference(piece, rest[n:]))
		} else {
			read.WriteString(attrValue(piece))
		}
		rest = rest[n:]
		at += n
	}
	p.value = append(p.value, read.Len())
	p.text = append(p.text, at)
	if read.String() != value {
		p.value = nil
	}
}

// escape starts the escape sequences of ISO-2022-JP.
const escape = 0x1b

// pieceLen returns the length of the first piece of a value as written: a character
// reference, a line end, an octet less than "0", or the octets before the next of these. In
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
	end := afterName(t.tag, len("<"))
	for {
		var key, v []byte
		key, v, end = nextAttr(t.tag, end)
		if len(key) == 0 {
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

// isBlank reports whether c is white space in a tag.
func isBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' }

// isName reports whether name and want are equal, ignoring the case of letters. want
// must be in lower case.
func isName(name []byte, want string) bool {
	if len(name) != len(want) {
		return false
	}
	for i, c := range name {
		if c != want[i] && (c|0x20 != want[i] || !ascii.IsLetter(c)) {
			return false
		}
	}
	return true
}
