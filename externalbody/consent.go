package externalbody

import (
	"context"
	"errors"
)

// A Decision is an answer to a Plan.
type Decision uint8

const (
	Deny        Decision = iota // this once
	Allow                       // this once
	AllowSender                 // whatever this sender refers to, from now on
	AllowHost                   // this sender's references to this host, from now on
	DenySender                  // nothing of this sender, from now on
)

// A Memory keeps decisions that hold from now on. It is safe for concurrent use.
type Memory interface {
	// Recall returns what was decided for a sender and a host; "" is the host
	// of decisions about a sender. ok is false if nothing was.
	Recall(ctx context.Context, sender, host string) (d Decision, ok bool, err error)

	// Keep remembers a decision.
	Keep(ctx context.Context, sender, host string, d Decision) error
}

// A Consent answers Plans by what was decided before, and otherwise by asking.
// Its method Approve is for [Resolver].Approve. It is safe for concurrent use if
// Ask and Memory are.
//
// The sender of a message is who it says it is: decisions about senders are
// worth what the authentication of mail is worth that the caller does before.
// A Plan without a Sender is asked about each time, as is everything in a message
// within the message.
type Consent struct {
	// Ask asks somebody. nil denies.
	Ask func(ctx context.Context, p *Plan) (Decision, error)

	// Memory keeps what Ask decides for longer; nil keeps nothing.
	Memory Memory
}

var errDenied = errors.New("consent was denied")

// Approve returns nil if the Plan may be carried out. What is in mail at hand is
// not asked about.
func (c *Consent) Approve(ctx context.Context, p *Plan) error {
	if p.Local() {
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
	d, err := c.Ask(ctx, p)
	if err != nil {
		return err
	}
	if c.Memory != nil && p.Sender != "" {
		switch d {
		case AllowSender, DenySender:
			err = c.Memory.Keep(ctx, p.Sender, "", d)
		case AllowHost:
			err = c.Memory.Keep(ctx, p.Sender, p.Host, d)
		}
		if err != nil {
			return err
		}
	}
	return d.err()
}

// recall looks for a decision about the sender, then about the host.
func (c *Consent) recall(ctx context.Context, p *Plan) (Decision, bool, error) {
	if c.Memory == nil || p.Sender == "" {
		return 0, false, nil
	}
	d, ok, err := c.Memory.Recall(ctx, p.Sender, "")
	if ok || err != nil {
		return d, ok, err
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
