package fetch

import (
	"errors"
	"fmt"
	"slices"
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

	// Until is the time after which no contact is made. A body that is being read
	// then goes on to its end.
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
// Octets are charged as they arrive, so that bodies that are read at the same time
// share the rest. A body whose announced size exceeds the rest is not read. No octet
// beyond the limit is given out. One Read of each body may get some more octets from
// the wire, and Used counts them.
//
// The body of a data: URL, and one from a store such as package cache has, cost
// octets and no fetch.
//
// The methods may be called from several goroutines at once.
type Budget struct {
	parts []*account // its own one first
}

// An account is a set of limits and the costs that count for them.
type account struct {
	limits  BudgetLimits
	octets  atomic.Int64
	fetches atomic.Int64
}

// NewBudget returns a Budget of which nothing is used.
func NewBudget(limits BudgetLimits) *Budget { return &Budget{[]*account{{limits: limits}}} }

// And returns a Budget that charges both b and c, and that is exceeded when one of
// them is. Its own Used starts at zero. If one of them is nil, And returns the
// other one itself.
func (b *Budget) And(c *Budget) *Budget {
	switch {
	case b == nil:
		return c
	case c == nil:
		return b
	}
	return &Budget{slices.Concat([]*account{new(account)}, b.parts, c.parts)}
}

// accounts returns the accounts to charge.
func (b *Budget) accounts() []*account {
	if b == nil {
		return nil
	}
	return b.parts
}

// Used returns the octets and the fetches that were charged.
func (b *Budget) Used() (octets, fetches int64) {
	if b == nil {
		return 0, 0
	}
	return b.parts[0].octets.Load(), b.parts[0].fetches.Load()
}

// Left returns the rest of each limit. Without a limit Octets and Fetches are -1, and
// Until is the zero Time.
func (b *Budget) Left() BudgetLimits {
	left := BudgetLimits{Octets: -1, Fetches: -1}
	for _, a := range b.accounts() {
		if n := a.limits.Octets; n > 0 {
			left.Octets = least(left.Octets, max(0, n-a.octets.Load()))
		}
		if n := a.limits.Fetches; n > 0 {
			left.Fetches = least(left.Fetches, max(0, n-a.fetches.Load()))
		}
		if until := a.limits.Until; left.Until.IsZero() || !until.IsZero() && until.Before(left.Until) {
			left.Until = until
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
	for _, a := range b.accounts() {
		switch l := a.limits; {
		case l.Octets > 0 && a.octets.Load() >= l.Octets:
			return &Error{Kind: Deferred, Err: &octetsError{l.Octets}}
		case l.Fetches > 0 && a.fetches.Load() >= l.Fetches:
			return fetchesError(l.Fetches)
		case !l.Until.IsZero() && !time.Now().Before(l.Until):
			return &Error{Kind: Deferred, Err: errBudgetTime}
		}
	}
	return nil
}

// contact charges a contact, unless that would exceed the Budget.
func (b *Budget) contact() error {
	accounts := b.accounts()
	for i, a := range accounts {
		limit := a.limits.Fetches
		if n := a.fetches.Add(1); limit > 0 && n > limit {
			for _, charged := range accounts[:i+1] {
				charged.fetches.Add(-1)
			}
			return fetchesError(limit)
		}
	}
	return nil
}

// announced returns the error of a body of that size if there is not so much
// left; a negative size is not known.
func (b *Budget) announced(size int64) error {
	for _, a := range b.accounts() {
		if limit := a.limits.Octets; limit > 0 && size > limit-a.octets.Load() {
			return octetsOver(limit, size)
		}
	}
	return nil
}

// receive charges n octets that came, the last ones of size that came for the
// same body.
func (b *Budget) receive(n int, size int64) error {
	var err error
	for _, a := range b.accounts() {
		limit := a.limits.Octets
		used := a.octets.Add(int64(n))
		over := n > 0 && limit > 0 && used > limit
		if over && err == nil {
			err = octetsOver(limit, size)
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
