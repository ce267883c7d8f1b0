package milterfront

import (
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	milter "github.com/emersion/go-milter"
)

// errPacket is the error of a peer that does not speak the milter protocol.
var errPacket = errors.New("milter: not a packet of the protocol")

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

// shrink lets a large buffer go.
func (x *session) shrink() {
	if x.large > 0 {
		x.packet = nil
	}
	x.server.large.Add(-x.large)
	x.large = 0
}

// next reads a packet: a command and its data, which are valid until the next call.
func (x *session) next() (code byte, data []byte, err error) {
	if x.r.Buffered() < 4 {
		x.conn.SetReadDeadline(time.Now().Add(idle))
	}
	var length [4]byte
	if _, err := io.ReadFull(x.r, length[:]); err != nil {
		return 0, nil, err
	}
	announced := binary.BigEndian.Uint32(length[:])
	if announced == 0 || announced > maxPacket {
		return 0, nil, errPacket
	}
	n := int(announced)
	x.shrink()
	if n > usualPacket {
		x.large = int64(n)
		if x.server.large.Add(int64(n)) > maxLarge {
			return 0, nil, errPacket
		}
	}
	if cap(x.packet) < n {
		x.packet = make([]byte, n)
	}
	x.packet = x.packet[:n]
	if x.r.Buffered() < n {
		x.conn.SetReadDeadline(time.Now().Add(packetTime))
	}
	_, err = io.ReadFull(x.r, x.packet)
	return x.packet[0], x.packet[1:], err
}

// setField asks to change or insert the field of a name with a number.
func (x *session) setField(code milter.ModifyActCode, i int, name, value string) {
	x.send(byte(code), string(number(uint32(i)))+name+"\x00"+lf(value)+"\x00")
}

// send writes a packet.
func (x *session) send(code byte, data string) {
	if x.err != nil {
		return
	}
	x.conn.SetWriteDeadline(time.Now().Add(time.Minute))
	_, x.err = x.conn.Write(slices.Concat(number(uint32(1+len(data))), []byte{code}, []byte(data)))
}

func number(n uint32) []byte { return binary.BigEndian.AppendUint32(nil, n) }

// lf ends lines with LF, as mail servers have them.
func lf(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }
