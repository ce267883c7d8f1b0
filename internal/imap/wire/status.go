package wire

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// A Status is how a command ended (RFC 3501 section 7.1). It is an error without the
// text of the server.
type Status struct {
	Result string // "OK", "NO" or "BAD"
	Code   string // in capitals, without arguments; "" if none
}

// ParseStatus reads the text after a tag.
func ParseStatus(text string) (*Status, error) {
	result, text, _ := strings.Cut(text, " ")
	st := &Status{Result: strings.ToUpper(result)}
	switch st.Result {
	case "OK", "NO", "BAD":
	default:
		return nil, NewFault(ErrProtocol, ErrNotIMAP)
	}
	if inner, ok := strings.CutPrefix(text, "["); ok {
		if i := strings.IndexAny(inner, " ]"); i >= 0 && Sendable(inner[:i]) {
			st.Code = strings.ToUpper(inner[:min(i, 40)])
		}
	}
	return st, nil
}

// Error returns the status without the text of the server.
func (st *Status) Error() string {
	if st.Code == "" {
		return "the server said " + st.Result
	}
	return "the server said " + st.Result + " [" + st.Code + "]"
}

// Fault returns the error that the status stands for, nil for OK. The response code
// decides its kind (RFC 5530 section 3). A NO without a more exact code is of the
// kind refused.
func (st *Status) Fault(refused error) error {
	if st.Result == "OK" {
		return nil
	}
	kind := refused
	switch st.Code {
	case "NONEXISTENT":
		kind = ErrNotFound
	case "NOPERM":
		kind = ErrForbidden
	case "AUTHENTICATIONFAILED", "AUTHORIZATIONFAILED", "EXPIRED":
		kind = ErrCredentials
	case "PRIVACYREQUIRED":
		kind = ErrUntrusted
	case "UNAVAILABLE", "SERVERBUG", "INUSE", "LIMIT", "CONTACTADMIN":
		kind = ErrUnavailable
	}
	if st.Result == "BAD" {
		kind = ErrProtocol
	}
	return NewFault(kind, errors.New(st.Error()))
}

// Sendable reports whether s can be sent as a quoted string: it must be ASCII without
// control characters (RFC 3501 section 9).
func Sendable(s string) bool {
	return !strings.ContainsFunc(s, func(c rune) bool { return c < ' ' || c > '~' })
}

// Quoted returns s as a quoted string.
func Quoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

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
