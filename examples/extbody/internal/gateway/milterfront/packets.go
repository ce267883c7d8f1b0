package milterfront

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"sync/atomic"
	"time"
)

// maxPacket bounds a packet. The largest that mail servers send are a header field and
// 64 KiB of a body.
const maxPacket = 1 << 20

// errPacket is the error of a peer that does not speak the milter protocol.
var errPacket = errors.New("milter: not a packet of the protocol")

// A packets reads whole packets from a connection, and gives on only those that the
// library can read safely. The library alone would allocate any length that a packet
// announces, and would look for fields of a packet without checking that they are there.
type packets struct {
	conn    net.Conn
	r       *bufio.Reader
	buf     []byte        // the packet, with its length
	left    []byte        // the rest of buf, to be read
	all     *atomic.Int64 // octets of large packets in memory
	large   int64         // its part of all
	offered uint32        // the actions that the mail server offered

	// field is called for each field of a header, which is not given on.
	field func(name, value string) error
}

const (
	// readSize is how much is read at once of small packets. Larger ones are read
	// without a copy.
	readSize = 4 << 10

	// usualPacket is the largest packet that is not counted for maxLarge: 64 KiB of a
	// body.
	usualPacket = 64<<10 + 8

	// maxLarge bounds the octets of all larger packets in memory.
	maxLarge = 32 << 20

	// packetTime bounds the time for a packet after its length.
	packetTime = time.Minute

	// optionBytes is the length of the packet with which a mail server begins, and of
	// the answer to it: a length, a command and three numbers.
	optionBytes = 17
)

// newPackets returns a packets. shrink must be called at its end.
func newPackets(c net.Conn, large *atomic.Int64) *packets {
	return &packets{conn: c, offered: math.MaxUint32, all: large, r: bufio.NewReaderSize(c, readSize)}
}

// shrink lets a large buffer go.
func (p *packets) shrink() {
	if p.large > 0 {
		p.buf = nil
	}
	p.all.Add(-p.large)
	p.large = 0
}

// Read implements io.Reader.
func (p *packets) Read(b []byte) (int, error) {
	for len(p.left) == 0 {
		if err := p.next(); err != nil {
			return 0, err
		}
	}
	n := copy(b, p.left)
	p.left = p.left[n:]
	return n, nil
}

// next reads a packet, and gives on any other than a field of a header.
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
	p.shrink()
	if n > usualPacket {
		p.large = int64(n)
		if p.all.Add(int64(n)) > maxLarge {
			return fmt.Errorf("%w: no room for %d octets", errPacket, n)
		}
	}
	if cap(p.buf) < int(4+n) {
		p.buf = make([]byte, 4+n)
	}
	p.buf = p.buf[:4+n]
	copy(p.buf, length[:])
	if p.r.Buffered() < int(n) {
		p.conn.SetReadDeadline(time.Now().Add(packetTime))
	}
	if _, err := io.ReadFull(p.r, p.buf[4:]); err != nil {
		return err
	}
	if p.buf[4] == 'O' && len(p.buf) == optionBytes {
		p.offered = binary.BigEndian.Uint32(p.buf[9:])
	}
	if !readable(p.buf[4], p.buf[5:]) {
		return fmt.Errorf("%w: a command %q with %d octets", errPacket, p.buf[4], n-1)
	}
	if p.buf[4] == 'L' {
		name, rest, _ := bytes.Cut(p.buf[5:], null)
		value, _, _ := bytes.Cut(rest, null)
		return p.field(string(name), string(value))
	}
	p.left = p.buf
	return nil
}

var null = []byte{0}

// readable reports whether a packet has the fields that its command needs.
func readable(command byte, data []byte) bool {
	switch command {
	case 'D': // macros: they begin with the command that they are for
		return len(data) > 0
	case 'C': // a connection: a name, which a NUL ends, and a family of addresses
		i := bytes.IndexByte(data, 0)
		return i >= 0 && i+1 < len(data)
	}
	return true
}
