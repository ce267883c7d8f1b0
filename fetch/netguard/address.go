package netguard

import (
	"net/netip"
	"slices"

	"code.dny.dev/ssrf"
)

// public has the special-purpose registries of IANA as they stand; it refuses
// all IPv6 addresses outside of 2000::/3.
var public = ssrf.New(ssrf.WithAnyNetwork(), ssrf.WithAnyPort())

// wireServer is the address at which Azure's hosts serve their guests. No
// registry has it.
var wireServer = netip.AddrFrom4([4]byte{168, 63, 129, 16})

// CheckAddr returns nil if a socket may be connected to addr, and otherwise an
// [*Error]. The package comment lists the rules.
func (g *Guard) CheckAddr(addr netip.Addr) error {
	if reason := g.orStrict().judge(addr); reason != 0 {
		return &Error{Reason: reason, Addr: addr}
	}
	return nil
}

// judge returns the reason to refuse addr, or 0. The IPv4 prefixes of Allow
// are not applied to addresses that NAT64 reaches: they are in the
// gateway's network and not in ours.
func (g *Guard) judge(addr netip.Addr) Reason {
	if !addr.IsValid() || addr.Zone() != "" {
		return AddrNotPublic
	}
	addr = addr.Unmap()
	target := throughNAT64(addr)
	switch {
	case covers(g.Deny, addr), covers(g.Deny, target):
		return AddrDenied
	case covers(g.Allow, addr):
		return 0
	case target == wireServer, public.SafeAddr(target) != nil:
		return AddrNotPublic
	}
	return 0
}

// throughNAT64 returns the IPv4 address that an address of the well-known
// prefix reaches (RFC 6052 section 2.2), and any other address as it is.
func throughNAT64(addr netip.Addr) netip.Addr {
	if !ssrf.IPv6NAT64Prefix.Contains(addr) {
		return addr
	}
	a := addr.As16()
	return netip.AddrFrom4([4]byte(a[12:]))
}

// covers reports whether one of the prefixes has addr, which is not in mapped
// form. A prefix in mapped form counts as one of IPv4.
func covers(prefixes []netip.Prefix, addr netip.Addr) bool {
	return slices.ContainsFunc(prefixes, func(p netip.Prefix) bool {
		return p.Contains(addr) || p.Addr().Is4In6() && addr.Is4() && p.Contains(netip.AddrFrom16(addr.As16()))
	})
}
