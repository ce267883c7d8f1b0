package rfc9111

import (
	"strings"
	"time"
)

// ParseDate parses an HTTP-date in each of its three forms (RFC 9110 section
// 5.6.7), whatever its case. A zone other than GMT makes it invalid (section
// 4.2).
//
// A year of two digits is one of 1969 to 2068. RFC 9110 wants one of the next 50
// years where it can be, so that 70 would be 2070; but who sends 01-Jan-70 means
// that an answer is not fresh.
func ParseDate(s string) (time.Time, bool) {
	s = strings.ToUpper(strings.Trim(s, " \t"))
	if len(s) > len("Wednesday, 06-Nov-94 08:49:37 GMT") {
		return time.Time{}, false
	}
	for _, form := range [...]string{
		"Mon, 02 Jan 2006 15:04:05 GMT",
		"Monday, 02-Jan-06 15:04:05 GMT",
		"Mon Jan _2 15:04:05 2006",
	} {
		// Package time reads the names of days and months whatever their case.
		if t, err := time.Parse(form, s); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// date returns the value of a field that is one HTTP-date, and whether the field
// is there at all.
func date(h map[string][]string, name string) (t time.Time, valid, present bool) {
	values := h[name]
	if len(values) == 0 {
		return time.Time{}, false, false
	}
	t, valid = ParseDate(values[0])
	return t, valid && len(values) == 1, true
}
