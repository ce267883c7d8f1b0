// Package inspect looks at one message. It reports on the files that the message refers
// to, and decides about the message by the policy of a site.
//
// An Inspector finds the references and fetches their bodies through the Resolver that
// it is given. It compares them with the claims of the message, and has them scanned. The
// result is a Report, which has a Verdict and symbols. From a Report, a Policy makes a
// Decision for a recipient. All front ends use this one path: the command check, HTTP,
// LMTP and the milter.
//
// # Time
//
// Inspect waits for fetches for Inspector.Wait at most. A body that is not known by then
// is Pending. The fetch goes on, for PoolOptions.Timeout at most, and the next inspection
// of the message finds the outcome. Messages that refer to the same thing share one
// fetch and one scan.
//
// Bodies in the message itself are looked at before Inspect returns. All of them
// together have Inspector.Wait for that, but at least 5 seconds. Reading the message itself
// has the same time. A message that takes longer, as only a long one can that is made for
// that, is not looked into: its Report has an Unread with that bound.
//
// # Failing open
//
// A message without references passes. A message about which nothing can be found out
// passes too, unless a rule decides otherwise. Such rules name the verdicts unavailable and
// pending.
//
// # Secrets
//
// The URL of a share link is a credential. A Report contains its scheme and its host,
// and nothing else of it. A header field contains its host alone.
package inspect

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
)

// An Inspector inspects messages. Its fields must not change after its first use.
// Several goroutines may call its methods at once.
type Inspector struct {
	// Resolver fetches. If it is nil no host is contacted: each reference has the State
	// Left and the Kind denied, which do not count in the verdict.
	Resolver *externalbody.Resolver

	// Browser, if it is not nil, fetches as a browser would. The body of each reference is
	// fetched again by it, unless that uses up a download. If a browser gets other octets,
	// they are looked at, and the verdict is Suspicious. The two have one budget.
	Browser *externalbody.Resolver

	// Reading is which forms of references are read; nil is the standard form alone.
	Reading *externalbody.OpenOptions

	// Pool bounds and shares the fetches. It is needed with a Resolver.
	Pool *Pool

	// Scanner looks for malware in bodies; nil means that they are not scanned.
	Scanner *Scanner

	// Wait bounds the time that Inspect waits for fetches; 0 means that only its
	// context bounds it.
	Wait time.Duration

	// Hurry, if it is not nil, ends the waiting for all messages when it ends.
	Hurry context.Context

	// TempDir is where bodies are kept while they are looked at; "" is the system's
	// folder for temporary files.
	TempDir string

	// Fetches bounds the contacts for the references of one message, each time that it is
	// inspected; 0 means 100. They may have 1 GiB in all.
	Fetches int64

	// Keep, if it is not nil, gets the bodies that Message.Capture wants, as soon as they are found. It must
	// not wait, and closes the Fetched. It may be called until Pool.Close has returned.
	Keep func(*Fetched)

	// Once allows fetches that use up one of the downloads that the host allows. By
	// default these are left to the recipients: the reference has the State Failed and
	// the Kind denied, so the verdict is Unavailable.
	Once bool
}

// Inspect looks at a message. It never fails: if it could not look at the message, the
// Report has the reason, and its Verdict is Unavailable. When ctx ends it returns the
// facts that are known.
//
// m.Text is not read after Inspect has returned.
func (in *Inspector) Inspect(ctx context.Context, m *Message) *Report {
	text := &timed{r: m.Text, ctx: ctx, until: time.Now().Add(max(in.Wait, localTime))}
	msg, err := externalbody.Open(text, m.Size, in.Reading)
	text.until = time.Time{}
	switch {
	case errors.Is(err, errTime):
		return cutShort(errTime.Error())
	case err != nil:
		return Failure(fetch.KindOf(err))
	}
	rep := &Report{Refs: []Ref{}}
	for u := range msg.Unread() {
		rep.addUnread(Unread{brief(u.Section), brief(u.MediaType), string(u.Reason), brief(u.Detail)})
	}
	in.inspect(ctx, m, msg, rep)
	if len(rep.Refs) == 0 && !rep.Nothing() {
		rep.header = headerOf(msg)
	}
	rep.conclude()
	return rep
}

// inspect adds the references to rep.
func (in *Inspector) inspect(ctx context.Context, m *Message, msg *externalbody.Message, rep *Report) {
	if in.Hurry != nil {
		var stop context.CancelFunc
		ctx, stop = context.WithCancel(ctx)
		defer stop()
		defer context.AfterFunc(in.Hurry, stop)()
	}
	whole := ctx
	if in.Wait > 0 {
		var stop, stopWhole context.CancelFunc
		whole, stopWhole = context.WithTimeout(ctx, max(in.Wait, localTime))
		defer stopWhole()
		ctx, stop = context.WithTimeout(ctx, in.Wait)
		defer stop()
	}
	type asked struct {
		at    int // in the Refs
		q     question
		task  *task
		state asking
	}
	var asks []asked
	var keys []string
	resolver, browser := in.resolvers()
	from := new(sender)
	outer := outerHeadersOf(msg)
	captures := func(n int) bool { return in.Keep != nil && m.Capture != nil && m.Capture(rep, n) }
	// Each reference is looked at separately. That some of them lead to the same body
	// is only the word of the sender, and a reader may open any of them.
	for ref := range msg.References() {
		if len(rep.Refs) == 0 {
			rep.header = headerOf(msg)
		}
		as := browser
		plan := resolver.Plan(anonymous(ref))
		at := len(rep.Refs)
		rep.Refs = append(rep.Refs, listed(outer, ref, plan))
		if plan.Once || plan.Local() {
			as = nil
		}
		// The Mismatch of a finding depends on the message.
		id := digest("%s %q %q", plan.ID, ref.MediaType, ref.Name)
		keys = append(keys, id)
		switch {
		case in.Resolver == nil, m.Skip != nil && m.Skip(rep, at):
			rep.Refs[at].finding = finding{State: Left, Kind: fetch.Denied}
		case plan.Local():
			// The octets are in the message, which is available now and not later.
			rep.Refs[at].finding = *in.find(whole, resolver, nil, ref, false)
			if whole.Err() != nil {
				rep.Refs[at].finding = finding{State: StillToCome}
			}
		default:
			keep := captures(at)
			if keep && !plan.Once { // a download that counts is made once for all who ask for it
				id = digest("%s and keep it", id)
			}
			rep.Refs[at].link = digest("%s", target(ref))
			q := question{id, rep.Refs[at].link, m.Source, from, in.Scanner.version(), func(ctx context.Context, busy bool) *finding {
				return in.find(ctx, inTime(resolver, busy), inTime(as, busy), ref, keep)
			}}
			task, state := in.Pool.ask(q)
			asks = append(asks, asked{at, q, task, state})
		}
	}
	slices.Sort(keys)
	rep.Key = digest("%s", strings.Join(keys, ""))
	for _, a := range asks {
		cached := a.state == isKnown
		f := in.Pool.await(ctx, a.task)
		// Another message may have run out of budget. This one has its own.
		for f.unaffordable() && a.state == isShared && ctx.Err() == nil {
			a.task, a.state = in.Pool.ask(a.q)
			f = in.Pool.await(ctx, a.task)
		}
		rep.Refs[a.at].finding = *f
		rep.Refs[a.at].Cached = cached
	}
}

// resolvers returns the Resolvers for one message. The second one is nil without a Browser.
func (in *Inspector) resolvers() (r, browser *externalbody.Resolver) {
	if in.Resolver == nil {
		return new(externalbody.Resolver), nil
	}
	budget := fetch.NewBudget(fetch.BudgetLimits{Octets: maxOctets, Fetches: cmp.Or(in.Fetches, defaultFetches)})
	with := func(r externalbody.Resolver, once bool) *externalbody.Resolver {
		if r.Fetcher != nil {
			r.Fetcher = &whileRoom{driver.Layer{Next: r.Fetcher}, in}
		}
		r.MessageBudget = func(*externalbody.Message) *fetch.Budget { return budget }
		approve := r.Approve
		r.Approve = func(ctx context.Context, p *externalbody.Plan) error {
			if p.Once && !once {
				return errOnce
			}
			if approve != nil {
				return approve(ctx, p)
			}
			return nil
		}
		return &r
	}
	if in.Browser != nil {
		browser = with(*in.Browser, false)
	}
	return with(*in.Resolver, in.Once), browser
}

// A whileRoom is a Fetcher that asks no host while the disk for bodies is full.
type whileRoom struct {
	driver.Layer
	in *Inspector
}

var errNoRoom = errors.New("no host is asked while the disk for bodies is full")

// Fetch implements [fetch.Fetcher]. The disk is looked at before the first contact, after the wait for it. A
// request that has begun goes on (OP-51).
func (w *whileRoom) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	c := *req
	gate := driver.OfRequest(req).Gate
	begun := false
	driver.OfRequest(&c).Gate = func(ctx context.Context, to *url.URL) error {
		if !begun && w.in.Pool.disk.Full(w.in.TempDir) {
			return &fetch.Error{Kind: fetch.Local, Err: errNoRoom}
		}
		begun = true
		if gate == nil {
			return nil
		}
		return gate(ctx, to)
	}
	return w.Layer.Fetch(ctx, &c)
}

// find fetches a body, looks at it and has it scanned. It looks again with browser, unless
// that is nil, no server answered, or the body is made for each request. With keep the body on which the
// finding rests goes to Keep.
func (in *Inspector) find(ctx context.Context, r, browser *externalbody.Resolver, ref *externalbody.Reference, keep bool) (f *finding) {
	f, first := in.look(ctx, r, ref, keep)
	kept := first
	defer func() {
		if first != kept {
			first.Close()
		}
		if kept != nil {
			in.Keep(kept)
		}
	}()
	if browser == nil || !f.answered() || f.Capture == fetch.CaptureRendition {
		return f
	}
	g, second := in.look(ctx, browser, ref, keep)
	switch {
	case f.Scan == Infected && !g.answered():
		return f
	case g.State == StillToCome, g.ours():
		return g
	case !g.answered() || g.SHA256 == f.SHA256:
		second.Close()
		return f
	case f.Scan == Infected && g.Scan != Infected || g.State != Known:
		second.Close()
		g = f
	default:
		kept = second
	}
	g.Cloaked = true
	return g
}

// A Fetched is a body that was fetched, with all that is known of it. Ref and Exchanges are not nil.
type Fetched struct {
	*externalbody.Spool
	Ref       *externalbody.Reference
	Exchanges []*fetch.Exchange
}

// Close frees the body. A nil Fetched has none.
func (f *Fetched) Close() {
	if f != nil {
		f.Spool.Close()
	}
}

// look is one look at a body, which is returned with keep if it is known.
func (in *Inspector) look(ctx context.Context, r *externalbody.Resolver, ref *externalbody.Reference, keep bool) (*finding, *Fetched) {
	var said exchanges
	if keep {
		r = said.observing(r)
	}
	r, hops := countingHops(r)
	spool, err := r.SaveSpool(ctx, []*externalbody.Reference{ref}, in.TempDir)
	if in.Pool != nil {
		in.Pool.disk.Note(err)
	}
	if err != nil {
		f := missing(err, ref, r.Timeouts.FirstOctet == busyTime)
		f.hops = int(hops.Load())
		return f, nil
	}
	kept := &Fetched{Spool: spool, Ref: ref, Exchanges: said.all()}
	f, err := found(ref, spool.Report, spool.FileName, spool, spool.Size())
	if err != nil {
		kept.Close()
		return &finding{State: Failed, Kind: fetch.Local}, nil
	}
	f.scanned = in.Scanner.scan(ctx, spool.NewReader(), f.SHA256)
	if !keep {
		kept.Close()
		return f, nil
	}
	return f, kept
}

// countingHops returns a Resolver like r, and the number of redirects that it follows, for a body that cannot be had.
func countingHops(r *externalbody.Resolver) (*externalbody.Resolver, *atomic.Int64) {
	hops := new(atomic.Int64)
	c := *r
	c.Progress = func(ref *externalbody.Reference, e fetch.Event) {
		hops.Store(max(hops.Load(), int64(e.Hop)))
		if r.Progress != nil {
			r.Progress(ref, e)
		}
	}
	return &c, hops
}

// exchanges are the exchanges of one look.
type exchanges struct {
	mu   sync.Mutex
	list []*fetch.Exchange
}

// observing returns a Resolver like r whose exchanges are also added to x.
func (x *exchanges) observing(r *externalbody.Resolver) *externalbody.Resolver {
	c := *r
	c.Observe = func(ref *externalbody.Reference, e *fetch.Exchange) {
		x.mu.Lock()
		x.list = append(x.list, e)
		x.mu.Unlock()
		if r.Observe != nil {
			r.Observe(ref, e)
		}
	}
	return &c
}

func (x *exchanges) all() []*fetch.Exchange {
	x.mu.Lock()
	defer x.mu.Unlock()
	return slices.Clone(x.list)
}

// The bounds of one message.
const (
	localTime      = 5 * time.Second // for the message and the bodies in it, if Wait is less
	defaultFetches = 100
	maxOctets      = 1 << 30
)

// A Message is a message to inspect.
type Message struct {
	Text io.ReaderAt
	Size int64

	// Source is the name of the client that sent the message; "" if it is not known.
	// Each Source has a bounded number of fetches at a time; see [PoolOptions]. It must
	// not be a text that a stranger can choose, such as the sender of the envelope:
	// strangers could then use up the fetches of another client.
	Source string

	// Skip, if it is not nil, is asked before a body is looked for. With true no host is contacted for
	// the reference n of the Report, which has the State Left and the Kind denied; see [Policy.Skips].
	Skip func(rep *Report, n int) bool

	// Capture, if it is not nil, is asked before a body is looked for. With true the body of the reference n
	// of the Report goes to Inspector.Keep; see [Policy.Captures]. A message that wants to keep a body shares
	// no fetch with one that does not, unless the fetch uses up a download.
	Capture func(rep *Report, n int) bool
}

// digest returns the SHA-256 of a formatted text, in hexadecimal.
func digest(format string, args ...any) string {
	return fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, format, args...)))
}

// anonymous returns a reference without the parts that distinguish it from others that ask
// for and accept the same, so that messages that refer to one file share one fetch. It
// keeps the Content-ID if the access type needs it.
func anonymous(ref *externalbody.Reference) *externalbody.Reference {
	if ref.InMessage() || ref.AccessType == "mail-server" {
		return ref
	}
	a := *ref
	a.ContentID = ""
	a.Header = slices.DeleteFunc(slices.Clone(ref.Header), func(f externalbody.Field) bool {
		return strings.EqualFold(f.Name, "Content-ID") || strings.EqualFold(f.Name, "Content-Description")
	})
	return &a
}

// inTime returns r with the limits on time of a Pool that is full, if busy is set.
func inTime(r *externalbody.Resolver, busy bool) *externalbody.Resolver {
	if r == nil || !busy {
		return r
	}
	c := *r
	c.Timeouts.Connect = busyTime
	c.Timeouts.FirstOctet = busyTime
	return &c
}

// A timed reads a message until a time. After that, and when its context has ended, reading
// fails. It bounds the time for messages that are made to take long.
type timed struct {
	r     io.ReaderAt
	ctx   context.Context
	until time.Time // the zero Time means no bound
}

// ReadAt implements io.ReaderAt. Its own errors are errTime, and one of Kind Canceled.
func (t *timed) ReadAt(p []byte, off int64) (int, error) {
	switch {
	case t.until.IsZero():
	case t.ctx.Err() != nil:
		return 0, &fetch.Error{Op: "read", Kind: fetch.Canceled, Err: t.ctx.Err()}
	case time.Now().After(t.until):
		return 0, errTime
	}
	return t.r.ReadAt(p, off)
}

var errTime = errors.New("the time for reading a message (--wait, or 5 seconds) was over")

// DeferralKey returns the key of a message for some of its recipients.
func DeferralKey(rep *Report, env *Envelope, recipients []string) string {
	to := slices.Clone(recipients)
	slices.Sort(to)
	return digest("%s\x00%s\x00%s", strings.ToLower(env.From), strings.ToLower(strings.Join(to, "\x00")), rep.Key)
}
