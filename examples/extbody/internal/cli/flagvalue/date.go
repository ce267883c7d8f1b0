package flagvalue

import (
	"time"

	"github.com/go-extbody/extbody/internal/mime/date"
)

// ParseDate reads a date in the form of RFC 3339 or of mail.
func ParseDate(s string) (time.Time, error) {
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return t, nil
	}
	t, _, err := date.Parse(s)
	return t, err
}
