// Package milterfront is a milter: it tags, copies, redirects, holds, defers and rejects. It takes
// references out of messages only if New allows that: with milter_default_action=accept,
// Postfix answers 250 and moves the mail to corrupt/ if a milter ends while it replaces a body.
package milterfront

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"maps"
	"math"
	"net"
	"net/netip"
	"net/textproto"
	"slices"
	"strings"
	"sync/atomic"
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

// A Server is a milter. It must be made by New.
//
// It speaks the protocol itself. The server of the library allocates any length that a packet
// announces, keeps all fields of a message in memory, and asks for actions that the mail server
// did not offer.
type Server struct {
	engine  *serve.Engine
	wait    time.Duration
	actions []inspect.Action
	conns   listen.Group
	large   atomic.Int64 // octets of large packets in memory
}

// maxConnections bounds the connections of a listener at a time. Others wait to be
// accepted.
const maxConnections = 1000

// New returns a Server. Each message waits for fetches for the time wait at most. bodies
// allows it to replace bodies.
func New(e *serve.Engine, wait time.Duration, bodies bool) *Server {
	return &Server{engine: e, wait: wait, actions: Actions(bodies)}
}

// needs are the actions of the protocol that actions on messages need.
var needs = map[inspect.Action]milter.OptAction{
	inspect.Notice: milter.OptChangeBody | milter.OptChangeHeader | milter.OptAddHeader, inspect.Strip: milter.OptChangeBody | milter.OptChangeHeader | milter.OptAddHeader,
	inspect.Subject: milter.OptChangeHeader | milter.OptAddHeader, inspect.Copy: milter.OptAddRcpt,
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

func (s *Server) serve(c net.Conn) {
	x := &session{server: s, conn: c, r: bufio.NewReaderSize(c, readSize), offered: math.MaxUint32}
	defer x.shrink()
	defer x.end()
	for x.err == nil {
		code, data, err := x.next()
		x.err = err
		if err == nil {
			x.command(milter.Code(code), data)
		}
	}
	if x.err == errPacket {
		s.engine.Log("a client does not speak the milter protocol", "front", Name)
	}
}

// Drain takes no more connections, and returns when the open ones have ended. When ctx
// ends, it closes them. The milter has then failed for a mail server that uses such a
// connection, even if no message is on its way yet.
func (s *Server) Drain(ctx context.Context) { s.conns.Drain(ctx) }

// A session is a connection and the message that is on its way, if there is one.
type session struct {
	server  *Server
	conn    net.Conn
	r       *bufio.Reader     // of conn
	packet  []byte            // the last one read
	large   int64             // its part of Server.large
	err     error             // of the connection or the protocol
	offered milter.OptAction  // by the mail server
	client  netip.Addr        // of the mail server
	macros  map[string]string // that came last
	mail    *serve.Mail
	unkept  error // of writing to the Spool
	forged  int   // how many fields of the header have the name of ours
}

// command carries out a command of the mail server.
func (x *session) command(code milter.Code, data []byte) {
	first, rest, ended := bytes.Cut(data, null)
	switch code {
	case milter.CodeOptNeg: // a version, actions, and commands that can be left out
		if len(data) >= 12 {
			x.offered = milter.OptAction(binary.BigEndian.Uint32(data[4:]))
		}
		actions := milter.OptAddHeader | milter.OptChangeHeader
		for _, a := range x.server.actions {
			actions |= needs[a]
		}
		x.send('O', string(number(2))+string(number(uint32(actions&x.offered)))+string(number(uint32(milter.OptNoHelo))))
		return
	case milter.CodeMacro: // the command that they are for, then names and values
		if len(data) == 0 {
			x.err = errPacket
			return
		}
		x.macros = make(map[string]string)
		for pair := range slices.Chunk(strings.Split(string(data[1:]), "\x00"), 2) {
			x.macros[pair[0]] = pair[len(pair)-1]
		}
		return
	case milter.CodeAbort:
		x.end()
		x.macros = nil
		return
	case milter.CodeEOB:
		x.finish()
		return
	case milter.CodeConn: // the name of the client, a family, a port of two octets, and an address
		if !ended || len(rest) == 0 {
			x.err = errPacket
			return
		}
		if family := milter.ProtoFamily(rest[0]); len(rest) > 3 && (family == milter.FamilyInet || family == milter.FamilyInet6) {
			address, _, _ := strings.Cut(string(rest[3:]), "\x00")
			x.client, _ = netip.ParseAddr(strings.TrimPrefix(address, "IPv6:"))
		}
	case milter.CodeMail:
		x.begin(strings.Trim(string(first), "<>"))
	case milter.CodeRcpt:
		if x.mail != nil {
			x.mail.Envelope.Recipients = append(x.mail.Envelope.Recipients, strings.Trim(string(first), "<>"))
			x.queueID()
		}
	case milter.CodeHeader:
		value, _, _ := bytes.Cut(rest, null)
		x.field(string(first), string(value))
	case milter.CodeEOH:
		x.keep([]byte("\r\n"))
	case milter.CodeBody:
		x.keep(data)
	case milter.CodeHelo, milter.CodeData:
	default: // and milter.CodeQuit
		x.err = io.EOF
		return
	}
	x.send(byte(milter.ActContinue), "")
}

var null = []byte{0}

// begin starts a message.
func (x *session) begin(from string) {
	x.end()
	login := x.macros["{auth_authen}"]
	x.mail = &serve.Mail{
		Front: Name, Received: time.Now(), Wait: x.server.wait, Spool: x.server.engine.Spool(), Client: serve.Client(login, x.client),
		Envelope: inspect.Envelope{From: cmp.Or(from, "<>"), Client: x.client, Authenticated: login != ""},
	}
	x.queueID()
}

// queueID remembers the identifier of the message. Which command gives it first depends
// on the mail server.
func (x *session) queueID() { x.mail.QueueID = cmp.Or(x.macros["i"], x.mail.QueueID) }

// field adds a field. The mail server ends its lines with LF; they get CRLF.
func (x *session) field(name, value string) {
	if strings.EqualFold(strings.TrimRight(name, " \t"), inspect.Field) && x.mail != nil {
		x.forged++
	}
	x.keep([]byte(name + ": " + strings.ReplaceAll(lf(value), "\n", "\r\n") + "\r\n"))
}

// keep writes a piece of the message to its Spool.
func (x *session) keep(p []byte) {
	if x.mail != nil && x.unkept == nil {
		_, x.unkept = x.mail.Spool.Write(p)
	}
}

// end forgets the message.
func (x *session) end() {
	if x.mail != nil {
		x.mail.Spool.Close()
	}
	x.mail = nil
	x.unkept = nil
	x.forged = 0
}

// finish ends the message, and carries out the decision about it.
func (x *session) finish() {
	if x.mail == nil {
		x.send(byte(milter.ActAccept), "")
		return
	}
	defer x.end()
	x.queueID()
	x.mail.Actions = slices.DeleteFunc(slices.Clone(x.server.actions), func(a inspect.Action) bool { return !x.may(needs[a]) })
	var c *serve.Checked
	if x.unkept != nil {
		c = x.server.engine.Fail(x.mail, cmp.Or(x.server.engine.ReadFailure(x.unkept), fetch.Local))
	} else {
		c = x.server.engine.Check(x.server.conns.Context(), x.mail)
	}
	defer c.Close()
	d := c.Decide()
	switch d.Action {
	case inspect.Defer:
		x.send(byte(milter.ActReplyCode), "451 4.7.1 The files that the message refers to are being looked at, try again later\x00")
		return
	case inspect.Reject:
		x.send(byte(milter.ActReplyCode), "550 5.7.1 The message refers to a file that is not let in\x00")
		return
	}
	// Removing starts with the last one, so that the others keep their numbers.
	for i := x.forged; i > 0 && x.may(milter.OptChangeHeader); i-- {
		x.setField(milter.ActChangeHeader, i, inspect.Field, "")
	}
	// At the top no forged field can be taken for ours.
	if field := c.Field(d); field != "" && x.may(milter.OptAddHeader) {
		x.setField(milter.ActInsertHeader, 0, inspect.Field, field)
	}
	switch to := x.mail.Envelope.Recipients; d.Action {
	case inspect.Notice, inspect.Strip:
		x.replace(x.mail.Spool, c.Text(d))
	case inspect.Subject, inspect.Copy:
		if d.Subject != "" {
			x.replaceHeader(x.mail.Spool, c.Text(d))
		}
		for _, r := range d.Copies {
			if !slices.Contains(to, r) {
				x.send(byte(milter.ActAddRcpt), "<"+r+">\x00")
			}
		}
	case inspect.Quarantine, inspect.Hold:
		x.send(byte(milter.ActQuarantine), "extbody: "+string(c.Report.Verdict)+", rule "+d.Rule+"\x00")
	case inspect.Redirect:
		if !slices.Contains(to, d.To) {
			x.send(byte(milter.ActAddRcpt), "<"+d.To+">\x00")
		}
		for _, r := range to {
			if r != d.To {
				x.send(byte(milter.ActDelRcpt), "<"+r+">\x00")
			}
		}
	}
	x.send(byte(milter.ActAccept), "")
}

// may reports whether the mail server offered all these actions.
func (x *session) may(actions milter.OptAction) bool { return x.offered&actions == actions }

// errHeader is the error of a header that is too long to be compared.
var errHeader = errors.New("milter: the header is too long")

// replaceHeader asks the mail server to replace the header of the message from by the header of to:
// the fields that differ. It returns where the body of to starts.
func (x *session) replaceHeader(from, to *spool.Spool) (body int64) {
	before, _, err := header(from)
	after, off, err2 := header(to)
	x.err = cmp.Or(x.err, err, err2)
	if x.err != nil {
		return off
	}
	for _, name := range slices.Sorted(maps.Keys(before)) {
		// Removing starts with the last one, so that the others keep their numbers.
		for i, old := range slices.Backward(before[name]) {
			value := "" // removes the field
			if i < len(after[name]) {
				value = after[name][i]
			}
			if value != old {
				x.setField(milter.ActChangeHeader, i+1, name, value)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(after)) {
		for _, value := range after[name][min(len(before[name]), len(after[name])):] {
			x.send(byte(milter.ActAddHeader), name+"\x00"+lf(value)+"\x00")
		}
	}
	return off
}

// replace asks the mail server to replace the message from by the one in to: the fields of
// its header that differ, and its body.
func (x *session) replace(from, to *spool.Spool) {
	off := x.replaceHeader(from, to)
	buf := make([]byte, milter.MaxBodyChunk)
	for begun := false; x.err == nil && (!begun || off < to.Size()); begun = true {
		n, err := to.ReadAt(buf, off)
		if err != nil && err != io.EOF {
			x.err = err
			return
		}
		// A CRLF is in one packet, which makes an LF of it.
		if n == len(buf) && buf[n-1] == '\r' {
			n--
		}
		x.send(byte(milter.ActReplBody), lf(string(buf[:n])))
		off += int64(n)
	}
}

// header returns the values of the fields of a message, by name, and where its body starts.
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

// errPacket is the error of a peer that does not speak the milter protocol.
var errPacket = errors.New("milter: not a packet of the protocol")

const (
	// maxPacket bounds a packet. The largest that mail servers send are a header field and
	// 64 KiB of a body.
	maxPacket = 1 << 20

	// usualPacket is the largest packet that is not counted for maxLarge: 64 KiB of a
	// body.
	usualPacket = 64<<10 + 8

	// maxLarge bounds the octets of all larger packets in memory.
	maxLarge = 32 << 20

	// readSize is how much is read at once of small packets. Larger ones are read
	// without a copy.
	readSize = 4 << 10

	// idle bounds the time between two packets. It is long, because the mail server may keep
	// the connection open while its own client is slow.
	idle = 10 * time.Minute

	// packetTime bounds the time for a packet after its length.
	packetTime = time.Minute
)

// shrink lets a large buffer go.
func (x *session) shrink() {
	if x.large > 0 {
		x.packet = nil
	}
	x.server.large.Add(-x.large)
	x.large = 0
}

// next reads a packet: a command and its data, which are valid until the next call.
func (x *session) next() (code byte, data []byte, err error) {
	if x.r.Buffered() < 4 {
		x.conn.SetReadDeadline(time.Now().Add(idle))
	}
	var length [4]byte
	if _, err := io.ReadFull(x.r, length[:]); err != nil {
		return 0, nil, err
	}
	announced := binary.BigEndian.Uint32(length[:])
	if announced == 0 || announced > maxPacket {
		return 0, nil, errPacket
	}
	n := int(announced)
	x.shrink()
	if n > usualPacket {
		x.large = int64(n)
		if x.server.large.Add(int64(n)) > maxLarge {
			return 0, nil, errPacket
		}
	}
	if cap(x.packet) < n {
		x.packet = make([]byte, n)
	}
	x.packet = x.packet[:n]
	if x.r.Buffered() < n {
		x.conn.SetReadDeadline(time.Now().Add(packetTime))
	}
	_, err = io.ReadFull(x.r, x.packet)
	return x.packet[0], x.packet[1:], err
}

// setField asks to change or insert the field of a name with a number.
func (x *session) setField(code milter.ModifyActCode, i int, name, value string) {
	x.send(byte(code), string(number(uint32(i)))+name+"\x00"+lf(value)+"\x00")
}

// send writes a packet.
func (x *session) send(code byte, data string) {
	if x.err != nil {
		return
	}
	x.conn.SetWriteDeadline(time.Now().Add(time.Minute))
	_, x.err = x.conn.Write(slices.Concat(number(uint32(1+len(data))), []byte{code}, []byte(data)))
}

func number(n uint32) []byte { return binary.BigEndian.AppendUint32(nil, n) }

// lf ends lines with LF, as mail servers have them.
func lf(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }
