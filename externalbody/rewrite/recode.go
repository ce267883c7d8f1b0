package rewrite

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/internal/mime/message"
	"github.com/go-extbody/extbody/internal/mime/param"
)

// recode gives the leaves of a multipart or message of type v transfer encodings that
// the transport carries, since it must not be encoded as a whole (RFC 2045 section
// 6.4). The result is a body of its own. It is nil if the body is not a message with a
// header, or if a leaf cannot be changed because it is signed or encrypted, is in a
// signed message, or is of a type that must not be encoded.
func (x *inliner) recode(ctx context.Context, v *param.Value, k *sink, around []string, eight bool) (*sink, error) {
	if !message.IsMultipart(v.Type) && v.Type != "message/rfc822" {
		return nil, nil // RFC 2046 section 5.2.2: message/partial stays 7bit
	}
	index, err := scanComposite(v, k)
	if err != nil || index.Limit != nil {
		return nil, err
	}
	src := k.reader()
	var edits []edit
	g := newGuard(nil, src, Transit, true)
	for _, p := range index.Parts {
		if p.Encoding != message.Identity || p.Last() != nil {
			continue
		}
		body := io.NewSectionReader(src, p.Body.Start, p.Body.Len())
		var s survey
		if _, err := io.CopyBuffer(&s, struct{ io.Reader }{body}, x.buf); err != nil {
			return nil, err
		}
		s.finish()
		mixed := s.cr > 0 || s.nul || s.lf > 0 && s.crlf > 0
		allowed := s.high == 0 || eight
		if allowed && !mixed && !s.long {
			continue
		}
		if reason, err := g.refuseEntity(p); reason != nil || err != nil || isComposite(p.Type) {
			return nil, err
		}
		if !takesLabel(p) {
			return nil, nil
		}
		eol, err := lineEnd(src, p)
		if err != nil {
			return nil, err
		}
		c := &coding{eol: eol}
		c.name, c.crlf = choose(&s, kind{text: strings.HasPrefix(p.Type, "text/"), part: true}, eight, eol)
		if c.name != inBase64 {
			clash := newClashWriter(append(boundaries(p), around...))
			body.Seek(0, io.SeekStart)
			if err := c.encode(clash, body, x.buf); err != nil {
				return nil, err
			}
			if clash.found {
				c.name = inBase64
			}
		}
		_, head, err := label(src, p, c.name)
		if err != nil {
			return nil, err
		}
		edits = append(edits, head, edit{p.Body, func(w io.Writer) error {
			body.Seek(0, io.SeekStart)
			return c.encode(w, body, x.buf)
		}})
	}
	out := x.sink()
	if err := splice(ctx, out, src, k.len(), edits); err != nil {
		out.Reset()
		return nil, err
	}
	out.survey.finish()
	return out, nil
}

// scanComposite indexes a body of type v: the parts of a multipart, or a message.
func scanComposite(v *param.Value, k *sink) (*message.Index, error) {
	if !message.IsMultipart(v.Type) {
		return message.Scan(k.reader(), k.len(), message.Limits{})
	}
	h := &header{eol: "\r\n"}
	h.params("Content-Type", v.Type, v.Params)
	h.line(encodingField + ": " + inBase64) // so that the parts are in another source
	h.line("")
	outer, err := message.Scan(bytes.NewReader(h.text), int64(len(h.text)), message.Limits{})
	if err != nil || !outer.Root().Encoded {
		return outer, err
	}
	return outer.ScanDecoded(outer.Root(), k.reader(), k.len())
}

// maxLabel is the length of a label that is written into a header.
const maxLabel = int64(len(encodingField + ": " + eightBit + "\r\n"))

// canRaise reports whether the labels of all parts around p can be made 8bit. Labels
// cannot if the part is of a type that must be 7bit, or if its header does not end with
// a line end of its own.
func (x *inliner) canRaise(p *message.Part) bool {
	for q := p.Parent; q != nil; q = q.Parent {
		if !takesLabel(q) || q.Encoding != message.Identity {
			return false
		}
		isMessage := q.Type == "message/rfc822" || q.Type == "message/global"
		if !isMessage && !message.IsMultipart(q.Type) {
			return false
		}
	}
	return true
}

// raise makes the labels of the parts around p cover 8bit data (RFC 2045
// section 6.4).
func (x *inliner) raise(p *message.Part) error {
	for q := p.Parent; q != nil && !x.raised[q]; q = q.Parent {
		x.raised[q] = true
		old, head, err := label(x.r, q, eightBit)
		if err != nil {
			return err
		}
		if !covers8bit(old) {
			x.edits = append(x.edits, head)
		}
	}
	return nil
}

// takesLabel reports whether a label can be written into the header of p.
func takesLabel(p *message.Part) bool {
	return p.Header.Len() > 0 && p.Header.Len() <= maxHeader && p.Blank.Len() > 0
}

// label returns the value of the transfer encoding of p, and the edit that changes it.
func label(r io.ReaderAt, p *message.Part, encoding string) (old string, change edit, err error) {
	eol, fault := lineEnd(r, p)
	f, err := lookup(r, p, encodingField)
	if f.Name == "" {
		f.Span = message.Span{Start: p.Header.End, End: p.Header.End}
	}
	return f.Value, text(f.Span, []byte(encodingField+": "+encoding+eol)), cmp.Or(fault, err)
}

// covers8bit reports whether a label already allows 8bit data.
func covers8bit(value string) bool {
	endsToken := func(c rune) bool { return c <= ' ' || c == '(' || c == ';' }
	for _, token := range strings.FieldsFunc(strings.ToLower(value), endsToken) {
		return token == eightBit || token == "binary"
	}
	return false
}

// hides reports whether a multipart in a body of type v has a boundary that starts with
// one of those around it. A reader who looks only at the starts of lines would take
// its delimiter lines for delimiters of the outer multipart.
func hides(v *param.Value, k *sink, around []string) (bool, error) {
	index, err := scanComposite(v, k)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(index.Parts, func(p *message.Part) bool {
		return p.Boundary != "" && slices.ContainsFunc(around, func(b string) bool {
			return strings.HasPrefix(b, p.Boundary)
		})
	}), nil
}
