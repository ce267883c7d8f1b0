package httpfetch

import (
	"context"
	"errors"
	"io"
	"net"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/netx/tlserror"
)

var (
	errClosed  = &fetch.Error{Kind: fetch.Unavailable, Err: errors.New("the server closed the connection before it answered")}
	errStale   = &fetch.Error{Kind: fetch.Unavailable, Err: errors.New("the server had closed the connection")}
	errNotHTTP = &fetch.Error{Kind: fetch.Protocol, Err: errors.New("the answer is not HTTP/1.1, or its header section is too large")}
	errNotTLS  = &fetch.Error{Kind: fetch.Protocol, Err: tlserror.ErrNotTLS}
)

// failure returns the error of the fetch for an error of RoundTrip. Errors about the answer
// have no type in net/http and quote the server; they are replaced.
func (x *exchange) failure(err error) error {
	switch {
	case x.ctx.Err() != nil:
		return context.Cause(x.ctx)
	case isA[*fetch.Error](err), isA[fetch.Kind](err), isA[net.Error](err):
		return err
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), x.hungUp():
		return errClosed
	}
	return errNotHTTP
}

// hungUp reports whether the server has closed the connection.
func (x *exchange) hungUp() bool {
	return x.conn != nil && x.conn.tcp.ended.Load()
}

// tlsFailure returns the error of the fetch for an error of a TLS handshake.
func tlsFailure(err error) error {
	switch tlserror.Of(err) {
	case tlserror.NotTLS:
		return errNotTLS
	case tlserror.Lost:
		if isA[net.Error](err) {
			return err
		}
		return errClosed
	}
	return &fetch.Error{Kind: fetch.Untrusted, Err: tlserror.Describe(err)}
}

func isA[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}
