package message

// A Piece is one of the spans that a message consists of.
type Piece struct {
	Kind PieceKind
	// Part is the part that the piece belongs to. A delimiter line belongs to the part
	// that it begins, a closing one to the multipart.
	Part *Part
	Span Span
}

// A PieceKind says what a [Piece] is. It names a field of [Part].
type PieceKind uint8

const (
	// PieceDelimiter is the delimiter line before a part.
	PieceDelimiter PieceKind = iota
	// PieceHeader is a header.
	PieceHeader
	// PieceBlank is the empty line after a header.
	PieceBlank
	// PieceBody is the body of a part that has no parts of its own.
	PieceBody
	// PiecePreamble is what precedes the first delimiter line of a multipart.
	PiecePreamble
	// PieceClose is the closing delimiter line of a multipart.
	PieceClose
	// PieceEpilogue is what follows the closing delimiter line.
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
