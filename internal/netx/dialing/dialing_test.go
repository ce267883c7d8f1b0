package dialing

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"
)

func TestRemoteAddr(t *testing.T) {
	pipe, other := net.Pipe()
	defer pipe.Close()
	defer other.Close()
	mapped := &net.TCPAddr{IP: net.ParseIP("::ffff:192.0.2.1"), Port: 80}
	for _, tt := range []struct {
		conn net.Conn
		want netip.AddrPort
	}{
		{pipe, netip.AddrPort{}},
		{remote{pipe, mapped}, netip.MustParseAddrPort("192.0.2.1:80")},
	} {
		if got := RemoteAddr(tt.conn); got != tt.want {
			t.Errorf("got %v, want %v", got, tt.want)
		}
	}
}

// A remote is a connection with another address at its other end.
type remote struct {
	net.Conn
	addr net.Addr
}

func (r remote) RemoteAddr() net.Addr { return r.addr }

var errOver = errors.New("over")

// The time in the function that is asked counts for no limit, and its error is the answer.
func TestAsk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		addr := netip.MustParseAddr("192.0.2.1")
		if err := Ask(t.Context(), addr); err != nil {
			t.Errorf("nobody is asked: got %v, want none", err)
		}
		refuse := errors.New("no")
		asking := WithAsk(t.Context(), func(_ context.Context, a netip.Addr) error {
			time.Sleep(time.Hour)
			if a != addr {
				return refuse
			}
			return nil
		})
		ctx, cancel := Limit(asking, time.Second, errOver)
		defer cancel()
		if err := Ask(ctx, addr); err != nil || ctx.Err() != nil {
			t.Errorf("got %v, %v, want none", err, ctx.Err())
		}
		if err := Ask(ctx, netip.MustParseAddr("192.0.2.2")); err != refuse {
			t.Errorf("got %v, want %v", err, refuse)
		}
		if err := Ask(WithAsk(ctx, nil), netip.MustParseAddr("192.0.2.2")); err != nil {
			t.Errorf("got %v without a function, want none", err)
		}
		time.Sleep(2 * time.Second)
		if context.Cause(ctx) != errOver {
			t.Errorf("got %v, want %v", context.Cause(ctx), errOver)
		}
		unlimited, stop := Limit(asking, 0, errOver)
		time.Sleep(time.Hour)
		if unlimited.Err() != nil {
			t.Errorf("without a limit: got %v, want none", unlimited.Err())
		}
		stop()
	})
}

// A Trace is found by those who have its types.
func TestTrace(t *testing.T) {
	TraceOf[string, int](t.Context()) // is empty
	var got []string
	ctx := WithTrace(t.Context(), &Trace[string, int]{Lookup: func(s string) { got = append(got, s) }})
	TraceOf[string, int](ctx).Lookup("a")
	if other := TraceOf[int, int](ctx); other.Lookup != nil {
		t.Error("got the Trace of other types, want an empty one")
	}
	if len(got) != 1 {
		t.Errorf("got %q, want one", got)
	}
}
