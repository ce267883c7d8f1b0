package mailtext

import (
	"bytes"
	"math"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/internal/needle"
)

// Near says of which places of a text/html the tokens are wanted.
type Near struct {
	// Places are what to give: in order, and apart.
	Places []needle.Span

	// Elements are the names of the elements, in lower case, that a place is
	// given with as a whole.
	Elements []string
}

// HTMLNear gives, of a text/html in s.Octets, the tokens around places, as [HTML]
// gives them. It is much faster where these are few. For each place it gives
//
//   - the start tags and texts that an octet of it is in, and the tag of a script that
//     is data,
//   - the element whose start tag is one of these tags,
//   - the elements that they are in that have one of the names of near.Elements, and
//     the link that begins directly before the outermost of these,
//   - the text that follows, and the end tag that does.
//
// An element ends where as many of its name have ended as have begun, but for a link,
// which the next link ends, too. The last token is an EndToken, which is not Quoted.
//
// It is HTML where places cannot be trusted: in a charset that is not a superset of
// ASCII, and where character references may stand for letters. It is HTML from a base
// element on that has a place, since other links may be relative to it.
func HTMLNear(s *Source, near *Near, emit func(*Token)) {
	if s.Reader != nil || len(near.Elements) > maxElements || needle.HidesText(s.Octets) {
		HTML(s, emit)
		return
	}
	f, chars := s.open()
	w := &htmlWalker{feed: f, chars: chars, emit: emit, limit: maxToken}
	if chars.jis {
		w.walkHeld()
		return
	}
	(&nearWalker{html: w, lexer: lexer{text: f.buf, limit: w.limit}, near: near}).walk()
}

// maxElements bounds the names of elements that are wanted as a whole.
const maxElements = 8

// A nearWalker follows a text, without making tokens, to the places that are wanted.
type nearWalker struct {
	html  *htmlWalker
	lexer lexer
	near  *Near
	place int // the number of the first one that is not passed

	in    bool // tokens are given
	given int  // where what was given ends
	again int  // up to there what is given has been followed before

	open   [maxElements]openElement // those of near.Elements
	held   []heldElement            // those that a place is the start tag of
	before openElement              // the link whose tag is the last tag, if its depth is not 0

	classes bool // the text has marks of quotes, as far as it is followed
	rules   bool // it has lines above quotes
}

// An openElement says what is open of the elements of one name.
type openElement struct {
	depth int
	start int       // of the outermost one
	quote htmlQuote // what it was there
}

// A heldElement is an element of which all is given.
type heldElement struct {
	name  string
	depth int
}

func (w *nearWalker) walk() {
	places := w.near.Places
	if n := len(places); n > 0 {
		w.findQuotes(w.lexer.text[:min(len(w.lexer.text), places[n-1].End)])
	}
	var l lexeme
	for (w.in || w.place < len(places)) && w.lexer.next(&l) {
		quote := w.html.quote
		for w.place < len(places) && places[w.place].End <= l.start {
			w.place++
		}
		base := l.kind == startLexeme && isName(l.name, "base") && w.place < len(places) && places[w.place].Start < l.end
		if base || w.html.isLong(&w.lexer, &l) {
			if !w.in {
				l.start = w.back(l.start)
			}
			w.html.walkFrom(l.start)
			return
		}
		if w.html.dropLong(&l); l.kind == skippedLexeme {
			continue
		}
		reach := l.end
		if w.lexer.data {
			reach = w.lexer.rawEnd()
		}
		at := w.place < len(places) && places[w.place].Start < reach && l.kind != endLexeme
		if at && !w.in {
			w.in, w.again = true, l.start
			if start := w.back(l.start); start < l.start {
				w.lexer.pos, w.lexer.raw, w.lexer.data = start, "", false
				continue
			}
		}
		if l.kind == startLexeme && !at && l.start >= w.again && !w.within() {
			w.in = false
		}
		if w.in {
			w.html.giveLexeme(&w.lexer, &l)
			w.given = l.end
		} else {
			w.followQuotes(&l)
		}
		if l.start >= w.again {
			was := w.within()
			w.follow(&l, at, quote)
			w.in = w.in && (at || was || w.within() || l.kind == textLexeme || l.kind == dataLexeme)
		}
	}
	w.html.quote = htmlQuote{}
	w.html.end(len(w.lexer.text))
}

// back returns where what is wanted of the elements that are open at pos begins, and
// goes back to what the quote was there.
func (w *nearWalker) back(pos int) int {
	for i := range w.near.Elements {
		if o := &w.open[i]; o.depth > 0 && o.start < pos {
			pos, w.html.quote = o.start, o.quote
		}
	}
	return pos
}

// within reports whether the walker is in an element of which all is given.
func (w *nearWalker) within() bool {
	for i := range w.near.Elements {
		if w.open[i].depth > 0 {
			return true
		}
	}
	return len(w.held) > 0
}

// follow takes note of the elements that a tag begins or ends. at says that it is at
// a place, and quote is what it was before.
func (w *nearWalker) follow(l *lexeme, at bool, quote htmlQuote) {
	switch l.kind {
	case startLexeme:
		w.followStart(l, at, quote)
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
func (w *nearWalker) followStart(l *lexeme, at bool, quote htmlQuote) {
	link := isName(l.name, "a")
	here := openElement{1, l.start, quote}
	for i, name := range w.near.Elements {
		if !isName(l.name, name) {
			continue
		}
		switch o := &w.open[i]; {
		case o.depth > 0 && !link:
			o.depth++
		case w.before.depth > 0 && w.before.start >= w.given && !link:
			*o = w.before
		default:
			*o = here
		}
	}
	w.before.depth = 0
	if link {
		w.before = here
	}
	for i := range w.held {
		if h := &w.held[i]; isName(l.name, h.name) {
			if at = false; !link && h.depth < math.MaxInt {
				h.depth++
			}
		}
	}
	if at && !isVoid(l.name) {
		h := heldElement{tagName(string(l.name)), 1}
		if !isASCII(l.name) || bytes.IndexByte(l.name, 0) >= 0 {
			h.depth = math.MaxInt // what ends it depends on the charset
		}
		w.held = append(w.held, h)
	}
}

// isVoid reports whether an element has no content and no end tag (HTML section
// 13.1.2).
func isVoid(name []byte) bool { return slices.Contains(voidElements, strings.ToLower(string(name))) }

var voidElements = []string{"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}

// findQuotes finds out what marks of quotes text, up to the last place, has.
func (w *nearWalker) findQuotes(text []byte) {
	w.classes, w.rules = hasQuoteMark(text), bytes.Contains(text, []byte("-----"))
}

// followQuotes takes note of what a token that is not given says of quotes.
func (w *nearWalker) followQuotes(l *lexeme) {
	q, text := &w.html.quote, w.lexer.text[l.start:l.end]
	switch l.kind {
	case textLexeme:
		if w.rules && bytes.Contains(text, []byte("-----")) {
			w.html.makeToken(&w.lexer, l)
			q.see(&w.html.token)
		}
	case startLexeme:
		switch {
		case w.classes && hasQuoteMark(text):
			w.html.makeToken(&w.lexer, l)
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

// hasQuoteMark reports whether text has the class or the id of a quote, or what may
// be one.
func hasQuoteMark(text []byte) bool {
	for _, mark := range quoteClasses {
		if bytes.Contains(text, []byte(mark)) {
			return true
		}
	}
	return bytes.Contains(text, []byte(outlookQuote))
}
