package netguard

import (
	"errors"
	"net/netip"
	"net/url"
	"testing"

	"github.com/go-extbody/extbody/internal/link/host"
)

// noError ends the test if err is not nil.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestCheckURL(t *testing.T) {
	strict := (*Guard)(nil).WithPorts(80, 443, 21, 990)
	for _, tt := range []struct {
		name  string
		guard *Guard
		url   string
		want  rule
	}{
		{"Name", strict, "http://files.example.com/a?b#c", 0},
		{"UpperCase", strict, "HTTP://FILES.EXAMPLE.COM/", 0},
		{"RootDot", strict, "http://example.com./", 0},
		{"Umlaut", strict, "http://b\u00fccher.example/", 0},
		{"Address", strict, "http://93.184.216.34/", 0},
		{"Address6", strict, "https://[2606:2800:220:1::1]/", 0},
		{"MappedAddress", strict, "http://[::ffff:93.184.216.34]/", 0},
		{"NoPath", strict, "http://example.com", 0},

		{"Loopback", strict, "http://127.0.0.1/", addrNotPublic},
		{"LoopbackFullwidth", strict, "http://\uff11\uff12\uff17\u30020\u30020\u30021/", addrNotPublic},
		{"Loopback6", strict, "http://[::1]/", addrNotPublic},
		{"Zone", strict, "http://[fe80::1%25lo]/", hostInvalid},
		{"Numeric", strict, "http://2130706433/", hostInvalid},
		{"Octal", strict, "http://0177.0.0.1/", hostInvalid},
		{"Comma", strict, "http://127.0.0.1,example.com/", hostInvalid},
		{"EncodedDot", strict, "http://127%E3%80%820.0.1/", addrNotPublic},
		{"NoHost", strict, "http:///127.0.0.1/", hostInvalid},
		{"Opaque", strict, "http:example.com", hostInvalid},
		{"OnlyPort", strict, "http://:80/", hostInvalid},

		{"PortOfScheme", strict, "http://example.com:80/", 0},
		{"EmptyPort", strict, "http://example.com:/", 0},
		{"LeadingZeros", strict, "http://example.com:00080/", 0},
		{"OtherPort", strict, "http://example.com:25/", portNotAllowed},
		{"PortZero", strict, "http://example.com:0/", portNotAllowed},
		{"PortWraps", strict, "http://example.com:65616/", portNotAllowed},
		{"NoPortsNamed", nil, "http://example.com/", portNotAllowed},
		{"FTP", strict, "ftp://example.com/", 0},
		{"FTPS", strict, "ftps://example.com/", 0},
		{"TFTPNotNamed", strict, "tftp://example.com/f", portNotAllowed},
		{"TFTPNamed", strict.WithPorts(69), "tftp://example.com/f", 0},
		{"IMAPNotNamed", strict, "imap://example.com/f", portNotAllowed},
		{"IMAPSNotNamed", strict, "imaps://example.com/f", portNotAllowed},
		{"OtherScheme", strict, "gemini://example.com/", 0},
		{"OtherSchemePort", strict, "gemini://example.com:1965/", portNotAllowed},
		{"AnyPort", &Guard{AnyPort: true}, "http://example.com:1234/", 0},

		{"SingleLabel", strict, "http://intranet/", hostLocal},
		{"Localhost", strict, "http://LOCALHOST./", hostLocal},
		{"SubLocalhost", strict, "http://foo.localhost/", hostLocal},
		{"LongS", strict, "http://LOCALHO\u017fT/", hostLocal},
		{"MDNS", strict, "http://printer.local/", hostLocal},
		{"Internal", strict, "http://metadata.google.internal/", hostLocal},
		{"HomeArpa", strict, "http://nas.home.arpa/", hostLocal},
		{"OtherArpa", strict, "http://home.in-addr.arpa/", 0},
		{"Onion", strict, "http://example.onion/", hostLocal},
		{"LocalInTheMiddle", strict, "http://local.example/", 0},
		{"LocalAsSuffix", strict, "http://nonlocal.thelocal/", 0},
		{"LocalNames", &Guard{LocalNames: true, AnyPort: true}, "http://intranet/", 0},

		{"User", strict, "http://user@example.com/", userinfoPresent},
		{"UserUpperScheme", strict, "HTTPS://user@example.com/", userinfoPresent},
		{"EmptyUser", strict, "http://@example.com/", userinfoPresent},
		{"HostAsUser", strict, "http://example.com@127.0.0.1/", userinfoPresent},
		{"UserAllowed", &Guard{Userinfo: true, AnyPort: true}, "http://user:secret@example.com/", 0},
		{"FTPUser", strict, "ftp://user:secret@example.com/", 0},
		{"FTPUserCRLF", strict, "ftp://u%0d%0aPASS%20x@example.com/", userinfoPresent},
		{"FTPPasswordNUL", strict, "ftp://u:%00@example.com/", userinfoPresent},
		{"FTPHostAsUser", strict, "ftp://example.com@127.0.0.1/", addrNotPublic},
	} {
		t.Run(tt.name, func(t *testing.T) {
			u, err := url.Parse(tt.url)
			noError(t, err)
			wantRule(t, tt.url, tt.guard.CheckURL(u), tt.want)
		})
	}
}

// TestCheckURLBuiltByHand covers URLs that url.Parse would refuse.
func TestCheckURLBuiltByHand(t *testing.T) {
	g := &Guard{AnyPort: true}
	wantRule(t, "nil", g.CheckURL(nil), hostInvalid)
	wantRule(t, "zero", g.CheckURL(&url.URL{}), hostInvalid)
	wantRule(t, "upper-case scheme", g.CheckURL(&url.URL{Scheme: "HTTP", User: url.User("u"), Host: "a.example"}), userinfoPresent)
	wantRule(t, "opaque with host", g.CheckURL(&url.URL{Scheme: "http", Opaque: "//127.0.0.1/", Host: "a.example"}), hostInvalid)
	for _, host := range []string{
		"127.0.0.1\x00.example", "a b.example", `a\b.example`, "a%2eexample", "a@b.example", "a/b.example", "[::1", "[::1]a", "[fe80::1%lo]", "::1", "[example.com]", "[v1.a]",
	} {
		err := g.CheckURL(&url.URL{Scheme: "http", Host: host})
		if err == nil {
			t.Errorf("host %q accepted, want an error", host)
		}
	}
}

// FuzzCheckURL checks that a host that is accepted has one canonical form, and
// that this form is accepted again.
func FuzzCheckURL(f *testing.F) {
	for _, s := range []string{
		"http://example.com/", "http://127.0.0.1/", "http://[::1]:80/", "http://[::ffff:93.184.216.34]/", "http://b\u00fccher.example:443",
		"http://[fe80::1%25lo]/", "ftp://u:p@h.example/", "http:opaque", "HTTP://A.EXAMPLE.", "tftp://h.example/f", "http://[64:ff9b::1.2.3.4]/", "x://h.example:0",
		"http://\uff11\uff12\uff17.1/", "//h.example", "http://localhost", "http://a.xn--/", "http://a%00b/",
	} {
		f.Add(s)
	}
	g := &Guard{AnyPort: true}
	f.Fuzz(func(t *testing.T, raw string) {
		u, err := url.Parse(raw)
		if err != nil {
			u = &url.URL{Scheme: "http", Host: raw}
		}
		if err := g.CheckURL(u); err != nil {
			wantError(t, err)
			return
		}
		host, _, err := host.Split(u.Host)
		if err != nil {
			t.Fatalf("%q: got error %v of Split, want none: CheckURL accepted it", u.Host, err)
		}
		if addr, err := netip.ParseAddr(host); err == nil && g.CheckAddr(addr) != nil {
			t.Fatalf("%q: got it accepted by CheckURL, want it refused as by CheckAddr", u.Host)
		}
		again := *u
		again.Host = host
		if _, err := netip.ParseAddr(host); err == nil && netip.MustParseAddr(host).Is6() {
			again.Host = "[" + host + "]"
		}
		if err := g.CheckURL(&again); err != nil {
			t.Fatalf("%q: got error %v, want none, as for %q", again.Host, err, u.Host)
		}
	})
}

func wantError(t *testing.T, err error) {
	t.Helper()
	if _, ok := err.(*Error); !ok {
		t.Fatalf("got %T %v, want *Error", err, err)
	}
}

// BenchmarkPolicy measures the cost of the guard for a fetch, without the lookup
// itself: the URL, one address of the answer, and the socket.
func BenchmarkPolicy(b *testing.B) {
	g := (*Guard)(nil).WithPorts(80, 443)
	addr := netip.MustParseAddr("93.184.216.34")
	for _, bb := range []struct{ name, url string }{
		{"Name", "https://files.downloads.example.com/a/b/c.pdf?token=1"},
		{"IPv4", "https://93.184.216.34/a/b/c.pdf"},
		{"IPv6", "https://[2606:2800:220:1::1]/a/b/c.pdf"},
	} {
		u, err := url.Parse(bb.url)
		noError(b, err)
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				noError(b, g.CheckURL(u))
				noError(b, g.CheckAddr(addr))
				noError(b, g.ControlContext(b.Context(), "tcp4", "93.184.216.34:443", nil))
			}
		})
	}
}

// TestCheckAddrStrict is SE-3 for the zero Guard.
func TestCheckAddrStrict(t *testing.T) {
	for _, tt := range []struct {
		name string
		addr string
		want rule
	}{
		{"Public", "93.184.216.34", 0},
		{"AboveRFC1918", "11.0.0.1", 0},
		{"BelowRFC1918", "172.15.255.255", 0},
		{"AboveRFC1918Upper", "172.32.0.0", 0},
		{"AboveCGNAT", "100.128.0.0", 0},
		{"BelowCGNAT", "100.63.255.255", 0},
		{"BelowBenchmarking", "198.17.255.255", 0},
		{"BelowMulticast", "223.255.255.255", 0},
		{"NextToWireServer", "168.63.129.17", 0},
		{"Public6", "2606:2800:220:1::1", 0},
		{"Mapped", "::ffff:93.184.216.34", 0},
		{"NAT64", "64:ff9b::93.184.216.34", 0},

		{"Unspecified", "0.0.0.0", addrNotPublic},
		{"ThisNetwork", "0.255.255.255", addrNotPublic},
		{"Loopback", "127.0.0.1", addrNotPublic},
		{"LoopbackUpper", "127.255.255.254", addrNotPublic},
		{"RFC1918Ten", "10.255.255.254", addrNotPublic},
		{"RFC1918TwelveLower", "172.16.0.0", addrNotPublic},
		{"RFC1918TwelveUpper", "172.31.255.255", addrNotPublic},
		{"RFC1918Sixteen", "192.168.1.1", addrNotPublic},
		{"RFC6598Lower", "100.64.0.0", addrNotPublic},
		{"RFC6598Upper", "100.127.255.255", addrNotPublic},
		{"AlibabaMetadata", "100.100.100.200", addrNotPublic},
		{"LinkLocalMetadata", "169.254.169.254", addrNotPublic},
		{"IETFProtocol", "192.0.0.1", addrNotPublic},
		{"OracleMetadata", "192.0.0.192", addrNotPublic},
		{"Documentation1", "192.0.2.1", addrNotPublic},
		{"Documentation2", "198.51.100.1", addrNotPublic},
		{"Documentation3", "203.0.113.1", addrNotPublic},
		{"AS112", "192.31.196.1", addrNotPublic},
		{"AS112Direct", "192.175.48.1", addrNotPublic},
		{"AMT", "192.52.193.1", addrNotPublic},
		{"RelayAnycast6to4", "192.88.99.1", addrNotPublic},
		{"Benchmarking", "198.18.0.1", addrNotPublic},
		{"BenchmarkingUpper", "198.19.255.254", addrNotPublic},
		{"Multicast", "224.0.0.1", addrNotPublic},
		{"MulticastUpper", "239.255.255.255", addrNotPublic},
		{"Reserved", "240.0.0.1", addrNotPublic},
		{"Broadcast", "255.255.255.255", addrNotPublic},
		{"AzureWireServer", "168.63.129.16", addrNotPublic},

		{"Unspecified6", "::", addrNotPublic},
		{"Loopback6", "::1", addrNotPublic},
		{"Compatible", "::127.0.0.1", addrNotPublic},
		{"CompatiblePublic", "::93.184.216.34", addrNotPublic},
		{"MappedLoopback", "::ffff:127.0.0.1", addrNotPublic},
		{"MappedPrivate", "::ffff:10.0.0.1", addrNotPublic},
		{"MappedUnspecified", "::ffff:0.0.0.0", addrNotPublic},
		{"MappedWireServer", "::ffff:168.63.129.16", addrNotPublic},
		{"Translated", "::ffff:0:127.0.0.1", addrNotPublic},
		{"NAT64Loopback", "64:ff9b::7f00:1", addrNotPublic},
		{"NAT64Private", "64:ff9b::10.0.0.1", addrNotPublic},
		{"NAT64Metadata", "64:ff9b::a9fe:a9fe", addrNotPublic},
		{"NAT64WireServer", "64:ff9b::168.63.129.16", addrNotPublic},
		{"NAT64NextPrefix", "64:ff9b::1:0:0", addrNotPublic},
		{"NAT64LocalUse", "64:ff9b:1::a00:1", addrNotPublic},
		{"NAT64LocalUsePublic", "64:ff9b:1::5db8:d822", addrNotPublic},
		{"NAT64LocalUseUpper", "64:ff9b:1:fffe::a9fe:a9fe", addrNotPublic},
		{"SixToFourPrivate", "2002:a00:1::1", addrNotPublic},
		{"SixToFourPublic", "2002:5db8:d822::1", addrNotPublic},
		{"Teredo", "2001::1", addrNotPublic},
		{"TeredoPublic", "2001:0:5db8:d822:0:3f57:a247:27dd", addrNotPublic},
		{"Benchmarking6", "2001:2::1", addrNotPublic},
		{"AMT6", "2001:3::1", addrNotPublic},
		{"AS112v6", "2001:4:112::1", addrNotPublic},
		{"ORCHID", "2001:10::1", addrNotPublic},
		{"ORCHIDv2", "2001:20::1", addrNotPublic},
		{"DroneRemoteID", "2001:30::1", addrNotPublic},
		{"Documentation6", "2001:db8::1", addrNotPublic},
		{"Documentation6New", "3fff::1", addrNotPublic},
		{"AS112Direct6", "2620:4f:8000::1", addrNotPublic},
		{"DiscardOnly", "100::1", addrNotPublic},
		{"Unassigned", "1::1", addrNotPublic},
		{"AboveGlobalUnicast", "4000::1", addrNotPublic},
		{"SegmentRouting", "5f00::1", addrNotPublic},
		{"UniqueLocal", "fc00::1", addrNotPublic},
		{"AWSMetadata6", "fd00:ec2::254", addrNotPublic},
		{"LinkLocal6", "fe80::1", addrNotPublic},
		{"SiteLocal", "fec0::1", addrNotPublic},
		{"Multicast6", "ff0e::1", addrNotPublic},
		{"LinkLocalZone", "fe80::1%lo", addrNotPublic},
		{"LoopbackZone", "::1%lo", addrNotPublic},
		{"PublicZone", "2606:2800:220:1::1%eth0", addrNotPublic},
		{"MappedZone", "::ffff:93.184.216.34%eth0", addrNotPublic},
	} {
		t.Run(tt.name, func(t *testing.T) {
			addr := netip.MustParseAddr(tt.addr)
			for _, g := range []*Guard{nil, {}} {
				wantRule(t, "CheckAddr", g.CheckAddr(addr), tt.want)
			}
		})
	}
	var g Guard
	wantRule(t, "zero Addr", g.CheckAddr(netip.Addr{}), addrNotPublic)
}

func TestCheckAddrPolicy(t *testing.T) {
	for _, tt := range []struct {
		name  string
		guard Guard
		addr  string
		want  rule
	}{
		{"Allow", Guard{Allow: prefixes("127.0.0.0/8")}, "127.0.0.1", 0},
		{"AllowMappedAddr", Guard{Allow: prefixes("127.0.0.0/8")}, "::ffff:127.0.0.1", 0},
		{"AllowMappedPrefix", Guard{Allow: prefixes("::ffff:127.0.0.0/104")}, "127.0.0.1", 0},
		{"AllowOther", Guard{Allow: prefixes("127.0.0.0/8")}, "10.0.0.1", addrNotPublic},
		{"AllowKeepsPublic", Guard{Allow: prefixes("127.0.0.0/8")}, "93.184.216.34", 0},
		{"AllowAll6IsNot4", Guard{Allow: prefixes("::/0")}, "127.0.0.1", addrNotPublic},
		{"AllowDoesNotReachThroughNAT64", Guard{Allow: prefixes("10.0.0.0/8")}, "64:ff9b::10.0.0.1", addrNotPublic},
		{"AllowNAT64", Guard{Allow: prefixes("64:ff9b::/96")}, "64:ff9b::10.0.0.1", 0},
		{"AllowIsNotForZones", Guard{Allow: prefixes("fe80::/10")}, "fe80::1%lo", addrNotPublic},
		{"AllowInvalidPrefix", Guard{Allow: []netip.Prefix{{}}}, "127.0.0.1", addrNotPublic},
		{"Deny", Guard{Deny: prefixes("93.184.216.0/24")}, "93.184.216.34", addrDenied},
		{"DenyMappedAddr", Guard{Deny: prefixes("93.184.216.0/24")}, "::ffff:93.184.216.34", addrDenied},
		{"DenyMappedPrefix", Guard{Deny: prefixes("::ffff:93.184.216.0/120")}, "93.184.216.34", addrDenied},
		{"DenyThroughNAT64", Guard{Deny: prefixes("93.184.216.0/24")}, "64:ff9b::93.184.216.34", addrDenied},
		{"DenyOther", Guard{Deny: prefixes("93.184.216.0/24")}, "93.184.217.34", 0},
		{"DenyWins", Guard{Allow: prefixes("127.0.0.0/8"), Deny: prefixes("127.0.0.1/32")}, "127.0.0.1", addrDenied},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := tt.guard.CheckAddr(netip.MustParseAddr(tt.addr))
			wantRule(t, "CheckAddr", err, tt.want)
			if e, ok := errors.AsType[*Error](err); ok && e.Denied() != (tt.want == addrDenied) {
				t.Errorf("got denied %v for %v", e.Denied(), err)
			}
		})
	}
}

func BenchmarkCheckAddr(b *testing.B) {
	g := (&Guard{Deny: prefixes("93.184.217.0/24")}).WithPorts(80, 443)
	for _, bb := range []struct{ name, addr string }{
		{"IPv4", "93.184.216.34"},
		{"IPv6", "2606:2800:220:1::1"},
		{"NAT64", "64:ff9b::93.184.216.34"},
	} {
		addr := netip.MustParseAddr(bb.addr)
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				noError(b, g.CheckAddr(addr))
			}
		})
	}
}

// A Guard with Report allows the refusals that it reports, at every check, and one without it
// refuses the same.
func TestReport(t *testing.T) {
	for _, raw := range []string{"http://10.0.0.1/", "http://[::1]/", "http://localhost/", "http://a.test:25/", "http://u:p@a.test/", "http://a.test/"} {
		u, err := url.Parse(raw)
		if err != nil {
			t.Fatal(err)
		}
		var reported []*Error
		resolver := &zone{answers: map[string][][]netip.Addr{
			"a.test.": {{netip.MustParseAddr("10.0.0.2")}}, "localhost": {{netip.MustParseAddr("127.0.0.1")}},
		}}
		strict := (&Guard{Resolver: resolver}).WithPorts(80)
		reporting := *strict
		reporting.Report = func(e *Error) { reported = append(reported, e) }
		check := func(g *Guard) error {
			if err := g.CheckURL(u); err != nil {
				return err
			}
			_, err := g.Resolve(t.Context(), u.Hostname())
			return err
		}
		refused, ok := check(strict).(*Error)
		if !ok {
			t.Fatalf("%s: it is not refused", raw)
		}
		if err := check(&reporting); err != nil || len(reported) == 0 || reported[0].Error() != refused.Error() {
			t.Errorf("%s: got %v, reports %v, want nil, %v", raw, err, reported, refused)
		}
	}
	broken := &Guard{Report: func(*Error) {}}
	if err := broken.CheckURL(&url.URL{Scheme: "http", Host: "0x7f.1"}); err == nil {
		t.Error("a host that cannot be read is allowed")
	}
}
