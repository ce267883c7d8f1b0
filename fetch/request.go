package fetch

import (
	"context"
	"io"
	"net/url"
	"time"
)

// Limits that hold unless a Request sets others.
const (
	// DefaultMaxBytes bounds a body: 1 GiB.
	DefaultMaxBytes int64 = 1 << 30

	// DefaultMaxRedirects bounds the redirects that one fetch follows.
	DefaultMaxRedirects = 10

	// MaxURLBytes bounds the text of a URL. data: URLs, whose body is in their
	// text, are bounded by MaxBytes alone.
	MaxURLBytes = 64 << 10
)

// A Request is a URL to fetch, with limits and callbacks. The zero value of each
// field but URL is the safe default. A Fetcher does not modify the Request, and
// neither it nor [Do] keeps the Request after the body is closed.
type Request struct {
	// URL is absolute. Its host is in canonical form, and its fragment is
	// never sent to a server.
	URL *url.URL

	// Text is the exact text of the URL for the schemes in which octets
	// matter that url.URL does not keep: data:, and imap: with URLAUTH.
	// "" means URL.String().
	Text string

	// Open, if set, opens the text of a data: URL that is too long to be held.
	// Each call opens it from its start. An error of Open, or of its result, fails
	// the fetch: with its own Kind if it is an *Error,
	// otherwise with Local. URL then ends before the comma, so that a reader of
	// URL alone does not take it for the data, and Text is "".
	Open func() (io.ReadCloser, error)

	// Secret marks a URL that is a credential as a whole, such as a share link. Errors
	// then have its scheme and host alone.
	Secret bool

	// MediaType is the media type that was announced for the object, with or
	// without parameters. A fetcher may use it to choose among versions, to
	// ask for the right one, and to choose a transfer type. Do does not
	// compare it with the response: that is for the reader of the reference.
	MediaType string

	// Accept lists media types to ask for, best first, where MediaType is "";
	// empty means any.
	Accept []string

	// Name is the announced file name, or "". Some fetchers need it to distinguish the
	// file from a page about it.
	Name string

	// Size is the announced number of octets, or 0, for the same purpose as Name. It
	// limits nothing: see MaxBytes.
	Size int64

	// ShareHosts are hosts of the caller, or of people the caller trusts, whose links are
	// share links besides those that package sharefetch knows. The key is the host. It may have a
	// port, and a path before the path of each link: "files.example:8443/cloud". The value is the
	// kind of the host, one of sharefetch.Kinds, or the shapes
	// of its links from sharefetch.ReadHosts. Something else
	// is Malformed. The Requests of a Reference have the hosts that its message was read with.
	ShareHosts map[string]string

	// GuessedHosts makes URL a share link at any host if it has a shape that only shares have.
	GuessedHosts bool

	// ContentID is the identity of the data, with angle brackets, for
	// protocols that answer later; "" if it has none.
	ContentID string

	// MaxBytes bounds the body: the octets on the wire, and those after
	// content codings were undone. 0 means DefaultMaxBytes, a negative value
	// no limit. A body of exactly MaxBytes passes; a longer one is TooLarge.
	MaxBytes int64

	// MaxRedirects bounds the redirects followed. 0 means
	// DefaultMaxRedirects, a negative value that none is followed.
	MaxRedirects int

	// Timeouts are the limits on time.
	Timeouts Timeouts

	// Budget limits the cost of this fetch and others together. nil means no limit.
	Budget *Budget

	// Login chooses anonymous login or credentials, for the schemes that know both.
	Login Login

	// TransferType is the representation to ask for, for the protocols that
	// have several: "a", "i", "e", "l8" for ftp (RFC 959 section 3.1.1),
	// "netascii", "octet" for tftp, "encoded" for imap, where the transfer
	// encoding of a part is undone otherwise. "" leaves it to the URL, then to
	// MediaType.
	TransferType string

	// Listing allows a directory listing as the body of an ftp: URL with
	// type=d. Without it such a URL is Unsupported.
	Listing bool

	// Credentials is asked when a server needs a login, at most once per
	// connection, for http once per origin. nil means that there are none, and
	// so does an answer of nil. Its error makes the fetch fail with
	// Credentials, or with the error's own Kind. Its answer is sent to the host
	// of the Challenge and nowhere else. It is sent over TLS, unless an option
	// of the Fetcher allows plaintext.
	Credentials func(ctx context.Context, c Challenge) (*Userinfo, error)

	// CheckHop is asked before each redirect is followed. Its error makes the
	// fetch fail with Denied, or with the error's own Kind.
	CheckHop func(ctx context.Context, from, to *url.URL) error

	// Conditions, if not nil, are about a copy of the object that the caller has.
	Conditions *Conditions

	// Cookies lets the server of URL set cookies for the rest of this fetch.
	// Some share links need it: they answer with a redirect and a cookie, and
	// the next request is refused without the cookie. Cookies are taken from
	// and sent to https URLs alone, and only those whose host has the same
	// registrable domain as URL.
	Cookies bool

	// AsOf asks for the object as it was at that time. Fetchers that know the versions of an object, such as
	// the one of package accountfetch, return the version that was in force then, or record why they
	// return another one. Others ignore AsOf. The zero Time asks for the present object.
	AsOf time.Time

	// Progress is called with each step of the fetch, by the goroutine that fetches or
	// reads the body. It must return soon. nil means no calls.
	Progress func(Event)

	// Observe is called with each Exchange of the fetch when it ends, failed
	// ones too. The goroutine that calls it is the one that fetches, or reads
	// or closes the body. It must return soon. The Exchange of the body ends
	// when its verdict is known, or when it is closed before. nil means that
	// nothing is recorded.
	Observe func(*Exchange)

	part requestPart
}

// A requestPart is the part of a Request for Fetchers and Layers. Package driver documents its fields.
type requestPart struct {
	Once  bool
	Coded bool
	Brief bool
	Gate  func(ctx context.Context, to *url.URL) error
	Call  map[string]string
}

// A Login is the way to log in.
type Login uint8

const (
	LoginAny       Login = iota // anonymous, or with credentials where URL or callback give some
	LoginAnonymous              // anonymous, and never anything else
	LoginRequired               // with credentials, and never anonymous
)

// A Challenge is a server's request for credentials.
type Challenge struct {
	Scheme string // "https", "ftp", "imap", ...
	Host   string // canonical
	Port   uint16
	User   string // the user that the URL names; "" if none
	Realm  string // the server's name of the protected space, or ""

	// Methods are the ways to log in that the server offers and that can be
	// answered: "basic" with a password, "bearer" with a token. It is nil where
	// the protocol has no choice or the server names none.
	Methods []string
}

// A Userinfo is an answer to a Challenge.
type Userinfo struct {
	User, Password string
	Account        string // for ftp's ACCT; "" if none

	// Token is a bearer token (RFC 6750), for http and imap, instead of a password; or
	// "".
	Token string
}

// An Event is a step in a fetch.
type Event struct {
	Phase  Phase
	Octets int64 // of the body so far, as delivered
	Total  int64 // octets of the whole body, -1 if not known
	Hop    int   // redirects followed so far
}

// A Phase is the present activity of a fetch.
type Phase string

// The phases, in the order in which they may occur. Waiting to Sending
// repeat at each redirect; Receiving repeats with each part of the body.
const (
	Waiting     Phase = "waiting"     // for a turn at the host, or for another request for the same thing
	Connecting  Phase = "connecting"  // the name is resolved and judged, and a connection opened
	Securing    Phase = "securing"    // TLS handshake
	Sending     Phase = "sending"     // the request or the login
	Redirecting Phase = "redirecting" // the server named another place, which was allowed
	Receiving   Phase = "receiving"   // octets of the body have come
	Verified    Phase = "verified"    // the body is whole and every check has passed
)

// RawURL returns the exact text of the URL: Text, or else URL as a string.
func (r *Request) RawURL() string {
	if r.Text != "" {
		return r.Text
	}
	if r.URL == nil {
		return ""
	}
	return r.URL.String()
}
