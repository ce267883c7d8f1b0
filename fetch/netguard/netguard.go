// Package netguard decides which addresses and ports may be dialed. One [Guard]
// judges every socket of every scheme, so that a reference written by a
// stranger cannot make this machine talk to itself, to its network or to the
// metadata service of its cloud.
//
// A connection passes four checks, and each refuses alone:
//
//  1. [Guard.CheckURL] judges the text of a URL: the spelling of its
//     host, an address in it, names for local use, its port and its userinfo.
//     It uses no network, so a plan can show its verdict.
//  2. [Guard.Resolve] looks the name up once and judges the whole answer. One
//     bad address refuses the name, because an answer that mixes public and
//     private addresses is an attack or a mistake.
//  3. [Guard.DialContext] dials the addresses that were judged, as literals. A
//     second lookup, which could be answered in another way, does not happen.
//  4. [Guard.ControlContext] judges the address of the socket between its
//     creation and its connection.
//
// # Addresses
//
// An address is public, and thus allowed, unless it is in the registries of
// special-purpose addresses (RFC 6890), multicast, reserved, or one of those
// that follow. IPv4 addresses in IPv6 ones are judged by the address they reach:
//
//   - An IPv4-mapped address is the IPv4 address.
//   - An address of the well-known NAT64 prefix 64:ff9b::/96 is allowed if
//     the IPv4 address in it is public (RFC 6052 section 3.1). The prefix for
//     local use, 64:ff9b:1::/48, is refused (RFC 8215). A prefix of the network's own (section 2.2) looks as
//     any other: name it in Deny, or the private ranges in it.
//   - An ISATAP address is allowed if its prefix and the IPv4 address in it are
//     public (RFC 5214 section 6.1).
//   - 6to4, Teredo, IPv4-compatible and IPv4-translated addresses are refused.
//   - All IPv6 addresses outside of 2000::/3 are refused, and with them
//     site-local ones, unique local ones (RFC 4193) and segment routing.
//   - Addresses with a zone are refused.
//   - 168.63.129.16 is refused: it is a public address, but inside Azure it is
//     the host's control service.
//
// A public address of this machine itself is public. Name it in Deny where a
// service on it trusts local clients.
//
// # The guard alone
//
// A Guard needs no fetcher of this module. Its DialContext is for a [net/http.Transport] without
// a proxy, see the example of the package. A program that has only the guard needs three modules
// beside this one: code.dny.dev/ssrf, golang.org/x/net and golang.org/x/text.
//
//   - Call [Guard.CheckURL] for the URL and in CheckRedirect, so that a bad URL is refused
//     before a name is looked up. The dialer alone is enough for safety.
//   - Set Proxy to nil. [net/http.DefaultTransport] has the proxy of the environment, which would
//     reach any address.
//   - [Guard].Report shows the contacts that a Guard would refuse in a program that has worked without it.
//   - [Guard].Resolver names another resolver, such as one that asks a server of your own.
//
// testdata/vectors.jsonl has bypasses of other guards that were published, and cases beside
// them, for guards in any language. testdata/SPEC.md is its format.
//
// # Proxies
//
// A Guard knows no proxies and reads no environment. Behind a proxy it would
// see the proxy's address alone, so a fetcher that uses one judges the target
// with [Guard.CheckURL] and [Guard.Resolve] first.
package netguard

import (
	"context"
	"net/netip"
	"slices"
	"strconv"

	"github.com/go-extbody/extbody/fetch"
)

// A Guard is a policy on sockets. The zero Guard is the strict policy: public
// unicast addresses, and no ports but those that a fetcher adds for its scheme
// with [Guard.WithPorts]. A nil *Guard is the zero Guard.
//
// A Guard is safe for concurrent use as long as its fields are not changed.
// Every refusal is an [*Error] that matches [fetch.Blocked].
type Guard struct {
	// Allow lists addresses that are allowed although they are not public,
	// such as 127.0.0.0/8 in a test. Ports are judged all the same.
	Allow []netip.Prefix

	// Deny lists addresses that are refused although they are public. It wins
	// over Allow. An IPv4 prefix covers the addresses of the well-known NAT64
	// prefix, and those of ISATAP, that embed one of its addresses.
	Deny []netip.Prefix

	// Ports lists ports that are allowed for every scheme.
	Ports []uint16

	// AnyPort allows all ports but 0.
	AnyPort bool

	// LocalNames allows names that are for local use: names of one label, and
	// names under domains such as localhost, local and internal. The addresses
	// that they have are judged all the same.
	LocalNames bool

	// Userinfo allows a user and a password in http and https URLs. They are
	// refused otherwise, since they serve to make a host look like another one
	// (RFC 9110 section 4.2.4). In URLs of other schemes they are allowed.
	Userinfo bool

	// Resolver looks names up. If it is nil, the resolver of the Go standard
	// library is used, in its pure Go form.
	Resolver Resolver

	// Report, if it is not nil, is called with each refusal of an address, a port, a name for local
	// use or userinfo, which is then allowed. It shows the refusals of the Guard before a program
	// depends on it, and must not be set for URLs of strangers. One connection may be reported
	// several times, since each check reports by itself. Hosts and networks that cannot be dialed,
	// and the ports and peers of Guard.DialData, are refused all the same. Report must be safe for
	// concurrent use.
	Report func(*Error)
}

// refuse returns e, or nil if it is only to be reported.
func (g *Guard) refuse(e *Error) error {
	if g.Report == nil {
		return e
	}
	g.Report(e)
	return nil
}

// A Resolver looks up addresses, as [net.Resolver] does. Guard calls it once
// for each connection with network "ip" and a name in canonical form. A name of
// several labels has the root dot added, so that no search list applies to it.
// An error for a name that does not exist should be a [*net.DNSError].
// LookupNetIP must be safe for concurrent use.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// WithPorts returns a copy of g that allows these ports as well. Fetchers name
// the ports of their schemes with it.
func (g *Guard) WithPorts(ports ...uint16) *Guard {
	c := *g.orStrict()
	c.Ports = slices.Concat(c.Ports, ports)
	return &c
}

// checkPort returns nil if a socket may be connected to port, and otherwise an *Error.
func (g *Guard) checkPort(port uint16) error {
	g = g.orStrict()
	if port != 0 && (g.AnyPort || slices.Contains(g.Ports, port)) {
		return nil
	}
	return g.refuse(&Error{rule: portNotAllowed, Port: port})
}

// orStrict returns g, or the strict policy if it is nil.
func (g *Guard) orStrict() *Guard {
	if g == nil {
		return &Guard{}
	}
	return g
}

// An Error is a refusal. It matches [fetch.Blocked], and thus [io/fs.ErrPermission], and its
// [fetch.Cause]. The refusal of a network, such as "unix", has no Cause. Fields that do not
// belong to the cause are zero.
type Error struct {
	Host string     // in canonical form, if a name was judged
	Addr netip.Addr // the address that was refused
	Port uint16     // the port that was refused
	Err  error      // the fault of a host or a port that cannot be parsed, or nil

	rule rule
}

// Denied reports whether Addr is refused whatever [Guard].Allow has: Deny lists it, or it is not
// the peer of [Guard.DialData].
func (e *Error) Denied() bool { return e.rule == addrDenied }

// Error returns the refused host and port, and the reason. It has nothing else of a
// URL.
func (e *Error) Error() string {
	s := e.rule.String()
	switch e.rule {
	case addrNotPublic, addrDenied:
		s = "address " + e.Addr.String() + " " + s
	case portNotAllowed:
		s = "port " + strconv.Itoa(int(e.Port)) + " " + s
	}
	if e.Host != "" {
		s = "host " + e.Host + ": " + s
	}
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// Unwrap returns [fetch.Blocked], the [fetch.Cause] and Err.
func (e *Error) Unwrap() []error {
	errs := []error{fetch.Blocked}
	if cause := rules[e.rule].cause; cause != 0 {
		errs = append(errs, cause)
	}
	if e.Err != nil {
		errs = append(errs, e.Err)
	}
	return errs
}

// A rule is the one that refused, and 0 if none did.
type rule uint8

const (
	hostInvalid       rule = iota + 1 // no host, or one that has no canonical form
	hostLocal                         // a name for local use
	userinfoPresent                   // a user or password in a URL that should have none, or with control characters
	portNotAllowed                    // a port that is not allowed, or none
	addrNotPublic                     // an address that is not public, or has a zone
	addrDenied                        // an address that Guard.Deny lists
	networkNotAllowed                 // a network other than tcp, or udp in ControlContext
)

// rules are the words that follow the name of the refused host or address, and the Cause of each rule.
var rules = [...]struct {
	text  string
	cause fetch.Cause
}{
	{"refused", 0},
	hostInvalid:       {"no usable host", fetch.CauseName},
	hostLocal:         {"name for local use", fetch.CauseName},
	userinfoPresent:   {"userinfo not allowed", fetch.CauseCredentials},
	portNotAllowed:    {"not allowed", fetch.CausePort},
	addrNotPublic:     {"is not public", fetch.CauseAddress},
	addrDenied:        {"is denied", fetch.CauseAddress},
	networkNotAllowed: {"network not allowed", 0},
}

// String returns the words of the rule.
func (r rule) String() string { return rules[r].text }
