package flagvalue

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/go-extbody/extbody/internal/mime/date"
)

// A Span is a flag for a duration: 90m, 12h, 30d.
type Span time.Duration

// maxDays is 179 years, the most that a time.Duration holds with room to spare.
const maxDays = 65535

var errSpan = errors.New("want a time such as 12h or 30d")

// ParseSpan reads a number of days, such as 30d or 1.5d, or a duration as
// time.ParseDuration reads it. It must be more than zero.
func ParseSpan(s string) (time.Duration, error) {
	if days, ok := strings.CutSuffix(s, "d"); ok {
		n, err := strconv.ParseFloat(days, 64)
		if err != nil || !(n > 0 && n <= maxDays) {
			return 0, errSpan
		}
		return time.Duration(n * 24 * float64(time.Hour)), nil
	}
	d, err := time.ParseDuration(s)
	if err != nil || d <= 0 {
		return 0, errSpan
	}
	return d, nil
}

// Set implements pflag.Value.
func (d *Span) Set(s string) error {
	t, err := ParseSpan(s)
	if err == nil {
		*d = Span(t)
	}
	return err
}

func (d *Span) String() string {
	if t := time.Duration(*d); t%(24*time.Hour) != 0 || t == 0 {
		return t.String()
	}
	return fmt.Sprintf("%dd", time.Duration(*d)/(24*time.Hour))
}

// Type implements pflag.Value.
func (d *Span) Type() string { return "D" }

// An Instant is a flag for a time.
type Instant struct {
	time.Time
	text string
}

// Set implements pflag.Value.
func (i *Instant) Set(s string) error { return i.set(s, ParseInstant) }

func (i *Instant) set(s string, parse func(string, time.Time) (time.Time, error)) error {
	t, err := parse(s, time.Now())
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

// A Since is a flag for a time in the past.
type Since struct{ Instant }

// Set implements pflag.Value.
func (i *Since) Set(s string) error { return i.set(s, ParseSince) }

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

// Type implements pflag.Value.
func (i *Since) Type() string { return "DATE" }

// ParseDate reads a date in the form of RFC 3339 or of mail.
func ParseDate(s string) (time.Time, error) {
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return t, nil
	}
	t, _, err := date.Parse(s)
	return t, err
}
