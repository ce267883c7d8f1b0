package milterfront

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"time"
)

// maxPacket bounds a packet: what mail servers send is a header field or 64 KiB of a
// body.
const maxPacket = 1 << 20

// errPacket is the error of what is no milter protocol.
var errPacket = errors.New("milter: not a packet of the protocol")

// A packets reads a connection by whole packets, and gives those that the library
// can read: it makes room for any length that is announced, and looks for what is to
// be in a packet without asking whether that is there.
type packets struct {
	conn net.Conn
	r    *bufio.Reader
	buf  []byte // the packet, with its length
	left []byte // what of buf was not read
}

func newPackets(c net.Conn) *packets { return &packets{conn: c, r: bufio.NewReaderSize(c, 64<<10)} }

// Read implements io.Reader.
func (p *packets) Read(b []byte) (int, error) {
	if len(p.left) == 0 {
		if err := p.next(); err != nil {
			return 0, err
		}
	}
	n := copy(b, p.left)
	p.left = p.left[n:]
	return n, nil
}

// next reads a packet.
func (p *packets) next() error {
	if p.r.Buffered() < 4 {
		p.conn.SetReadDeadline(time.Now().Add(idle))
	}
	var length [4]byte
	if _, err := io.ReadFull(p.r, length[:]); err != nil {
		return err
	}
	n := binary.BigEndian.Uint32(length[:])
	if n == 0 || n > maxPacket {
		return fmt.Errorf("%w: %d octets", errPacket, n)
	}
	if cap(p.buf) < int(4+n) {
		p.buf = make([]byte, 4+n)
	}
	p.buf = p.buf[:4+n]
	copy(p.buf, length[:])
	if _, err := io.ReadFull(p.r, p.buf[4:]); err != nil {
		return err
	}
	if !readable(p.buf[4], p.buf[5:]) {
		return fmt.Errorf("%w: a command %q with %d octets", errPacket, p.buf[4], n-1)
	}
	p.left = p.buf
	return nil
}

// readable reports whether a packet has what its command needs.
func readable(command byte, data []byte) bool {
	switch command {
	case 'D': // macros: the command that they are for
		return len(data) > 0
	case 'C': // a connection: a name that a NUL ends, and a family of addresses
		i := bytes.IndexByte(data, 0)
		return i >= 0 && i+1 < len(data)
	}
	return true
}
