package tftpfetch

import (
	"errors"
	"fmt"

	"github.com/go-extbody/extbody/fetch"
)

// A ServerError is an ERROR packet (RFC 1350 section 5). It matches the
// [fetch.Kind] that its code stands for: 1 NotFound, 2 Forbidden, 3
// Unavailable, any other Protocol. Within a body the Kind is Truncated.
type ServerError struct {
	Code uint16

	// Message is the server's text, unchanged. It may repeat the name of the file, and is
	// not in the error's text.
	Message string
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
func (e *ServerError) Error() string {
	if int(e.Code) < len(codeText) {
		return "the server says: " + codeText[e.Code]
	}
	return fmt.Sprintf("the server says: error %d", e.Code)
}

// Unwrap returns the Kind.
func (e *ServerError) Unwrap() error {
	switch e.Code {
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
