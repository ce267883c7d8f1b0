package tftpfetch

import (
	"cmp"
	"context"
	"net"
	"net/netip"
	"slices"

	"github.com/go-extbody/extbody/fetch"
)

// A route is a judged address and the address of this machine from which
// packets go there.
type route struct {
	remote netip.AddrPort
	local  netip.Addr
}

// route resolves the host, judges the whole answer, and finds the first address
// that packets can be sent to.
func (f *Fetcher) route(ctx context.Context, req *fetch.Request, t *target) (*route, error) {
	ctx, cancel := fetch.Limit(ctx, req.Timeouts.Connect, "the name lookup")
	defer cancel()
	addrs, err := f.guard.Resolve(ctx, t.host)
	if err != nil {
		return nil, fetch.Interrupted(ctx, err)
	}
	// Many servers listen on IPv4 only, and only one address is asked.
	slices.SortStableFunc(addrs, func(a, b netip.Addr) int { return a.BitLen() - b.BitLen() })
	var first error
	for _, addr := range addrs {
		r, err := f.probe(ctx, netip.AddrPortFrom(addr, t.port))
		if err == nil {
			return r, nil
		}
		first = cmp.Or(first, err)
	}
	return nil, first
}

// probe connects a UDP socket, which sends nothing. The guard judges it as it
// judges every socket. The socket of the transfer may not be connected, since the
// server answers from another port; it gets the same two addresses.
func (f *Fetcher) probe(ctx context.Context, remote netip.AddrPort) (*route, error) {
	if err := fetch.Dialing(ctx, remote.Addr()); err != nil {
		return nil, err
	}
	d := net.Dialer{ControlContext: f.guard.ControlContext}
	conn, err := d.DialContext(ctx, "udp", remote.String())
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	local, err := netip.ParseAddrPort(conn.LocalAddr().String())
	if err != nil {
		return nil, err
	}
	return &route{remote: remote, local: local.Addr()}, nil
}
