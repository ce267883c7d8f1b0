package netguard

import "github.com/go-extbody/extbody/fetch"

// A Reason is the rule that refused. The zero Reason stands for no refusal. A Reason is an
// error, which the [*Error] that has it matches:
//
//	if errors.Is(err, netguard.PortNotAllowed) { ... }
type Reason uint8

const (
	HostInvalid       Reason = iota + 1 // no host, or one that has no canonical form
	HostLocal                           // a name for local use
	UserinfoPresent                     // a user or password in a URL that should have none, or with control characters
	PortNotAllowed                      // a port that is not allowed, or none
	AddrNotPublic                       // an address that is not public, or has a zone
	AddrDenied                          // an address that [Guard].Deny lists
	NetworkNotAllowed                   // a network other than tcp, or udp in ControlContext
)

// String returns the reason in words that follow the name of the refused host or
// address.
func (r Reason) String() string {
	switch r {
	case HostInvalid:
		return "no usable host"
	case HostLocal:
		return "name for local use"
	case UserinfoPresent:
		return "userinfo not allowed"
	case PortNotAllowed:
		return "not allowed"
	case AddrNotPublic:
		return "is not public"
	case AddrDenied:
		return "is denied"
	case NetworkNotAllowed:
		return "network not allowed"
	}
	return "refused"
}

// Error implements error.
func (r Reason) Error() string { return r.String() }

// cause returns the Cause that the Reason belongs to, or 0.
func (r Reason) cause() fetch.Cause {
	switch r {
	case HostInvalid, HostLocal:
		return fetch.CauseName
	case UserinfoPresent:
		return fetch.CauseCredentials
	case PortNotAllowed:
		return fetch.CausePort
	case AddrNotPublic, AddrDenied:
		return fetch.CauseAddress
	}
	return 0
}
