package message

import (
	"cmp"
	"fmt"
	"math"
)

// Limits bounds a scan. In each field, 0 means the default, and a negative number
// means no limit.
type Limits struct {
	// Depth is the number of parts that may enclose a part. Multiparts and messages
	// at that depth are not entered. The default is 100.
	Depth int

	// Parts is the number of parts, including the message itself. The scan ends at the
	// delimiter line that would start one more. The default is 10,000.
	Parts int

	// HeaderBytes is the number of octets of a header that are read for fields, not
	// counting its Content-Type. It is also the number of octets of the Content-Type
	// that are read. The rest of a longer header or Content-Type is only searched for
	// its end. The default is 256 KiB.
	HeaderBytes int64

	// TotalHeaderBytes bounds the sum of the octets read under HeaderBytes, over all
	// headers. The scan ends at the first delimiter line after the header that reaches
	// it. The default is 16 MiB.
	TotalHeaderBytes int64

	// Reading has the rules for messages that mail programs read differently. The
	// zero Reading has the rules of this package.
	Reading Reading
}

const (
	defaultDepth            = 100
	defaultParts            = 10_000
	defaultHeaderBytes      = 256 << 10
	defaultTotalHeaderBytes = 16 << 20
)

func (l Limits) withDefaults() Limits {
	return Limits{
		Depth:            orDefault(l.Depth, defaultDepth, math.MaxInt),
		Parts:            orDefault(l.Parts, defaultParts, math.MaxInt),
		HeaderBytes:      orDefault(l.HeaderBytes, defaultHeaderBytes, math.MaxInt64),
		TotalHeaderBytes: orDefault(l.TotalHeaderBytes, defaultTotalHeaderBytes, math.MaxInt64),
		Reading:          l.Reading,
	}
}

// orDefault returns def for 0, and most for a negative number.
func orDefault[T int | int64](n, def, most T) T {
	if n < 0 {
		return most
	}
	return cmp.Or(n, def)
}

// A LimitError is a limit that was reached.
type LimitError struct {
	// Limit is the name of the field of [Limits].
	Limit string
	// Max is its value.
	Max int64
	// Offset is the start of the first part that was not read, or of the header that
	// was too long.
	Offset int64
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("message: %s limit of %d reached at offset %d", e.Limit, e.Max, e.Offset)
}

// A budget is limits, and the use of them by a message and by the sources decoded
// from its parts.
type budget struct {
	limits Limits
	parts  int
	header int64
	doubts Reading // the rules that may lead to another index
}

// exceeded returns an error if the limits leave no room for a part at offset.
func (b *budget) exceeded(offset int64) *LimitError {
	switch {
	case b.parts >= b.limits.Parts:
		return &LimitError{"Parts", int64(b.limits.Parts), offset}
	case b.header >= b.limits.TotalHeaderBytes:
		return &LimitError{"TotalHeaderBytes", b.limits.TotalHeaderBytes, offset}
	}
	return nil
}

// A Reading is a set of rules in which mail programs differ from this package.
type Reading uint8

const (
	// ReadJunk continues a header after a line that is not a field, up to an empty
	// line. Dovecot and GMime do so.
	ReadJunk Reading = 1 << iota
	// ReadPrefix takes each line that starts with two dashes and a boundary for a
	// delimiter line, as a note in RFC 2046 section 5.1.1 suggests. Of several
	// boundaries the longest counts. Dovecot does so.
	ReadPrefix
	// ReadCR takes a CR for a line end, unless a line end follows it. Python does so.
	ReadCR
	// ReadLast takes the last of several Content-Type or Content-Transfer-Encoding
	// fields, and the last of several boundaries. It ignores NUL.
	ReadLast
	// ReadNear takes a line that is nearly a Content-Type or Content-Transfer-Encoding field for one, an encoding that
	// is nearly base64 or quoted-printable for that, and any type with a boundary that delimits parts for a multipart.
	// It leaves out comments within the type of a message. mutt, MIME::tools, mailparser and reformime each do some.
	ReadNear
)
