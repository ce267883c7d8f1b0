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
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"

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

	// LogRecipients adds the recipients to the log lines.
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
	last    []Past               // the newest one is the last
	octets  int                  // of last
	trouble map[string]time.Time // when something last failed
}

// The defaults of Options.
const (
	defaultMessages   = 2000
	defaultMaxMessage = 100 << 20
	defaultMemory     = 64 << 20
	maxPast           = 1000
	maxPastOctets     = 4 << 20
)

// New returns an Engine with a policy.
func New(opts Options, policy *inspect.Policy) *Engine {
	opts.Messages = cmp.Or(opts.Messages, defaultMessages)
	opts.MaxMessage = cmp.Or(opts.MaxMessage, defaultMaxMessage)
	opts.Memory = cmp.Or(opts.Memory, defaultMemory)
	if opts.Metrics == nil {
		opts.Metrics = NewMetrics(prometheus.NewRegistry())
	}
	if opts.Log == nil {
		opts.Log = func(string, ...any) {}
	}
	if opts.Found == nil {
		opts.Found = func([]string, string, string) {}
	}
	e := &Engine{opts: opts, memory: spool.Account{Max: opts.Memory}, trouble: make(map[string]time.Time)}
	e.hurry, e.setHurry = context.WithCancel(context.Background())
	e.policy.Store(policy)
	return e
}

// Hurry ends the waiting of all messages, now and later. Unknown outcomes are pending.
func (e *Engine) Hurry() { e.setHurry() }

// SetPolicy sets the policy for messages that are checked from now on.
func (e *Engine) SetPolicy(p *inspect.Policy) { e.policy.Store(p) }

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
		e.Failed(noDisk)
		return fetch.Local
	}
	return 0
}

// The failures that Failing returns.
const (
	noDisk = "there is no room for messages or bodies on disk"
	noScan = "bodies are not scanned"

	NoCache    = "the cache stores no bodies"                     // for Failed
	NoRoom     = "there is no room for more connections or files" // for Failed
	NoFindings = "findings are not written to the fleet"          // for Failed
)

// Failed remembers that something failed: NoCache, NoRoom or NoFindings.
func (e *Engine) Failed(what string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.trouble[what] = time.Now()
}

// Failing returns the failures of the last minute, in words.
func (e *Engine) Failing() (list []string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, what := range []string{noDisk, noScan, NoCache, NoRoom, NoFindings} {
		if at, ok := e.trouble[what]; ok && time.Since(at) < time.Minute {
			list = append(list, what)
		}
	}
	return list
}

// A Mail is a message and the circumstances in which it came.
type Mail struct {
	Front    string // the name of the front end
	Spool    *spool.Spool
	Envelope inspect.Envelope
	QueueID  string
	Client   string        // the name of the client, see [Client]; "" if it is not known
	Received time.Time     // when the front end began to receive it
	Wait     time.Duration // how long to wait for fetches; 0 or less means not at all
	Submit   bool          // it will come again: nothing is deferred, logged or counted

	// Most bounds the octets of the message with bodies in it; 0 means no bound.
	Most int64

	// Actions are those that the front end can carry out on this message, in addition to
	// None, Tag, Defer and Reject. Another action is replaced, and so is one that this message
	// does not allow; see [inspect.Decision.Within].
	Actions []inspect.Action
}

// A Checked is a message with its Report, and the policy at the time of the check. Close
// must be called.
type Checked struct {
	engine *Engine
	ctx    context.Context
	mail   *Mail
	policy *inspect.Policy
	forms  map[string]*spool.Spool // see Text; nil for what cannot be done
	Report *inspect.Report
}

var errNoBody = errors.New("no body can be put in")

// Check looks at a message. The methods of the Checked decide about it.
func (e *Engine) Check(ctx context.Context, m *Mail) *Checked {
	defer e.active.Add(-1)
	begun := time.Now()
	c := &Checked{engine: e, ctx: ctx, mail: m, policy: e.policy.Load()}
	switch {
	case e.active.Add(1) > int64(e.opts.Messages):
		c.Report = inspect.Failure(fetch.Deferred)
	default:
		in := *e.opts.Inspector
		in.Wait, in.Hurry = max(m.Wait, 1), e.hurry
		c.Report = in.Inspect(ctx, &inspect.Message{Text: m.Spool, Size: m.Spool.Size(), Source: m.Client})
	}
	e.opts.Metrics.phase(m.Front, "receive", begun.Sub(m.Received))
	e.opts.Metrics.phase(m.Front, "inspect", time.Since(begun))
	return c
}

// Fail returns a Checked for a message that could not be received in full, for the
// reason kind. Its verdict is unavailable.
func (e *Engine) Fail(m *Mail, kind fetch.Kind) *Checked {
	return &Checked{engine: e, ctx: context.Background(), mail: m, policy: e.policy.Load(), Report: inspect.Failure(kind)}
}

// Decide returns one Decision for all recipients, logs and counts it.
func (c *Checked) Decide() (d inspect.Decision) {
	c.DecideThen(func(decision inspect.Decision) { d = decision })
	return d
}

// DecideThen is Decide with a callback. It calls answer with the Decision when the Decision
// is counted, before the log line is written, so that the client does not wait for that.
func (c *Checked) DecideThen(answer func(inspect.Decision)) {
	env := &c.mail.Envelope
	d := c.policy.DecideAll(c.Report, env, c.mayDefer(env.Recipients)).Within(c.can)
	c.count(d)
	answer(d)
	c.log(d, env.Recipients)
}

// DecideEach returns a Decision for each recipient, in their order. A recipient that is
// given twice gets the same Decision twice. The front end calls Record when it has carried
// the Decisions out.
func (c *Checked) DecideEach() []inspect.Decision {
	env := &c.mail.Envelope
	list := make([]inspect.Decision, len(env.Recipients))
	decided := make(map[string]inspect.Decision)
	for i, rcpt := range env.Recipients {
		d, again := decided[rcpt]
		if !again {
			d = c.policy.Decide(c.Report, env, rcpt, c.mayDefer(env.Recipients[i:i+1])).Within(c.can)
			decided[rcpt] = d
		}
		list[i] = d
	}
	return list
}

// Record logs and counts the Decisions that were carried out, one for each recipient. Those
// with the same action and rule are logged and counted once, with the number of their
// recipients.
func (c *Checked) Record(list []inspect.Decision) {
	recipients := make(map[string][]string) // by action and rule
	var order []inspect.Decision
	key := func(d inspect.Decision) string { return string(d.Action) + " " + d.Rule }
	for i, d := range list {
		if recipients[key(d)] == nil {
			order = append(order, d)
		}
		recipients[key(d)] = append(recipients[key(d)], c.mail.Envelope.Recipients[i])
	}
	for _, d := range order {
		c.count(d)
		c.log(d, recipients[key(d)])
	}
}

func (c *Checked) can(d inspect.Decision) bool {
	return slices.Contains(c.mail.Actions, d.Action) && c.Text(d) != nil
}

// Answer returns the Answer for a Decision, which is written as JSON.
func (c *Checked) Answer(d inspect.Decision) *inspect.Answer { return c.policy.Answer(c.Report, d) }

// Field returns the value of the header field for a Decision. It returns "" for a
// message that was looked at in full and has no references, which gets no field.
func (c *Checked) Field(d inspect.Decision) string {
	if c.Report.Nothing() {
		return ""
	}
	return inspect.FieldValue(c.engine.opts.Name, c.Report, &d)
}

// mayDefer returns the function that a Policy calls before it defers, or nil if the
// message must not be deferred.
func (c *Checked) mayDefer(recipients []string) func() bool {
	if c.mail.Submit || c.engine.opts.Deferrals == nil {
		return nil
	}
	return func() bool {
		key := inspect.DeferralKey(c.Report, &c.mail.Envelope, recipients)
		may := c.engine.opts.Deferrals.May(key, c.policy.Defer, !c.Report.Untried())
		if !may {
			c.engine.opts.Metrics.ended.Inc()
		}
		return may
	}
}

// count counts a decision, and remembers it for the operator.
func (c *Checked) count(d inspect.Decision) {
	if c.mail.Submit {
		return
	}
	e, rep := c.engine, c.Report
	for i := range rep.Refs {
		switch r := &rep.Refs[i]; {
		case r.Kind == fetch.Local:
			e.Failed(noDisk)
		case r.Scan == inspect.ScanFailed && !r.Oversize:
			e.Failed(noScan)
		}
	}
	e.opts.Metrics.decided(c.mail.Front, rep, &d)
	if rep.Nothing() {
		return
	}
	e.remember(newPast(c, d))
}

// log writes the log line for a decision.
func (c *Checked) log(d inspect.Decision, recipients []string) {
	if c.mail.Submit {
		return
	}
	rep := c.Report
	domain := Plain(inspect.Domain(c.mail.Envelope.From))
	pairs := []any{
		"front", c.mail.Front, "queue_id", Plain(c.mail.QueueID), "from_domain", domain, "recipients", len(recipients),
		"octets", c.mail.size(), "verdict", string(rep.Verdict), "action", string(d.Action), "refs", len(rep.Refs),
	}
	add := func(key string, value any, set bool) {
		if set {
			pairs = append(pairs, key, value)
		}
	}
	text := func(key, value string) { add(key, Plain(value), value != "") }
	list := func(key string, values []string) { add(key, values, len(values) > 0) }
	text("message_id", rep.MessageID())
	text("client", c.mail.Client)
	if c.engine.opts.LogRecipients {
		list("rcpt", distinct(recipients, func(r string) string { return r }))
	}
	text("rule", d.Rule)
	text("mode", string(d.Mode))
	text("would", string(d.Would))
	text("to", d.To)
	list("shadow", d.Shadow)
	list("symbols", rep.Symbols)
	list("hosts", distinct(rep.Refs, refHost))
	list("names", distinct(rep.Refs, refName))
	list("kinds", distinct(rep.Refs, refKind))
	digests := distinct(rep.Refs, refDigest)
	list("sha256", digests)
	list("signatures", distinct(rep.Refs, refSignature))
	list("unread", rep.UnreadReasons())
	add("failure", rep.Failure.String(), rep.Failure != 0)
	add("passed_unverified", true, passedUnverified(rep, &d))
	c.engine.opts.Log("decision", pairs...)
	if len(digests) > 0 {
		c.engine.opts.Found(digests, Plain(c.mail.QueueID), Plain(rep.MessageID()))
	}
}

// The facts about a reference by which a message is looked for.
func refHost(r inspect.Ref) string      { return r.Host }
func refName(r inspect.Ref) string      { return r.Name }
func refDigest(r inspect.Ref) string    { return r.SHA256 }
func refSignature(r inspect.Ref) string { return r.Signature }

func refKind(r inspect.Ref) string {
	if r.Kind == 0 {
		return ""
	}
	return r.Kind.String()
}

// maxListed bounds a list in a log line.
const maxListed = 100

// distinct returns the first texts of the values that are not "", each once and Plain.
func distinct[T any](list []T, text func(T) string) (texts []string) {
	seen := make(map[string]bool)
	for _, v := range list {
		if s := Plain(text(v)); s != "" && !seen[s] && len(texts) < maxListed {
			seen[s] = true
			texts = append(texts, s)
		}
	}
	return texts
}

func (m *Mail) size() int64 {
	if m.Spool == nil {
		return -1
	}
	return m.Spool.Size()
}

// passedUnverified reports whether a message passes although something about it is not
// known.
func passedUnverified(rep *inspect.Report, d *inspect.Decision) bool {
	open := rep.Verdict == inspect.Pending || rep.Verdict == inspect.Unavailable
	return open && !slices.Contains([]inspect.Action{inspect.Quarantine, inspect.Hold, inspect.Defer, inspect.Reject}, d.Action)
}

// Plain returns a text of a stranger for a log line or a page. It cuts the text, and
// replaces characters that cannot be printed, so that nothing in it moves the cursor of
// a terminal or reverses the line.
func Plain(s string) string {
	const most = 255
	s = strings.ToValidUTF8(s[:min(len(s), most)], "?")
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, s)
}
