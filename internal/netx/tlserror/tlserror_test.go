package tlserror

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"syscall"
	"testing"
)

func TestOf(t *testing.T) {
	for _, tt := range []struct {
		name string
		err  error
		want Meaning
	}{
		{"OtherHost", &tls.CertificateVerificationError{Err: x509.HostnameError{Certificate: new(x509.Certificate)}}, Untrusted},
		{"RemoteAlert", &net.OpError{Op: "remote error", Err: tls.AlertError(40)}, Untrusted},
		{"LocalAlert", &net.OpError{Op: "local error", Err: tls.AlertError(40)}, Untrusted},
		{"Alert", tls.AlertError(40), Untrusted},
		{"Unknown", errors.New("tls: something"), Untrusted},
		{"NotTLS", tls.RecordHeaderError{Msg: "first record does not look like a TLS handshake"}, NotTLS},
		{"Ended", io.EOF, Lost},
		{"EndedWithin", fmt.Errorf("read: %w", io.ErrUnexpectedEOF), Lost},
		{"Reset", &net.OpError{Op: "read", Err: os.NewSyscallError("read", syscall.ECONNRESET)}, Lost},
		{"TimedOut", &net.OpError{Op: "read", Err: os.ErrDeadlineExceeded}, Lost},
	} {
		if got := Of(tt.err); got != tt.want {
			t.Errorf("%s: got %d, want %d", tt.name, got, tt.want)
		}
	}
}

// TestDescribe: no text has anything of the certificate, and each wraps its error.
func TestDescribe(t *testing.T) {
	stranger := &x509.Certificate{DNSNames: []string{"written-by.a.stranger.example"}}
	for _, tt := range []struct {
		name string
		err  error
		want string
	}{
		{"OtherHost", x509.HostnameError{Certificate: stranger, Host: "h.example"}, "the certificate is for another host"},
		{"Authority", x509.UnknownAuthorityError{Cert: stranger}, "the certificate is signed by an unknown authority"},
		{"Expired", x509.CertificateInvalidError{Cert: stranger, Reason: x509.Expired}, "the certificate has expired or is not yet valid"},
		{"Invalid", &tls.CertificateVerificationError{Err: x509.CertificateInvalidError{Cert: stranger, Reason: x509.TooManyIntermediates}}, "the certificate is not valid"},
		{"Other", errors.New("tls: written by a stranger"), "the TLS handshake failed"},
	} {
		if got := Describe(tt.err); got.Error() != tt.want || !errors.Is(errors.Unwrap(got), tt.err) {
			t.Errorf("%s: got %v, want %s", tt.name, got, tt.want)
		}
	}
}
