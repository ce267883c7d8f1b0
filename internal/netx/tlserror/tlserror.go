// Package tlserror classifies the errors of a TLS handshake: the connection was lost, the
// peer does not speak TLS, or the peer cannot be trusted. All clients of the module use it,
// so that a fault has the same Kind in every scheme.
package tlserror

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
)

// A Meaning is the class of an error of a handshake.
type Meaning uint8

const (
	// Untrusted is a certificate that is not valid for the host, or an alert of either
	// side, or any other error.
	Untrusted Meaning = iota
	// Lost is a connection that ended, timed out or broke.
	Lost
	// NotTLS is a peer whose first octets are not TLS.
	NotTLS
)

// ErrNotTLS is the error for NotTLS. It replaces one that quotes the peer.
var ErrNotTLS = errors.New("the server does not speak TLS")

// Of returns the class of err, an error of a handshake.
func Of(err error) Meaning {
	if _, ok := errors.AsType[tls.RecordHeaderError](err); ok {
		return NotTLS
	}
	if IsAlert(err) {
		return Untrusted
	}
	_, broken := errors.AsType[net.Error](err)
	if broken || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return Lost
	}
	return Untrusted
}

// IsAlert reports whether err is an alert of TLS. crypto/tls returns each alert as a
// [net.OpError] with an operation of its own.
func IsAlert(err error) bool {
	op, ok := errors.AsType[*net.OpError](err)
	if ok && (op.Op == "remote error" || op.Op == "local error") {
		return true
	}
	_, ok = errors.AsType[tls.AlertError](err)
	return ok
}

// Describe returns err, which means Untrusted, with a text that quotes nothing of the
// certificate, since a stranger wrote that. It wraps err.
func Describe(err error) error {
	if IsAlert(err) {
		return err
	}
	return &described{err}
}

type described struct{ err error }

func (d *described) Error() string {
	invalid, isInvalid := errors.AsType[x509.CertificateInvalidError](d.err)
	switch {
	case is[x509.HostnameError](d.err):
		return "the certificate is for another host"
	case is[x509.UnknownAuthorityError](d.err):
		return "the certificate is signed by an unknown authority"
	case isInvalid && invalid.Reason == x509.Expired:
		return "the certificate has expired or is not yet valid"
	case is[*tls.CertificateVerificationError](d.err):
		return "the certificate is not valid"
	}
	return "the TLS handshake failed"
}

// Unwrap returns the error of package tls.
func (d *described) Unwrap() error { return d.err }

func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}
