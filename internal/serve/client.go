package serve

import "net/netip"

// Client names who sent a message, so that what is bounded for each of them is: by
// the login, or else by the address, of which that of IPv6 stands for its network
// of 64 bits. A private address, or one of this host, belongs to a mail server
// that hands on the messages of everybody, and names nobody: "".
func Client(login, address string) string {
	if login != "" {
		return "login " + login
	}
	a, err := netip.ParseAddr(address)
	if err != nil {
		return ""
	}
	a = a.Unmap().WithZone("")
	if !a.IsGlobalUnicast() || a.IsPrivate() {
		return ""
	}
	if a.Is6() {
		network, _ := a.Prefix(64)
		return network.String()
	}
	return a.String()
}
