package message

import (
	"io"

	"github.com/go-extbody/extbody/internal/codec/base64x"
	"github.com/go-extbody/extbody/internal/codec/qp"
)

// A Decoder gives the octets that an encoded text stands for. Forgiven is how many
// faults of the text were forgiven so far. Because of them other readers may get other
// octets.
//
// There are three decoders, because damage can be handled in three ways:
//
//   - [Decode] is for looking into a text: what follows the damage is read as well.
//   - [DecodeChecked] is for octets that are stored or compared: the caller refuses
//     them if anything was forgiven.
//   - [DecodeStrict] is for a body that is handed on while it arrives: octets that
//     cannot be in the encoding are an error, and forgiven faults are a warning.
//
// In base64 all three are the same: RFC 2045 section 6.8 says which characters to
// ignore, and an incomplete group is always an error.
type Decoder interface {
	io.Reader
	Forgiven() int64
}

// Decode returns a reader of what r stands for. That is r itself for Identity and
// OtherEncoding. It counts nothing.
func Decode(r io.Reader, e Encoding) io.Reader {
	switch e {
	case Base64:
		return base64x.NewMailReader(r)
	case QuotedPrintable:
		return qp.NewReader(r)
	}
	return r
}

// DecodeChecked returns a Decoder that no damage of quoted-printable ends. It returns
// nil for Identity and OtherEncoding.
func DecodeChecked(r io.Reader, e Encoding) Decoder { return decoder(r, e, qp.NewChecked) }

// DecodeStrict returns a Decoder that ends with an error at a control in
// quoted-printable. It returns nil for Identity and OtherEncoding.
func DecodeStrict(r io.Reader, e Encoding) Decoder { return decoder(r, e, qp.NewStrict) }

func decoder(r io.Reader, e Encoding, quoted func(io.Reader) *qp.Reader) Decoder {
	switch e {
	case Base64:
		return base64x.NewMailReader(r)
	case QuotedPrintable:
		return quoted(r)
	}
	return nil
}

// An ErrReader remembers an error of its source. The decoder that reads it may hide the
// error, or report one of its own.
type ErrReader struct {
	r   io.Reader
	err error
}

// NewErrReader returns an ErrReader of what r gives.
func NewErrReader(r io.Reader) *ErrReader { return &ErrReader{r: r} }

// Read implements io.Reader.
func (e *ErrReader) Read(p []byte) (int, error) {
	n, err := e.r.Read(p)
	if err != nil && err != io.EOF {
		e.err = err
	}
	return n, err
}

// Failure returns the last error of the source other than io.EOF. It returns nil if
// there was none, or if e is nil.
func (e *ErrReader) Failure() error {
	if e == nil {
		return nil
	}
	return e.err
}
