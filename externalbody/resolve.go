package externalbody

import (
	"context"
	"errors"
	"net/url"
	"sync"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/netx/pausable"
)

// Resolve gets the body that ref stands for. The Body must be closed. It returns io.EOF
// only after it has been compared with all promises, and holds back its last octet until
// then.
//
// Every error, including the errors of the Body, is a [fetch.Error]. Package fetch lists its
// Kinds. Besides those of the Fetcher, they are
//
//   - Malformed and Unsupported, as for [Reference.Request],
//   - Denied, if Approve refuses,
//   - Expired, with RefuseExpired,
//   - TypeMismatch, if the server's media type disagrees with the announced one (RFC
//     2017 section 3.1),
//   - DigestMismatch, from the Body, if the octets are not those that the Reference
//     promised,
//   - Deferred, if a budget has no room; see [Resolver].Budget and
//     [Resolver].MessageBudget.
//
// If a FileLink leads to the page of a Nextcloud share, Resolve asks for the file below
// that address.
//
// If the announced type is message/external-body, the data is another reference, and
// Resolve follows it. It does so at most five times and never in a circle. Approve is
// asked for each. One limit on octets and time holds for all.
//
// A server that passes the Body on to a browser uses package
// [github.com/go-extbody/extbody/externalbody/webbody], which sends no body to its end that
// failed, and none as a page of the server's own.
func (r *Resolver) Resolve(ctx context.Context, ref *Reference) (*Body, error) {
	b, _, err := r.resolve(ctx, ref)
	return b, err
}

// resolve is Resolve with a Report, which is complete even without a Body.
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
		if c.left < 0 {
			continue
		}
		if c.left -= b.report.Bytes; c.left <= 0 {
			return nil, &fetch.Error{Op: "resolve", Kind: fetch.TooLarge, Err: errors.New("the references to references have all the octets that are allowed")}
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
		// The promises of ref hold for the data that it leads to.
		c.promised = append(c.promised, r.promises(ref)...)
		return r.resolveOne(ctx, other, c)
	}
	req.CheckHop = r.checkHop(plan)
	c.trace.watch(req)
	req.Budget = req.Budget.And(r.budget(ref))
	if c.left >= 0 {
		req.MaxBytes = c.left
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

// Request returns how Resolve asks for the body of ref. It is [Reference.Request] with
// the limits, the Credentials and the other settings of the Resolver, except its
// Fetcher, Budget and Observe. It uses no network, and does not ask Approve. If Resolve
// would fail because it does not know how to ask, Request returns that error.
func (r *Resolver) Request(ref *Reference) (*fetch.Request, error) {
	req, _, err := r.request(ref)
	return req, err
}

// A trace collects the facts about resolving one Reference for its Report, whether there
// is a body in the end or not.
type trace struct {
	ref     *Reference
	observe func(*Reference, *fetch.Exchange)
	started time.Time
	facts   Report  // of the Exchanges
	report  *Report // of the body; nil before there is one
}

func (r *Resolver) newTrace(ref *Reference) *trace {
	return &trace{ref: ref, observe: r.Observe, started: now()}
}

// now returns the real time for Reports, not the one that [Resolver].Now returns.
func now() time.Time { return time.Now().UTC() }

// watch makes t record the Exchanges of req, the next request. It skips Exchanges with
// proxies, and those before a login or a repetition.
func (t *trace) watch(req *fetch.Request) {
	t.report = nil
	req.Brief = t.observe == nil
	req.Observe = func(x *fetch.Exchange) {
		if f := &t.facts; x.Protocol != "connect" && x.Protocol != "socks5" {
			if f.FinalURL != "" && f.FinalURL != x.URL {
				f.Hops = append(f.Hops, f.FinalURL)
			}
			f.FinalURL, f.RemoteAddr, f.TLS = x.URL, x.Remote, x.TLS
			if x.Protocol == "http" {
				f.Status = x.Status
			}
		}
		if t.observe != nil {
			t.observe(t.ref, x)
		}
	}
}

// found makes report the one of the body.
func (t *trace) found(report *Report) {
	t.report = report
	report.Started = t.started
}

// failed returns the Report of a Reference without a body. It has the facts of a
// response, or else of the last Exchange.
func (t *trace) failed(ref *Reference) *Report {
	if t.report == nil {
		t.found(&t.facts)
	}
	t.report.by(ref)
	t.report.Ended = now()
	return t.report
}

// The default costs of all references of one message together; see
// [Resolver].MessageBudget.
const (
	DefaultMessageFetches = 200           // contacts, redirects included
	DefaultMessageBytes   = 10 << 30      // octets of all bodies
	DefaultMessageTime    = 1 * time.Hour // from the first fetch
)

// A messageBudget is the default budget of one message. It is made at the first fetch.
type messageBudget struct {
	mu     sync.Mutex
	budget *fetch.Budget
	until  time.Time
}

// get returns the budget in force at a time.
func (b *messageBudget) get(now time.Time) *fetch.Budget {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.budget == nil || now.Sub(b.until) >= DefaultMessageTime {
		b.until = now.Add(DefaultMessageTime)
		b.budget = fetch.NewBudget(fetch.BudgetLimits{
			Fetches: DefaultMessageFetches,
			Octets:  DefaultMessageBytes,
			Until:   b.until,
		})
	}
	return b.budget
}

// budget returns the budget of a fetch for ref.
func (r *Resolver) budget(ref *Reference) *fetch.Budget {
	if ref.source == nil || ref.source.message == nil {
		return r.Budget
	}
	m := ref.source.message
	if r.MessageBudget != nil {
		return r.Budget.And(r.MessageBudget(m))
	}
	return r.Budget.And(m.budget.get(time.Now()))
}
