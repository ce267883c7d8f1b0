package netguard

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"reflect"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-extbody/extbody/fetch"
)

// listen returns a listener on the loopback interface and its port.
func listen(t *testing.T) (net.Listener, uint16) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	noError(t, err)
	t.Cleanup(func() { ln.Close() })
	return ln, netip.MustParseAddrPort(ln.Addr().String()).Port()
}

// wantNoConnection fails the test if any connection was made to ln: the first
// connection that it accepts has to be the one that is made here.
func wantNoConnection(t *testing.T, ln net.Listener) {
	t.Helper()
	mine, err := net.Dial("tcp", ln.Addr().String())
	noError(t, err)
	defer mine.Close()
	first, err := ln.Accept()
	noError(t, err)
	defer first.Close()
	if first.RemoteAddr().String() != mine.LocalAddr().String() {
		t.Errorf("got a connection from %v, want none but %v", first.RemoteAddr(), mine.LocalAddr())
	}
}

func hostPort(host string, port uint16) string {
	return net.JoinHostPort(host, strconv.Itoa(int(port)))
}

func TestDialContext(t *testing.T) {
	ln, port := listen(t)
	z := new(zone)
	z.add("files.example.", "127.0.0.1")
	z.add("files.example.", "10.0.0.1") // the answer of a second lookup
	g := &Guard{Allow: prefixes("127.0.0.0/8"), Resolver: z}
	g = g.WithPorts(port)
	for _, address := range []string{
		hostPort("FILES.example.", port),
		hostPort("127.0.0.1", port),
		"127.0.0.1:00" + strconv.Itoa(int(port)),
		hostPort("::ffff:127.0.0.1", port),
	} {
		conn, err := g.DialContext(t.Context(), "tcp", address)
		if err != nil {
			t.Fatalf("%s: got error %v, want none", address, err)
		}
		if conn.RemoteAddr().String() != ln.Addr().String() {
			t.Errorf("%s: connected to %v, want %v", address, conn.RemoteAddr(), ln.Addr())
		}
		conn.Close()
	}
	if n := z.lookups["files.example."]; n != 1 {
		t.Errorf("got %d lookups, want 1", n)
	}
}

func TestDialContextRefuses(t *testing.T) {
	ln, port := listen(t)
	z := new(zone)
	z.add("loop.example.", "127.0.0.1")
	z.add("mixed.example.", "127.0.0.1", "10.0.0.1")
	strict := (&Guard{Resolver: z}).WithPorts(port)
	loop := (&Guard{Resolver: z, Allow: prefixes("127.0.0.0/8")}).WithPorts(port)
	noPort := &Guard{Resolver: z, Allow: prefixes("127.0.0.0/8")}
	for _, tt := range []struct {
		name    string
		guard   *Guard
		network string
		address string
		want    rule
	}{
		{"Literal", strict, "tcp", ln.Addr().String(), addrNotPublic},
		{"LiteralMapped", strict, "tcp", hostPort("::ffff:127.0.0.1", port), addrNotPublic},
		{"Name", strict, "tcp", hostPort("loop.example", port), addrNotPublic},
		{"Port", noPort, "tcp", ln.Addr().String(), portNotAllowed},
		{"NilGuard", nil, "tcp", ln.Addr().String(), portNotAllowed},
		{"Mixed", loop, "tcp", hostPort("mixed.example", port), addrNotPublic},
		{"NoPort", loop, "tcp", "127.0.0.1", portNotAllowed},
		{"PortName", loop, "tcp", "127.0.0.1:http", portNotAllowed},
		{"NoHost", loop, "tcp", hostPort("", port), hostInvalid},
		{"Numeric", loop, "tcp", hostPort("2130706433", port), hostInvalid},
		{"Zone", loop, "tcp", hostPort("::1%lo", port), hostInvalid},
		{"UDP", loop, "udp", ln.Addr().String(), networkNotAllowed},
		{"Unix", loop, "unix", "/run/socket", networkNotAllowed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			conn, err := tt.guard.DialContext(t.Context(), tt.network, tt.address)
			wantRule(t, tt.address, err, tt.want)
			if conn != nil {
				conn.Close()
			}
		})
	}
	wantNoConnection(t, ln)
}

func TestDialContextFamily(t *testing.T) {
	z := new(zone)
	z.add("four.example.", "93.184.216.34")
	g := (&Guard{Resolver: z}).WithPorts(80)
	_, err := g.DialContext(t.Context(), "tcp6", "four.example:80")
	if _, ok := errors.AsType[*net.AddrError](err); !ok || errors.Is(err, fetch.Blocked) {
		t.Errorf("tcp6 to an IPv4 name: got %v, want *net.AddrError, not blocked", err)
	}
	addrs := parseAddrs("192.0.2.1", "2001:db8::1")
	if got := ofNetwork("tcp4", addrs); len(got) != 1 || got[0] != addrs[0] {
		t.Errorf("tcp4: got %v, want 1 of them", got)
	}
	if got := ofNetwork("tcp6", addrs); len(got) != 1 || got[0] != addrs[1] {
		t.Errorf("tcp6: got %v, want 1 of them", got)
	}
}

func TestDialContextCanceled(t *testing.T) {
	_, port := listen(t)
	z := new(zone)
	z.add("files.example.", "127.0.0.1", "127.0.0.2")
	g := (&Guard{Resolver: z, Allow: prefixes("127.0.0.0/8")}).WithPorts(port)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := g.DialContext(ctx, "tcp", hostPort("files.example", port))
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}

// TestControlContextIsASecondNet dials with a net.Dialer that nothing else
// guards.
func TestControlContextIsASecondNet(t *testing.T) {
	ln, port := listen(t)
	strict := (*Guard)(nil).WithPorts(port)
	d := net.Dialer{ControlContext: strict.ControlContext}
	_, err := d.DialContext(t.Context(), "tcp", ln.Addr().String())
	wantRule(t, "TCP", err, addrNotPublic)
	_, err = d.DialContext(t.Context(), "udp", ln.Addr().String())
	wantRule(t, "UDP", err, addrNotPublic)
	wantNoConnection(t, ln)
}

// TestDialContextControls checks that DialContext has its sockets judged as
// well, by changing the policy between the two.
func TestDialContextControls(t *testing.T) {
	ln, port := listen(t)
	g := (&Guard{Allow: prefixes("127.0.0.0/8")}).WithPorts(port)
	g.Resolver = resolverFunc(func() []netip.Addr {
		g.Ports = nil // the port was judged before the lookup
		return parseAddrs("127.0.0.1")
	})
	_, err := g.DialContext(t.Context(), "tcp", hostPort("files.example", port))
	wantRule(t, "DialContext", err, portNotAllowed)
	wantNoConnection(t, ln)
}

type resolverFunc func() []netip.Addr

func (f resolverFunc) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return f(), nil
}

func TestControlContext(t *testing.T) {
	g := (*Guard)(nil).WithPorts(80)
	for _, tt := range []struct {
		name, network, address string
		want                   rule
	}{
		{"TCP4", "tcp4", "93.184.216.34:80", 0},
		{"TCP6", "tcp6", "[2606:2800:220:1::1]:80", 0},
		{"UDP4", "udp4", "93.184.216.34:80", 0},
		{"UDP6", "udp6", "[2606:2800:220:1::1]:80", 0},
		{"Mapped", "tcp6", "[::ffff:93.184.216.34]:80", 0},
		{"MappedLoopback", "tcp6", "[::ffff:127.0.0.1]:80", addrNotPublic},
		{"Loopback", "tcp4", "127.0.0.1:80", addrNotPublic},
		{"Zone", "tcp6", "[fe80::1%lo]:80", addrNotPublic},
		{"Port", "tcp4", "93.184.216.34:22", portNotAllowed},
		{"Raw", "ip4:icmp", "93.184.216.34", networkNotAllowed},
		{"Unix", "unix", "/run/socket", networkNotAllowed},
		{"Name", "tcp4", "files.example:80", hostInvalid},
		{"Empty", "tcp4", "", hostInvalid},
	} {
		t.Run(tt.name, func(t *testing.T) {
			wantRule(t, tt.address, g.ControlContext(t.Context(), tt.network, tt.address, nil), tt.want)
		})
	}
}

// TestDialData is FT-12 and FT-13: the address is the one of the control
// connection.
func TestDialData(t *testing.T) {
	ln, port := listen(t)
	data, dataPort := listen(t)
	g := (&Guard{Allow: prefixes("127.0.0.0/8")}).WithPorts(port)
	control, err := g.DialContext(t.Context(), "tcp", ln.Addr().String())
	noError(t, err)
	defer control.Close()
	conn, err := g.DialData(t.Context(), control, dataPort)
	noError(t, err)
	if conn.RemoteAddr().String() != data.Addr().String() {
		t.Errorf("got a connection to %v, want to %v", conn.RemoteAddr(), data.Addr())
	}
	conn.Close()
	accepted, err := data.Accept()
	noError(t, err)
	accepted.Close()

	_, err = g.DialData(t.Context(), control, 22)
	wantRule(t, "port 22", err, portNotAllowed)
	_, err = g.DialData(t.Context(), control, 1023)
	wantRule(t, "port 1023", err, portNotAllowed)
	_, err = (*Guard)(nil).DialData(t.Context(), control, dataPort)
	wantRule(t, "strict guard", err, addrNotPublic)

	pipe, other := net.Pipe()
	defer pipe.Close()
	defer other.Close()
	_, err = g.DialData(t.Context(), pipe, dataPort)
	wantRule(t, "pipe", err, hostInvalid)
	_, err = g.DialData(t.Context(), nowhere{}, dataPort)
	wantRule(t, "no remote address", err, hostInvalid)
	wantNoConnection(t, data)
}

type nowhere struct{ net.Conn }

func (nowhere) RemoteAddr() net.Addr { return nil }

func TestCheckData(t *testing.T) {
	peer := netip.MustParseAddr("93.184.216.34")
	var g Guard
	for _, tt := range []struct {
		name, address string
		want          rule
	}{
		{"Peer", "93.184.216.34:1024", 0},
		{"Mapped", "[::ffff:93.184.216.34]:40000", 0},
		{"LowPort", "93.184.216.34:1023", portNotAllowed},
		{"Other", "93.184.216.35:40000", addrDenied},
		{"Loopback", "127.0.0.1:40000", addrDenied},
		{"Garbage", "files.example:40000", hostInvalid},
	} {
		t.Run(tt.name, func(t *testing.T) {
			wantRule(t, tt.address, g.checkData(tt.address, peer), tt.want)
		})
	}
	loop := netip.MustParseAddr("127.0.0.1")
	wantRule(t, "private peer", g.checkData("127.0.0.1:40000", loop), addrNotPublic)
}

var _ func(context.Context, string, string, syscall.RawConn) error = (*Guard)(nil).ControlContext

func TestAlternate(t *testing.T) {
	for _, tt := range []struct {
		name     string
		in, want []netip.Addr
	}{
		{"One", parseAddrs("192.0.2.1"), parseAddrs("192.0.2.1")},
		{"OneFamily", parseAddrs("192.0.2.1", "192.0.2.2"), parseAddrs("192.0.2.1", "192.0.2.2")},
		{"SixFirst", parseAddrs("2001:db8::1", "2001:db8::2", "192.0.2.1"), parseAddrs("2001:db8::1", "192.0.2.1", "2001:db8::2")},
		{"FourFirst", parseAddrs("192.0.2.1", "192.0.2.2", "192.0.2.3", "2001:db8::1"), parseAddrs("192.0.2.1", "2001:db8::1", "192.0.2.2", "192.0.2.3")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := alternate(tt.in); !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

// A fakeConn is a connection that records whether it was closed.
type fakeConn struct {
	net.Conn
	addr   netip.Addr
	closed bool
}

func (c *fakeConn) Close() error { c.closed = true; return nil }

// An attempt is the scripted outcome of dialing an address.
type attempt struct {
	after time.Duration // how long it takes
	err   error         // what it ends with; nil: a connection
	deaf  bool          // does not notice that the context ends
}

// TestRace runs in fake time. A goroutine that race left would make synctest
// fail.
func TestRace(t *testing.T) {
	errA, errB := errors.New("a"), errors.New("b")
	const never = time.Hour
	many := make([]attempt, 100)
	for i := range many {
		many[i].err = errA
	}
	for _, tt := range []struct {
		name     string
		attempts []attempt
		timeout  time.Duration
		winner   int // -1: none
		err      error
		begun    int
		elapsed  time.Duration
	}{
		{name: "One", attempts: []attempt{{}}, begun: 1},
		{name: "OneFails", attempts: []attempt{{err: errA}}, winner: -1, err: errA, begun: 1},
		{name: "FirstWins", attempts: []attempt{{after: attemptDelay / 2}, {}}, begun: 1, elapsed: attemptDelay / 2},
		{name: "SecondAfterDelay", attempts: []attempt{{after: never}, {}}, winner: 1, begun: 2, elapsed: attemptDelay},
		{name: "SlowFirstWins", attempts: []attempt{{after: attemptDelay * 3 / 2}, {after: never}}, begun: 2, elapsed: attemptDelay * 3 / 2},
		{name: "SecondAtOnceAfterFailure", attempts: []attempt{{err: errA}, {}}, winner: 1, begun: 2},
		{name: "ThirdAfterFailureAndDelay", attempts: []attempt{{err: errA}, {after: never}, {}}, winner: 2, begun: 3, elapsed: attemptDelay},
		{name: "ThirdAfterTwoDelays", attempts: []attempt{{after: never}, {after: never}, {}}, winner: 2, begun: 3, elapsed: 2 * attemptDelay},
		{name: "FirstErrorIsReturned", attempts: []attempt{{after: 10 * time.Second, err: errB}, {err: errA}}, winner: -1, err: errA, begun: 2, elapsed: 10 * time.Second},
		{name: "LateConnectionIsClosed", attempts: []attempt{{after: time.Second, deaf: true}, {}}, winner: 1, begun: 2, elapsed: time.Second},
		{name: "BoundedAttempts", attempts: many, winner: -1, err: errA, begun: maxAttempts},
		{name: "ContextEnds", attempts: []attempt{{after: never}, {after: never}, {after: never}}, timeout: attemptDelay * 3 / 2, winner: -1, err: context.DeadlineExceeded, begun: 2, elapsed: attemptDelay * 3 / 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx := t.Context()
				if tt.timeout > 0 {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, tt.timeout)
					defer cancel()
				}
				var addrs []netip.Addr
				script := make(map[netip.Addr]attempt)
				for i, a := range tt.attempts {
					addr := netip.AddrFrom4([4]byte{192, 0, 2, byte(i)})
					addrs = append(addrs, addr)
					script[addr] = a
				}
				var mu sync.Mutex
				begun := 0
				made := make(map[netip.Addr]*fakeConn)
				dial := func(ctx context.Context, addr netip.Addr) (net.Conn, error) {
					a := script[addr]
					mu.Lock()
					begun++
					mu.Unlock()
					if a.deaf {
						ctx = context.WithoutCancel(ctx)
					}
					select {
					case <-time.After(a.after):
					case <-ctx.Done():
						return nil, ctx.Err()
					}
					if a.err != nil {
						return nil, a.err
					}
					c := &fakeConn{addr: addr}
					mu.Lock()
					made[addr] = c
					mu.Unlock()
					return c, nil
				}
				start := time.Now()
				conn, err := race(ctx, addrs, func(netip.Addr, error) {}, dial)
				if d := time.Since(start); d != tt.elapsed {
					t.Errorf("took %v, want %v", d, tt.elapsed)
				}
				if begun != tt.begun {
					t.Errorf("%d attempts, want %d", begun, tt.begun)
				}
				if !errors.Is(err, tt.err) {
					t.Errorf("error %v, want %v", err, tt.err)
				}
				if tt.winner < 0 {
					if conn != nil {
						t.Errorf("got connection %v, want none", conn)
					}
				} else if c := conn.(*fakeConn); c.addr != addrs[tt.winner] {
					t.Errorf("%v won, want attempt %d", c.addr, tt.winner)
				}
				for addr, c := range made {
					if c.closed == (conn == net.Conn(c)) {
						t.Errorf("%v: got closed %v, want %v", addr, c.closed, !c.closed)
					}
				}
			})
		})
	}
}

// TestRaceThrows has a function that panics in one attempt. That happens in the goroutine of
// the caller, after all other connections are closed.
func TestRaceThrows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		addrs := []netip.Addr{netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("192.0.2.2")}
		late := &fakeConn{}
		defer func() {
			if v := recover(); v != "boom" || !late.closed {
				t.Errorf("got %v, closed %t, want boom, true", v, late.closed)
			}
		}()
		race(t.Context(), addrs, func(netip.Addr, error) {}, func(_ context.Context, addr netip.Addr) (net.Conn, error) {
			if addr == addrs[0] {
				time.Sleep(2 * attemptDelay)
				panic("boom")
			}
			time.Sleep(3 * attemptDelay)
			return late, nil
		})
		t.Error("race returned")
	})
}
