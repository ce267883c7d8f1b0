// Package wire speaks IMAP with a server, as far as all clients do it in the same
// way: lines, literals and their limits, the greeting, capabilities, STARTTLS, the
// login, the end of commands, and the names of mailboxes (RFC 3501, RFC 9051).
//
// Each client has its own commands, and its own use of the answers.
//
// # Errors
//
// An error is one of six kinds, matched with [errors.Is]: [ErrUnavailable],
// [ErrUntrusted], [ErrCredentials], [ErrNotFound], [ErrForbidden] and [ErrProtocol].
// Each caller has a table that maps them to its own terms. No error contains text of
// the server, which may be anything.
//
// # Limits
//
// Commands have no literals. Nothing with a line break or NUL in it is sent, whatever
// was checked before. The package does not decide by itself to send a password or
// token: the caller calls [Conn.Begin] with the decision.
package wire

import (
	"bufio"
	"bytes"
	"cmp"
	"io"
	"net"
	"strconv"
	"strings"
	"time"
)

// MaxResponse bounds a response with the literals in it. The BODYSTRUCTURE of ten
// thousand parts has about one MiB.
const MaxResponse = 4 << 20

// Options adjust a Conn.
type Options struct {
	// Time is how long sending a command may take, and waiting for a line. 0 or less means
	// no limit, for a connection that sets deadlines itself.
	Time time.Duration

	// MaxLine is the most octets of a line; 0 is MaxResponse.
	MaxLine int

	// MaxDialogue is the most octets that may come in all, apart from those that
	// Conn.Read reads; 0 means no limit.
	MaxDialogue int64

	// Say, if set, is called with each line without its end. Lines contain credentials.
	// The octets of Conn.Read are left out.
	Say func(sent bool, line string)

	// Sending, if set, is called before n commands are sent. If it returns an error,
	// they are not sent, and that is the error of sending.
	Sending func(n int) error
}

// A Conn is a connection to a server, on which commands are sent and responses are
// read. Several goroutines must not call its methods concurrently, except Abort.
type Conn struct {
	// Caps are the capabilities, in capitals, after Capability.
	Caps map[string]bool

	// Broken reports that the connection cannot be used any more.
	Broken bool

	// Sent and Received count octets, apart from those that Read reads.
	Sent, Received int64

	raw     net.Conn
	rw      net.Conn // raw, or TLS on it
	private bool     // rw is TLS
	in      *bufio.Reader
	opts    Options
	tags    int
	buf     []byte // the last response
}

// New returns a Conn on a connection.
func New(conn net.Conn, opts Options) *Conn {
	opts.MaxLine = cmp.Or(opts.MaxLine, MaxResponse)
	c := &Conn{raw: conn, opts: opts}
	c.use(conn)
	return c
}

func (c *Conn) use(conn net.Conn) {
	c.rw = conn
	c.in = bufio.NewReaderSize(conn, 64<<10)
}

// Abort closes the connection. Another goroutine may call it to interrupt a method that
// waits for the server.
func (c *Conn) Abort() { c.raw.Close() }

// logoutTime bounds the farewell. Its answer is not waited for.
const logoutTime = 100 * time.Millisecond

// LogOut sends LOGOUT if that is possible at once, and closes the connection.
func (c *Conn) LogOut() {
	stop := time.AfterFunc(logoutTime, c.Abort)
	defer stop.Stop()
	c.opts.Time = logoutTime
	c.Send("LOGOUT")
	c.Abort()
}

// Send sends commands, all of them at once, and returns the tag of the last.
func (c *Conn) Send(commands ...string) (tag string, err error) {
	if c.opts.Sending != nil {
		if err := c.opts.Sending(len(commands)); err != nil {
			return "", err
		}
	}
	lines := make([]string, len(commands))
	for i, command := range commands {
		c.tags++
		tag = "a" + strconv.Itoa(c.tags)
		lines[i] = tag + " " + command
	}
	return tag, c.Write(lines...)
}

// Write sends lines. A text that contains a line end is an error, whatever was checked
// before (RFC 3501 section 9).
func (c *Conn) Write(lines ...string) error {
	var b strings.Builder
	for _, line := range lines {
		if strings.ContainsAny(line, "\r\n\x00") {
			return NewFault(ErrProtocol, ErrInject)
		}
		b.WriteString(line + "\r\n")
	}
	if c.opts.Say != nil {
		for _, line := range lines {
			c.opts.Say(true, line)
		}
	}
	if c.opts.Time > 0 {
		c.raw.SetWriteDeadline(time.Now().Add(c.opts.Time))
	}
	c.Sent += int64(b.Len())
	_, err := io.WriteString(c.rw, b.String())
	return ioFault(err)
}

// Literal sends the octets of a literal that a command has announced, and the end of its line.
func (c *Conn) Literal(r io.Reader) error {
	buf := make([]byte, 64<<10)
	for {
		n, err := r.Read(buf)
		if n > 0 {
			if c.opts.Time > 0 {
				c.raw.SetWriteDeadline(time.Now().Add(c.opts.Time))
			}
			c.Sent += int64(n)
			if _, err := c.rw.Write(buf[:n]); err != nil {
				return ioFault(err)
			}
		}
		if err == io.EOF {
			return c.Write("")
		}
		if err != nil {
			return err
		}
	}
}

// Line reads a line without its end. It is valid until the next call of a method
// that reads.
func (c *Conn) Line() ([]byte, error) {
	c.buf = c.buf[:0]
	if err := c.line(); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(c.buf[:len(c.buf)-1], []byte("\r")), nil
}

// line appends a line with its end to buf.
func (c *Conn) line() error {
	if c.opts.Time > 0 {
		c.raw.SetReadDeadline(time.Now().Add(c.opts.Time))
	}
	start := len(c.buf)
	for {
		part, err := c.in.ReadSlice('\n')
		if len(c.buf)-start+len(part) > c.opts.MaxLine || len(c.buf)+len(part) > MaxResponse {
			return NewFault(ErrProtocol, ErrTooLong)
		}
		if err := c.count(len(part)); err != nil {
			return err
		}
		c.buf = append(c.buf, part...)
		if err == nil {
			break
		}
		if err != bufio.ErrBufferFull {
			return ioFault(err)
		}
	}
	if c.opts.Say != nil {
		c.opts.Say(false, string(bytes.TrimRight(c.buf[start:], "\r\n")))
	}
	return nil
}

// count counts n octets that came.
func (c *Conn) count(n int) error {
	c.Received += int64(n)
	if c.opts.MaxDialogue > 0 && c.Received > c.opts.MaxDialogue {
		return NewFault(ErrProtocol, ErrTooLong)
	}
	return nil
}

// Response reads a response, including its literals as they came, without its end. It
// is valid until the next call of a method that reads.
func (c *Conn) Response() ([]byte, error) {
	c.buf = c.buf[:0]
	for {
		start := len(c.buf)
		if err := c.line(); err != nil {
			return nil, err
		}
		_, size, ok := CutLiteral(bytes.TrimRight(c.buf[start:], "\r\n"))
		if !ok || !HasData(c.buf) {
			return bytes.TrimSuffix(c.buf[:len(c.buf)-1], []byte("\r")), nil
		}
		if size > int64(MaxResponse-len(c.buf)) {
			return nil, NewFault(ErrProtocol, ErrTooLong)
		}
		if err := c.count(int(size)); err != nil {
			return nil, err
		}
		at := len(c.buf)
		c.buf = append(c.buf, make([]byte, size)...)
		if _, err := io.ReadFull(c.in, c.buf[at:]); err != nil {
			return nil, ioFault(err)
		}
	}
}

// Read reads octets of a literal. It waits for them as long as the connection does. Its
// errors are the errors of the connection.
func (c *Conn) Read(p []byte) (int, error) {
	if c.opts.Time > 0 {
		c.raw.SetReadDeadline(time.Time{})
	}
	return c.in.Read(p)
}

// Skip reads n octets of a literal and drops them.
func (c *Conn) Skip(n int64) error {
	if n > MaxResponse {
		return NewFault(ErrProtocol, ErrTooLong)
	}
	if err := c.count(int(n)); err != nil {
		return err
	}
	_, err := c.in.Discard(int(n))
	return ioFault(err)
}

// CutLiteral splits a line that announces a literal at its end into the text before the
// announcement and the size (RFC 3501 section 4.3, RFC 3516 section 4.4).
func CutLiteral(line []byte) (before []byte, size int64, ok bool) {
	digits, ok := bytes.CutSuffix(line, []byte("}"))
	i := bytes.LastIndexByte(digits, '{')
	if !ok || i < 0 {
		return line, 0, false
	}
	n, err := strconv.ParseUint(string(bytes.TrimSuffix(digits[i+1:], []byte("+"))), 10, 63)
	if err != nil {
		return line, 0, false
	}
	return bytes.TrimSuffix(digits[:i], []byte("~")), int64(n), true
}

// HasData reports whether a response may contain literals. It does not if it ends in
// text for people, where braces announce nothing.
func HasData(response []byte) bool {
	rest, ok := bytes.CutPrefix(response, []byte("* "))
	if !ok {
		return false
	}
	if i := bytes.IndexAny(rest, " \r\n"); i >= 0 {
		rest = rest[:i]
	}
	switch strings.ToUpper(string(rest)) {
	case "OK", "NO", "BAD", "BYE", "PREAUTH":
		return false
	}
	return true
}

// HasPrefixFold is strings.HasPrefix without regard to case.
func HasPrefixFold[T string | []byte](s T, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(string(s[:len(prefix)]), prefix)
}
