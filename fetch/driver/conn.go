package driver

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/netx/dialing"
)

// A Dialer judges URLs and connects to hosts. [*github.com/go-extbody/extbody/fetch/netguard.Guard]
// is one. A [net.Dialer] is not, since it judges nothing.
type Dialer interface {
	// Authority returns the host of a URL in canonical form and its port, or why the URL may not
	// be contacted. The port is 0 if the URL names none and its scheme is not known.
	Authority(u *url.URL) (hostname string, port uint16, err error)

	// DialContext connects to a host and port, if both are allowed.
	DialContext(ctx context.Context, network, address string) (net.Conn, error)
}

// A Conn is the connection of one fetch to a server, and its Exchange. The end of the context of
// [Dial] closes it.
//
// Conn keeps the limits Connect, TLS and FirstOctet of [fetch.Timeouts], reports the phases
// Connecting, Securing and Sending, and records the octets of both sides above TLS. If StartTLS, Send,
// Line, Ask or Response returns an error, the Conn is closed and its Exchange has ended with that
// error, which the Fetcher returns.
//
// A Conn is for one goroutine. It has to be closed if it does not become the Body of a Response.
type Conn struct {
	net.Conn // of TCP, or TLS on it after StartTLS

	// Exchange is nil without fetch.Request.Observe.
	Exchange *fetch.Exchange

	// Host is the host of the URL in canonical form, and Port the port that was dialed.
	Host string
	Port uint16

	ctx  context.Context
	req  *fetch.Request
	tcp  *tcp
	stop func() bool   // of the function that closes tcp with ctx
	in   *bufio.Reader // on the Conn, once a line was read
	sent bool
	out  int64
	got  int64
}

// A tcp remembers that its peer has closed it. Above it, crypto/tls reports the same io.EOF for an
// end with close_notify, which does not read that far, and for one without.
type tcp struct {
	net.Conn
	ended bool
}

func (c *tcp) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if err == io.EOF {
		c.ended = true
	}
	return n, err
}

// Dial judges the URL of req, calls [Contact], starts an Exchange, and connects. port
// is the port of a URL that names none; a Dialer that does not know the scheme has to allow it, as
// a Guard does after WithPorts. protocol names the protocol in the Exchange.
//
// If there is an error, there is no Conn, and the Exchange has ended.
func Dial(ctx context.Context, req *fetch.Request, d Dialer, protocol string, port uint16) (*Conn, error) {
	host, named, err := d.Authority(req.URL)
	if err != nil {
		return nil, err
	}
	if named != 0 {
		port = named
	}
	if err := Contact(ctx, req, req.URL); err != nil {
		return nil, err
	}
	c := &Conn{Host: host, Port: port, ctx: ctx, req: req, Exchange: Begin(req, protocol, req.URL, 0)}
	Report(req, fetch.Event{Phase: fetch.Connecting, Total: -1})
	limited, cancel := Limit(ctx, req.Timeouts.Connect, "the connection")
	defer cancel()
	address := net.JoinHostPort(host, strconv.Itoa(int(port)))
	conn, err := d.DialContext(Observe(limited, c.Exchange), "tcp", address)
	if err != nil {
		err = Interrupted(limited, err)
		End(c.Exchange, err)
		return nil, err
	}
	c.tcp = &tcp{Conn: conn}
	c.Conn = c.tcp
	c.stop = context.AfterFunc(ctx, func() { conn.Close() })
	if c.Exchange != nil {
		c.Exchange.Remote = dialing.RemoteAddr(conn)
		OnEnd(c.Exchange, func() { c.Exchange.OctetsOut, c.Exchange.OctetsIn = c.Octets() })
	}
	return c, nil
}

// Octets returns the numbers of octets that were sent and received so far, above TLS. End writes
// them into the Exchange unless the Fetcher has called its OnEnd.
func (c *Conn) Octets() (sent, received int64) { return c.out, c.got }

// Read implements [io.Reader], without a limit of its own.
func (c *Conn) Read(p []byte) (int, error) {
	if c.in != nil && c.in.Buffered() > 0 {
		return c.in.Read(p)
	}
	return c.receive(p)
}

// receive reads from the connection.
func (c *Conn) receive(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.got += int64(n)
	return n, err
}

// Write implements [io.Writer], without a limit of its own.
func (c *Conn) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	c.out += int64(n)
	return n, err
}

var errInjected = &fetch.Error{Kind: fetch.Protocol, Err: errors.New("octets of the server before the TLS handshake")}

// StartTLS puts TLS on the connection, with a certificate that is valid for Host. config is cloned,
// with Host as its ServerName; nil is the default. Octets that Line has read ahead are an error: they
// came in the clear, perhaps from an attacker in between.
func (c *Conn) StartTLS(config *tls.Config) error {
	if c.in != nil && c.in.Buffered() > 0 {
		return c.Fail(errInjected)
	}
	Report(c.req, fetch.Event{Phase: fetch.Securing, Total: -1})
	config = config.Clone()
	if config == nil {
		config = new(tls.Config)
	}
	config.ServerName = c.Host
	conn, err := Handshake(c.ctx, c.Conn, config, c.req.Timeouts.TLS)
	if err != nil {
		return c.Fail(err)
	}
	c.Conn = conn
	if c.Exchange != nil {
		c.Exchange.TLS = TLS(conn.ConnectionState())
	}
	return nil
}

// Send sends text, which is one line or several with their ends, and adds it to the dialogue of the
// Exchange. A line with credentials goes through Write instead, and the text to show instead to
// [Say].
func (c *Conn) Send(text string) error {
	if !c.sent {
		c.sent = true
		Report(c.req, fetch.Event{Phase: fetch.Sending, Total: -1})
	}
	c.SetWriteDeadline(c.deadline())
	if Full(c.Exchange) {
		for line := range strings.Lines(text) {
			Say(c.Exchange, true, strings.TrimRight(line, "\r\n"))
		}
	}
	_, err := io.WriteString(c, text)
	return c.lost(err)
}

// maxLine bounds a line.
const maxLine = 64 << 10

var errTooLong = &fetch.Error{Kind: fetch.Protocol, Err: errors.New("a line that is too long")}

// Line reads a line of at most 64 KiB and returns it without its end, LF or CR LF. A line that the
// connection ends within is Unavailable, and a longer one Protocol.
func (c *Conn) Line() (string, error) {
	c.SetReadDeadline(c.deadline())
	var line []byte
	for {
		part, err := c.buffer().ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > maxLine:
			return "", c.Fail(errTooLong)
		case err == nil:
			text := strings.TrimSuffix(string(line[:len(line)-1]), "\r")
			Say(c.Exchange, false, text)
			return text, nil
		case err != bufio.ErrBufferFull:
			return "", c.lost(err)
		}
	}
}

// Ask is Send, and then Line.
func (c *Conn) Ask(text string) (string, error) {
	if err := c.Send(text); err != nil {
		return "", err
	}
	return c.Line()
}

// A receiver is the reader below the buffer of a Conn.
type receiver struct{ *Conn }

func (r receiver) Read(p []byte) (int, error) { return r.receive(p) }

func (c *Conn) buffer() *bufio.Reader {
	if c.in == nil {
		c.in = bufio.NewReader(receiver{c})
	}
	return c.in
}

// deadline returns when the next step of the dialogue has to be over.
func (c *Conn) deadline() time.Time {
	if c.req.Timeouts.FirstOctet <= 0 {
		return time.Time{}
	}
	return time.Now().Add(c.req.Timeouts.FirstOctet)
}

// lost ends c with an error of the connection in the dialogue; nil stays nil.
func (c *Conn) lost(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, os.ErrDeadlineExceeded):
		err = NewTimeout("the answer")
	case err == io.EOF:
		err = &fetch.Error{Kind: fetch.Unavailable, Err: io.ErrUnexpectedEOF}
	}
	return c.Fail(err)
}

// Response returns a Response whose Body is the rest of the octets of the server: size octets, or up to
// the end of the connection if size is -1. If nothing was read yet, it waits for the first octet.
// Closing the Body closes c. A Fetcher that has to read more than that sets a Body of its own.
func (c *Conn) Response(mediaType string, size int64) (*fetch.Response, error) {
	if c.got == 0 && size != 0 {
		c.SetReadDeadline(c.deadline())
		if _, err := c.buffer().Peek(1); err != nil && (err != io.EOF || c.cut()) {
			return nil, c.lost(err)
		}
	}
	c.SetDeadline(time.Time{}) // from here on fetch.Do limits the time without octets
	resp := &fetch.Response{
		URL:         c.req.URL,
		MediaType:   mediaType,
		Size:        size,
		Undelimited: size < 0,
		Body:        &body{conn: c, left: size},
		RemoteAddr:  dialing.RemoteAddr(c),
	}
	OfResponse(resp).Exchange = c.Exchange
	return resp, nil
}

// cut reports whether the connection has ended without the close_notify of TLS, so that
// anybody on the way may have cut it.
func (c *Conn) cut() bool {
	_, secure := c.Conn.(*tls.Conn)
	return secure && c.tcp.ended
}

// Fail closes c, ends its Exchange with err, and returns err, or the cause of the end of the
// context if that has ended. The first end of an Exchange counts.
func (c *Conn) Fail(err error) error {
	err = Interrupted(c.ctx, err)
	End(c.Exchange, err)
	c.stop()
	c.tcp.Close()
	return err
}

// Abort closes the connection below TLS. Another goroutine may call it to interrupt one that waits
// for the server.
func (c *Conn) Abort() { c.tcp.Close() }

var errClosed = &fetch.Error{Kind: fetch.Local, Err: os.ErrClosed}

// Close closes c. An Exchange that has not ended yet ends with an error of Kind Local.
func (c *Conn) Close() error {
	c.Fail(errClosed)
	return nil
}

var errNoNotify = errors.New("the connection ended without the close_notify of TLS")

// A body is the rest of a Conn.
type body struct {
	conn *Conn
	left int64 // negative for up to the end
	err  error
}

// Read implements [io.Reader].
func (b *body) Read(p []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	if b.left == 0 {
		b.err = io.EOF
		return 0, b.err
	}
	if b.left > 0 {
		p = p[:min(int64(len(p)), b.left)]
	}
	n, err := b.conn.Read(p)
	if b.left > 0 {
		b.left -= int64(n)
	}
	switch {
	case err == nil || n > 0: // an error comes again
		return n, nil
	case err == io.EOF && b.left < 0 && b.conn.cut():
		b.err = CutOff(errNoNotify)
	case err == io.EOF && b.left < 0:
		b.err = io.EOF
	default:
		b.err = Interrupted(b.conn.ctx, CutOff(err))
	}
	return 0, b.err
}

// Close implements [io.Closer]. It does not wait for the server.
func (b *body) Close() error {
	if b.err == io.EOF {
		End(b.conn.Exchange, nil)
	}
	if b.err == nil {
		b.err = errClosed
	}
	b.conn.Fail(b.err)
	return nil
}
