package date

import (
	"strings"
	"time"
)

// A parser reads a date into its fields, token by token.
type parser struct {
	s        string
	i        int
	forgiven bool
	err      error // the first error

	year, day            int
	month                time.Month
	hour, minute, second int
	nanosecond           int
	weekday              int            // -1 if it is missing or not known
	location             *time.Location // nil until there is a zone
}

func (p *parser) fail(err error) {
	if p.err == nil {
		p.err = err
	}
}

func (p *parser) parse() {
	p.weekday = -1
	p.space()
	word := p.word()
	if word != "" && month(word) == 0 {
		p.readWeekday(word)
		word = p.word()
	}
	if word != "" {
		p.parseMonthFirst(word)
	} else {
		p.parseDayFirst()
	}
}

// readWeekday reads the day of the week and the comma after it.
func (p *parser) readWeekday(word string) {
	p.weekday = abbreviated(word, 7, func(i int) string { return time.Weekday(i).String() })
	if len(word) != minName || p.weekday < 0 {
		p.forgiven = true
	}
	p.space()
	if !p.accept(',') {
		// An unknown word needs a comma to pass for a day of the week.
		if p.weekday < 0 {
			p.fail(ErrSyntax)
		}
		p.forgiven = true
	}
	p.space()
}

// parseDayFirst parses the forms of RFC 5322 and RFC 850.
func (p *parser) parseDayFirst() {
	p.day, _ = p.number(1, 2)
	p.separator('-')
	p.readMonth(p.word())
	p.separator('-')
	p.readYear()
	p.separator(',')
	p.readClock()
	p.readZone()
	p.finish(unknownZone)
}

// parseMonthFirst parses the forms of asctime and of the date program, and forms with
// the year before the time. RFC 5322 allows none of them.
func (p *parser) parseMonthFirst(word string) {
	p.forgiven = true
	p.readMonth(word)
	p.space()
	p.day, _ = p.number(1, 2)
	p.separator(',')
	yearLast := p.clockNext()
	if !yearLast {
		p.readYear()
		p.separator(',')
	}
	p.readClock()
	p.readZone()
	if yearLast {
		p.space()
		p.readYear()
		if p.location == nil {
			p.readZone()
		}
	}
	p.finish(time.UTC) // RFC 9110 section 5.6.7, for asctime
}

// minName is the length of the names in RFC 5322. Shorter abbreviations are not
// accepted.
const minName = 3

// abbreviated returns the first i below n whose name word abbreviates, whatever its
// case, or -1.
func abbreviated(word string, n int, name func(i int) string) int {
	for i := range n {
		if full := name(i); len(word) >= minName && len(word) <= len(full) && strings.EqualFold(word, full[:len(word)]) {
			return i
		}
	}
	return -1
}

// month returns the month that word names or abbreviates, or 0.
func month(word string) time.Month {
	return time.January + time.Month(abbreviated(word, 12, func(i int) string { return (time.January + time.Month(i)).String() }))
}

func (p *parser) readMonth(word string) {
	if p.month = month(word); p.month == 0 {
		p.fail(ErrSyntax)
	}
	if len(word) != minName {
		p.forgiven = true
	}
}

func (p *parser) readYear() {
	year, digits := p.number(2, len(p.s))
	switch {
	case digits == 2 && year < 50:
		year += 2000 // RFC 5322 section 4.3
	case digits <= 3:
		year += 1900
	case year < 1900:
		p.forgiven = true
	case year > 9999:
		p.fail(ErrRange)
	}
	p.year = year
}

func (p *parser) readClock() {
	var digits int
	p.hour, digits = p.number(1, 2)
	p.forgiven = p.forgiven || digits == 1
	if !p.colon() {
		p.fail(ErrSyntax)
	}
	p.minute, _ = p.number(2, 2)
	if p.colon() {
		p.second, _ = p.number(2, 2)
		p.readFraction()
	}
}

// readFraction reads a fraction of a second down to nanoseconds.
func (p *parser) readFraction() {
	if !p.accept('.') && !p.accept(',') {
		return
	}
	p.forgiven = true
	for unit := 100_000_000; isDigit(p.peek()); unit /= 10 {
		p.nanosecond += int(p.peek()-'0') * unit
		p.i++
	}
}

// unknownZone is the location of times whose offset is not known.
var unknownZone = time.FixedZone("-0000", 0)

// american has the hours of the zones of North America (RFC 5322 section 4.3).
var american = map[string]int{"EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7}

// readZone reads a zone if one comes next. Otherwise it does not change the location. An
// offset after a name counts, except after the names of North America.
func (p *parser) readZone() {
	p.space()
	zone := p.word()
	if pm := strings.EqualFold(zone, "pm"); pm || strings.EqualFold(zone, "am") {
		if p.hour < 1 || p.hour > 12 {
			p.fail(ErrRange)
		}
		p.forgiven = true
		p.hour %= 12
		if pm {
			p.hour += 12
		}
		p.space()
		zone = p.word()
	}
	name := zone
	if len(name) <= len("EST") {
		name = strings.ToUpper(name)
	}
	hours, isAmerican := american[name]
	switch {
	case isAmerican:
		p.location = time.FixedZone(name, hours*60*60)
		return
	case name == "":
	case name == "UT", name == "GMT", name == "UTC":
		p.forgiven = p.forgiven || name == "UTC"
		p.location = time.UTC
	default:
		p.location = unknownZone // RFC 5322 section 4.3, also for the letters of the military
		p.forgiven = p.forgiven || len(name) != 1 || name == "J"
	}
	p.space()
	if minus := p.accept('-'); minus || p.accept('+') {
		p.forgiven = p.forgiven || zone != ""
		p.readOffset(minus)
	}
}

// readOffset reads a numeric zone after its sign.
func (p *parser) readOffset(minus bool) {
	hours, digits := p.number(1, 4)
	minutes := 0
	switch {
	case digits == 4:
		hours, minutes = hours/100, hours%100
	case digits == 3:
		p.fail(ErrSyntax)
	default:
		p.forgiven = true
		if p.accept(':') {
			minutes, _ = p.number(2, 2)
		}
	}
	if minutes > 59 {
		p.fail(ErrRange)
	}
	seconds := (hours*60 + minutes) * 60
	switch {
	case seconds == 0 && minus:
		p.location = unknownZone // RFC 5322 section 3.3
	case seconds == 0:
		p.location = time.UTC
	case minus:
		p.location = time.FixedZone("", -seconds)
	default:
		p.location = time.FixedZone("", seconds)
	}
}

// finish skips the text after the zone. If there was no zone, the location becomes
// fallback.
func (p *parser) finish(fallback *time.Location) {
	p.space()
	if p.location != nil && p.end() {
		return
	}
	if p.location == nil {
		if p.location = fallback; !p.end() {
			p.fail(ErrSyntax) // it may have been meant as a zone
		}
	}
	p.forgiven = true
}

func (p *parser) time() (time.Time, error) {
	midnight := time.Date(p.year, p.month, p.day, 0, 0, 0, 0, time.UTC)
	if midnight.Day() != p.day || p.hour > 23 || p.minute > 59 || p.second > 60 {
		return time.Time{}, ErrRange
	}
	if p.weekday >= 0 && p.weekday != int(midnight.Weekday()) {
		p.forgiven = true
	}
	return time.Date(p.year, p.month, p.day, p.hour, p.minute, p.second, p.nanosecond, p.location), nil
}

func (p *parser) end() bool { return p.i == len(p.s) }

// peek returns the next octet, or 0 at the end.
func (p *parser) peek() byte {
	if p.end() {
		return 0
	}
	return p.s[p.i]
}

// accept skips c if it comes next.
func (p *parser) accept(c byte) bool {
	if p.end() || p.s[p.i] != c {
		return false
	}
	p.i++
	return true
}

// separator skips white space, and c if it comes next. RFC 5322 does not allow c
// there.
func (p *parser) separator(c byte) {
	p.space()
	if p.accept(c) {
		p.forgiven = true
		p.space()
	}
}

// colon skips a colon, if it comes next, and the white space around it.
func (p *parser) colon() bool {
	p.space()
	ok := p.accept(':')
	p.space()
	return ok
}

// space skips comments and folding white space (RFC 5322 section 3.2.2), and
// quotes.
func (p *parser) space() {
	for ; !p.end(); p.i++ {
		switch p.s[p.i] {
		case ' ', '\t', '\r', '\n':
		case '(':
			p.comment()
		case '"', '\'', '\\':
			p.forgiven = true
		default:
			return
		}
	}
}

// comment moves to the last octet of the comment that comes next. Comments nest. An
// unclosed comment extends to the end.
func (p *parser) comment() {
	depth := 0
	for ; !p.end(); p.i++ {
		switch p.s[p.i] {
		case '\\':
			if p.i+1 < len(p.s) {
				p.i++
			}
		case '(':
			depth++
		case ')':
			depth--
			if depth == 0 {
				return
			}
		}
	}
	p.forgiven = true
	p.i = len(p.s) - 1
}

// word reads the letters that come next.
func (p *parser) word() string {
	start := p.i
	for c := p.peek() | 0x20; 'a' <= c && c <= 'z'; c = p.peek() | 0x20 {
		p.i++
	}
	return p.s[start:p.i]
}

// number reads the digits that come next, of which there must be least to most. It
// returns their value and their number. A value over a million is not exact.
func (p *parser) number(least, most int) (value, digits int) {
	for ; isDigit(p.peek()); p.i++ {
		if value <= 1e6 {
			value = value*10 + int(p.peek()-'0')
		}
		digits++
	}
	if digits < least || digits > most {
		p.fail(ErrSyntax)
	}
	return value, digits
}

// clockNext reports whether an hour comes next. An hour, unlike a year, has a colon
// after it.
func (p *parser) clockNext() bool {
	ahead := *p
	_, digits := ahead.number(0, len(p.s))
	ahead.space()
	return digits > 0 && ahead.peek() == ':'
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
