package fetch

import (
	"context"
	"net/url"
	"time"

	"github.com/go-extbody/extbody/internal/link"
	"github.com/go-extbody/extbody/internal/netx/only"
)

// Driver returns the part of r that is for Fetchers. Only packages of this module can call it: see package driver.
func (r *Request) Driver(only.Driver) driverRequest { return driverRequest{r} }

// Driver returns the part of r that is for Fetchers. Only packages of this module can call it: see package driver.
func (r *Response) Driver(only.Driver) *responsePart { return &r.part }

// Driver returns the methods of x that are for Fetchers. Only packages of this module can call it: see package driver.
func (x *Exchange) Driver(only.Driver) driverExchange { return driverExchange{x} }

// A driverRequest exports for package driver the fields that a Request does not.
type driverRequest struct{ r *Request }

func (d driverRequest) Part() *requestPart { return &d.r.part }

func (d driverRequest) Contact(ctx context.Context, to *url.URL) error { return d.r.contact(ctx, to) }

func (d driverRequest) Begin(protocol string, u *url.URL, hop int) *Exchange {
	return d.r.begin(protocol, u, hop)
}

func (d driverRequest) Report(e Event) { d.r.report(e) }

func (d driverRequest) Hop(ctx context.Context, from, to *url.URL) error {
	return d.r.hop(ctx, from, to)
}

func (d driverRequest) Ask(ctx context.Context, f Fetcher) (*Response, error) { return d.r.ask(ctx, f) }

// A driverExchange exports for package driver the fields that an Exchange does not.
type driverExchange struct{ x *Exchange }

func (d driverExchange) Full() bool                 { return d.x.full() }
func (d driverExchange) Say(sent bool, text string) { d.x.say(sent, text) }
func (d driverExchange) OnEnd(f func())             { d.x.setOnEnd(f) }
func (d driverExchange) End(err error)              { d.x.end(err) }

// contact asks the Gate, which may wait, and charges the Budget.
func (r *Request) contact(ctx context.Context, to *url.URL) error {
	if err := r.Budget.check(); err != nil {
		return err
	}
	if r.part.Gate != nil {
		if err := r.part.Gate(ctx, to); err != nil {
			return err
		}
		if err := r.Budget.check(); err != nil {
			return err // others used it up in the meantime
		}
	}
	return r.Budget.contact()
}

// begin starts an Exchange for u, or returns nil without Observe.
func (r *Request) begin(protocol string, u *url.URL, hop int) *Exchange {
	if r.Observe == nil {
		return nil
	}
	shown := link.WithoutFragment(u)
	shown.User = nil
	if r.part.Call != nil && !sameOrigin(r.URL, u) {
		shown = &url.URL{Scheme: u.Scheme, Host: u.Host, Path: "/"}
	}
	return &Exchange{
		Started:  time.Now().UTC(),
		Protocol: protocol,
		URL:      shown.String(),
		Secret:   r.Secret,
		Hop:      hop,
		observe:  r.Observe,
		brief:    r.part.Brief,
	}
}

// report calls Progress if there is one.
func (r *Request) report(e Event) {
	if r.Progress != nil {
		r.Progress(e)
	}
}

// hop asks CheckHop about copies of the URLs.
func (r *Request) hop(ctx context.Context, from, to *url.URL) error {
	if r.CheckHop == nil {
		return nil
	}
	f := *from
	t := *to
	if err := r.CheckHop(ctx, &f, &t); err != nil {
		return &Error{Kind: KindOr(err, Denied), Err: err}
	}
	return nil
}
