package httpfetch

import (
	"io"
	"net"
	"sync/atomic"
)

// A conn remembers whether its peer has closed it.
type conn struct {
	net.Conn
	ended atomic.Bool
}

// Read implements [io.Reader].
func (c *conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if err == io.EOF {
		c.ended.Store(true)
	}
	return n, err
}
