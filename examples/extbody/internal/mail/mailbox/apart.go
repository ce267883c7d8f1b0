package mailbox

import (
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"sort"
)

// An ApartPart is a part of a message of Apple Mail whose body is not in the file of the message. In its place the
// header of the part has X-Apple-Content-Length.
type ApartPart struct {
	Section string // of the part, as in IMAP
	Size    int64  // as X-Apple-Content-Length has it
	File    string // the path of the file with the body; "" if the body is missing
}

// An assembled message is the octets of a file with bodies put in that were in other files.
type assembled struct {
	pieces []piece
	size   int64
	files  []*os.File
}

// A piece is the octets of a reader from start on, at an offset of the message.
type piece struct {
	at, size int64
	r        io.ReaderAt
	start    int64
}

// add adds octets at the end.
func (a *assembled) add(r io.ReaderAt, start, size int64) {
	if size > 0 {
		a.pieces = append(a.pieces, piece{a.size, size, r, start})
		a.size += size
	}
}

// ReadAt implements io.ReaderAt.
func (a *assembled) ReadAt(p []byte, off int64) (n int, err error) {
	i := sort.Search(len(a.pieces), func(i int) bool { return a.pieces[i].at+a.pieces[i].size > off })
	for ; n < len(p) && i < len(a.pieces); i++ {
		c := &a.pieces[i]
		from := off + int64(n) - c.at
		want := int(min(int64(len(p)-n), c.size-from))
		got, err := c.r.ReadAt(p[n:n+want], c.start+from)
		if n += got; got < want {
			if err == nil || err == io.EOF {
				err = ErrChanged
			}
			return n, err
		}
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// close closes the files of the bodies.
func (a *assembled) close() {
	for _, f := range a.files {
		f.Close()
	}
	a.files = nil
}

// A lineCoder encodes a file in lines, each of which has the same number of octets of the file. So it reads
// from any offset.
type lineCoder struct {
	r        io.ReaderAt
	size     int64                        // of the file
	octets   int64                        // of the file in a line
	line     int64                        // octets of an encoded line, with its LF
	length   func(octets int) int         // of that many encoded octets, without LF
	appendTo func(to, from []byte) []byte // encodes less than a line or a line, without LF
}

// newBase64 returns a lineCoder of RFC 2045 section 6.8.
func newBase64(r io.ReaderAt, size int64) *lineCoder {
	return &lineCoder{r, size, 57, 77, base64.StdEncoding.EncodedLen, base64.StdEncoding.AppendEncode}
}

// newQuoted returns a lineCoder of RFC 2045 section 6.7 that quotes every octet. Each of its lines ends in a
// soft line break.
func newQuoted(r io.ReaderAt, size int64) *lineCoder {
	return &lineCoder{r, size, 25, 77, func(n int) int { return 3*n + 1 }, func(to, from []byte) []byte {
		for _, c := range from {
			to = fmt.Appendf(to, "=%02X", c)
		}
		return append(to, '=')
	}}
}

// encoded returns how many octets the lines have.
func (c *lineCoder) encoded() int64 {
	n := c.size / c.octets * c.line
	if rest := c.size % c.octets; rest > 0 {
		n += int64(c.length(int(rest))) + 1
	}
	return n
}

// ReadAt implements io.ReaderAt.
func (c *lineCoder) ReadAt(p []byte, off int64) (int, error) {
	if off >= c.encoded() {
		return 0, io.EOF
	}
	first := off / c.line
	lines := (off+int64(len(p))-1)/c.line - first + 1
	from := make([]byte, max(0, min(lines*c.octets, c.size-first*c.octets)))
	if n, err := c.r.ReadAt(from, first*c.octets); n < len(from) {
		if err == nil || err == io.EOF {
			err = ErrChanged
		}
		return 0, err
	}
	to := make([]byte, 0, lines*c.line)
	for len(from) > 0 {
		n := min(len(from), int(c.octets))
		to = append(c.appendTo(to, from[:n]), '\n')
		from = from[n:]
	}
	n := copy(p, to[off-first*c.line:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}
