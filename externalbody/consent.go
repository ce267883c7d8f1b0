package externalbody

import (
	"context"
	"errors"
	"sync"
)

// A Decision is an answer to a Plan.
type Decision uint8

const (
	Deny        Decision = iota // this once
	Allow                       // this once
	AllowSender                 // whatever this sender refers to, from now on
	AllowHost                   // this sender's references to this host, from now on; without a host, this once
	DenySender                  // nothing from this sender, from now on
)

// A Memory keeps decisions that hold from now on. It is safe for concurrent use.
type Memory interface {
	// Recall returns the decision about a sender and a host. If host is "", it returns
	// the decision about the sender for all hosts. ok is false if nothing was decided.
	Recall(ctx context.Context, sender, host string) (d Decision, ok bool, err error)

	// Keep remembers a decision. If host is "", it is about the sender for all hosts.
	Keep(ctx context.Context, sender, host string, d Decision) error
}

// A Consent answers Plans by earlier decisions, and otherwise by asking. Its method
// Approve is for [Resolver].Approve. It is safe for concurrent use if Ask and Memory
// are. It must not be copied after its first use.
//
// A message can name any sender. Decisions about senders are therefore worth only as
// much as the authentication that the caller has done before. Memory is not used for a
// message without a sender.
//
// A person is asked as seldom as possible:
//
//   - A denial holds for all alternatives of a Save, and for all references of the same
//     [Message] to that host. If the message is opened again, the question is asked
//     again.
//   - A question that comes while the same one is open, about the same sender and host,
//     gets the same answer. Questions about different ways of contact, such as with and
//     without encryption, are not the same.
//   - The answer to a Plan with Direct is about both hosts. Memory keeps it for both.
type Consent struct {
	// Ask asks a person. If it is nil, all that Memory does not allow is denied.
	// Several goroutines may call it. Its time counts toward no limit of the Resolver.
	Ask func(ctx context.Context, p *Plan) (Decision, error)

	// Memory keeps the decisions of Ask that hold from now on. nil keeps nothing.
	Memory Memory

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
		if d, ok, err := c.recall(ctx, p); err != nil {
			return err
		} else if ok {
			return d.err()
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
			return c.settle(ctx, p, q.decision)
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
	secure       bool
	message      *Message // of a message without a sender
	plan         string   // the ID of a Plan without a host
}

// A question is asked once, for all who want to know.
type question struct {
	topic    topic
	answered chan struct{} // is closed when there is an answer, or an error
	decision Decision
	err      error
}

// question returns the question that a Plan raises. mine reports whether the caller has
// to ask it.
func (c *Consent) question(p *Plan) (q *question, mine bool) {
	t := topic{sender: p.Sender, host: p.Host, direct: p.Direct, scheme: p.Scheme, login: p.Login, secure: p.Secure}
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

func (c *Consent) ask(ctx context.Context, p *Plan, q *question) (err error) {
	defer func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.open[q.topic] == q {
			delete(c.open, q.topic)
		}
		close(q.answered)
	}()
	q.decision, err = c.Ask(ctx, p)
	if err != nil {
		q.err = err
		return err
	}
	if err := c.keep(ctx, p, q.decision); err != nil {
		q.err = err
		return err
	}
	q.err = nil
	return c.settle(ctx, p, q.decision)
}

// keep remembers a decision that holds from now on.
func (c *Consent) keep(ctx context.Context, p *Plan, d Decision) error {
	if c.Memory == nil || p.Sender == "" {
		return nil
	}
	switch d {
	case AllowSender, DenySender:
		return c.Memory.Keep(ctx, p.Sender, "", d)
	case AllowHost:
		for _, host := range []string{p.Host, p.Direct} {
			if host == "" { // which stands for all hosts
				continue
			}
			if err := c.Memory.Keep(ctx, p.Sender, host, d); err != nil {
				return err
			}
		}
	}
	return nil
}

// settle returns the result of a decision. It remembers a denial for the Save and the
// message that the Plan belongs to.
func (c *Consent) settle(ctx context.Context, p *Plan, d Decision) error {
	err := d.err()
	if err == nil && p.allowed != nil {
		p.allowed.Store(c, nil)
	}
	if err != nil {
		if s, ok := ctx.Value(savingKey{}).(*saving); ok {
			s.refused.Store(c, nil)
		}
		if p.message != nil {
			p.message.refused.Store(refusal{c, p.Host}, nil)
		}
	}
	return err
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
	if s, ok := ctx.Value(savingKey{}).(*saving); ok {
		if _, no := s.refused.Load(c); no {
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

// A saving is one Save.
type saving struct {
	refused sync.Map // *Consent: said no
}

type savingKey struct{}

// recall looks for a decision about the sender, then about the host.
func (c *Consent) recall(ctx context.Context, p *Plan) (Decision, bool, error) {
	if c.Memory == nil || p.Sender == "" {
		return 0, false, nil
	}
	d, ok, err := c.Memory.Recall(ctx, p.Sender, "")
	if ok && d != AllowHost || err != nil {
		return d, ok, err
	}
	if p.Host == "" {
		return 0, false, nil
	}
	return c.Memory.Recall(ctx, p.Sender, p.Host)
}

func (d Decision) err() error {
	switch d {
	case Allow, AllowSender, AllowHost:
		return nil
	}
	return errDenied
}
