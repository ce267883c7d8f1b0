package imapsession

import (
	"errors"
	"net"
	"os"
	"time"

	"github.com/go-extbody/extbody/internal/imap/wire"
)

// An idleConn puts a deadline on each Read and each Write, so that data that flows is
// never interrupted. It counts their cost.
type idleConn struct {
	net.Conn
	budget *budget
}

func (c *idleConn) Read(p []byte) (int, error) {
	return c.within(c.SetReadDeadline, func() (int, error) {
		n, err := c.Conn.Read(p)
		c.budget.received(n)
		return n, err
	})
}

func (c *idleConn) Write(p []byte) (int, error) {
	return c.within(c.SetWriteDeadline, func() (int, error) { return c.Conn.Write(p) })
}

// within calls do, with a deadline for the time that is left.
func (c *idleConn) within(set func(time.Time) error, do func() (int, error)) (int, error) {
	if err := c.budget.spent(); err != nil {
		return 0, err
	}
	began := time.Now()
	set(began.Add(min(idleTime, c.budget.left())))
	n, err := do()
	c.budget.wait(time.Since(began))
	if errors.Is(err, os.ErrDeadlineExceeded) && c.budget.spent() != nil {
		err = c.budget.spent()
	}
	return n, err
}

// newConn returns a connection to a server. Its costs are counted in b.
func newConn(raw net.Conn, b *budget) *wire.Conn {
	return wire.New(&idleConn{raw, b}, wire.Options{Sending: b.command})
}
