package driver

import (
	"context"
	"net/url"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/record"
	"github.com/go-extbody/extbody/internal/netx/only"
)

// A Request is the part of a [fetch.Request] for Fetchers and for Layers around them. It is copied with
// the Request. A Layer sets the fields in the Request that it passes on. A Fetcher of a protocol need not
// read them: [Contact] calls Gate, [Begin] keeps to Brief, and [fetch.Do] to Coded.
type Request struct {
	// Once is set if the request uses up one of the downloads that the host allows. A Fetcher that
	// has another process make its requests does not repeat this one if its outcome is not known.
	Once bool

	// Coded is set by a Layer that keeps octets as they were sent, such as package cache. Do then
	// leaves the content codings applied to Body, and Codings and Size as the Fetcher returned them.
	Coded bool

	// Brief leaves out of each Exchange the parts that cost memory or time: heads,
	// dialogues, beginnings of bodies, and digests. Full then returns false.
	Brief bool

	// Gate is set by a Layer that decides when a server may be contacted, such as package throttle.
	// Contact calls it. It may wait, and if it returns an error there is no contact. A Layer calls the
	// Gate that it replaces. nil lets all pass. Redirects are judged by fetch.Request.CheckHop.
	Gate func(ctx context.Context, to *url.URL) error

	// Call makes the request a call of an API with an account, and has the fields that it needs, such as
	// Authorization. nil is for all other requests. A Layer sets it, and the Fetchers for http keep to these
	// rules:
	//
	//   - The fields are sent to the origin of the URL, and to no other that a redirect leads to.
	//   - No answer is stored or given to another request.
	//   - An Exchange has neither the values of the fields nor any part but the origin of a URL at another
	//     origin, which may be a credential that the API made.
	//   - The error of an answer that is not the object has a cause with the method Content() []byte, which
	//     returns the first 64 KiB of the answer, and nil for an answer of another origin.
	Call map[string]string
}

// OfRequest returns the part of req, which may be changed until req is fetched.
func OfRequest(req *fetch.Request) *Request { return (*Request)(req.Driver(only.Driver{}).Part()) }

// A Response is the part of a [fetch.Response] that Fetchers set and [fetch.Do] reads. A Fetcher leaves the
// fields zero that its protocol has nothing for. [Conn.Response] sets Exchange.
type Response struct {
	// Codings are the content codings that are still applied to Body, in the
	// order in which they were applied (RFC 9110 section 8.4). Do undoes them,
	// and leaves nil here. It does not undo gzip if the file itself is a gzip
	// file by its announced media type or, without one, by its announced size or its name. MediaType is then
	// the media type of a gzip file.
	Codings []string

	// Digests are the digests that the server sent before Body, of its octets with Codings still
	// applied. At the end of Body, Do compares the ones whose algorithm it knows.
	// If the Response is NotModified, they are of the object, and Do does not compare them.
	Digests []fetch.Digest

	// TrailerDigests returns the digests of the same octets that the server sent after Body. Do calls
	// it when Body has returned io.EOF, and compares the ones by sha-256 and sha-512. It is nil if
	// nothing can come after Body.
	TrailerDigests func() []fetch.Digest

	// Resume has the validators of the object, and its Size if that is known. If the connection is lost
	// within Body, Do sets Offset in a copy and fetches the rest from the URL of the Response. Resume is
	// nil if the Fetcher knows no ranges, or no validator identifies the object. Do then asks for no rest.
	Resume *fetch.Conditions

	// Unasked reports whether octets came after the answer on its connection, as far as that is known when
	// Body has returned io.EOF. They are no part of Body, but such a server may mix up its answers: package
	// cache keeps no such body. nil stands for a protocol in which nothing can come.
	Unasked func() bool

	// Exchange is the record of the request that Body answers, as Begin returned it. Do ends it with the
	// outcome of Body. If Body is closed without Do, its Close ends it.
	Exchange *fetch.Exchange

	// Differs, if it is not nil, is called when a digest of Digests differs from the octets. Its error is
	// the error of the Body, with its own Kind or DigestMismatch. If it returns nil, the difference stays in
	// Response.Checks alone.
	Differs func(fetch.Check) error

	// Object has the facts about the object from the API of its host; nil if no account asked for it.
	Object *record.Object
}

// OfResponse returns the part of resp, which the Fetcher may change until it returns resp.
func OfResponse(resp *fetch.Response) *Response { return (*Response)(resp.Driver(only.Driver{})) }

// Contact is called by a Fetcher before each contact with a server: before the first
// connection, each redirect that it follows and each repetition. to is the URL
// to be asked next. Contact asks Gate, which may wait, and charges the Budget.
// If it returns an error, the Fetcher makes no contact and returns that error.
func Contact(ctx context.Context, req *fetch.Request, to *url.URL) error {
	return req.Driver(only.Driver{}).Contact(ctx, to)
}

// Hop is called by a Fetcher before it follows a redirect. It asks CheckHop about copies of the
// URLs. Its error has the Kind of CheckHop's error, or Denied.
func Hop(ctx context.Context, req *fetch.Request, from, to *url.URL) error {
	return req.Driver(only.Driver{}).Hop(ctx, from, to)
}

// Report calls Progress of req if there is one.
func Report(req *fetch.Request, e fetch.Event) { req.Driver(only.Driver{}).Report(e) }

// Ask returns the answer of f to req, for a Fetcher around Fetchers. An answer that is neither a
// Response nor an error, or a Response without a Body, is an error of Kind Protocol that has the type
// of f in its text. The URL of the Response is by default the one of req.
func Ask(ctx context.Context, req *fetch.Request, f fetch.Fetcher) (*fetch.Response, error) {
	return req.Driver(only.Driver{}).Ask(ctx, f)
}

// Begin starts an Exchange for u, after hop redirects. It returns nil if req has no Observe;
// Say, OnEnd, End and Observe do nothing for a nil Exchange, and Full reports false.
//
// An Exchange belongs to one goroutine until End is called.
func Begin(req *fetch.Request, protocol string, u *url.URL, hop int) *fetch.Exchange {
	return req.Driver(only.Driver{}).Begin(protocol, u, hop)
}

// Full reports whether heads, dialogues, beginnings and digests are wanted, and
// x has not ended.
func Full(x *fetch.Exchange) bool { return x.Driver(only.Driver{}).Full() }

// Say adds a line to the dialogue while x is Full. The caller has cut out
// credentials.
func Say(x *fetch.Exchange, sent bool, text string) { x.Driver(only.Driver{}).Say(sent, text) }

// OnEnd sets a function that End calls first, to fill in the rest.
func OnEnd(x *fetch.Exchange, f func()) { x.Driver(only.Driver{}).OnEnd(f) }

// End ends x and passes it to Observe. err is why the Exchange failed, nil if
// it did not; its text holds nothing of the URL but its host. Only the first
// call counts.
func End(x *fetch.Exchange, err error) { x.Driver(only.Driver{}).End(err) }
