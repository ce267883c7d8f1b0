// Package maildate parses the dates of mail: the date-time of RFC 5322 section
// 3.3 with its obsolete syntax (section 4.3), which is that of RFC 822 and RFC
// 1123 section 5.2.14, and what real senders write instead.
package maildate

import (
	"errors"
	"time"
)

// The errors of [Parse]. Neither quotes the text.
var (
	ErrSyntax = errors.New("maildate: not a date")
	ErrRange  = errors.New("maildate: date out of range")
)

// Parse parses a date and time. forgiven reports that s is not what RFC 5322
// allows, even as obsolete, and that its meaning was taken to be the obvious one.
//
// By RFC 5322, the day of the week and the seconds are optional, white space,
// folds and comments may stand between any two tokens, names are without regard
// to case, and second 60 is legal: it is the first second of the next minute.
// Years 00 to 49 are 2000 to 2049, years 50 to 99 and those of three digits count
// from 1900. This holds for RFC 850 dates too, since the present is not asked.
//
// Forgiven are, among others: quotes around or inside; a day of the week that is
// wrong, unknown or without comma; long or otherwise abbreviated names of days
// and months; a fraction of a second; one digit for the hour; a year before 1900;
// the three forms of an HTTP-date (RFC 9110 section 5.6.7) and what the date
// program prints; a zone such as "+02:00", "+02" or "GMT+0200"; no zone; text
// after the zone.
//
// The location of t is [time.UTC] if the zone is "GMT", "UT", "UTC" or "+0000",
// and in an asctime date, which has none. It is a fixed zone of the offset given
// otherwise, with its name for "EST" to "PDT". Where the offset is not known the
// time is taken as Universal Time, in a location named "-0000": for "-0000", for
// military and other letters, as RFC 5322 section 4.3 demands, and for no zone.
//
// Years after 9999, which RFC 3339 cannot write, are an [ErrRange], and so are
// days, hours, minutes and seconds that do not exist. Everything else that is no
// date is an [ErrSyntax].
//
// Parse takes time linear in s and allocates at most a location. It may be called
// from several goroutines at once.
func Parse(s string) (t time.Time, forgiven bool, err error) {
	p := parser{scanner: scanner{s: s}}
	if err := p.parse(); err != nil {
		return time.Time{}, false, err
	}
	t, err = p.time()
	if err != nil {
		return time.Time{}, false, err
	}
	return t, p.forgiven, nil
}
