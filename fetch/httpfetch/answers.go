package httpfetch

import (
	"bufio"
	"bytes"
	"net/http"
	"strconv"
)

// An answers follows the answers on one connection and finds where each ends (RFC 9112 section
// 6.3). The zero answers expects none.
//
// A head is kept until it is whole, and judged before net/http reads it; see readHead. The heads
// are then read by net/http, so that it finds the end that net/http finds. Of octets that net/http
// refuses it finds no end.
type answers struct {
	part  part
	line  []byte // of a head or a line, as far as it came
	left  uint64 // octets of the content or the chunk
	size  int    // of the trailer so far
	ready []byte // octets for net/http that begin with a head
	fault error  // of a head that net/http does not get
}

// A part is the place in an answer of the next octet.
type part int

const (
	nowhere    part = iota // no answer is expected
	inHead                 // the head of an answer, or of one before it (RFC 9110 section 15.2)
	inContent              // content of a known length
	inSize                 // the line before a chunk
	inChunk                // a chunk
	inChunkEnd             // the line end after a chunk
	inTrailer              // a line after the last chunk
	toTheEnd               // whatever comes until the connection ends
)

// expect makes a the start of an answer.
func (a *answers) expect() { *a = answers{part: inHead, line: a.line[:0], ready: a.ready[:0]} }

// take returns how many octets of p belong to the answer, and the octets that net/http gets for
// them, which are valid until the next call.
func (a *answers) take(p []byte) (taken int, out []byte) {
	fromHead := a.part == inHead
	a.ready = a.ready[:0]
	for taken < len(p) && a.part != nowhere && a.fault == nil {
		content := a.part != inHead
		n := a.step(p[taken:])
		if fromHead && content {
			a.ready = append(a.ready, p[taken:taken+n]...)
		}
		taken += n
	}
	if fromHead {
		return taken, a.ready
	}
	return taken, p[:taken]
}

// rest returns the octets of a head that ends early.
func (a *answers) rest() []byte {
	if a.part != inHead {
		return nil
	}
	return a.line
}

// step takes octets of p, which has some, for the part that a is in.
func (a *answers) step(p []byte) int {
	switch a.part {
	case inHead:
		return a.head(p)
	case inContent, inChunk:
		n := min(a.left, uint64(len(p)))
		a.left -= n
		switch {
		case a.left > 0:
		case a.part == inContent:
			a.part = nowhere
		default:
			a.part = inChunkEnd
		}
		return int(n)
	case inSize, inChunkEnd, inTrailer:
		end := bytes.IndexByte(p, '\n') + 1
		n := end
		if end == 0 {
			n = len(p)
		}
		a.line = append(a.line, p[:n]...)
		switch {
		case len(a.line) > maxHead:
			a.part = toTheEnd
		case end > 0:
			a.endLine(bytes.TrimSuffix(a.line[:len(a.line)-1], []byte("\r")))
			a.line = a.line[:0]
		}
		return n
	}
	return len(p)
}

// endLine reads a line of the chunked coding (RFC 9112 section 7.1).
func (a *answers) endLine(line []byte) {
	switch a.part {
	case inSize:
		digits, _, _ := bytes.Cut(line, []byte(";"))
		size, err := strconv.ParseUint(string(bytes.TrimRight(digits, " \t")), 16, 63)
		switch {
		case err != nil:
			a.part = toTheEnd
		case size == 0:
			a.part = inTrailer
		default:
			a.part = inChunk
			a.left = size
		}
	case inChunkEnd:
		a.part = inSize
		if len(line) > 0 {
			a.part = toTheEnd
		}
	case inTrailer:
		a.size += len(line) + 1
		switch {
		case len(line) == 0:
			a.part = nowhere
		case a.size > maxHead:
			a.part = toTheEnd
		}
	}
}

// head takes octets of a head.
func (a *answers) head(p []byte) int {
	from := len(a.line)
	a.line = append(a.line, p...)
	end := headEnd(a.line, from)
	switch {
	case end < 0 && (len(a.line) > maxHead || !mayBeHead(a.line)):
		a.part = toTheEnd
		a.ready = append(a.ready, a.line...)
		return len(p)
	case end < 0:
		return len(p)
	}
	head, err := readHead(a.line[:end])
	if err != nil {
		a.fault = err
		return end - from
	}
	a.part, a.left = afterHead(head)
	a.ready = append(a.ready, head...)
	a.line = a.line[:0]
	return end - from
}

// mayBeHead reports whether line, which is the start of a head, may begin one of HTTP. net/http
// gets anything else at once, and fails.
func mayBeHead(line []byte) bool {
	const version = "HTTP/"
	n := min(len(line), len(version))
	return string(line[:n]) == version[:n]
}

// afterHead returns the octets after a head, and the length of the content. The request was GET.
func afterHead(head []byte) (part, uint64) {
	r := bufio.NewReaderSize(bytes.NewReader(head), min(len(head), 4<<10))
	resp, err := http.ReadResponse(r, &http.Request{Method: http.MethodGet})
	switch {
	case err != nil, resp.StatusCode == http.StatusSwitchingProtocols:
		return toTheEnd, 0
	case resp.StatusCode/100 == 1:
		return inHead, 0
	case resp.StatusCode == http.StatusNoContent, resp.StatusCode == http.StatusNotModified:
		return nowhere, 0
	case len(resp.TransferEncoding) > 0:
		return inSize, 0
	case resp.ContentLength < 0:
		return toTheEnd, 0
	case resp.ContentLength == 0:
		return nowhere, 0
	}
	return inContent, uint64(resp.ContentLength)
}
