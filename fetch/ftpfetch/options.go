package ftpfetch

import (
	"crypto/tls"

	"github.com/go-extbody/extbody/fetch/netguard"
)

// Options adjust a [Fetcher]. The zero value is safe.
type Options struct {
	// Guard judges the addresses that are connected to; nil is the strict
	// zero Guard. Port 21 for ftp and port 990 for ftps are added to the
	// ports that it allows.
	Guard *netguard.Guard

	// TLS is the policy for ftp URLs over TLS, by AUTH TLS (RFC 4217).
	// An ftps URL always is, from the first octet on.
	TLS TLSPolicy

	// TLSConfig is the configuration of all TLS connections, such as RootCAs;
	// nil is the default. It is cloned. Its ServerName and ClientSessionCache
	// are replaced: certificates are verified for the host of the URL, and
	// data connections resume the session of the control connection.
	TLSConfig *tls.Config

	// Anonymous is the password sent with the user "anonymous", by custom the
	// mail address of the user (RFC 1635), which discloses to a stranger's server
	// who reads the message. "" means "anonymous@".
	Anonymous string
}

const defaultAnonymous = "anonymous@"
