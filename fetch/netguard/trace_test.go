package netguard_test

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"reflect"
	"testing"

	"github.com/go-extbody/extbody/fetch/netguard"
	"github.com/go-extbody/extbody/fetch/record"
	"github.com/go-extbody/extbody/internal/netx/dialing"
)

// A lister has all answers for any name.
type lister []netip.Addr

func (l lister) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	if l == nil {
		return nil, errors.New("no such name")
	}
	return l, nil
}

func TestTraceLookup(t *testing.T) {
	addr := netip.MustParseAddr
	many := make(lister, 100)
	for i := range many {
		many[i] = addr("93.184.216.34")
	}
	for _, row := range []struct {
		name, host string
		answers    lister
		want       record.Lookup
		omitted    int
	}{
		{"Good", "a.test", lister{addr("::ffff:93.184.216.34")}, record.Lookup{Host: "a.test", Answers: []record.Answer{{Addr: addr("93.184.216.34")}}}, 0},
		{"Mixed", "A.test", lister{addr("10.0.0.1"), addr("93.184.216.34"), addr("127.0.0.1")}, record.Lookup{Host: "a.test", Answers: []record.Answer{
			{Addr: addr("10.0.0.1"), Refused: "is not public"}, {Addr: addr("93.184.216.34")}, {Addr: addr("127.0.0.1"), Refused: "is not public"},
		}}, 0},
		{"None", "a.test", nil, record.Lookup{Host: "a.test", Error: "no such name"}, 0},
		{"Local", "printer.local", nil, record.Lookup{Host: "printer.local", Error: "host printer.local: name for local use"}, 0},
		{"Literal", "127.0.0.1", nil, record.Lookup{Host: "127.0.0.1", Answers: []record.Answer{{Addr: addr("127.0.0.1"), Refused: "is not public"}}}, 0},
		{"Many", "a.test", many, record.Lookup{}, 36},
	} {
		var got []record.Lookup
		ctx := dialing.WithTrace(t.Context(), &dialing.Trace[record.Lookup, record.Dial]{Lookup: func(l record.Lookup) { got = append(got, l) }})
		(&netguard.Guard{Resolver: row.answers}).Resolve(ctx, row.host)
		switch {
		case len(got) != 1:
			t.Errorf("%s: got %+v, want one", row.name, got)
		case row.omitted > 0:
			if got[0].Omitted != row.omitted || len(got[0].Answers) != 64 {
				t.Errorf("%s: got %d answers and %d omitted, want 64, %d", row.name, len(got[0].Answers), got[0].Omitted, row.omitted)
			}
		case !reflect.DeepEqual(got[0], row.want):
			t.Errorf("%s: got %+v, want %+v", row.name, got[0], row.want)
		}
	}
}

func TestTraceDial(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).AddrPort().Port()
	guard := (&netguard.Guard{
		Allow:    []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
		Resolver: lister{netip.MustParseAddr("127.0.0.1")},
	}).WithPorts(port)
	dial := func() (got []record.Dial) {
		ctx := dialing.WithTrace(t.Context(), &dialing.Trace[record.Lookup, record.Dial]{Dial: func(d record.Dial) { got = append(got, d) }})
		if c, err := guard.DialContext(ctx, "tcp", net.JoinHostPort("a.test", l.Addr().String()[len("127.0.0.1:"):])); err == nil {
			c.Close()
		}
		return got
	}
	want := netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), port)
	if got := dial(); !reflect.DeepEqual(got, []record.Dial{{Addr: want}}) {
		t.Errorf("got %+v, want %v", got, want)
	}
	l.Close()
	if got := dial(); len(got) != 1 || got[0].Addr != want || got[0].Error == "" {
		t.Errorf("closed: got %+v, want one to %v with an error", got, want)
	}
}
