package netguard

import (
	"context"
	"net"
	"net/netip"
	"strings"

	"github.com/go-extbody/extbody/internal/link/host"
)

// Resolve returns the addresses of host, a name or an address in any form that
// a URL may have, if all of them pass [Guard.CheckAddr]. Otherwise the error is
// an [*Error]; one address that does not pass refuses the whole answer.
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
		return nil, &Error{Reason: HostInvalid, Err: err}
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
		if reason := g.judge(addr); reason != 0 {
			return nil, &Error{Reason: reason, Host: name, Addr: addr}
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
