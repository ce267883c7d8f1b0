package fleet

import (
	"context"
	"net"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// closeTime bounds the farewell to a server that did not answer in time: the request to cancel the
// statement, and then the end of the connection. pgx waits for 15 s, and the pool has no other
// connection in its stead until then.
const closeTime = time.Second

// dialing returns dial with the bound of closeTime.
func dialing(dial pgconn.DialFunc) pgconn.DialFunc {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		// A request to cancel has more time than a connection.
		until, ok := ctx.Deadline()
		farewell := !ok || time.Until(until) > connectTime
		if farewell {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, closeTime)
			defer cancel()
		}
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		if farewell {
			conn.SetDeadline(time.Now().Add(closeTime))
		}
		return farewellConn{conn}, nil
	}
}

// A farewellConn has no deadline later than closeTime. pgx sets a deadline in the future when it closes a
// connection, and no other.
type farewellConn struct{ net.Conn }

// SetDeadline implements net.Conn.
func (c farewellConn) SetDeadline(t time.Time) error {
	if most := time.Now().Add(closeTime); t.After(most) {
		t = most
	}
	return c.Conn.SetDeadline(t)
}
