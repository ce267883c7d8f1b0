package httpfetch

import (
	"context"
	"errors"
	"net/http"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/netx/rethrow"
)

// A base is the RoundTripper that [Options].Wrap is given.
type base struct{ *http.Transport }

var (
	errOutside = local("the RoundTripper of Options.Wrap sent a request that was not given to it")
	errTwice   = local("the RoundTripper of Options.Wrap sent a request twice")
	errEarly   = local("the RoundTripper of Options.Wrap returned before its request had an answer")
	errNothing = local("the RoundTripper of Options.Wrap returned neither an answer nor an error")
)

func local(text string) error { return &fetch.Error{Kind: fetch.Local, Err: errors.New(text)} }

// RoundTrip implements [http.RoundTripper]. The request ends with the exchange that it is for,
// whatever its context.
func (b base) RoundTrip(r *http.Request) (*http.Response, error) {
	x, ok := r.Context().Value(exchangeKey{}).(*exchange)
	if !ok {
		return refuse(r, errOutside)
	}
	if !x.base.TryLock() {
		return refuse(r, errTwice)
	}
	defer x.base.Unlock()
	if x.base.done {
		return refuse(r, errTwice)
	}
	x.base.done = true
	ctx, cancel := context.WithCancelCause(r.Context())
	context.AfterFunc(x.ctx, func() { cancel(context.Cause(x.ctx)) })
	var resp *http.Response
	err := errThrown
	end := new(rethrow.End)
	end.Apart(func() { resp, err = b.Transport.RoundTrip(r.WithContext(ctx)) })
	if end.Thrown() {
		x.made.thrown.Store(end)
	}
	x.base.err = err
	return resp, err
}

// refuse closes the body of a request, as a RoundTripper has to.
func refuse(r *http.Request, err error) (*http.Response, error) {
	if r.Body != nil {
		r.Body.Close()
	}
	return nil, err
}
