package ftpfetch

// A TLSPolicy decides when an ftp URL is fetched over TLS. Whenever TLS is used,
// the certificate has to be valid for the host, and a failed handshake fails
// the fetch: nothing is repeated in the clear.
type TLSPolicy uint8

const (
	// TLSForCredentials requires TLS where a login other than anonymous is
	// sent, and does not ask for it otherwise.
	TLSForCredentials TLSPolicy = iota

	// TLSOff never asks for TLS, and sends passwords in the clear.
	TLSOff

	// TLSOpportunistic asks for TLS, and goes on in the clear, with passwords
	// as well, if the server does not offer it.
	TLSOpportunistic

	// TLSRequired fetches over TLS or not at all. A server that refuses it is
	// Untrusted.
	TLSRequired
)

// use returns whether to ask for TLS, and whether to fail without it.
func (p TLSPolicy) use(anonymous bool) (ask, require bool) {
	switch p {
	case TLSOff:
		return false, false
	case TLSOpportunistic:
		return true, false
	case TLSForCredentials:
		return !anonymous, !anonymous
	}
	return true, true
}
