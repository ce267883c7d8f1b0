// Package imapfetch gets a message or a part of one from an IMAP server, for
// the URL schemes imap and imaps (RFC 5092), with URLAUTH as well (RFC 4467).
//
// The client only reads. A fetch opens one connection, secures it, logs in,
// opens the mailbox with EXAMINE and fetches one section with BODY.PEEK, so
// that no flag changes. Connections are not shared, so that none is used for
// another user than its own (RFC 5092 section 3.2). Package safefetch does not
// include it.
//
// # URLs
//
// A message, or a section of one, with or without PARTIAL. Servers, mailboxes
// and searches are lists and Unsupported, and so are relative URLs. If the URL
// has a UIDVALIDITY that is not the mailbox's, the URL is stale and its message
// NotFound. A URL whose EXPIRE is over is Expired, and no server is contacted.
//
// # Logins
//
// A URL without user and AUTH is fetched anonymously (RFC 5092 section 3.2),
// all others with the answer of [fetch.Request].Credentials for the host, and
// with nothing else. One with AUTH=* and without a user is fetched anonymously
// if there is no answer. A password or a token is sent over TLS alone: a server
// that does not offer STARTTLS is Untrusted, unless [Options].AllowPlaintext
// allows it. STARTTLS is used for anonymous fetches too where it is offered.
//
// With URLAUTH the URL itself names who may fetch: anybody, any user, or the one
// user that it names. "submit+" is for submission servers and Unsupported.
//
// # Transfer encodings
//
// IMAP delivers a part under its transfer encoding. The Body has it undone, if
// the header of the part names base64 or quoted-printable, and
// [fetch.Response].MediaType is the type in that header. The octets are left as
// they are, so that nothing is decoded twice,
//
//   - where [fetch.Request].TransferType is "encoded": the caller undoes the
//     encoding that the reference declares;
//   - with PARTIAL, which counts encoded octets, and starts anywhere;
//   - with URLAUTH, where the header of the part is not to be had.
//
// A whole message is message/rfc822 and never decoded. Sections that end in
// HEADER, TEXT or MIME have no type of their own.
package imapfetch

import (
	"cmp"
	"crypto/tls"
	"errors"
	"io"
	"os"
	"strings"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/netguard"
	"github.com/go-extbody/extbody/internal/imap/wire"
	"github.com/go-extbody/extbody/internal/link/host"
)

// Options adjust a Fetcher. The zero value is safe.
type Options struct {
	// Guard judges the addresses that are connected to; nil is the strict zero
	// Guard. Ports 143 and 993 are added to the ports that it allows.
	Guard *netguard.Guard

	// TLSConfig is the configuration of all TLS connections, such as RootCAs;
	// nil is the default. It is cloned, and its ServerName replaced by the host
	// of the URL.
	TLSConfig *tls.Config

	// AllowPlaintext lets a password or a token be sent to a server that does
	// not offer TLS.
	AllowPlaintext bool

	// trace is the text that an anonymous login sends, by custom a mail address
	// (RFC 4505 section 2). "" sends a word that means nothing.
	trace string
}

// New returns a Fetcher for the schemes imap and imaps. nil means the zero Options. Several goroutines
// may use it at once. Use it through [fetch.Do] or a [fetch.Mux], which enforce the limits on octets,
// stalls and total time. Check returns the errors of Fetch before it connects to anything.
//
// For URLAUTH the server is given Request.Text, octet for octet. A section that the server does not
// have, for which it answers NIL or nothing, is NotFound; an empty one is an empty body.
func New(opts *Options) driver.Inspector {
	f := &fetcher{opts: *cmp.Or(opts, new(Options))}
	f.opts.TLSConfig = f.opts.TLSConfig.Clone()
	f.guard = f.opts.Guard.WithPorts(host.Port("imap"), host.Port("imaps"))
	return f
}

type fetcher struct {
	driver.Layer // without Next
	opts         Options
	guard        *netguard.Guard // with the ports of imap and imaps
}

// Check implements [driver.Inspector].
func (f *fetcher) Check(req *fetch.Request) error {
	_, err := f.target(req)
	return err
}

// A target is a Request in terms of IMAP. Everything in it has been
// checked: its strings can be sent.
type target struct {
	host     string
	port     uint16
	implicit bool // TLS from the first octet

	location
	login login
	text  string // the URL, if it has a URLAUTH
}

// target checks all that can be checked without the network.
func (f *fetcher) target(req *fetch.Request) (*target, error) {
	t := new(target)
	u := req.URL
	switch strings.ToLower(u.Scheme) {
	case "imap":
	case "imaps":
		t.implicit = true
	default:
		return nil, fault(fetch.Unsupported, errScheme)
	}
	if u.Host == "" || u.Opaque != "" {
		return nil, fault(fetch.Malformed, errHost)
	}
	if u.RawQuery != "" || u.ForceQuery {
		// RFC 5092 section 5: a list of messages.
		return nil, fault(fetch.Unsupported, errSearch)
	}
	if err := t.location.parse(u.EscapedPath()); err != nil {
		return nil, err
	}
	var err error
	t.host, t.port, err = f.guard.Authority(u)
	if err != nil {
		return nil, err
	}
	if !t.expire.IsZero() && time.Now().After(t.expire) {
		return nil, fault(fetch.Expired, errors.New("since "+t.expire.UTC().Format(time.RFC3339)))
	}
	if t.access != "" {
		t.text = req.Text
		if t.text == "" {
			t.text = u.String()
		}
		if !wire.Sendable(t.text) {
			return nil, fault(fetch.Malformed, errInject)
		}
	}
	t.login, err = newLogin(req, t.access)
	if err != nil {
		return nil, err
	}
	return t, nil
}

// kinds are the Kinds of the errors of package wire, the first that fits
// counting.
var kinds = [...]struct {
	err  error
	kind fetch.Kind
}{
	{wire.ErrInject, fetch.Malformed},
	{wire.ErrUntrusted, fetch.Untrusted},
	{wire.ErrCredentials, fetch.Credentials},
	{wire.ErrNotFound, fetch.NotFound},
	{wire.ErrForbidden, fetch.Forbidden},
	{wire.ErrProtocol, fetch.Protocol},
	{wire.ErrUnavailable, fetch.Unavailable},
}

// failed gives an error of package wire its Kind. One that has a Kind keeps it.
func failed(err error) error {
	f, ok := errors.AsType[*wire.Fault](err)
	if !ok {
		return err
	}
	for _, k := range kinds {
		if !errors.Is(f, k.err) {
			continue
		}
		if k.kind == fetch.Unavailable {
			return unavailable(f.Err)
		}
		return fault(k.kind, f.Err)
	}
	return err
}

// unavailable gives an error of the connection its Kind.
func unavailable(err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return driver.NewTimeout("a response of the server")
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	kind := fetch.Unavailable
	switch k := fetch.KindOfFetch(err); k {
	case fetch.Canceled, fetch.Local:
		kind = k
	}
	return fault(kind, err)
}
