package date

import "time"

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
