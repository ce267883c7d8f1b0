package flagvalue

import (
	"errors"
	"time"
)

// An Instant is a flag for a time.
type Instant struct {
	time.Time
	text string
}

// Set implements pflag.Value.
func (i *Instant) Set(s string) error {
	t, err := ParseInstant(s, time.Now())
	if err == nil {
		*i = Instant{t, s}
	}
	return err
}

// ParseInstant reads a time of day, which is the next one after now, or a time with a
// date, or a span from now.
func ParseInstant(s string, now time.Time) (time.Time, error) {
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

func (i *Instant) String() string { return i.text }

// Type implements pflag.Value.
func (i *Instant) Type() string { return "TIME" }
