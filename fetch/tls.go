package fetch

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
