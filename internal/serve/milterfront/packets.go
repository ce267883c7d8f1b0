package milterfront

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
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
	deadline deadline
	*buffers
	left []byte // what of buf was not read
}

// buffers are what a packets needs, and another one may use again.
type buffers struct {
	r   *bufio.Reader
	buf []byte // the packet, with its length
}

// readSize is how much is read at once: a piece of a body as mail servers send it.
const readSize = 64 << 10

// maxKept bounds the packet for which room is kept.
const maxKept = 128 << 10

var pool = sync.Pool{New: func() any { return &buffers{r: bufio.NewReaderSize(nil, readSize)} }}

// newPackets returns a packets that is to be released.
func newPackets(c net.Conn) *packets {
	p := &packets{deadline: deadline{set: c.SetReadDeadline, time: idle}, buffers: pool.Get().(*buffers)}
	p.r.Reset(c)
	return p
}

// release gives back what p needed, once nobody reads any more.
func (p *packets) release() {
	p.r.Reset(nil)
	if cap(p.buf) <= maxKept {
		pool.Put(p.buffers)
	}
	p.buffers = nil
}

// A deadline is one that is put off by and by, to within a second.
type deadline struct {
	set  func(time.Time) error
	time time.Duration // from now
	last time.Time     // when it was put off
}

// putOff gives another d.time from now.
func (d *deadline) putOff() {
	if now := time.Now(); now.Sub(d.last) >= time.Second {
		d.last = now
		d.set(now.Add(d.time))
	}
}

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
		p.deadline.putOff()
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
