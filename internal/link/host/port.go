package host

import (
	"strconv"
	"strings"
)

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
	host, digits := hostport, ""
	if strings.HasPrefix(hostport, "[") {
		end := strings.LastIndexByte(hostport, ']') + 1
		host, digits = hostport[:end], hostport[end:]
		if digits != "" && digits[0] != ':' {
			return "", 0, BadLiteral
		}
		digits = strings.TrimPrefix(digits, ":")
	} else {
		host, digits, _ = strings.Cut(hostport, ":")
	}
	if digits != "" {
		if port, err = ParsePort(digits); err != nil {
			return "", 0, err
		}
	}
	if host, err = Canonical(host); err != nil {
		return "", 0, err
	}
	return host, port, nil
}

var ports = map[string]uint16{"http": 80, "https": 443, "ftp": 21, "ftps": 990, "tftp": 69, "imap": 143, "imaps": 993}

// Port returns the default port of a scheme, or 0 if it is not known here. The scheme is
// in lower case.
func Port(scheme string) uint16 { return ports[scheme] }
