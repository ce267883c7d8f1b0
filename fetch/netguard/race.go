package netguard

import (
	"cmp"
	"context"
	"net"
	"net/netip"
	"time"
)

const (
	// attemptDelay is the Connection Attempt Delay of RFC 8305 section 5.
	attemptDelay = 250 * time.Millisecond

	// maxAttempts bounds the contacts for one reference: an answer can have thousands
	// of addresses.
	maxAttempts = 8
)

// alternate orders addresses so that their families alternate, beginning with
// the family of the first (RFC 8305 section 4).
func alternate(addrs []netip.Addr) []netip.Addr {
	var families [2][]netip.Addr
	for _, addr := range addrs {
		i := 0
		if addr.Is4() != addrs[0].Is4() {
			i = 1
		}
		families[i] = append(families[i], addr)
	}
	out := make([]netip.Addr, 0, len(addrs))
	for i := 0; len(out) < len(addrs); i++ {
		for _, family := range families {
			if i < len(family) {
				out = append(out, family[i])
			}
		}
	}
	return out
}

// race dials the addresses one after the other: each when the one before it has
// failed, or attemptDelay after that was begun. It returns the connection that
// is made first, or else the first error. tell is called with the outcome of
// each dial until then. When race returns, every dial has returned and every
// other connection is closed. There must be an address.
func race(ctx context.Context, addrs []netip.Addr, tell func(netip.Addr, error), dial func(context.Context, netip.Addr) (net.Conn, error)) (net.Conn, error) {
	if len(addrs) == 1 {
		conn, err := dial(ctx, addrs[0])
		tell(addrs[0], err)
		return conn, err
	}
	addrs = addrs[:min(len(addrs), maxAttempts)]
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()

	type result struct {
		addr netip.Addr
		conn net.Conn
		err  error
	}
	results := make(chan result)
	running := 0
	begin := func() {
		addr := addrs[0]
		addrs = addrs[1:]
		running++
		go func() {
			conn, err := dial(ctx, addr)
			results <- result{addr, conn, err}
		}()
	}
	timer := time.NewTimer(attemptDelay)
	defer timer.Stop()

	var first error
	begin()
	for running > 0 {
		select {
		case <-timer.C:
		case r := <-results:
			running--
			tell(r.addr, r.err)
			if r.err == nil {
				cancel()
				for range running {
					if late := <-results; late.err == nil {
						late.conn.Close()
					}
				}
				return r.conn, nil
			}
			first = cmp.Or(first, r.err)
		}
		if len(addrs) > 0 && ctx.Err() == nil {
			begin()
			timer.Reset(attemptDelay)
		}
	}
	return nil, first
}
