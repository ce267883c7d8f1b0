package ftpfetch

import (
	"errors"
	"io"
	"net"
	"net/textproto"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/internal/netx/dialing"
)

// transfer starts the transfer of the file or of the names in the directory.
func (s *session) transfer() (*fetch.Response, error) {
	if err := s.setType(); err != nil {
		return nil, err
	}
	resp := &fetch.Response{URL: s.req.URL, Size: -1}
	if err := s.describe(resp); err != nil {
		return nil, err
	}
	if s.same(resp) && s.req.Conditions.Offset == 0 {
		return s.notModified(resp), nil
	}
	if err := s.openData(); err != nil {
		return nil, err
	}
	if err := s.restart(resp); err != nil {
		return nil, err
	}
	r, err := s.retrieve()
	if err != nil {
		return nil, err
	}
	if n, ok := r.size(); ok && resp.Size < 0 && s.target.counted() {
		resp.Size = n
	}
	resp.Undelimited = resp.Size < 0
	b := &body{session: s, src: s.data, size: resp.Size}
	if s.private {
		b.raw = &eofConn{Conn: s.data}
		// The certificate has to be for the host of the URL here too (RFC 4217 section 15.1.1).
		conn, err := driver.Handshake(s.ctx, b.raw, s.tls, s.req.Timeouts.TLS)
		if err != nil {
			return nil, err
		}
		b.src = conn
	}
	resp.Body = b
	resp.RemoteAddr = dialing.RemoteAddr(s.data)
	driver.OfResponse(resp).Exchange = s.log
	return resp, nil
}

// setType sends TYPE. RFC 1123 section 4.1.2.1 makes L 8 and I the same for
// machines of octets, so either may stand for the other where one is unknown.
func (s *session) setType() error {
	r, err := s.cmd("TYPE " + s.target.typ)
	if err == nil && s.target.typ == "L 8" && r.code/100 == 5 {
		r, err = s.cmd("TYPE I")
	}
	if err != nil || r.class() == completed {
		return err
	}
	e := s.refusal(r)
	if r.code/10 == 50 {
		e.Kind = fetch.Unsupported
	}
	return e
}

// describe asks for the size and the time of the file (RFC 3659 sections 3 and
// 4). The size holds for the type in force. A server that refuses these may
// send the file all the same.
func (s *session) describe(resp *fetch.Response) error {
	t := s.target
	if t.list {
		return nil
	}
	if t.counted() && s.offers("SIZE") {
		r, ok, err := s.try("SIZE " + t.name)
		if err != nil {
			return err
		}
		if n, err := strconv.ParseUint(strings.TrimSpace(r.text), 10, 63); ok && err == nil {
			resp.Size = int64(n)
		}
	}
	if s.offers("MDTM") {
		r, ok, err := s.try("MDTM " + t.name)
		if err != nil {
			return err
		}
		// A time-val (RFC 3659 section 2.3) in the form of HTTP.
		if t, err := time.Parse("20060102150405", strings.TrimSpace(r.text)); ok && err == nil {
			resp.Header = textproto.MIMEHeader{"Last-Modified": {t.Format("Mon, 02 Jan 2006 15:04:05 GMT")}}
		}
	}
	if modified := resp.Header.Get("Last-Modified"); modified != "" && resp.Size > 0 && s.offers("REST") {
		driver.OfResponse(resp).Resume = &fetch.Conditions{LastModified: modified, Size: resp.Size} // RFC 3659 section 5
	}
	return nil
}

// retrieve sends RETR or NLST, and returns when the server has said that the
// data comes. A server that is done before it has started breaks the protocol.
func (s *session) retrieve() (reply, error) {
	line := "RETR " + s.target.name
	switch t := s.target; {
	case t.list && t.name == "":
		line = "NLST"
	case t.list:
		line = "NLST " + t.name
	}
	r, err := s.ask(line)
	if err == nil && r.class() != preliminary {
		err = s.refusal(r)
	}
	return r, err
}

// same reports whether the file that resp describes is the one that the
// conditions of the Request are about.
func (s *session) same(resp *fetch.Response) bool {
	c := s.req.Conditions
	if c == nil || c.Size <= 0 || c.LastModified == "" {
		return false
	}
	return c.Size == resp.Size && c.LastModified == resp.Header.Get("Last-Modified")
}

// notModified ends the session without a transfer.
func (s *session) notModified(resp *fetch.Response) *fetch.Response {
	resp.NotModified = true
	resp.Size = 0
	driver.OfResponse(resp).Resume = nil
	resp.Body = io.NopCloser(strings.NewReader(""))
	resp.RemoteAddr = dialing.RemoteAddr(s.control)
	driver.OfResponse(resp).Exchange = s.log
	s.quit()
	driver.End(s.log, nil)
	s.fail(nil)
	return resp
}

// restart has the transfer that follows begin where the Request asks, if the file
// is the same still. It is the last command before the transfer. A server that
// refuses it sends the whole.
func (s *session) restart(resp *fetch.Response) error {
	c := s.req.Conditions
	if !s.same(resp) || c.Offset <= 0 || c.Offset > resp.Size {
		return nil
	}
	r, _, err := s.try("REST " + strconv.FormatInt(c.Offset, 10))
	if err == nil && r.code == 350 {
		resp.Offset = c.Offset
		resp.Size -= c.Offset
		if s.log != nil {
			s.log.Offset = c.Offset
		}
	}
	return err
}

// A body is the data connection, and at its end the word of the server that
// this was all. It sets no deadline on the data, because [fetch.Do] limits the
// time without octets.
type body struct {
	session *session // nil once closed
	src     net.Conn // the data connection, or TLS on it
	raw     *eofConn // below TLS; nil without it
	size    int64    // -1 if not known
	n       int64
	err     error
}

var errNoNotify = errors.New("the TLS data connection ended without close_notify")

// Read implements [io.Reader].
func (b *body) Read(p []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	n, err := b.src.Read(p)
	b.n += int64(n)
	b.session.received += int64(n)
	switch {
	case err == nil || n > 0:
		// An error comes again.
		return n, nil
	case err == io.EOF:
		b.err = b.finish()
	default:
		b.err = driver.CutOff(err)
	}
	if b.err != io.EOF {
		b.err = driver.Interrupted(b.session.ctx, b.err)
	}
	return 0, b.err
}

// finish is the verdict when the data connection has ended. RFC 959 section 3.4.1
// makes its end the end of the file, but a lost connection looks the same: the
// server's reply after it decides.
func (b *body) finish() error {
	if b.raw != nil && b.raw.eof && b.n != b.size {
		return driver.CutOff(errNoNotify)
	}
	// Our side is closed first: some servers linger on theirs until then.
	b.src.Close()
	d := b.session.dialog
	d.wait = completionTime(b.session.req.Timeouts)
	if err := b.session.want(d.final("the reply after the data")); err != nil {
		return driver.CutOff(err)
	}
	return io.EOF
}

// completionTime is how long to wait for the reply after the data. It ends
// before Stall does, which would report a stalled body.
func completionTime(t fetch.Timeouts) time.Duration {
	if t.Stall <= 0 {
		return t.FirstOctet
	}
	d := t.Stall - t.Stall/8
	if t.FirstOctet > 0 {
		d = min(d, t.FirstOctet)
	}
	return d
}

// Close implements [io.Closer]. It does not wait for the server.
func (b *body) Close() error {
	if b.session == nil {
		return nil
	}
	switch b.err {
	case io.EOF:
		driver.End(b.session.log, nil)
		b.session.quit()
	case nil:
		b.err = &fetch.Error{Kind: fetch.Local, Err: os.ErrClosed}
	}
	b.session.fail(b.err) // fetch.Do has ended the Exchange
	b.session = nil
	return nil
}

// An eofConn remembers that it has been read to its end. Above it, crypto/tls
// reports the same io.EOF for an end with close_notify, which does not read that
// far, and for one without.
type eofConn struct {
	net.Conn
	eof bool
}

func (c *eofConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if err == io.EOF {
		c.eof = true
	}
	return n, err
}
