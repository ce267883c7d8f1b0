package fetch

import (
	"context"
	"fmt"
)

// A Fetcher gets the object that a Request's URL names.
//
// Implementations keep to these rules, which package fetchtest checks. Callers
// use them through [Do] or a [Mux], which enforce the rest.
//
//   - Without an error there is a Response, and it has a Body, whatever the answer, and a
//     final URL; Size is -1 if not known.
//   - If ctx has ended, no server is contacted. When it ends, Fetch returns, and a Read of the Body that waits
//     returns, soon. ctx stays in force until the Body is closed.
//   - Close without reading to the end is allowed, and frees everything: the connection is closed,
//     or is ready for another fetch.
//   - The Body reports io.EOF only if the protocol said that it is whole, and
//     an error otherwise. It does not verify Size or Digests.
//   - It calls driver.Contact before each contact with a server, and
//     makes no contact if that returns an error.
//   - It connects through a guard that judges the address that is dialed, such as package netguard has.
//   - It enforces the limits Connect, TLS and FirstOctet of [Timeouts].
//   - It reports the phases from Connecting to Redirecting with driver.Report, as far as the
//     protocol has them.
//   - Each Exchange is started with driver.Begin and ended with driver.End. The
//     Exchange of the Body is in the Response, where Do ends it; Close ends it
//     otherwise.
//   - The Request is not modified. Do has resolved its limits: a negative number
//     sets no limit.
//   - Fetch may be called from several goroutines at once.
//   - An error is an [*Error] or wraps a [Kind] where the table in the package
//     comment asks for one that [KindOf] does not give. Its text holds nothing
//     of the URL but its host.
type Fetcher interface {
	Fetch(ctx context.Context, req *Request) (*Response, error)
}

// A Func is a function that is a Fetcher.
type Func func(ctx context.Context, req *Request) (*Response, error)

// Fetch calls f.
func (f Func) Fetch(ctx context.Context, req *Request) (*Response, error) { return f(ctx, req) }

// ask returns the answer of f to r. An answer that is neither a
// Response nor an error, or a Response without a Body, is an error of Kind Protocol that has the type
// of f in its text. The URL of the Response is by default the one of r.
func (r *Request) ask(ctx context.Context, f Fetcher) (*Response, error) {
	resp, err := f.Fetch(ctx, r)
	switch {
	case err != nil:
		return nil, err
	case resp == nil:
		return nil, &Error{Kind: Protocol, Err: fmt.Errorf("%T returned neither a Response nor an error", f)}
	case resp.Body == nil:
		return nil, &Error{Kind: Protocol, Err: fmt.Errorf("%T returned a Response without a Body", f)}
	case resp.URL == nil:
		at := *r.URL
		resp.URL = &at
	}
	return resp, nil
}
