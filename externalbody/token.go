package externalbody

import (
	"io"

	"github.com/go-extbody/extbody/internal/mailtext"
)

// A textSource is the Source of one text after the other, which share a window.
type textSource struct{ mailtext.Source }

// of returns the Source of a text that is held, or of one that r gives if that is
// not nil.
func (s *textSource) of(held []byte, r io.Reader, charset string) *mailtext.Source {
	s.Octets, s.Reader, s.Charset = held, r, charset
	return &s.Source
}

// tokens returns a function that gives the tokens of a text to emit.
func tokens(emit func(*Token)) func(*mailtext.Token) {
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
		emit(&t)
	}
}
