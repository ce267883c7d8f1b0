package record

import (
	"errors"
	"net"
	"net/url"
	"syscall"

	"github.com/go-extbody/extbody/fetch"
)

// Reason returns an error for people: of errors within each other that have the same Kind the innermost
// one, so that the Kind is named once, with the URL at which it arose.
func Reason(err error) string {
	if e := innermost(err); e != nil {
		return e.Error()
	}
	return err.Error()
}

// innermost returns a copy of the error whose text is the result of [Reason], or
// nil.
func innermost(err error) *fetch.Error {
	e, ok := err.(*fetch.Error)
	if !ok {
		return nil
	}
	c := *e
	for {
		inner, ok := c.Err.(*fetch.Error)
		if !ok || inner.Kind != c.Kind {
			return &c
		}
		outer := c
		c = *inner
		if c.URL == "" {
			c.URL = outer.URL
		}
		if c.After.IsZero() {
			c.After = outer.After
		}
	}
}

// hostOf returns the host at which an error arose, with the port if the URL has one, or "".
func hostOf(e *fetch.Error) string {
	if e == nil {
		return ""
	}
	u, err := url.Parse(e.URL)
	if err != nil {
		return ""
	}
	return u.Host
}

// silence returns the reason why a host does not answer, in few words, or "" for another error.
func silence(e *fetch.Error) string {
	if lookup, ok := errors.AsType[*net.DNSError](e.Err); ok {
		return lookup.Err
	}
	op, ok := errors.AsType[*net.OpError](e.Err)
	if !ok {
		return ""
	}
	if cause, ok := errors.AsType[syscall.Errno](op); ok {
		return cause.Error()
	}
	return op.Err.Error()
}
