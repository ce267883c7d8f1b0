package flagvalue

import (
	"errors"
	"time"
)

// A Since is a flag for a time in the past.
type Since struct {
	time.Time
	text string
}

// Set implements pflag.Value.
func (i *Since) Set(s string) error {
	t, err := ParseSince(s, time.Now())
	if err == nil {
		*i = Since{t, s}
	}
	return err
}

// ParseSince reads a day, which begins in UTC, or a time with a date, or a span before
// now, which is read by [ParseSpan]. A time after now is an error, since nothing has
// happened since then.
func ParseSince(s string, now time.Time) (time.Time, error) {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		t, err = time.Parse(time.RFC3339, s)
	}
	if err != nil {
		var d time.Duration
		if d, err = ParseSpan(s); err == nil {
			t = now.Add(-d)
		}
	}
	if err != nil || t.After(now) || t.IsZero() {
		return time.Time{}, errors.New("want a day such as 2026-01-31, a time such as 2026-01-31T06:30:00Z, or a span such as 30d, none of them to come")
	}
	return t, nil
}

func (i *Since) String() string { return i.text }

// Type implements pflag.Value.
func (i *Since) Type() string { return "DATE" }
