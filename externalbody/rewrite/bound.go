package rewrite

import (
	"errors"
	"math"
)

var errMaxOutput = errors.New("with it the message would be larger than it may be")

// fits reports whether the message may grow by that many octets.
func (x *inliner) fits(more int64) bool {
	return x.opts.MaxOutput <= 0 || more <= 0 || x.size <= x.opts.MaxOutput-more
}

// mostOctets returns the most octets that a body may have, before its encoding is
// known. Data never takes fewer octets than it has. Text may, since the CRs may be left
// out.
func (x *inliner) mostOctets(data bool) int64 {
	switch most := x.opts.MaxOutput; {
	case most <= 0, !data && most > math.MaxInt64/2:
		return math.MaxInt64
	case data:
		return most
	default:
		return 2 * most
	}
}

// size returns how many octets write would write of the body in k.
func (c *coding) size(k *sink, buf []byte) (int64, error) {
	switch {
	case c.name == inBase64 && !c.crlf:
		return c.base64Len(k.len()), nil
	case c.name == inBase64, c.name == quotedPrintable:
		var n counter
		err := c.encode(&n, k.reader(), buf)
		return int64(n), err
	case c.eol == "\n":
		return k.len() - k.survey.crlf, nil
	case c.crlf:
		return k.len() + k.survey.lf, nil
	}
	return k.len(), nil
}

// base64Len returns the length of n octets in base64.
func (c *coding) base64Len(n int64) int64 {
	if n == 0 {
		return 0
	}
	const perLine = 57
	size := n / perLine * (76 + int64(len(c.eol)))
	if rest := n % perLine; rest > 0 {
		size += (rest+2)/3*4 + int64(len(c.eol))
	}
	if !c.last {
		size -= int64(len(c.eol))
	}
	return size
}

// A counter counts the octets that are written to it.
type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
