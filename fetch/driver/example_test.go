package driver_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"net/url"
	"strings"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/netguard"
)

// A finger is a Fetcher for finger: URLs (RFC 1288). The client sends a name, and the server sends a
// text and closes the connection.
type finger struct {
	driver.Layer
	guard *netguard.Guard
}

func newFinger(guard *netguard.Guard) *finger { return &finger{guard: guard.WithPorts(79)} }

func (f *finger) Check(req *fetch.Request) error {
	if strings.ContainsAny(req.URL.Path, "\r\n") {
		return &fetch.Error{Kind: fetch.Malformed, Err: errors.New("a line end in the path")}
	}
	return f.guard.CheckURL(req.URL)
}

func (f *finger) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	if err := f.Check(req); err != nil {
		return nil, err
	}
	c, err := driver.Dial(ctx, req, f.guard, "finger", 79)
	if err != nil {
		return nil, err
	}
	if err := c.Send(strings.TrimPrefix(req.URL.Path, "/") + "\r\n"); err != nil {
		return nil, err
	}
	return c.Response("text/plain", -1)
}

// A protocol is one method. The guard, the limits on time, the budget, the phases and the
// record of the exchange work as for every other scheme.
func Example() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer l.Close()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			var name string
			fmt.Fscanln(c, &name)
			fmt.Fprintf(c, "%s: in the office\r\n", name)
			c.Close()
		}
	}()

	mux := new(fetch.Mux)
	mux.Handle("finger", newFinger(&netguard.Guard{
		Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}, AnyPort: true,
	}))
	for _, text := range []string{"finger://" + l.Addr().String() + "/joe", "finger://10.0.0.1/joe"} {
		u, err := url.Parse(text)
		if err != nil {
			fmt.Println(err)
			return
		}
		resp, err := mux.Fetch(context.Background(), &fetch.Request{URL: u, Observe: func(x *fetch.Exchange) {
			fmt.Printf("%s: %q sent, %d octets came\n", x.Protocol, x.Dialogue[0].Text, x.OctetsIn)
		}})
		if err != nil {
			fmt.Println(fetch.KindOf(err))
			continue
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		fmt.Printf("%q %v\n", body, err)
	}
	// Output:
	// finger: "joe" sent, 20 octets came
	// "joe: in the office\r\n" <nil>
	// blocked
}
