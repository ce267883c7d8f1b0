package serve

import (
	"net/netip"
	"testing"
)

// A client is known by its login or its public address, and a mail server that hands
// on the messages of everybody is not taken for one.
func TestClient(t *testing.T) {
	for _, test := range []struct{ login, address, want string }{
		{"", "192.0.2.1", "192.0.2.1"},
		{"", "::ffff:192.0.2.1", "192.0.2.1"},
		{"", "2001:db8:1:2::1", "2001:db8:1:2::/64"},
		{"", "2001:db8:1:2:ffff::9%eth0", "2001:db8:1:2::/64"},
		{"a", "192.0.2.1", "login a"},
		{"192.0.2.1", "", "login 192.0.2.1"},
		{"", "127.0.0.1", ""}, {"", "::1", ""}, {"", "10.1.2.3", ""}, {"", "fd00::1", ""}, {"", "fe80::1%eth0", ""},
		{"", "", ""}, {"", "unknown", ""}, {"", "192.0.2.1, 192.0.2.2", ""}, {"", "<nil>", ""}, {"", "0.0.0.0", ""},
	} {
		address, _ := netip.ParseAddr(test.address)
		if got := Client(test.login, address); got != test.want {
			t.Errorf("login %q, address %q: got %q, want %q", test.login, test.address, got, test.want)
		}
	}
}
