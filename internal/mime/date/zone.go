package date

import (
	"strings"
	"time"
)

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
