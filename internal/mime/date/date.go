// Package date parses the dates of mail: the date-time of RFC 5322 section 3.3, its
// obsolete syntax (section 4.3, from RFC 822 and RFC 1123 section 5.2.14), and common
// deviations of real senders.
package date

import (
	"errors"
	"time"
)

// The errors of [Parse]. Neither quotes the text.
var (
	ErrSyntax = errors.New("date: not a date")
	ErrRange  = errors.New("date: date out of range")
)

// Parse parses a date and time. If forgiven is true, RFC 5322 does not allow s, even
// as obsolete syntax, but the meaning of s is obvious.
//
// RFC 5322 makes the day of the week and the seconds optional. White space, folds and
// comments may be between any two tokens, and the case of names does not matter.
// Second 60 is legal: it is the first second of the next minute. Years 00 to 49 are
// 2000 to 2049. Years 50 to 99 and years of three digits count from 1900. This also
// holds for RFC 850 dates, because Parse does not depend on the current time.
//
// Parse forgives, among others:
//
//   - quotes around or inside the text;
//   - a day of the week that is wrong, unknown or without a comma;
//   - long or otherwise abbreviated names of days and months;
//   - a fraction of a second, one digit for the hour, "am" or "pm", a year before 1900;
//   - the three forms of an HTTP-date (RFC 9110 section 5.6.7), and the output of the
//     date program;
//   - a zone such as "+02:00", "+02", "GMT+0200" or "CEST +0200", a missing zone, and
//     text after the zone.
//
// The location of t depends on the zone:
//
//   - It is [time.UTC] for "GMT", "UT", "UTC" and "+0000", and for an asctime date,
//     which has no zone.
//   - If the offset is not known, the time is Universal Time, in a location named
//     "-0000". This is so for "-0000", for military zones and other letters, as RFC
//     5322 section 4.3 demands, and for a missing zone.
//   - Otherwise it is a fixed zone with the given offset. It has the name of the zone
//     for "EST" to "PDT".
//
// The error is [ErrRange] for a year after 9999, which RFC 3339 cannot write, and for
// a day, hour, minute or second that does not exist. For any other text that is not a
// date it is [ErrSyntax].
//
// Parse takes time linear in the length of s and allocates at most a location.
// Several goroutines may call it at once.
func Parse(s string) (t time.Time, forgiven bool, err error) {
	p := parser{s: s}
	if p.parse(); p.err != nil {
		return time.Time{}, false, p.err
	}
	if t, err = p.time(); err != nil {
		return time.Time{}, false, err
	}
	return t, p.forgiven, nil
}
