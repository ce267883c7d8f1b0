package ftpfetch

import (
	"io"
	"net"
)

// An eofConn remembers that it has been read to its end. Above it, crypto/tls
// reports the same io.EOF for an end with close_notify, which does not read that
// far, and for one without.
type eofConn struct {
	net.Conn
	eof bool
}

func (c *eofConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if err == io.EOF {
		c.eof = true
	}
	return n, err
}
