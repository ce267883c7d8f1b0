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
)

// loopback is where the servers of the demo listen.
const loopback = "127.0.0.1:0"

// demoServers are an http and an ftp server on this machine alone.
type demoServers struct {
	http, ftp *net.TCPAddr
	stop      func()
}

// startServers serves files, by path, by http and ftp.
func startServers(files map[string]string) (*demoServers, error) {
	web, err := net.Listen("tcp", loopback)
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

// serveFTP gives files, by path, to any user (RFC 959). It knows as much of the
// protocol as a client needs that reads in passive mode. It answers until l is closed, and
// returns when the last client is gone.
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
			c := &ftpClient{files: files, dir: "/"}
			defer c.closeData()
			io.WriteString(conn, "220 demo\r\n")
			in := bufio.NewScanner(io.LimitReader(conn, 64<<10))
			for in.Scan() {
				verb, arg, _ := strings.Cut(strings.TrimSpace(in.Text()), " ")
				io.WriteString(conn, c.answer(strings.ToUpper(verb), arg)+"\r\n")
			}
		})
	}
}

// An ftpClient is the state of a control connection.
type ftpClient struct {
	files map[string]string
	dir   string
	data  net.Listener // nil before EPSV
}

// answer carries a command out and returns the reply, which may have two lines.
func (c *ftpClient) answer(verb, arg string) string {
	text, found := c.files[path.Join(c.dir, arg)]
	switch verb {
	case "USER", "PASS":
		return "230 welcome"
	case "TYPE":
		return "200 as you like"
	case "CWD":
		c.dir = path.Join("/", c.dir, arg)
		return "250 there you are"
	case "QUIT":
		return "221 bye"
	case "EPSV": // RFC 2428 section 3
		c.closeData()
		l, err := net.Listen("tcp", loopback)
		if err != nil {
			return "425 no port"
		}
		c.data = l
		return fmt.Sprintf("229 passive (|||%d|)", l.Addr().(*net.TCPAddr).Port)
	case "SIZE", "RETR":
		switch {
		case !found || verb == "RETR" && c.data == nil:
			return "550 no such file"
		case verb == "SIZE":
			return fmt.Sprintf("213 %d", len(text))
		}
		// The text fits into the buffers of the system, before the client knows of it.
		conn, err := c.data.Accept()
		if err == nil {
			_, err = io.WriteString(conn, text)
			conn.Close()
		}
		c.closeData()
		if err != nil {
			return "426 connection lost"
		}
		return "150 here it comes\r\n226 done"
	}
	return "502 not in this demo"
}

func (c *ftpClient) closeData() {
	if c.data != nil {
		c.data.Close()
		c.data = nil
	}
}
