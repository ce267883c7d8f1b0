package driver

import (
	"context"
	"errors"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/record"
)

// An Inspector is a Fetcher that answers questions without a network. A [fetch.Mux] is one, and asks
// the Inspectors among its Fetchers. A Fetcher that embeds a [Layer] is one, and defines the methods for
// which it has an answer of its own.
type Inspector interface {
	fetch.Fetcher

	// Check returns the error that Fetch would return, or nil if that depends on the
	// network: that the host cannot exist, is a literal private address, or has a port that is not
	// allowed. A Plan shows the result.
	Check(req *fetch.Request) error

	// Audit judges a Response that was kept from an earlier run, when the policy may have been
	// another one. It returns the error with which the Fetcher would refuse to contact one of
	// resp.Hops, resp.URL and resp.RemoteAddr, as far as that is known without a network.
	Audit(resp *fetch.Response) error

	// AnonymousPassword returns the password that is sent with anonymous logins to servers of a
	// scheme, by custom a mail address, for a Plan; "" if none is sent. known is false if that
	// cannot be said.
	AnonymousPassword(scheme string) (password string, known bool)

	// CloseIdleConnections closes the connections that are kept and that no fetch uses.
	CloseIdleConnections()
}

// A Layer is embedded in a Fetcher around Next, which it makes an [Inspector] with the answers of
// Next. If Next is not an Inspector, nothing is refused, and the anonymous password is not known.
//
// In a Fetcher of a protocol Next is nil. Then nothing is refused, no password is sent, and no
// connections are kept.
type Layer struct{ Next fetch.Fetcher }

var errNoNext = errors.New("Layer.Next is not set")

// Fetch implements [fetch.Fetcher]. It returns the answer of Next, which has a Body if there is no
// error; see [fetch.Do].
func (l Layer) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	if l.Next == nil {
		return nil, &fetch.Error{Kind: fetch.Unsupported, Err: errNoNext}
	}
	return Ask(ctx, req, l.Next)
}

// Check implements [Inspector].
func (l Layer) Check(req *fetch.Request) error {
	if i, ok := l.Next.(Inspector); ok {
		return i.Check(req)
	}
	return nil
}

// Audit implements [Inspector].
func (l Layer) Audit(resp *fetch.Response) error {
	if i, ok := l.Next.(Inspector); ok {
		return i.Audit(resp)
	}
	return nil
}

// AnonymousPassword implements [Inspector].
func (l Layer) AnonymousPassword(scheme string) (password string, known bool) {
	if i, ok := l.Next.(Inspector); ok {
		return i.AnonymousPassword(scheme)
	}
	return "", l.Next == nil
}

// Account returns the account with which Next may ask for req, or nil. It uses no network.
func (l Layer) Account(req *fetch.Request) *record.Account {
	if a, ok := l.Next.(accountant); ok {
		return a.Account(req)
	}
	return nil
}

// An accountant is a Fetcher that may ask with an account. A [Layer] and a [fetch.Mux] pass the question on.
type accountant interface {
	Account(req *fetch.Request) *record.Account
}

// CloseIdleConnections implements [Inspector].
func (l Layer) CloseIdleConnections() {
	if i, ok := l.Next.(Inspector); ok {
		i.CloseIdleConnections()
	}
}
