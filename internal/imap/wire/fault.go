package wire

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// The six kinds of errors.
var (
	ErrUnavailable = errors.New("the server is not available")
	ErrUntrusted   = errors.New("the connection is not secure")
	ErrCredentials = errors.New("the login is not accepted")
	ErrNotFound    = errors.New("the server does not have it")
	ErrForbidden   = errors.New("the server does not allow it")
	ErrProtocol    = errors.New("the server does not keep to the protocol")
)

// Reasons that callers distinguish.
var (
	ErrTooLong = errors.New("a response that is too long")
	ErrNotIMAP = errors.New("not a response of IMAP")
	ErrInject  = errors.New("a line break or NUL in what is to be sent")
	ErrBye     = errors.New("the server ended the session")
	ErrNoTLS   = errors.New("the server does not offer TLS, without which no password is sent")
)

var (
	errIdle     = fmt.Errorf("the server was silent for too long: %w", os.ErrDeadlineExceeded)
	errInjected = errors.New("octets between the reply to STARTTLS and the handshake")
	errDisabled = errors.New("the server offers no way to log in that is supported")
)

// A Fault is an error with its kind.
type Fault struct {
	Kind error // one of the six, or one that a caller defines
	Err  error // the reason
}

// NewFault returns a Fault.
func NewFault(kind, err error) error { return &Fault{kind, err} }

// Error returns the kind and the reason.
func (f *Fault) Error() string { return f.Kind.Error() + ": " + f.Err.Error() }

// Unwrap returns both.
func (f *Fault) Unwrap() []error { return []error{f.Kind, f.Err} }

// ioFault gives an error of the connection its kind, unless it is a Fault already.
func ioFault(err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*Fault](err); ok {
		return err
	}
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		err = errIdle
	case err == io.EOF:
		err = io.ErrUnexpectedEOF
	}
	return NewFault(ErrUnavailable, err)
}
