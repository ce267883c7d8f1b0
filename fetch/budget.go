package fetch

import (
	"errors"
	"fmt"
	"sync/atomic"
	"time"
)

// BudgetLimits are the limits of a [Budget]. A field that is zero or negative sets no
// limit.
type BudgetLimits struct {
	// Octets bounds the octets of all bodies together, as they come from their
	// Fetchers, before content codings are undone.
	Octets int64

	// Fetches bounds the contacts: each request that is sent to a server, and
	// so each redirect that is followed and each repetition.
	Fetches int64

	// Until is when the last contact may begin. A body that is coming then goes
	// on to its end.
	Until time.Time
}

// A Budget limits the cost of all fetches of one message, or of one run, together.
// Requests share it by [Request].Budget. A nil *Budget has no limits.
//
// A fetch that exceeds a Budget fails with one of two Kinds:
//
//   - TooLarge is a body that alone has more than Octets.
//   - Deferred is everything else: it did not fit beside the rest, and may with
//     another Budget. If octets were missing, the error matches TooLarge as
//     well. When nothing is left, the error comes before a server is contacted.
//
// Octets are charged as they come, so that bodies that come at the same time share the
// rest. A body whose announced size exceeds the rest is not read. No octet beyond the
// limit is given out, but one Read of each body may bring some more from the wire, and
// Used counts them.
//
// The body of a data: URL costs octets and no fetch.
//
// The methods may be called from several goroutines at once.
type Budget struct {
	limits  BudgetLimits
	octets  atomic.Int64
	fetches atomic.Int64
	parts   [2]*Budget // charged as well; nil for none
}

// NewBudget returns a Budget of which nothing is used.
func NewBudget(limits BudgetLimits) *Budget { return &Budget{limits: limits} }

// And returns a Budget that charges both b and c, and that is exceeded when one
// of them is. Its own Used begins at zero.
func (b *Budget) And(c *Budget) *Budget {
	switch {
	case b == nil:
		return c
	case c == nil:
		return b
	}
	return &Budget{parts: [2]*Budget{b, c}}
}

// Used returns the octets and the fetches that were charged.
func (b *Budget) Used() (octets, fetches int64) {
	if b == nil {
		return 0, 0
	}
	return b.octets.Load(), b.fetches.Load()
}

// Left returns the rest. Octets and Fetches are -1 without a limit, and Until is the zero
// Time.
func (b *Budget) Left() BudgetLimits {
	left := BudgetLimits{Octets: -1, Fetches: -1}
	if b == nil {
		return left
	}
	if n := b.limits.Octets; n > 0 {
		left.Octets = max(0, n-b.octets.Load())
	}
	if n := b.limits.Fetches; n > 0 {
		left.Fetches = max(0, n-b.fetches.Load())
	}
	left.Until = b.limits.Until
	for _, part := range b.parts {
		l := part.Left()
		left.Octets = least(left.Octets, l.Octets)
		left.Fetches = least(left.Fetches, l.Fetches)
		if left.Until.IsZero() || !l.Until.IsZero() && l.Until.Before(left.Until) {
			left.Until = l.Until
		}
	}
	return left
}

// least returns the lesser of two numbers, of which a negative one is infinite.
func least(a, b int64) int64 {
	if a < 0 || b >= 0 && b < a {
		return b
	}
	return a
}

// check returns the error of a contact that is about to be made, nil if it may.
func (b *Budget) check() error {
	if b == nil {
		return nil
	}
	l := b.limits
	switch {
	case l.Octets > 0 && b.octets.Load() >= l.Octets:
		return &Error{Kind: Deferred, Err: &octetsError{l.Octets}}
	case l.Fetches > 0 && b.fetches.Load() >= l.Fetches:
		return fetchesError(l.Fetches)
	case !l.Until.IsZero() && !time.Now().Before(l.Until):
		return &Error{Kind: Deferred, Err: errBudgetTime}
	}
	for _, part := range b.parts {
		if err := part.check(); err != nil {
			return err
		}
	}
	return nil
}

// contact charges a contact, unless that would exceed the Budget.
func (b *Budget) contact() error {
	if b == nil {
		return nil
	}
	if n, limit := b.fetches.Add(1), b.limits.Fetches; limit > 0 && n > limit {
		b.fetches.Add(-1)
		return fetchesError(limit)
	}
	for i, part := range b.parts {
		if err := part.contact(); err != nil {
			b.fetches.Add(-1)
			if i > 0 {
				b.parts[0].uncontact()
			}
			return err
		}
	}
	return nil
}

// uncontact takes a charge back.
func (b *Budget) uncontact() {
	if b == nil {
		return
	}
	b.fetches.Add(-1)
	for _, part := range b.parts {
		part.uncontact()
	}
}

// announced returns the error of a body of that size if there is not so much
// left; a negative size is not known.
func (b *Budget) announced(size int64) error {
	if b == nil {
		return nil
	}
	if limit := b.limits.Octets; limit > 0 && size > limit-b.octets.Load() {
		return octetsOver(limit, size)
	}
	for _, part := range b.parts {
		if err := part.announced(size); err != nil {
			return err
		}
	}
	return nil
}

// receive charges n octets that came, the last ones of size that came for the
// same body.
func (b *Budget) receive(n int, size int64) error {
	if b == nil || n == 0 {
		return nil
	}
	var err error
	if used, limit := b.octets.Add(int64(n)), b.limits.Octets; limit > 0 && used > limit {
		err = octetsOver(limit, size)
	}
	for _, part := range b.parts {
		if e := part.receive(n, size); err == nil {
			err = e
		}
	}
	return err
}

// octetsOver returns the error of a body of which size octets are known to be.
func octetsOver(limit, size int64) error {
	kind := Deferred
	if size > limit {
		kind = TooLarge
	}
	return &Error{Kind: kind, Err: &octetsError{limit}}
}

var errBudgetTime = errors.New("the time of the budget is over")

func fetchesError(limit int64) error {
	return &Error{Kind: Deferred, Err: fmt.Errorf("the budget of %d fetches is spent", limit)}
}

// An octetsError is the cause of an error about BudgetLimits.Octets.
type octetsError struct{ limit int64 }

func (e *octetsError) Error() string {
	return fmt.Sprintf("not within what is left of the budget of %d octets", e.limit)
}

// Is reports whether target is TooLarge.
func (e *octetsError) Is(target error) bool { return target == TooLarge }
