// Package jmapsession reads the mail of an account on a JMAP server (RFC 8620, RFC 8621): the ids of
// its messages, the changes since a state, and the octets of messages.
//
// # Which hosts are contacted
//
// A [Session] starts at the URL that its user names. The server can answer with a redirect, and the
// session resource names the URLs of requests and of blobs. All these URLs are judged by one rule:
//
//   - A URL with the origin (scheme, host and port) of the one that named it is contacted.
//   - A URL of another origin is contacted only if it is an https URL, and everything from the
//     URL of the user on has come over https. Its host is dialed with [Config].DialOther.
//   - Any other URL is refused with the Kind blocked.
//
// The login is sent to the origin of the session resource, and to the ones of the URLs in the session
// resource that the rule allows. It is not sent to another origin that a blob is redirected to. A
// request of a method is never redirected. Over http no login is sent unless
// [Config].AllowPlaintext is set.
//
// # Reading only
//
// Nothing is changed on the server.
//
// # Faults
//
// A request is sent again, after a pause, if the connection is lost, or if the server is busy or limits
// requests. A server that lets several requests in a row fail, or that wants no request for more than half a minute,
// ends the Session, and [Session.Failed] returns the reason. All errors are of the type [fetch.Error]. Of the
// text of the server they have only its status and the types of its errors, so that they cannot quote a secret.
//
// # Memory
//
// A Session holds at most an answer of 16 MiB, the ids of four million messages or 128 MiB of
// them, and the names of 10,000 mailboxes. Octets of messages go to the Sink of the caller. The values of an
// answer are bounded by their number as well, and an answer with more objects or ids than were asked for is an
// error. A listing ends after 16,000 answers, and the changes since a state after a thousand.
package jmapsession

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/go-extbody/extbody/fetch"
)

// A Config is the server to read, and how to read it.
type Config struct {
	// URL is where the session resource is, an https or http URL.
	URL string

	// Account is the id or the name of the account. "" is the one that the server gives the user for mail.
	Account string

	// Dial connects to the host of URL. DialOther connects to hosts that the server names.
	Dial, DialOther func(ctx context.Context, network, address string) (net.Conn, error)

	// TLS is the configuration of TLS; nil is the default.
	TLS *tls.Config

	// AllowPlaintext lets a login be sent to an http URL.
	AllowPlaintext bool

	// Login returns who logs in. It is called once, when a server first asks. The methods are
	// as in a [fetch.Challenge].
	Login func(ctx context.Context, methods []string) (*fetch.Userinfo, error)

	// MaxMessage is the most octets of a message; 0 is 256 MiB.
	MaxMessage int64

	// Idle is how long a server may neither send nor take anything; 0 is a minute.
	Idle time.Duration

	// Pause is how long the first pause takes after a request that failed; 0 is a quarter of a second.
	Pause time.Duration
}

// A Session reads one account. Its methods may be called concurrently. Requests of methods wait for each
// other; blobs do not.
type Session struct {
	cfg    Config
	client *http.Client
	named  *url.URL // the URL of the user
	base   *url.URL // of the session resource, after redirects
	*resource
	account string

	calling sync.Mutex // held during a request of a method

	mu     sync.Mutex // guards the login
	login  string     // the value of the field Authorization
	asked  bool       // Login was called
	denied error      // of Login

	ending sync.Mutex // guards failed
	failed error
}

// A Sink takes the octets of a message. Reset removes those that it has.
type Sink interface {
	io.Writer
	Reset() error
}

// Failed returns the error with which the Session ended; nil as long as there are other tries. All methods return it from then on.
func (s *Session) Failed() error {
	s.ending.Lock()
	defer s.ending.Unlock()
	return s.failed
}

// fail ends the Session.
func (s *Session) fail(err error) {
	s.ending.Lock()
	defer s.ending.Unlock()
	if s.failed == nil {
		s.failed = err
	}
}

// Account returns the id of the account.
func (s *Session) Account() string { return s.account }

// Parallel returns how many blobs should be downloaded at the same time.
func (s *Session) Parallel() int { return int(min(maxParallel, s.Core.MaxConcurrentRequests)) }

// Close ends the use of the connections.
func (s *Session) Close() { s.client.CloseIdleConnections() }

const (
	maxParallel       = 4
	maxAnswer         = 16 << 20 // octets of an answer in JSON
	maxListed         = 4_000_000
	maxListedOctets   = 128 << 20
	maxRounds         = 16_000 // answers of a listing; the shortest pages of servers in use have 256 ids
	maxChanges        = 100_000
	maxChangeRounds   = 1000
	maxRedirects      = 5
	maxTries          = 4 // of a request of a method
	fewTries          = 2 // of a blob, and of the session resource
	maxHeader         = 64 << 10
	maxPause          = 30 * time.Second
	defaultIdle       = time.Minute
	defaultPause      = 250 * time.Millisecond
	defaultMaxMessage = 256 << 20
)
