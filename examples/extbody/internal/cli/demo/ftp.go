package demo

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"path"
	"strings"
	"sync"
)

// An ftpServer gives files, by path, to anonymous users (RFC 959). It knows as much of
// the protocol as a client needs that reads in passive mode.
type ftpServer struct {
	files map[string]string
}

// serve answers until l is closed, and returns when the last client is gone.
func (s *ftpServer) serve(l net.Listener) {
	var wg sync.WaitGroup
	defer wg.Wait()
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		wg.Go(func() {
			defer conn.Close()
			c := &ftpClient{server: s, conn: conn, dir: "/"}
			defer c.closeData()
			c.talk()
		})
	}
}

// An ftpClient is a control connection of an ftpServer.
type ftpClient struct {
	server *ftpServer
	conn   net.Conn
	dir    string
	data   net.Listener // nil before EPSV
}

func (c *ftpClient) talk() {
	c.say("220 demo")
	in := bufio.NewScanner(io.LimitReader(c.conn, 64<<10))
	for in.Scan() {
		verb, arg, _ := strings.Cut(strings.TrimSpace(in.Text()), " ")
		switch verb = strings.ToUpper(verb); verb {
		case "QUIT":
			c.say("221 bye")
			return
		case "RETR":
			c.send(arg)
		default:
			c.say(c.answer(verb, arg))
		}
	}
}

// answer returns the reply to a command that transfers nothing.
func (c *ftpClient) answer(verb, arg string) string {
	switch verb {
	case "USER":
		if arg != "anonymous" && arg != "ftp" {
			return "530 anonymous users only"
		}
		return "331 any password"
	case "PASS":
		return "230 welcome"
	case "TYPE":
		return "200 as you like"
	case "CWD":
		c.dir = path.Join("/", c.dir, arg)
		return "250 there you are"
	case "EPSV":
		return c.listen()
	case "SIZE":
		if text, ok := c.server.files[path.Join(c.dir, arg)]; ok {
			return fmt.Sprintf("213 %d", len(text))
		}
		return "550 no such file"
	}
	return "502 not in this demo"
}

// listen waits for a data connection (RFC 2428 section 3).
func (c *ftpClient) listen() string {
	c.closeData()
	l, err := net.Listen("tcp", loopback)
	if err != nil {
		return "425 no port"
	}
	c.data = l
	return fmt.Sprintf("229 passive (|||%d|)", l.Addr().(*net.TCPAddr).Port)
}

// send sends a file on the data connection.
func (c *ftpClient) send(name string) {
	text, ok := c.server.files[path.Join(c.dir, name)]
	if !ok || c.data == nil {
		c.say("550 no such file")
		return
	}
	c.say("150 here it comes")
	conn, err := c.data.Accept()
	if err == nil {
		_, err = io.WriteString(conn, text)
		conn.Close()
	}
	c.closeData()
	if err != nil {
		c.say("426 connection lost")
		return
	}
	c.say("226 done")
}

func (c *ftpClient) closeData() {
	if c.data != nil {
		c.data.Close()
		c.data = nil
	}
}

func (c *ftpClient) say(line string) { io.WriteString(c.conn, line+"\r\n") }
