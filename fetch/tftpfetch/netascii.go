package tftpfetch

import "io"

// A lineWriter undoes netascii (RFC 1350 section 1, RFC 764): CR NUL is CR, and
// CR LF a line end, whose two octets may be in two blocks. A CR before anything
// else, which netascii does not have, stays, and so does a LF by itself.
type lineWriter struct {
	w    io.Writer
	crlf bool // a line end stays CRLF; otherwise it becomes LF
	cr   bool // the last octet was a CR, and has not been written
	buf  []byte
}

// Write implements [io.Writer]. It writes p as one piece.
func (l *lineWriter) Write(p []byte) (int, error) {
	l.buf = l.buf[:0]
	for _, c := range p {
		if l.cr {
			l.cr = false
			if c != '\n' || l.crlf {
				l.buf = append(l.buf, '\r')
			}
			if c == 0 {
				continue
			}
		}
		if c == '\r' {
			l.cr = true
			continue
		}
		l.buf = append(l.buf, c)
	}
	if _, err := l.w.Write(l.buf); err != nil {
		return 0, err
	}
	return len(p), nil
}

// end writes a CR that was the last octet.
func (l *lineWriter) end() error {
	if !l.cr {
		return nil
	}
	l.cr = false
	_, err := l.w.Write([]byte{'\r'})
	return err
}
