package netguard

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"reflect"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

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

// A fakeConn is a connection that says whether it was closed.
type fakeConn struct {
	net.Conn
	addr   netip.Addr
	closed bool
}

func (c *fakeConn) Close() error { c.closed = true; return nil }

// An attempt is what happens when an address is dialed.
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
