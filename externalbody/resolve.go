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
	b.verify.report.by(ref)
	return b, b.verify.report, nil
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
		if c.left -= b.verify.report.Bytes; c.left <= 0 {
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
	switch m := ref.message(); {
	case m == nil:
		return r.Budget
	case r.MessageBudget != nil:
		return r.Budget.And(r.MessageBudget(m))
	default:
		return r.Budget.And(m.budget.get(time.Now()))
	}
}

// A Resolver turns References into bodies. Its zero value can plan. To resolve it needs
// a Fetcher: for URLs from strangers, the one that package safefetch makes. A Resolver
// is safe for concurrent use as long as its fields are not changed.
type Resolver struct {
	// Fetcher gets the data. A [fetch.Mux] reaches only the schemes that it handles.
	Fetcher fetch.Fetcher

	// Approve, if set, is asked before anything is contacted. It is asked again when a
	// redirect leaves the host that was approved. Its error makes the resolution fail
	// with Denied, or with the error's own Kind. Without Approve, the call of Resolve
	// or Save is the consent.
	Approve func(ctx context.Context, p *Plan) error

	// Credentials is asked when a server wants a login. It may be nil.
	Credentials func(ctx context.Context, c fetch.Challenge) (*fetch.Userinfo, error)

	// Progress, if set, is called as a fetch goes on.
	Progress func(ref *Reference, e fetch.Event)

	// Observe, if set, is called with each [fetch.Exchange] for a Reference when the
	// exchange ends, even if it failed.
	Observe func(ref *Reference, x *fetch.Exchange)

	// Messages finds the message that a mid: URL names, by its Message-ID with angle
	// brackets. It returns a nil Message if it does not have the message. If Messages
	// is nil, such URLs are Unsupported.
	Messages func(ctx context.Context, messageID string) (*Message, error)

	// MaxBytes bounds a body. 0 means [fetch.DefaultMaxBytes], and a negative value
	// means no limit. A Reference whose SIZE is larger is not fetched.
	MaxBytes int64

	// GuessedHosts allows to contact hosts that are not known to keep files, for links
	// that have the shape of a share. Without it such a Reference, whose Claims have
	// "guessed", is Blocked. The Fetcher needs the same option; see
	// [github.com/go-extbody/extbody/fetch/sharefetch.Options].
	GuessedHosts bool

	// Timeouts are the time limits of one fetch.
	Timeouts fetch.Timeouts

	// Budget bounds the cost of all fetches of this Resolver together, for example in
	// one run of a program. nil means no limit. It applies in addition to the budget of
	// each message.
	Budget *fetch.Budget

	// MessageBudget returns the budget that the fetches for one message share. It is
	// called for each fetch for a Reference of that message, and returns nil for no
	// limit.
	//
	// If MessageBudget is nil, a message may cost [DefaultMessageFetches],
	// [DefaultMessageBytes] and [DefaultMessageTime] from its first fetch. A message
	// that refers to ten thousand files is thus listed whole and makes no more contacts
	// than others; the references that are left are Deferred. If a [Message] is kept
	// open, a new budget begins DefaultMessageTime after the old one has ended.
	//
	// A Reference that was read outside of a message has no such budget.
	MessageBudget func(m *Message) *fetch.Budget

	// Profile is the standard to follow; see [ProfileSIP].
	Profile Profile

	// AcceptTypes lists the media types that may be learnt from a server in the sip
	// profile, in the order of preference. If it is empty, any type may be.
	AcceptTypes []string

	// Strict makes errors of these faults, which are otherwise forgiven:
	//
	//   - each Diag of the Reference,
	//   - a server that names no media type, or another name of the announced one,
	//   - a size that differs from SIZE,
	//   - a digest that cannot be read.
	Strict bool

	// RefuseExpired makes a Reference past its Expiration an error of Kind Expired. By
	// default it is tried, with a warning: the date ends a guarantee and is not a ban
	// (RFC 2046 section 5.2.3.1).
	RefuseExpired bool

	// RefuseSize makes it an error of Kind DigestMismatch if the size of a body is not
	// the SIZE of its Reference. By default that is a warning, since SIZE is there to
	// decide before a fetch (RFC 2046 section 5.2.3.1). RefuseSize is for programs that
	// replace the Reference by the body.
	//
	// SIZE counts the octets of text with the line ends that it came with, or with all
	// line ends as CRLF, or as LF. A body agrees with SIZE if one of these counts does.
	RefuseSize bool

	// SameType reports whether a media type from a server is another name of the
	// announced type of ref, such as application/xml and text/xml. Both are in lower
	// case without parameters. If SameType is nil, it is [CommonTypes], or with Strict
	// only equal types agree (RFC 2017 section 3.1).
	SameType func(ctx context.Context, ref *Reference, announced, served string) bool

	// Accept, if set, is asked before a body is refused because it is of another media
	// type or size than its Reference announces. check is "type" or "size"; announced
	// and actual are media types without parameters, or numbers of octets. If Accept
	// returns true, the body is accepted with a warning. Its MediaType stays the
	// announced one. No time limit runs meanwhile. A digest that differs is never
	// accepted.
	Accept func(ctx context.Context, ref *Reference, check, announced, actual string) bool

	// BaseURL allows relative URLs, which are an error otherwise (RFC 1738 section
	// 2.1). They are resolved against the Content-Location of the part or of an
	// enclosing part, if that is absolute.
	BaseURL bool

	// AccessTypes adds access types, by their name in lower case, and replaces those
	// that are known. RFC 2046 section 5.2.3.1 lets anybody define some. The function
	// returns how to ask for the body, like [Reference.Request]. Its Request passes the
	// Fetcher, the checks and the limits like any other.
	AccessTypes map[string]func(ref *Reference) (*fetch.Request, error)

	// Order lists the mechanisms in the order in which Save tries alternatives. A
	// mechanism is the scheme of a URL, "ftp" for both access types of ftp, or the name
	// of another access type. "*" stands for all that are not listed, which otherwise
	// come last. nil means [DefaultOrder].
	Order []string

	// AnySite allows addresses, and names of one label, as the SITE of an ftp or tftp
	// reference, where RFC 2046 section 5.2.3.2 wants a fully qualified domain name.
	// The Fetcher judges the address all the same.
	AnySite bool

	// FileName names the file that SaveFile makes for a body. If it is nil or returns
	// "", the name is [Report.FileName].
	FileName func(rep *Report) string

	// Stored, if set, makes SaveFile keep a body once in a folder. If a file with the
	// name from FileName has the same octets, it is the file of the body. Otherwise
	// Stored returns the name of a file in the folder that may have the same octets, or
	// "". If that file has them, the new file is a hard link to it, so that a change of
	// one changes both. Octets are compared by their SHA-256: with
	// NoDigest nothing is compared.
	Stored func(rep *Report) string

	// NoDigest omits the SHA-256 of the body from the Report.
	NoDigest bool

	// Now returns the time that expirations are compared with. nil means [time.Now].
	Now func() time.Time
}
