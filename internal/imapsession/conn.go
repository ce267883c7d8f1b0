package imapsession

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"time"
)

// maxResponse bounds a response with the literals in it. The BODYSTRUCTURE of
// ten thousand parts has about one MiB.
const maxResponse = 4 << 20

var (
	errTooLong = errors.New("a response that is too long")
	errNotIMAP = errors.New("not a response of IMAP")
	errBye     = errors.New("the server ended the session")
	errIdle    = errors.New("the server was silent for too long")
	errInject  = errors.New("a line break or NUL in what is to be sent")
)

// An idleConn puts a deadline on each Read and on each Write, so that what
// flows is not interrupted however long it takes.
// What it costs is counted.
type idleConn struct {
	net.Conn
	idle   time.Duration
	budget *budget
}

func (c *idleConn) Read(p []byte) (int, error) {
	return c.within(c.SetReadDeadline, func() (int, error) {
		n, err := c.Conn.Read(p)
		c.budget.received(n)
		return n, err
	})
}

func (c *idleConn) Write(p []byte) (int, error) {
	return c.within(c.SetWriteDeadline, func() (int, error) { return c.Conn.Write(p) })
}

// within does what may not take longer than there is time for.
func (c *idleConn) within(set func(time.Time) error, do func() (int, error)) (int, error) {
	if err := c.budget.spent(); err != nil {
		return 0, err
	}
	began := time.Now()
	set(began.Add(min(c.idle, c.budget.left())))
	n, err := do()
	c.budget.wait(time.Since(began))
	if errors.Is(err, os.ErrDeadlineExceeded) && c.budget.spent() != nil {
		err = c.budget.spent()
	}
	return n, err
}

// A conn is a connection to a server, on which commands are sent and responses
// read.
type conn struct {
	raw     *idleConn
	rw      net.Conn // raw, or TLS on it
	in      *bufio.Reader
	buf     []byte // the last response
	tags    int
	private bool // in TLS
	broken  bool // nothing more can be said on it
	caps    map[string]bool
}

func newConn(raw net.Conn, idle time.Duration, b *budget) *conn {
	c := &conn{raw: &idleConn{raw, idle, b}}
	c.use(c.raw)
	return c
}

func (c *conn) use(rw net.Conn) {
	c.rw = rw
	c.in = bufio.NewReaderSize(rw, 64<<10)
}

// abort closes the connection; it may be called by another goroutine.
func (c *conn) abort() { c.raw.Close() }

// logoutTime bounds the farewell, whose answer nobody waits for.
const logoutTime = 100 * time.Millisecond

func (c *conn) logOut() {
	c.raw.idle = logoutTime
	c.send("LOGOUT")
}

// send sends commands, all of them at once.
func (c *conn) send(commands ...string) error {
	if err := c.raw.budget.command(len(commands)); err != nil {
		return err
	}
	var b strings.Builder
	for _, command := range commands {
		// Whatever was checked before (RFC 3501 section 9).
		if strings.ContainsAny(command, "\r\n\x00") {
			return newFault(ErrProtocol, errInject)
		}
		c.tags++
		b.WriteString("a" + strconv.Itoa(c.tags) + " " + command + "\r\n")
	}
	return c.write(b.String())
}

func (c *conn) write(text string) error {
	_, err := io.WriteString(c.rw, text)
	return ioFault(err)
}

// response reads a response with the literals in it, which stand in it as they
// came. Its end is cut off. It is valid until the next call.
func (c *conn) response() ([]byte, error) {
	c.buf = c.buf[:0]
	for {
		start := len(c.buf)
		if err := c.line(); err != nil {
			return nil, err
		}
		n, ok := literalSize(c.buf[start:])
		if !ok || !hasData(c.buf) {
			return bytes.TrimSuffix(c.buf[:len(c.buf)-1], []byte("\r")), nil
		}
		if n > maxResponse-len(c.buf) {
			return nil, newFault(ErrProtocol, errTooLong)
		}
		at := len(c.buf)
		c.buf = append(c.buf, make([]byte, n)...)
		if _, err := io.ReadFull(c.in, c.buf[at:]); err != nil {
			return nil, ioFault(err)
		}
	}
}

// line appends a line to the response.
func (c *conn) line() error {
	for {
		part, err := c.in.ReadSlice('\n')
		if len(c.buf)+len(part) > maxResponse {
			return newFault(ErrProtocol, errTooLong)
		}
		c.buf = append(c.buf, part...)
		if err != bufio.ErrBufferFull {
			return ioFault(err)
		}
	}
}

// literalSize returns the size of the literal that a line announces at its end
// (RFC 3501 section 4.3).
func literalSize(line []byte) (int, bool) {
	line, ok := bytes.CutSuffix(bytes.TrimRight(line, "\r\n"), []byte("}"))
	i := bytes.LastIndexByte(line, '{')
	if !ok || i < 0 {
		return 0, false
	}
	n, err := strconv.ParseUint(string(bytes.TrimSuffix(line[i+1:], []byte("+"))), 10, 63)
	if err != nil {
		return 0, false
	}
	return int(min(n, maxResponse+1)), true
}

// hasData reports whether a response is one in which literals may be, and does
// not end in text for people, in which braces announce nothing.
func hasData(response []byte) bool {
	rest, ok := bytes.CutPrefix(response, []byte("* "))
	if !ok {
		return false
	}
	word, _, _ := bytes.Cut(rest, []byte(" "))
	switch strings.ToUpper(string(word)) {
	case "OK", "NO", "BAD", "BYE", "PREAUTH":
		return false
	}
	return true
}

// exchange sends commands and reads responses until all of them are done. Each
// untagged response is given to handle, and so is a "+". It returns the error
// of the last command that the server refused, and another one if the
// connection cannot be used any more.
func (c *conn) exchange(handle func([]byte) error, commands ...string) (refused, err error) {
	defer func() { c.broken = c.broken || err != nil }()
	first := c.tags + 1
	if err := c.send(commands...); err != nil {
		return nil, err
	}
	for left := len(commands); left > 0; {
		line, err := c.response()
		if err != nil {
			return nil, err
		}
		if hasPrefixFold(line, "* ") || hasPrefixFold(line, "+") {
			if hasPrefixFold(line, "* BYE") {
				return nil, newFault(ErrUnavailable, errBye)
			}
			if err := handle(line); err != nil {
				return nil, err
			}
			continue
		}
		tag, text, _ := strings.Cut(string(line), " ")
		n, err := strconv.Atoi(strings.TrimPrefix(tag, "a"))
		if err != nil || n < first || n > c.tags {
			return nil, newFault(ErrProtocol, errNotIMAP)
		}
		st, err := parseStatus(text)
		if err != nil {
			return nil, err
		}
		if st.result != "OK" {
			refused = st
		}
		left--
	}
	return refused, nil
}

// command is exchange of one command, for which a refusal is an error of that
// kind.
func (c *conn) command(kind error, handle func([]byte) error, command string) error {
	refused, err := c.exchange(handle, command)
	if err != nil {
		return err
	}
	if refused == nil {
		return nil
	}
	if st, ok := refused.(*status); ok && st.transient() {
		kind = ErrUnavailable
	}
	return newFault(kind, refused)
}

func ignore([]byte) error { return nil }

// ioFault gives an error of the connection its kind.
func ioFault(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, ErrBudget):
		return err
	case errors.Is(err, os.ErrDeadlineExceeded):
		err = errIdle
	case err == io.EOF:
		err = io.ErrUnexpectedEOF
	}
	return newFault(ErrUnavailable, err)
}

// hasPrefixFold is bytes.HasPrefix without regard to case.
func hasPrefixFold(b []byte, prefix string) bool {
	return len(b) >= len(prefix) && strings.EqualFold(string(b[:len(prefix)]), prefix)
}
