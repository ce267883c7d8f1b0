package netguard

import (
	"context"
	"net"
	"net/netip"
	"slices"
	"syscall"

	"github.com/go-extbody/extbody/fetch"
)

// minDataPort is the lowest port of a data connection. The ports below it
// belong to services, and a server that names one wants us to talk to them.
const minDataPort = 1024

// DialContext connects to address, a host and a port as in a URL, if both are
// allowed. The network is "tcp", "tcp4" or "tcp6". It can serve as the
// DialContext of a [net/http.Transport] that has no proxy.
//
// The name is resolved once, as [Guard.Resolve] does, and the addresses of the
// answer that belong to the network are dialed in the way of RFC 8305: the
// families alternate, and the next address is tried when the one before has
// failed or after a quarter of a second. At most 8 addresses are tried. The
// error is from the address that failed first.
//
// The function of [fetch.WithDial] is asked before each address is dialed, and again for the
// one that is connected if there are several.
//
// DialContext takes as long as ctx lets it, and once the connection is made
// the end of ctx does not affect it. No goroutine is left when it returns. A
// refusal is an [*Error], or wraps one; errors of lookup and connection are
// errors of package net.
func (g *Guard) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	switch network {
	case "tcp", "tcp4", "tcp6":
	default:
		return nil, &Error{Reason: NetworkNotAllowed}
	}
	host, port, err := split(address)
	if err != nil {
		return nil, err
	}
	if err := g.CheckPort(port); err != nil {
		return nil, err
	}
	addrs, err := g.orStrict().resolve(ctx, host)
	if err != nil {
		return nil, err
	}
	addrs = ofNetwork(network, addrs)
	if len(addrs) == 0 {
		return nil, &net.AddrError{Err: "no address for " + network, Addr: host}
	}
	d := net.Dialer{ControlContext: g.ControlContext}
	trace := traceOf(ctx)
	tell := func(addr netip.Addr, err error) { trace.dialed(netip.AddrPortFrom(addr, port), err) }
	conn, err := race(ctx, alternate(addrs), tell, func(ctx context.Context, addr netip.Addr) (net.Conn, error) {
		if err := fetch.Dialing(ctx, addr); err != nil {
			return nil, err
		}
		return d.DialContext(ctx, network, netip.AddrPortFrom(addr, port).String())
	})
	if err == nil && len(addrs) > 1 {
		// It may have lost the address to another attempt.
		if err = fetch.Dialing(ctx, fetch.RemoteAddr(conn).Addr()); err != nil {
			conn.Close()
			return nil, err
		}
	}
	return conn, err
}

// DialData makes a data connection that belongs to a control connection, as
// FTP has them: to the remote address of control, whatever address the server
// named (RFC 2428 section 3, RFC 2577 section 3), and to the port that it
// named, which must be 1024 or higher and need not be among the allowed ones.
// The address is judged again, on the socket. Contexts and errors are as in
// [Guard.DialContext].
func (g *Guard) DialData(ctx context.Context, control net.Conn, port uint16) (net.Conn, error) {
	peer, err := remoteAddr(control)
	if err != nil {
		return nil, err
	}
	d := net.Dialer{ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
		return g.checkData(address, peer)
	}}
	return d.DialContext(ctx, "tcp", netip.AddrPortFrom(peer, port).String())
}

// ControlContext judges the address and the port to which a socket is about to
// be connected, given as a literal. It is for [net.Dialer].ControlContext, with
// networks tcp4, tcp6, udp4 and udp6, and needs neither of the other arguments.
// A refusal is an [*Error].
func (g *Guard) ControlContext(_ context.Context, network, address string, _ syscall.RawConn) error {
	switch network {
	case "tcp4", "tcp6", "udp4", "udp6":
	default:
		return &Error{Reason: NetworkNotAllowed}
	}
	remote, err := netip.ParseAddrPort(address)
	if err != nil {
		return &Error{Reason: HostInvalid, Err: err}
	}
	if err := g.CheckPort(remote.Port()); err != nil {
		return err
	}
	return g.CheckAddr(remote.Addr())
}

// checkData judges the address and the port of a socket for a data connection
// to peer.
func (g *Guard) checkData(address string, peer netip.Addr) error {
	remote, err := netip.ParseAddrPort(address)
	if err != nil {
		return &Error{Reason: HostInvalid, Err: err}
	}
	if remote.Port() < minDataPort {
		return &Error{Reason: PortNotAllowed, Port: remote.Port()}
	}
	if remote.Addr().Unmap() != peer {
		return &Error{Reason: AddrDenied, Addr: remote.Addr()}
	}
	return g.CheckAddr(remote.Addr())
}

// remoteAddr returns the address of the other end of a connection.
func remoteAddr(conn net.Conn) (netip.Addr, error) {
	remote := conn.RemoteAddr()
	if remote == nil {
		return netip.Addr{}, &Error{Reason: HostInvalid}
	}
	peer, err := netip.ParseAddrPort(remote.String())
	if err != nil {
		return netip.Addr{}, &Error{Reason: HostInvalid, Err: err}
	}
	return peer.Addr().Unmap(), nil
}

// ofNetwork returns those addresses that network can connect to.
func ofNetwork(network string, addrs []netip.Addr) []netip.Addr {
	return slices.DeleteFunc(addrs, func(addr netip.Addr) bool {
		return network != "tcp" && addr.Is4() != (network == "tcp4")
	})
}
