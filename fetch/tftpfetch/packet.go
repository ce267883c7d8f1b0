package tftpfetch

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
)

// Opcodes of packets (RFC 1350 section 5, RFC 2347).
const (
	opRead   = 1
	opData   = 3
	opAck    = 4
	opError  = 5
	opOption = 6
)

const (
	headerLen = 4   // of DATA: opcode and number of the block
	minBlock  = 8   // RFC 2348
	maxAnswer = 512 // octets of an OACK, as of a request (RFC 2347)
)

// request returns the fields of the read request for t.
func (o rrqOptions) request(t *target) []string {
	fields := []string{t.name, string(t.mode)}
	if o.blockSize != defaultBlockSize {
		fields = append(fields, "blksize", strconv.Itoa(o.blockSize))
	}
	if o.size {
		fields = append(fields, "tsize", "0")
	}
	return fields
}

func ack(block uint16) []byte {
	return binary.BigEndian.AppendUint16([]byte{0, opAck}, block)
}

func errorPacket(code uint16, message string) []byte {
	return append(append(binary.BigEndian.AppendUint16([]byte{0, opError}, code), message...), 0)
}

// parseError reads an ERROR after its opcode.
func parseError(p []byte) (*serverError, bool) {
	if len(p) < 2 {
		return nil, false
	}
	message, _, _ := bytes.Cut(p[2:], []byte{0})
	return &serverError{code: binary.BigEndian.Uint16(p), message: string(message)}, true
}

// An acknowledgment has the options that a server has acknowledged.
type acknowledgment struct {
	blockSize int
	size      int64 // -1 if the server did not send it
}

// parseOptions reads an OACK that answers o, after its opcode. It returns
// an error if the server names an option that was not asked for, or one twice, or
// raises the size of blocks (RFC 2347, 2348, 2349).
func parseOptions(p []byte, o rrqOptions) (acknowledgment, error) {
	a := acknowledgment{blockSize: defaultBlockSize, size: -1}
	if len(p) > maxAnswer || len(p) > 0 && p[len(p)-1] != 0 {
		return a, errPacket
	}
	words := strings.Split(strings.TrimSuffix(string(p), "\x00"), "\x00")
	if len(words)%2 != 0 {
		return a, errPacket
	}
	asked := map[string]bool{"blksize": o.blockSize != defaultBlockSize, "tsize": o.size}
	for i := 0; i < len(words); i += 2 {
		name := strings.ToLower(words[i])
		value := words[i+1]
		if !asked[name] {
			return a, errUnasked
		}
		asked[name] = false
		switch n, err := strconv.ParseInt(value, 10, 64); {
		case name == "tsize":
			if err == nil && n >= 0 {
				a.size = n
			}
		case err != nil || n < minBlock || n > int64(o.blockSize):
			return a, errRaised
		default:
			a.blockSize = int(n)
		}
	}
	return a, nil
}

// protocol returns an error of that Kind.
func protocol(err error) error { return &fetch.Error{Kind: fetch.Protocol, Err: err} }

// A serverError is an ERROR packet (RFC 1350 section 5). It matches the
// fetch.Kind that its code stands for: 1 NotFound, 2 Forbidden, 3
// Unavailable, any other Protocol. Within a body the Kind is Truncated.
type serverError struct {
	code uint16

	// message is the server's text, unchanged. It may repeat the name of the file, and is
	// not in the error's text.
	message string
}

const (
	notFound   = 1
	forbidden  = 2
	diskFull   = 3
	illegal    = 4
	unknownID  = 5
	badOptions = 8 // RFC 2347
)

// codeText has the meanings that RFC 1350 and RFC 2347 give to the codes.
var codeText = [...]string{
	"error without a code",
	"file not found",
	"access violation",
	"disk full or allocation exceeded",
	"illegal operation",
	"unknown transfer ID",
	"file already exists",
	"no such user",
	"options refused",
}

// Error returns the meaning of the code.
func (e *serverError) Error() string {
	if int(e.code) < len(codeText) {
		return "the server says: " + codeText[e.code]
	}
	return fmt.Sprintf("the server says: error %d", e.code)
}

// Unwrap returns the Kind.
func (e *serverError) Unwrap() error {
	switch e.code {
	case notFound:
		return fetch.NotFound
	case forbidden:
		return fetch.Forbidden
	case diskFull:
		return fetch.Unavailable
	}
	return fetch.Protocol
}

var (
	// errNoOptions is the error of a server that acknowledges none of the options. It
	// need not have answered then, and is asked again without options.
	errNoOptions = protocol(errors.New("an acknowledgment of no options"))

	// errRaised is a block size that was not asked for (RFC 2348).
	errRaised = errors.New("the server raised the block size")

	errUnasked = errors.New("the server acknowledges an option that was not asked for, or one twice")
	errLate    = errors.New("the server acknowledges options again")
	errLarge   = errors.New("a block larger than agreed")
	errCopies  = errors.New("the server repeats itself")
	errPacket  = errors.New("not a packet of TFTP")
)

// logError writes the server's ERROR into log, if err is about one.
func logError(log *fetch.Exchange, err error) {
	if e, ok := errors.AsType[*serverError](err); ok && driver.Full(log) {
		driver.Say(log, false, "ERROR "+strconv.Itoa(int(e.code))+" "+e.message)
		log.Status = int(e.code)
	}
}
