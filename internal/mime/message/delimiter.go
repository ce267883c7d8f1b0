package message

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
)

const (
	// maxDelimiter is the longest delimiter line, line end and padding included.
	maxDelimiter = 1024
	// maxBoundary leaves room for four dashes in the 998 octets of a line (RFC
	// 5322 section 2.1.1). RFC 2046 section 5.1.1 allows 70.
	maxBoundary = 994
)

// A delimiter is a delimiter line. The zero delimiter means that none was found.
type delimiter struct {
	found   bool
	closing bool
	crlf    bool // the line end before the line is a CRLF
	level   int  // the index on the stack of the delimited multipart
	start   int64
	end     int64
}

// boundaries finds the boundaries of open multiparts by their text, so that the cost of
// a line does not grow with the number of open multiparts.
type boundaries struct {
	// level has the indexes on the stack. If several multiparts have the same
	// boundary, it has the innermost one.
	level map[string]int
	// count has the number of boundaries of each length. It rejects most lines that
	// start with two dashes.
	count [maxBoundary + 1]int
	// lengths has the lengths that occur, in ascending order.
	lengths []int
}

// open adds a boundary. It returns the previous level of the boundary, or -1.
func (b *boundaries) open(boundary string, level int) (outer int) {
	outer, ok := b.level[boundary]
	if n := len(boundary); !ok {
		outer = -1
		if b.count[n]++; b.count[n] == 1 {
			i, _ := slices.BinarySearch(b.lengths, n)
			b.lengths = slices.Insert(b.lengths, i, n)
		}
	}
	if b.level == nil {
		b.level = map[string]int{}
	}
	b.level[boundary] = level
	return outer
}

// close removes a boundary. If outer is not -1, outer becomes the level of the
// boundary.
func (b *boundaries) close(boundary string, outer int) {
	if outer >= 0 {
		b.level[boundary] = outer
		return
	}
	n := len(boundary)
	if b.count[n]--; b.count[n] == 0 {
		b.lengths = slices.DeleteFunc(b.lengths, func(length int) bool { return length == n })
	}
	delete(b.level, boundary)
}

// find returns the innermost level with a boundary. It reports false if there is no
// such level.
func (b *boundaries) find(boundary []byte) (level int, ok bool) {
	if len(boundary) > maxBoundary || b.count[len(boundary)] == 0 {
		return 0, false
	}
	level, ok = b.level[string(boundary)]
	return level, ok
}

// match returns the level of the multipart that the line delimits, if any. The line
// must start with "--" and may be cut at maxDelimiter octets.
func (b *boundaries) match(line []byte) (level int, closing, ok bool) {
	end := len(line)
	for end > 2 && (isBlank(line[end-1]) || isBreak(line[end-1])) {
		end--
	}
	key := line[2:end]
	level, ok = b.find(key)
	if key, cut := bytes.CutSuffix(key, []byte("--")); cut {
		if outer, found := b.find(key); found && (!ok || outer > level) {
			return outer, true, true
		}
	}
	return level, false, ok
}

// matchPrefix is match for a line that only starts with a boundary. The longest
// boundary counts.
func (b *boundaries) matchPrefix(line []byte) (level int, closing, ok bool) {
	key := line[len("--"):]
	for _, n := range slices.Backward(b.lengths) {
		if n > len(key) {
			continue
		}
		level, ok = b.find(key[:n])
		if ok {
			return level, bytes.HasPrefix(key[n:], []byte("--")), true
		}
	}
	return 0, false, false
}

// stretch is the number of octets after a dash that are searched word by word. If
// dashes are rarer, the search for a dash does almost all of the work; if they are
// more frequent, it does almost none.
const stretch = 512

// indexDashes returns the offset of the first line of w, after its first octet, that
// starts with "--" or, at the end of w, may start with it. A CR ends a line here. It
// returns len(w) if there is no such line.
//
// It looks for dashes and not for line ends, because base64 has no dashes and text
// has few, so that the search runs at the speed of memory. The search of the octets
// after a dash has the same speed for all octets.
func indexDashes(w []byte) int {
	for i := 1; i < len(w); {
		n := bytes.IndexByte(w[i:], '-')
		if n < 0 {
			return len(w)
		}
		i += n
		end := min(i+stretch, len(w))
		n = indexLineDashes(w[i-1 : end])
		if n >= 0 {
			return i + n
		}
		if end == len(w) {
			break
		}
		i = end - 1
	}
	if n := len(w); n > 1 && w[n-1] == '-' && isBreak(w[n-2]) {
		return n - 1
	}
	return len(w)
}

// indexLineDashes returns the index of the first "\n--" or "\r--" in b, or -1.
func indexLineDashes(b []byte) int {
	const highs = 0x8080808080808080
	i := 0
	for ; i+18 <= len(b); i += 16 {
		p := b[i : i+18 : i+18]
		first := matches(p[:10])
		if (first|matches(p[8:]))&highs == 0 {
			continue
		}
		for n := bits.TrailingZeros64(first&highs) / 8; n < 16; n++ {
			if isLineDashes(p[n:]) {
				return i + n
			}
		}
	}
	for ; i+3 <= len(b); i++ {
		if isLineDashes(b[i:]) {
			return i
		}
	}
	return -1
}

// isLineDashes reports whether b starts with "\n--" or "\r--".
func isLineDashes(b []byte) bool { return b[1] == '-' && b[2] == '-' && isBreak(b[0]) }

// isBreak reports whether c ends a line here.
func isBreak(c byte) bool { return c == '\n' || c == '\r' }

// matches looks for two dashes after an octet below 16 at the first 8 of 10 octets. The
// result has the highest bit of the octet of each match, and other bits.
func matches(b []byte) uint64 {
	const ones = 0x0101010101010101
	// An octet of m is zero where all three octets match. It borrows when 1 is
	// subtracted from each octet.
	m := (binary.LittleEndian.Uint64(b) & (ones * 0xF0)) |
		(binary.LittleEndian.Uint64(b[1:]) ^ ones*'-') |
		(binary.LittleEndian.Uint64(b[2:]) ^ ones*'-')
	return (m - ones) &^ m
}
