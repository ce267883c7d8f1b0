package externalbody

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/internal/codec/base64x"
	"github.com/go-extbody/extbody/internal/codec/charset"
	"github.com/go-extbody/extbody/internal/codec/multimatch"
	"github.com/go-extbody/extbody/internal/codec/qp"
	"github.com/go-extbody/extbody/internal/link/weburl"
	"github.com/go-extbody/extbody/internal/mailtext"
	"github.com/go-extbody/extbody/internal/mime/message"
)

// readTexts reads the text that p is, and a file of HTML that is uuencoded in it. Several mail programs show such a
// file as an attachment.
func (rd *reader) readTexts(s *source, p *message.Part, header string) error {
	if err := rd.readText(s, p, header); err != nil {
		return err
	}
	wasRead := rd.texts != nil && rd.texts.opened.p == p
	if !wasRead || !mailtext.IsPlain(p.Type) || p.Encoding != message.Identity {
		return nil
	}
	at := int64(fileInText(rd.texts.opened.small))
	if rd.texts.opened.long {
		var err error
		at, err = fileInBody(s, p)
		if err != nil {
			return err
		}
	}
	if at < 0 {
		return nil
	}
	within := *p
	within.Type = "text/html"
	within.Encoding = message.UUEncode
	within.Body.Start += at
	rd.addFile(&within, file{within.Type, p.Type})
	rd.found.parts = append(rd.found.parts, &within)
	return rd.readText(s, &within, "")
}

// readText reads the references that Dialects find in the body of a text part. It looks
// for the Hints in the body, and gives the tokens only if there is a Hint.
//
// QUIRK: a text in an unknown transfer encoding is read as it stands (RFC 2049 section 2
// wants it to be opaque), because programs show it so, for example under "8bit+".
func (rd *reader) readText(s *source, p *message.Part, header string) error {
	if rd.full || p.Body.Len() == 0 || !hasLinks(p.Type) {
		return nil
	}
	rd.prepareTexts()
	if rd.texts.set == nil {
		return nil
	}
	body := rd.openText(textPart{s: s, p: p, file: rd.files[p].as != ""}, header)
	if mailtext.IsPlain(p.Type) {
		if body.err != nil || body.long || bytes.Contains(body.small, []byte("://")) {
			rd.texts.plainParts = append(rd.texts.plainParts, body.textPart)
		}
	}
	if p.Encoding == message.UUEncode && body.showsLink() {
		rd.unread(p, DiagUnknownEncoding, p.Encoding.String())
	}
	search, err := body.search(rd)
	if body.damaged {
		rd.disputed(p)
	}
	if body.armored {
		rd.noteArmor(s, p)
	}
	rd.noteCharset(body)
	if err != nil || search == nil {
		return err
	}
	e := newEntity(s, p, header)
	section := p.Section()
	var readers []func(*Token)
	near := make([]string, 0, 4)
	all := false
	ended := false
	defer func() { ended = true }()
	for i := range rd.opts.Dialects {
		d := &rd.opts.Dialects[i]
		if d.Text == nil || !rd.texts.wants(i, search) {
			continue
		}
		read := d.Text(e, func(ref *Reference, tokens ...*Token) {
			if ref == nil || ended {
				return
			}
			picture := len(ref.Origins) > 0 && ref.Origins[0].Picture
			ref.Origins = []Origin{e.textOrigin(tokens, picture)}
			rd.add(d, e, ref, section)
		})
		if read == nil {
			continue
		}
		readers = append(readers, read)
		near = append(near, d.Near...)
		all = all || d.Near == nil
	}
	emit := func(t *Token) {
		// References beyond MaxReferences are left out.
		if rd.full && t.Kind != EndToken {
			return
		}
		for _, read := range readers {
			read(t)
		}
	}
	var around *mailtext.Near
	if !all && mailtext.IsHTML(p.Type) {
		around = rd.aroundHints(search, near)
	}
	if err := body.walk(rd, e, around, emit); err != nil {
		return err
	}
	rd.note(e)
	return e.err
}

// noteCharset reports a text whose charset is not known, or that programs decode with different ones.
func (rd *reader) noteCharset(body *textBody) {
	// Only the start of a long text was looked at for its charset.
	encoded := body.long || !charset.IsASCII(body.small) || bytes.IndexByte(body.small, escape) >= 0
	if !encoded || body.wide {
		return
	}
	mayBeWide := body.long && charset.IsWideLabel(body.label)
	if mayBeWide || body.disputed || !charset.IsKnown(body.label) {
		rd.unread(body.p, DiagUnknownCharset, body.label)
	}
}

// aroundHints returns the surroundings of the Hints in a text of HTML, with the elements that Dialects name, or
// nil if the whole text has to be walked.
func (rd *reader) aroundHints(search *multimatch.Search, elements []string) *mailtext.Near {
	places, ok := search.Places()
	if !ok || search.Reference() || rd.texts.hidden.Found {
		return nil
	}
	slices.Sort(elements)
	return &mailtext.Near{Places: places, Elements: slices.Compact(elements)}
}

// prepareTexts makes the Set of the Hints when the first text is read, unless the
// message before had the same.
func (rd *reader) prepareTexts() {
	t := rd.pooled()
	if t.prepared {
		return
	}
	t.prepared = true
	if t.isFor(rd.opts.Dialects) {
		return
	}
	t.lists = nil
	t.first = nil
	t.set = nil
	var all []string
	for i := range rd.opts.Dialects {
		hints := rd.opts.Dialects[i].textHints()
		t.lists = append(t.lists, hints)
		t.first = append(t.first, len(all))
		all = append(all, hints...)
	}
	if len(all) == 0 {
		return
	}
	t.set = multimatch.New(all)
	t.html = t.set.NewSearch(true)
	t.plain = t.set.NewSearch(false)
	t.broken = t.set.NewSearch(false)
	t.seeBreak = t.sawBreak
	t.seeLink = t.sawLink
}

// openText returns the body of a text part, whose header is given if it is known. The body is valid until the next
// call.
func (rd *reader) openText(part textPart, header string) *textBody {
	t := rd.texts
	b := &t.opened
	*b = textBody{textPart: part, params: &t.params}
	if field, ok := cutField(header, part.p); ok {
		b.params.Parse(message.FieldValue(field))
	} else {
		b.params, b.err = part.s.contentType(part.p)
	}
	if b.err != nil {
		return b
	}
	b.label, _ = b.params.Get("charset")
	span := part.p.Body
	b.long = span.Len() > smallText
	if b.long {
		return b
	}
	t.body = slices.Grow(t.body[:0], int(span.Len()))[:span.Len()]
	octets := t.body
	if h, ok := part.s.r.(*heldReader); ok && h.octets != nil {
		octets = h.octets[span.Start:span.End]
	} else if n, err := part.s.r.ReadAt(octets, span.Start); n < len(octets) {
		b.err = err
		if err == io.EOF {
			b.err = io.ErrUnexpectedEOF
		}
		return b
	}
	b.small = octets
	switch part.p.Encoding {
	case message.Base64:
		t.text = slices.Grow(t.text[:0], len(octets))[:len(octets)]
		n, ok := decodeBase64(t.text, octets)
		if !ok {
			pieces := base64x.NewPieceReader(bytes.NewReader(octets))
			var err error
			n, err = io.ReadFull(pieces, t.text)
			if err == io.ErrUnexpectedEOF {
				err = nil // the text is shorter than its base64
			}
			b.damaged = message.Damaged(pieces, err)
		}
		b.small = t.text[:n]
	case message.QuotedPrintable:
		decoded, strays := qp.Append(t.body[:0], octets)
		b.small = decoded
		b.damaged = strays > 0 && message.LinksDiffer(part.s.r, span)
	case message.UUEncode:
		b.small, _ = io.ReadAll(message.Decode(bytes.NewReader(octets), message.UUEncode))
	}
	b.disputed = charset.IsDisputed(b.small, b.label)
	if charset.IsWide(b.small, b.label) {
		b.wide = true
		b.small, _ = io.ReadAll(charset.Narrow(bytes.NewReader(b.small), b.small, b.label))
	}
	b.armored = hasArmor(b.small, part.p.Type)
	if mailtext.IsPlain(part.p.Type) {
		plain := undashed(b.small)
		b.file = b.file || len(plain) < len(b.small)
		b.small = plain
	}
	return b
}

// cutField returns the Content-Type field of p from its header. It reports false if it is not all there.
func cutField(header string, p *message.Part) (field string, ok bool) {
	start := p.ContentType.Start - p.Header.Start
	end := p.ContentType.End - p.Header.Start
	whole := int64(len(header)) == p.Header.Len()
	inside := 0 <= start && start <= end && end <= int64(len(header))
	if !whole || !inside {
		return "", false
	}
	return header[start:end], end-start <= maxHeldField
}

// showsLink reports whether programs that do not undo x-uuencode may show a link in the
// body.
func (b *textBody) showsLink() bool {
	links := multimatch.New([]string{"http://", "https://", "ftp://"}).NewSearch(false)
	io.Copy(links, b.p.Body.Reader(b.s.r))
	return links.Any()
}

// escape starts the escape sequences of charsets such as ISO-2022-CN, whose octets are
// octets of ASCII.
const escape = 0x1B

// decodeBase64 decodes a text in which nothing has to be forgiven, and reports whether
// it is such a text. dst is at least as long as text.
func decodeBase64(dst, text []byte) (n int, ok bool) {
	data := bytes.TrimRight(text, "= \t\r\n")
	pads := bytes.Count(text[len(data):], []byte("="))
	n, _ = base64x.Lines(dst, data)
	var tail [4]byte
	whole := n &^ 3
	rest := tail[:copy(tail[:], dst[whole:n])]
	padded := (len(rest)+pads)%4 == 0 && pads < 3 && base64x.ZeroTail(rest)
	n, ok = base64x.Decode(dst, dst[:whole])
	if !ok || !padded {
		return 0, false
	}
	end, ok := base64x.AppendTail(dst[:n], rest)
	return len(end), ok
}

// decoder returns the decoded octets of a long body, in UTF-8 if they are wide. It also
// returns the reader that has the error of the message.
func (b *textBody) decoder() (io.Reader, *message.ErrReader) {
	src := message.NewErrReader(b.p.Body.Reader(b.s.r))
	r := message.Decode(src, b.p.Encoding)
	b.decoded = r
	start := make([]byte, wideSample)
	n, _ := io.ReadFull(r, start)
	start = start[:n]
	b.armored = hasArmor(start, b.p.Type)
	r = io.MultiReader(bytes.NewReader(start), r)
	b.disputed = charset.IsDisputed(start, b.label)
	b.wide = charset.IsWide(start, b.label)
	if b.wide {
		r = charset.Narrow(r, start, b.label)
	}
	return r, src
}

// noteDamage sets damaged for a long text that decoder has read to its end.
func (b *textBody) noteDamage() {
	_, err := b.decoded.Read(make([]byte, 1)) // the error of the end comes again
	b.damaged = b.p.Encoding != message.UUEncode && message.DamagesLinks(b.s.r, b.p, b.decoded, err)
}

// wideSample is how many octets of a long text are examined for UTF-16.
const wideSample = 4 << 10

// search looks for the Hints. It returns the Search if it found one that may be a Hint.
func (b *textBody) search(rd *reader) (*multimatch.Search, error) {
	if b.err != nil {
		return nil, b.err
	}
	t := rd.texts
	t.hidden.Reset()
	if charset.Name(b.label) == "iso-2022-jp" {
		t.hidden.Found = true // an escape sequence may be within a Hint
	}
	if !b.long {
		t.hidden.Found = t.hidden.Found || weburl.HidesHost(b.small)
	}
	if mailtext.IsPlain(b.p.Type) {
		return t.plainSearch(b, rd)
	}
	if !b.long {
		t.html.Look(b.small)
	} else {
		t.html.Reset()
		r, src := b.decoder()
		t.body = slices.Grow(t.body[:0], textPiece)[:textPiece]
		_, err := io.CopyBuffer(io.MultiWriter(t.html, &t.hidden), struct{ io.Reader }{r}, t.body)
		if err != nil && src.Failure() != nil {
			return nil, src.Failure()
		}
		b.noteDamage()
	}
	if !t.html.Any() && !t.html.Reference() && !t.hidden.Found {
		return nil, nil
	}
	return t.html, nil
}

// plainSearch is search for text/plain, where a Hint in a URL may be broken over lines.
func (t *texts) plainSearch(b *textBody, rd *reader) (*multimatch.Search, error) {
	t.broken.Reset()
	if !b.long {
		t.plain.Look(b.small)
		if t.hidden.Found {
			return t.plain, nil
		}
		t.breaks.Each(b.small, t.seeBreak)
		if !t.broken.Any() && mailtext.HasBrokenLink(b.small) {
			mailtext.PlainNear(t.sourceOf(b.small, nil, "utf-8"), nil, t.seeLink)
		}
	} else {
		t.plain.Reset()
		r, src := b.decoder()
		mailtext.PlainNear(t.sourceOf(nil, io.TeeReader(r, io.MultiWriter(t.plain, &t.hidden)), "utf-8"), nil, t.seeLink)
		if src.Failure() != nil {
			return nil, src.Failure()
		}
		b.noteDamage()
	}
	if !t.plain.Any() && !t.broken.Any() && !t.hidden.Found {
		return nil, nil
	}
	return t.plain, nil
}

// sawBreak searches a URL that may have been broken at line ends.
func (t *texts) sawBreak(joined []byte, seams []int) {
	t.hidden.Found = t.hidden.Found || weburl.HidesHost(joined)
	if slices.ContainsFunc(seams, func(at int) bool { return t.broken.MayCross(joined, at) }) {
		t.broken.Write(append(joined, 0))
	}
}

// sawLink searches a URL without the line ends and blanks in it.
func (t *texts) sawLink(tok *mailtext.Token) {
	url := tok.Longer
	if tok.Kind == mailtext.LinkToken {
		url = tok.Text
	}
	if url != "" {
		t.broken.Write([]byte(url + "\x00"))
	}
}

// walk passes the tokens of the body to emit. If near is not nil, these are the tokens of an
// HTML in memory that [Dialect].Near promises.
func (b *textBody) walk(rd *reader, e *Entity, near *mailtext.Near, emit func(*Token)) error {
	text, src := b.source(rd)
	if b.long {
		text.Reader = &boundedText{rd, b.p, text.Reader}
	}
	switch found := b.tokens(e, emit); {
	case mailtext.IsPlain(b.p.Type):
		mailtext.Plain(text, found)
	case near != nil:
		mailtext.HTMLNear(text, near, found)
	default:
		if b.long {
			text.Octets, _ = io.ReadAll(text.Reader)
		}
		mailtext.HTML(text, found)
	}
	return src.Failure()
}

// walkURLs passes to emit the URLs of a text/plain, of the lines that are wanted, and
// the end.
func (b *textBody) walkURLs(rd *reader, e *Entity, wanted func(line []byte) bool, emit func(*Token)) error {
	text, src := b.source(rd)
	mailtext.PlainNear(text, wanted, b.tokens(e, emit))
	return src.Failure()
}

// A boundedText ends a long text when MaxReferences or MaxDecodedBytes is reached.
type boundedText struct {
	rd *reader
	p  *message.Part
	r  io.Reader
}

// Read implements io.Reader.
func (b *boundedText) Read(p []byte) (int, error) {
	if b.rd.full {
		return 0, io.EOF
	}
	n, err := b.r.Read(p)
	if int64(n) > b.rd.left {
		b.rd.exceedDecoded(b.p)
		n = int(b.rd.left)
		err = io.EOF
	}
	b.rd.left -= int64(n)
	return n, err
}

// source returns the body as a text, and the reader that has the error of the message.
func (b *textBody) source(rd *reader) (*mailtext.Source, *message.ErrReader) {
	label := b.label
	var r io.Reader
	var src *message.ErrReader
	if b.long {
		r, src = b.decoder()
	}
	if b.wide {
		label = "utf-8"
	}
	text := rd.texts.sourceOf(b.small, r, label)
	delSp, _ := b.params.Get("delsp")
	format, _ := b.params.Get("format")
	text.DelSp = strings.EqualFold(delSp, "yes") && strings.EqualFold(format, "flowed")
	return text, src
}

// sourceOf returns the Source of a text: the octets of r, or held if r is nil.
func (t *texts) sourceOf(held []byte, r io.Reader, charset string) *mailtext.Source {
	s := &t.source
	s.Octets = held
	s.Reader = r
	s.Charset = charset
	s.DelSp = false
	return s
}

// tokens returns a function that passes the tokens of the body of e to emit. They have no
// places if the text was converted.
func (b *textBody) tokens(e *Entity, emit func(*Token)) func(*mailtext.Token) {
	var t Token
	if b.wide || b.file {
		e = nil
	}
	return func(m *mailtext.Token) {
		attrs := t.Attrs[:0]
		for _, a := range m.Attrs {
			attrs = append(attrs, Field(a))
		}
		t = Token{
			Kind: TokenKind(m.Kind), Name: m.Name, Attrs: attrs, Text: m.Text,
			Longer: m.Longer, Wrapped: m.Wrapped, Certain: m.Certain, LongerEnd: m.LongerEnd,
			Start: m.Start, End: m.End, Quoted: m.Quoted, Ambiguous: m.Ambiguous, Foreign: m.Foreign, source: m,
			span: tokenSpan{entity: e, start: m.Start, end: m.End, longerEnd: m.LongerEnd, picture: m.Kind == mailtext.ContentToken},
		}
		if e == nil {
			t.LongerEnd = 0
			t.Start = 0
			t.End = 0
		}
		emit(&t)
	}
}
