package wire

import (
	"errors"
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
