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

// reasons are the words and the Cause of each Reason.
var reasons = [...]struct {
	text  string
	cause fetch.Cause
}{
	{"refused", 0},
	HostInvalid:       {"no usable host", fetch.CauseName},
	HostLocal:         {"name for local use", fetch.CauseName},
	UserinfoPresent:   {"userinfo not allowed", fetch.CauseCredentials},
	PortNotAllowed:    {"not allowed", fetch.CausePort},
	AddrNotPublic:     {"is not public", fetch.CauseAddress},
	AddrDenied:        {"is denied", fetch.CauseAddress},
	NetworkNotAllowed: {"network not allowed", 0},
}

// String returns the reason in words that follow the name of the refused host or
// address.
func (r Reason) String() string {
	if int(r) >= len(reasons) {
		r = 0
	}
	return reasons[r].text
}

// Error implements error.
func (r Reason) Error() string { return r.String() }
