package httpfetch

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"

	"github.com/go-extbody/extbody/fetch"
)

var (
	errClosed  = &fetch.Error{Kind: fetch.Unavailable, Err: errors.New("the server closed the connection before it answered")}
	errNotHTTP = &fetch.Error{Kind: fetch.Protocol, Err: errors.New("the answer is not HTTP/1.1, or its header section is too large")}
	errNotTLS  = &fetch.Error{Kind: fetch.Protocol, Err: errors.New("the server does not speak TLS")}
)

// failure returns what an error of RoundTrip means. Errors about the answer
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

// tlsFailure returns what an error of a TLS handshake means.
func tlsFailure(err error) error {
	op, isOp := errors.AsType[*net.OpError](err)
	switch {
	case isA[tls.RecordHeaderError](err):
		return errNotTLS
	case isOp && op.Op == "remote error":
		return &fetch.Error{Kind: fetch.Untrusted, Err: err} // an alert
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errClosed
	case isA[net.Error](err):
		return err
	}
	return &fetch.Error{Kind: fetch.Untrusted, Err: &certError{err}}
}

// A certError words a failed handshake without quoting the certificate.
type certError struct{ err error }

func (e *certError) Error() string {
	invalid, isInvalid := errors.AsType[x509.CertificateInvalidError](e.err)
	switch {
	case isA[x509.HostnameError](e.err):
		return "the certificate is for another host"
	case isA[x509.UnknownAuthorityError](e.err):
		return "the certificate is signed by an unknown authority"
	case isInvalid && invalid.Reason == x509.Expired:
		return "the certificate has expired or is not yet valid"
	case isA[*tls.CertificateVerificationError](e.err):
		return "the certificate is not valid"
	}
	return "the TLS handshake failed"
}

// Unwrap returns the error of package tls.
func (e *certError) Unwrap() error { return e.err }

func isA[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}
