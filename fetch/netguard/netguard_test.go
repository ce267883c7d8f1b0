package netguard

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"net/netip"
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

// wantReason fails the test unless err is the refusal that is wanted, or nil
// if that is 0.
func wantReason(t *testing.T, what string, err error, want Reason) {
	t.Helper()
	if want == 0 {
		if err != nil {
			t.Errorf("%s: got error %v, want none", what, err)
		}
		return
	}
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Reason != want {
		t.Errorf("%s: %v; want reason %q", what, err, want)
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
		want  Reason
	}{
		{"NilGuard", nil, 80, PortNotAllowed},
		{"ZeroGuard", &Guard{}, 80, PortNotAllowed},
		{"Added", web, 443, 0},
		{"Own", web, 8080, 0},
		{"Other", web, 25, PortNotAllowed},
		{"Zero", web, 0, PortNotAllowed},
		{"Any", &Guard{AnyPort: true}, 25, 0},
		{"AnyButZero", &Guard{AnyPort: true}, 0, PortNotAllowed},
		{"AddedToNil", (*Guard)(nil).WithPorts(21), 21, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			wantReason(t, "CheckPort", tt.guard.CheckPort(tt.port), tt.want)
		})
	}
}

// TestWithPortsCopies checks that two fetchers that add to one guard do not
// see each other's ports.
func TestWithPortsCopies(t *testing.T) {
	base := &Guard{Ports: make([]uint16, 0, 8)}
	web := base.WithPorts(80)
	ftp := base.WithPorts(21)
	wantReason(t, "base", base.CheckPort(80), PortNotAllowed)
	wantReason(t, "web", web.CheckPort(80), 0)
	wantReason(t, "web", web.CheckPort(21), PortNotAllowed)
	wantReason(t, "ftp", ftp.CheckPort(80), PortNotAllowed)
}

func TestErrorText(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want string
	}{
		{&Error{Reason: AddrNotPublic, Host: "a.example", Addr: netip.MustParseAddr("10.0.0.1")}, "host a.example: address 10.0.0.1 is not public"},
		{&Error{Reason: AddrDenied, Addr: netip.MustParseAddr("2001:db8::1")}, "address 2001:db8::1 is denied"},
		{&Error{Reason: AddrNotPublic}, "address invalid IP is not public"},
		{&Error{Reason: PortNotAllowed, Port: 25}, "port 25 not allowed"},
		{&Error{Reason: HostLocal, Host: "intranet"}, "host intranet: name for local use"},
		{&Error{Reason: HostInvalid, Err: errors.New("empty host")}, "no usable host: empty host"},
		{&Error{Reason: UserinfoPresent}, "userinfo not allowed"},
		{&Error{Reason: NetworkNotAllowed}, "network not allowed"},
		{&Error{}, "refused"},
	} {
		if got := tt.err.Error(); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

// An Error matches its Reason, and the cause that package fetch has for it.
func TestErrorCause(t *testing.T) {
	g := &Guard{}
	for _, tt := range []struct {
		name   string
		err    error
		reason Reason
		cause  fetch.Cause
	}{
		{"Port", g.CheckPort(25), PortNotAllowed, fetch.CausePort},
		{"Address", g.CheckAddr(netip.MustParseAddr("10.0.0.1")), AddrNotPublic, fetch.CauseAddress},
		{"Network", &Error{Reason: NetworkNotAllowed}, NetworkNotAllowed, 0},
		{"Name", &Error{Reason: HostLocal}, HostLocal, fetch.CauseName},
	} {
		if !errors.Is(tt.err, tt.reason) || !errors.Is(tt.err, fetch.Blocked) || fetch.CauseOf(tt.err) != tt.cause {
			t.Errorf("%s: got %v of cause %q, want %v, %q", tt.name, tt.err, fetch.CauseOf(tt.err), tt.reason, tt.cause)
		}
	}
}
