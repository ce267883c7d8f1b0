package netguard

import (
	"cmp"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"code.dny.dev/ssrf"

	"github.com/go-extbody/extbody/internal/link/host"
)

// CheckURL returns nil if nothing in u by itself forbids to fetch it, and
// otherwise an [*Error]. It uses no network, so nil means nothing for the
// addresses of a name, the path or the scheme. It requires:
//
//   - a host with one spelling: a name in ASCII or one that UTS 46 maps to it,
//     an IPv4 address as four decimal numbers, or an IPv6 address without zone;
//   - that the host is not a name for local use, see [Guard].LocalNames;
//   - that an address as host passes [Guard.CheckAddr];
//   - that the port is one that the Guard allows. A URL without a port has the port of
//     its scheme, if this is http, https, ftp, ftps, tftp, imap or imaps; in
//     other schemes the port is judged when it is dialed;
//   - that an http or https URL has no userinfo, see [Guard].Userinfo, and
//     that no userinfo has control characters.
func (g *Guard) CheckURL(u *url.URL) error {
	_, _, err := g.Authority(u)
	return err
}

// Authority judges u like [Guard.CheckURL], and returns its host in canonical form and its
// port. If u names none, the port is the scheme's, or 0 if CheckURL knows no port for the
// scheme.
func (g *Guard) Authority(u *url.URL) (hostname string, port uint16, err error) {
	g = g.orStrict()
	if u == nil || u.Opaque != "" || u.Host == "" {
		return "", 0, &Error{rule: hostInvalid}
	}
	scheme := strings.ToLower(u.Scheme)
	if u.User != nil && !g.userinfoAllowed(scheme, u.User) {
		if err := g.refuse(&Error{rule: userinfoPresent}); err != nil {
			return "", 0, err
		}
	}
	hostname, port, err = split(u.Host)
	if err != nil {
		return "", 0, err
	}
	port = cmp.Or(port, host.Port(scheme))
	if port != 0 {
		if err := g.checkPort(port); err != nil {
			return "", 0, err
		}
	}
	if addr, ok := host.Addr(hostname); ok {
		err = g.CheckAddr(addr)
	} else {
		err = g.checkName(hostname)
	}
	return hostname, port, err
}

func (g *Guard) userinfoAllowed(scheme string, user *url.Userinfo) bool {
	if (scheme == "http" || scheme == "https") && !g.Userinfo {
		return false
	}
	password, _ := user.Password()
	return !hasControl(user.Username()) && !hasControl(password)
}

// hasControl reports whether s has a control character, which would end a
// command or a line of the dialogue that s becomes a part of.
func hasControl(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f })
}

// checkName judges a name in canonical form without looking it up.
func (g *Guard) checkName(name string) error {
	if !g.LocalNames && local(name) {
		return g.refuse(&Error{rule: hostLocal, Host: name})
	}
	return nil
}

// local reports whether a name in canonical form is for local use: it has one
// label, and thus a meaning that depends on search lists, or it is in a domain
// that the public DNS does not have.
func local(name string) bool {
	labels := strings.Split(name, ".")
	n := len(labels)
	if n == 1 {
		return true
	}
	switch labels[n-1] {
	case "localhost", // RFC 6761 section 6.3
		"local",                                                  // RFC 6762 section 3
		"internal", "intranet", "private", "corp", "home", "lan", // RFC 6762 appendix G
		"localdomain", // in many hosts files
		"onion",       // RFC 7686 section 2
		"alt":         // RFC 9476 section 2
		return true
	case "arpa":
		return labels[n-2] == "home" // RFC 8375
	}
	return false
}

// split is host.Split with an *Error.
func split(hostport string) (hostname string, port uint16, err error) {
	hostname, port, err = host.Split(hostport)
	switch err {
	case nil:
		return hostname, port, nil
	case host.BadPort:
		return "", 0, &Error{rule: portNotAllowed, Err: err}
	}
	return "", 0, &Error{rule: hostInvalid, Err: err}
}

// public has the special-purpose registries of IANA as they stand; it refuses
// all IPv6 addresses outside of 2000::/3.
var public = ssrf.New(ssrf.WithAnyNetwork(), ssrf.WithAnyPort())

// wireServer is the address at which Azure's hosts serve their guests. No
// registry has it.
var wireServer = netip.AddrFrom4([4]byte{168, 63, 129, 16})

// CheckAddr returns nil if a socket may be connected to addr, and otherwise an
// [*Error]. The package comment lists the rules.
func (g *Guard) CheckAddr(addr netip.Addr) error {
	g = g.orStrict()
	if rule := g.judge(addr); rule != 0 {
		return g.refuse(&Error{rule: rule, Addr: addr})
	}
	return nil
}

// judge returns the rule that refuses addr, or 0. The IPv4 prefixes of Allow
// are not applied to addresses that NAT64 or ISATAP reach: they are in the
// gateway's network and not in ours.
func (g *Guard) judge(addr netip.Addr) rule {
	if !addr.IsValid() || addr.Zone() != "" {
		return addrNotPublic
	}
	addr = addr.Unmap()
	target, outer := embedded(addr)
	switch {
	case covers(g.Deny, addr), covers(g.Deny, target):
		return addrDenied
	case covers(g.Allow, addr):
		return 0
	case target == wireServer, public.SafeAddr(target) != nil, public.SafeAddr(outer) != nil:
		return addrNotPublic
	}
	return 0
}

// embedded returns the IPv4 address that addr reaches by NAT64, in the well-known prefix
// (RFC 6052 section 2.2), or by ISATAP, whatever the prefix (RFC 5214 section 6.1). For
// ISATAP outer is addr, whose prefix must be public as well; otherwise it is target. Of
// any other address both are addr.
func embedded(addr netip.Addr) (target, outer netip.Addr) {
	if !addr.Is6() {
		return addr, addr
	}
	a := addr.As16()
	inner := netip.AddrFrom4([4]byte(a[12:]))
	if ssrf.IPv6NAT64Prefix.Contains(addr) {
		return inner, inner
	}
	// The universal/local bit may be set.
	isatap := [4]byte{a[8] &^ 2, a[9], a[10], a[11]} == [4]byte{0, 0, 0x5e, 0xfe}
	if isatap {
		return inner, addr
	}
	return addr, addr
}

// covers reports whether one of the prefixes has addr, which is not in mapped
// form. A prefix in mapped form counts as one of IPv4.
func covers(prefixes []netip.Prefix, addr netip.Addr) bool {
	return slices.ContainsFunc(prefixes, func(p netip.Prefix) bool {
		if p.Addr().Is4In6() && addr.Is4() {
			return p.Contains(netip.AddrFrom16(addr.As16()))
		}
		return p.Contains(addr)
	})
}
