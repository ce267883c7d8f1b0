package externalbody

import (
	"context"
	"errors"
	"net/url"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/netx/pausable"
)

// Resolve gets the body that ref stands for. The Body must be closed. It returns io.EOF
// only after everything that was promised has been compared, and holds back its last
// octet until then.
//
// Every error, including those of the Body, is a [fetch.Error]. Package fetch lists its
// Kinds. Besides those of the Fetcher, they are
//
//   - Malformed and Unsupported, as for [Reference.Request],
//   - Denied, if Approve says no,
//   - Expired, with RefuseExpired,
//   - TypeMismatch, if the server's media type disagrees with the announced one (RFC
//     2017 section 3.1),
//   - DigestMismatch, from the Body, if the octets are not those that the Reference
//     promised,
//   - Deferred, if a budget has no room; see [Resolver].Budget and
//     [Resolver].MessageBudget.
//
// If a FileLink leads to the page of a share of Nextcloud, Resolve asks for the file,
// which is below that address.
//
// If the announced type is message/external-body, the data is another reference, and
// Resolve follows it. It does so at most five times and never in a circle. Approve is
// asked for each. One limit on octets and time holds for all.
func (r *Resolver) Resolve(ctx context.Context, ref *Reference) (*Body, error) {
	b, _, err := r.resolve(ctx, ref)
	return b, err
}

// resolve is Resolve with a Report. Without a Body the Report says how far it got.
func (r *Resolver) resolve(ctx context.Context, ref *Reference) (*Body, *Report, error) {
	c := &chain{left: r.maxBytes(), trace: r.newTrace(ref)}
	b, err := r.resolveChain(ctx, ref, c)
	if err != nil {
		return nil, c.trace.failed(ref), err
	}
	b.report.by(ref)
	return b, b.report, nil
}

func (r *Resolver) resolveChain(ctx context.Context, ref *Reference, c *chain) (*Body, error) {
	if ref.MediaType != externalBody {
		return r.resolveOne(ctx, ref, c)
	}
	stop := func() {}
	if total := r.Timeouts.WithDefaults().Total; total > 0 {
		var cancel context.CancelCauseFunc
		ctx, cancel = pausable.WithTimeout(ctx, total, context.DeadlineExceeded)
		stop = func() { cancel(nil) }
	}
	b, err := r.resolveNested(ctx, ref, c)
	if err != nil {
		stop()
		return nil, err
	}
	b.stop = stop
	return b, nil
}

// resolveNested follows references until one announces data of its own.
func (r *Resolver) resolveNested(ctx context.Context, outer *Reference, c *chain) (*Body, error) {
	for ref := outer; ; {
		b, err := r.resolveOne(ctx, ref, c)
		if err != nil || ref.MediaType != externalBody {
			return b, err
		}
		if ref, err = r.nested(ref, b); err != nil {
			return nil, err
		}
		if c.left >= 0 {
			c.left -= b.report.Bytes
		}
	}
}

// resolveOne gets the data of one Reference, whatever it is.
func (r *Resolver) resolveOne(ctx context.Context, ref *Reference, c *chain) (*Body, error) {
	plan, req := r.plan(ref)
	if plan.err != nil {
		return nil, plan.err
	}
	if r.Approve != nil || c.seen != nil || ref.MediaType == externalBody || within(req.URL.Scheme) {
		r.setID(ctx, plan, ref, req) // for a caller to see, or to find a circle
		if plan.err != nil {
			return nil, plan.err
		}
		if err := c.follow(plan); err != nil {
			return nil, err
		}
	}
	if err := r.approve(ctx, plan); err != nil {
		return nil, err
	}
	if other, err := ref.reference(ctx, req.URL); err != nil {
		return nil, err
	} else if other != nil {
		if other.MediaType != ref.MediaType {
			return nil, &fetch.Error{Op: "resolve", URL: plan.URL, Kind: fetch.TypeMismatch, Err: errors.New("the part referred to announces another media type")}
		}
		// What ref promises of the data also holds for the data that it leads to.
		c.promised = append(c.promised, r.promises(ref)...)
		return r.resolveOne(ctx, other, c)
	}
	req.CheckHop = r.checkHop(plan)
	c.trace.watch(req)
	req.Budget = req.Budget.And(r.budget(ref))
	if c.left >= 0 {
		req.MaxBytes = max(1, c.left)
	}
	fetcher := r.Fetcher
	if within(req.URL.Scheme) {
		fetcher = r.fetchWithin(ref)
	}
	return r.get(ctx, ref, plan, req, fetcher, c)
}

// checkHop returns the function that asks Approve again if a redirect leaves the hosts
// that were approved so far.
func (r *Resolver) checkHop(plan *Plan) func(context.Context, *url.URL, *url.URL) error {
	approved := map[string]bool{plan.Host: true}
	return func(ctx context.Context, from, to *url.URL) error {
		if approved[to.Host] {
			return nil
		}
		if err := r.approve(ctx, plan.redirected(from, to)); err != nil {
			return err
		}
		approved[to.Host] = true
		return nil
	}
}
