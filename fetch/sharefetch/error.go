package sharefetch

import (
	"cmp"
	"errors"
	"net/url"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/link/redact"
)

// private returns err as an error about req that names the origin of its URL
// and nothing else of it. nil stays nil.
func private(op string, req *fetch.Request, err error) error {
	if err == nil {
		return nil
	}
	e, ok := err.(*fetch.Error)
	if !ok {
		e = &fetch.Error{Kind: fetch.KindOf(err), Err: cause(err)}
	}
	c := *e
	c.Op, c.URL = cmp.Or(c.Op, op), redact.Origin(req.RawURL())
	return &c
}

// cause returns the error in a [fetch.Error] or [url.Error], without the URL that these
// quote.
func cause(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	if e, ok := err.(*fetch.Error); ok {
		if e.Err != nil {
			return e.Err
		}
		return e.Kind
	}
	return err
}
