package host

// A Reason is an error about a text that is not a host or not a port. Its text
// contains nothing of the text that was refused.
type Reason uint8

const (
	// Empty is a host without characters.
	Empty Reason = iota + 1
	// BadCharacter is a character that no host name has.
	BadCharacter
	// BadLabel is an empty label, or one with a hyphen at an end.
	BadLabel
	// TooLong is a label over 63 octets or a name over 253.
	TooLong
	// BadIDN is a name that UTS 46 refuses to map to ASCII.
	BadIDN
	// BadNumber is a host that ends in a number and is not an IPv4 address in its
	// canonical form.
	BadNumber
	// BadLiteral is a text with brackets or colons that is not an IPv6 address, or an
	// IPv6 address with a zone.
	BadLiteral
	// BadPort is a port that is not a decimal number from 1 to 65535.
	BadPort
)

// Error describes the reason.
func (r Reason) Error() string {
	if int(r) < len(reasons) && r > 0 {
		return reasons[r]
	}
	return "not a host"
}

var reasons = [...]string{
	Empty:        "empty host",
	BadCharacter: "character not allowed in a host name",
	BadLabel:     "label empty or with a hyphen at an end",
	TooLong:      "host name or label too long",
	BadIDN:       "not an internationalized domain name",
	BadNumber:    "numeric host that is not a canonical IPv4 address",
	BadLiteral:   "not an IPv6 address, or one with a zone",
	BadPort:      "not a port number",
}
