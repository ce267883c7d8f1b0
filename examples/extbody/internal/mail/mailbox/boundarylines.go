package mailbox

import (
	"bytes"
	"cmp"
	"hash/maphash"
	"slices"
)

const (
	// maxAhead bounds how far after a message a delimiter of it is looked for. A message
	// that is larger is rare, and a mailbox that was cut short within one is not.
	maxAhead = 128 << 20

	// maxBoundaryLines bounds the lines that are kept of a piece of a file.
	maxBoundaryLines = 1 << 20
)

// A boundaryLines has the lines of a piece of a file that may be delimiters of multiparts.
type boundaryLines struct {
	piece Span
	seed  maphash.Seed
	lines []boundaryLine // by their sums, then by their places
}

// A boundaryLine is a line that is "--" and a boundary, and "--" after that if it is a
// closing one.
type boundaryLine struct {
	sum uint64 // of the boundary; the last bit is set for a closing line
	at  int64
}

func compareLines(a, b boundaryLine) int {
	return cmp.Or(cmp.Compare(a.sum, b.sum), cmp.Compare(a.at, b.at))
}

func (l *boundaryLines) sumOf(boundary []byte, closing bool) uint64 {
	sum := maphash.Bytes(l.seed, boundary) &^ 1
	if closing {
		sum |= 1
	}
	return sum
}

// cover makes the lines those of a piece of the file that starts at or before from, and
// has the next maxAhead octets unless the file ends before that. It reports false if these
// have too many lines. All calls, with places from in order, read each octet at most twice.
func (l *boundaryLines) cover(w *window, from int64) bool {
	far := min(w.size, from+maxAhead)
	if l.piece.Start <= from && far <= l.piece.End {
		return true
	}
	if from < l.piece.Start+l.piece.Len()/2 {
		return false
	}
	if l.lines == nil {
		l.seed = maphash.MakeSeed()
	}
	l.lines = l.lines[:0]
	l.piece = Span{from, min(w.size, from+2*maxAhead)}
	mark := []byte("\n--")
	for at := max(0, from-1); w.err == nil; {
		at = w.findBefore(at, l.piece.End, len(mark), func(b []byte) int { return bytes.Index(b, mark) })
		if at >= l.piece.End {
			break
		}
		if len(l.lines) >= maxBoundaryLines {
			l.piece.End = at
			break
		}
		at++
		line, _, _ := bytes.Cut(w.at(at, lookSize, lookSize), []byte("\n"))
		line = bytes.TrimRight(line[len(mark)-1:], " \t\r")
		l.lines = append(l.lines, boundaryLine{l.sumOf(line, false), at})
		if boundary, ok := bytes.CutSuffix(line, []byte("--")); ok {
			l.lines = append(l.lines, boundaryLine{l.sumOf(boundary, true), at})
		}
	}
	slices.SortFunc(l.lines, compareLines)
	return w.err == nil && far <= l.piece.End
}

// last returns the place of the first closing line of a boundary from off on, or else of
// the last of its other lines; -1 if there is none. It looks maxAhead octets far.
func (l *boundaryLines) last(boundary string, off int64) int64 {
	place := func(closing bool, off int64) (i int, sum uint64) {
		sum = l.sumOf([]byte(boundary), closing)
		i, _ = slices.BinarySearchFunc(l.lines, boundaryLine{sum, off}, compareLines)
		return i, sum
	}
	if i, sum := place(true, off); i < len(l.lines) && l.lines[i].sum == sum && l.lines[i].at < off+maxAhead {
		return l.lines[i].at
	}
	if i, sum := place(false, off+maxAhead); i > 0 && l.lines[i-1].sum == sum && l.lines[i-1].at >= off {
		return l.lines[i-1].at
	}
	return -1
}
