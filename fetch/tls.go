package fetch

import (
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
)

// A TLS describes the security of a connection.
type TLS struct {
	Version string `json:"version"`        // such as "TLS 1.3"
	Cipher  string `json:"cipher"`         // the cipher suite, by its registered name
	ALPN    string `json:"alpn,omitempty"` // the protocol that was agreed on; "" if none

	// ServerName is the name for which the certificate was asked for.
	ServerName string `json:"server_name,omitempty"`

	// Certificates are the SHA-256 digests, in hexadecimal digits, of the
	// certificates in DER that the server sent, its own first.
	Certificates []string `json:"certificates,omitempty"`

	// Verified is set if the chain was verified for the ServerName.
	Verified bool `json:"verified"`
}

// NewTLS returns the description of state.
func NewTLS(state tls.ConnectionState) *TLS {
	t := &TLS{
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
