package message

import "io"

// A Block is a text split into a header and a body. The three concatenated spans are
// the text.
type Block struct {
	// Header ends with its last line end, without the empty line.
	Header Span
	// Blank is the empty line after the header, if there is one.
	Blank Span
	// Body is the rest.
	Body Span
	// Diag may have MissingBlank, MalformedField and HeaderTooLong.
	Diag Diag
}

// Split splits the octets of span into a header and a body. It is for the body of a
// message/external-body, which is a phantom header, an empty line and a phantom body
// (RFC 2046 section 5.2.3). The header is empty if the span is empty or begins with
// an empty line. The end of the span may end the header. A header longer than
// limits.HeaderBytes is split at its end, and Diag has HeaderTooLong. The other
// limits do not apply.
//
// Errors are those of r.
func Split(r io.ReaderAt, span Span, limits Limits) (Block, error) {
	s := newScanner(r, span, nil, windowSize)
	defer s.release()
	h := header{part: &Part{}, limit: limits.withDefaults().HeaderBytes}
	if _, err := s.readHeader(&h, span.Start); err != nil {
		return Block{}, err
	}
	p := h.part
	if p.Header.Len() > h.limit {
		p.Diag |= HeaderTooLong
	}
	diag := p.Diag & (MissingBlank | MalformedField | HeaderTooLong)
	return Block{p.Header, p.Blank, Span{p.Body.Start, span.End}, diag}, nil
}
