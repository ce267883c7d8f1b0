package fetchtest_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/fetchtest"
)

// A dms is a Fetcher for the documents of a company. The client sends "GET" and a name, and the
// server a line with the size, and the document.
type dms struct {
	driver.Layer
	guard driver.Dialer
}

func (f *dms) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	c, err := driver.Dial(ctx, req, f.guard, "dms", 7007)
	if err != nil {
		return nil, err
	}
	line, err := c.Ask("GET " + strings.TrimPrefix(req.URL.EscapedPath(), "/") + "\n")
	if err != nil {
		return nil, err
	}
	if line == "NONE" {
		return nil, c.Fail(fetch.NotFound)
	}
	size, err := strconv.ParseInt(line, 10, 63)
	if err != nil {
		return nil, c.Fail(&fetch.Error{Kind: fetch.Protocol, Err: errors.New("no size")})
	}
	return c.Response("", size)
}

// answer is the server's side, with the faults of the suite.
func answer(c net.Conn, obj fetchtest.Object) {
	if _, err := bufio.NewReader(c).ReadString('\n'); err != nil {
		return
	}
	sent := obj.Body
	switch obj.Fault {
	case fetchtest.Missing:
		io.WriteString(c, "NONE\n")
		return
	case fetchtest.Mute:
		io.Copy(io.Discard, c)
		return
	case fetchtest.Cut, fetchtest.Stalled:
		sent = sent[:len(sent)/2]
	}
	fmt.Fprintf(c, "%d\n%s", len(obj.Body), sent)
	if obj.Fault == fetchtest.Stalled {
		io.Copy(io.Discard, c) // until the client closes the connection
		obj.Left()
	}
}

// serve starts a server for one object.
func serve(t *testing.T, obj fetchtest.Object) *fetch.Request {
	if obj.Fault == fetchtest.Forbidden {
		return at("[::1]")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var conns sync.WaitGroup
	conns.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { c.Close() })
			conns.Go(func() {
				defer c.Close()
				answer(c, obj)
			})
		}
	})
	t.Cleanup(conns.Wait)
	t.Cleanup(func() { l.Close() })
	return at(l.Addr().String())
}

func at(host string) *fetch.Request {
	return &fetch.Request{URL: &url.URL{Scheme: "dms", Host: host, Path: "/report"}}
}

// conformNetwork is the body of TestConformance in the tests of a Fetcher with a network.
func conformNetwork(t *testing.T) {
	fetchtest.Run(t, fetchtest.Harness{
		Fetcher: &dms{guard: fetchtest.Guard()},
		Serve:   serve,
		At:      at,
		Watches: true,
	})
}

// A Fetcher with a network is tested with servers that fail in each way. It uses the guard of the
// suite, so that names have the addresses that the tests need.
func Example_network() {
	test := conformNetwork // which go test runs under the name TestConformance
	_ = test
}
