// Package host turns the host of a URL into the one form that a plan, a
// record, a DNS query, a dialed address and a Host field share.
//
// [Canonical] accepts the hosts that the host parser of the WHATWG URL Standard accepts without
// any browser's warning, and refuses the rest. A second spelling of an address is never
// converted, because the next parser could read it in another way. [Split] does the
// same for a host with a port. Nothing in this package uses the network.
//
// Several goroutines may call all functions at once. Every error is a [Reason].
package host

import (
	"iter"
	"net/netip"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"github.com/go-extbody/extbody/internal/codec/ascii"
)

// Limits of RFC 1035 section 2.3.4. A name has 253 octets as text, since its
// 255 octets in a packet include the first length and the root label.
const (
	maxLabel = 63
	maxName  = 253
)

// maxInput bounds the input of the IDNA mapping, whose time is not linear. It
// allows a name of maxName characters of four octets each, and a root dot.
const maxInput = 4*maxName + 1

// lookup is the mapping of UTS 46, nontransitional. It allows hyphens in the third and
// fourth place, since names in use have them.
var lookup = idna.New(
	idna.MapForLookup(),
	idna.BidiRule(),
	idna.Transitional(false),
	idna.CheckHyphens(false),
	idna.VerifyDNSLength(true),
)

// Canonical returns the one form of host, which is the host of a URL without
// its port, percent-decoded once as [net/url] does. It is one of:
//
//   - A name in ASCII letters, digits, hyphens, underscores and dots, in lower
//     case and without the root dot. RFC 952 has no underscores; hosts of
//     file stores do. Labels in other scripts are mapped by UTS 46 and become
//     A-labels. A name has no empty label, no label longer than 63 octets,
//     none that starts or ends with a hyphen, and at most 253 octets.
//   - An IPv4 address as four decimal numbers without leading zeros.
//   - An IPv6 address in the form of RFC 5952, without brackets. An
//     IPv4-mapped address becomes the IPv4 address.
//
// A host that ends in a number is an IPv4 address or refused, as in the URL Standard.
// But 127.1, 0x7f.1, 0177.0.0.1, 2130706433 and an address with a root dot are refused
// and not converted. An IPv6 address may be in brackets or without; one with a zone is
// refused. So is every character that no host name has, such as a space, "%", "@", "/",
// "\" or a control character.
//
// Canonical returns its own results unchanged. The error is a [Reason].
func Canonical(host string) (string, error) {
	if strings.HasPrefix(host, "[") || strings.IndexByte(host, ':') >= 0 {
		return literal6(host)
	}
	name, rooted, err := mapped(host)
	if err != nil {
		return "", err
	}
	if err := checkName(name); err != nil {
		return "", err
	}
	if !endsInNumber(name) {
		return name, nil
	}
	// URL Standard section 3.5: from here on it is an IPv4 address or nothing.
	if _, err := netip.ParseAddr(name); err != nil || rooted {
		return "", BadNumber
	}
	return name, nil
}

// SingleLabel reports whether host, in canonical form, is a name of one label.
// Its meaning depends on the resolver.
func SingleLabel(host string) bool { return host != "" && !strings.ContainsAny(host, ".:") }

// Addr returns the address that host stands for, and whether host is an address rather
// than a name. host is in canonical form.
func Addr(host string) (netip.Addr, bool) {
	if strings.IndexByte(host, ':') < 0 && !endsInNumber(host) {
		return netip.Addr{}, false
	}
	addr, err := netip.ParseAddr(host)
	return addr, err == nil
}

// literal6 returns the canonical form of an IPv6 address.
func literal6(host string) (string, error) {
	text, opened := strings.CutPrefix(host, "[")
	text, closed := strings.CutSuffix(text, "]")
	if opened != closed || strings.IndexByte(text, '%') >= 0 {
		return "", BadLiteral
	}
	addr, err := netip.ParseAddr(text)
	if err != nil || !addr.Is6() {
		return "", BadLiteral
	}
	return addr.Unmap().String(), nil
}

// mapped returns host in lower-case ASCII without its root dot, and whether it had one.
func mapped(host string) (name string, rooted bool, err error) {
	if strings.IndexFunc(host, func(c rune) bool { return c >= utf8.RuneSelf }) < 0 {
		name, rooted = strings.CutSuffix(strings.ToLower(host), ".")
		if !hasALabel(name) {
			return name, rooted, nil
		}
	} else {
		// The root dot is looked for before the mapping: a label that the mapping
		// empties must not look like one.
		name, rooted = cutRootDot(host)
	}
	if len(name) > maxInput {
		return "", false, BadIDN
	}
	name, err = lookup.ToASCII(name)
	if err != nil {
		return "", false, BadIDN
	}
	// The mapping does not apply the Bidi rule to letters that it maps to right-to-left
	// ones, such as U+2135, and then refuses its own result.
	if again, err := lookup.ToASCII(name); err != nil || again != name {
		return "", false, BadIDN
	}
	return name, rooted, nil
}

// cutRootDot cuts the root dot off the end of name: one of the four characters that RFC
// 3490 section 3.1 takes for dots.
func cutRootDot(name string) (string, bool) {
	for _, dot := range [...]string{".", "\u3002", "\uff0e", "\uff61"} {
		if rest, ok := strings.CutSuffix(name, dot); ok {
			return rest, true
		}
	}
	return name, false
}

// checkName checks characters, labels and lengths of a name in lower-case
// ASCII without root dot.
func checkName(name string) error {
	if name == "" {
		return Empty
	}
	if len(name) > maxName {
		return TooLong
	}
	start := 0
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case c == '.':
			if err := checkLabel(name[start:i]); err != nil {
				return err
			}
			start = i + 1
		case 'a' <= c && c <= 'z', ascii.IsDigit(c), c == '-', c == '_':
		default:
			return BadCharacter
		}
	}
	return checkLabel(name[start:])
}

func checkLabel(label string) error {
	switch {
	case label == "", label[0] == '-', label[len(label)-1] == '-':
		return BadLabel
	case len(label) > maxLabel:
		return TooLong
	}
	return nil
}

// endsInNumber reports whether the last label of a name without root dot is a
// number to the ends in a number checker of URL Standard section 3.5: only
// digits, or "0x" and any number of hexadecimal digits.
func endsInNumber(name string) bool {
	last := name[strings.LastIndexByte(name, '.')+1:]
	hex, isHex := strings.CutPrefix(last, "0x")
	for i := range len(hex) {
		c := hex[i]
		isLetter := isHex && 'a' <= c && c <= 'f'
		if !isLetter && !ascii.IsDigit(c) {
			return false
		}
	}
	return last != ""
}

// hasALabel reports whether a label of name starts with the prefix of A-labels.
func hasALabel(name string) bool {
	return strings.HasPrefix(name, "xn--") || strings.Contains(name, ".xn--")
}

// Below reports whether host is domain, or a name below it. Each may be spelt in any way
// that [Canonical] accepts: case, a root dot and the script of a name make no difference.
// An address is below nothing but itself, and nothing is below an empty domain.
func Below(host, domain string) bool {
	domain = spelt(domain)
	if domain == "" {
		return false
	}
	for d := range Domains(host) {
		if d == domain {
			return true
		}
	}
	return false
}

// Domains yields host and the domains above it, from the longest to the last label, as
// [Canonical] spells them. Of an address it yields that alone, and of "" nothing.
func Domains(host string) iter.Seq[string] {
	return func(yield func(string) bool) {
		name := spelt(host)
		_, whole := Addr(name)
		for more := name != ""; more && yield(name) && !whole; {
			_, name, more = strings.Cut(name, ".")
		}
	}
}

// spelt returns the canonical form of a host, or, of one that has none, something that
// is equal for those that differ in case alone.
func spelt(host string) string {
	if canonical, err := Canonical(host); err == nil {
		return canonical
	}
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

// ParsePort parses a port: one or more decimal digits and nothing else, with a
// value from 1 to 65535. Leading zeros are legal (RFC 3986 section 3.2.3). The
// error is [BadPort].
func ParsePort(s string) (uint16, error) {
	n, err := strconv.ParseUint(s, 10, 16)
	if err != nil || n == 0 {
		return 0, BadPort
	}
	return uint16(n), nil
}

// Split splits an address to dial, or the authority of a URL without userinfo, into
// host and port. The host is in the form of [Canonical]. The port is 0 if it is absent
// or empty, which mean the same by RFC 3986 section 3.2.3. An IPv6 address must be in
// brackets. The error is a [Reason].
func Split(hostport string) (host string, port uint16, err error) {
	host = hostport
	digits := ""
	if strings.HasPrefix(hostport, "[") {
		end := strings.LastIndexByte(hostport, ']') + 1
		host = hostport[:end]
		digits = hostport[end:]
		if digits != "" && digits[0] != ':' {
			return "", 0, BadLiteral
		}
		digits = strings.TrimPrefix(digits, ":")
	} else {
		host, digits, _ = strings.Cut(hostport, ":")
	}
	if digits != "" {
		port, err = ParsePort(digits)
		if err != nil {
			return "", 0, err
		}
	}
	host, err = Canonical(host)
	if err != nil {
		return "", 0, err
	}
	return host, port, nil
}

var ports = map[string]uint16{"http": 80, "https": 443, "ftp": 21, "ftps": 990, "tftp": 69, "imap": 143, "imaps": 993}

// Port returns the default port of a scheme, or 0 if it is not known here. The scheme is
// in lower case.
func Port(scheme string) uint16 { return ports[scheme] }

// A Reason is an error about a text that is not a host or not a port. Its text
// contains nothing of the text that was refused.
type Reason string

const (
	// Empty is a host without characters.
	Empty Reason = "empty host"
	// BadCharacter is a character that no host name has.
	BadCharacter Reason = "character not allowed in a host name"
	// BadLabel is an empty label, or one with a hyphen at an end.
	BadLabel Reason = "label empty or with a hyphen at an end"
	// TooLong is a label over 63 octets or a name over 253.
	TooLong Reason = "host name or label too long"
	// BadIDN is a name that UTS 46 refuses to map to ASCII.
	BadIDN Reason = "not an internationalized domain name"
	// BadNumber is a host that ends in a number and is not an IPv4 address in its
	// canonical form.
	BadNumber Reason = "numeric host that is not a canonical IPv4 address"
	// BadLiteral is a text with brackets or colons that is not an IPv6 address, or an
	// IPv6 address with a zone.
	BadLiteral Reason = "not an IPv6 address, or one with a zone"
	// BadPort is a port that is not a decimal number from 1 to 65535.
	BadPort Reason = "not a port number"
)

// Error returns the reason.
func (r Reason) Error() string { return string(r) }
