package externalbody

import (
	"bytes"
	"io"

	"github.com/go-extbody/extbody/internal/base64x"
	"github.com/go-extbody/extbody/internal/mailtext"
	"github.com/go-extbody/extbody/internal/mimescan"
	"github.com/go-extbody/extbody/internal/needle"
	"github.com/go-extbody/extbody/internal/quoprint"
)

const (
	// smallText bounds the body of a text that is decoded into memory, once. A
	// longer one is decoded in pieces, and again if it is to be read.
	smallText = 256 << 10

	// textPiece is how much of a long text is decoded at a time.
	textPiece = 64 << 10

	// maxMentions bounds the URLs in all text/plain parts that are compared with
	// what was found.
	maxMentions = 100_000
)

// texts is what the reader of a message needs to read its texts.
type texts struct {
	set        *needle.Set // of the Hints
	owner      []int       // the number of the Dialect that each of them is of
	html       *needle.Search
	plain      *needle.Search
	broken     *needle.Search // of links that are broken over lines
	body, text []byte         // buffers
	source     textSource     // what the texts are read from, one after the other

	plainParts []textPart // those that were seen
}

// A textPart is a text part of a source.
type textPart struct {
	s *source
	p *mimescan.Part
}

// readText reads what the Dialects find in the decoded body of a text part. The
// body is decoded for the Hints, and its tokens are only given if there is one.
func (rd *reader) readText(s *source, p *mimescan.Part, header string) error {
	if p.Encoding == mimescan.OtherEncoding || p.Body.Len() == 0 || p.Type != "text/html" && p.Type != "text/plain" {
		return nil
	}
	rd.prepareTexts()
	if rd.texts.set == nil {
		return nil
	}
	part := textPart{s, p}
	if p.Type == "text/plain" {
		rd.texts.plainParts = append(rd.texts.plainParts, part)
	}
	body := rd.openText(part)
	search, err := body.search(rd)
	if err != nil || search == nil {
		return err
	}
	e := newEntity(s, p, header)
	section := p.Section()
	var readers []func(*Token)
	for i := range rd.opts.Dialects {
		d := &rd.opts.Dialects[i]
		if d.Text != nil && rd.texts.wants(i, search) {
			readers = append(readers, d.Text(e, func(ref *Reference) { rd.add(d, e, ref, section) }))
		}
	}
	if err := body.walk(rd, e, false, func(t *Token) {
		for _, read := range readers {
			read(t)
		}
	}); err != nil {
		return err
	}
	return e.err
}

// prepareTexts makes the Set of the Hints when the first text is read.
func (rd *reader) prepareTexts() {
	t := &rd.texts
	if t.set != nil {
		return
	}
	var hints []string
	for i, d := range rd.opts.Dialects {
		if d.Text == nil {
			continue
		}
		for _, h := range d.Hints {
			hints = append(hints, h)
			t.owner = append(t.owner, i)
		}
	}
	if len(hints) == 0 {
		return
	}
	t.set = needle.New(hints)
	t.html = t.set.NewSearch(true)
	t.plain = t.set.NewSearch(false)
	t.broken = t.set.NewSearch(false)
}

// wants reports whether a Dialect has a Hint in what was searched, or may have one
// that is written with character references.
func (t *texts) wants(dialect int, search *needle.Search) bool {
	for i, owner := range t.owner {
		if owner == dialect && (search.Found(i) || search == t.html && search.Reference() || search == t.plain && t.broken.Found(i)) {
			return true
		}
	}
	return false
}

// A textBody is the body of a text part: in memory if it is small.
type textBody struct {
	textPart
	small []byte
	long  bool
	err   error
}

// openText returns the body of a text part. It is valid until the next call.
func (rd *reader) openText(part textPart) *textBody {
	b := &textBody{textPart: part}
	span := part.p.Body
	if b.long = span.Len() > smallText; b.long {
		return b
	}
	t := &rd.texts
	t.body = grown(t.body, int(span.Len()))
	n, err := part.s.r.ReadAt(t.body, span.Start)
	if n < len(t.body) {
		if b.err = err; err == io.EOF {
			b.err = io.ErrUnexpectedEOF
		}
		return b
	}
	b.small = t.body
	switch part.p.Encoding {
	case mimescan.Base64:
		t.text = grown(t.text, len(t.body))
		n, ok := decodeBase64(t.text, t.body)
		if !ok {
			n, _ = io.ReadFull(base64x.NewMailReader(bytes.NewReader(t.body)), t.text)
		}
		b.small = t.text[:n]
	case mimescan.QuotedPrintable:
		b.small = quoprint.Append(t.body[:0], t.body)
	}
	return b
}

// decodeBase64 decodes to dst, of the length of text at least, a text in which
// nothing has to be forgiven, and reports whether it is one. Padding at the end says
// nothing that its length does not.
func decodeBase64(dst, text []byte) (n int, ok bool) {
	text = bytes.TrimRight(text, "= \t\r\n")
	for used := 0; ; used++ {
		k := base64x.Run(dst[n:], text[used:])
		n, used = n+k, used+k
		if used == len(text) {
			break
		}
		if c := text[used]; c != '\r' && c != '\n' && c != ' ' && c != '\t' {
			return 0, false
		}
	}
	var tail [4]byte
	whole := n &^ 3
	rest := tail[:copy(tail[:], dst[whole:n])]
	if n, ok = base64x.Decode(dst, dst[:whole]); !ok {
		return 0, false
	}
	end, ok := base64x.AppendTail(dst[:n], rest)
	return len(end), ok
}

// grown returns a buffer of n octets, in b if that is large enough.
func grown(b []byte, n int) []byte {
	if cap(b) < n {
		return make([]byte, n, max(n, 2*cap(b)))
	}
	return b[:n]
}

// decoder returns the decoded octets of a long body, and the reader that knows
// what went wrong.
func (b *textBody) decoder() (io.Reader, *errReader) {
	src := &errReader{r: io.NewSectionReader(b.s.r, b.p.Body.Start, b.p.Body.Len())}
	switch b.p.Encoding {
	case mimescan.Base64:
		return base64x.NewMailReader(src), src
	case mimescan.QuotedPrintable:
		return quoprint.NewReader(src), src
	}
	return src, src
}

// search looks for the Hints, and returns the Search if there is one that may be.
func (b *textBody) search(rd *reader) (*needle.Search, error) {
	if b.err != nil {
		return nil, b.err
	}
	t := &rd.texts
	if b.p.Type == "text/plain" {
		return t.plainSearch(b, rd)
	}
	t.html.Reset()
	if !b.long {
		t.html.Write(b.small)
	} else {
		r, src := b.decoder()
		t.body = grown(t.body, textPiece)
		if _, err := io.CopyBuffer(struct{ io.Writer }{t.html}, struct{ io.Reader }{r}, t.body); err != nil && src.err != nil {
			return nil, src.err
		}
	}
	if !t.html.Any() && !t.html.Reference() {
		return nil, nil
	}
	return t.html, nil
}

// plainSearch is search for text/plain, where a Hint may be broken over lines in a
// link.
func (t *texts) plainSearch(b *textBody, rd *reader) (*needle.Search, error) {
	t.plain.Reset()
	t.broken.Reset()
	links := func(tok *mailtext.Token) {
		if tok.Kind == mailtext.LinkToken {
			t.broken.Write([]byte(tok.Text))
			t.broken.Write([]byte{0})
		}
	}
	if !b.long {
		t.plain.Write(b.small)
		if !t.plain.Any() && mailtext.HasLink(b.small) {
			mailtext.Plain(t.source.of(b.small, nil, "utf-8"), true, links)
		}
	} else {
		r, src := b.decoder()
		mailtext.Plain(t.source.of(nil, io.TeeReader(r, t.plain), "utf-8"), true, links)
		if src.err != nil {
			return nil, src.err
		}
	}
	if !t.plain.Any() && !t.broken.Any() {
		return nil, nil
	}
	return t.plain, nil
}

// walk gives the tokens of the body, or only its links if it is a text/plain.
func (b *textBody) walk(rd *reader, e *Entity, linksOnly bool, emit func(*Token)) error {
	label, _ := e.Param("charset")
	var r io.Reader
	var src *errReader
	if b.long {
		r, src = b.decoder()
	}
	text := rd.texts.source.of(b.small, r, label)
	if b.p.Type == "text/plain" {
		mailtext.Plain(text, linksOnly, tokens(emit))
	} else {
		mailtext.HTML(text, tokens(emit))
	}
	if src != nil {
		return src.err
	}
	return nil
}

// readMentions finds the places in text/plain parts that name what was found
// elsewhere in the message: the twin of a block in HTML, in which a link has no
// mark that tells it from others.
func (rd *reader) readMentions() error {
	if len(rd.found.links) == 0 {
		return nil
	}
	left := maxMentions
	for _, part := range rd.texts.plainParts {
		body := rd.openText(part)
		if body.err != nil {
			return body.err
		}
		header, err := part.s.header(part.p)
		if err != nil {
			return err
		}
		e := newEntity(part.s, part.p, header)
		section := part.p.Section()
		mention := func(url string, start, end int64, quoted bool) bool {
			if left--; left < 0 {
				return false
			}
			ref := NewMention(url)
			known := rd.found.links[rd.found.destination(part.p, ref.destination(section))]
			if known == nil || !known.known {
				return false
			}
			ref.Origins[0].Start, ref.Origins[0].End = start, end
			ref.Quoted = quoted
			rd.add(&rd.opts.Dialects[known.places[0].dialect], e, ref, section)
			return true
		}
		if err := body.walk(rd, e, false, func(t *Token) {
			if t.Kind != LinkToken && t.Kind != URLToken {
				return
			}
			if t.Wrapped && mention(t.Longer, t.Start, t.LongerEnd, t.Quoted) || mention(t.Text, t.Start, t.End, t.Quoted) {
				return
			}
			if t.Longer != "" && !t.Wrapped {
				mention(t.Longer, t.Start, t.LongerEnd, t.Quoted)
			}
		}); err != nil {
			return err
		}
	}
	return nil
}
