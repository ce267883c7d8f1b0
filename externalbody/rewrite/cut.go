package rewrite

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"strings"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/mime/param"
)

var (
	errCharset  = errors.New("in a charset in which no text can be written")
	errUnplaced = errors.New("its place in the text is not known")
	errRecode   = errors.New("in a text whose transfer encoding cannot be written again")
)

// A cut replaces octets of a text.
type cut struct {
	start, end int64
	notice     string
}

// cut returns the edits that make cuts in the decoded body of p, which are in order and
// do not overlap, and that remove a Content-MD5. Its error is the reason why they cannot be
// made, or one of the source.
func (l *layout) cut(p *message.Part, cuts []cut) (list []edit, err error) {
	md5, err := lookup(l.r, p, "Content-MD5")
	if err != nil {
		return nil, err
	}
	if md5.Name != "" {
		list = append(list, text(md5.Span, nil))
	}
	field, err := message.ReadSpan(l.r, p.ContentType.First(maxHeader))
	if err != nil {
		return nil, local(err)
	}
	charset, _ := param.Parse(message.FieldValue(field)).Get("charset")
	if isWide(charset) || strings.EqualFold(charset, "utf-7") {
		return nil, leave(fetch.Unsupported, errCharset)
	}
	if p.Encoding == message.Identity || p.Encoding == message.OtherEncoding {
		for _, cut := range cuts {
			span := message.Span{Start: p.Body.Start + cut.start, End: p.Body.Start + cut.end}
			list = append(list, text(span, []byte(cut.notice)))
		}
		return list, nil
	}
	body, err := l.recoded(p, cuts)
	return append(list, text(p.Body, body)), err
}

// maxRecoded bounds a text under a transfer encoding, which is held in memory.
const maxRecoded = 32 << 20

// recoded returns the body of p with cuts made, in its transfer encoding.
func (l *layout) recoded(p *message.Part, cuts []cut) ([]byte, error) {
	c := coding{eol: "\r\n", last: p.Body.End == l.index.Size}
	switch p.Encoding {
	case message.Base64:
		c.name = inBase64
	case message.QuotedPrintable:
		c.name = quotedPrintable
	default:
		return nil, leave(fetch.Unsupported, errRecode)
	}
	eol, err := lineEnd(l.r, p)
	if err != nil {
		return nil, err
	}
	decode := func(r io.Reader) ([]byte, error) {
		decoded := message.Decode(r, p.Encoding)
		octets, err := io.ReadAll(io.LimitReader(decoded, maxRecoded+1))
		if message.DamagesLinks(l.r, p, decoded, err) {
			err = cmp.Or(err, errRecode)
		}
		return octets, err
	}
	old, err := decode(io.NewSectionReader(l.r, p.Body.Start, p.Body.Len()))
	isPast := len(cuts) > 0 && cuts[len(cuts)-1].end > int64(len(old))
	if err != nil || len(old) > maxRecoded || isPast {
		return nil, leave(fetch.Unsupported, errRecode)
	}
	var body []byte
	at := int64(0)
	for _, cut := range cuts {
		body = append(append(body, old[at:cut.start]...), cut.notice...)
		at = cut.end
	}
	body = append(body, old[at:]...)
	// Line ends LF in quoted-printable are the line ends of the message.
	c.eol = eol
	var encoded bytes.Buffer
	clash := newClashWriter(boundaries(p))
	if err := c.encode(io.MultiWriter(&encoded, clash), bytes.NewReader(body), make([]byte, 4<<10)); err != nil {
		return nil, err
	}
	again, err := decode(bytes.NewReader(encoded.Bytes()))
	if err != nil || clash.found || !bytes.Equal(again, body) {
		return nil, leave(fetch.Unsupported, errRecode)
	}
	return encoded.Bytes(), nil
}
