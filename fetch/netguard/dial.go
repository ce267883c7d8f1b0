package netguard

import (
	"cmp"
	"context"
	"net"
	"net/netip"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/go-extbody/extbody/internal/link/host"
	"github.com/go-extbody/extbody/internal/netx/dialing"
	"github.com/go-extbody/extbody/internal/netx/rethrow"
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
// A Guard below package throttle asks it before each address is dialed, and again for the
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
		return nil, &Error{rule: networkNotAllowed}
	}
	host, port, err := split(address)
	if err != nil {
		return nil, err
	}
	if err := g.checkPort(port); err != nil {
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
		if err := dialing.Ask(ctx, addr); err != nil {
			return nil, err
		}
		return d.DialContext(ctx, network, netip.AddrPortFrom(addr, port).String())
	})
	if err == nil && len(addrs) > 1 {
		// It may have lost the address to another attempt.
		err = dialing.Ask(ctx, dialing.RemoteAddr(conn).Addr())
		if err != nil {
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
	peer := dialing.RemoteAddr(control).Addr()
	if !peer.IsValid() {
		return nil, &Error{rule: hostInvalid}
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
		return &Error{rule: networkNotAllowed}
	}
	remote, err := netip.ParseAddrPort(address)
	if err != nil {
		return &Error{rule: hostInvalid, Err: err}
	}
	if err := g.checkPort(remote.Port()); err != nil {
		return err
	}
	return g.CheckAddr(remote.Addr())
}

// checkData judges the address and the port of a socket for a data connection
// to peer.
func (g *Guard) checkData(address string, peer netip.Addr) error {
	remote, err := netip.ParseAddrPort(address)
	if err != nil {
		return &Error{rule: hostInvalid, Err: err}
	}
	if remote.Port() < minDataPort {
		return &Error{rule: portNotAllowed, Port: remote.Port()}
	}
	if remote.Addr().Unmap() != peer {
		return &Error{rule: addrDenied, Addr: remote.Addr()}
	}
	return g.CheckAddr(remote.Addr())
}

// ofNetwork returns those addresses that network can connect to.
func ofNetwork(network string, addrs []netip.Addr) []netip.Addr {
	return slices.DeleteFunc(addrs, func(addr netip.Addr) bool {
		return network != "tcp" && addr.Is4() != (network == "tcp4")
	})
}

// Resolve returns the addresses of hostname, a name or an address in any form that
// a URL may have, if all of them pass [Guard.CheckAddr]. Otherwise the error is an
// [*Error]; one address that does not pass refuses the whole answer.
//
// A name is looked up once, as a name of the public DNS: no search list
// applies. A name of one label, which LocalNames allows, is looked up as the
// system does, in its hosts file and with its search list. An address is not
// looked up. An error of the lookup, usually a [*net.DNSError], is returned as
// it is and does not match [fetch.Blocked]. The addresses are in the order of
// the answer, IPv4-mapped ones as IPv4.
func (g *Guard) Resolve(ctx context.Context, hostname string) ([]netip.Addr, error) {
	name, err := host.Canonical(hostname)
	if err != nil {
		return nil, &Error{rule: hostInvalid, Err: err}
	}
	return g.orStrict().resolve(ctx, name)
}

// resolve is Resolve for a host in canonical form.
func (g *Guard) resolve(ctx context.Context, name string) ([]netip.Addr, error) {
	trace := traceOf(ctx)
	if addr, ok := host.Addr(name); ok {
		if err := g.CheckAddr(addr); err != nil {
			trace.looked(g, name, []netip.Addr{addr}, nil)
			return nil, err
		}
		return []netip.Addr{addr}, nil
	}
	if err := g.checkName(name); err != nil {
		trace.looked(g, name, nil, err)
		return nil, err
	}
	answer, err := g.resolver().LookupNetIP(ctx, "ip", query(name))
	if err == nil && len(answer) == 0 {
		err = &net.DNSError{Err: "no addresses", Name: name, IsNotFound: true}
	}
	if err != nil {
		trace.looked(g, name, nil, err)
		return nil, err
	}
	trace.looked(g, name, answer, nil)
	// A copy, so that a resolver that keeps its slice cannot change the judged
	// addresses.
	addrs := make([]netip.Addr, len(answer))
	for i, addr := range answer {
		if rule := g.judge(addr); rule != 0 {
			if err := g.refuse(&Error{rule: rule, Host: name, Addr: addr}); err != nil {
				return nil, err
			}
		}
		addrs[i] = addr.Unmap()
	}
	return addrs, nil
}

// query returns the name to look up. A hosts file has names of one label without the
// root dot.
func query(name string) string {
	if strings.Contains(name, ".") {
		return name + "."
	}
	return name
}

func (g *Guard) resolver() Resolver {
	if g.Resolver != nil {
		return g.Resolver
	}
	// The resolvers of C libraries read 127.1 and the like as addresses, and
	// have search lists and plug-ins of their own.
	return &net.Resolver{PreferGo: true}
}

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
// failed, or attemptDelay after that was started. It returns the connection that
// is made first, or else the first error. tell is called with the outcome of
// each dial until then. When race returns, every dial has returned and every
// other connection is closed. There must be an address.
func race(
	ctx context.Context, addrs []netip.Addr, tell func(netip.Addr, error), dial func(context.Context, netip.Addr) (net.Conn, error),
) (net.Conn, error) {
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
		end  rethrow.End
	}
	results := make(chan *result)
	running := 0
	begin := func() {
		addr := addrs[0]
		addrs = addrs[1:]
		running++
		go func() {
			r := &result{addr: addr}
			defer func() { results <- r }()
			r.end.Run(func() { r.conn, r.err = dial(ctx, addr) })
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
			thrown := r.end.Thrown()
			if !thrown {
				tell(r.addr, r.err)
			}
			if thrown || r.err == nil {
				cancel()
				for range running {
					if late := <-results; late.conn != nil {
						late.conn.Close()
					}
				}
				r.end.Raise()
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
