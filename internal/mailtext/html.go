package mailtext

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"

	"github.com/go-extbody/extbody/internal/link/unwrap"
)

const (
	// After a token of more than keptToken octets or keptAttrs attributes, a tokenizer
	// is replaced by a new one. It would keep the memory of its largest token, and clear
	// it for each tag.
	keptToken = 4 << 10
	keptAttrs = 64
)

// An htmlWalker gives the tokens of a text/html part. Comments give no tokens, nor does
// the content of elements that do not show it as text, such as style and title. There are
// two exceptions: a script that is data, and what a comment hides from all programs except
// Outlook ("<!--[if mso]>"), if nothing of that goes on after the comment.
type htmlWalker struct {
	feed  *feed
	chars *textDecoder
	emit  func(*Token)
	limit int // of a token

	z       *html.Tokenizer
	off     int64 // where the current token begins
	token   Token
	quote   htmlQuote
	raw     string // the element that was just opened, if its content is not markup
	written []byte // the last text, as written
	data    bool   // raw is a script that is data
}

// walk gives the tokens of the text from the position of the feed on. A token begins
// there.
func (w *htmlWalker) walk() {
	w.restart()
	for {
		kind := w.z.Next()
		raw := w.z.Raw()
		if len(raw) >= w.limit-len("</") {
			if !w.walkLong(kind, len(raw)) {
				break
			}
			continue
		}
		if kind == html.ErrorToken {
			break // a tag that the end of the text cuts is not a tag (HTML section 13.2.5.8)
		}
		if kind == html.CommentToken {
			w.walkComment(raw)
			w.off += int64(len(raw))
			continue
		}
		end := w.off + int64(len(raw))
		long := len(raw) > keptToken
		w.walkToken(kind, raw, end)
		w.off = end
		if long || len(w.token.Attrs) > keptAttrs && kind != html.TextToken {
			w.feed.advance(-len(w.z.Buffered()))
			w.skipRaw()
			w.restart()
		}
	}
	end := w.off + int64(len(w.z.Raw()))
	w.token = Token{Kind: EndToken, Start: end, End: end, Quoted: w.quote.open()}
	w.emit(&w.token)
}

// walkComment gives the tokens in a comment that Outlook shows. It gives none for other
// comments.
func (w *htmlWalker) walkComment(raw []byte) {
	n := shownLen(raw, w.limit)
	if n == 0 {
		return
	}
	x := lexer{text: raw, pos: n, limit: w.limit, to: len(raw)}
	var l lexeme
	for x.next(&l) {
		if w.dropLong(&l); l.kind == skippedLexeme {
			continue
		}
		w.makeToken(&x, &l)
		w.token.Start += w.off
		w.token.End += w.off
		w.give()
	}
}

// restart makes a new tokenizer that begins at the position of the feed.
func (w *htmlWalker) restart() {
	w.z = html.NewTokenizer(w.feed)
	w.z.SetMaxBuf(w.limit)
}

// walkToken gives a token that the tokenizer has read whole.
func (w *htmlWalker) walkToken(kind html.TokenType, raw []byte, end int64) {
	inRaw, isData := w.raw, w.data
	w.raw, w.data = "", false
	w.token = Token{Attrs: w.token.Attrs[:0], Start: w.off, End: end}
	switch kind {
	case html.TextToken:
		if isData {
			// A script has no character references (HTML section 13.2.5.4).
			w.token.Kind, w.token.Text = DataToken, w.chars.text(raw)
			break
		}
		if inRaw != "" {
			return
		}
		w.token.Kind = TextToken
		w.setText(raw)
	case html.StartTagToken, html.SelfClosingTagToken:
		w.token.Kind = StartTagToken
		w.setTag(raw)
		w.raw = rawElement(w.token.Name)
		w.data = w.raw == "script" && isDataScript(&w.token)
		if w.token.Name == "noscript" {
			w.z.NextIsNotRawText() // a mail program runs no scripts, and shows it
		}
	case html.EndTagToken:
		w.token.Kind = EndTagToken
		name, _ := w.z.TagName()
		w.token.Name = w.chars.text(name)
	default:
		return
	}
	w.give()
}

// give gives the token.
func (w *htmlWalker) give() {
	w.token.Quoted = w.quote.see(&w.token)
	if w.token.Kind == TextToken && strings.Contains(w.token.Text, "://") {
		w.giveURLs(w.token)
	}
	w.emit(&w.token)
}

// giveURLs gives the URLs in a text. A URL in angle brackets may be broken over lines, as
// in a text/plain that was converted to HTML.
func (w *htmlWalker) giveURLs(text Token) {
	exact := int64(len(text.Text)) == text.End-text.Start
	written := w.written // what may have the next URL; nil if that is not known
	for start, end := range bareURLs(text.Text) {
		t := text
		t.Kind, t.Text = URLToken, text.Text[start:end]
		if start > 0 && text.Text[start-1] == '<' {
			if n := strings.IndexAny(text.Text[start:min(len(text.Text), start+maxLink)], "<>"); n > 0 && linkEnd([]byte(text.Text[start-1:start+n+1]), 0) > 0 {
				end = start + n
				t.Text = unwrap.Join(text.Text[start:end])
			}
		}
		if exact {
			t.Start, t.End = text.Start+int64(start), text.Start+int64(end)
		} else if written != nil {
			at, n := indexWritten(written, text.Text[start:end])
			if written = written[at+n:]; n == 0 {
				written = nil // one search that fails is enough
			} else {
				t.End = text.End - int64(len(written))
				t.Start = t.End - int64(n)
			}
		}
		w.emit(&t)
	}
}

// indexWritten returns where url is in a text as written, and how long it is there. It is
// there as it is, or with "&amp;" for each "&". The length is 0 if it is not.
func indexWritten(text []byte, url string) (at, n int) {
	if at = bytes.Index(text, []byte(url)); at >= 0 {
		return at, len(url)
	}
	url = strings.ReplaceAll(url, "&", "&amp;")
	if at = bytes.Index(text, []byte(url)); at >= 0 {
		return at, len(url)
	}
	return 0, 0
}

// setText sets the text of the token. raw is that text as written.
func (w *htmlWalker) setText(raw []byte) {
	w.written = raw
	text := w.chars.text(raw)
	if strings.IndexByte(text, '\r') >= 0 {
		text = lineEnds.Replace(text)
	}
	w.token.Text = html.UnescapeString(text)
}

// lineEnds replaces each line end by LF (HTML section 13.2.3.5).
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// setTag sets the name and the attributes of the token to those of a start tag. It does
// not take them from the tokenizer, which copies each of them several times, and decodes
// character references as UTF-8 before the charset of the part is converted.
func (w *htmlWalker) setTag(raw []byte) {
	tag := w.chars.text(raw)
	end := len("<")
	for end < len(tag) && !isBlank(tag[end]) && tag[end] != '/' && tag[end] != '>' {
		end++
	}
	w.token.Name = tagName(tag[len("<"):end])
	for {
		var key, value string
		key, value, end = nextAttr(tag, end)
		if key == "" {
			return
		}
		key = tagName(key)
		if _, ok := w.token.Attr(key); !ok {
			w.token.Attrs = append(w.token.Attrs, Attr{key, attrValue(value)})
		}
	}
}

// walkLong gives a token that is too long for the tokenizer, which has read n octets of
// it. It reports whether the text goes on.
func (w *htmlWalker) walkLong(kind html.TokenType, n int) bool {
	w.feed.advance(-n - len(w.z.Buffered()))
	raw := w.feed.peek(n)[:n]
	defer w.restart()
	switch {
	case w.raw != "":
		w.skipRaw()
	case kind == html.TextToken:
		// A tag or a character reference that may begin at the end belongs to the next
		// piece.
		if i := bytes.LastIndexAny(raw, "<&"); i > n-40 && i > 0 {
			raw = raw[:i]
		}
		w.token = Token{Kind: TextToken, Attrs: w.token.Attrs[:0], Start: w.off, End: w.off + int64(len(raw))}
		w.setText(raw)
		w.give()
		w.feed.advance(len(raw))
	case bytes.HasPrefix(raw, []byte("<!--")):
		w.skipPast(len("<!--"), "-->", "--!>")
	case raw[1] == '!' || raw[1] == '?' || raw[1] == '/' && !isLetter(raw[2]):
		w.skipPast(len("<!"), ">")
	default:
		return w.walkLongTag()
	}
	w.off = w.feed.offset()
	return len(w.feed.peek(1)) > 0
}

// walkLongTag gives the tag at the position of the feed, without its attributes. It
// reports whether the tag ends.
func (w *htmlWalker) walkLongTag() bool {
	w.token = Token{Kind: StartTagToken, Attrs: w.token.Attrs[:0], Start: w.off}
	b := w.feed.peek(len("</") + 64)[1:]
	if b[0] == '/' {
		w.token.Kind = EndTagToken
		b = b[1:]
	}
	if i := bytes.IndexAny(b[:min(len(b), 64)], " \t\r\n\f/>"); i >= 0 {
		w.token.Name = strings.ToLower(w.chars.text(b[:i]))
	}
	if !w.skipTag() {
		w.off = w.feed.offset()
		return false
	}
	w.off = w.feed.offset()
	w.token.End = w.off
	w.give()
	if w.token.Kind == StartTagToken {
		w.raw = rawElement(w.token.Name)
		w.skipRaw()
	}
	return true
}

// skipPast skips the first n octets and everything up to and with the first of ends, or
// the rest of the text. Each of ends has 1 to 4 octets.
func (w *htmlWalker) skipPast(n int, ends ...string) {
	for {
		b := w.feed.peek(maxToken)
		if len(b) <= n {
			w.feed.advance(len(b))
			return
		}
		first, after := -1, 0
		for _, end := range ends {
			if i := bytes.Index(b[n:], []byte(end)); i >= 0 && (first < 0 || i < first) {
				first, after = i, i+len(end)
			}
		}
		if first >= 0 {
			w.feed.advance(n + after)
			return
		}
		w.feed.advance(max(n, len(b)-3))
		n = 0
		if len(b) < maxToken {
			w.feed.advance(len(w.feed.peek(maxToken)))
			return
		}
	}
}

// skipTag skips the tag at the position of the feed (HTML section 13.2.5.8 and the
// sections that it leads to). It reports whether the tag ends.
func (w *htmlWalker) skipTag() bool {
	const (
		inName = iota
		beforeKey
		inKey
		afterKey
		beforeValue
		inValue
		inDouble
		inSingle
	)
	state := inName
	w.feed.advance(len("<x")) // in an end tag, x is the "/", and a letter follows
	for {
		b := w.feed.peek(1)
		if len(b) == 0 {
			return false
		}
		for i := 0; i < len(b); i++ {
			c := b[i]
			switch state {
			case inDouble, inSingle:
				quote := byte('"')
				if state == inSingle {
					quote = '\''
				}
				n := bytes.IndexByte(b[i:], quote)
				if n < 0 {
					i = len(b)
					break
				}
				i += n
				state = beforeKey
				continue
			case beforeValue:
				switch {
				case c == '"':
					state = inDouble
					continue
				case c == '\'':
					state = inSingle
					continue
				case isBlank(c):
					continue
				}
				state = inValue
			}
			switch {
			case i == len(b):
			case c == '>':
				w.feed.advance(i + 1)
				return true
			case isBlank(c):
				switch state {
				case inKey:
					state = afterKey
				case inName, inValue:
					state = beforeKey
				}
			case state == inValue:
			case c == '/':
				state = beforeKey
			case c == '=' && (state == inKey || state == afterKey):
				state = beforeValue
			case state != inName:
				state = inKey
			}
		}
		w.feed.advance(len(b))
	}
}

// skipRaw skips the content of the element w.raw: everything up to its end tag, or the
// rest of the text. It does nothing if w.raw is "".
func (w *htmlWalker) skipRaw() {
	name := w.raw
	w.raw, w.data = "", false
	defer func() { w.off = w.feed.offset() }()
	if name == "" {
		return
	}
	for {
		b := w.feed.peek(maxToken)
		for i := 0; ; i += len("</") {
			n := bytes.Index(b[i:], []byte("</"))
			if n < 0 || name == "plaintext" {
				break
			}
			i += n
			rest := b[i+len("</"):]
			if len(rest) <= len(name) {
				break
			}
			if c := rest[len(name)]; strings.EqualFold(string(rest[:len(name)]), name) && (isBlank(c) || c == '/' || c == '>') {
				w.feed.advance(i)
				return
			}
		}
		if len(b) < maxToken {
			w.feed.advance(len(b))
			return
		}
		w.feed.advance(len(b) - len("</>") - len(name))
	}
}

// isDataScript reports whether a script is JSON-LD.
func isDataScript(t *Token) bool {
	kind, _ := t.Attr("type")
	return isDataType(kind)
}

// isDataType reports whether the type of a script is that of JSON-LD.
func isDataType(kind string) bool {
	kind, _, _ = strings.Cut(kind, ";")
	return strings.EqualFold(strings.TrimSpace(kind), "application/ld+json")
}

// rawElement is rawName for the name of a token.
func rawElement(name string) string { return rawName([]byte(name)) }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// isBlank reports whether c is white space in a tag.
func isBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' }

// An htmlQuote follows which part of a text/html is a quoted or forwarded message.
type htmlQuote struct {
	blockquotes int
	divs        int
	marked      int  // the value of divs when the outermost div that is a quote was opened, or 0
	rest        bool // everything that follows is quoted
}

// quoteClasses are the classes of the div around what is quoted or forwarded, as Gmail,
// Thunderbird, Yahoo and Proton write it. Mailers that quote such a message may put a
// prefix before the class.
var quoteClasses = []string{"gmail_quote", "gmail_quote_container", "moz-forward-container", "yahoo_quoted", "protonmail_quote"}

// outlookQuote is the id of the block of header fields that Outlook puts above a quoted
// message. Everything that follows is quoted. Mailers may put a prefix before the id.
const outlookQuote = "divRplyFwdMsg"

func (q *htmlQuote) open() bool { return q.rest || q.blockquotes > 0 || q.marked > 0 }

// see notes what a token means for quotes, and reports whether the token is quoted.
func (q *htmlQuote) see(t *Token) bool {
	switch t.Kind {
	case TextToken:
		q.rest = q.rest || isSeparator(t.Text)
	case EndTagToken:
		defer q.close(t.Name)
	case StartTagToken:
		switch t.Name {
		case "blockquote":
			q.blockquotes++
		case "div":
			q.divs++
			if q.marked == 0 && isQuoteClass(t) {
				q.marked = q.divs
			}
		}
		if id, ok := t.Attr("id"); ok && strings.HasSuffix(id, outlookQuote) {
			q.rest = true
		}
	}
	return q.open()
}

// close notes an end tag.
func (q *htmlQuote) close(name string) {
	switch name {
	case "blockquote":
		q.blockquotes = max(0, q.blockquotes-1)
	case "div":
		if q.marked == q.divs {
			q.marked = 0
		}
		q.divs = max(0, q.divs-1)
	}
}

func isQuoteClass(t *Token) bool {
	classes, _ := t.Attr("class")
	for class := range strings.FieldsSeq(classes) {
		for _, c := range quoteClasses {
			if strings.HasSuffix(class, c) {
				return true
			}
		}
	}
	return false
}
