package main

import (
	"errors"
	"time"

	"github.com/spf13/pflag"

	"github.com/go-extbody/extbody/fetch"
)

// limits are what a run may cost: flags.
type limits struct {
	runBytes byteSize
	until    instant
}

func (l *limits) flags(f *pflag.FlagSet) {
	l.runBytes = -1
	f.Var(&l.runBytes, "max-run-bytes", "fetch at most `N` octets in all, and leave the rest for later; 10MB, 1GiB, none")
	f.Var(&l.until, "until", "begin no fetch after `TIME`, and leave the rest for later: a time of day such as 06:30, a time such as 2030-01-31T06:30:00Z, or a span from now such as 2h")
}

// budget returns the Budget of a run, nil if it has no limits.
func (l *limits) budget() *fetch.Budget {
	if l.runBytes < 0 && l.until.IsZero() {
		return nil
	}
	return fetch.NewBudget(fetch.BudgetLimits{Octets: int64(l.runBytes), Until: l.until.Time})
}

// An instant is a flag for a time.
type instant struct {
	time.Time
	text string
}

func (i *instant) Set(s string) error {
	t, err := parseInstant(s, time.Now())
	if err == nil {
		*i = instant{t, s}
	}
	return err
}

// parseInstant reads a time of day, which is the next one after now, a time with a
// date, or a span from now.
func parseInstant(s string, now time.Time) (time.Time, error) {
	if d, err := time.ParseDuration(s); err == nil && d > 0 {
		return now.Add(d), nil
	}
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return t, nil
	}
	if c, err := time.Parse("15:04", s); err == nil {
		year, month, day := now.Date()
		t := time.Date(year, month, day, c.Hour(), c.Minute(), 0, 0, now.Location())
		if !t.After(now) {
			t = time.Date(year, month, day+1, c.Hour(), c.Minute(), 0, 0, now.Location())
		}
		return t, nil
	}
	return time.Time{}, errors.New("want a time such as 06:30 or 2030-01-31T06:30:00Z, or a span such as 2h")
}

func (i *instant) String() string { return i.text }
func (i *instant) Type() string   { return "TIME" }
