package rewrite

import (
	"strings"

	"github.com/go-extbody/extbody/internal/mime/message"
)

const encodingField = "Content-Transfer-Encoding"

// maxLabel is the length of a label that is written into a header.
const maxLabel = int64(len(encodingField + ": " + eightBit + "\r\n"))

// canRaise reports whether the labels of all parts around p can be made 8bit. Labels
// cannot if the part is of a type that must be 7bit, or if its header does not end with
// a line end of its own.
func (x *inliner) canRaise(p *message.Part) bool {
	for q := p.Parent; q != nil; q = q.Parent {
		if q.Header.Len() == 0 || q.Header.Len() > maxHeader || q.Blank.Len() == 0 {
			return false
		}
		if q.Encoding != message.Identity || !message.IsMultipart(q.Type) && q.Type != "message/rfc822" && q.Type != "message/global" {
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
		header, err := message.ReadSpan(x.r, q.Header)
		if err != nil {
			return local(err)
		}
		field, ok := message.Lookup(header, encodingField, q.Header.Start)
		span := field.Span
		if !ok {
			span = message.Span{Start: q.Header.End, End: q.Header.End}
		}
		if covers8bit(field.Value) {
			continue
		}
		eol := "\r\n"
		if !strings.HasSuffix(header, "\r\n") {
			eol = "\n"
		}
		x.edits = append(x.edits, text(span, []byte(encodingField+": "+eightBit+eol)))
	}
	return nil
}

// covers8bit reports whether a label already allows 8bit data.
func covers8bit(value string) bool {
	for _, token := range strings.FieldsFunc(strings.ToLower(value), func(c rune) bool { return c <= ' ' || c == '(' || c == ';' }) {
		return token == eightBit || token == "binary"
	}
	return false
}
