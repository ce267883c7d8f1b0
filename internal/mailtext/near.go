package mailtext

import (
	"bytes"
	"math"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/internal/codec/charset"
	"github.com/go-extbody/extbody/internal/codec/multimatch"
)

// Near selects tokens of a text/html.
type Near struct {
	// Places must be in order and must not overlap. The tokens around them are
	// selected.
	Places []multimatch.Span

	// Elements are names of elements, in lower case. If a place is in such an
	// element, all tokens of the element are selected.
	Elements []string
}

// HTMLNear calls emit with the tokens of [HTML] around some places of a text/html in
// s.Octets. If there are few places, it is much faster. For each place it emits
//
//   - the start tags and texts that contain an octet of the place, and the start tag of a
//     data script that contains one,
//   - the whole element of each of these start tags,
//   - each whole element with a name in near.Elements that contains the place, and the
//     link that starts directly before the outermost of these,
//   - the text and the end tag that follow.
//
// It may emit more tokens. An element ends where as many elements of its name have
// ended as have started. A link also ends where the next link starts. The last token is
// an EndToken, which is not Quoted.
//
// HTMLNear emits all tokens, as HTML does,
//
//   - if near has more than 8 Elements,
//   - if the charset is ISO-2022-JP, where octets that look like ASCII may be others,
//   - if the text up to the last place has character references to letters, which may
//     be in the mark of a quote,
//   - if a place is in the first base element with an href, because any link may be
//     relative to it.
func HTMLNear(s *Source, near *Near, emit func(*Token)) {
	end := 0
	if n := len(near.Places); n > 0 {
		end = min(len(s.Octets), near.Places[n-1].End+len("<base"))
	}
	if len(near.Elements) > maxElements || multimatch.HidesText(s.Octets[:end]) {
		HTML(s, emit)
		return
	}
	w := newHTMLWalker(s, emit)
	base, hasBase := w.findBase(end)
	inBase := func(p multimatch.Span) bool { return p.Start < base.end && base.start < p.End }
	switch {
	case hasBase && slices.ContainsFunc(near.Places, inBase):
		w.giveBase(&base)
		fallthrough
	case w.chars.jis:
		w.walk()
	default:
		(&nearWalker{html: w, lexer: &w.lexer, near: near}).walk()
	}
}

// maxElements bounds Near.Elements.
const maxElements = 8

// A nearWalker moves from place to place without making tokens in between.
type nearWalker struct {
	html  *htmlWalker
	lexer *lexer // of html
	near  *Near
	place int // the index of the first place that was not passed

	in    bool // tokens are emitted now
	given int  // the end of the last token emitted
	again int  // tokens before this index were followed before the walker went back

	open   [maxElements]openElement // the open elements with the names of near.Elements
	held   []heldElement            // the open elements whose start tag has a place
	before openElement              // the link whose start tag is the last tag, if its depth is not 0

	classes bool // the text has classes or ids of quotes, up to the last place
	rules   bool // the text has "-----", as in lines above quotes, up to the last place
}

// An openElement counts the open elements of a name.
type openElement struct {
	depth int // the number of open elements
	start nearState
}

// A nearState is the state of a nearWalker where an element starts.
type nearState struct {
	lexState
	quote htmlQuote
	begin int // the start of the element
}

// A heldElement is an element that is emitted as a whole.
type heldElement struct {
	name  string
	depth int
}

func (w *nearWalker) walk() {
	places := w.near.Places
	if n := len(places); n > 0 {
		text := w.lexer.text[:min(len(w.lexer.text), places[n-1].End)]
		w.classes = hasQuoteMark(text)
		w.rules = bytes.Contains(text, dashes)
	}
	var l lexeme
	for w.in || w.place < len(places) {
		here := nearState{lexState: w.lexer.lexState, quote: w.html.quote}
		here.more = slices.Clone(here.more)
		if !w.lexer.next(&l) {
			break
		}
		here.begin = l.start
		for w.place < len(places) && places[w.place].End <= l.start {
			w.place++
		}
		if l.kind == skippedLexeme || l.kind == contentLexeme {
			continue
		}
		reach := l.end
		if w.lexer.raw == rawData {
			reach = w.lexer.find(int(rawScript), l.end)
		}
		at := w.place < len(places) && places[w.place].Start < reach && l.kind != endLexeme
		if at && !w.in {
			w.in = true
			w.again = l.start
			if w.back(l.start) {
				continue
			}
		}
		isStart := l.kind == startLexeme && l.start >= w.again
		if isStart && !at && !w.within() {
			w.in = false
		}
		if w.in {
			w.html.giveLexeme(&l)
			w.given = l.end
		} else {
			w.followQuotes(&l)
		}
		if l.start >= w.again {
			was := w.within()
			w.follow(&l, at, here)
			if l.kind != textLexeme && l.kind != dataLexeme {
				w.in = w.in && (at || was || w.within())
			}
		}
	}
	w.html.quote = htmlQuote{}
	w.html.giveEnd(EndToken, "", len(w.lexer.text))
}

// back goes back to the start of the outermost open element of near.Elements that
// starts before pos. It reports false if no such element is open.
func (w *nearWalker) back(pos int) bool {
	var first *nearState
	for i := range w.near.Elements {
		if o := &w.open[i]; o.depth > 0 && o.start.begin < pos {
			pos = o.start.begin
			first = &o.start
		}
	}
	if first == nil {
		return false
	}
	w.lexer.lexState = first.lexState
	w.html.quote = first.quote
	w.lexer.more = slices.Clone(first.more)
	return true
}

// within reports whether the walker is in an element that is emitted as a whole.
func (w *nearWalker) within() bool {
	for i := range w.near.Elements {
		if w.open[i].depth > 0 {
			return true
		}
	}
	return len(w.held) > 0
}

// follow records the elements that a tag starts or ends. at is true if the tag has a
// place. here is the state before the tag.
func (w *nearWalker) follow(l *lexeme, at bool, here nearState) {
	switch l.kind {
	case startLexeme:
		w.followStart(l, at, here)
	case endLexeme:
		w.before.depth = 0
		for i, name := range w.near.Elements {
			if isName(l.name, name) {
				w.open[i].depth = max(0, w.open[i].depth-1)
			}
		}
		for i := range w.held {
			if isName(l.name, w.held[i].name) {
				w.held[i].depth--
			}
		}
		w.held = slices.DeleteFunc(w.held, func(h heldElement) bool { return h.depth == 0 })
	}
}

// followStart is follow for a start tag.
func (w *nearWalker) followStart(l *lexeme, at bool, here nearState) {
	link := isName(l.name, "a")
	begun := openElement{1, here}
	for i, name := range w.near.Elements {
		if !isName(l.name, name) {
			continue
		}
		switch o := &w.open[i]; {
		case o.depth > 0 && !link:
			o.depth++
		case w.before.depth > 0 && w.before.start.begin >= w.given && !link:
			*o = w.before
		default:
			*o = begun
		}
	}
	w.before.depth = 0
	if link {
		w.before = begun
	}
	for i := range w.held {
		if h := &w.held[i]; isName(l.name, h.name) {
			at = false
			if !link && h.depth < math.MaxInt {
				h.depth++
			}
		}
	}
	if at && !isVoid(l.name) {
		h := heldElement{tagName(string(l.name)), 1}
		if !charset.IsASCII(l.name) || bytes.IndexByte(l.name, 0) >= 0 {
			h.depth = math.MaxInt // its end tag depends on the charset
		}
		w.held = append(w.held, h)
	}
}

// isVoid reports whether an element has no content and no end tag (HTML section
// 13.1.2).
func isVoid(name []byte) bool { return slices.Contains(voidElements, strings.ToLower(string(name))) }

var voidElements = []string{
	"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
}

// followQuotes updates the quote for a token that is not emitted.
func (w *nearWalker) followQuotes(l *lexeme) {
	q := &w.html.quote
	text := w.lexer.text[l.start:l.end]
	switch l.kind {
	case textLexeme:
		if w.rules && bytes.Contains(text, dashes) {
			w.html.makeToken(l)
			q.see(&w.html.token)
		}
	case startLexeme:
		switch {
		case w.classes && hasQuoteMark(text):
			w.html.makeToken(l)
			q.see(&w.html.token)
		case isName(l.name, "blockquote"):
			q.blockquotes++
		case isName(l.name, "div"):
			q.divs++
		}
	case endLexeme:
		switch {
		case isName(l.name, "blockquote"):
			q.close("blockquote")
		case isName(l.name, "div"):
			q.close("div")
		}
	}
}

// hasQuoteMark reports whether text may have the class or the id of a quote.
func hasQuoteMark(text []byte) bool {
	return bytes.Contains(text, []byte(outlookQuote)) ||
		slices.ContainsFunc(quoteClasses, func(mark string) bool { return bytes.Contains(text, []byte(mark)) })
}
