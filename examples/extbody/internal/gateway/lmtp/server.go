package lmtp

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/listen"
)

// A Transaction is a message on its way.
type Transaction struct {
	From   *Path
	To     []*Path
	Origin Origin // zero if the peer sent none

	// Reply gives the reply for the recipient To[i] before Deliver returns. The client
	// gets a reply when the message has ended and all recipients before that one have
	// theirs. Only the first reply for a recipient counts.
	Reply func(i int, r Reply)
}

// A Server receives messages. Its fields must not change after it starts to serve.
type Server struct {
	// Name is the name of this host.
	Name string

	// Extensions returns the extensions to announce in addition to PIPELINING,
	// ENHANCEDSTATUSCODES and XFORWARD; nil announces nothing more. A parameter of MAIL
	// or RCPT is accepted only if its extension was announced: 8BITMIME, SMTPUTF8, DSN or SIZE.
	// The number of SIZE bounds the size that MAIL gives.
	Extensions func(ctx context.Context) []string

	// Deliver reads a message from data and returns the reply for each recipient, in
	// their order. A missing reply is 451. Deliver need not read data to its end. An
	// error of data means that the message is incomplete.
	//
	// The context ends with the Server. After data was read to its end, the context
	// also ends when the connection ends, or when the client has got no reply for
	// Patience: the client has gone and will send the message again, so it must not be
	// handed on any more.
	Deliver func(ctx context.Context, t *Transaction, data io.Reader) []Reply

	// Idle bounds the time between two commands, and between two pieces of a
	// message; 0 means 5 minutes.
	Idle time.Duration

	// Greeting bounds the time between the start of a connection and its LHLO; 0
	// means 30 seconds.
	Greeting time.Duration

	// Patience bounds the time from the end of a message to the first reply, and between
	// two replies; 0 means 9 minutes. Clients wait 10 minutes (RFC 5321 section
	// 4.5.3.2.6).
	Patience time.Duration

	// Connections bounds the connections of a listener at a time. Others wait to be
	// accepted. 0 means 1000.
	Connections int

	// PerClient bounds the connections of one IP address at a time. Others get 421. 0
	// means half of Connections. It does not hold for the mail server on this machine,
	// which has the address of the listener or connects to a Unix socket. Its connections
	// wait to be accepted.
	PerClient int

	conns listen.Group

	mu      sync.Mutex
	clients map[string]int // connections, by address
}

// Serve takes connections until Drain is called, and then returns nil. An error of the
// listener ends it too.
func (s *Server) Serve(l net.Listener) error {
	return s.conns.Serve(l, s.connections(), func(conn net.Conn) {
		x := &session{server: s, conn: conn, begun: time.Now(), w: bufio.NewWriter(conn)}
		client := clientOf(conn)
		if !s.admit(client) {
			x.end("4.7.0 Too many connections from your address")
			return
		}
		x.r = bufio.NewReaderSize(conn, bufferBytes)
		defer context.AfterFunc(s.conns.Ending(), x.drain)()
		x.run(s.conns.Context())
		s.mu.Lock()
		defer s.mu.Unlock()
		s.clients[client]--
		if s.clients[client] == 0 {
			delete(s.clients, client)
		}
	})
}

func (s *Server) connections() int { return cmp.Or(s.Connections, 1000) }

// admit counts a connection of a client, unless it has too many.
func (s *Server) admit(client string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if client != "" && s.clients[client] >= cmp.Or(s.PerClient, max(s.connections()/2, 1)) {
		return false
	}
	if s.clients == nil {
		s.clients = make(map[string]int)
	}
	s.clients[client]++
	return true
}

// clientOf returns the IP address of a client, or "" if it is on this machine.
func clientOf(conn net.Conn) string {
	client, ok := conn.RemoteAddr().(*net.TCPAddr)
	local, isTCP := conn.LocalAddr().(*net.TCPAddr)
	if !ok || !isTCP || client.IP.Equal(local.IP) {
		return ""
	}
	return client.IP.String()
}

// Drain takes no more connections. It ends a connection as soon as a message was
// answered on it and no other is in progress. A connection that has had no message yet
// may still send one. Drain returns when all connections have ended. When ctx ends, it
// closes them. A message without a reply stays with the client.
func (s *Server) Drain(ctx context.Context) { s.conns.Drain(ctx) }

// A session is a connection.
type session struct {
	server *Server
	conn   net.Conn
	begun  time.Time
	r      *bufio.Reader
	w      *bufio.Writer

	greeted   bool
	announced map[string]string // extensions
	origin    Origin            // for the next transaction
	t         *Transaction
	served    bool // a message was answered

	mu   sync.Mutex
	idle bool // no message is in progress, and one was answered
}

// drain ends a session that is idle. Another session ends when it becomes idle.
func (x *session) drain() {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.idle {
		x.conn.SetReadDeadline(time.Unix(1, 0))
	}
}

func (x *session) draining() bool { return x.server.conns.Ending().Err() != nil }

// await sets the time limit for the next read. It reports whether the session goes on.
func (x *session) await(idle bool) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.idle = idle
	if idle && x.draining() {
		return false
	}
	x.conn.SetDeadline(x.limit())
	return true
}

// limit returns until when the client must send or take something.
func (x *session) limit() time.Time {
	if !x.greeted {
		return x.begun.Add(cmp.Or(x.server.Greeting, 30*time.Second))
	}
	return time.Now().Add(cmp.Or(x.server.Idle, 5*time.Minute))
}

func (x *session) run(ctx context.Context) {
	x.await(false)
	x.reply(Reply{220, x.server.Name + " LMTP"})
	for {
		if x.r.Buffered() == 0 && x.w.Flush() != nil {
			return
		}
		if !x.await(x.served && x.t == nil && x.r.Buffered() == 0) {
			x.end("4.3.2 The server ends")
			return
		}
		line, err := x.r.ReadSlice('\n')
		switch {
		case err == bufio.ErrBufferFull || err == nil && len(line) > maxLine:
			x.end("5.5.2 The line is too long")
			return
		case err != nil:
			if x.draining() {
				x.end("4.3.2 The server ends")
			} else if e, ok := errors.AsType[net.Error](err); ok && e.Timeout() {
				x.end("4.4.2 Nothing came in time")
			}
			return
		}
		if !x.command(ctx, strings.TrimRight(string(line), "\r\n")) {
			return
		}
	}
}

// end sends the reason for which the connection ends.
func (x *session) end(reason string) {
	x.conn.SetDeadline(time.Now().Add(time.Second))
	x.reply(Reply{421, reason})
	x.w.Flush()
}

// reply writes a reply, in several lines if its text has several.
func (x *session) reply(r Reply) {
	lines := strings.Split(r.Text, "\n")
	for i, line := range lines {
		sep := "-"
		if i == len(lines)-1 {
			sep = " "
		}
		fmt.Fprintf(x.w, "%03d%s%s\r\n", r.Code, sep, strings.Map(printable, line))
	}
}

// printable replaces the control characters in the text of another server, so that it
// stays within one line.
func printable(r rune) rune {
	if r < ' ' || r == 0x7f {
		return '?'
	}
	return r
}

// command carries out a command. It reports whether the session goes on.
func (x *session) command(ctx context.Context, line string) bool {
	verb, arg, _ := strings.Cut(line, " ")
	switch strings.ToUpper(verb) {
	case "LHLO":
		x.reset()
		x.greeted = true
		x.announced = make(map[string]string)
		text := x.server.Name + "\nPIPELINING\nENHANCEDSTATUSCODES\n" + xforwardKeyword
		if x.server.Extensions != nil {
			for _, e := range x.server.Extensions(ctx) {
				text += "\n" + e
				keyword, value, _ := strings.Cut(e, " ")
				x.announced[keyword] = value
			}
		}
		x.reply(Reply{250, text})
	case "HELO", "EHLO":
		x.reply(Reply{500, "5.5.1 This is LMTP"}) // RFC 2033 section 4.1
	case "MAIL":
		x.mail(arg)
	case "RCPT":
		x.rcpt(arg)
	case "DATA":
		return x.data(ctx)
	case "XFORWARD":
		x.xforward(arg)
	case "RSET":
		x.reset()
		x.reply(replyOK)
	case "NOOP":
		x.reply(replyOK)
	case "VRFY":
		x.reply(Reply{252, "2.5.0 Send some mail, and see"})
	case "QUIT":
		x.reply(Reply{221, "2.0.0 Bye"})
		x.w.Flush()
		return false
	default:
		x.reply(Reply{500, "5.5.1 Unknown command"})
	}
	return true
}

// reset forgets the message that is in progress, and where it came from.
func (x *session) reset() {
	x.t = nil
	x.origin = Origin{}
}

func (x *session) xforward(arg string) {
	o := x.origin
	switch {
	case !x.greeted || x.t != nil:
		x.reply(Reply{503, "5.5.1 XFORWARD comes between LHLO and MAIL"})
	case parseXforward(&o, arg) != nil:
		x.reply(Reply{501, "5.5.4 Want ADDR= or IDENT="})
	default:
		x.origin = o
		x.reply(replyOK)
	}
}

func (x *session) mail(arg string) {
	path, err := parsePath(arg, "FROM")
	switch {
	case !x.greeted:
		x.reply(Reply{503, "5.5.1 LHLO first"})
	case x.t != nil:
		x.reply(Reply{503, "5.5.1 There is a message already"})
	case err != nil:
		x.reply(Reply{501, "5.5.4 Want MAIL FROM:<address>"})
	case !x.announcedAll(path):
		x.reply(replyParam)
	case x.tooLarge(path):
		x.reply(Reply{552, "5.3.4 The message is too long"}) // RFC 1870 section 6.1
	default:
		x.t = &Transaction{From: path, Origin: x.origin}
		x.reply(replyOK)
	}
}

func (x *session) rcpt(arg string) {
	path, err := parsePath(arg, "TO")
	switch {
	case x.t == nil:
		x.reply(Reply{503, "5.5.1 MAIL first"})
	case err != nil || path.Address == "":
		x.reply(Reply{501, "5.5.4 Want RCPT TO:<address>"})
	case !x.announcedAll(path):
		x.reply(replyParam)
	case len(x.t.To) == maxRecipients:
		x.reply(Reply{452, "4.5.3 Too many recipients"})
	default:
		x.t.To = append(x.t.To, path)
		x.reply(replyOK)
	}
}

// data takes a message. It reports whether the session goes on.
func (x *session) data(ctx context.Context) bool {
	if x.t == nil || len(x.t.To) == 0 {
		x.reply(Reply{503, "5.5.1 No recipients"}) // RFC 2033 section 4.2
		return true
	}
	x.reply(Reply{354, "Go on"})
	if x.w.Flush() != nil {
		return false
	}
	t := x.t
	ctx, gone := context.WithCancel(ctx)
	defer gone()
	q := &replyQueue{x: x, list: make([]Reply, len(t.To)), gone: gone}
	defer q.stop()
	t.Reply = q.set
	r := &slowReader{q: q, r: newDataReader(x.r)}
	replies := x.server.Deliver(ctx, t, r)
	x.reset()
	x.served = true
	// The rest of the message must not be taken for the next command.
	_, err := io.Copy(io.Discard, r)
	r.stop()
	if err != nil {
		return false
	}
	x.await(false)
	for i := range t.To {
		if i < len(replies) && replies[i].Code != 0 {
			q.set(i, replies[i])
		}
		q.set(i, replyLater)
	}
	return q.err == nil
}

// announcedAll reports whether the extensions of all parameters were announced, and
// whether the extensions allow their values.
func (x *session) announcedAll(p *Path) bool {
	for _, q := range p.Params {
		name, value, _ := strings.Cut(q, "=")
		if _, ok := x.announced[extensionOf(name)]; !ok {
			return false
		}
		allowed := strings.EqualFold(value, "7BIT") || strings.EqualFold(value, "8BITMIME")
		if strings.EqualFold(name, "BODY") && !allowed {
			return false
		}
	}
	return true
}

// tooLarge reports whether the size that MAIL gives is more than the announced limit.
func (x *session) tooLarge(p *Path) bool {
	most, _ := strconv.ParseInt(x.announced["SIZE"], 10, 64)
	value, ok := p.Param("SIZE")
	if !ok || most <= 0 {
		return false
	}
	size, err := strconv.ParseInt(value, 10, 64)
	return err == nil && size > most || errors.Is(err, strconv.ErrRange)
}
