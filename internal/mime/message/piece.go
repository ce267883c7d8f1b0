package message

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
