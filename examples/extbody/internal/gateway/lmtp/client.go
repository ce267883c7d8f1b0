package lmtp

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Client is a connection to an LMTP server. One goroutine may use it at a time.
type Client struct {
	conn net.Conn
	r    *bufio.Reader
	w    *bufio.Writer
	ext  map[string]string
	stop func() bool

	// Answered, if it is not nil, is called with each reply to a message itself as it
	// comes. i is the place of the recipient in the list that Send got.
	Answered func(i int, r Reply)
}

// Time limits of a Client (RFC 5321 section 4.5.3.2).
const (
	commandTimeout = 5 * time.Minute
	dataTimeout    = 10 * time.Minute
)

// Dial connects to "host:port", or to the Unix socket at the path address, and sends
// LHLO with name. The end of ctx interrupts the connection.
func Dial(ctx context.Context, address, name string) (*Client, error) {
	network := "tcp"
	if strings.HasPrefix(address, "/") {
		network = "unix"
	}
	d := net.Dialer{Timeout: 30 * time.Second}
	conn, err := d.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	c := &Client{conn: conn, r: bufio.NewReaderSize(conn, maxLine), w: bufio.NewWriterSize(conn, bufferBytes), ext: make(map[string]string)}
	c.stop = context.AfterFunc(ctx, func() { conn.Close() })
	if err := c.greet(name); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

func (c *Client) greet(name string) error {
	c.conn.SetDeadline(time.Now().Add(commandTimeout))
	r, err := c.reply(false)
	if err == nil && r.OK() {
		r, err = c.command("LHLO " + name)
	}
	if err != nil {
		return err
	}
	if !r.OK() {
		return fmt.Errorf("lmtp: %s", r)
	}
	for _, line := range strings.Split(r.Text, "\n")[1:] {
		keyword, value, _ := strings.Cut(line, " ")
		c.ext[strings.ToUpper(keyword)] = value
	}
	return nil
}

// Extension reports whether the server announced an extension.
func (c *Client) Extension(keyword string) bool {
	_, ok := c.ext[keyword]
	return ok
}

// Size returns how many octets the server takes, or 0 if it did not announce that.
func (c *Client) Size() int64 {
	n, _ := strconv.ParseInt(c.ext["SIZE"], 10, 64)
	return max(n, 0)
}

// Send sends a message of size octets, or of unknown size if size is negative. It returns
// the reply for each recipient, in their order.
//
// The error is one of the connection, of the protocol, or of reading the message. With
// an error, a reply with the Code 0 is not known: the server may have taken the message
// for that recipient or not.
func (c *Client) Send(from *Path, to []*Path, message io.Reader, size int64) ([]Reply, error) {
	replies := make([]Reply, len(to))
	r, err := c.command("MAIL FROM:" + c.path(from, size))
	if err != nil {
		return replies, err
	}
	if !r.OK() {
		return slices.Repeat([]Reply{r}, len(to)), nil
	}
	var taken []int
	for i, p := range to {
		r, err = c.command("RCPT TO:" + c.path(p, -1))
		if err != nil {
			return replies, err
		}
		if r.OK() {
			taken = append(taken, i)
		} else {
			replies[i] = r
		}
	}
	if len(taken) == 0 {
		_, err = c.command("RSET")
		return replies, err
	}
	r, err = c.command("DATA")
	if err != nil {
		return replies, err
	}
	switch {
	case r.Code == 354:
	case r.Code < 400:
		// Nothing was sent, so the server took nothing, whatever its reply is.
		return replies, ErrProtocol
	default:
		// The transaction is still open (RFC 5321 section 4.1.1.4).
		for _, i := range taken {
			replies[i] = r
		}
		_, err = c.command("RSET")
		return replies, err
	}
	d := newDataWriter(c.w)
	if _, err := io.Copy(d, &onTime{message, c.conn}); err != nil {
		// If the connection ends before the dot, there is no message.
		c.conn.Close()
		return replies, err
	}
	if c.unasked() {
		// It would be taken for the reply to the message, which has not ended.
		c.conn.Close()
		return replies, ErrProtocol
	}
	if err := d.Close(); err != nil {
		return replies, err
	}
	c.conn.SetDeadline(time.Now().Add(dataTimeout))
	for _, i := range taken {
		r, err = c.reply(false)
		if err != nil {
			return replies, err
		}
		replies[i] = r
		if c.Answered != nil {
			c.Answered(i, r)
		}
	}
	return replies, nil
}

// An onTime puts the time limit of a connection off while a message is read for it.
type onTime struct {
	r    io.Reader
	conn net.Conn
}

func (t *onTime) Read(p []byte) (int, error) {
	n, err := t.r.Read(p)
	t.conn.SetDeadline(time.Now().Add(dataTimeout))
	return n, err
}

// path returns an address with the parameters that the server knows. The parameter SIZE
// is size, or is left out if size is negative.
func (c *Client) path(p *Path, size int64) string {
	var b strings.Builder
	b.WriteString("<" + p.Address + ">")
	for _, q := range p.Params {
		if keyword := extensionOf(q); c.Extension(keyword) && keyword != "SIZE" {
			b.WriteString(" " + q)
		}
	}
	if c.Extension("SIZE") && size >= 0 {
		fmt.Fprintf(&b, " SIZE=%d", size)
	}
	return b.String()
}

// Lacks returns the first extension that the parameters of paths need and the server
// does not have, or "" if it has them all.
func (c *Client) Lacks(paths ...*Path) string {
	for _, p := range paths {
		for _, q := range p.Params {
			if keyword := extensionOf(q); !c.Extension(keyword) && keyword != "SIZE" {
				return keyword
			}
		}
	}
	return ""
}

// unasked reports whether the server sent a reply too many. It is not known which
// commands its further replies are for.
func (c *Client) unasked() bool { return c.r.Buffered() > 0 }

// command sends a line and returns the reply. Only to DATA it can be an intermediate one.
func (c *Client) command(line string) (Reply, error) {
	if c.unasked() || strings.ContainsAny(line, "\r\n\x00") {
		return Reply{}, ErrProtocol
	}
	c.conn.SetDeadline(time.Now().Add(commandTimeout))
	c.w.WriteString(line + "\r\n")
	if err := c.w.Flush(); err != nil {
		return Reply{}, err
	}
	return c.reply(line == "DATA")
}

// reply reads a reply. An intermediate one breaks the protocol unless the command allows it
// (RFC 5321 section 4.2.1).
func (c *Client) reply(intermediate bool) (Reply, error) {
	var r Reply
	for n := 0; ; n++ {
		text, err := c.r.ReadSlice('\n')
		if err != nil {
			if err == bufio.ErrBufferFull {
				err = ErrProtocol
			}
			return Reply{}, err
		}
		line := strings.TrimRight(string(text), "\r\n")
		if n == maxReplyLines || len(line) < 3 {
			return Reply{}, ErrProtocol
		}
		if len(line) > 3 && line[3] != ' ' && line[3] != '-' {
			return Reply{}, ErrProtocol
		}
		code, err := strconv.Atoi(line[:3])
		if err != nil || code < 200 || code > 599 {
			return Reply{}, ErrProtocol
		}
		unexpected := code/100 == 3 && !intermediate
		differs := n > 0 && code != r.Code
		if unexpected || differs {
			return Reply{}, ErrProtocol
		}
		r.Code = code
		if n > 0 {
			r.Text += "\n"
		}
		if len(line) > 4 {
			r.Text += line[4:]
		}
		if len(line) == 3 || line[3] == ' ' {
			return r, nil
		}
	}
}

// Close sends QUIT and closes the connection.
func (c *Client) Close() error {
	c.stop()
	c.conn.SetDeadline(time.Now().Add(time.Second))
	c.w.WriteString("QUIT\r\n")
	c.w.Flush()
	return c.conn.Close()
}
