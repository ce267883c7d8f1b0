package mailfetch

import (
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
	local := s[:at]
	if !isDotAtom(local) && !isQuoted(local) {
		return address{}, errAddress
	}
	domain, err := host.Canonical(s[at+1:])
	if err != nil {
		return address{}, errAddress
	}
	if _, literal := host.Addr(domain); literal {
		return address{}, errAddress
	}
	return address{local, domain}, nil
}

// isDotAtom reports whether s is a dot-atom-text (RFC 5322 section 3.2.3).
func isDotAtom(s string) bool {
	for atom := range strings.SplitSeq(s, ".") {
		if atom == "" {
			return false
		}
		for i := range len(atom) {
			if c := atom[i]; c <= ' ' || c >= 0x7f || strings.IndexByte(`()<>[]:;@\,"`, c) >= 0 {
				return false
			}
		}
	}
	return true
}

// isQuoted reports whether s is a quoted-string (RFC 5322 section 3.2.4) in
// which all is printable.
func isQuoted(s string) bool {
	if len(s) < 3 || s[0] != '"' || s[len(s)-1] != '"' {
		return false
	}
	s = s[1 : len(s)-1]
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' {
			i++
		} else if s[i] == '"' {
			return false
		}
		if i == len(s) || s[i] < ' ' || s[i] >= 0x7f {
			return false
		}
	}
	return true
}

func ascii(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= 0x80 }) < 0
}
