package message

import (
	"io"
	"strings"

	"github.com/go-extbody/extbody/internal/codec/ascii"
	"github.com/go-extbody/extbody/internal/codec/base64x"
	"github.com/go-extbody/extbody/internal/codec/charset"
	"github.com/go-extbody/extbody/internal/codec/qp"
	"github.com/go-extbody/extbody/internal/codec/uu"
)

// An Encoding is the value of a Content-Transfer-Encoding field. The zero Encoding is
// Identity.
type Encoding uint8

const (
	// Identity is 7bit, 8bit, binary or no field (RFC 2045 section 6.1).
	Identity Encoding = iota
	// Base64 is base64 (RFC 2045 section 6.8).
	Base64
	// QuotedPrintable is quoted-printable (RFC 2045 section 6.7).
	QuotedPrintable
	// UUEncode is x-uuencode, which is not a standard.
	UUEncode
	// OtherEncoding is any other token. The data is opaque (RFC 2045 section 6.4).
	OtherEncoding
)

// String returns the name of the mechanism. "identity" and "other" are each the name
// for several mechanisms.
func (e Encoding) String() string {
	switch e {
	case Identity:
		return "identity"
	case Base64:
		return "base64"
	case QuotedPrintable:
		return "quoted-printable"
	case UUEncode:
		return "x-uuencode"
	}
	return "other"
}

// Hides reports whether the encoding hides delimiter lines and headers.
func (e Encoding) Hides() bool { return e == Base64 || e == QuotedPrintable || e == UUEncode }

// ParseEncoding parses the value of a Content-Transfer-Encoding field. It accepts
// comments, folding and quotes around the token.
func ParseEncoding(value string) Encoding {
	switch strings.ToLower(encodingToken(value)) {
	case "", "7bit", "8bit", "binary":
		return Identity
	case "base64":
		return Base64
	case "quoted-printable":
		return QuotedPrintable
	case "x-uuencode", "uuencode", "x-uue":
		return UUEncode
	}
	return OtherEncoding
}

// MeantEncoding returns the encoding that the value of a Content-Transfer-Encoding field is meant as, if it is not
// exactly known: some mail programs compare only the first letters, or stop at the first strange octet. It returns
// OtherEncoding if the value does not name base64 or quoted-printable.
func MeantEncoding(value string) Encoding {
	value = charset.Words(value)
	for _, text := range []string{value, withoutComments(value)} {
		text = strings.Map(letterOrDigit, text)
		switch {
		case strings.Contains(text, "base64"), strings.Contains(text, "b64"):
			return Base64
		case strings.Contains(text, "quoted"), strings.Contains(text, "printable"), text == "qp":
			return QuotedPrintable
		}
	}
	return OtherEncoding
}

// letterOrDigit returns a letter or digit of ASCII in lower case, and -1 for another character.
func letterOrDigit(c rune) rune {
	if !ascii.IsAlphanumeric(c) {
		return -1
	}
	return c | 0x20
}

// withoutComments returns a value without the comments in it (RFC 5322 section 3.2.2).
func withoutComments(value string) string {
	var b strings.Builder
	depth := 0
	for i := range len(value) {
		switch c := value[i]; {
		case c == '(':
			depth++
		case c == ')' && depth > 0:
			depth--
		case depth == 0:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// encodingToken returns the first token of value outside comments.
func encodingToken(value string) string {
	depth := 0
	for i := 0; i < len(value); i++ {
		switch c := value[i]; {
		case c == '\\':
			i++
		case c == '(':
			depth++
		case c == ')' && depth > 0:
			depth--
		case depth > 0, c <= ' ', c == '"':
		default:
			if end := strings.IndexAny(value[i:], " \t\r\n;,(\""); end >= 0 {
				return value[i : i+end]
			}
			return value[i:]
		}
	}
	return ""
}

// A Decoder decodes an encoded text. Forgiven returns the number of faults that were
// forgiven so far. Other readers may decode a text with such faults to other octets.
//
// There are three decoders, because damage can be handled in three ways:
//
//   - [Decode] is for searching a text: it also reads the text after the damage.
//   - [DecodeChecked] is for octets that are stored or compared: the caller refuses
//     them if a fault was forgiven.
//   - [DecodeStrict] is for a body that is passed on while it arrives: octets that
//     cannot be in the encoding are an error, and forgiven faults are a warning.
//
// All three ignore the same characters within base64 (RFC 2045 section 6.8), and an incomplete group at the end is
// always an error. Only Decode reads after the padding of an incomplete group. Some mail programs show that as
// well, and RFC 2045 allows to take the padding for the end of the data.
type Decoder interface {
	io.Reader
	Forgiven() int64
}

// Damaged reports whether other readers may decode other octets than r. err is the error that r ended with.
// Other readers than a Decoder have no faults.
func Damaged(r io.Reader, err error) bool {
	if err != nil && err != io.EOF {
		return true
	}
	d, ok := r.(Decoder)
	return ok && d.Forgiven() > 0
}

// Decode returns a reader of the decoded text of r. For Identity and OtherEncoding it
// returns r itself. Of the faults of quoted-printable it counts only a "=" that stands for nothing.
func Decode(r io.Reader, e Encoding) io.Reader {
	switch {
	case e == Base64:
		return base64x.NewPieceReader(r)
	case e == UUEncode:
		return uu.NewReader(r)
	case e.Hides():
		return decoder(r, e, qp.NewReader)
	}
	return r
}

// DecodeChecked returns a Decoder that decodes all of a damaged quoted-printable
// text. It returns nil for Identity and OtherEncoding.
func DecodeChecked(r io.Reader, e Encoding) Decoder { return decoder(r, e, qp.NewChecked) }

// DecodeStrict returns a Decoder that returns an error at a control character in
// quoted-printable. It returns nil for Identity and OtherEncoding.
func DecodeStrict(r io.Reader, e Encoding) Decoder { return decoder(r, e, qp.NewStrict) }

func decoder(r io.Reader, e Encoding, quoted func(io.Reader) *qp.Reader) Decoder {
	switch e {
	case Base64:
		return base64x.NewMailReader(r)
	case QuotedPrintable:
		return quoted(r)
	case UUEncode:
		return uu.NewStrict(r)
	}
	return nil
}

// An ErrReader records the error of its source, because a decoder may hide that error
// or report its own.
type ErrReader struct {
	r   io.Reader
	err error
}

// NewErrReader returns an ErrReader that reads from r.
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
