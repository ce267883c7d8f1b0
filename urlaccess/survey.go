package urlaccess

// A census is what a value has besides plain octets.
type census struct {
	lwsp                       int // octets
	quote, backslash, eightBit bool
}

// survey looks through a value before anything is copied. It returns an error
// for a control character.
func survey(param string) (census, error) {
	var c census
	for i := plainPrefix(param); i < len(param); i += 1 + plainPrefix(param[i+1:]) {
		switch octet := param[i]; {
		case isLWSP(octet):
			c.lwsp++
		case isCTL(octet):
			return c, &Error{Reason: ControlCharacter, Offset: i}
		case octet == '"':
			c.quote = true
		case octet == '\\':
			c.backslash = true
		default:
			c.eightBit = true
		}
	}
	return c, nil
}

// residue reports whether there is something to percent-encode.
func (c census) residue() bool {
	return c.quote || c.backslash || c.eightBit
}

// appendTo appends what encoding the residue repairs.
func (c census) appendTo(repairs []Repair) []Repair {
	if c.quote {
		repairs = append(repairs, QuoteEncoded)
	}
	if c.backslash {
		repairs = append(repairs, BackslashEncoded)
	}
	if c.eightBit {
		repairs = append(repairs, EightBitEncoded)
	}
	return repairs
}
