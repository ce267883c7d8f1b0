package tftpfetch

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
)

// A transfer is one read request and its answers. It has a socket of its own,
// which all packets go through, and no goroutine: each Read of the body acknowledges
// a block and waits for the next one.
type transfer struct {
	ctx     context.Context // ends when the transfer is given up
	cancel  context.CancelCauseFunc
	stop    func() bool // of the function that ends the transfer with ctx
	conn    *net.UDPConn
	options rrqOptions
	patient time.Duration // the time before a packet is repeated
	log     *fetch.Exchange

	server    netip.AddrPort                 // with the port of the server, later with the port of the transfer
	answered  atomic.Pointer[netip.AddrPort] // server, once it has the port of the transfer (RFC 1350 section 4)
	blockSize int
	size      int64 // -1 if not known

	last   []byte // the packet that is repeated until it is answered
	block  uint16 // the number of the last block that came
	buf    []byte
	data   []byte // of that block, not given out yet
	begun  bool   // a block has come
	whole  bool   // the last block has come
	oack   []byte // the options that the server acknowledged
	copies int    // packets that came again, since the last one that did not

	lines *lineDecoder // undoes netascii into text; nil in octet mode
	text  []byte

	end sync.Once
	err error // returned by Read after data
}

// attempt sends one read request and returns when the first block has come.
func (f *fetcher) attempt(
	ctx context.Context, req *fetch.Request, tgt *target, r *route, o rrqOptions, log *fetch.Exchange,
) (*fetch.Response, error) {
	conn, err := net.ListenUDP("udp", net.UDPAddrFromAddrPort(netip.AddrPortFrom(r.local, 0)))
	if err != nil {
		return nil, &fetch.Error{Kind: fetch.Local, Err: err}
	}
	fields := o.request(tgt)
	t := &transfer{
		conn:      conn,
		options:   o,
		patient:   f.opts.retryAfter,
		log:       log,
		server:    r.remote,
		blockSize: defaultBlockSize,
		size:      -1,
		last:      []byte("\x00\x01" + strings.Join(fields, "\x00") + "\x00"),
		buf:       make([]byte, headerLen+max(o.blockSize, maxAnswer)+1),
	}
	if tgt.mode == netascii {
		t.lines = &lineDecoder{crlf: tgt.crlf}
	}
	t.ctx, t.cancel = context.WithCancelCause(ctx)
	t.stop = context.AfterFunc(t.ctx, func() { t.giveUp(0) })
	driver.Say(log, true, "RRQ "+strings.Join(fields, " "))
	if err := t.begin(req.Timeouts.FirstOctet); err != nil {
		t.close()
		logError(log, err)
		return nil, err
	}
	size := t.size
	if tgt.mode != octet {
		size = -1 // tsize is of the file, not of its netascii form (TF-11)
	}
	return &fetch.Response{URL: req.URL, Size: size, Body: t, RemoteAddr: r.remote}, nil
}

// begin waits for the first block, for at most limit if that is positive.
func (t *transfer) begin(limit time.Duration) error {
	if limit > 0 {
		timer := time.AfterFunc(limit, func() { t.cancel(driver.NewTimeout("the first block")) })
		defer timer.Stop()
	}
	return t.next()
}

// next sends the last packet, and repeats it until the next block has come. The
// times between double.
func (t *transfer) next() error {
	t.copies = 0
	for attempt := range maxRetries + 1 {
		if err := t.send(t.last, t.server); err != nil {
			return err
		}
		deadline := time.Now().Add(t.patient << attempt)
		for {
			p, err := t.receive(deadline)
			if errors.Is(err, os.ErrDeadlineExceeded) {
				break
			}
			if err != nil {
				return err
			}
			request := t.last
			if came, err := t.take(p); came || err != nil {
				return err
			}
			if !bytes.Equal(request, t.last) {
				deadline = time.Now().Add(t.patient << attempt) // the options were acknowledged
			}
		}
	}
	return driver.NewTimeout("the server's next packet")
}

// send sends a packet. An error is ours, or the context's.
func (t *transfer) send(p []byte, to netip.AddrPort) error {
	_, err := t.conn.WriteToUDPAddrPort(p, to)
	if err == nil {
		return nil
	}
	return driver.Interrupted(t.ctx, err)
}

// receive returns the next packet of the server. A packet from elsewhere is
// dropped, and another port of the same address gets an ERROR (RFC 1350 section 4).
// Other addresses are not answered, since the guard has not judged them.
func (t *transfer) receive(deadline time.Time) ([]byte, error) {
	if err := t.conn.SetReadDeadline(deadline); err != nil {
		return nil, driver.Interrupted(t.ctx, err)
	}
	for {
		n, from, err := t.conn.ReadFromUDPAddrPort(t.buf)
		if err != nil {
			return nil, driver.Interrupted(t.ctx, err)
		}
		from = netip.AddrPortFrom(from.Addr().Unmap(), from.Port())
		switch {
		case from.Addr().WithZone("") != t.server.Addr().WithZone(""):
		case t.answered.Load() == nil:
			t.server = from
			t.answered.Store(&from)
			return t.buf[:n], nil
		case from.Port() != t.server.Port():
			t.send(errorPacket(unknownID, ""), from)
		default:
			return t.buf[:n], nil
		}
	}
}

// maxCopies bounds the packets in a row that came before.
const maxCopies = 16

// take judges a packet, and reports whether it is the next block.
func (t *transfer) take(p []byte) (came bool, err error) {
	if len(p) < 2 {
		return false, t.refuse(errPacket)
	}
	rest := p[2:]
	switch op := binary.BigEndian.Uint16(p); op {
	case opData:
		return t.takeData(rest)
	case opOption:
		return false, t.takeOptions(rest)
	case opError:
		e, ok := parseError(rest)
		if !ok {
			return false, t.refuse(errPacket)
		}
		t.end.Do(func() {}) // an ERROR is not acknowledged (RFC 1350 section 5)
		return false, e
	case opRead, opRead + 1, opAck:
		return false, t.again() // of a client, not of a server
	}
	return false, t.refuse(errPacket)
}

// takeData takes a DATA after its opcode. A block that came before is
// acknowledged again (TF-5), others are not the next one.
func (t *transfer) takeData(p []byte) (came bool, err error) {
	if len(p) < 2 {
		return false, t.refuse(errPacket)
	}
	number := binary.BigEndian.Uint16(p)
	data := p[2:]
	if len(data) > t.blockSize {
		return false, t.refuse(errLarge)
	}
	next := t.block + 1
	// QUIRK: some servers count from 65535 on to 1, not to 0 (TF-10).
	if number != next && !(t.block == 65535 && number == 1) {
		if err := t.again(); err != nil || number != t.block || !t.begun {
			return false, err
		}
		return false, t.send(t.last, t.server)
	}
	t.begun = true
	t.block = number
	t.last = ack(number)
	t.whole = len(data) < t.blockSize
	t.data = data
	if t.lines != nil {
		t.text = t.lines.decode(t.text[:0], data, t.whole)
		t.data = t.text
	}
	return true, nil
}

// takeOptions takes an OACK after its opcode. It comes once, before the first block. The
// same again means that our acknowledgment was lost, or, after the first block, that this
// packet was overtaken.
func (t *transfer) takeOptions(p []byte) error {
	if t.oack != nil || t.begun {
		if !bytes.Equal(t.oack, p) {
			return t.refuse(errLate)
		}
		if err := t.again(); err != nil || t.begun {
			return err
		}
		return t.send(t.last, t.server)
	}
	if len(p) == 0 {
		return errNoOptions
	}
	a, err := parseOptions(p, t.options)
	if err != nil {
		t.giveUp(badOptions)
		return protocol(err)
	}
	t.oack = bytes.Clone(p)
	t.blockSize = a.blockSize
	t.size = a.size
	t.last = ack(0)
	if t.size >= 0 {
		driver.Say(t.log, false, "OACK tsize "+strconv.FormatInt(t.size, 10))
	}
	return t.send(t.last, t.server)
}

// again counts a packet that brings nothing.
func (t *transfer) again() error {
	if t.copies++; t.copies > maxCopies {
		return t.refuse(errCopies)
	}
	return nil
}

// refuse ends the transfer, because the server breaks the protocol.
func (t *transfer) refuse(err error) error {
	t.giveUp(illegal)
	return driver.Interrupted(t.ctx, protocol(err))
}

// Read implements [io.Reader].
func (t *transfer) Read(p []byte) (int, error) {
	for len(t.data) == 0 && t.err == nil {
		t.err = t.advance()
	}
	n := copy(p, t.data)
	t.data = t.data[n:]
	if n == 0 && len(p) > 0 {
		return 0, t.err
	}
	return n, nil
}

// advance gets the next block, or acknowledges the last one.
func (t *transfer) advance() error {
	if t.whole {
		t.end.Do(func() {})
		t.send(t.last, t.server) // the file is whole even if this is lost
		return io.EOF
	}
	err := t.next()
	if err == nil {
		return nil
	}
	logError(t.log, err)
	return driver.Interrupted(t.ctx, driver.CutOff(err))
}

// giveUp sends the server an ERROR, unless the transfer is complete, and closes the
// socket.
func (t *transfer) giveUp(code uint16) {
	t.end.Do(func() {
		if server := t.answered.Load(); server != nil {
			t.conn.WriteToUDPAddrPort(errorPacket(code, "the client has ended the transfer"), *server)
		}
	})
	t.conn.Close()
}

func (t *transfer) close() {
	t.stop()
	t.giveUp(0)
	t.cancel(os.ErrClosed)
}

// Close implements [io.Closer]. The server gets an ERROR if it was not done.
func (t *transfer) Close() error {
	t.close()
	t.data = nil
	if t.err == nil {
		t.err = &fetch.Error{Kind: fetch.Local, Err: os.ErrClosed}
	}
	if t.err == io.EOF {
		driver.End(t.log, nil)
	} else {
		driver.End(t.log, t.err)
	}
	return nil
}

// A lineDecoder undoes netascii (RFC 1350 section 1, RFC 764): CR NUL is CR, and
// CR LF a line end, whose two octets may be in two blocks. A CR before anything
// else, which netascii does not have, stays, and so does a LF by itself.
type lineDecoder struct {
	crlf bool // a line end stays CRLF; otherwise it becomes LF
	cr   bool // the last octet was a CR, and has not been given out
}

// decode appends the text of the next octets, which may be the last ones, to dst.
func (l *lineDecoder) decode(dst, p []byte, last bool) []byte {
	for _, c := range p {
		if l.cr {
			l.cr = false
			if c != '\n' || l.crlf {
				dst = append(dst, '\r')
			}
			if c == 0 {
				continue
			}
		}
		if c == '\r' {
			l.cr = true
			continue
		}
		dst = append(dst, c)
	}
	if last && l.cr {
		l.cr = false
		dst = append(dst, '\r')
	}
	return dst
}

// Fetch implements [fetch.Fetcher].
func (f *fetcher) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	t, err := f.target(req)
	if err != nil {
		return nil, err
	}
	if err := driver.Contact(ctx, req, req.URL); err != nil {
		return nil, err
	}
	log := driver.Begin(req, "tftp", req.URL, 0)
	resp, err := f.transfer(ctx, req, t, log)
	if err != nil {
		driver.End(log, err)
		return nil, err
	}
	driver.OfResponse(resp).Exchange = log
	return resp, nil
}

// transfer asks for the file, again if the server needs other options.
func (f *fetcher) transfer(
	ctx context.Context, req *fetch.Request, t *target, log *fetch.Exchange,
) (*fetch.Response, error) {
	driver.Report(req, fetch.Event{Phase: fetch.Connecting, Total: -1})
	r, err := f.route(driver.Observe(ctx, log), req, t)
	if err != nil {
		return nil, err
	}
	if log != nil {
		log.Remote = r.remote
	}
	driver.Report(req, fetch.Event{Phase: fetch.Sending, Total: -1})
	o := rrqOptions{blockSize: f.opts.BlockSize, size: true}
	resp, err := f.attempt(ctx, req, t, r, o, log)
	e, ok := errors.AsType[*serverError](err)
	if ok && e.code == badOptions || errors.Is(err, errNoOptions) {
		resp, err = f.attempt(ctx, req, t, r, rrqOptions{blockSize: defaultBlockSize}, log)
	}
	return resp, err
}
