package archive

import (
	"encoding/binary"

	"github.com/go-extbody/extbody/fetch"
)

const (
	labelRendition = string(fetch.CaptureRendition)
	labelVersion   = string(fetch.CaptureVersion)
)

// An interval is the time in which a version of a file was in force, by the word of its host, in Unix milliseconds: from
// is in it, and until is not. The index has the intervals of each key.
type interval struct {
	at          place // of the line of the capture
	from, until int64
}

// interval returns the interval of a capture with a line at a place. The present version is known to be in force until
// the attempt started. The interval is unknown if the host did not name the version.
func (c *Capture) interval(at place) interval {
	if c.Modified.IsZero() || c.Label == labelRendition {
		return interval{}
	}
	until := c.Until
	if until.IsZero() {
		until = c.Started
	}
	return interval{at, c.Modified.UnixMilli(), until.UnixMilli()}
}

func (i interval) isKnown() bool { return i.at != 0 && i.from < i.until }

// append appends the interval to a value of the index.
func (i interval) append(b []byte) []byte {
	b = append([]byte(nil), b...) // the value is one of a table
	for _, n := range []int64{int64(i.at), i.from, i.until - i.from} {
		b = binary.AppendVarint(b, n)
	}
	return b
}

// intervals reads a value of the index.
func intervals(b []byte) (list []interval) {
	for len(b) > 0 {
		var numbers [3]int64
		for n := range numbers {
			v, size := binary.Varint(b)
			if size <= 0 {
				return list
			}
			numbers[n] = v
			b = b[size:]
		}
		list = append(list, interval{place(numbers[0]), numbers[1], numbers[1] + numbers[2]})
	}
	return list
}
