package mcp

import (
	"context"
	"crypto/rand"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

const (
	// maxDownloads bounds the downloads of a session at a time, and with them the questions
	// that have no answer.
	maxDownloads = 16

	// maxDeclined bounds the messages for which a decline is remembered. After that many
	// the user is asked nothing more.
	maxDeclined = 10_000

	// questionTime is how long a question waits for its answer.
	questionTime = 10 * time.Minute
)

const (
	errDeclined   refusal = "the user did not agree"
	errDeclinedIt refusal = "the user declined a file of this message before, and is not asked again in this session"
	errTooMany    refusal = "too many downloads are going on or wait for the user: call again later"
	errCannotAsk  refusal = "the client cannot ask the user: it has no elicitation"
	errNotAsked   refusal = "the call has an answer to a question that was not asked"
	errNoAnswer   refusal = "the client did not ask the user, or got no answer"
	errUnanswered refusal = "the user did not answer in time"
	errEnded      refusal = "the session has ended"
)

// A question is about one contact, or one body, of a download, or about its first contacts. The download
// waits for the answer.
type question struct {
	text  string     // for the user
	reply chan error // takes one answer: nil agrees
}

// A download gets the files of one call. It is a goroutine of its own, because in later versions of the
// protocol the call that started it ends with a question, and another call brings the answer.
// So an agreement is for this download, and nothing is fetched twice for a question.
type download struct {
	args    getInput // of the call
	message string   // the key of the message
	cancel  context.CancelCauseFunc
	asks    chan *question
	done    chan struct{}       // closed when the fields after it are set
	out     *sdk.CallToolResult // nil for one of the file alone
	file    *getOutput
	err     error

	mu     sync.Mutex
	notify func(fetch.Event) // guarded by mu; nil while no call waits, or if none wants it
	before int64             // guarded by mu; octets of the files that are saved
}

// ask waits for the answer to a question. It returns nil if the user agreed.
func (d *download) ask(ctx context.Context, text string) error {
	q := &question{text, make(chan error, 1)}
	select {
	case d.asks <- q:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	select {
	case err := <-q.reply:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// progress is for [externalbody.Resolver].Progress.
func (d *download) progress(_ *externalbody.Reference, e fetch.Event) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.notify == nil {
		return
	}
	e.Octets += d.before
	if len(d.args.Refs) > 0 {
		e.Total = 0 // of all files it is not known
	}
	d.notify(e)
}

// add counts the octets of a file that was saved.
func (d *download) add(octets int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.before += octets
}

func (d *download) setNotify(notify func(fetch.Event)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.notify = notify
}

// An asked is a question that a client has.
type asked struct {
	*question
	of    *download
	timer *time.Timer
}

// downloads are the downloads of a session, the questions that it asked, and the messages
// about which the user declined. The zero value has none.
type downloads struct {
	wg sync.WaitGroup

	mu       sync.Mutex
	running  map[*download]bool
	asked    map[string]*asked // by an id that cannot be guessed
	declined map[string]bool   // by the key of the message
	ended    bool
}

// begin adds a download, which runs until run returns.
func (l *downloads) begin(
	ctx context.Context, args getInput, message string, run func(context.Context, *download),
) (*download, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.ended:
		return nil, errEnded
	case l.declined[message]:
		return nil, errDeclinedIt
	case len(l.running) >= maxDownloads:
		return nil, errTooMany
	}
	// The download may last longer than the call.
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	asks := make(chan *question)
	done := make(chan struct{})
	d := &download{args: args, message: message, cancel: cancel, asks: asks, done: done}
	if l.running == nil {
		l.running = make(map[*download]bool)
	}
	l.running[d] = true
	l.wg.Go(func() {
		defer close(d.done)
		run(ctx, d)
		cancel(nil)
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.running, d)
	})
	return d, nil
}

// put notes that a question goes to the client, and returns its id.
func (l *downloads) put(d *download, q *question) (string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.declined[d.message] || len(l.declined) >= maxDeclined {
		return "", errDeclinedIt
	}
	id := rand.Text()
	if l.asked == nil {
		l.asked = make(map[string]*asked)
	}
	l.asked[id] = &asked{q, d, time.AfterFunc(questionTime, func() {
		if _, err := l.take(id); err == nil {
			d.cancel(errUnanswered)
		}
	})}
	return id, nil
}

// take returns a question that the client has, once.
func (l *downloads) take(id string) (*asked, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	a := l.asked[id]
	if a == nil {
		return nil, errNotAsked
	}
	delete(l.asked, id)
	a.timer.Stop()
	return a, nil
}

// reply gives the download the answer of the user. A decline holds for all files of the
// message.
func (l *downloads) reply(a *asked, answer *sdk.ElicitResult) {
	switch answer.Action {
	case "accept":
		a.question.reply <- nil
		return
	case "decline":
		l.mu.Lock()
		if l.declined == nil {
			l.declined = make(map[string]bool)
		}
		l.declined[a.of.message] = true
		l.mu.Unlock()
	}
	a.question.reply <- errDeclined
}

// end cancels the downloads and waits for their end.
func (l *downloads) end() {
	l.mu.Lock()
	l.ended = true
	for d := range l.running {
		d.cancel(errEnded)
	}
	for _, a := range l.asked {
		a.timer.Stop()
	}
	l.mu.Unlock()
	l.wg.Wait()
}
