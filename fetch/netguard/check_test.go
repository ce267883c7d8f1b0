package netguard

import (
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
		want  Reason
	}{
		{"Name", strict, "http://files.example.com/a?b#c", 0},
		{"UpperCase", strict, "HTTP://FILES.EXAMPLE.COM/", 0},
		{"RootDot", strict, "http://example.com./", 0},
		{"Umlaut", strict, "http://b\u00fccher.example/", 0},
		{"Address", strict, "http://93.184.216.34/", 0},
		{"Address6", strict, "https://[2606:2800:220:1::1]/", 0},
		{"MappedAddress", strict, "http://[::ffff:93.184.216.34]/", 0},
		{"NoPath", strict, "http://example.com", 0},

		{"Loopback", strict, "http://127.0.0.1/", AddrNotPublic},
		{"LoopbackFullwidth", strict, "http://\uff11\uff12\uff17\u30020\u30020\u30021/", AddrNotPublic},
		{"Loopback6", strict, "http://[::1]/", AddrNotPublic},
		{"Zone", strict, "http://[fe80::1%25lo]/", HostInvalid},
		{"Numeric", strict, "http://2130706433/", HostInvalid},
		{"Octal", strict, "http://0177.0.0.1/", HostInvalid},
		{"Comma", strict, "http://127.0.0.1,example.com/", HostInvalid},
		{"EncodedDot", strict, "http://127%E3%80%820.0.1/", AddrNotPublic},
		{"NoHost", strict, "http:///127.0.0.1/", HostInvalid},
		{"Opaque", strict, "http:example.com", HostInvalid},
		{"OnlyPort", strict, "http://:80/", HostInvalid},

		{"PortOfScheme", strict, "http://example.com:80/", 0},
		{"EmptyPort", strict, "http://example.com:/", 0},
		{"LeadingZeros", strict, "http://example.com:00080/", 0},
		{"OtherPort", strict, "http://example.com:25/", PortNotAllowed},
		{"PortZero", strict, "http://example.com:0/", PortNotAllowed},
		{"PortWraps", strict, "http://example.com:65616/", PortNotAllowed},
		{"NoPortsNamed", nil, "http://example.com/", PortNotAllowed},
		{"FTP", strict, "ftp://example.com/", 0},
		{"FTPS", strict, "ftps://example.com/", 0},
		{"TFTPNotNamed", strict, "tftp://example.com/f", PortNotAllowed},
		{"TFTPNamed", strict.WithPorts(69), "tftp://example.com/f", 0},
		{"IMAPNotNamed", strict, "imap://example.com/f", PortNotAllowed},
		{"IMAPSNotNamed", strict, "imaps://example.com/f", PortNotAllowed},
		{"OtherScheme", strict, "gemini://example.com/", 0},
		{"OtherSchemePort", strict, "gemini://example.com:1965/", PortNotAllowed},
		{"AnyPort", &Guard{AnyPort: true}, "http://example.com:1234/", 0},

		{"SingleLabel", strict, "http://intranet/", HostLocal},
		{"Localhost", strict, "http://LOCALHOST./", HostLocal},
		{"SubLocalhost", strict, "http://foo.localhost/", HostLocal},
		{"LongS", strict, "http://LOCALHO\u017fT/", HostLocal},
		{"MDNS", strict, "http://printer.local/", HostLocal},
		{"Internal", strict, "http://metadata.google.internal/", HostLocal},
		{"HomeArpa", strict, "http://nas.home.arpa/", HostLocal},
		{"OtherArpa", strict, "http://home.in-addr.arpa/", 0},
		{"Onion", strict, "http://example.onion/", HostLocal},
		{"LocalInTheMiddle", strict, "http://local.example/", 0},
		{"LocalAsSuffix", strict, "http://nonlocal.thelocal/", 0},
		{"LocalNames", &Guard{LocalNames: true, AnyPort: true}, "http://intranet/", 0},

		{"User", strict, "http://user@example.com/", UserinfoPresent},
		{"UserUpperScheme", strict, "HTTPS://user@example.com/", UserinfoPresent},
		{"EmptyUser", strict, "http://@example.com/", UserinfoPresent},
		{"HostAsUser", strict, "http://example.com@127.0.0.1/", UserinfoPresent},
		{"UserAllowed", &Guard{Userinfo: true, AnyPort: true}, "http://user:secret@example.com/", 0},
		{"FTPUser", strict, "ftp://user:secret@example.com/", 0},
		{"FTPUserCRLF", strict, "ftp://u%0d%0aPASS%20x@example.com/", UserinfoPresent},
		{"FTPPasswordNUL", strict, "ftp://u:%00@example.com/", UserinfoPresent},
		{"FTPHostAsUser", strict, "ftp://example.com@127.0.0.1/", AddrNotPublic},
	} {
		t.Run(tt.name, func(t *testing.T) {
			u, err := url.Parse(tt.url)
			noError(t, err)
			wantReason(t, tt.url, tt.guard.CheckURL(u), tt.want)
		})
	}
}

// TestCheckURLBuiltByHand covers what url.Parse would refuse.
func TestCheckURLBuiltByHand(t *testing.T) {
	g := &Guard{AnyPort: true}
	wantReason(t, "nil", g.CheckURL(nil), HostInvalid)
	wantReason(t, "zero", g.CheckURL(&url.URL{}), HostInvalid)
	wantReason(t, "upper-case scheme", g.CheckURL(&url.URL{Scheme: "HTTP", User: url.User("u"), Host: "a.example"}), UserinfoPresent)
	wantReason(t, "opaque with host", g.CheckURL(&url.URL{Scheme: "http", Opaque: "//127.0.0.1/", Host: "a.example"}), HostInvalid)
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

// BenchmarkPolicy is what the guard costs a fetch besides the lookup itself:
// the URL, one address of the answer, and the socket.
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
		want Reason
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

		{"Unspecified", "0.0.0.0", AddrNotPublic},
		{"ThisNetwork", "0.255.255.255", AddrNotPublic},
		{"Loopback", "127.0.0.1", AddrNotPublic},
		{"LoopbackUpper", "127.255.255.254", AddrNotPublic},
		{"RFC1918Ten", "10.255.255.254", AddrNotPublic},
		{"RFC1918TwelveLower", "172.16.0.0", AddrNotPublic},
		{"RFC1918TwelveUpper", "172.31.255.255", AddrNotPublic},
		{"RFC1918Sixteen", "192.168.1.1", AddrNotPublic},
		{"RFC6598Lower", "100.64.0.0", AddrNotPublic},
		{"RFC6598Upper", "100.127.255.255", AddrNotPublic},
		{"AlibabaMetadata", "100.100.100.200", AddrNotPublic},
		{"LinkLocalMetadata", "169.254.169.254", AddrNotPublic},
		{"IETFProtocol", "192.0.0.1", AddrNotPublic},
		{"OracleMetadata", "192.0.0.192", AddrNotPublic},
		{"Documentation1", "192.0.2.1", AddrNotPublic},
		{"Documentation2", "198.51.100.1", AddrNotPublic},
		{"Documentation3", "203.0.113.1", AddrNotPublic},
		{"AS112", "192.31.196.1", AddrNotPublic},
		{"AS112Direct", "192.175.48.1", AddrNotPublic},
		{"AMT", "192.52.193.1", AddrNotPublic},
		{"RelayAnycast6to4", "192.88.99.1", AddrNotPublic},
		{"Benchmarking", "198.18.0.1", AddrNotPublic},
		{"BenchmarkingUpper", "198.19.255.254", AddrNotPublic},
		{"Multicast", "224.0.0.1", AddrNotPublic},
		{"MulticastUpper", "239.255.255.255", AddrNotPublic},
		{"Reserved", "240.0.0.1", AddrNotPublic},
		{"Broadcast", "255.255.255.255", AddrNotPublic},
		{"AzureWireServer", "168.63.129.16", AddrNotPublic},

		{"Unspecified6", "::", AddrNotPublic},
		{"Loopback6", "::1", AddrNotPublic},
		{"Compatible", "::127.0.0.1", AddrNotPublic},
		{"CompatiblePublic", "::93.184.216.34", AddrNotPublic},
		{"MappedLoopback", "::ffff:127.0.0.1", AddrNotPublic},
		{"MappedPrivate", "::ffff:10.0.0.1", AddrNotPublic},
		{"MappedUnspecified", "::ffff:0.0.0.0", AddrNotPublic},
		{"MappedWireServer", "::ffff:168.63.129.16", AddrNotPublic},
		{"Translated", "::ffff:0:127.0.0.1", AddrNotPublic},
		{"NAT64Loopback", "64:ff9b::7f00:1", AddrNotPublic},
		{"NAT64Private", "64:ff9b::10.0.0.1", AddrNotPublic},
		{"NAT64Metadata", "64:ff9b::a9fe:a9fe", AddrNotPublic},
		{"NAT64WireServer", "64:ff9b::168.63.129.16", AddrNotPublic},
		{"NAT64NextPrefix", "64:ff9b::1:0:0", AddrNotPublic},
		{"NAT64LocalUse", "64:ff9b:1::a00:1", AddrNotPublic},
		{"NAT64LocalUsePublic", "64:ff9b:1::5db8:d822", AddrNotPublic},
		{"NAT64LocalUseUpper", "64:ff9b:1:fffe::a9fe:a9fe", AddrNotPublic},
		{"SixToFourPrivate", "2002:a00:1::1", AddrNotPublic},
		{"SixToFourPublic", "2002:5db8:d822::1", AddrNotPublic},
		{"Teredo", "2001::1", AddrNotPublic},
		{"TeredoPublic", "2001:0:5db8:d822:0:3f57:a247:27dd", AddrNotPublic},
		{"Benchmarking6", "2001:2::1", AddrNotPublic},
		{"AMT6", "2001:3::1", AddrNotPublic},
		{"AS112v6", "2001:4:112::1", AddrNotPublic},
		{"ORCHID", "2001:10::1", AddrNotPublic},
		{"ORCHIDv2", "2001:20::1", AddrNotPublic},
		{"DroneRemoteID", "2001:30::1", AddrNotPublic},
		{"Documentation6", "2001:db8::1", AddrNotPublic},
		{"Documentation6New", "3fff::1", AddrNotPublic},
		{"AS112Direct6", "2620:4f:8000::1", AddrNotPublic},
		{"DiscardOnly", "100::1", AddrNotPublic},
		{"Unassigned", "1::1", AddrNotPublic},
		{"AboveGlobalUnicast", "4000::1", AddrNotPublic},
		{"SegmentRouting", "5f00::1", AddrNotPublic},
		{"UniqueLocal", "fc00::1", AddrNotPublic},
		{"AWSMetadata6", "fd00:ec2::254", AddrNotPublic},
		{"LinkLocal6", "fe80::1", AddrNotPublic},
		{"SiteLocal", "fec0::1", AddrNotPublic},
		{"Multicast6", "ff0e::1", AddrNotPublic},
		{"LinkLocalZone", "fe80::1%lo", AddrNotPublic},
		{"LoopbackZone", "::1%lo", AddrNotPublic},
		{"PublicZone", "2606:2800:220:1::1%eth0", AddrNotPublic},
		{"MappedZone", "::ffff:93.184.216.34%eth0", AddrNotPublic},
	} {
		t.Run(tt.name, func(t *testing.T) {
			addr := netip.MustParseAddr(tt.addr)
			for _, g := range []*Guard{nil, {}} {
				wantReason(t, "CheckAddr", g.CheckAddr(addr), tt.want)
			}
		})
	}
	var g Guard
	wantReason(t, "zero Addr", g.CheckAddr(netip.Addr{}), AddrNotPublic)
}

func TestCheckAddrPolicy(t *testing.T) {
	for _, tt := range []struct {
		name  string
		guard Guard
		addr  string
		want  Reason
	}{
		{"Allow", Guard{Allow: prefixes("127.0.0.0/8")}, "127.0.0.1", 0},
		{"AllowMappedAddr", Guard{Allow: prefixes("127.0.0.0/8")}, "::ffff:127.0.0.1", 0},
		{"AllowMappedPrefix", Guard{Allow: prefixes("::ffff:127.0.0.0/104")}, "127.0.0.1", 0},
		{"AllowOther", Guard{Allow: prefixes("127.0.0.0/8")}, "10.0.0.1", AddrNotPublic},
		{"AllowKeepsPublic", Guard{Allow: prefixes("127.0.0.0/8")}, "93.184.216.34", 0},
		{"AllowAll6IsNot4", Guard{Allow: prefixes("::/0")}, "127.0.0.1", AddrNotPublic},
		{"AllowDoesNotReachThroughNAT64", Guard{Allow: prefixes("10.0.0.0/8")}, "64:ff9b::10.0.0.1", AddrNotPublic},
		{"AllowNAT64", Guard{Allow: prefixes("64:ff9b::/96")}, "64:ff9b::10.0.0.1", 0},
		{"AllowIsNotForZones", Guard{Allow: prefixes("fe80::/10")}, "fe80::1%lo", AddrNotPublic},
		{"AllowInvalidPrefix", Guard{Allow: []netip.Prefix{{}}}, "127.0.0.1", AddrNotPublic},
		{"Deny", Guard{Deny: prefixes("93.184.216.0/24")}, "93.184.216.34", AddrDenied},
		{"DenyMappedAddr", Guard{Deny: prefixes("93.184.216.0/24")}, "::ffff:93.184.216.34", AddrDenied},
		{"DenyMappedPrefix", Guard{Deny: prefixes("::ffff:93.184.216.0/120")}, "93.184.216.34", AddrDenied},
		{"DenyThroughNAT64", Guard{Deny: prefixes("93.184.216.0/24")}, "64:ff9b::93.184.216.34", AddrDenied},
		{"DenyOther", Guard{Deny: prefixes("93.184.216.0/24")}, "93.184.217.34", 0},
		{"DenyWins", Guard{Allow: prefixes("127.0.0.0/8"), Deny: prefixes("127.0.0.1/32")}, "127.0.0.1", AddrDenied},
	} {
		t.Run(tt.name, func(t *testing.T) {
			wantReason(t, "CheckAddr", tt.guard.CheckAddr(netip.MustParseAddr(tt.addr)), tt.want)
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

// A Guard with Report allows what it reports, at every check, and one without it refuses the same.
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
