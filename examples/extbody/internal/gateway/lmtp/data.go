package lmtp

import (
	"bufio"
	"bytes"
	"io"
)

// A dataReader gives the octets of a message sent by DATA. It removes the dots that
// were added at the beginnings of lines, and ends at the line that is a single dot (RFC
// 5321 section 4.5.2). Lines end with CRLF and nothing else.
type dataReader struct {
	r     *bufio.Reader
	piece []byte // the rest of the last line read
	begin bool   // at the beginning of a line
	cr    bool   // the last octet was a CR
	ended bool
}

func newDataReader(r *bufio.Reader) *dataReader { return &dataReader{r: r, begin: true} }

// Read implements io.Reader.
func (d *dataReader) Read(p []byte) (int, error) {
	for len(d.piece) == 0 {
		if d.ended {
			return 0, io.EOF
		}
		if err := d.next(); err != nil {
			return 0, err
		}
	}
	n := copy(p, d.piece)
	d.piece = d.piece[n:]
	return n, nil
}

// next reads a line, or as much of one as fits into the buffer.
func (d *dataReader) next() error {
	line, err := d.r.ReadSlice('\n')
	if err != nil && err != bufio.ErrBufferFull {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return err
	}
	if d.begin {
		if string(line) == ".\r\n" {
			d.ended = true
			return nil
		}
		if line[0] == '.' {
			line = line[1:]
		}
	}
	d.piece = line
	switch {
	case len(line) == 0:
		d.begin = false
	case len(line) == 1:
		d.begin = line[0] == '\n' && d.cr && !d.begin
	default:
		d.begin = bytes.HasSuffix(line, []byte("\r\n"))
	}
	d.cr = len(line) > 0 && line[len(line)-1] == '\r'
	return nil
}

// A dataWriter writes a message in the form that DATA needs: lines end with CRLF, dots
// at their beginning are doubled, and a line with a single dot ends the message.
type dataWriter struct {
	w     *bufio.Writer
	begin bool
	cr    bool
}

func newDataWriter(w *bufio.Writer) *dataWriter { return &dataWriter{w: w, begin: true} }

// Write implements io.Writer.
func (d *dataWriter) Write(p []byte) (n int, err error) {
	for n < len(p) {
		if d.begin && p[n] == '.' {
			d.w.WriteByte('.')
		}
		line := p[n:]
		i := bytes.IndexByte(line, '\n')
		if i < 0 {
			d.begin = false
			d.cr = line[len(line)-1] == '\r'
			_, err = d.w.Write(line)
			return len(p), err
		}
		d.w.Write(line[:i])
		if cr := i > 0 && line[i-1] == '\r' || i == 0 && d.cr; !cr {
			d.w.WriteByte('\r')
		}
		if err = d.w.WriteByte('\n'); err != nil {
			return n, err
		}
		d.begin, d.cr = true, false
		n += i + 1
	}
	return n, nil
}

// Close ends the message. It ends the last line if that is incomplete.
func (d *dataWriter) Close() error {
	if !d.begin {
		if !d.cr {
			d.w.WriteByte('\r')
		}
		d.w.WriteByte('\n')
	}
	d.w.WriteString(".\r\n")
	return d.w.Flush()
}
