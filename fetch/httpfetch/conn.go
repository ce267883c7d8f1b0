package httpfetch

import (
	"crypto/tls"
	"io"
	"net"
	"sync"
	"sync/atomic"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/netguard"
)

// A conn is a connection that the transport uses: TCP, or TLS on it. The tap of the
// exchange that it serves sees the octets.
type conn struct {
	net.Conn
	tcp  *tcp
	made *making
	tap  atomic.Pointer[tap]

	ask sync.Once
	tls *fetch.TLS // once it was asked for
}

// Read implements [io.Reader].
func (c *conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if t := c.tap.Load(); t != nil {
		t.read(p[:n])
	}
	return n, err
}

// Write implements [io.Writer]. The tap comes first, because the answer may come before
// the Write returns.
func (c *conn) Write(p []byte) (int, error) {
	if t := c.tap.Load(); t != nil {
		t.wrote(p)
	}
	return c.Conn.Write(p)
}

// secured describes the TLS of the connection, nil without it. After an answer
// without content the next exchange may ask at the same time.
func (c *conn) secured() *fetch.TLS {
	c.ask.Do(func() {
		if tc, ok := c.Conn.(*tls.Conn); ok {
			c.tls = netguard.TLS(tc.ConnectionState())
		}
	})
	return c.tls
}

// A tcp remembers whether its peer has closed it.
type tcp struct {
	net.Conn
	ended atomic.Bool
}

// Read implements [io.Reader].
func (c *tcp) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if err == io.EOF {
		c.ended.Store(true)
	}
	return n, err
}
