package mailtext

import (
	"bytes"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/internal/codec/ascii"
)

// A lexer splits HTML into pieces by the tokenization of the HTML Standard, section
// 13.2.5. It does not copy the text.
//
// After some tags, the state of the tokenizer depends on the tree so far, but the
// lexer does not build a tree; see foreign. In svg and math, the content of a style element is
// markup, and CDATA sections exist. In a select element, engines disagree. A noscript
// element is text where scripts run. A comment with a condition is markup for
// Outlook. In all these cases the lexer follows both readings, and returns the pieces
// of all readings in the order in which they start. So the pieces include each tag of
// the tree, and possibly others.
//
// The time is linear in the length of the text. Equal readings at the same place
// become one. So each place has at most as many readings as the tokenizer has states,
// and the end of an element or a comment is searched for once.
type lexer struct {
	text []byte
	lexState
	marks [markCount]mark
	given int // octets of data scripts and CDATA sections that were returned
}

// A lexState is the state of a lexer that changes from piece to piece. A copy of it
// needs a clone of more.
type lexState struct {
	reading
	more    []reading // the other readings, in order; all start after reading or with other content
	covered int       // the end of the last text
	foreign foreign
}

// A reading is a place from which a text is read.
type reading struct {
	pos int
	raw rawKind // the element whose content starts at pos, or markup
}

// A rawKind is an element whose content is not markup, or a state of the tokenizer in a
// script (HTML sections 13.2.5.4 and 13.2.5.17 and the sections after them).
type rawKind uint8

const (
	markup rawKind = iota
	rawStyle
	rawTitle
	rawXMP
	rawIframe
	rawNoembed
	rawNoframes
	rawPlaintext
	rawTextarea
	rawNoscript
	rawScript
	rawData    // a script that is data
	rawEscaped // in a comment of a script
	rawDouble  // in a script element in such a comment
)

// rawElements are the names of the elements up to rawScript.
var rawElements = [...]string{
	"", "style", "title", "xmp", "iframe", "noembed", "noframes", "plaintext", "textarea", "noscript", "script",
}

// A mark is the outcome of a search: at is the first place at or after from.
type mark struct{ from, at int }

// The marks up to rawScript are end tags.
const (
	markScript       = int(rawScript) + 1 + iota // "<script" in a script
	markOpenComment                              // "<!--"
	markCloseComment                             // "-->"
	markBangComment                              // "--!>"
	markCDATA                                    // "]]>"
	markCount
)

// markTexts are the texts of the marks from markScript on.
var markTexts = [...]string{"<script", "<!--", "-->", "--!>", "]]>"}

// A lexeme is a piece of HTML.
type lexeme struct {
	kind       lexemeKind
	start, end int
	name       []byte // the name of a tag, as written
	element    string // of a contentLexeme, in lower case
	withheld   bool   // a contentLexeme overlaps too many others to be read
	foreign    bool   // a tag may be in an svg, math or select element, or starts one
}

type lexemeKind uint8

const (
	skippedLexeme lexemeKind = iota // a comment, a declaration, or the content of a raw element
	textLexeme
	dataLexeme    // the content of a script that is data
	contentLexeme // the content of a style element or of another script, or a piece of it
	startLexeme
	endLexeme
)

// next sets l to the next piece. It reports false at the end of the text.
func (x *lexer) next(l *lexeme) bool {
	for x.choose() {
		*l = lexeme{start: x.pos}
		if x.raw != markup {
			if x.skipRaw(l); l.end == l.start {
				continue
			}
			return true
		}
		if x.text[x.pos] != '<' || x.pos+1 == len(x.text) {
			x.cutText(l)
			return true
		}
		switch c := x.text[x.pos+1]; {
		case ascii.IsLetter(c):
			l.kind = startLexeme
			if !x.tag(l, x.pos+1) {
				continue
			}
		case c == '/' && x.pos+2 == len(x.text):
			l.kind = textLexeme
			x.skip(l, len(x.text))
		case c == '/' && ascii.IsLetter(x.text[x.pos+2]):
			l.kind = endLexeme
			if !x.tag(l, x.pos+2) {
				continue
			}
		case c == '!' && bytes.HasPrefix(x.text[x.pos:], []byte("<!--")):
			x.comment(l)
		case c == '!' && x.foreign.inside() && bytes.HasPrefix(x.text[x.pos:], []byte("<![CDATA[")):
			x.cdata(l)
		case c == '/' || c == '!' || c == '?':
			x.skip(l, after(x.text, x.pos+2, '>'))
		default:
			x.cutText(l)
		}
		return true
	}
	return false
}

// choose makes the first of the readings the current one. It reports false if all
// readings have ended.
func (x *lexer) choose() bool {
	for {
		if x.raw == markup && x.pos < x.covered {
			x.pos = x.covered // the text there was returned already
		}
		if len(x.more) == 0 {
			return x.pos < len(x.text)
		}
		switch first := x.more[0]; {
		case first == x.reading, x.pos == len(x.text):
			x.reading = first
			x.more = slices.Delete(x.more, 0, 1)
		case first.pos < x.pos:
			x.more = slices.Delete(x.more, 0, 1)
			x.add(x.reading)
			x.reading = first
		default:
			return true
		}
	}
}

func (x *lexer) add(r reading) {
	i := 0
	for i < len(x.more) && x.more[i].pos < r.pos {
		i++
	}
	if slices.Contains(x.more[i:], r) {
		return
	}
	x.more = slices.Insert(x.more, i, r)
}

// skip ends l and moves the reading to end.
func (x *lexer) skip(l *lexeme, end int) {
	x.pos = end
	l.end = end
}

// tag makes l the tag whose name starts at pos. It reports false if the text ends
// within the tag, which then does not count as a tag (HTML section 13.2.5.8).
func (x *lexer) tag(l *lexeme, pos int) bool {
	end := afterName(x.text, pos)
	l.name = x.text[pos:end]
	end = tagEnd(x.text, end)
	if end < 0 {
		x.skip(l, len(x.text))
		return false
	}
	x.skip(l, end)
	l.foreign = x.foreign.inside()
	if l.kind != startLexeme {
		x.foreign.end(l.name, len(x.more) > 0)
		return true
	}
	x.foreign.start(l.name, len(x.more) > 0)
	l.foreign = l.foreign || x.foreign.inside()
	if len(l.name) < len("svg") {
		return true
	}
	raw := rawOf(l.name)
	if raw == rawScript && isDataTag(x.text[l.start:l.end]) {
		raw = rawData
	}
	if raw == rawNoscript || raw != markup && x.foreign.inside() {
		x.add(reading{end, markup})
	}
	x.raw = raw
	return true
}

// isDataTag reports whether the start tag of a script has the type of JSON-LD.
func isDataTag(tag []byte) bool {
	for key, value, end := nextAttr(tag, len("<script")); len(key) > 0; key, value, end = nextAttr(tag, end) {
		if isName(key, "type") {
			kind, _, _ := strings.Cut(attrValue(string(value)), ";")
			return strings.EqualFold(strings.TrimSpace(kind), "application/ld+json")
		}
	}
	return false
}

// skipRaw makes l the content of a raw element, or a piece of it.
func (x *lexer) skipRaw(l *lexeme) {
	raw := x.raw
	x.raw = markup
	end := x.find(min(int(raw), int(rawScript)), x.pos)
	switch raw {
	case rawData:
		n := end - x.pos
		isWhole := n > 0 && n <= maxToken && x.find(markOpenComment, x.pos) >= end
		if isWhole && x.mayGive(n) {
			l.kind = dataLexeme
			break
		}
		fallthrough
	case rawScript:
		if open := x.find(markOpenComment, x.pos); open < end {
			end = open + len("<!")
			x.raw = rawEscaped
		}
	case rawEscaped:
		open := x.find(markScript, x.pos)
		shut := x.find(markCloseComment, x.pos)
		switch {
		case shut < min(open, end):
			end = shut + len("-->")
			x.raw = rawScript
		case open < end:
			end = open + len("<script")
			x.raw = rawDouble
		}
	case rawDouble:
		if shut := x.find(markCloseComment, x.pos); shut < end {
			end = shut + len("-->")
			x.raw = rawScript
		} else if end < len(x.text) {
			end += len("</script")
			x.raw = rawEscaped
		}
	}
	x.skip(l, end)
	n := l.end - l.start
	isContent := raw == rawStyle || raw >= rawScript
	if l.kind == skippedLexeme && n > 0 && isContent {
		l.kind = contentLexeme
		l.element = rawElements[min(raw, rawScript)]
		l.withheld = !x.mayGive(n)
	}
}

// find returns the first place of the mark k at or after pos, or the length of the
// text.
func (x *lexer) find(k, pos int) int {
	if m := x.marks[k]; m.from <= pos && pos <= m.at && m.at > 0 {
		return m.at
	}
	at := len(x.text)
	switch {
	case k >= markScript && k != markScript:
		if n := bytes.Index(x.text[pos:], []byte(markTexts[k-markScript])); n >= 0 {
			at = pos + n
		}
	case k == markScript:
		at = nameEnd(x.text, pos, "<", "script")
	case rawKind(k) != rawPlaintext:
		at = nameEnd(x.text, pos, "</", rawElements[k])
	}
	x.marks[k] = mark{pos, at}
	return at
}

// nameEnd returns the first place at or after pos of begin and the name of an
// element, followed by the end of a name (HTML section 13.2.5.11), or the length of
// text.
func nameEnd(text []byte, pos int, begin, name string) int {
	for {
		n := bytes.Index(text[pos:], []byte(begin))
		if n < 0 {
			return len(text)
		}
		pos += n
		rest := text[pos+len(begin):]
		if len(rest) <= len(name) {
			return len(text)
		}
		if endsName(rest[len(name)]) && isName(rest[:len(name)], name) {
			return pos
		}
		pos += len(begin)
	}
}

// comment makes l the comment at the position. If Outlook shows the comment, l is
// only its start with the condition, and the text after the condition is also
// read as markup.
func (x *lexer) comment(l *lexeme) {
	end := x.commentEnd(x.pos + len("<!--"))
	if n := conditionLen(x.text[x.pos:end]); n > 0 {
		x.add(reading{end, markup})
		end = x.pos + n
	}
	x.skip(l, end)
}

// commentEnd returns the end of the comment whose content starts at pos (HTML section
// 13.2.5.43 and the sections after it).
func (x *lexer) commentEnd(pos int) int {
	for _, begin := range [...]string{">", "->"} {
		if bytes.HasPrefix(x.text[pos:], []byte(begin)) {
			return pos + len(begin)
		}
	}
	end := x.find(markCloseComment, pos)
	bang := x.find(markBangComment, pos)
	if bang < end {
		return bang + len("--!>")
	}
	return min(end+len("-->"), len(x.text))
}

// cdata makes l the text of the CDATA section at the position. Outside of svg and
// math, it is a comment up to the next ">".
func (x *lexer) cdata(l *lexeme) {
	x.add(reading{after(x.text, x.pos, '>'), markup})
	l.start = x.pos + len("<![CDATA[")
	l.end = x.find(markCDATA, l.start)
	if x.mayGive(l.end - l.start) {
		l.kind = textLexeme
	}
	x.pos = min(l.end+len("]]>"), len(x.text))
}

// mayGive reports whether n more octets may be in pieces that overlap others. In
// several readings, many scripts and sections can have the same end.
func (x *lexer) mayGive(n int) bool {
	if x.given+n > 4*len(x.text) {
		return false
	}
	x.given += n
	return true
}

// cutText makes l the text at the position. A long text is cut at a blank.
func (x *lexer) cutText(l *lexeme) {
	l.kind = textLexeme
	window := min(len(x.text), x.pos+maxToken)
	end := textEnd(x.text[:window], x.pos+1)
	if end == window && window < len(x.text) {
		if n := bytes.LastIndexAny(x.text[x.pos+1:end], " \t\r\n"); n >= 0 {
			end = x.pos + 1 + n + 1
		} else {
			end = textEnd(x.text, x.pos+1)
		}
	}
	x.skip(l, end)
	x.covered = end
}

// textEnd returns the end of the text that contains the octet before pos: the next
// tag, comment or declaration.
func textEnd(text []byte, pos int) int {
	for {
		n := bytes.IndexByte(text[min(pos, len(text)):], '<')
		if n < 0 || pos+n+1 == len(text) {
			return len(text)
		}
		pos += n + 1
		if c := text[pos]; ascii.IsLetter(c) || c == '/' || c == '!' || c == '?' {
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

// tagEnd returns the end of the tag whose name ends at pos, or -1 if the tag is not
// closed (HTML section 13.2.5.32 and the sections after it).
func tagEnd(text []byte, pos int) int {
	for {
		var key []byte
		key, _, pos = nextAttr(text, pos)
		if pos == len(text) {
			return -1
		}
		if len(key) == 0 {
			return pos + 1
		}
	}
}

// rawOf returns the element with a name, or markup if the content of the element is
// markup.
func rawOf(name []byte) rawKind {
	for i, raw := range rawElements[1:] {
		if isName(name, raw) {
			return rawKind(i + 1)
		}
	}
	return markup
}

// maxCondition bounds the condition of a comment, in octets, with the "]>" after it.
const maxCondition = 100

// conditionLen returns the length of the start of a comment that Outlook may
// show, such as "<!--[if (gte mso 9)|(IE)]>". text must start with "<!--". For any
// other comment the length is 0. A condition that is longer than maxCondition counts as one that may be true, and the
// length is the length of its start.
func conditionLen(text []byte) int {
	const begin = "<!--[if"
	if len(text) < len(begin) || !strings.EqualFold(string(text[:len(begin)]), begin) {
		return 0
	}
	head := string(text[len(begin):min(len(text), len(begin)+maxCondition)])
	condition, _, ok := strings.Cut(head, "]>")
	if !ok && len(head) == maxCondition && !strings.ContainsAny(head, "<>") {
		return len(begin) + len(head) // it is not evaluated
	}
	if !ok || strings.ContainsAny(condition, "<>") {
		return 0
	}
	c := conditionReader{rest: strings.ToLower(condition)}
	if shown, _ := c.either(); !shown {
		return 0
	}
	return len(begin) + len(condition) + len("]>")
}

// A conditionReader evaluates the condition of a comment. Each method reads an
// expression and returns whether it can be true, and whether it can be false, in some
// version of Outlook.
type conditionReader struct{ rest string }

func (c *conditionReader) either() (yes, no bool) {
	yes, no = c.both()
	for c.accept("|") {
		y, n := c.both()
		yes = yes || y
		no = no && n
	}
	return yes, no
}

func (c *conditionReader) both() (yes, no bool) {
	yes, no = c.one()
	for c.accept("&") {
		y, n := c.one()
		yes = yes && y
		no = no || n
	}
	return yes, no
}

func (c *conditionReader) one() (yes, no bool) {
	switch {
	case c.accept("!"):
		yes, no = c.one()
		return no, yes
	case c.accept("("):
		yes, no = c.either()
		c.accept(")")
		return yes, no
	}
	end := strings.IndexAny(c.rest, "()&|!")
	if end < 0 {
		end = len(c.rest)
	}
	words := strings.Fields(c.rest[:end])
	c.rest = c.rest[end:]
	version := len(words) > 1
	for _, word := range words {
		switch word {
		case "mso", "vml":
			return true, version
		case "true":
			return true, false
		}
	}
	return false, true // IE, an unknown word, or no word
}

// accept skips s, with blanks before it, if s comes next.
func (c *conditionReader) accept(s string) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(c.rest, " \t\r\n"), s)
	if ok {
		c.rest = rest
	}
	return ok
}
