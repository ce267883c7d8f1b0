package mailtext

import (
	"bytes"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/go-extbody/extbody/internal/link/unwrap"
)

// maxAttrs bounds the attributes of a tag. Further attributes count only if
// linkAttrs has their names, or if they may load something.
const maxAttrs = 256

// linkAttrs are the attributes that may have links.
var linkAttrs = []string{"href", "src", "content", "http-equiv", "originalsrc", "data-saferedirecturl"}

// loadAttrs are the attributes for which a program may load something, or run a script, when it
// shows a text, and those that decide whether it does. Attributes with the prefix "on" do too.
var loadAttrs = []string{
	"action", "archive", "attributename", "attributionsrc", "background", "by", "clip-path", "code", "content", "cursor", "data",
	"fill", "filter", "formaction", "from", "href", "http-equiv", "imagesrcset", "manifest", "marker", "marker-end", "marker-mid",
	"marker-start", "mask", "name", "o:href", "ping", "poster", "rel", "shadowrootmode", "src", "srcdoc", "srcset", "stroke", "style", "to",
	"type", "value", "values", "xlink:href",
}

// mayLoad reports whether an attribute is one of loadAttrs, or has the prefix "on".
func mayLoad(key string) bool {
	_, found := slices.BinarySearch(loadAttrs, key)
	return found || strings.HasPrefix(key, "on")
}

// An htmlWalker emits the tokens of a text/html.
type htmlWalker struct {
	chars *textDecoder
	emit  func(*Token)
	lexer lexer
	token Token
	quote htmlQuote
	link  bool // the open link started in one of several readings

	further map[string]bool // the names of the attributes of a tag that has many
	base    int             // the start of the base element that was emitted first, or -1
}

func newHTMLWalker(s *Source, emit func(*Token)) *htmlWalker {
	f, chars := (&Source{Octets: s.Octets, Charset: s.Charset}).open()
	return &htmlWalker{chars: chars, emit: emit, lexer: lexer{text: f.buf}, base: -1}
}

// walk emits all tokens from the position of the lexer on.
func (w *htmlWalker) walk() {
	var l lexeme
	for w.lexer.next(&l) {
		if l.kind != skippedLexeme && l.start != w.base {
			w.giveLexeme(&l)
		}
	}
	w.giveEnd(EndToken, "", len(w.lexer.text))
}

// findBase returns the first base element with an href, if a base element starts in
// text[:end].
func (w *htmlWalker) findBase(end int) (l lexeme, ok bool) {
	if nameEnd(w.lexer.text[:end], 0, "<", "base") == end {
		return l, false
	}
	x := lexer{text: w.lexer.text}
	for x.next(&l) {
		if l.kind == startLexeme && isName(l.name, "base") {
			w.makeToken(&l)
			if _, ok := w.token.Attr("href"); ok {
				return l, true
			}
		}
	}
	return l, false
}

// giveBase emits the base element l before other tokens, because links before it are
// also relative to it (HTML section 4.2.3).
func (w *htmlWalker) giveBase(l *lexeme) {
	w.base = l.start
	w.giveLexeme(l)
}

// giveLexeme emits the token of l.
func (w *htmlWalker) giveLexeme(l *lexeme) {
	several := len(w.lexer.more) > 0
	if w.link && !several {
		// A link that started in one of several readings ends where only one is left.
		w.link = false
		w.giveEnd(EndTagToken, "a", l.start)
	}
	w.makeToken(l)
	if w.token.Name == "a" {
		w.link = w.token.Kind == StartTagToken && several
	}
	w.token.Ambiguous = several
	w.token.Quoted = w.quote.see(&w.token)
	if w.token.Kind == TextToken && strings.Contains(w.token.Text, "://") {
		w.giveURLs(w.token)
	}
	w.emit(&w.token)
}

// makeToken makes the token of l, which must not be a skippedLexeme.
func (w *htmlWalker) makeToken(l *lexeme) {
	w.token = Token{Attrs: w.token.Attrs[:0], Start: int64(l.start), End: int64(l.end)}
	text := w.lexer.text[l.start:l.end]
	switch l.kind {
	case textLexeme:
		w.token.Kind = TextToken
		w.setText(text)
	case dataLexeme:
		// A script has no character references (HTML section 13.2.5.4).
		w.token.Kind = DataToken
		w.token.Text = w.chars.text(text)
		w.token.raw = text
	case contentLexeme:
		w.token.Kind = ContentToken
		w.token.Name = l.element
		if !l.withheld {
			w.token.Text = w.chars.text(text)
			w.token.raw = text
		}
	case startLexeme:
		w.token.Kind = StartTagToken
		w.token.tag = text
		w.token.chars = w.chars
		w.token.Name = tagName(w.chars.text(l.name))
		w.token.Foreign = l.foreign
		w.setAttrs(text)
	case endLexeme:
		w.token.Kind = EndTagToken
		w.token.Name = tagName(w.chars.text(l.name))
	}
}

// giveEnd emits a token without octets.
func (w *htmlWalker) giveEnd(kind TokenKind, name string, at int) {
	w.token = Token{
		Kind: kind, Name: name, Attrs: w.token.Attrs[:0], Start: int64(at), End: int64(at), Quoted: w.quote.open(),
	}
	w.emit(&w.token)
}

// giveURLs emits the URLs in a text. A URL in angle brackets may be broken over
// lines, as in a text/plain that was converted to HTML.
func (w *htmlWalker) giveURLs(text Token) {
	exact := text.AsWritten()
	written := text.raw // the text after the last URL found; nil if a search failed
	for start, end := range bareURLs(text.Text) {
		t := text
		t.Kind = URLToken
		t.Text = text.Text[start:end]
		if start > 0 && text.Text[start-1] == '<' {
			n := strings.IndexAny(text.Text[start:min(len(text.Text), start+maxLink)], "<>")
			if n > 0 && linkEnd([]byte(text.Text[start-1:start+n+1]), 0) > 0 {
				end = start + n
				t.Text = unwrap.Join(text.Text[start:end])
			}
		}
		if exact {
			t.Start = text.Start + int64(start)
			t.End = text.Start + int64(end)
			t.raw = text.raw[start:end]
		} else if written != nil {
			at, n := indexWritten(written, text.Text[start:end])
			written = written[at+n:]
			if n == 0 {
				written = nil // one search that fails is enough
			} else {
				t.End = text.End - int64(len(written))
				t.Start = t.End - int64(n)
				t.raw = text.raw[t.Start-text.Start : t.End-text.Start]
			}
		}
		w.emit(&t)
	}
}

// indexWritten returns the index and the length of url in a text as written, where
// each "&" may be "&amp;". The length is 0 if url is not found.
func indexWritten(text []byte, url string) (at, n int) {
	for _, u := range []string{url, strings.ReplaceAll(url, "&", "&amp;")} {
		at = bytes.Index(text, []byte(u))
		if at >= 0 {
			return at, len(u)
		}
	}
	return 0, 0
}

// setText sets the text of the token. raw is the text as written.
func (w *htmlWalker) setText(raw []byte) {
	w.token.raw = raw
	text := w.chars.text(raw)
	if strings.IndexByte(text, '\r') >= 0 {
		text = lineEnds.Replace(text)
	}
	w.token.Text = html.UnescapeString(text)
}

// setAttrs sets the attributes of a start tag, except the ones that are longer than a token and load
// nothing.
// The xlink:href of an SVG link counts as href (SVG 2 section 16.1.5).
func (w *htmlWalker) setAttrs(tag []byte) {
	clear(w.further)
	for key, value, end := nextAttr(tag, afterName(tag, len("<"))); len(key) > 0; key, value, end = nextAttr(tag, end) {
		if len(key) > maxToken {
			continue
		}
		name := tagName(w.chars.text(key))
		if len(key)+len(value) <= maxToken || mayLoad(name) || slices.Contains(linkAttrs, name) {
			w.addAttr(name, w.chars.text(value))
		}
	}
	if link, ok := w.token.Attr("xlink:href"); ok {
		if _, ok := w.token.Attr("href"); !ok {
			w.token.Attrs = append(w.token.Attrs, Attr{"href", link})
		}
	}
}

// addAttr adds an attribute. value must be as written.
func (w *htmlWalker) addAttr(key, value string) {
	attrs := w.token.Attrs
	if len(attrs) < maxAttrs {
		if _, ok := w.token.Attr(key); ok {
			return
		}
	} else {
		if !slices.Contains(linkAttrs, key) && !mayLoad(key) {
			return
		}
		if len(w.further) == 0 {
			if w.further == nil {
				w.further = make(map[string]bool)
			}
			for _, a := range attrs {
				w.further[a.Name] = true
			}
		}
		if w.further[key] {
			return
		}
		w.further[key] = true
	}
	w.token.Attrs = append(attrs, Attr{key, attrValue(value)})
}
