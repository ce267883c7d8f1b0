package mailfetch

import (
	"net/mail"
	"strings"

	"github.com/go-extbody/extbody/internal/link/host"
)

// Limits of RFC 5321 section 4.5.3.1: a path has 256 octets with its brackets.
const (
	maxLocal   = 64
	maxAddress = 254
)

// An address is an addr-spec (RFC 5322 section 3.4.1).
type address struct {
	local  string // a dot-atom or a quoted string
	domain string // in canonical form
}

func (a address) String() string { return a.local + "@" + a.domain }

// parseAddress parses an addr-spec of ASCII characters, without white space or
// comments around its parts, and without a domain literal. The error is
// errAddress.
func parseAddress(s string) (address, error) {
	at := strings.LastIndexByte(s, '@')
	if at < 0 || at > maxLocal || len(s) > maxAddress || !ascii(s) {
		return address{}, errAddress
	}
	domain, err := host.Canonical(s[at+1:])
	a := address{s[:at], domain}
	if _, literal := host.Addr(domain); literal || err != nil {
		return address{}, errAddress
	}
	if parsed, err := mail.ParseAddress("<" + a.String() + ">"); err != nil || parsed.String() != "<"+a.String()+">" {
		return address{}, errAddress
	}
	return a, nil
}

func ascii(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= 0x80 }) < 0
}
