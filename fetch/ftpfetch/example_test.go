package ftpfetch_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"net/url"
	"strings"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/ftpfetch"
	"github.com/go-extbody/extbody/fetch/netguard"
)

// The guard of this example allows the loopback address and any port, because
// the server is in the same program.
func Example() {
	addr, stop := serve("hello, world\n")
	defer stop()

	var mux fetch.Mux
	mux.Handle("ftp", ftpfetch.New(&ftpfetch.Options{
		Guard: &netguard.Guard{
			Allow:   []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
			AnyPort: true,
		},
	}))
	resp, err := mux.Fetch(context.Background(), &fetch.Request{
		URL: &url.URL{Scheme: "ftp", Host: addr, Path: "/pub/hello.txt"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body) // nil only if all of it has come
	fmt.Printf("%d octets: %q, %v\n", resp.Size, body, err)
	// Output:
	// 13 octets: "hello, world\n", <nil>
}

// Without a guard that allows others, only public addresses are reached, and Check
// returns the error beforehand.
func ExampleNew_check() {
	u, _ := url.Parse("ftp://192.168.1.1/etc/passwd")
	err := ftpfetch.New(nil).Check(&fetch.Request{URL: u})
	fmt.Println(errors.Is(err, fetch.Blocked), err)
	// Output:
	// true address 192.168.1.1 is not public
}

// serve is an FTP server with one file, for one client.
func serve(file string) (addr string, stop func()) {
	control, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	data, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	replies := map[string]string{
		"USER": "331 any password will do",
		"PASS": "230 welcome",
		"CWD":  "250 you are there",
		"TYPE": "200 it is",
		"SIZE": fmt.Sprintf("213 %d", len(file)),
		"EPSV": fmt.Sprintf("229 use (|||%d|)", data.Addr().(*net.TCPAddr).Port),
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		conn, err := control.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		fmt.Fprint(conn, "220 ready\r\n")
		lines := bufio.NewScanner(conn)
		for lines.Scan() {
			verb, _, _ := strings.Cut(lines.Text(), " ")
			if reply, ok := replies[verb]; ok {
				fmt.Fprint(conn, reply, "\r\n")
				continue
			}
			if verb != "RETR" {
				fmt.Fprint(conn, "500 what?\r\n")
				continue
			}
			fmt.Fprint(conn, "150 here it comes\r\n")
			if d, err := data.Accept(); err == nil {
				io.WriteString(d, file)
				d.Close()
			}
			fmt.Fprint(conn, "226 that was all\r\n")
		}
	}()
	return control.Addr().String(), func() {
		control.Close()
		data.Close()
		<-done
	}
}
