package netguard_test

import (
	"fmt"
	"net/http"
	"net/netip"
	"net/url"

	"github.com/go-extbody/extbody/fetch/netguard"
)

func ExampleGuard_CheckURL() {
	var strict netguard.Guard
	web := strict.WithPorts(80, 443)
	for _, raw := range []string{
		"https://files.example.com/report.pdf",
		"http://169.254.169.254/latest/meta-data/",
		"http://[::ffff:10.0.0.1]/",
		"http://0x7f.1/",
		"http://intranet/",
		"http://files.example.com:25/",
		"http://files.example.com@evil.example/",
	} {
		u, err := url.Parse(raw)
		if err != nil {
			fmt.Println(err)
			continue
		}
		if err := web.CheckURL(u); err != nil {
			fmt.Println("refused:", err)
			continue
		}
		fmt.Println("ok:", raw)
	}
	// Output:
	// ok: https://files.example.com/report.pdf
	// refused: address 169.254.169.254 is not public
	// refused: address 10.0.0.1 is not public
	// refused: no usable host: numeric host that is not a canonical IPv4 address
	// refused: host intranet: name for local use
	// refused: port 25 not allowed
	// refused: userinfo not allowed
}

// A guard for a company's network, as the dialer of an HTTP transport.
func ExampleGuard_DialContext() {
	g := &netguard.Guard{
		Allow:      []netip.Prefix{netip.MustParsePrefix("10.1.0.0/16")},
		Deny:       []netip.Prefix{netip.MustParsePrefix("10.1.255.0/24")},
		LocalNames: true,
	}
	g = g.WithPorts(80, 443)
	transport := &http.Transport{DialContext: g.DialContext} // and no Proxy
	defer transport.CloseIdleConnections()

	for _, addr := range []string{"10.1.2.3", "10.1.255.3", "10.2.2.3"} {
		fmt.Println(addr, g.CheckAddr(netip.MustParseAddr(addr)))
	}
	// Output:
	// 10.1.2.3 <nil>
	// 10.1.255.3 address 10.1.255.3 is denied
	// 10.2.2.3 address 10.2.2.3 is not public
}

// A guard that only reports, in a program that does not know yet what it will refuse. The guard alone
// needs three modules beside this one.
func ExampleGuard_report() {
	g := &netguard.Guard{Report: func(e *netguard.Error) { fmt.Println("would be refused:", e) }}
	g = g.WithPorts(80, 443)
	for _, raw := range []string{"https://files.example.com/", "http://169.254.169.254/latest/", "http://intranet:8080/"} {
		u, err := url.Parse(raw)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(raw, g.CheckURL(u))
	}
	// Output:
	// https://files.example.com/ <nil>
	// would be refused: address 169.254.169.254 is not public
	// http://169.254.169.254/latest/ <nil>
	// would be refused: port 8080 not allowed
	// would be refused: host intranet: name for local use
	// http://intranet:8080/ <nil>
}
