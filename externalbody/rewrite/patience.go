package rewrite

import (
	"context"
	"errors"
)

// A patience is a context without its deadline while the bodies are had, and after
// it has passed by then: what was had by the deadline is written.
type patience struct {
	context.Context
	strict bool // the deadline counts
}

// Err implements context.Context.
func (p *patience) Err() error {
	err := p.Context.Err()
	if !p.strict && errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	return err
}

// late reports whether the deadline has passed.
func (p *patience) late() bool { return errors.Is(p.Context.Err(), context.DeadlineExceeded) }
