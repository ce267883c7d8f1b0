package netguard_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/netguard"
)

// The guard alone: a client of the standard library, and no fetcher. A web page leads it to the metadata
// service of its cloud.
func Example_alone() {
	trap := httptest.NewServer(http.RedirectHandler("http://169.254.169.254/latest/meta-data/", http.StatusFound))
	defer trap.Close()

	guard := &netguard.Guard{
		AnyPort: true,                                                 // and Ports: []uint16{80, 443} in earnest
		Allow:   []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, // the trap is on this machine
	}
	client := &http.Client{
		Transport: &http.Transport{DialContext: guard.DialContext}, // and no Proxy
		Timeout:   time.Minute,
		CheckRedirect: func(r *http.Request, via []*http.Request) error {
			if len(via) >= 10 {
				return errors.New("too many redirects")
			}
			return guard.CheckURL(r.URL)
		},
	}
	defer client.CloseIdleConnections()

	_, err := client.Get(trap.URL)
	fmt.Println(errors.Is(err, fetch.CauseAddress), errors.Unwrap(err))

	transport := &http.Client{Transport: client.Transport} // without CheckRedirect the dialer refuses
	_, err = transport.Get(trap.URL)
	fmt.Println(errors.Is(err, fetch.CauseAddress))
	// Output:
	// true address 169.254.169.254 is not public
	// true
}

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

// A guard that asks a name server of its own instead of the system's. A Resolver is a net.Resolver, or anything that
// answers as one.
func ExampleGuard_resolver() {
	g := &netguard.Guard{Resolver: &net.Resolver{
		PreferGo: true,
		Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return nil, errors.New("here: dial your name server by " + network[:3])
		},
	}}
	_, err := g.Resolve(context.Background(), "files.example.com")
	var dns *net.DNSError
	fmt.Println(errors.As(err, &dns), errors.Is(err, fetch.Blocked))
	// Output:
	// true false
}

// A guard that only reports, in a program that does not know its refusals yet.
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
