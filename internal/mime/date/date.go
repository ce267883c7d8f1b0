// Package date parses the dates of mail: the date-time of RFC 5322 section 3.3, its
// obsolete syntax (section 4.3, from RFC 822 and RFC 1123 section 5.2.14), and common
// deviations of real senders.
package date

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/go-extbody/extbody/internal/codec/lazyregexp"
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
// Parse takes time and memory linear in the length of s. Several goroutines may call it at
// once.
func Parse(s string) (t time.Time, forgiven bool, err error) {
	text, stray := plain(s)
	t, wrong, err := parse(text)
	if err != nil {
		return time.Time{}, false, err
	}
	return t, stray || wrong || !legal().MatchString(text), nil
}

// The forms of dates, as [plain] returns them.
var (
	// legal is RFC 5322, with any day of the week and any year.
	legal = lazyregexp.New(`^ ?((mon|tue|wed|thu|fri|sat|sun) ?, ?)?\d\d? ?(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec) ?\d\d+ ?` +
		`\d\d ?: ?\d\d( ?: ?\d\d)? ?([+-]\d{4}|ut|gmt|[ecmp][sd]t|[a-ik-z]) ?$`)

	// dayFirst has the forms of RFC 5322 and RFC 850.
	dayFirst = lazyregexp.New(weekday + `(?<day>\d\d?) ?-? ?(?<month>[a-z]+) ?-? ?(?<year>\d\d+)\b ?,? ?` + clock)

	// monthFirst has the forms of asctime and of the date program, and forms with the
	// year before the time. RFC 5322 allows none of them.
	monthFirst = lazyregexp.New(weekday + `\b(?<month>[a-z]+) ?(?<day>\d\d?)\b ?,? ?((?<year>\d\d+)\b ?,? ?)?` + clock)

	// The octets after the time.
	word   = lazyregexp.New(`^ ?([a-z]*) ?`)
	digits = lazyregexp.New(`^ ?(\d*) ?`)
	offset = lazyregexp.New(`^([+-])(\d*)(:\d*)?`)
)

const (
	weekday = `^ ?((?<weekday>[a-z]+) ?(?<comma>,?) ?)?`
	clock   = `(?<hour>\d\d?) ?: ?(?<minute>\d\d)( ?: ?(?<second>\d\d)([.,](?<fraction>\d*))?)?(?<rest>(\D.*)?)$`
)

// plain returns s in lower case. It has single spaces for folding white space and comments
// (RFC 5322 section 3.2.2), and for quotes. stray is true if there are quotes, or if a
// comment is not closed. A comment extends to the end then.
func plain(s string) (text string, stray bool) {
	out := make([]byte, 0, len(s))
	depth := 0 // of comments, which nest
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '(':
			depth++
		case c == ')' && depth > 0:
			depth--
			c = ' '
		case c == '\\' && depth > 0:
			i++
		case 'A' <= c && c <= 'Z':
			c |= 0x20
		case depth == 0 && strings.IndexByte(`"'\`, c) >= 0:
			stray = true
			c = ' '
		case c == '\t', c == '\r', c == '\n':
			c = ' '
		}
		if depth > 0 {
			c = ' '
		}
		if n := len(out); c != ' ' || n == 0 || out[n-1] != ' ' {
			out = append(out, c)
		}
	}
	return string(out), stray || depth > 0
}

// parse parses a date in one of the forms. wrong is true if RFC 5322 allows the form, but
// not the year or the day of the week.
func parse(text string) (t time.Time, wrong bool, err error) {
	form := dayFirst()
	noZone := unknownZone
	m := form.FindStringSubmatch(text)
	if m == nil {
		form = monthFirst()
		noZone = time.UTC // RFC 9110 section 5.6.7, for asctime
		m = form.FindStringSubmatch(text)
	}
	if m == nil {
		return time.Time{}, false, ErrSyntax
	}
	field := func(name string) string { return m[form.SubexpIndex(name)] }
	number := func(name string) int {
		n, _ := strconv.Atoi(field(name)) // it has two digits, or is missing
		return n
	}
	day := number("day")
	minute := number("minute")
	second := number("second")
	month := time.January + time.Month(
		abbreviated(field("month"), 12, func(i int) string { return (time.January + time.Month(i)).String() }),
	)
	weekday := abbreviated(field("weekday"), 7, func(i int) string { return time.Weekday(i).String() })
	isOtherWord := weekday < 0 && field("weekday") != "" && field("comma") == ""
	if month == 0 || isOtherWord {
		return time.Time{}, false, ErrSyntax
	}
	z := zone{hour: number("hour"), rest: field("rest")}
	if err := z.read(); err != nil {
		return time.Time{}, false, err
	}
	written := field("year")
	if written == "" {
		written = z.cut(digits())[1]
	}
	year, err := readYear(written)
	if err == nil && z.location == nil && field("year") == "" {
		err = z.read()
	}
	if err != nil {
		return time.Time{}, false, err
	}
	if z.location == nil {
		z.location = noZone
		if z.rest != "" {
			return time.Time{}, false, ErrSyntax // it may have been meant as a zone
		}
	}
	midnight := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	isTime := z.hour <= 23 && minute <= 59 && second <= 60
	if midnight.Day() != day || !isTime {
		return time.Time{}, false, ErrRange
	}
	nanoseconds, _ := strconv.Atoi((field("fraction") + "000000000")[:9])
	return time.Date(year, month, day, z.hour, minute, second, nanoseconds, z.location),
		year < 1900 || weekday >= 0 && weekday != int(midnight.Weekday()), nil
}

// abbreviated returns the first i below n whose name word abbreviates to at least three
// letters, or -1.
func abbreviated(word string, n int, name func(i int) string) int {
	for i := range n {
		if len(word) >= len("mon") && strings.HasPrefix(strings.ToLower(name(i)), word) {
			return i
		}
	}
	return -1
}

func readYear(digits string) (int, error) {
	year, err := strconv.Atoi(digits)
	switch {
	case len(digits) < 2:
		return 0, ErrSyntax
	case err != nil, year > 9999:
		return 0, ErrRange
	case len(digits) == 2 && year < 50:
		year += 2000 // RFC 5322 section 4.3
	case len(digits) <= 3:
		year += 1900
	}
	return year, nil
}

// unknownZone is the location of times whose offset is not known.
var unknownZone = time.FixedZone("-0000", 0)

// american has the hours of the zones of North America (RFC 5322 section 4.3).
var american = map[string]int{"est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7}

// A zone reads the zone of a time.
type zone struct {
	hour     int
	location *time.Location // nil until there is a zone
	rest     string         // of the text
}

// cut returns the match of form, which matches the start of the rest or is nil, and
// cuts the rest after it.
func (z *zone) cut(form *regexp.Regexp) []string {
	m := form.FindStringSubmatch(z.rest)
	if m != nil {
		z.rest = z.rest[len(m[0]):]
	}
	return m
}

// read reads a zone if one comes next. Otherwise it does not change the location. An
// offset after a name counts, except after the names of North America.
func (z *zone) read() error {
	name := z.cut(word())[1]
	if name == "am" || name == "pm" {
		if z.hour < 1 || z.hour > 12 {
			return ErrRange
		}
		z.hour %= 12
		if name == "pm" {
			z.hour += 12
		}
		name = z.cut(word())[1]
	}
	hours, isAmerican := american[name]
	switch {
	case isAmerican:
		z.location = time.FixedZone(strings.ToUpper(name), hours*60*60)
		return nil
	case name == "ut", name == "gmt", name == "utc":
		z.location = time.UTC
	case name != "":
		z.location = unknownZone // RFC 5322 section 4.3, also for the letters of the military
	}
	m := z.cut(offset())
	if m == nil {
		return nil
	}
	sign := m[1]
	digits := m[2]
	minutes := m[3]
	switch {
	case len(digits) == len("0000"):
		minutes = ":" + digits[2:]
		digits = digits[:2]
	case digits == "", len(digits) > 2, minutes != "" && len(minutes) != len(":00"):
		return ErrSyntax
	}
	hours, _ = strconv.Atoi(digits)
	more, _ := strconv.Atoi(strings.TrimPrefix(minutes, ":"))
	seconds := (hours*60 + more) * 60
	switch {
	case more > 59:
		return ErrRange
	case seconds == 0 && sign == "-":
		z.location = unknownZone // RFC 5322 section 3.3
	case seconds == 0:
		z.location = time.UTC
	case sign == "-":
		z.location = time.FixedZone("", -seconds)
	default:
		z.location = time.FixedZone("", seconds)
	}
	return nil
}
