package date

import (
	"strings"
	"time"
)

// unknownZone is the location of times whose offset is not known.
var unknownZone = time.FixedZone("-0000", 0)

// readZone reads a zone if one comes next. Otherwise it does not change the location.
func (p *parser) readZone() error {
	p.space()
	if p.peek() == '+' || p.peek() == '-' {
		return p.readOffset()
	}
	zone := p.word()
	if pm := strings.EqualFold(zone, "pm"); pm || strings.EqualFold(zone, "am") {
		if p.hour < 1 || p.hour > 12 {
			return ErrRange
		}
		p.forgiven = true
		p.hour %= 12
		if pm {
			p.hour += 12
		}
		if p.space(); p.peek() == '+' || p.peek() == '-' {
			return p.readOffset()
		}
		zone = p.word()
	}
	switch {
	case zone == "":
	case isUniversal(zone):
		if strings.EqualFold(zone, "UTC") {
			p.forgiven = true
		}
		p.location = time.UTC
		p.space()
		if p.peek() == '+' || p.peek() == '-' {
			p.forgiven = true
			return p.readOffset()
		}
	case len(zone) == 1 && zone != "J" && zone != "j":
		p.location = unknownZone // military: RFC 5322 section 4.3
	default:
		p.location = american(zone)
		if p.location == nil {
			p.forgiven = true
			p.location = unknownZone // RFC 5322 section 4.3
		}
	}
	return nil
}

// readOffset reads a numeric zone.
func (p *parser) readOffset() error {
	negative := p.peek() == '-'
	p.i++
	value, digits := p.number()
	hours, minutes := value, 0
	switch {
	case digits == 4:
		hours, minutes = value/100, value%100
	case digits < 1 || digits > 2:
		return ErrSyntax
	default:
		p.forgiven = true
		if p.accept(':') {
			minutes, digits = p.number()
			if digits != 2 {
				return ErrSyntax
			}
		}
	}
	if minutes > 59 {
		return ErrRange
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
	return nil
}
