package driver

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"net"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/record"
	"github.com/go-extbody/extbody/internal/netx/tlserror"
)

// TLS describes a connection for [fetch.Exchange].
func TLS(state tls.ConnectionState) *record.TLS {
	t := &record.TLS{
		Version:    tls.VersionName(state.Version),
		Cipher:     tls.CipherSuiteName(state.CipherSuite),
		ALPN:       state.NegotiatedProtocol,
		ServerName: state.ServerName,
		Verified:   len(state.VerifiedChains) > 0,
	}
	for _, c := range state.PeerCertificates {
		sum := sha256.Sum256(c.Raw)
		t.Certificates = append(t.Certificates, hex.EncodeToString(sum[:]))
	}
	return t
}

// Handshake puts TLS on a connection within limit; 0 or less means no limit. A server that cannot be
// trusted is Untrusted, one that does not speak TLS Protocol, and a lost connection Unavailable.
// [Conn.StartTLS] calls it.
func Handshake(ctx context.Context, conn net.Conn, config *tls.Config, limit time.Duration) (*tls.Conn, error) {
	ctx, cancel := Limit(ctx, limit, "the TLS handshake")
	defer cancel()
	conn.SetDeadline(time.Time{}) // of the dialogue before
	c := tls.Client(conn, config)
	if err := c.HandshakeContext(ctx); err != nil {
		return nil, Interrupted(ctx, handshakeError(err))
	}
	return c, nil
}

// handshakeError gives an error of a handshake its Kind.
func handshakeError(err error) error {
	switch tlserror.Of(err) {
	case tlserror.NotTLS:
		return &fetch.Error{Kind: fetch.Protocol, Err: tlserror.ErrNotTLS}
	case tlserror.Lost:
		return &fetch.Error{Kind: fetch.Unavailable, Err: err}
	}
	return &fetch.Error{Kind: fetch.Untrusted, Err: tlserror.Describe(err)}
}
