package serve

import "net/netip"

// Client returns a name for the client that sent a message, so that limits can hold for
// each client. The name is
//
//   - the login, if there is one; or
//   - the address, if it is a public one of IPv4; or
//   - the network of 64 bits of the address, if it is a public one of IPv6; or
//   - "" for any other address. A private address, or one of this host, belongs to a
//     mail server that hands on the messages of many clients.
func Client(login string, address netip.Addr) string {
	if login != "" {
		return "login " + login
	}
	a := address.Unmap().WithZone("")
	if !a.IsGlobalUnicast() || a.IsPrivate() {
		return ""
	}
	if a.Is6() {
		network, _ := a.Prefix(64)
		return network.String()
	}
	return a.String()
}
