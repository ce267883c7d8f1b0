package netguard

import (
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"

	"github.com/go-extbody/extbody/fetch"
)

// TLS describes a connection for [fetch.Exchange].
func TLS(state tls.ConnectionState) *fetch.TLS {
	t := &fetch.TLS{
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
