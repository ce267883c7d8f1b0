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

// A counter counts the octets that are written to it.
type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
