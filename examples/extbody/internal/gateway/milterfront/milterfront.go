// Package milterfront is a milter: it tags, redirects, holds, defers and rejects. It takes
// references out of messages only if New allows that: with milter_default_action=accept,
// Postfix answers 250 and moves the mail to corrupt/ if a milter ends while it replaces a body.
package milterfront

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"maps"
	"net"
	"net/netip"
	"net/textproto"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	milter "github.com/emersion/go-milter"

	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/inspect"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/listen"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/serve"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/file/spool"
	"github.com/go-extbody/extbody/internal/mime/message"
)

// Name is the name of the front end in logs and numbers.
const Name = "milter"

// idle bounds the time between two packets of a mail server. It is long, because the
// mail server may keep the connection open while its own client is slow.
const idle = 10 * time.Minute

// A Server is a milter. It must be made by New.
type Server struct {
	engine *serve.Engine
	wait   time.Duration
	bodies bool
	conns  listen.Group
	large  atomic.Int64 // octets of large packets in memory
}

// maxConnections bounds the connections of a listener at a time. Others wait to be
// accepted.
const maxConnections = 1000

// New returns a Server. Each message waits for fetches for the time wait at most. bodies
// allows it to replace bodies.
func New(e *serve.Engine, wait time.Duration, bodies bool) *Server {
	return &Server{engine: e, wait: wait, bodies: bodies}
}

// needs are the actions of the protocol that actions on messages need.
var needs = map[inspect.Action]milter.OptAction{
	inspect.Notice: milter.OptChangeBody | milter.OptChangeHeader | milter.OptAddHeader, inspect.Strip: milter.OptChangeBody | milter.OptChangeHeader | milter.OptAddHeader,
	inspect.Redirect: milter.OptAddRcpt | milter.OptRemoveRcpt, inspect.Quarantine: milter.OptQuarantine, inspect.Hold: milter.OptQuarantine,
}

// Actions returns the actions that a Server can carry out with a mail server that offers all
// of the protocol; see [serve.Mail]. bodies is as for New.
func Actions(bodies bool) (list []inspect.Action) {
	for a, n := range needs {
		if bodies || n&milter.OptChangeBody == 0 {
			list = append(list, a)
		}
	}
	return list
}

// Serve takes connections until Drain is called, and then returns nil. An error of the
// listener ends it too.
func (s *Server) Serve(l net.Listener) error { return s.conns.Serve(l, maxConnections, s.serve) }

// serve serves a connection. Each connection has its own milter.Server, because only
// then is it known which session belongs to the connection and ends with it.
func (s *Server) serve(c net.Conn) {
	x := &session{server: s}
	one := milter.Server{
		NewMilter: func() milter.Milter { return x },
		Actions:   milter.OptAddHeader | milter.OptChangeHeader,
		Protocol:  milter.OptNoHelo,
	}
	for _, a := range Actions(s.bodies) {
		one.Actions |= needs[a]
	}
	timed := &conn{Conn: c, session: x, packets: newPackets(c, &s.large), closed: make(chan struct{})}
	timed.packets.field = timed.field
	x.packets = timed.packets
	one.Serve(&single{conn: timed})
}

// Drain takes no more connections, and returns when the open ones have ended. When ctx
// ends, it closes them. The milter has then failed for a mail server that uses such a
// connection, even if no message is on its way yet.
func (s *Server) Drain(ctx context.Context) { s.conns.Drain(ctx) }

// A single is a listener of one connection. It ends with the connection.
type single struct {
	conn     *conn
	accepted bool
}

func (l *single) Accept() (net.Conn, error) {
	if !l.accepted {
		l.accepted = true
		return l.conn, nil
	}
	<-l.conn.closed
	return nil, io.EOF
}

func (l *single) Close() error   { return nil }
func (l *single) Addr() net.Addr { return nil }

// A conn is the connection of a session. The session is over when the conn is closed.
// One goroutine reads, writes and closes it.
type conn struct {
	net.Conn
	session *session
	packets *packets
	closed  chan struct{}
}

func (c *conn) Read(p []byte) (int, error) {
	n, err := c.packets.Read(p)
	// The library logs other errors. Drain closes connections, and peers reset them.
	if errors.Is(err, net.ErrClosed) || errors.Is(err, syscall.ECONNRESET) {
		err = io.EOF
	}
	return n, err
}

// field takes a field of the header, and answers. The library would keep all fields of a
// message in memory.
func (c *conn) field(name, value string) error {
	c.session.field(name, value)
	_, err := c.Write(goOn)
	return err
}

// goOn is the packet by which the mail server goes on.
var goOn = []byte{0, 0, 0, 1, 'c'}

// Write writes a packet. The library asks for all actions; they are cut to those that
// the mail server offered.
func (c *conn) Write(p []byte) (int, error) {
	c.SetWriteDeadline(time.Now().Add(time.Minute))
	if len(p) == optionBytes && p[4] == 'O' {
		actions := p[9:13]
		binary.BigEndian.PutUint32(actions, binary.BigEndian.Uint32(actions)&c.packets.offered)
	}
	return c.Conn.Write(p)
}

func (c *conn) Close() error {
	err := c.Conn.Close()
	c.session.end()
	c.packets.shrink()
	close(c.closed)
	return err
}

// A session is a connection and the message that is on its way, if there is one.
type session struct {
	milter.NoOpMilter
	server  *Server
	packets *packets
	client  net.IP // of the mail server
	mail    *serve.Mail
	err     error // of writing to the Spool
	forged  int   // how many fields of the header have the name of ours
}

// Connect gives the address of the client of the mail server.
func (s *session) Connect(_, _ string, _ uint16, address net.IP, _ *milter.Modifier) (milter.Response, error) {
	s.client = address
	return milter.RespContinue, nil
}

// MailFrom begins a message.
func (s *session) MailFrom(from string, m *milter.Modifier) (milter.Response, error) {
	s.end()
	s.mail = &serve.Mail{Front: Name, Received: time.Now(), Wait: s.server.wait, Spool: s.server.engine.Spool()}
	s.mail.Envelope.From = cmp.Or(from, "<>")
	login := m.Macros["{auth_authen}"]
	s.mail.Envelope.Authenticated = login != ""
	s.mail.Envelope.Client, _ = netip.AddrFromSlice(s.client)
	s.mail.Client = serve.Client(login, s.mail.Envelope.Client)
	s.queueID(m)
	return milter.RespContinue, nil
}

// queueID remembers the identifier of the message. Which command gives it first depends
// on the mail server.
func (s *session) queueID(m *milter.Modifier) {
	if id := m.Macros["i"]; id != "" {
		s.mail.QueueID = id
	}
}

// RcptTo adds a recipient.
func (s *session) RcptTo(to string, m *milter.Modifier) (milter.Response, error) {
	if s.mail != nil {
		s.mail.Envelope.Recipients = append(s.mail.Envelope.Recipients, to)
		s.queueID(m)
	}
	return milter.RespContinue, nil
}

// field adds a field. The mail server ends its lines with LF; they get CRLF.
func (s *session) field(name, value string) {
	if s.mail == nil {
		return
	}
	if strings.EqualFold(strings.TrimRight(name, " \t"), inspect.Field) {
		s.forged++
	}
	value = strings.ReplaceAll(strings.ReplaceAll(value, "\r\n", "\n"), "\n", "\r\n")
	s.write([]byte(name + ": " + value + "\r\n"))
}

// Headers ends the header.
func (s *session) Headers(textproto.MIMEHeader, *milter.Modifier) (milter.Response, error) {
	s.write([]byte("\r\n"))
	return milter.RespContinue, nil
}

// BodyChunk adds a piece of the body.
func (s *session) BodyChunk(chunk []byte, _ *milter.Modifier) (milter.Response, error) {
	s.write(chunk)
	return milter.RespContinue, nil
}

func (s *session) write(p []byte) {
	if s.mail != nil && s.err == nil {
		_, s.err = s.mail.Spool.Write(p)
	}
}

// Body ends the message.
func (s *session) Body(m *milter.Modifier) (milter.Response, error) {
	if s.mail == nil {
		return milter.RespAccept, nil
	}
	defer s.end()
	s.queueID(m)
	s.mail.Actions = slices.DeleteFunc(Actions(s.server.bodies), func(a inspect.Action) bool { return !s.may(needs[a]) })
	var c *serve.Checked
	if s.err != nil {
		c = s.server.engine.Fail(s.mail, cmp.Or(s.server.engine.ReadFailure(s.err), fetch.Local))
	} else {
		c = s.server.engine.Check(s.server.conns.Context(), s.mail)
	}
	defer c.Close()
	return s.answer(m, c, c.Decide())
}

// may reports whether the mail server offered all these actions.
func (s *session) may(actions milter.OptAction) bool {
	return s.packets.offered&uint32(actions) == uint32(actions)
}

// answer carries out a decision.
func (s *session) answer(m *milter.Modifier, c *serve.Checked, d inspect.Decision) (milter.Response, error) {
	switch d.Action {
	case inspect.Defer:
		return milter.NewResponseStr('y', "451 4.7.1 The files that the message refers to are being looked at, try again later"), nil
	case inspect.Reject:
		return milter.NewResponseStr('y', "550 5.7.1 The message refers to a file that is not let in"), nil
	}
	var errs []error
	do := func(err error) { errs = append(errs, err) }
	// Removing begins with the last one, so that the others keep their numbers.
	for i := s.forged; i > 0 && s.may(milter.OptChangeHeader); i-- {
		do(m.ChangeHeader(i, inspect.Field, ""))
	}
	// At the top no forged field can be taken for ours.
	if field := c.Field(d); field != "" && s.may(milter.OptAddHeader) {
		do(m.InsertHeader(0, inspect.Field, field))
	}
	switch to := s.mail.Envelope.Recipients; d.Action {
	case inspect.Notice, inspect.Strip:
		do(replace(m, s.mail.Spool, c.Text(d)))
	case inspect.Quarantine, inspect.Hold:
		do(m.Quarantine("extbody: " + string(c.Report.Verdict) + ", rule " + d.Rule))
	case inspect.Redirect:
		if !slices.Contains(to, d.To) {
			do(m.AddRecipient(d.To))
		}
		for _, r := range to {
			if r != d.To {
				do(m.DeleteRecipient(r))
			}
		}
	}
	return milter.RespAccept, errors.Join(errs...)
}

// Abort ends the message, but not the connection.
func (s *session) Abort(*milter.Modifier) error {
	s.end()
	return nil
}

// end forgets the message.
func (s *session) end() {
	if s.mail == nil {
		return
	}
	s.mail.Spool.Close()
	s.mail, s.err, s.forged = nil, nil, 0
}

// maxBodyPacket bounds the octets of a packet with a piece of a body.
const maxBodyPacket = 65_535

// errHeader is the error of a header that is too long to be compared.
var errHeader = errors.New("milter: the header is too long")

// replace asks the mail server to replace the message from by the one in to: the fields of
// its header that differ, and its body.
func replace(m *milter.Modifier, from, to *spool.Spool) error {
	before, _, err := header(from)
	after, off, err2 := header(to)
	errs := []error{err, err2}
	for _, name := range slices.Sorted(maps.Keys(before)) {
		// Removing begins with the last one, so that the others keep their numbers.
		for i, old := range slices.Backward(before[name]) {
			value := "" // removes the field
			if i < len(after[name]) {
				value = after[name][i]
			}
			if value != old {
				errs = append(errs, m.ChangeHeader(i+1, name, value))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(after)) {
		for _, value := range after[name][min(len(before[name]), len(after[name])):] {
			errs = append(errs, m.AddHeader(name, value))
		}
	}
	buf := make([]byte, maxBodyPacket)
	for begun := false; !begun || off < to.Size(); begun = true {
		n, err := to.ReadAt(buf, off)
		if err != nil && err != io.EOF {
			return errors.Join(append(errs, err)...)
		}
		// The library makes LF of each CRLF within a packet.
		if n == len(buf) && buf[n-1] == '\r' {
			n--
		}
		errs = append(errs, m.ReplaceBody(buf[:n]))
		off += int64(n)
	}
	return errors.Join(errs...)
}

// header returns the values of the fields of a message, by name, and where its body begins.
func header(s *spool.Spool) (map[string][]string, int64, error) {
	text, err := io.ReadAll(io.NewSectionReader(s, 0, maxPacket))
	if err != nil {
		return nil, 0, err
	}
	end := bytes.Index(text, []byte("\r\n\r\n")) + 2
	if end < 2 && !bytes.HasPrefix(text, []byte("\r\n")) {
		return nil, 0, errHeader
	}
	fields := make(map[string][]string)
	for f := range message.Fields(string(text[:max(end, 0)]), 0) {
		name := textproto.CanonicalMIMEHeaderKey(f.Name)
		fields[name] = append(fields[name], strings.TrimPrefix(f.Value, " "))
	}
	return fields, int64(max(end, 0) + 2), nil
}
