//go:build !wasm

package fetch

import (
	"crypto/tls"
	"crypto/x509"

	"github.com/go-extbody/extbody/internal/netx/tlserror"
)

func isUntrusted(err error) bool {
	switch {
	case tlserror.IsAlert(err),
		isA[*tls.CertificateVerificationError](err),
		isA[x509.UnknownAuthorityError](err),
		isA[x509.HostnameError](err),
		isA[x509.CertificateInvalidError](err):
		return true
	}
	return false
}

func isNotTLS(err error) bool { return isA[tls.RecordHeaderError](err) }
