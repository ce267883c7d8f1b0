package loads

import (
	"slices"
	"strings"

	"github.com/go-extbody/extbody/dataurl"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/codec/ascii"
	"github.com/go-extbody/extbody/internal/link/weburl"
	"github.com/go-extbody/extbody/internal/mailtext"
	"github.com/go-extbody/extbody/internal/mime/param"
	"github.com/go-extbody/extbody/urlaccess"
)

// Hints are the Hints of a Dialect that reads with a Reader: each thing that loads has one of them.
var Hints = []string{"<"}

const (
	// maxPlaced bounds the attributes of a tag whose places are looked for, each of which takes a reading
	// of the tag. The others have the place of the tag.
	maxPlaced = 32

	// maxWithin bounds the documents within documents that are read.
	maxWithin = 8
)

// A Reader reads the tokens of a text. Time and memory are linear in the text.
type Reader struct {
	section string
	found   func(*Load)
	base    weburl.Base
	based   bool // there is a base element with an href
	depth   int  // of the document, 0 for the text itself

	templates int  // how many are open
	script    bool // the script that started last runs

	pieces []piece // of a style element in svg; nil outside of one
	styled bool    // the text is in such an element

	outer *spot  // of the document within the text; nil for the text itself
	parts *parts // of the message; nil if they are not looked at
}

// A piece is a text in a style element of SVG, which can have several.
type piece struct {
	at    int // in the texts of all pieces together
	token *externalbody.Token
}

// A spot is where a value is.
type spot struct {
	tag   *externalbody.Token
	attr  string // "" for the content of an element
	whole *externalbody.Token
	cut   Cut
	piece func(from, to int) (*externalbody.Token, bool)
}

// NewReader returns a Reader for a text, which calls found for each thing that is loaded.
func NewReader(e *externalbody.Entity, found func(*Load)) *Reader {
	return &Reader{section: e.Section(), found: found}
}

// Read reads the next token.
func (r *Reader) Read(t *externalbody.Token) {
	switch t.Kind {
	case externalbody.StartTagToken:
		r.start(t)
	case externalbody.EndTagToken:
		r.end(t)
	case externalbody.ContentToken:
		r.content(t)
	case externalbody.TextToken:
		if r.styled && r.templates == 0 {
			r.pieces = append(r.pieces, piece{token: t.Cut(0, len(t.Text))})
		}
	case externalbody.EndToken:
		r.endStyle()
	}
}

// start reads a start tag.
func (r *Reader) start(t *externalbody.Token) {
	g := newTag(t)
	isTemplate := t.Name == "template" && !t.Foreign && !t.Ambiguous
	switch {
	case isTemplate && (r.templates > 0 || !g.shadow):
		r.templates++
		return
	case r.templates > 0:
		return
	case t.Name == "base":
		if href, ok := t.Attr("href"); ok {
			r.base.Set(href)
			r.based = r.based || strings.TrimSpace(href) != ""
		}
	case t.Name == "script":
		r.script = g.runs()
	case t.Name == "style" && t.Foreign:
		r.styled = true
	}
	placed := 0
	for i := range t.Attrs {
		a := &t.Attrs[i]
		if strings.TrimSpace(a.Value) == "" {
			if rule, ok := g.rule(a.Name); ok && rule.local && r.based {
				url, _ := r.base.Whole("")
				r.give(&spot{tag: t, attr: a.Name, whole: t, cut: emptied(t)}, Other, url, "", 0, 0)
			}
			continue
		}
		second := false
		if a.Name == "xlink:href" {
			href, ok := t.Attr("href")
			second = ok
			if ok && href == a.Value {
				continue // a tag without an href has it from its xlink:href
			}
		}
		s := &spot{tag: t, attr: a.Name}
		if active := isHandler(a); active || isScriptURL(a) {
			r.place(s, a, &placed)
			r.give(s, Script, "", "", 0, len(a.Value))
			if active {
				continue
			}
		}
		if rule, ok := g.rule(a.Name); ok {
			if second && rule.kind == Picture {
				rule.kind = Other // the href counts (SVG 2 section 16.1.6)
			}
			r.value(s, rule, a, &placed)
		}
	}
}

// isHandler reports whether an attribute is a script that an event runs.
func isHandler(a *externalbody.Field) bool { return len(a.Name) > 2 && strings.HasPrefix(a.Name, "on") }

// isScriptURL reports whether an attribute has a URL that runs a script.
func isScriptURL(a *externalbody.Field) bool {
	switch a.Name {
	case "href", "xlink:href", "action", "formaction", "src", "data", "to", "from", "by", "values", "poster", "background":
		scheme, ok := urlaccess.Scheme(bare(a.Value))
		return ok && (scheme == "javascript" || scheme == "vbscript")
	}
	return false
}

// bare returns a URL without the characters that the URL Standard removes (section 4.4).
func bare(value string) string {
	value = strings.TrimFunc(value, func(c rune) bool { return c <= ' ' })
	if strings.ContainsAny(value, "\t\r\n") {
		value = strings.NewReplacer("\t", "", "\r", "", "\n", "").Replace(value)
	}
	return value
}

// end reads an end tag.
func (r *Reader) end(t *externalbody.Token) {
	switch t.Name {
	case "template":
		r.templates = max(0, r.templates-1)
	case "style":
		r.endStyle()
	}
}

// content reads the content of a style element or of a script.
func (r *Reader) content(t *externalbody.Token) {
	if r.templates > 0 {
		return
	}
	whole := t.Cut(0, len(t.Text))
	s := &spot{tag: t, whole: whole, cut: Cut{Start: t.Start, End: t.End}}
	s.piece = func(from, to int) (*externalbody.Token, bool) {
		p := whole.Cut(from, to)
		return p, p.End-p.Start == int64(to-from)
	}
	switch {
	case t.Text == "":
		r.give(s, map[string]Kind{"style": Style, "script": Script}[t.Name], "", "", 0, 0)
	case t.Name == "style":
		r.css(s, t.Text)
	case r.script && strings.TrimSpace(t.Text) != "":
		r.give(s, Script, "", "", 0, 0)
	}
}

// endStyle reads the texts of a style element in svg. There they have comments, character references and
// elements between them, so that a browser reads all of them together.
func (r *Reader) endStyle() {
	var text strings.Builder
	for i, p := range r.pieces {
		r.pieces[i].at = text.Len()
		text.WriteString(p.token.Text)
	}
	pieces := r.pieces
	r.pieces = nil
	r.styled = false
	if len(pieces) == 0 {
		return
	}
	readCSS(text.String(), func(kind Kind, from, to int, value string) {
		i, exact := slices.BinarySearchFunc(pieces, from, func(p piece, at int) int { return p.at - at })
		if !exact {
			i--
		}
		p := pieces[i]
		s := &spot{tag: p.token, whole: p.token, cut: Cut{Start: p.token.Start, End: p.token.End}}
		s.piece = func(from, to int) (*externalbody.Token, bool) {
			to -= p.at
			if to > len(p.token.Text) {
				return nil, false
			}
			c := p.token.Cut(from-p.at, to)
			return c, c.End-c.Start == int64(to-from+p.at)
		}
		r.cssURL(s, kind, from, to, value)
	})
}

// place sets the place of the attribute a.
func (r *Reader) place(s *spot, a *externalbody.Field, placed *int) {
	if s.whole != nil {
		return
	}
	if r.outer != nil {
		s.whole = s.tag // which has no place
		return
	}
	t := s.tag
	if *placed++; *placed <= maxPlaced {
		if whole, ok := t.Value(a.Name, 0, len(a.Value)); ok {
			s.whole = whole
			s.cut = Cut{Start: whole.Start, End: whole.End, Value: true}
			s.piece = func(from, to int) (*externalbody.Token, bool) { return t.Value(a.Name, from, to) }
			return
		}
	}
	s.whole = t
	s.cut = emptied(t)
}

// emptied returns the Cut of all attributes of a tag.
func emptied(t *externalbody.Token) Cut {
	name := t.Name
	isPlain := func(c rune) bool {
		return ascii.IsAlphanumeric(c) || c == '-' || c == ':'
	}
	if strings.ContainsFunc(name, func(c rune) bool { return !isPlain(c) }) {
		name = "x"
	}
	return Cut{Start: t.Start, End: t.End, Text: "<" + name + ">"}
}

// value reads the value of an attribute.
func (r *Reader) value(s *spot, rule rule, a *externalbody.Field, placed *int) {
	give := func(kind Kind, from, to int, value string) {
		r.place(s, a, placed)
		if rule.local {
			if strings.HasPrefix(bare(value), "#") {
				return
			}
			if s.cut.Value {
				s.cut.Text = "#"
			}
		}
		r.url(s, kind, from, to, value)
	}
	switch rule.form {
	case inURL:
		give(rule.kind, 0, len(a.Value), a.Value)
	case inSet:
		candidates(a.Value, func(from, to int) { give(rule.kind, from, to, a.Value[from:to]) })
	case inWords, inList:
		separators := " \t\r\n\f"
		if rule.form == inList {
			separators = ";"
		}
		for at := 0; at < len(a.Value); at++ {
			end := len(a.Value)
			if n := strings.IndexAny(a.Value[at:], separators); n >= 0 {
				end = at + n
			}
			give(rule.kind, at, end, a.Value[at:end])
			at = end
		}
	case inStyle:
		readCSS(a.Value, func(kind Kind, from, to int, value string) {
			if rule.kind != Picture && kind == Picture {
				kind = rule.kind
			}
			r.place(s, a, placed)
			r.cssURL(s, kind, from, to, value)
		})
	case inSource:
		r.place(s, a, placed)
		r.give(s, Frame, "", "", 0, len(a.Value))
		r.within(s, a.Value, r.base, r.based)
	case inDelay:
		if from, to, ok := refresh(a.Value); ok {
			r.place(s, a, placed)
			if url, _, loads := r.whole(a.Value[from:to]); loads {
				r.give(s, Refresh, url, a.Value[from:to], from, to)
			} else {
				r.give(s, Refresh, "", "", 0, len(a.Value))
			}
		}
	}
}

// css reads a style sheet.
func (r *Reader) css(s *spot, text string) {
	readCSS(text, func(kind Kind, from, to int, value string) { r.cssURL(s, kind, from, to, value) })
}

// cssURL passes on a URL in CSS. A fragment alone is an element of the text (CSS Values 4 section 4.5.1), but
// with a base Chromium loads that for some properties.
func (r *Reader) cssURL(s *spot, kind Kind, from, to int, value string) {
	if strings.HasPrefix(bare(value), "#") {
		if !r.based || s.attr != "" && s.attr != "style" {
			return
		}
		kind = Other
	}
	isContent := isContentURL(bare(value))
	if kind == Picture && isContent && strings.Contains(value, "#") {
		kind = Other // a piece of a drawing, such as a mask
	}
	if kind == Other && !isContent {
		if _, _, ok := r.whole(value); !ok {
			return // a string that is no URL
		}
	}
	c := *s
	if p, ok := s.at(from, to); ok && r.outer == nil {
		c.cut = Cut{Start: p.Start, End: p.End, Text: blank}
	}
	r.url(&c, kind, from, to, value)
}

// blank is a URL that loads nothing.
const blank = "about:blank"

// at returns the place of a part of the value.
func (s *spot) at(from, to int) (*externalbody.Token, bool) {
	if s.piece == nil {
		return nil, false
	}
	return s.piece(from, to)
}

// url passes on a URL, unless it loads nothing.
func (r *Reader) url(s *spot, kind Kind, from, to int, value string) {
	url, relative, loads := r.whole(value)
	text := bare(value)
	switch {
	case text == "", strings.HasPrefix(text, "#") && !r.based:
	case loads || relative:
		r.add(s, &Load{Kind: kind, URL: url, Relative: relative, Value: value}, from, to)
		if relative {
			r.part(s, kind, text)
		}
	case kind == Frame && !strings.EqualFold(text, blank), kind == Script && !isScript(text):
		r.give(s, kind, "", "", 0, 0)
		fallthrough
	default:
		scheme, _ := urlaccess.Scheme(text)
		switch {
		case scheme == "data" && (kind == Frame || kind == Style):
			r.data(s, kind, text)
		case isContentURL(text):
			r.part(s, kind, text)
		}
	}
}

// isContentURL reports whether a URL leads to a part by its Content-ID (RFC 2392).
func isContentURL(text string) bool {
	scheme, _ := urlaccess.Scheme(text)
	return scheme == "cid" || scheme == "mid"
}

// part reads the parts of the message to which a URL leads, where programs read more in them than a picture or
// a font: a style sheet, a frame, and a drawing of which the URL names a piece. The thing itself is passed on
// without a URL where that cannot be known:
//
//   - The URL leads to no part, so that a program may find another one.
//   - The charset of a style sheet is in doubt, or it is too long or too deep.
//   - It is a drawing. Programs read that as XML, with entities of its own.
func (r *Reader) part(s *spot, kind Kind, text string) {
	if r.parts == nil || kind != Style && kind != Frame && kind != Other {
		return
	}
	found := r.parts.of(text)
	known := kind == Style && len(found) > 0 && r.depth < maxWithin
	if len(found) == 0 && !isContentURL(text) {
		return // it is relative, and was passed on
	}
	for _, p := range found {
		if r.depth >= maxWithin {
			break
		}
		octets, label, ok := r.parts.body(p)
		if kind != Style {
			r.within(s, string(octets), weburl.Base{}, false)
			continue
		}
		style, plain := styleText(octets, label)
		known = known && ok && plain
		r.style(s, style)
	}
	if !known && kind != Frame { // a frame was passed on
		r.give(s, kind, "", "", 0, 0)
	}
}

// style reads a style sheet that a value leads to.
func (r *Reader) style(s *spot, text string) {
	inner := &Reader{section: r.section, found: r.found, depth: r.depth + 1, outer: r.around(s), parts: r.parts}
	inner.css(&spot{tag: s.tag, attr: s.attr, whole: s.whole, cut: s.cut}, text)
}

// isScript reports whether a URL was passed on as a script that it has in itself.
func isScript(text string) bool {
	scheme, _ := urlaccess.Scheme(text)
	return scheme == "javascript" || scheme == "vbscript"
}

// data reads the document or style sheet in a data: URL.
func (r *Reader) data(s *spot, kind Kind, url string) {
	mediaType, body, err := dataurl.Decode(url)
	switch {
	case err != nil:
	case r.depth >= maxWithin:
		r.give(s, kind, "", "", 0, 0)
	case kind == Frame:
		r.within(s, string(body), weburl.Base{}, false)
	default:
		label, _ := param.Parse(mediaType).Get("charset")
		text, ok := styleText(body, label)
		if !ok {
			r.give(s, kind, "", "", 0, 0)
		}
		r.style(s, text)
	}
}

// around returns the place of a document within the text.
func (r *Reader) around(s *spot) *spot {
	if r.outer != nil {
		return r.outer
	}
	return s
}

// within reads a document that a value holds.
func (r *Reader) within(s *spot, text string, base weburl.Base, based bool) {
	if r.depth >= maxWithin {
		return // its frame is removed
	}
	inner := &Reader{
		section: r.section, found: r.found, base: base, based: based, depth: r.depth + 1, outer: r.around(s), parts: r.parts,
	}
	var t externalbody.Token
	mailtext.HTML(&mailtext.Source{Octets: []byte(text), Charset: "utf-8"}, func(m *mailtext.Token) {
		t = externalbody.Token{
			Kind: externalbody.TokenKind(m.Kind), Name: m.Name, Attrs: t.Attrs[:0], Text: m.Text,
			Ambiguous: m.Ambiguous, Foreign: m.Foreign,
		}
		for _, a := range m.Attrs {
			t.Attrs = append(t.Attrs, externalbody.Field(a))
		}
		inner.Read(&t)
	})
}

// whole returns the URL that a value stands for, and reports whether it is loaded, or whether it would
// be if a program had a base for it.
func (r *Reader) whole(value string) (url string, relative, loads bool) {
	url, loads = weburl.InPage(value)
	if loads {
		return url, false, true
	}
	text := bare(value)
	scheme, ok := urlaccess.Scheme(text)
	switch rest := text[min(len(text), len(scheme)+len(":")):]; {
	case ok && slices.Contains([]string{"ftp", "ftps", "ws", "wss"}, scheme):
		return text, false, true
	case ok && scheme == "file":
		return text, false, isRemote(rest)
	case ok:
		return "", false, false
	}
	url, loads = r.base.Whole(value)
	if loads {
		return url, false, true
	}
	// The base may be too long, or another one.
	return text, !r.based, r.based
}

// isRemote reports whether the text after "file:" has a host, which systems ask for a login.
func isRemote(rest string) bool {
	rest = strings.ReplaceAll(rest, `\`, "/")
	path := strings.TrimLeft(rest, "/")
	slashes := len(rest) - len(path)
	host, _, _ := strings.Cut(path, "/")
	if path == "" {
		return false
	}
	isHost := !strings.EqualFold(host, "localhost") && !isDrive(host)
	return slashes > 3 || slashes == 2 && isHost
}

// isDrive reports whether the host of a file is the letter of a disk (URL Standard section 4.1).
func isDrive(s string) bool {
	return len(s) == 2 && ascii.IsAlphanumeric(s[0]) && strings.IndexByte(":|", s[1]) >= 0
}

// give passes on a thing that has no URL, or whose URL is known.
func (r *Reader) give(s *spot, kind Kind, url, value string, from, to int) {
	r.add(s, &Load{Kind: kind, URL: url, Value: value}, from, to)
}

// add completes a Load and passes it on.
func (r *Reader) add(s *spot, l *Load, from, to int) {
	at := r.around(s)
	l.Section = r.section
	l.Element = at.tag.Name
	l.Attr = at.attr
	l.Tag = at.tag
	if at.attr == "" && l.Element == "" {
		l.Element = "style" // a text in it
	}
	l.Place = at.whole
	l.Cut = at.cut
	l.Within = r.outer != nil
	if at == s && l.URL != "" {
		if p, ok := s.at(from, to); ok {
			l.Place = p
			l.Exact = !strings.ContainsFunc(l.Value, breaksURL)
			l.place = func(n int) (*externalbody.Token, bool) { return s.at(from, from+n) }
		}
	}
	r.found(l)
}

// breaksURL reports whether programs may disagree about the end of a URL that holds c.
func breaksURL(c rune) bool {
	isControl := c < ' ' && !strings.ContainsRune("\t\r\n", c)
	return isControl || c == '<' || c == '>'
}

// candidates passes on the places of the URLs in a srcset (HTML section 4.8.4.2.1): URLs with a size after
// each, and commas between.
func candidates(set string, found func(from, to int)) {
	const blanks = " \t\r\n\f"
	for at := 0; ; {
		rest := strings.TrimLeft(set[at:], blanks+",")
		if rest == "" {
			return
		}
		at = len(set) - len(rest)
		end := strings.IndexAny(rest, blanks)
		if end < 0 {
			end = len(rest)
		}
		name := strings.TrimRight(rest[:end], ",")
		found(at, at+len(name))
		at += end
		if end == len(name) {
			at += afterSize(rest[end:])
		}
	}
}

// afterSize returns the length of a size, up to and with the comma after it. A comma in parentheses is
// part of it.
func afterSize(text string) int {
	inside := false
	for i := range len(text) {
		switch c := text[i]; {
		case c == '(':
			inside = true
		case c == ')':
			inside = false
		case c == ',' && !inside:
			return i + 1
		}
	}
	return len(text)
}

// refresh returns the place of the URL in the content of a refresh (HTML section 4.2.5.3). It reports
// false if that is no refresh. The URL is empty if the page itself is loaded again.
func refresh(content string) (from, to int, ok bool) {
	const blanks = " \t\r\n\f"
	rest := strings.TrimLeft(content, blanks)
	after := strings.TrimLeft(rest, "0123456789")
	if after == rest && !strings.HasPrefix(rest, ".") {
		return 0, 0, false
	}
	after = strings.TrimLeft(after, "0123456789.")
	if after != "" && !strings.ContainsRune(blanks+";,", rune(after[0])) {
		return 0, 0, false
	}
	after = strings.TrimLeft(after, blanks)
	if after != "" && (after[0] == ';' || after[0] == ',') {
		after = strings.TrimLeft(after[1:], blanks)
	}
	if len(after) >= 3 && strings.EqualFold(after[:3], "url") {
		if value := strings.TrimLeft(after[3:], blanks); strings.HasPrefix(value, "=") {
			after = strings.TrimLeft(value[1:], blanks)
		}
	}
	to = len(content)
	from = to - len(after)
	if after != "" && (after[0] == '"' || after[0] == '\'') {
		from++
		if n := strings.IndexByte(after[1:], after[0]); n >= 0 {
			to = from + n
		}
	}
	return from, to, true
}
