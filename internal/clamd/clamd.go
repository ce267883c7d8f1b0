// Package clamd asks the ClamAV daemon whether octets hold malware.
//
// It sends the commands INSTREAM and VERSION, over TCP or a Unix socket, one to a
// connection. Only the exact answer "stream: OK" means that nothing was found. A daemon
// that is down, hangs, refuses or says anything else is an error.
package clamd

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"
)

// A Client asks the daemon at one address. Several goroutines may use it at once.
type Client struct {
	network, address string
}

// New returns a Client for an address: "host:port", or the path of a Unix socket,
// which begins with a slash. It contacts nobody.
func New(address string) (*Client, error) {
	if strings.HasPrefix(address, "/") {
		return &Client{"unix", address}, nil
	}
	if _, _, err := net.SplitHostPort(address); err != nil {
		return nil, fmt.Errorf("clamd: %q: want host:port or the path of a socket", address)
	}
	return &Client{"tcp", address}, nil
}

const (
	chunkBytes  = 64 << 10
	maxAnswer   = 4096 // octets; anything longer is not an answer
	dialTimeout = 5 * time.Second
)

// The daemon's answers.
const (
	clean  = "stream: OK"
	prefix = "stream: "
	found  = " FOUND"
)

// ErrAnswer is the error of an answer that is neither a clear yes nor a clear no.
var ErrAnswer = errors.New("clamd: no clear answer")

// Scan sends r to its end and returns the name of what the daemon found in it. The name
// is "" if the daemon says that there is nothing. Scan ends when ctx does.
func (c *Client) Scan(ctx context.Context, r io.Reader) (signature string, err error) {
	conn, done, err := c.dial(ctx)
	if err != nil {
		return "", err
	}
	defer done()
	sendErr := send(conn, r)
	if e, ok := errors.AsType[*sourceError](sendErr); ok {
		return "", e.err
	}
	// A daemon that has had enough says so and closes. Its answer may be there although
	// the write failed.
	answer, err := read(conn)
	if err != nil {
		return "", errors.Join(sendErr, err)
	}
	if sendErr != nil {
		return "", fmt.Errorf("%w: %.200q", ErrAnswer, answer)
	}
	return judge(answer)
}

// judge returns what an answer means.
func judge(answer string) (signature string, err error) {
	if answer == clean {
		return "", nil
	}
	name, ok := strings.CutSuffix(answer, found)
	name, also := strings.CutPrefix(name, prefix)
	if !ok || !also || strings.TrimSpace(name) == "" {
		return "", fmt.Errorf("%w: %.200q", ErrAnswer, answer)
	}
	return name, nil
}

// Version returns what the daemon says of itself and its signatures.
func (c *Client) Version(ctx context.Context) (string, error) {
	conn, done, err := c.dial(ctx)
	if err != nil {
		return "", err
	}
	defer done()
	if _, err := io.WriteString(conn, "zVERSION\x00"); err != nil {
		return "", err
	}
	answer, err := read(conn)
	if err == nil && !strings.HasPrefix(answer, "ClamAV ") {
		err = fmt.Errorf("%w: %.200q", ErrAnswer, answer)
	}
	if err != nil {
		return "", err
	}
	return answer, nil
}

// dial connects. done closes the connection, which the end of ctx interrupts.
func (c *Client) dial(ctx context.Context) (conn net.Conn, done func(), err error) {
	d := net.Dialer{Timeout: dialTimeout}
	conn, err = d.DialContext(ctx, c.network, c.address)
	if err != nil {
		return nil, nil, err
	}
	stop := context.AfterFunc(ctx, func() { conn.SetDeadline(time.Unix(1, 0)) })
	return conn, func() { stop(); conn.Close() }, nil
}

// A sourceError is an error of what is to be scanned.
type sourceError struct{ err error }

func (e *sourceError) Error() string { return e.err.Error() }

// send writes the command, each chunk after its length, and the empty chunk that ends
// them.
func send(conn io.Writer, r io.Reader) error {
	if _, err := io.WriteString(conn, "zINSTREAM\x00"); err != nil {
		return err
	}
	buf := make([]byte, 4+chunkBytes)
	for {
		n, err := r.Read(buf[4:])
		if err != nil && err != io.EOF {
			return &sourceError{err}
		}
		if n > 0 {
			binary.BigEndian.PutUint32(buf, uint32(n))
			if _, err := conn.Write(buf[:4+n]); err != nil {
				return err
			}
		}
		if err == io.EOF {
			_, err := conn.Write([]byte{0, 0, 0, 0})
			return err
		}
	}
}

// read reads an answer, which ends with a NUL.
func read(conn io.Reader) (string, error) {
	text, err := io.ReadAll(io.LimitReader(conn, maxAnswer))
	if i := bytes.IndexByte(text, 0); i >= 0 {
		if i+1 != len(text) {
			return "", fmt.Errorf("%w: more than one", ErrAnswer)
		}
		return string(text[:i]), nil
	}
	if err != nil {
		return "", err
	}
	return "", fmt.Errorf("%w: %.200q has no end", ErrAnswer, text)
}
