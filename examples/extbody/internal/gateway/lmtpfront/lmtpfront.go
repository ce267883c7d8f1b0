// Package lmtpfront is an LMTP proxy. It hands messages on to the next hop, with the
// bodies that they refer to put in, with references taken out, or with a header field
// added.
//
// Until a message is handed on, the proxy replies itself, and the client still has the
// message:
//
//   - 550 if the policy rejects it; and
//   - 451 if the policy defers it, and for whatever goes wrong.
//
// After that the next hop replies. Each reply is passed on as soon as it is final. It is
// 451 if it is not known. A next hop that refuses the message with the bodies in it
// gets the message without them, and one that refuses it with the header field for its
// size gets it without the field. The refusal of such a form is never the reply.
//
// A message that is longer than Engine.MaxMessage is handed on while it comes. Nothing is
// put in, it gets the header field alone.
//
// The proxy never has the only copy of
// a message. A message can be delivered twice in one case: the next hop has taken it,
// and the proxy ends, or loses a connection, before it can reply. LMTP cannot prevent
// that.
package lmtpfront

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/inspect"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/lmtp"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/serve"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/file/spool"
)

// Name is the name of the front end in logs and numbers.
const Name = "lmtp"

// Unknown are the conditions of a policy whose facts LMTP does not give.
var Unknown = []string{"authenticated"}

// Actions are those that the proxy can carry out; see [serve.Mail].
var Actions = []inspect.Action{
	inspect.Inline, inspect.Subject, inspect.Copy, inspect.Notice, inspect.Strip, inspect.Redirect, inspect.Quarantine,
}

// maxField is at least the length of our header field.
const maxField = 4 << 10

// Options are the options of New.
type Options struct {
	Next string        // the next hop: "host:port", or the path of a Unix socket
	Name string        // the name of this host
	Wait time.Duration // how long a message waits for fetches
}

// New returns a Server that hands messages on to the next hop.
func New(e *serve.Engine, opts Options) *lmtp.Server {
	p := &proxy{engine: e, opts: opts, known: []string{"SIZE"}}
	return &lmtp.Server{Name: opts.Name, Extensions: p.extensions, Deliver: p.deliver}
}

// extensionsFor is how long the extensions of the next hop are announced before it is
// asked again.
const extensionsFor = time.Minute

type proxy struct {
	engine *serve.Engine
	opts   Options

	mu    sync.Mutex
	known []string // extensions
	most  int64    // octets of a message with bodies in it; 0 means no limit
	until time.Time
}

// extensions returns the extensions that the next hop has and the proxy hands on. While
// the next hop is down, they are those that it had before.
func (p *proxy) extensions(ctx context.Context) []string {
	p.mu.Lock()
	known := p.known
	fresh := time.Now().Before(p.until)
	p.mu.Unlock()
	if fresh {
		return known
	}
	ctx, stop := context.WithTimeout(ctx, 5*time.Second)
	defer stop()
	c, err := lmtp.Dial(ctx, p.opts.Next, p.opts.Name)
	if err != nil {
		return known
	}
	defer c.Close()
	return p.learn(c)
}

// learn remembers and returns the extensions that the next hop announces.
func (p *proxy) learn(c *lmtp.Client) (list []string) {
	for _, keyword := range []string{"8BITMIME", "SMTPUTF8", "DSN"} {
		if c.Extension(keyword) {
			list = append(list, keyword)
		}
	}
	size := "SIZE"
	most := int64(0) // no limit is known (RFC 1870 section 4)
	if n := c.Size(); n > 0 {
		size = fmt.Sprintf("SIZE %d", n)
		most = max(n-maxField, 1)
	}
	list = append(list, size)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.known = list
	p.most = most
	p.until = time.Now().Add(extensionsFor)
	return list
}

// The replies of the proxy itself.
var (
	replyRead   = lmtp.Reply{Code: 451, Text: "4.3.0 The message could not be read"}
	replySpace  = lmtp.Reply{Code: 451, Text: "4.3.1 The message could not be kept"}
	replyTurn   = lmtp.Reply{Code: 451, Text: "4.3.0 The message is long, and others of its recipients get it first, try again"}
	replyNext   = lmtp.Reply{Code: 451, Text: "4.4.1 The next hop does not answer"}
	replyLess   = lmtp.Reply{Code: 451, Text: "4.5.4 The next hop takes less than it did, try again"}
	replyDefer  = lmtp.Reply{Code: 451, Text: "4.7.1 The files that the message refers to are being looked at, try again later"}
	replyReject = lmtp.Reply{Code: 550, Text: "5.7.1 The message refers to a file that is not let in"}
)

// deliver takes a message and hands it on.
func (p *proxy) deliver(ctx context.Context, t *lmtp.Transaction, data io.Reader) []lmtp.Reply {
	m := p.newMail(t)
	defer m.Spool.Close()
	rest, err := p.receive(m, data)
	if err != nil {
		if p.engine.ReadFailure(err) == fetch.Local {
			return slices.Repeat([]lmtp.Reply{replySpace}, len(t.To))
		}
		return slices.Repeat([]lmtp.Reply{replyRead}, len(t.To))
	}
	var checked *serve.Checked
	if rest != nil {
		checked = p.engine.Fail(m, fetch.TooLarge)
	} else {
		checked = p.engine.Check(ctx, m)
	}
	defer checked.Close()
	if ctx.Err() != nil {
		return nil // the client has gone
	}
	decisions := checked.DecideEach()
	defer func() { checked.Record(decisions) }()
	replies := make([]lmtp.Reply, len(t.To))
	forms := formsOf(t, checked, decisions, replies)
	if len(forms) == 0 {
		return replies
	}
	for i, r := range replies {
		if r.Code != 0 {
			t.Reply(i, r)
		}
	}
	h := &handover{proxy: p, ctx: ctx, t: t, replies: replies}
	defer h.close()
	if rest != nil {
		// It can be read only once.
		for _, f := range forms[1:] {
			h.answer(f.to, replyTurn)
		}
		h.sendUnspooled(forms[0], rest)
		return replies
	}
	for _, f := range forms {
		to := f.to
		if f.inline {
			// A next hop that does not take the bodies gets the message as it came.
			to = h.sendStamped(to, f.field, f.text, func(r lmtp.Reply, ofMessage bool) bool {
				return tooLarge(r) || ofMessage && r.Code >= 500
			})
			for _, t := range to {
				for _, i := range t.of {
					decisions[i] = decisions[i].Within(func(inspect.Decision) bool { return false })
					f.field = checked.Field(decisions[i])
				}
			}
			f.text = m.Spool
		}
		if f.field != "" {
			to = h.sendStamped(to, f.field, f.text, func(r lmtp.Reply, _ bool) bool { return tooLarge(r) })
		}
		h.sendStamped(to, "", f.text, nil)
	}
	return replies
}

// newMail returns the mail of a transaction, before its message is received.
func (p *proxy) newMail(t *lmtp.Transaction) *serve.Mail {
	m := &serve.Mail{Front: Name, Received: time.Now(), Wait: p.opts.Wait, Spool: p.engine.Spool()}
	m.Envelope.From = cmp.Or(t.From.Address, "<>")
	m.QueueID = t.Origin.QueueID
	m.Envelope.Client, _ = netip.ParseAddr(t.Origin.Address)
	m.Client = serve.Client("", m.Envelope.Client)
	m.Actions = Actions
	p.mu.Lock()
	m.Most = p.most
	p.mu.Unlock()
	for _, to := range t.To {
		m.Envelope.Recipients = append(m.Envelope.Recipients, to.Address)
	}
	return m
}

// A handover hands a message on to the next hop, in one form after the other.
type handover struct {
	proxy   *proxy
	ctx     context.Context
	t       *lmtp.Transaction
	replies []lmtp.Reply
	client  *lmtp.Client // nil while it is not connected
}

// sendUnspooled hands on a message whose end can be read only once.
func (h *handover) sendUnspooled(f form, message io.Reader) {
	if !h.connect(f.to) {
		return
	}
	size, _ := h.t.From.Param("SIZE")
	length, err := strconv.ParseInt(size, 10, 64)
	if err != nil {
		length = -1
	}
	message, length = stamped(f.field, message, length, h.client.Size())
	h.send(f.to, message, length, nil)
}

// connect connects to the next hop unless it did. If that fails, it answers
// the recipients to and returns false.
func (h *handover) connect(to []target) bool {
	if h.client != nil {
		return true
	}
	c, err := lmtp.Dial(h.ctx, h.proxy.opts.Next, h.proxy.opts.Name)
	if err != nil {
		h.answer(to, replyNext)
		return false
	}
	h.proxy.learn(c)
	// If it lacks an extension now, the next try finds that extension not announced.
	if c.Lacks(append([]*lmtp.Path{h.t.From}, h.t.To...)...) != "" {
		c.Close()
		h.answer(to, replyLess)
		return false
	}
	h.client = c
	return true
}

// close closes the connection, if there is one.
func (h *handover) close() {
	if h.client != nil {
		h.client.Close()
		h.client = nil
	}
}

// answer sets the reply of each of the recipients to that has none yet. It logs that a copy was not taken, which
// no reply can say.
func (h *handover) answer(to []target, r lmtp.Reply) {
	for _, t := range to {
		if len(t.of) == 0 && !r.OK() {
			h.proxy.engine.Log("a copy was not taken", "front", Name, "to", serve.Plain(t.path.Address), "reply", serve.Plain(r.String()))
		}
		for _, i := range t.of {
			if h.replies[i].Code == 0 {
				h.replies[i] = r
				h.t.Reply(i, r)
			}
		}
	}
}

// sendStamped calls send with the form that stamped makes.
func (h *handover) sendStamped(to []target, field string, text *spool.Spool, again func(lmtp.Reply, bool) bool) []target {
	// The client of a recipient that was answered sends the message again.
	to = slices.DeleteFunc(slices.Clone(to), func(t target) bool { return len(t.of) > 0 && h.replies[t.of[0]].Code != 0 })
	if len(to) == 0 || !h.connect(to) {
		return nil
	}
	length, err := io.Copy(io.Discard, inspect.WithoutOurFields(text.Section()))
	if err != nil {
		h.answer(to, replyRead)
		return nil
	}
	message, length := stamped(field, text.Section(), length, 0)
	return h.send(to, message, length, again)
}

// send hands on one form of the message. It returns the recipients that are to get
// another form because again accepts their reply. ofMessage is set for a reply
// to the message itself, not to a command before it. All others are answered: with
// 451 if their reply is not known.
func (h *handover) send(to []target, message io.Reader, length int64, again func(r lmtp.Reply, ofMessage bool) bool) (rest []target) {
	paths := make([]*lmtp.Path, len(to))
	for j, t := range to {
		paths[j] = t.path
	}
	take := func(j int, r lmtp.Reply, ofMessage bool) {
		if again != nil && !r.OK() && again(r, ofMessage) {
			rest = append(rest, to[j])
		} else {
			h.answer(to[j:j+1], r)
		}
	}
	answered := make([]bool, len(to))
	h.client.Answered = func(j int, r lmtp.Reply) {
		answered[j] = true
		take(j, r, true)
	}
	got, err := h.client.Send(h.t.From, paths, message, length)
	for j, r := range got {
		switch {
		case answered[j]:
		case r.Code == 0:
			h.answer(to[j:j+1], replyNext)
		default:
			take(j, r, false)
		}
	}
	if err != nil || len(rest) > 0 {
		h.close() // some servers end the connection after a refusal
	}
	return rest
}

// receive reads a message into its Spool. If the message is too long for that, receive
// returns a reader of the message from its start, which reads the rest from data.
func (p *proxy) receive(m *serve.Mail, data io.Reader) (rest io.Reader, err error) {
	most := p.engine.MaxMessage()
	if _, err := io.Copy(m.Spool, io.LimitReader(data, most)); err != nil || m.Spool.Size() < most {
		return nil, err
	}
	var next [1]byte
	switch _, err := io.ReadFull(data, next[:]); err {
	case nil:
		return io.MultiReader(io.NewSectionReader(m.Spool, 0, most), bytes.NewReader(next[:]), data), nil
	case io.EOF:
		return nil, nil
	default:
		return nil, err
	}
}

// A form is a form of the message for some recipients.
type form struct {
	text   *spool.Spool
	field  string
	inline bool
	to     []target
}

// A target is an address of the next hop, and the recipients whose mail it gets. A copy has no
// recipient: its reply is logged and not passed on.
type target struct {
	path *lmtp.Path
	of   []int
}

// formsOf returns the forms of a message by the decisions for its recipients. It sets the
// replies for those to whom it is not handed on. A copy goes with the first form that asks for it, once for
// each address, and to no recipient of the message.
func formsOf(t *lmtp.Transaction, checked *serve.Checked, decisions []inspect.Decision, replies []lmtp.Reply) (list []form) {
	copies := make(map[string]int) // the index of a form
	for i, d := range decisions {
		switch d.Action {
		case inspect.Reject:
			replies[i] = replyReject
			continue
		case inspect.Defer:
			replies[i] = replyDefer
			continue
		}
		f := form{text: checked.Text(d), field: checked.Field(d), inline: d.Action == inspect.Inline}
		at := slices.IndexFunc(list, func(g form) bool { return g.text == f.text && g.field == f.field && g.inline == f.inline })
		if at < 0 {
			at = len(list)
			list = append(list, f)
		}
		list[at].add(i, t.To[i], d.To)
		for _, to := range d.Copies {
			if _, known := copies[to]; !known {
				copies[to] = at
			}
		}
	}
	for _, to := range slices.Sorted(maps.Keys(copies)) {
		own := slices.ContainsFunc(t.To, func(p *lmtp.Path) bool { return p.Address == to })
		if f := &list[copies[to]]; !own && !slices.ContainsFunc(f.to, func(t target) bool { return t.path.Address == to }) {
			f.to = append(f.to, target{path: &lmtp.Path{Address: to}})
		}
	}
	return list
}

// add adds a recipient, whose mail goes to another address if redirect is not "".
func (f *form) add(i int, path *lmtp.Path, redirect string) {
	if redirect != "" {
		path = &lmtp.Path{Address: redirect}
		if at := slices.IndexFunc(f.to, func(t target) bool { return t.path.Address == redirect }); at >= 0 {
			f.to[at].of = append(f.to[at].of, i)
			return
		}
	}
	f.to = append(f.to, target{path, []int{i}})
}

// tooLarge reports whether a reply refuses a message because it is too large, or because
// the mailbox has no room for it (RFC 3463 section 3.3 and 3.4).
func tooLarge(r lmtp.Reply) bool {
	if len(r.Text) > 2 && strings.HasPrefix(r.Text[2:], "5.3") {
		return false // too many recipients (RFC 5321 section 4.5.3.1.10)
	}
	for _, code := range []string{"2.2", "2.3", "3.4"} {
		if len(r.Text) > 2 && strings.HasPrefix(r.Text[2:], code) && r.Code >= 400 {
			return true
		}
	}
	return r.Code == 552 || r.Code == 452
}

// stamped returns the message r with our header field, if field is not "", and without the
// fields of that name that it came with. All other octets are as they were. length is the
// number of these, or -1 if it is not known; the length that it returns is with the field.
// The field is left out if the message has more than most octets only with it.
func stamped(field string, r io.Reader, length, most int64) (io.Reader, int64) {
	b := bufio.NewReader(r)
	line := ""
	if field != "" {
		line = inspect.Field + ": " + field + "\r\n"
		// White space at the start of the message would continue our field (RFC 5322
		// section 2.2.3), so another field follows.
		if first, _ := b.Peek(1); len(first) > 0 && (first[0] == ' ' || first[0] == '\t') {
			line += inspect.Field + "-End: the first line of the message begins with white space\r\n"
		}
	}
	fits := length >= 0 && length <= most
	if most > 0 && fits && length > most-int64(len(line)) {
		line = ""
	}
	if length >= 0 {
		length += int64(len(line))
	}
	return io.MultiReader(strings.NewReader(line), inspect.WithoutOurFields(b)), length
}
