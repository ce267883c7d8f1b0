package tftpfetch_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/netip"
	"net/url"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/netguard"
	"github.com/go-extbody/extbody/fetch/tftpfetch"
)

// A server on loopback, which only a guard that allows it lets us ask.
func Example() {
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer conn.Close()
	go serve(conn)

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

// serve answers one request with a file of one block.
func serve(conn net.PacketConn) {
	packet := make([]byte, 512)
	n, client, err := conn.ReadFrom(packet)
	if err != nil {
		return
	}
	name, _, _ := bytes.Cut(packet[2:n], []byte{0})
	conn.WriteTo(fmt.Appendf(nil, "\x00\x03\x00\x01the contents of %s\n", name), client)
}
