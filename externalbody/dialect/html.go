package dialect

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/codec/ascii"
	"github.com/go-extbody/extbody/internal/link/unwrap"
	"github.com/go-extbody/extbody/internal/link/weburl"
)

const (
	// maxText bounds the text of a link in octets: a file name, or a URL.
	maxText = 2 << 10

	// maxAnchors bounds the links that are read in one block.
	maxAnchors = 16

	// maxTexts bounds the texts outside of links that are read in one block: the name and the size.
	maxTexts = 2
)

// hasWord reports whether a word of value is mark or ends with it. Mailers that quote a
// message put a prefix before the ids and classes of its elements: Outlook "x_", Gmail
// "gmail-m_-2560763327289423780".
func hasWord(value, mark string) bool {
	if len(value) < len(mark) {
		return false
	}
	for word := range strings.FieldsSeq(value) {
		if strings.HasSuffix(word, mark) {
			return true
		}
	}
	return false
}

// pathHints returns the Hints of texts with a URL that has segment in its path, as it
// is and as wrapped in other URLs.
func pathHints(segment string) []string {
	return []string{"/" + segment + "/", "%2f" + segment + "%2f", "_" + segment + "_", "protection.sophos.com"}
}

// links are the elements around a Hint that a form needs; see Dialect.Near.
var links = []string{"a"}

type (
	// A finder passes on a Reference and its place; see Dialect.Text.
	finder = func(ref *externalbody.Reference, tokens ...*externalbody.Token)

	// A textReader is the Text of a Dialect.
	textReader = func(*externalbody.Entity, finder) func(*externalbody.Token)
)

// An element is the attributes of an element, and its first and its last token. Of other
// text it has only the tokens.
type element struct {
	attrs       []externalbody.Field
	first, last externalbody.Token
}

// newElement returns the element that a start tag is, or starts.
func newElement(t *externalbody.Token) element {
	e := element{attrs: slices.Clone(t.Attrs), first: *t}
	e.first.Attrs = nil
	e.last = e.first
	return e
}

// place returns the tokens of which e is made.
func (e *element) place() []*externalbody.Token { return []*externalbody.Token{&e.first, &e.last} }

func (e *element) attr(name string) string {
	value, _ := (&externalbody.Token{Attrs: e.attrs}).Attr(name)
	return value
}

// reference returns a Reference to url, which is in e.
func (e *element) reference(url string) *externalbody.Reference {
	r := externalbody.NewReference(url)
	r.Quoted = e.first.Quoted
	return r
}

// An anchor is a link of HTML with its text.
type anchor struct {
	element
	text string // with single blanks
}

// url returns where the link leads. If Safe Links has changed the link, it is the URL
// that Outlook keeps.
func (a *anchor) url() (string, bool) {
	for _, name := range []string{"originalsrc", "href", "data-saferedirecturl"} {
		if u, ok := weburl.InPage(a.attr(name)); ok {
			return u, true
		}
	}
	return "", false
}

// marked reports whether the link has a class.
func (a *anchor) marked(class string) bool { return hasWord(a.attr("class"), class) }

// fileName returns the text of the link if that can be the name of a file, and
// otherwise "".
func (a *anchor) fileName() string {
	name := a.text
	dot := strings.LastIndexByte(name, '.')
	if dot <= 0 || len(name) > 255 || strings.ContainsAny(name, "/\\:*?\"<>|") {
		return ""
	}
	if strings.HasPrefix(strings.ToLower(name), "www.") || !isExtension(name[dot+1:]) {
		return ""
	}
	if u, ok := a.url(); ok && weburlHost(u) == strings.ToLower(name) {
		return ""
	}
	return name
}

// isExtension reports whether ext has at most 8 letters and digits, and a letter.
func isExtension(ext string) bool {
	if len(ext) > 8 || strings.ContainsFunc(ext, func(c rune) bool { return !ascii.IsAlphanumeric(c) }) {
		return false
	}
	return strings.ContainsFunc(ext, func(c rune) bool { return c > '9' })
}

// misleads reports whether the text of the link names another host than url.
func (a *anchor) misleads(url string) bool {
	text := a.text
	if strings.HasPrefix(strings.ToLower(text), "www.") {
		text = "http://" + text
	}
	named := weburlHost(text)
	return named != "" && named != weburlHost(url)
}

// weburlHost returns the host of a URL, or of the URL that it wraps, without "www.". It
// returns "" for other texts.
func weburlHost(text string) string {
	u, ok := weburl.Parse(unwrap.URL(text).URL)
	if !ok {
		return ""
	}
	return strings.TrimPrefix(u.Host, "www.")
}

// reference returns a Reference to url, the URL of the link or of one of its attributes,
// which is in e.
func (a *anchor) reference(url string, e *element) *externalbody.Reference {
	r := e.reference(url)
	if a.misleads(url) {
		diag(r, externalbody.DiagLinkText, "href")
	}
	return r
}

// An anchorReader assembles the links of a text.
type anchorReader struct {
	open  bool
	a     anchor
	words strings.Builder
	done  func(*anchor)
}

// read reads the next token. An anchor without an end tag ends with its start tag.
func (r *anchorReader) read(t *externalbody.Token) {
	switch {
	case t.Kind == externalbody.TextToken:
		if r.open && r.words.Len() < maxText {
			r.words.WriteString(t.Text[:min(len(t.Text), maxText)])
		}
	case t.Kind == externalbody.EndToken:
		r.close(&r.a.first)
	case t.Name != "a":
	case t.Kind == externalbody.StartTagToken:
		r.close(&r.a.first)
		r.open = true
		r.words.Reset()
		r.a = anchor{element: newElement(t)}
	default:
		r.close(t)
	}
}

// close ends the link with that token.
func (r *anchorReader) close(last *externalbody.Token) {
	if !r.open {
		return
	}
	r.open = false
	r.a.last = *last
	r.a.text = strings.ToValidUTF8(strings.Join(strings.Fields(r.words.String()), " "), "")
	r.done(&r.a)
}

// A block is an element that stands for a file, with the links inside it.
type block struct {
	element
	anchors []anchor
	images  []string // the sources of pictures
	texts   []string // outside of links, with single blanks; blank ones are left out
}

// first returns the first link of the block that leads to a web URL, and its Reference. Both
// are nil without such a link.
func (b *block) first() (*anchor, *externalbody.Reference) {
	for i := range b.anchors {
		if url, ok := b.anchors[i].url(); ok {
			return &b.anchors[i], b.anchors[i].reference(url, &b.element)
		}
	}
	return nil, nil
}

// void are the elements without content. They are not blocks.
var void = []string{
	"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
}

// A blockReader assembles the blocks of a text. A block ends with its element, or where
// the next one starts.
type blockReader struct {
	begins func(*externalbody.Token) bool // for start tags
	done   func(*block)

	name    string // of the element; "" outside of a block
	depth   int
	b       block
	anchors anchorReader
}

// readClasses returns the Text of a Dialect that reads the blocks of these classes.
func readClasses(read func(b *block, found finder), classes ...string) textReader {
	return func(_ *externalbody.Entity, found finder) func(*externalbody.Token) {
		return readBlocks(func(t *externalbody.Token) bool {
			value, _ := t.Attr("class")
			return slices.ContainsFunc(classes, func(class string) bool { return hasWord(value, class) })
		}, func(b *block) { read(b, found) })
	}
}

// readBlocks returns a function that reads the tokens of a text and calls done with
// each block.
func readBlocks(begins func(*externalbody.Token) bool, done func(*block)) func(*externalbody.Token) {
	r := &blockReader{begins: begins, done: done}
	r.anchors.done = func(a *anchor) {
		if len(r.b.anchors) < maxAnchors {
			r.b.anchors = append(r.b.anchors, *a)
		}
	}
	return r.read
}

func (r *blockReader) read(t *externalbody.Token) {
	switch {
	case t.Kind == externalbody.StartTagToken && !slices.Contains(void, t.Name) && r.begins(t):
		r.close(t.Cut(0, 0))
		r.name = t.Name
		r.depth = 0
		r.b = block{element: newElement(t)}
	case r.name == "":
		return
	case t.Kind == externalbody.EndToken:
		r.close(t)
		return
	}
	if t.Kind == externalbody.TextToken && !r.anchors.open && len(r.b.texts) < maxTexts {
		text := strings.ToValidUTF8(strings.Join(strings.Fields(t.Text[:min(len(t.Text), maxText)]), " "), "")
		if text != "" {
			r.b.texts = append(r.b.texts, text)
		}
	}
	r.anchors.read(t)
	switch {
	case t.Kind == externalbody.StartTagToken && t.Name == r.name:
		r.depth++
	case t.Kind == externalbody.EndTagToken && t.Name == r.name:
		if r.depth--; r.depth == 0 {
			r.close(t)
		}
	case t.Kind == externalbody.StartTagToken && t.Name == "img" && len(r.b.images) < maxAnchors:
		src, _ := t.Attr("src")
		r.b.images = append(r.b.images, src)
	}
}

// close ends the block with that token.
func (r *blockReader) close(last *externalbody.Token) {
	if r.name == "" {
		return
	}
	r.anchors.close(&r.anchors.a.first)
	r.name = ""
	r.b.last = *last
	r.b.last.Attrs = nil
	r.done(&r.b)
}

// digits returns the number that text is, or -1 if it is something else.
func digits(text string) int64 {
	n, err := strconv.ParseUint(text, 10, 53)
	if err != nil {
		return -1
	}
	return int64(n)
}

// epoch returns the time n milliseconds after the start of 1970. If that would be
// in the first years, n counts seconds.
func epoch(n int64) time.Time {
	if n < 1e11 {
		return time.Unix(n, 0)
	}
	return time.UnixMilli(n)
}

// A textLine is a line of a text/plain.
type textLine struct {
	element        // the URL, or the whole line
	text    string // without line end and quote marks
	head    string // the text before the URL, or the whole line
	url     string // "" if no URL begins in the line
	tail    string // the text after the URL
}

// readLines returns a function that reads the tokens of a text/plain and calls line with each
// line and the first URL that starts in it.
func readLines(line func(l *textLine)) func(*externalbody.Token) {
	var link externalbody.Token // the first in the line
	some := false
	return func(t *externalbody.Token) {
		switch t.Kind {
		case externalbody.LinkToken, externalbody.URLToken:
			if !some {
				some = true
				link = *t
				link.Attrs = nil
			}
		case externalbody.TextToken:
			l := textLine{element: newElement(t), text: unquoted(strings.TrimRight(t.Text, "\r\n"))}
			l.head = l.text
			if some {
				l.cut(&link)
			}
			some = false
			line(&l)
		}
	}
}

// cut records the URL in the line.
func (l *textLine) cut(link *externalbody.Token) {
	l.url = link.Text
	l.element = newElement(link)
	at := strings.Index(l.text, "://")
	for at > 0 && ascii.IsAlphanumeric(l.text[at-1]) {
		at--
	}
	l.head = l.text[:max(at, 0)]
	if link.Kind == externalbody.LinkToken {
		l.head = strings.TrimSuffix(l.head, "<")
		_, l.tail, _ = strings.Cut(l.text[len(l.head):], ">")
		return
	}
	l.tail = strings.TrimPrefix(l.text[len(l.head):], link.Text)
}

// unquoted returns a line without the quote marks at its start.
func unquoted(line string) string {
	if strings.HasPrefix(line, ">") {
		line = strings.TrimLeft(line, "> ")
	}
	return line
}

// cutLabel returns the text before the colon at its end, without blanks. The colon may be
// one of East Asian scripts.
func cutLabel(text string) (label string, ok bool) {
	text = strings.TrimRight(text, " \t\u00a0\u3000")
	label, ok = strings.CutSuffix(text, ":")
	if !ok {
		label, ok = strings.CutSuffix(text, "\uff1a")
	}
	return strings.Trim(label, " \t\u00a0\u3000"), ok
}

// showsURL reports whether the text of the link is its URL.
func showsURL(a *anchor, url string) bool {
	text, ok := weburl.InPage(a.text)
	return ok && unwrap.URL(text).URL == unwrap.URL(url).URL
}
