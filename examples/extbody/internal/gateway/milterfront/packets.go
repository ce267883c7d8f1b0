package milterfront

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"sync/atomic"
	"time"
)

// errPacket is the error of a peer that does not speak the milter protocol.
var errPacket = errors.New("milter: not a packet of the protocol")

// A packets reads packets from a connection.
type packets struct {
	conn  net.Conn
	r     *bufio.Reader
	buf   []byte        // the packet
	all   *atomic.Int64 // octets of large packets in memory
	large int64         // its part of all
}

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

// newPackets returns a packets. shrink must be called at its end.
func newPackets(c net.Conn, large *atomic.Int64) *packets {
	return &packets{conn: c, all: large, r: bufio.NewReaderSize(c, readSize)}
}

// shrink lets a large buffer go.
func (p *packets) shrink() {
	if p.large > 0 {
		p.buf = nil
	}
	p.all.Add(-p.large)
	p.large = 0
}

// next reads a packet: a command and its data, which are valid until the next call.
func (p *packets) next() (code byte, data []byte, err error) {
	if p.r.Buffered() < 4 {
		p.conn.SetReadDeadline(time.Now().Add(idle))
	}
	var length [4]byte
	if _, err := io.ReadFull(p.r, length[:]); err != nil {
		return 0, nil, err
	}
	announced := binary.BigEndian.Uint32(length[:])
	if announced == 0 || announced > maxPacket {
		return 0, nil, errPacket
	}
	n := int(announced)
	p.shrink()
	if n > usualPacket {
		p.large = int64(n)
		if p.all.Add(int64(n)) > maxLarge {
			return 0, nil, errPacket
		}
	}
	if cap(p.buf) < n {
		p.buf = make([]byte, n)
	}
	p.buf = p.buf[:n]
	if p.r.Buffered() < n {
		p.conn.SetReadDeadline(time.Now().Add(packetTime))
	}
	_, err = io.ReadFull(p.r, p.buf)
	return p.buf[0], p.buf[1:], err
}
