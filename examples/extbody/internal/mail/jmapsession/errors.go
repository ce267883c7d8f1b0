package jmapsession

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/codec/ascii"
)

// ErrGone is the error of a message that is no longer in the account.
var ErrGone = errors.New("the message is no longer in the account")

// ErrState is the error of a state from which the server cannot calculate changes.
var ErrState = errors.New("the server cannot calculate the changes")

// These errors are answered with another request.
var (
	errTooMany = errors.New("the request is too large for the server")
	errAnchor  = errors.New("the mail changes faster than it can be listed")
)

var (
	errNotJMAP   = errors.New("the server's answer is not one of JMAP")
	errNotHTTP   = errors.New("the server's answer cannot be read, or is cut short")
	errLost      = errors.New("the connection was lost")
	errSlow      = errors.New("the server is too slow")
	errLong      = errors.New("the server's answer is too long, or has too many values")
	errMore      = errors.New("the server answers with more than it was asked for")
	errRounds    = errors.New("the server lists the mail in more answers than are read")
	errOrigin    = errors.New("the server names a URL of another host, which is not https, or was not named over https")
	errHops      = errors.New("too many redirects")
	errPlaintext = errors.New("no password is sent without TLS: use jmap:, or --allow-plaintext")
	errNoLogin   = errors.New("the server wants a login, and there is none to give")
	errRefused   = errors.New("the server refuses the login")
	errAccount   = errors.New("the server has no such account with mail")
	errAccounts  = errors.New("the server names no account for mail: name one with ?account=")
	errMailbox   = errors.New("the account has no such mailbox")
	errManyBoxes = errors.New("more mailboxes than are read")
	errMany      = errors.New("more messages than are read")
	errUnsent    = errors.New("the server does not answer for the message")
	errShort     = errors.New("the blob has fewer octets than the message")
	errSize      = errors.New("the message is too large")
)

func fault(kind fetch.Kind, err error) error { return &fetch.Error{Op: "read", Kind: kind, Err: err} }

func statusError(status int) error {
	err := fmt.Errorf("the server answers %d", status)
	switch {
	case status == 403:
		return fault(fetch.Forbidden, err)
	case status == 404 || status == 410:
		return fault(fetch.NotFound, err)
	case status == 413:
		return fault(fetch.TooLarge, errTooMany)
	case status == 429 || status >= 500:
		return fault(fetch.Unavailable, err)
	}
	return fault(fetch.Protocol, err)
}

// A methodError is the type of an error of a method (RFC 8620 section 3.6.2).
type methodError struct{ method, kind string }

func (e *methodError) Error() string {
	return fmt.Sprintf("the server answers %s with %s", e.method, e.kind)
}

// errorKinds are the Kinds of errors of methods, and the error that they wrap if there is one. A type
// that is not listed counts as serverFail (RFC 8620 section 3.6.2).
var errorKinds = map[string]struct {
	kind fetch.Kind
	err  error
}{
	"serverUnavailable":           {fetch.Unavailable, nil},
	"forbidden":                   {fetch.Forbidden, nil},
	"accountNotFound":             {fetch.NotFound, errAccount},
	"accountNotSupportedByMethod": {fetch.NotFound, errAccount},
	"unknownMethod":               {fetch.Unsupported, nil},
	"invalidArguments":            {fetch.Unsupported, nil},
	"unsupportedSort":             {fetch.Unsupported, nil},
	"unsupportedFilter":           {fetch.Unsupported, nil},
	"requestTooLarge":             {fetch.TooLarge, errTooMany},
	"anchorNotFound":              {fetch.Unavailable, errAnchor},
	"cannotCalculateChanges":      {fetch.Unavailable, ErrState},
}

func newMethodError(method, kind string) error {
	k, known := errorKinds[kind]
	if !known {
		k.kind = fetch.Unavailable
		if !isWord(kind) {
			kind = "an error of its own"
		}
	}
	err := error(&methodError{method, kind})
	if k.err != nil {
		err = fmt.Errorf("%w: %w", k.err, err)
	}
	return fault(k.kind, err)
}

// isWord reports whether a text of a server is a short name.
func isWord(s string) bool {
	return s != "" && len(s) <= 40 && strings.IndexFunc(s, func(c rune) bool {
		return !ascii.IsLetter(c)
	}) < 0
}

// again reports whether a request may have more success later. A server says serverFail of a
// request that fails each time.
func again(err error) bool {
	if !errors.Is(err, fetch.Unavailable) || errors.Is(err, errAnchor) || errors.Is(err, ErrState) {
		return false
	}
	m, ok := errors.AsType[*methodError](err)
	return !ok || m.kind == "serverUnavailable"
}
