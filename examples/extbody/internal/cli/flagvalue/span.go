package flagvalue

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
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
