package demo

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"
)

// demoTime bounds the whole demo.
const demoTime = 30 * time.Second

// loopback is where the servers of the demo listen.
const loopback = "127.0.0.1:0"

// demoServers are an http and an ftp server on this machine alone.
type demoServers struct {
	http, ftp *net.TCPAddr
	stop      func()
}

// startServers serves files, by path, by http at an address and by ftp.
func startServers(addr string, files map[string]string) (*demoServers, error) {
	web, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	ftp, err := net.Listen("tcp", loopback)
	if err != nil {
		web.Close()
		return nil, err
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if text, ok := files[r.URL.Path]; ok {
			io.WriteString(w, text)
		} else {
			http.NotFound(w, r)
		}
	})}
	var wg sync.WaitGroup
	wg.Go(func() { server.Serve(web) })
	wg.Go(func() { serveFTP(ftp, files) })
	stop := func() {
		server.Close()
		ftp.Close()
		wg.Wait()
	}
	return &demoServers{web.Addr().(*net.TCPAddr), ftp.Addr().(*net.TCPAddr), stop}, nil
}

// serveFTP gives files, by path, to any user. It answers until l is closed, and returns when the
// last client is gone.
func serveFTP(l net.Listener, files map[string]string) {
	var wg sync.WaitGroup
	defer wg.Wait()
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		wg.Go(func() {
			defer conn.Close()
			serveFTPClient(conn, files)
		})
	}
}

// serveFTPClient knows as much of the protocol (RFC 959) as a client needs that reads in passive mode.
func serveFTPClient(conn net.Conn, files map[string]string) {
	passive, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return
	}
	defer passive.Close()
	passive.SetDeadline(time.Now().Add(demoTime))
	reply := func(format string, args ...any) { fmt.Fprintf(conn, format+"\r\n", args...) }
	reply("220 demo")
	dir := "/"
	for in := bufio.NewScanner(io.LimitReader(conn, 64<<10)); in.Scan(); {
		verb, arg, _ := strings.Cut(strings.TrimSpace(in.Text()), " ")
		text, found := files[path.Join(dir, arg)]
		switch verb = strings.ToUpper(verb); {
		case verb == "USER":
			reply("230 welcome")
		case verb == "TYPE":
			reply("200 as you like")
		case verb == "CWD":
			dir = path.Join("/", dir, arg)
			reply("250 there you are")
		case verb == "QUIT":
			reply("221 bye")
		case verb == "EPSV": // RFC 2428 section 3
			reply("229 passive (|||%d|)", passive.Addr().(*net.TCPAddr).Port)
		case verb == "SIZE" && found:
			reply("213 %d", len(text))
		case verb == "RETR" && found:
			// The text fits into the buffers of the system, before the client knows of it.
			data, err := passive.Accept()
			if err != nil {
				return
			}
			io.WriteString(data, text)
			data.Close()
			reply("150 here it comes\r\n226 done")
		case verb == "SIZE" || verb == "RETR":
			reply("550 no such file")
		default:
			reply("502 not in this demo")
		}
	}
}
