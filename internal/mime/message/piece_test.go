package message

import "iter"

// A Piece is a span of a message.
type Piece struct {
	Kind PieceKind
	// Part is the part of the piece. A delimiter line belongs to the part that it
	// begins, a closing delimiter line to the multipart.
	Part *Part
	Span Span
}

// A PieceKind is the kind of a [Piece]. It corresponds to a field of [Part].
type PieceKind uint8

const (
	// PieceDelimiter is the delimiter line before a part.
	PieceDelimiter PieceKind = iota
	// PieceHeader is a header.
	PieceHeader
	// PieceBlank is the empty line after a header.
	PieceBlank
	// PieceBody is the body of a part without parts in it.
	PieceBody
	// PiecePreamble is the text before the first delimiter line of a multipart.
	PiecePreamble
	// PieceClose is the closing delimiter line of a multipart.
	PieceClose
	// PieceEpilogue is the text after the closing delimiter line.
	PieceEpilogue
)

// String returns the name of the kind.
func (k PieceKind) String() string {
	names := [...]string{"delimiter", "header", "blank", "body", "preamble", "close", "epilogue"}
	if int(k) < len(names) {
		return names[k]
	}
	return "unknown"
}

// Pieces yields the pieces of the message in order. Each piece begins at the end of
// the previous one; the first begins at 0, and the last ends at Size. No piece is
// empty.
func (x *Index) Pieces() iter.Seq[Piece] {
	return func(yield func(Piece) bool) {
		emit := func(kind PieceKind, p *Part, s Span) bool {
			return s.Len() == 0 || yield(Piece{Kind: kind, Part: p, Span: s})
		}
		p := x.Root()
		for {
			if !p.opening(emit) {
				return
			}
			if p.first != nil {
				p = p.first
				continue
			}
			for {
				if !p.closing(emit) {
					return
				}
				if p == x.Root() {
					return
				}
				if p.next != nil {
					p = p.next
					break
				}
				p = p.Parent
			}
		}
	}
}

// opening emits the pieces before the first child; it returns false to stop.
func (p *Part) opening(emit func(PieceKind, *Part, Span) bool) bool {
	if !emit(PieceDelimiter, p, p.Delimiter) || !emit(PieceHeader, p, p.Header) || !emit(PieceBlank, p, p.Blank) {
		return false
	}
	switch p.kind {
	case kindMultipart:
		return emit(PiecePreamble, p, p.Preamble)
	case kindMessage:
		return true
	}
	return emit(PieceBody, p, p.Body)
}

// closing emits the pieces after the last child; it returns false to stop.
func (p *Part) closing(emit func(PieceKind, *Part, Span) bool) bool {
	return emit(PieceClose, p, p.Close) && emit(PieceEpilogue, p, p.Epilogue)
}
