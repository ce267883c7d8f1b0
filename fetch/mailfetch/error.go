package mailfetch

import (
	"context"
	"errors"

	"github.com/go-extbody/extbody/fetch"
)

// Sent is the cause of an error of Kind Pending, with the data to recognise
// the answer. A MIME mail server gives its answer the Content-ID of the
// reference (RFC 2046 section 5.2.3.5); others may only refer to the Message-ID
// of the request.
type Sent struct {
	To        string // the address that was asked
	MessageID string // of the request, with angle brackets
	ContentID string // of the reference, with angle brackets; "" if it has none
}

// Error returns a text without the address.
func (s *Sent) Error() string { return "asked for by mail" }

var (
	errNoSender = errors.New("no sender for mail")
	errFrom     = errors.New("no address to send from")
	errScheme   = errors.New("not a mailto URL")
	errEscape   = errors.New("a bad percent-encoding in the URL")
	errAddress  = errors.New("not one mail address")
	errLocal    = errors.New("a mail address of the local network")
	errField    = errors.New("a header field other than subject")
	errTwice    = errors.New("a subject or a body given twice")
	errSubject  = errors.New("a subject that is too long or has characters that a header field must not have")
	errBody     = errors.New("a body with NUL, with CR by itself, or that is no UTF-8")
	errOften    = errors.New("too many requests by mail")
)

func malformed(err error) error { return &fetch.Error{Kind: fetch.Malformed, Err: err} }

// sendError gives an error of the sender its Kind.
func sendError(err error) error {
	_, hasKind := errors.AsType[fetch.Kind](err)
	switch {
	case err == nil, hasKind, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	}
	return &fetch.Error{Kind: fetch.Local, Err: err}
}
