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
}

func (p *parser) parse() error {
	p.space()
	word := p.word()
	if _, ok := month(word); word != "" && !ok {
		if err := p.readWeekday(word); err != nil {
			return err
		}
		word = p.word()
	}
	if word != "" {
		return p.parseMonthFirst(word)
	}
	return p.parseDayFirst()
}

// readWeekday reads the day of the week and the comma after it.
func (p *parser) readWeekday(word string) error {
	p.weekday, p.hasWeekday = weekday(word)
	if len(word) != minName || !p.hasWeekday {
		p.forgiven = true
	}
	p.space()
	if !p.accept(',') {
		// An unknown word needs a comma to pass for a day of the week.
		if !p.hasWeekday {
			return ErrSyntax
		}
		p.forgiven = true
	}
	p.space()
	return nil
}

// parseDayFirst parses the forms of RFC 5322 and RFC 850.
func (p *parser) parseDayFirst() error {
	if err := p.readDay(); err != nil {
		return err
	}
	p.separator('-')
	if err := p.readMonth(p.word()); err != nil {
		return err
	}
	p.separator('-')
	if err := p.readYear(); err != nil {
		return err
	}
	p.separator(',')
	if err := p.readClock(); err != nil {
		return err
	}
	if err := p.readZone(); err != nil {
		return err
	}
	return p.finish(unknownZone)
}

// parseMonthFirst parses the forms of asctime and of the date program, and forms with
// the year before the time. RFC 5322 allows none of them.
func (p *parser) parseMonthFirst(word string) error {
	p.forgiven = true
	if err := p.readMonth(word); err != nil {
		return err
	}
	p.space()
	if err := p.readDay(); err != nil {
		return err
	}
	p.separator(',')
	yearLast := p.clockNext()
	if !yearLast {
		if err := p.readYear(); err != nil {
			return err
		}
		p.separator(',')
	}
	if err := p.readClock(); err != nil {
		return err
	}
	if err := p.readZone(); err != nil {
		return err
	}
	if yearLast {
		p.space()
		if err := p.readYear(); err != nil {
			return err
		}
		if p.location == nil {
			if err := p.readZone(); err != nil {
				return err
			}
		}
	}
	return p.finish(time.UTC) // RFC 9110 section 5.6.7, for asctime
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

func (p *parser) readDay() error {
	day, digits := p.number()
	if digits < 1 || digits > 2 {
		return ErrSyntax
	}
	p.day = day
	return nil
}

func (p *parser) readMonth(word string) error {
	m, ok := month(word)
	if !ok {
		return ErrSyntax
	}
	if len(word) != minName {
		p.forgiven = true
	}
	p.month = m
	return nil
}

func (p *parser) readYear() error {
	year, digits := p.number()
	switch {
	case digits < 2:
		return ErrSyntax
	case digits == 2 && year < 50:
		year += 2000 // RFC 5322 section 4.3
	case digits <= 3:
		year += 1900
	case year < 1900:
		p.forgiven = true
	case year > 9999:
		return ErrRange
	}
	p.year = year
	return nil
}

func (p *parser) readClock() error {
	var digits int
	p.hour, digits = p.number()
	if digits < 1 || digits > 2 {
		return ErrSyntax
	}
	if digits == 1 {
		p.forgiven = true
	}
	p.space()
	if !p.accept(':') {
		return ErrSyntax
	}
	p.space()
	p.minute, digits = p.number()
	if digits != 2 {
		return ErrSyntax
	}
	p.space()
	if !p.accept(':') {
		return nil
	}
	p.space()
	p.second, digits = p.number()
	if digits != 2 {
		return ErrSyntax
	}
	p.readFraction()
	return nil
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
func (p *parser) finish(fallback *time.Location) error {
	p.space()
	switch {
	case p.location != nil && p.end():
		return nil
	case p.location == nil && !p.end():
		// It may have been meant as a zone.
		return ErrSyntax
	case p.location == nil:
		p.location = fallback
	}
	p.forgiven = true
	return nil
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
