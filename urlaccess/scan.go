package urlaccess

// A scanResult counts the octets of a value that are not plain.
type scanResult struct {
	lwsp                       int // octets
	quote, backslash, eightBit bool
}

// scan looks through a value before anything is copied. A control character is an error.
func scan(param string) (scanResult, error) {
	var c scanResult
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

func (c scanResult) residue() bool {
	return c.quote || c.backslash || c.eightBit
}

// appendTo appends the repairs that percent-encoding makes.
func (c scanResult) appendTo(repairs []Repair) []Repair {
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
