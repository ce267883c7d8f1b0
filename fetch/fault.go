package fetch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/go-extbody/extbody/internal/link/redact"
	"github.com/go-extbody/extbody/internal/link/sharelink"
	"github.com/go-extbody/extbody/internal/netx/pausable"
)

// shown returns the URL fit for errors.
func (r *Request) shown() string {
	if r.Secret {
		return redact.Origin(r.RawURL())
	}
	if r.Open != nil {
		return strings.TrimSuffix(redact.URL(r.RawURL()+","), ",(0 octets)")
	}
	own, _ := sharelink.NewTable(r.ShareHosts) // whoever asks for the link has the error
	return redact.Rules{Own: own}.URL(r.RawURL())
}

var (
	errNoURL      = errors.New("no URL")
	errNotAbs     = errors.New("the URL is not absolute")
	errControl    = errors.New("a control character in the URL")
	errURLTooLong = fmt.Errorf("the URL is longer than %d octets", MaxURLBytes)
)

// withDefaults applies the checks for every scheme and returns a copy in which each limit
// of 0 is replaced by its default.
func (r *Request) withDefaults() (*Request, error) {
	if err := r.absolute(); err != nil {
		return nil, err
	}
	if !strings.EqualFold(r.URL.Scheme, "data") {
		text := r.RawURL()
		if len(text) > MaxURLBytes {
			return nil, wrap("fetch", r, Malformed, errURLTooLong)
		}
		if strings.ContainsFunc(text, func(c rune) bool { return c < ' ' || c == 0x7f }) {
			return nil, wrap("fetch", r, Malformed, errControl)
		}
	}
	c := *r
	c.MaxBytes = cmp.Or(c.MaxBytes, DefaultMaxBytes)
	c.MaxRedirects = cmp.Or(c.MaxRedirects, DefaultMaxRedirects)
	c.Timeouts = c.Timeouts.WithDefaults()
	return &c, nil
}

// absolute returns an error if r has no URL with a scheme.
func (r *Request) absolute() error {
	if r == nil || r.URL == nil {
		return &Error{Op: "fetch", Kind: Malformed, Err: errNoURL}
	}
	if r.URL.Scheme == "" {
		return wrap("fetch", r, Malformed, errNotAbs)
	}
	return nil
}

// hold makes the callbacks of req that may ask a person stop the clocks.
func (r *Request) hold() {
	if ask := r.CheckHop; ask != nil {
		r.CheckHop = func(ctx context.Context, from, to *url.URL) error {
			defer pausable.Hold(ctx)()
			return ask(ctx, from, to)
		}
	}
	if ask := r.Credentials; ask != nil {
		r.Credentials = func(ctx context.Context, c Challenge) (*Userinfo, error) {
			defer pausable.Hold(ctx)()
			return ask(ctx, c)
		}
	}
}

// wrap makes err an *Error about req. An *Error with Op and URL stays as it is.
// In another one a missing Op, URL or After is filled in, the After from its cause. A
// [url.Error] is replaced by its cause, because its text quotes the
// URL.
func wrap(op string, req *Request, kind Kind, err error) *Error {
	if e, ok := err.(*Error); ok {
		if e.URL != "" && e.Op != "" {
			return e
		}
		c := *e
		c.Op = cmp.Or(c.Op, op)
		c.URL = cmp.Or(c.URL, req.shown())
		if c.After.IsZero() {
			c.After = AfterOf(c.Err)
		}
		return &c
	}
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err
	}
	return &Error{Op: op, URL: req.shown(), Kind: kind, Err: err, After: AfterOf(err)}
}

// failed classifies an error of a Fetcher. When ctx has ended, the reason for
// which it ended explains every failure that may be its consequence.
func failed(ctx context.Context, req *Request, err error) error {
	kind := KindOfFetch(err)
	if ctx.Err() != nil {
		switch kind {
		case Canceled, Unavailable, Truncated, Protocol:
			return ended(ctx, "fetch", req)
		}
	}
	return wrap("fetch", req, kind, err)
}

// ended returns the reason why ctx, made by watch, has ended: one of our own time limits,
// or the caller.
func ended(ctx context.Context, op string, req *Request) error {
	cause := context.Cause(ctx)
	if e, ok := errors.AsType[pausable.Timeout](cause); ok {
		return wrap(op, req, Unavailable, e)
	}
	if err := ctx.Err(); errors.Is(err, context.DeadlineExceeded) && !errors.Is(cause, err) {
		cause = fmt.Errorf("%w: %w", err, cause) // of a context with a cause of its own
	}
	return wrap(op, req, Canceled, cause)
}
