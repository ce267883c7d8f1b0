package policy

import (
	"github.com/spf13/pflag"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/flagvalue"
	"github.com/go-extbody/extbody/fetch"
)

// limits are the flags that bound the cost of a run.
type limits struct {
	runBytes flagvalue.Size
	until    flagvalue.Instant
}

func (l *limits) flags(f *pflag.FlagSet) {
	l.runBytes = -1
	f.Var(&l.runBytes, "max-run-bytes", "fetch at most `N` octets in all, and leave the rest for later; 10MB, 1GiB, none")
	f.Var(&l.until, "until", "begin no fetch after `TIME`, and leave the rest for later: a time of day such as 06:30, a time such as 2030-01-31T06:30:00Z, or a span from now such as 2h")
}

// budget returns the Budget of a run, or nil if it has no limits.
func (l *limits) budget() *fetch.Budget {
	if l.runBytes < 0 && l.until.IsZero() {
		return nil
	}
	return fetch.NewBudget(fetch.BudgetLimits{Octets: int64(l.runBytes), Until: l.until.Time})
}
