package tftpfetch

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"

	"github.com/go-extbody/extbody/fetch"
)

// A ServerError is an ERROR packet (RFC 1350 section 5). It matches the
// [fetch.Kind] that its code stands for: 1 NotFound, 2 Forbidden, 3
// Unavailable, any other Protocol. Within a body the Kind is Truncated.
type ServerError struct {
	Code uint16

	// Message is what the server says, as it says it. It may repeat the name
	// of the file, and is not in the error's text.
	Message string
}

const (
	notFound   = 1
	forbidden  = 2
	diskFull   = 3
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
	// errEnded is what the engine gets when nobody wants the file any more. It
	// sends the text to the server.
	errEnded = errors.New("transfer ended by the client")

	// errBlockSize says that the engine may not have understood which block
	// size the server chose.
	errBlockSize = errors.New("no acknowledged block size")

	// errRaised is a block size above the one that was asked for.
	errRaised = errors.New("the server raised the block size")

	errPacket = errors.New("a packet that is none of TFTP")
)

// engineError gives an error of the engine its type.
func engineError(err error) error {
	switch {
	case errors.Is(err, errBlockSize):
		return err
	case errors.Is(err, errRaised):
		return &fetch.Error{Kind: fetch.Protocol, Err: err}
	}
	if e, ok := parseServerError(err.Error()); ok {
		return e
	}
	if e, ok := errors.AsType[net.Error](err); ok {
		if e.Timeout() {
			return fetch.NewTimeout("the server's next packet")
		}
		return err
	}
	return &fetch.Error{Kind: fetch.Protocol, Err: errPacket}
}

// parseServerError reads the only form in which the engine tells of an ERROR.
func parseServerError(text string) (*ServerError, bool) {
	rest, ok := strings.CutPrefix(text, "code: ")
	digits, message, _ := strings.Cut(rest, ", message: ")
	code, err := strconv.ParseUint(digits, 10, 16)
	if !ok || err != nil {
		return nil, false
	}
	message, _, _ = strings.Cut(message, "\x00")
	return &ServerError{Code: uint16(code), Message: message}, true
}

// truncated makes Truncated the Kind of an error that has another one.
func truncated(err error) error {
	if e, ok := err.(*fetch.Error); ok {
		err = e.Err
	}
	return &fetch.Error{Kind: fetch.Truncated, Err: err}
}
