package externalbody

import (
	"io"

	"github.com/go-extbody/extbody/internal/mailtext"
)

// A textSource is the Source of one text after another. They share a window.
type textSource struct{ mailtext.Source }

// of returns the Source of a text: what r reads, or held if r is nil.
func (s *textSource) of(held []byte, r io.Reader, charset string) *mailtext.Source {
	s.Octets, s.Reader, s.Charset, s.DelSp = held, r, charset, false
	return &s.Source
}

// tokens returns a function that passes the tokens of a text to emit. They have no
// places if placed is false.
func tokens(placed bool, emit func(*Token)) func(*mailtext.Token) {
	var t Token
	return func(m *mailtext.Token) {
		attrs := t.Attrs[:0]
		for _, a := range m.Attrs {
			attrs = append(attrs, Param(a))
		}
		t = Token{
			Kind: TokenKind(m.Kind), Name: m.Name, Attrs: attrs, Text: m.Text,
			Longer: m.Longer, Wrapped: m.Wrapped, LongerEnd: m.LongerEnd,
			Start: m.Start, End: m.End, Quoted: m.Quoted,
		}
		if !placed {
			t.LongerEnd, t.Start, t.End = 0, 0, 0
		}
		emit(&t)
	}
}
