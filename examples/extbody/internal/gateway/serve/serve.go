// Package serve is the part of the server that all front ends share. It takes messages
// and returns decisions, within bounds. For each decision it writes a log line and
// counts.
//
// A front end writes a message into a Spool, calls Engine.Check, and carries out the
// Decisions, by the texts that Checked.Text returns. The Engine fails open: if it cannot look at a message, the Report has
// the verdict unavailable, and the Policy decides. A front end that could not receive a
// message in full calls Engine.Fail for such a Report, or refuses the message.
package serve

import (
	"cmp"
	"context"
	"errors"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/inspect"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/file/spool"
)

// Options are the options of New. Inspector is needed.
type Options struct {
	Inspector *inspect.Inspector

	// Deferrals bound how messages are deferred; nil means that no message is deferred.
	Deferrals *inspect.Deferrals

	// Name is the name of this host, for header fields.
	Name string

	// Messages bounds the messages that are looked at at the same time; default 2000.
	// One more has the verdict unavailable, with the Kind deferred.
	Messages int

	// MaxMessage bounds a message in octets; default 100 MiB.
	MaxMessage int64

	// TempDir is the folder for messages that are not kept in memory; "" is the
	// system's folder for temporary files.
	TempDir string

	// Memory bounds the octets of all messages in memory; default 64 MiB.
	Memory int64

	// Inline is how bodies are put into messages. Its Select and its MaxOutput are set for
	// each message. Without a Resolver nothing is put in. Each body is fetched again, unless
	// the cache of the Resolver has it.
	Inline rewrite.InlineOptions

	// LogRecipients adds the recipients to the log lines, and to the lines that Last returns.
	LogRecipients bool

	// Log is called for each decision, with pairs of a key and a value; nil means no
	// log.
	Log func(msg string, pairs ...any)

	// Found is called with the digests in hexadecimal that a log line has, and must not
	// wait; nil means no calls.
	Found func(sha256 []string, queueID, messageID string)

	// Metrics counts; nil means counters that are not shown.
	Metrics *Metrics
}

// An Engine checks messages. Several goroutines may use it at once.
type Engine struct {
	opts   Options
	policy atomic.Pointer[inspect.Policy]
	memory spool.Account // of messages in memory
	active atomic.Int64  // messages that are looked at

	hurry    context.Context // ends when Hurry is called
	setHurry context.CancelFunc

	mu      sync.Mutex
	last    []Past             // the newest one is the last
	octets  int                // of last
	trouble map[string]trouble // the last one, by part
	totals  map[Total]int      // by Totals without their Number
}

// The bounds of the list that Last returns.
const (
	maxPast       = 1000
	maxPastOctets = 4 << 20
)

// New returns an Engine with a policy.
func New(opts Options, policy *inspect.Policy) *Engine {
	opts.Messages = cmp.Or(opts.Messages, 2000)
	opts.MaxMessage = cmp.Or(opts.MaxMessage, 100<<20)
	opts.Memory = cmp.Or(opts.Memory, 64<<20)
	if opts.Metrics == nil {
		opts.Metrics = NewMetrics(prometheus.NewRegistry())
	}
	e := &Engine{opts: opts, memory: spool.Account{Max: opts.Memory}, trouble: make(map[string]trouble), totals: make(map[Total]int)}
	e.hurry, e.setHurry = context.WithCancel(context.Background())
	e.policy.Store(policy)
	return e
}

// Hurry ends the waiting of all messages, now and later. Unknown outcomes are pending.
func (e *Engine) Hurry() { e.setHurry() }

// SetPolicy sets the policy for messages that are checked from now on.
func (e *Engine) SetPolicy(p *inspect.Policy) { e.policy.Store(p) }

// Log writes to the log of the Options.
func (e *Engine) Log(msg string, pairs ...any) {
	if e.opts.Log != nil {
		e.opts.Log(msg, pairs...)
	}
}

// Policy returns the policy in force.
func (e *Engine) Policy() *inspect.Policy { return e.policy.Load() }

// MaxMessage returns how many octets a message may have.
func (e *Engine) MaxMessage() int64 { return e.opts.MaxMessage }

// Active returns how many messages are looked at now.
func (e *Engine) Active() int { return int(e.active.Load()) }

// messageMemory is how many octets of one message are held in memory.
const messageMemory = 1 << 20

// Spool returns an empty Spool for a message. It is in memory up to 1 MiB, unless all
// messages together would then have more than Options.Memory octets there.
func (e *Engine) Spool() *spool.Spool {
	return &spool.Spool{Dir: e.opts.TempDir, Memory: messageMemory, Max: e.opts.MaxMessage, Account: &e.memory}
}

// ReadFailure returns the Kind of an error of filling a Spool: TooLarge, Local for the
// disk, or 0 for the peer.
func (e *Engine) ReadFailure(err error) fetch.Kind {
	if errors.Is(err, spool.ErrTooLong) {
		return fetch.TooLarge
	}
	if _, ok := errors.AsType[*spool.Error](err); ok {
		e.Failed(noDisk, err.Error())
		return fetch.Local
	}
	return 0
}

// The parts that can fail, and the consequence of each.
const (
	noDisk = "there is no room for messages or bodies on disk"
	noScan = "bodies are not scanned"

	NoCache    = "the cache stores no bodies"                     // for Failed
	NoRoom     = "there is no room for more connections or files" // for Failed
	NoFindings = "findings are not written to the fleet"          // for Failed
	NoArchive  = "bodies are not handed over to the archive"      // for Failed and Works
	NoScanner  = noScan                                           // for Failed and Works
	NoFleet    = "the fleet makes no requests"                    // for Failed and Works: nothing can be judged

	noFetcher = "no fetcher of the fleet takes requests" // nothing can be judged
)

// A trouble is a failure of a part.
type trouble struct {
	at     time.Time
	reason string
}

// troubleTime is how long a failure counts after it was seen last.
const troubleTime = time.Minute

// Failed remembers that a part failed, and the reason; "" for none. It reports whether that is
// new: it did not fail in the last minute.
func (e *Engine) Failed(what, reason string) (anew bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	old, known := e.trouble[what]
	anew = !known || time.Since(old.at) >= troubleTime
	e.trouble[what] = trouble{time.Now(), cmp.Or(reason, old.reason)}
	return anew
}

// Works forgets that a part failed. It reports whether it did in the last minute.
func (e *Engine) Works(what string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	failed := e.fails(what)
	delete(e.trouble, what)
	return failed
}

// fails reports whether a part failed in the last minute.
func (e *Engine) fails(what string) bool { return time.Since(e.trouble[what].at) < troubleTime }

// Failing returns the failures of the last minute with their reasons, in words.
func (e *Engine) Failing() (list []string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, what := range []string{NoFleet, noFetcher, noDisk, noScan, NoCache, NoRoom, NoFindings, NoArchive} {
		if !e.fails(what) {
			continue
		}
		if reason := e.trouble[what].reason; reason != "" {
			what += ": " + Plain(reason)
		}
		list = append(list, what)
	}
	return list
}

// Parts has, by the name of a part, a function that reports whether it failed in the last minute.
func (e *Engine) Parts() map[string]func() bool {
	parts := make(map[string]func() bool)
	faults := map[string]string{
		"fleet": NoFleet, "fetcher": noFetcher, "disk": noDisk, "scanner": noScan, "cache": NoCache, "room": NoRoom,
		"findings": NoFindings, "archive": NoArchive,
	}
	for part, what := range faults {
		parts[part] = func() bool {
			e.mu.Lock()
			defer e.mu.Unlock()
			return e.fails(what)
		}
	}
	return parts
}

// Blind reports whether a part is missing without which nothing can be judged.
func (e *Engine) Blind() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.fails(NoFleet) || e.fails(noFetcher)
}

// A Mail is a message and the circumstances in which it came.
type Mail struct {
	Front    string // the name of the front end
	Spool    *spool.Spool
	Envelope inspect.Envelope
	QueueID  string
	Client   string        // the name of the client, see [Client]; "" if it is not known
	Received time.Time     // when the front end started to receive it
	Wait     time.Duration // how long to wait for fetches; 0 or less means not at all
	Submit   bool          // it will come again: nothing is deferred, logged or counted

	// Most bounds the octets of the message with bodies in it; 0 means no bound.
	Most int64

	// Actions are those that the front end can carry out on this message, in addition to
	// None, Tag, Defer and Reject. Another action is replaced, and so is one that this message
	// does not allow; see [inspect.Decision.Within].
	Actions []inspect.Action
}

// Check looks at a message. The methods of the Checked decide about it.
func (e *Engine) Check(ctx context.Context, m *Mail) *Checked {
	defer e.active.Add(-1)
	begun := time.Now()
	c := e.Fail(m, fetch.Deferred)
	c.ctx = ctx
	if e.active.Add(1) <= int64(e.opts.Messages) {
		in := *e.opts.Inspector
		in.Wait = max(m.Wait, 1)
		in.Hurry = e.hurry
		c.Report = in.Inspect(ctx, &inspect.Message{
			Text: m.Spool, Size: m.Spool.Size(), Source: m.Client,
			Skip:    func(rep *inspect.Report, n int) bool { return c.policy.Skips(rep, &m.Envelope, n) },
			Capture: func(rep *inspect.Report, n int) bool { return c.policy.Captures(rep, &m.Envelope, n) },
		})
		e.blame(c.Report)
	}
	e.opts.Metrics.phase(m.Front, "receive", begun.Sub(m.Received))
	e.opts.Metrics.phase(m.Front, "inspect", time.Since(begun))
	return c
}

// blame notes the parts of our own that did not do their work, before an action is carried out.
func (e *Engine) blame(rep *inspect.Report) {
	for _, r := range rep.Refs {
		switch part, reason := r.Fault(); {
		case part == inspect.StoredBody:
			e.Failed(NoCache, reason)
		case part == inspect.FleetFetcher:
			e.Failed(noFetcher, reason)
		case part != "":
			e.Failed(NoFleet, reason)
		case r.Kind == fetch.Local:
			e.Failed(noDisk, "")
		case r.Scan == inspect.ScanFailed && !r.Oversize:
			e.Failed(noScan, "")
		}
	}
}

// Fail returns a Checked for a message that was not received in full, or not looked at, for the
// reason kind. Its verdict is pending if that is Local, and unavailable otherwise.
func (e *Engine) Fail(m *Mail, kind fetch.Kind) *Checked {
	rep := inspect.Failure(kind)
	if kind == fetch.TooLarge {
		rep = inspect.TooLong()
	}
	return &Checked{
		engine: e, ctx: context.Background(), mail: m, policy: e.policy.Load(), forms: make(map[string]*spool.Spool), Report: rep,
	}
}

// Client returns a name for the client that sent a message, so that limits can hold for
// each client. The name is
//
//   - the login, if there is one; or
//   - the address, if it is a public one of IPv4; or
//   - the network of 64 bits of the address, if it is a public one of IPv6; or
//   - "" for any other address. A private address, or one of this host, belongs to a
//     mail server that hands on the messages of many clients.
func Client(login string, address netip.Addr) string {
	if login != "" {
		return "login " + login
	}
	a := address.Unmap().WithZone("")
	if !a.IsGlobalUnicast() || a.IsPrivate() {
		return ""
	}
	if a.Is6() {
		network, _ := a.Prefix(64)
		return network.String()
	}
	return a.String()
}
