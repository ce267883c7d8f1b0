// Package clamd asks the ClamAV daemon whether octets hold malware.
//
// It sends the commands INSTREAM and VERSION, over TCP or a Unix socket, one on each
// connection. Only the exact answer "stream: OK" means that nothing was found. If the
// daemon is down, hangs, refuses or gives any other answer, that is an error.
package clamd

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"

	"github.com/go-extbody/extbody/fetch"
)

// A Client asks the daemon at one address. Several goroutines may use it at once.
type Client struct {
	network, address string
}

// New returns a Client for an address: "host:port", or the path of a Unix socket,
// which starts with a slash. New does not connect.
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
	excess = "INSTREAM size limit exceeded. ERROR" // more octets than StreamMaxLength
)

// ErrAnswer is the error of an answer that is neither a clear yes nor a clear no.
var ErrAnswer = errors.New("clamd: no clear answer")

// Scan sends r until its end, and returns the name of the malware that the daemon found in
// it, or "" if it found none. Scan ends when ctx does. An error of r is returned as it is.
// If r has more octets than the daemon takes, the error is a [fetch.Error] of Kind
// TooLarge.
func (c *Client) Scan(ctx context.Context, r io.Reader) (signature string, err error) {
	conn, done, err := c.dial(ctx)
	if err != nil {
		return "", err
	}
	defer done()
	readErr, sendErr := send(conn, r)
	if readErr != nil {
		return "", readErr
	}
	// A daemon that does not take so many octets answers and closes the connection.
	// Its answer may be there although a write failed.
	answer, err := read(conn)
	if err != nil {
		return "", errors.Join(sendErr, err)
	}
	if sendErr != nil && answer != excess {
		return "", fmt.Errorf("%w: %.200q", ErrAnswer, answer)
	}
	return judge(answer)
}

// judge returns the result of Scan for an answer.
func judge(answer string) (signature string, err error) {
	switch answer {
	case clean:
		return "", nil
	case excess:
		return "", &fetch.Error{Op: "scan", Kind: fetch.TooLarge, Err: fmt.Errorf("clamd: %s", answer)}
	}
	name, ok := strings.CutSuffix(answer, found)
	name, also := strings.CutPrefix(name, prefix)
	if !ok || !also || strings.TrimSpace(name) == "" {
		return "", fmt.Errorf("%w: %.200q", ErrAnswer, answer)
	}
	return name, nil
}

// Version returns the versions of the daemon and its signatures, as the daemon writes
// them.
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
	if err != nil || strings.HasPrefix(answer, "ClamAV ") {
		return answer, err
	}
	return "", fmt.Errorf("%w: %.200q", ErrAnswer, answer)
}

// dial connects. The end of ctx interrupts the connection, and done closes it.
func (c *Client) dial(ctx context.Context) (conn net.Conn, done func(), err error) {
	d := net.Dialer{Timeout: dialTimeout}
	conn, err = d.DialContext(ctx, c.network, c.address)
	if err != nil {
		return nil, nil, err
	}
	stop := context.AfterFunc(ctx, func() { conn.SetDeadline(time.Unix(1, 0)) })
	return conn, func() { stop(); conn.Close() }, nil
}

// send writes the command INSTREAM: chunks, each after its length, and an empty chunk at
// the end. readErr is an error of r.
func send(conn io.Writer, r io.Reader) (readErr, err error) {
	if _, err := io.WriteString(conn, "zINSTREAM\x00"); err != nil {
		return nil, err
	}
	buf := make([]byte, 4+chunkBytes)
	for {
		n, err := r.Read(buf[4:])
		if err != nil && err != io.EOF {
			return err, nil
		}
		if n > 0 {
			binary.BigEndian.PutUint32(buf, uint32(n))
			if _, err := conn.Write(buf[:4+n]); err != nil {
				return nil, err
			}
		}
		if err == io.EOF {
			_, err := conn.Write([]byte{0, 0, 0, 0})
			return nil, err
		}
	}
}

// read reads one answer, which a NUL ends. The daemon may keep the connection open. Octets
// that come with the answer after its NUL make it unclear.
func read(conn io.Reader) (string, error) {
	r := bufio.NewReaderSize(conn, maxAnswer)
	text, err := r.ReadSlice(0)
	switch {
	case err == io.EOF, err == bufio.ErrBufferFull:
		return "", fmt.Errorf("%w: %.200q has no end", ErrAnswer, text)
	case err != nil:
		return "", err
	case r.Buffered() > 0:
		return "", fmt.Errorf("%w: more than one", ErrAnswer)
	}
	return string(text[:len(text)-1]), nil
}
