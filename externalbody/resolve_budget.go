package externalbody

import (
	"sync"
	"time"

	"github.com/go-extbody/extbody/fetch"
)

// What the references of one message may cost together by default; see
// [Resolver].MessageBudget.
const (
	DefaultMessageFetches = 200           // contacts, redirects included
	DefaultMessageBytes   = 10 << 30      // octets of all bodies
	DefaultMessageTime    = 1 * time.Hour // from the first fetch
)

// A messageBudget is the default budget of one message. It is made at the first fetch.
type messageBudget struct {
	mu     sync.Mutex
	budget *fetch.Budget
	until  time.Time
}

// get returns the budget in force at a time.
func (b *messageBudget) get(now time.Time) *fetch.Budget {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.budget == nil || now.Sub(b.until) >= DefaultMessageTime {
		b.until = now.Add(DefaultMessageTime)
		b.budget = fetch.NewBudget(fetch.BudgetLimits{
			Fetches: DefaultMessageFetches,
			Octets:  DefaultMessageBytes,
			Until:   b.until,
		})
	}
	return b.budget
}

// budget returns the budget of a fetch for ref.
func (r *Resolver) budget(ref *Reference) *fetch.Budget {
	if ref.source == nil || ref.source.message == nil {
		return r.Budget
	}
	m := ref.source.message
	if r.MessageBudget != nil {
		return r.Budget.And(r.MessageBudget(m))
	}
	return r.Budget.And(m.budget.get(time.Now()))
}
