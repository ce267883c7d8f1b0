// Package ftpfetch gets files by FTP (RFC 959, RFC 1123 section 4.1), for the
// URL schemes ftp and ftps (RFC 1738 section 3.2), and with them for the access
// types ftp and anon-ftp (RFC 2046 section 5.2.3).
//
// The client only reads. A fetch opens one control connection, logs in, enters
// the directories of the path one by one, and transfers one file in passive
// mode and stream mode. It never listens, and never sends PORT or EPRT.
//
// # Paths
//
// The path of a URL is split at each "/" while it is still encoded, and each
// segment is then decoded once: the last is the name, each before it the
// argument of one CWD (RFC 1738 section 3.2.2). So ftp://h/etc/motd is relative
// to the login directory and ftp://h/%2Fetc/motd is not. Dot segments and empty
// segments are sent as they are. A "?" belongs to the path, because RFC 1738
// section 5 gives ftp URLs no query. CR, LF and NUL are Malformed, and nothing
// is connected.
//
// # Transfers
//
// The Body reports io.EOF only when the server has closed the data connection and then
// confirmed the transfer with a 2yz reply. In TYPE I, Response.Size is the server's
// answer to SIZE, or else the size in parentheses in its reply to RETR, so that
// [fetch.Do] notices a short file that was confirmed. Without either the Response is
// Undelimited. On a data connection in TLS, an end without close_notify is Truncated
// unless exactly Size octets came.
//
// TYPE A delivers lines that end in CRLF, as the server sent them: that is the
// canonical form of text in MIME, and nothing is converted.
//
// # Addresses
//
// The guard judges the control connection. Data connections go to the address
// that it was dialed to, not to an address in a reply to PASV, and never to
// a port below 1024.
package ftpfetch

import (
	"cmp"
	"crypto/tls"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/netguard"
)

// New returns a Fetcher for the schemes ftp and ftps. nil means the zero Options. Several goroutines
// may use it at once. Use it through [fetch.Do] or a [fetch.Mux], which enforce the limits on octets,
// stalls and total time. Check returns the refusals that are made before anything is connected.
//
// A URL names a file or, if Request.Listing allows it, a directory, whose names are then the body.
//
// Request.Login, the user in the URL and Request.Credentials decide who logs in:
//
//   - With LoginAny and no user in the URL it is "anonymous". If the server
//     refuses that, Request.Credentials is asked, and its answer is sent on a new
//     connection.
//   - With LoginRequired, or a user in the URL without a password,
//     Request.Credentials is asked before the login.
//   - A server that refuses a login for want of TLS is asked again with AUTH
//     TLS, unless TLSOff is set.
//   - An account is sent only to a server that wants one.
//
// Request.TransferType "a", "i" or "l" with a number sets the type. "e" is
// Unsupported, because the EBCDIC code page of the file would not be known. Without
// it, the ";type=" of the URL counts, then Request.MediaType: text is TYPE A, all
// else TYPE I.
//
// Response.Header has Last-Modified if the server sends it. Together with the
// size it is the validator. With Request.Conditions that have both, the Response is
// NotModified if both are the same still, and a range is asked for with REST
// only then (RFC 3659 section 5).
func New(opts *Options) driver.Inspector {
	f := &fetcher{opts: *cmp.Or(opts, new(Options))}
	f.opts.Anonymous = cmp.Or(f.opts.Anonymous, defaultAnonymous)
	f.opts.TLSConfig = f.opts.TLSConfig.Clone()
	f.guard = f.opts.Guard.WithPorts(portFTP, portFTPS)
	return f
}

type fetcher struct {
	driver.Layer // without Next
	opts         Options
	guard        *netguard.Guard // with the ports of ftp and ftps
}

// Audit implements [driver.Inspector].
func (f *fetcher) Audit(resp *fetch.Response) error {
	if err := f.guard.CheckURL(resp.URL); err != nil {
		return err
	}
	if addr := resp.RemoteAddr.Addr(); addr.IsValid() {
		return f.guard.CheckAddr(addr)
	}
	return nil
}

// AnonymousPassword implements [driver.Inspector].
func (f *fetcher) AnonymousPassword(string) (password string, known bool) {
	return f.opts.Anonymous, true
}

// Options adjust a Fetcher. The zero value is safe.
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
