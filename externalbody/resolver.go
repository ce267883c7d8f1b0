package externalbody

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/netx/only"
)

// A Resolver turns References into bodies. Its zero value can plan. To resolve it needs
// a Fetcher: for URLs from strangers, the one that package safefetch makes. A Resolver
// is safe for concurrent use as long as its fields are not changed. Its functions are
// called by the goroutines that resolve, and that read and close a Body, so by several
// at once if these are several.
type Resolver struct {
	// Fetcher gets the data. A fetch.Mux reaches only the schemes that it handles.
	Fetcher fetch.Fetcher

	// Approve, if set, is asked before anything is contacted. It is asked again when a
	// redirect leaves the host that was approved, or leads to it by a way that is not encrypted
	// while the approved one was. Its error makes the resolution fail
	// with Denied, or with the error's own Kind. Without Approve, the call of Resolve
	// or Save is the consent.
	Approve func(ctx context.Context, p *Plan) error

	// AsOf, if set, returns the time as of which a file is asked for with an account at its host, such as
	// the time at which the message arrived. The zero Time asks for the present file. Other
	// fetches ignore it. See fetch.Request.AsOf.
	AsOf func(ref *Reference) time.Time

	// Credentials is asked when a server wants a login, as
	// fetch.Request.Credentials is. nil means that there are none.
	Credentials func(ctx context.Context, c fetch.Challenge) (*fetch.Userinfo, error)

	// Progress, if set, is called with each step of a fetch. It must return soon.
	Progress func(ref *Reference, e fetch.Event)

	// Observe, if set, is called with each fetch.Exchange for a Reference when the
	// exchange ends, even if it failed. It must return soon.
	Observe func(ref *Reference, x *fetch.Exchange)

	// Messages finds the message that a mid: URL names, by its Message-ID with angle
	// brackets. It returns a nil Message if it does not have the message. If Messages
	// is nil, such URLs are Unsupported.
	Messages func(ctx context.Context, messageID string) (*Message, error)

	// MaxBytes bounds a body. 0 means fetch.DefaultMaxBytes, and a negative value
	// means no limit. A Reference whose SIZE is larger is not fetched.
	MaxBytes int64

	// GuessedHosts allows to contact hosts that are not known to keep files, for links
	// that have the shape of a share. Without it such a Reference, whose Claims have
	// "guessed", is Blocked.
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
	// If MessageBudget is nil, a message may cost DefaultMessageFetches,
	// 10 GiB and an hour from its first fetch. A message
	// that refers to ten thousand files is thus listed whole and makes no more contacts
	// than others; the references that are left are Deferred. If a Message is kept
	// open, a new budget starts an hour after the old one has ended.
	//
	// A Reference that was read outside of a message has no such budget.
	MessageBudget func(m *Message) *fetch.Budget

	// SIP, if set, follows content indirection in SIP instead of RFC 2046 and RFC 2017
	// where they differ. nil is for mail.
	SIP *SIP

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

	// Judge, if set, decides about each difference between a body and its claims of media
	// type and size. If it returns nil, the body is accepted with a warning, and its
	// MediaType stays the announced one. Otherwise the resolution fails with the error: with
	// its Kind, or TypeMismatch or SizeMismatch if it has none. A Judge that has no
	// opinion returns the Objection's Err. A digest that differs is never accepted. No time
	// limit runs while Judge is asked. See RefuseSize.
	Judge func(ctx context.Context, o *Objection) error

	// BaseURL allows relative URLs, which are an error otherwise (RFC 1738 section
	// 2.1). They are resolved against the Content-Location of the part or of an
	// enclosing part, if that is absolute.
	BaseURL bool

	// AccessTypes adds access types, by their name in lower case, and replaces those
	// that are known. RFC 2046 section 5.2.3.1 lets anybody define some. The function
	// returns how to ask for the body, like Reference.Request. Its Request passes the
	// Fetcher, the checks and the limits like any other.
	AccessTypes map[string]func(ref *Reference) (*fetch.Request, error)

	// AnySite allows addresses, and names of one label, as the SITE of an ftp or tftp
	// reference, where RFC 2046 section 5.2.3.2 wants a fully qualified domain name.
	// The Fetcher judges the address all the same.
	AnySite bool

	// NoDigest omits the SHA-256 of the body from the Report.
	NoDigest bool
}

func (r *Resolver) maxBytes() int64 { return cmp.Or(r.MaxBytes, fetch.DefaultMaxBytes) }

func (r *Resolver) newTrace(ref *Reference) *trace {
	return &trace{ref: ref, observe: r.Observe, started: now()}
}

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

// announced returns the media type that the data must have, or "" if it may have any.
func (r *Resolver) announced(ref *Reference) string {
	if r.SIP != nil && ref.defaultType() {
		return "" // RFC 4483 section 5.8
	}
	return ref.MediaType
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

// watch makes t record the Exchanges of req, the next request. It skips Exchanges with
// proxies, and those before a login or a repetition.
func (t *trace) watch(req *fetch.Request) {
	t.report = nil
	req.Driver(only.Driver{}).Part().Brief = t.observe == nil
	req.Observe = func(x *fetch.Exchange) {
		if f := &t.facts; x.Protocol != "connect" && x.Protocol != "socks5" {
			if f.FinalURL != "" && f.FinalURL != x.URL {
				f.Hops = append(f.Hops, f.FinalURL)
			}
			f.FinalURL = x.URL
			f.RemoteAddr = x.Remote
			f.TLS = x.TLS
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

// now returns the time for Reports.
func now() time.Time { return time.Now().UTC() }

// sender returns the address that the message of the Reference is from; see
// [Plan].Sender.
func (r *Reference) sender() string {
	if r.Sender != "" {
		if address := Sender(r.Sender); address != "" {
			return address
		}
		return r.Sender
	}
	if r.source == nil || r.part.Message().Parent != nil {
		return "" // anybody may have written the header of a message within the message
	}
	return Sender(r.source.message.from...)
}

// SIP is content indirection in SIP (RFC 4483, RFC 5621):
//
//   - EXPIRATION is mandatory and ends the validity of the URL: a Reference past it is
//     Expired, as with [Resolver].RefuseExpired.
//   - The phantom Content-Type may be left out. Then the media type is the one that the
//     server names, if Accept allows it.
//   - HASH is compared, and the data is withheld if it differs.
//   - A body whose disposition is by-reference is Denied unless something else in the
//     message refers to it.
type SIP struct {
	// Accept lists the media types that may be learnt from a server, in the order of
	// preference. If it is empty, any type may be.
	Accept []string
}

// within reports whether the scheme names something in a message.
func within(scheme string) bool { return scheme == "cid" || scheme == "mid" }

// maxNesting bounds how often a fetched body may be a reference again.
const maxNesting = 5

// A chain is the way from a Reference to the data if it refers to another reference
// (RFC 2046 section 5.2.3.7).
type chain struct {
	seen map[string]bool // the Plans that were followed
	left int64           // octets that may still be read; < 0: no limit

	trace *trace

	promised []claim // of the References on the way
}

// follow remembers a Plan. It refuses a Plan that it has seen, and refuses too many.
func (c *chain) follow(p *Plan) error {
	if c.seen == nil {
		c.seen = make(map[string]bool)
	}
	switch {
	case c.seen[p.ID]:
		return &fetch.Error{Op: "resolve", URL: p.URL, Kind: fetch.Malformed, Err: errors.New("the references form a circle")}
	case len(c.seen) > maxNesting:
		return &fetch.Error{Op: "resolve", URL: p.URL, Kind: fetch.Malformed, Err: fmt.Errorf(
			"more than %d references one after the other", maxNesting,
		)}
	}
	c.seen[p.ID] = true
	return nil
}
