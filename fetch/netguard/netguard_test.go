package netguard

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"net/netip"
	"reflect"
	"sync"
	"testing"

	"github.com/go-extbody/extbody/fetch"
)

// zone is a scripted resolver: canonical names with root dot, and for each the
// answers that it gives one after the other. The last answer is repeated.
type zone struct {
	mu      sync.Mutex
	answers map[string][][]netip.Addr
	lookups map[string]int
}

func (z *zone) LookupNetIP(_ context.Context, network, host string) ([]netip.Addr, error) {
	z.mu.Lock()
	defer z.mu.Unlock()
	if network != "ip" {
		return nil, errors.New("asked for network " + network)
	}
	answers, ok := z.answers[host]
	if !ok {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	n := z.lookups[host]
	if z.lookups == nil {
		z.lookups = make(map[string]int)
	}
	z.lookups[host]++
	return answers[min(n, len(answers)-1)], nil
}

// add adds one more answer for name.
func (z *zone) add(name string, addrs ...string) {
	if z.answers == nil {
		z.answers = make(map[string][][]netip.Addr)
	}
	z.answers[name] = append(z.answers[name], parseAddrs(addrs...))
}

func parseAddrs(addrs ...string) []netip.Addr {
	var out []netip.Addr
	for _, a := range addrs {
		out = append(out, netip.MustParseAddr(a))
	}
	return out
}

func prefixes(list ...string) []netip.Prefix {
	var out []netip.Prefix
	for _, p := range list {
		out = append(out, netip.MustParsePrefix(p))
	}
	return out
}

// wantRule fails the test unless err is the refusal that is wanted, or nil
// if that is 0.
func wantRule(t *testing.T, what string, err error, want rule) {
	t.Helper()
	if want == 0 {
		if err != nil {
			t.Errorf("%s: got error %v, want none", what, err)
		}
		return
	}
	e, ok := errors.AsType[*Error](err)
	if !ok || e.rule != want {
		t.Errorf("%s: %v; want rule %q", what, err, want)
		return
	}
	if !errors.Is(err, fetch.Blocked) || !errors.Is(err, fs.ErrPermission) || fetch.KindOf(err) != fetch.Blocked {
		t.Errorf("%s: got %v is not blocked, want %v", what, err, fetch.Blocked)
	}
}

func TestCheckPort(t *testing.T) {
	web := (&Guard{Ports: []uint16{8080}}).WithPorts(80, 443)
	for _, tt := range []struct {
		name  string
		guard *Guard
		port  uint16
		want  rule
	}{
		{"NilGuard", nil, 80, portNotAllowed},
		{"ZeroGuard", &Guard{}, 80, portNotAllowed},
		{"Added", web, 443, 0},
		{"Own", web, 8080, 0},
		{"Other", web, 25, portNotAllowed},
		{"Zero", web, 0, portNotAllowed},
		{"Any", &Guard{AnyPort: true}, 25, 0},
		{"AnyButZero", &Guard{AnyPort: true}, 0, portNotAllowed},
		{"AddedToNil", (*Guard)(nil).WithPorts(21), 21, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			wantRule(t, "checkPort", tt.guard.checkPort(tt.port), tt.want)
		})
	}
}

// TestWithPortsCopies checks that two fetchers that add to one guard do not
// see each other's ports.
func TestWithPortsCopies(t *testing.T) {
	base := &Guard{Ports: make([]uint16, 0, 8)}
	web := base.WithPorts(80)
	ftp := base.WithPorts(21)
	wantRule(t, "base", base.checkPort(80), portNotAllowed)
	wantRule(t, "web", web.checkPort(80), 0)
	wantRule(t, "web", web.checkPort(21), portNotAllowed)
	wantRule(t, "ftp", ftp.checkPort(80), portNotAllowed)
}

func TestErrorText(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want string
	}{
		{&Error{rule: addrNotPublic, Host: "a.example", Addr: netip.MustParseAddr("10.0.0.1")}, "host a.example: address 10.0.0.1 is not public"},
		{&Error{rule: addrDenied, Addr: netip.MustParseAddr("2001:db8::1")}, "address 2001:db8::1 is denied"},
		{&Error{rule: addrNotPublic}, "address invalid IP is not public"},
		{&Error{rule: portNotAllowed, Port: 25}, "port 25 not allowed"},
		{&Error{rule: hostLocal, Host: "intranet"}, "host intranet: name for local use"},
		{&Error{rule: hostInvalid, Err: errors.New("empty host")}, "no usable host: empty host"},
		{&Error{rule: userinfoPresent}, "userinfo not allowed"},
		{&Error{rule: networkNotAllowed}, "network not allowed"},
		{&Error{}, "refused"},
	} {
		if got := tt.err.Error(); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

// An Error matches the cause that package fetch has for its rule.
func TestErrorCause(t *testing.T) {
	g := &Guard{}
	for _, tt := range []struct {
		name  string
		err   error
		cause fetch.Cause
	}{
		{"Port", g.checkPort(25), fetch.CausePort},
		{"Address", g.CheckAddr(netip.MustParseAddr("10.0.0.1")), fetch.CauseAddress},
		{"Network", &Error{rule: networkNotAllowed}, 0},
		{"Name", &Error{rule: hostLocal}, fetch.CauseName},
	} {
		if !errors.Is(tt.err, fetch.Blocked) || fetch.CauseOf(tt.err) != tt.cause {
			t.Errorf("%s: got %v of cause %q, want blocked, %q", tt.name, tt.err, fetch.CauseOf(tt.err), tt.cause)
		}
	}
}

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
		err  rule
	}{
		{"Public", "public.example", parseAddrs("93.184.216.34", "2606:2800:220:1::1"), 0},
		{"UpperCaseRootDot", "PUBLIC.example.", parseAddrs("93.184.216.34", "2606:2800:220:1::1"), 0},
		{"Unmapped", "mapped.example", parseAddrs("93.184.216.34"), 0},
		{"NAT64", "nat64.example", parseAddrs("64:ff9b::93.184.216.34"), 0},
		{"Literal", "93.184.216.34", parseAddrs("93.184.216.34"), 0},
		{"Literal6", "[2606:2800:220:1::1]", parseAddrs("2606:2800:220:1::1"), 0},
		{"LiteralMapped", "::ffff:93.184.216.34", parseAddrs("93.184.216.34"), 0},

		{"LiteralPrivate", "10.0.0.1", nil, addrNotPublic},
		{"LiteralZone", "fe80::1%lo", nil, hostInvalid},
		{"Numeric", "127.1", nil, hostInvalid},
		{"Loopback", "loop.example", nil, addrNotPublic},
		{"Mixed", "mixed.example", nil, addrNotPublic},
		{"Mixed6", "mixed6.example", nil, addrNotPublic},
		{"MappedLoopback", "liar.example", nil, addrNotPublic},
		{"PublicZone", "zone.example", nil, addrNotPublic},
		{"LinkLocalZone", "linklocal.example", nil, addrNotPublic},
		{"NAT64Loopback", "nat64loop.example", nil, addrNotPublic},
		{"InvalidAddr", "invalid.example", nil, addrNotPublic},
		{"OneDenied", "denied.example", nil, addrDenied},
		{"Snowman", "\u2603.example", nil, addrNotPublic},
		{"LocalNameNotLookedUp", "localhost", nil, hostLocal},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := g.Resolve(t.Context(), tt.host)
			wantRule(t, tt.host, err, tt.err)
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
	noError(t, err)
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
