package tftpfetch_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/netip"
	"net/url"
	"strings"

	"github.com/pin/tftp/v3"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/netguard"
	"github.com/go-extbody/extbody/fetch/tftpfetch"
)

// A server on loopback, which only a guard that allows it lets us ask.
func Example() {
	server := tftp.NewServer(func(name string, to io.ReaderFrom) error {
		_, err := to.ReadFrom(strings.NewReader("the contents of " + name + "\n"))
		return err
	}, nil)
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	go server.Serve(conn)
	defer server.Shutdown()

	var mux fetch.Mux
	mux.Handle("tftp", tftpfetch.New(&tftpfetch.Options{
		Guard: &netguard.Guard{
			Allow:   []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
			AnyPort: true,
		},
	}))
	u, err := url.Parse("tftp://" + conn.LocalAddr().String() + "/rfc/rfc1350.txt;mode=octet")
	if err != nil {
		fmt.Println(err)
		return
	}
	resp, err := mux.Fetch(context.Background(), &fetch.Request{URL: u})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	fmt.Printf("%s%v\n", data, err)
	// Output:
	// the contents of rfc/rfc1350.txt
	// <nil>
}
