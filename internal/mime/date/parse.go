package date

import (
	"strings"
	"time"
)

// A parser reads a date into its fields.
type parser struct {
	scanner
	year, day            int
	month                time.Month
	hour, minute, second int
	nanosecond           int
	hasWeekday           bool
	weekday              time.Weekday
	location             *time.Location // nil until there is a zone
	err                  error          // the first error
}

func (p *parser) fail(err error) {
	if p.err == nil {
		p.err = err
	}
}

func (p *parser) parse() {
	p.space()
	word := p.word()
	if _, ok := month(word); word != "" && !ok {
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
	p.weekday, p.hasWeekday = weekday(word)
	if len(word) != minName || !p.hasWeekday {
		p.forgiven = true
	}
	p.space()
	if !p.accept(',') {
		// An unknown word needs a comma to pass for a day of the week.
		if !p.hasWeekday {
			p.fail(ErrSyntax)
		}
		p.forgiven = true
	}
	p.space()
}

// parseDayFirst parses the forms of RFC 5322 and RFC 850.
func (p *parser) parseDayFirst() {
	p.readDay()
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
	p.readDay()
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

// separator skips white space, and c if it comes next. RFC 5322 does not allow c
// there.
func (p *parser) separator(c byte) {
	p.space()
	if p.accept(c) {
		p.forgiven = true
		p.space()
	}
}

func (p *parser) readDay() {
	var digits int
	if p.day, digits = p.number(); digits < 1 || digits > 2 {
		p.fail(ErrSyntax)
	}
}

func (p *parser) readMonth(word string) {
	var ok bool
	if p.month, ok = month(word); !ok {
		p.fail(ErrSyntax)
	}
	if len(word) != minName {
		p.forgiven = true
	}
}

func (p *parser) readYear() {
	year, digits := p.number()
	switch {
	case digits < 2:
		p.fail(ErrSyntax)
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
	if p.hour, digits = p.number(); digits < 1 || digits > 2 {
		p.fail(ErrSyntax)
	}
	p.forgiven = p.forgiven || digits == 1
	p.space()
	if !p.accept(':') {
		p.fail(ErrSyntax)
	}
	p.space()
	if p.minute, digits = p.number(); digits != 2 {
		p.fail(ErrSyntax)
	}
	p.space()
	if !p.accept(':') {
		return
	}
	p.space()
	if p.second, digits = p.number(); digits != 2 {
		p.fail(ErrSyntax)
	}
	p.readFraction()
}

// readFraction reads a fraction of a second down to nanoseconds.
func (p *parser) readFraction() {
	if c := p.peek(); c != '.' && c != ',' {
		return
	}
	p.i++
	p.forgiven = true
	for unit := 100_000_000; ; unit /= 10 {
		c := p.peek()
		if c < '0' || c > '9' {
			return
		}
		p.nanosecond += int(c-'0') * unit
		p.i++
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
	if p.hasWeekday && p.weekday != midnight.Weekday() {
		p.forgiven = true
	}
	return time.Date(p.year, p.month, p.day, p.hour, p.minute, p.second, p.nanosecond, p.location), nil
}

// A scanner splits a date into tokens.
type scanner struct {
	s        string
	i        int
	forgiven bool
}

func (s *scanner) end() bool { return s.i == len(s.s) }

// peek returns the next octet, or 0 at the end.
func (s *scanner) peek() byte {
	if s.end() {
		return 0
	}
	return s.s[s.i]
}

// accept skips c if it comes next.
func (s *scanner) accept(c byte) bool {
	if s.end() || s.s[s.i] != c {
		return false
	}
	s.i++
	return true
}

// space skips comments and folding white space (RFC 5322 section 3.2.2), and
// quotes.
func (s *scanner) space() {
	for ; !s.end(); s.i++ {
		switch s.s[s.i] {
		case ' ', '\t', '\r', '\n':
		case '(':
			s.comment()
		case '"', '\'', '\\':
			s.forgiven = true
		default:
			return
		}
	}
}

// comment moves to the last octet of the comment that comes next. Comments nest. An
// unclosed comment extends to the end.
func (s *scanner) comment() {
	depth := 0
	for ; !s.end(); s.i++ {
		switch s.s[s.i] {
		case '\\':
			if s.i+1 < len(s.s) {
				s.i++
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
	s.forgiven = true
	s.i = len(s.s) - 1
}

// word reads the letters that come next.
func (s *scanner) word() string {
	start := s.i
	for !s.end() {
		if c := s.s[s.i] | 0x20; c < 'a' || c > 'z' {
			break
		}
		s.i++
	}
	return s.s[start:s.i]
}

// number reads the digits that come next. It returns their value and their number. A
// value over a million is not exact.
func (s *scanner) number() (value, digits int) {
	for !s.end() && '0' <= s.s[s.i] && s.s[s.i] <= '9' {
		if value <= 1e6 {
			value = value*10 + int(s.s[s.i]-'0')
		}
		digits++
		s.i++
	}
	return value, digits
}

// clockNext reports whether an hour comes next. An hour, unlike a year, has a colon
// after it.
func (s *scanner) clockNext() bool {
	ahead := *s
	_, digits := ahead.number()
	ahead.space()
	return digits > 0 && ahead.peek() == ':'
}

// unknownZone is the location of times whose offset is not known.
var unknownZone = time.FixedZone("-0000", 0)

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
	switch {
	case zone == "":
	case isUniversal(zone):
		p.forgiven = p.forgiven || strings.EqualFold(zone, "UTC")
		p.location = time.UTC
	case len(zone) == 1 && zone != "J" && zone != "j":
		p.location = unknownZone // military: RFC 5322 section 4.3
	default:
		if p.location = american(zone); p.location != nil {
			return
		}
		p.forgiven = true
		p.location = unknownZone // RFC 5322 section 4.3
	}
	if p.space(); p.peek() == '+' || p.peek() == '-' {
		p.forgiven = p.forgiven || zone != ""
		p.readOffset()
	}
}

// readOffset reads a numeric zone.
func (p *parser) readOffset() {
	negative := p.peek() == '-'
	p.i++
	value, digits := p.number()
	hours, minutes := value, 0
	switch {
	case digits == 4:
		hours, minutes = value/100, value%100
	case digits < 1 || digits > 2:
		p.fail(ErrSyntax)
	default:
		p.forgiven = true
		if p.accept(':') {
			if minutes, digits = p.number(); digits != 2 {
				p.fail(ErrSyntax)
			}
		}
	}
	if minutes > 59 {
		p.fail(ErrRange)
	}
	seconds := (hours*60 + minutes) * 60
	switch {
	case seconds == 0 && negative:
		p.location = unknownZone // RFC 5322 section 3.3
	case seconds == 0:
		p.location = time.UTC
	case negative:
		p.location = time.FixedZone("", -seconds)
	default:
		p.location = time.FixedZone("", seconds)
	}
}

// minName is the length of the names in RFC 5322. Shorter abbreviations are not
// accepted.
const minName = 3

// weekday returns the day of the week that word names or abbreviates.
func weekday(word string) (time.Weekday, bool) {
	for d := time.Sunday; d <= time.Saturday; d++ {
		if abbreviates(word, d.String()) {
			return d, true
		}
	}
	return 0, false
}

// month returns the month that word names or abbreviates.
func month(word string) (time.Month, bool) {
	for m := time.January; m <= time.December; m++ {
		if abbreviates(word, m.String()) {
			return m, true
		}
	}
	return 0, false
}

// abbreviates reports whether word is a beginning of name, regardless of case.
func abbreviates(word, name string) bool {
	return len(word) >= minName && len(word) <= len(name) && strings.EqualFold(word, name[:len(word)])
}

// isUniversal reports whether a zone name means Universal Time.
func isUniversal(zone string) bool {
	return strings.EqualFold(zone, "UT") || strings.EqualFold(zone, "GMT") || strings.EqualFold(zone, "UTC")
}

// american returns the location of a zone of North America (RFC 5322 section
// 4.3), or nil for any other name.
func american(zone string) *time.Location {
	if len(zone) != 3 {
		return nil
	}
	zone = strings.ToUpper(zone)
	hours := strings.IndexByte("PMCE", zone[0]) - 8
	switch {
	case hours < -8:
		return nil
	case zone[1:] == "DT":
		hours++
	case zone[1:] != "ST":
		return nil
	}
	return time.FixedZone(zone, hours*60*60)
}
