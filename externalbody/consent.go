package externalbody

import (
	"context"
	"errors"
	"sync"
)

// A Consent asks a person about Plans, as seldom as possible. Its method Approve is for
// [Resolver].Approve. It is safe for concurrent use if Ask is. It must not be copied after
// its first use.
//
//   - A denial holds for all alternatives of a Save, and for all references of the same
//     [Message] to that host. If the message is opened again, the question is asked
//     again.
//   - A question that comes while the same one is open, about the same sender and host,
//     gets the same answer. Questions about different ways of contact, such as with and
//     without encryption, are not the same.
//   - The answer to a Plan with Direct is about both hosts.
//
// Decisions that hold longer are for Ask to keep, by [Plan].Sender and Host. A message can
// name any sender: such decisions are worth only as much as the authentication that was
// done before.
type Consent struct {
	// Ask asks a person, and returns whether the Plan is allowed. If it is nil,
	// everything is denied. Several goroutines may call it. Its time counts toward no
	// limit of the Resolver.
	Ask func(ctx context.Context, p *Plan) (bool, error)

	mu   sync.Mutex
	open map[topic]*question // not answered yet
}

var errDenied = errors.New("consent was denied")

// Approve returns nil if the Plan may be carried out. It does not ask about a body that
// is in mail at hand; see [Plan.Local].
func (c *Consent) Approve(ctx context.Context, p *Plan) error {
	if p.Local() {
		return nil
	}
	for {
		if c.refused(ctx, p) {
			return errDenied
		}
		if c.allows(p) {
			return nil
		}
		if c.Ask == nil {
			return errDenied
		}
		q, mine := c.question(p)
		if mine {
			return c.ask(ctx, p, q)
		}
		select {
		case <-q.answered:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		if q.err == nil {
			return c.settle(ctx, p, q.allowed)
		}
		// The goroutine that asked got no answer, for example because its context
		// ended.
	}
}

// A topic identifies a question: two questions with the same topic are the same.
type topic struct {
	sender, host string
	direct       string
	scheme       string
	login        string
	account      string
	secure       bool
	message      *Message // of a message without a sender
	plan         string   // the ID of a Plan without a host
}

// A question is asked once, for all who want to know.
type question struct {
	topic    topic
	answered chan struct{} // is closed when there is an answer, or an error
	allowed  bool
	err      error
}

// question returns the question that a Plan raises. mine reports whether the caller has
// to ask it.
func (c *Consent) question(p *Plan) (q *question, mine bool) {
	t := topic{
		sender: p.Sender, host: p.Host, direct: p.Direct, scheme: p.Scheme, login: p.Login, account: p.accountName(), secure: p.Secure,
	}
	if p.Sender == "" {
		t.message = p.message
	}
	if p.Host == "" {
		t.plan = p.ID
	}
	q = &question{topic: t, answered: make(chan struct{}), err: context.Canceled}
	if t.sender == "" && t.message == nil {
		return q, true // no other question is the same
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if open := c.open[t]; open != nil {
		return open, false
	}
	if c.open == nil {
		c.open = make(map[topic]*question)
	}
	c.open[t] = q
	return q, true
}

func (c *Consent) ask(ctx context.Context, p *Plan, q *question) error {
	defer func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.open[q.topic] == q {
			delete(c.open, q.topic)
		}
		close(q.answered)
	}()
	q.allowed, q.err = c.Ask(ctx, p)
	if q.err != nil {
		return q.err
	}
	return c.settle(ctx, p, q.allowed)
}

// settle returns the result of a decision. It remembers a denial for the Save and the
// message that the Plan belongs to.
func (c *Consent) settle(ctx context.Context, p *Plan, allowed bool) error {
	if allowed {
		if p.allowed != nil {
			p.allowed.Store(c, nil)
		}
		return nil
	}
	if refused, ok := ctx.Value(savingKey{}).(*sync.Map); ok {
		refused.Store(c, nil)
	}
	if p.message != nil {
		p.message.refused.Store(refusal{c, p.Host}, nil)
	}
	return errDenied
}

// allows reports whether the answer to an earlier Plan covers a redirect that it named.
func (c *Consent) allows(p *Plan) bool {
	if !p.announced || p.allowed == nil {
		return false
	}
	_, yes := p.allowed.Load(c)
	return yes
}

// refused reports whether an earlier denial covers a Plan.
func (c *Consent) refused(ctx context.Context, p *Plan) bool {
	if refused, ok := ctx.Value(savingKey{}).(*sync.Map); ok {
		if _, no := refused.Load(c); no {
			return true
		}
	}
	if p.message == nil {
		return false
	}
	_, no := p.message.refused.Load(refusal{c, p.Host})
	return no
}

// A refusal is a denial of a host in a message.
type refusal struct {
	by   *Consent
	host string
}

// A savingKey is the key in a context of one Save for its sync.Map of the Consents that
// refused.
type savingKey struct{}
