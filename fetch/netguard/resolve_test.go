package netguard

import (
	"errors"
	"net"
	"net/netip"
	"reflect"
	"testing"

	"github.com/go-extbody/extbody/fetch"
)

func TestResolve(t *testing.T) {
	z := new(zone)
	z.add("public.example.", "93.184.216.34", "2606:2800:220:1::1")
	z.add("mapped.example.", "::ffff:93.184.216.34")
	z.add("nat64.example.", "64:ff9b::93.184.216.34")
	z.add("loop.example.", "127.0.0.1")
	z.add("mixed.example.", "93.184.216.34", "10.0.0.1")
	z.add("mixed6.example.", "93.184.216.34", "::1")
	z.add("liar.example.", "::ffff:127.0.0.1")
	z.add("zone.example.", "2606:2800:220:1::1%eth0")
	z.add("linklocal.example.", "fe80::1%eth0")
	z.add("nat64loop.example.", "64:ff9b::7f00:1")
	z.add("empty.example.")
	z.add("denied.example.", "93.184.216.34", "93.184.217.1")
	z.add("xn--n3h.example.", "127.0.0.1")
	z.answers["invalid.example."] = [][]netip.Addr{{{}}}
	z.add("localhost.", "127.0.0.1")
	g := &Guard{Resolver: z, Deny: prefixes("93.184.217.0/24")}
	for _, tt := range []struct {
		name string
		host string
		want []netip.Addr
		err  Reason
	}{
		{"Public", "public.example", parseAddrs("93.184.216.34", "2606:2800:220:1::1"), 0},
		{"UpperCaseRootDot", "PUBLIC.example.", parseAddrs("93.184.216.34", "2606:2800:220:1::1"), 0},
		{"Unmapped", "mapped.example", parseAddrs("93.184.216.34"), 0},
		{"NAT64", "nat64.example", parseAddrs("64:ff9b::93.184.216.34"), 0},
		{"Literal", "93.184.216.34", parseAddrs("93.184.216.34"), 0},
		{"Literal6", "[2606:2800:220:1::1]", parseAddrs("2606:2800:220:1::1"), 0},
		{"LiteralMapped", "::ffff:93.184.216.34", parseAddrs("93.184.216.34"), 0},

		{"LiteralPrivate", "10.0.0.1", nil, AddrNotPublic},
		{"LiteralZone", "fe80::1%lo", nil, HostInvalid},
		{"Numeric", "127.1", nil, HostInvalid},
		{"Loopback", "loop.example", nil, AddrNotPublic},
		{"Mixed", "mixed.example", nil, AddrNotPublic},
		{"Mixed6", "mixed6.example", nil, AddrNotPublic},
		{"MappedLoopback", "liar.example", nil, AddrNotPublic},
		{"PublicZone", "zone.example", nil, AddrNotPublic},
		{"LinkLocalZone", "linklocal.example", nil, AddrNotPublic},
		{"NAT64Loopback", "nat64loop.example", nil, AddrNotPublic},
		{"InvalidAddr", "invalid.example", nil, AddrNotPublic},
		{"OneDenied", "denied.example", nil, AddrDenied},
		{"Snowman", "\u2603.example", nil, AddrNotPublic},
		{"LocalNameNotLookedUp", "localhost", nil, HostLocal},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := g.Resolve(t.Context(), tt.host)
			wantReason(t, tt.host, err, tt.err)
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
	if n := z.lookups["localhost."]; n != 0 {
		t.Errorf("localhost was looked up %d times, want 0", n)
	}
	if n := z.lookups["mixed.example."]; n != 1 {
		t.Errorf("mixed.example was looked up %d times, want 1", n)
	}
}

func TestResolveNameFailure(t *testing.T) {
	z := new(zone)
	z.add("empty.example.")
	g := &Guard{Resolver: z}
	for _, host := range []string{"empty.example", "absent.example"} {
		_, err := g.Resolve(t.Context(), host)
		dns, ok := errors.AsType[*net.DNSError](err)
		if !ok || !dns.IsNotFound || errors.Is(err, fetch.Blocked) {
			t.Errorf("%s: %v; want a *net.DNSError", host, err)
		}
		if fetch.KindOf(err) != fetch.Unavailable {
			t.Errorf("%s: kind %v, want %v", host, fetch.KindOf(err), fetch.Unavailable)
		}
	}
}

// TestResolveCopies checks that a resolver cannot change an answer that was
// judged.
func TestResolveCopies(t *testing.T) {
	z := new(zone)
	z.add("a.example.", "93.184.216.34")
	got, err := (&Guard{Resolver: z}).Resolve(t.Context(), "a.example")
	if err != nil {
		t.Fatal(err)
	}
	z.answers["a.example."][0][0] = netip.MustParseAddr("127.0.0.1")
	if got[0] != netip.MustParseAddr("93.184.216.34") {
		t.Errorf("got the answer changed to %v, want it as it was judged", got)
	}
}

// A name of one label is only in a hosts file without the root dot.
func TestResolveLocalName(t *testing.T) {
	for _, tt := range []struct{ host, asked string }{
		{"files", "files"},
		{"FILES.", "files"},
		{"files.internal", "files.internal."},
		{"files.example", "files.example."},
	} {
		z := new(zone)
		z.add(tt.asked, "127.0.0.1")
		g := &Guard{LocalNames: true, Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, Resolver: z}
		if got, err := g.Resolve(t.Context(), tt.host); err != nil || len(got) != 1 {
			t.Errorf("%s: got %v, %v, want the address of %s", tt.host, got, err, tt.asked)
		}
	}
	if _, err := net.LookupHost("localhost"); err != nil {
		t.Skip("this machine does not know localhost: ", err)
	}
	g := &Guard{LocalNames: true, Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}}
	if _, err := g.Resolve(t.Context(), "localhost"); err != nil {
		t.Errorf("localhost of the hosts file: got error %v, want none", err)
	}
}
