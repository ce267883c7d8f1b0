package rewrite

import (
	"context"
	"errors"
)

// A noDeadline is a context without its deadline while bodies are resolved. If the
// deadline passes meanwhile, it does not count afterwards either: a body that was resolved in
// time is written.
type noDeadline struct {
	context.Context
	strict bool // the deadline counts
}

// Err implements context.Context.
func (p *noDeadline) Err() error {
	err := p.Context.Err()
	if !p.strict && errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	return err
}

// late reports whether the deadline has passed.
func (p *noDeadline) late() bool { return errors.Is(p.Context.Err(), context.DeadlineExceeded) }
