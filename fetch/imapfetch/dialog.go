package imapfetch

import (
	"bufio"
	"errors"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/go-extbody/extbody/fetch"
)

// Limits on what a server may say besides the body.
const (
	maxLine     = 64 << 10
	maxDialogue = 4 << 20
)

var (
	errTooLong = errors.New("a response that is too long")
	errNotIMAP = errors.New("not a response of IMAP")
	errBye     = errors.New("the server ended the session")
)

// A dialog sends commands and reads responses.
type dialog struct {
	conn  net.Conn
	limit time.Duration // for each command to be sent, and each response; 0 or less is no limit
	in    *bufio.Reader
	left  int // octets that may still come besides the body
	tags  int

	say      func(sent bool, line string) // is told of each line
	out, got int64                        // octets, literals apart
}

func newDialog(conn net.Conn, limit time.Duration) *dialog {
	return &dialog{conn: conn, limit: limit, in: bufio.NewReaderSize(conn, 32<<10), left: maxDialogue}
}

// send sends a command and returns its tag.
func (d *dialog) send(command string) (tag string, err error) {
	d.tags++
	tag = "a" + strconv.Itoa(d.tags)
	return tag, d.write(tag + " " + command)
}

// write sends a line. A line that would be several is an error here too,
// whatever was checked before (IM-18).
func (d *dialog) write(line string) error {
	if strings.ContainsAny(line, "\r\n\x00") {
		return fault(fetch.Malformed, errInject)
	}
	d.conn.SetWriteDeadline(d.deadline())
	d.out += int64(len(line)) + 2
	d.say(true, line)
	_, err := io.WriteString(d.conn, line+"\r\n")
	return lost(err)
}

// line reads a line without its end.
func (d *dialog) line() (string, error) {
	d.conn.SetReadDeadline(d.deadline())
	var line []byte
	for {
		part, err := d.in.ReadSlice('\n')
		if d.left -= len(part); d.left < 0 || len(line)+len(part) > maxLine {
			return "", fault(fetch.Protocol, errTooLong)
		}
		line = append(line, part...)
		if err == nil {
			d.got += int64(len(line))
			text := strings.TrimSuffix(string(line[:len(line)-1]), "\r")
			d.say(false, text)
			return text, nil
		}
		if err != bufio.ErrBufferFull {
			return "", lost(err)
		}
	}
}

// cutLiteral splits a line that announces a literal into what is before it and
// the size (RFC 3501 section 4.3, RFC 3516 section 4.4).
func cutLiteral(line string) (before string, size int64, ok bool) {
	digits, ok := strings.CutSuffix(line, "}")
	i := strings.LastIndexByte(digits, '{')
	if !ok || i < 0 {
		return line, 0, false
	}
	n, err := strconv.ParseUint(strings.TrimSuffix(digits[i+1:], "+"), 10, 63)
	if err != nil {
		return line, 0, false
	}
	return strings.TrimSuffix(digits[:i], "~"), int64(n), true
}

// wait reads responses up to the one with the tag and returns its status. Each
// other is given to handle, which reports whether it has dealt with it and with
// all literals in it; what it has not is skipped. A response that goes on
// behind a skipped literal is given to handle again, with "{}" for the literal.
func (d *dialog) wait(tag string, handle func(line string) (bool, error)) (status, error) {
	for {
		line, err := d.line()
		if err != nil {
			return status{}, err
		}
		if text, ok := strings.CutPrefix(line, tag+" "); ok {
			return parseStatus(text)
		}
		if err := d.untagged(line, handle); err != nil {
			return status{}, err
		}
	}
}

// untagged deals with a response that is not the one waited for.
func (d *dialog) untagged(line string, handle func(string) (bool, error)) error {
	for {
		if handle != nil {
			if done, err := handle(line); done || err != nil {
				return err
			}
		}
		if !strings.HasPrefix(line, "* ") {
			return fault(fetch.Protocol, errNotIMAP)
		}
		if hasPrefixFold(line, "* BYE") {
			return fault(fetch.Unavailable, errBye)
		}
		before, size, ok := cutLiteral(line)
		if !ok || isText(line) {
			return nil
		}
		if err := d.skip(size); err != nil {
			return err
		}
		rest, err := d.line()
		if err != nil {
			return err
		}
		if line = before + "{}" + rest; len(line) > maxLine {
			return fault(fetch.Protocol, errTooLong)
		}
	}
}

// isText reports whether a response ends in text for people, in which braces
// announce nothing.
func isText(line string) bool {
	return hasPrefixFold(line, "* OK ") || hasPrefixFold(line, "* NO ") || hasPrefixFold(line, "* BAD ")
}

// skip reads n octets of a literal that nobody wants.
func (d *dialog) skip(n int64) error {
	if n > int64(d.left) {
		return fault(fetch.Protocol, errTooLong)
	}
	d.left -= int(n)
	_, err := d.in.Discard(int(n))
	return lost(err)
}

func (d *dialog) deadline() time.Time {
	if d.limit <= 0 {
		return time.Time{}
	}
	return time.Now().Add(d.limit)
}

// lost gives an error of the connection its Kind.
func lost(err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return fetch.NewTimeout("a response of the server")
	}
	kind := fetch.KindOf(err)
	switch {
	case err == io.EOF:
		kind, err = fetch.Unavailable, io.ErrUnexpectedEOF
	case kind == fetch.Truncated:
		kind = fetch.Unavailable
	}
	return fault(kind, err)
}

// hasPrefixFold is strings.HasPrefix without regard to case.
func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}
