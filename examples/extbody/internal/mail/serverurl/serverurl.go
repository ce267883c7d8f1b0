// Package serverurl reads and writes the part that URLs of mail servers have in common: who logs
// in, the host and its port. A URL never has a password, because others see it.
package serverurl

import (
	"errors"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-extbody/extbody/internal/codec/ascii"
	"github.com/go-extbody/extbody/internal/codec/percent"
)

// A Server is a server, and the user who logs in there.
type Server struct {
	User string // "" if none is named
	Host string
	Port uint16
}

// ErrSyntax is the error of a part that cannot be read. It does not contain the text.
var ErrSyntax = errors.New("not the URL of a server")

// ErrPassword is the error of a URL with a password.
var ErrPassword = errors.New("a password in a URL, where others see it; use --password-command or --netrc")

// Parse reads the server of a URL without a user. port is the one of a URL that names none.
func Parse(u *url.URL, port uint16) (Server, error) {
	s := Server{Host: u.Hostname(), Port: port}
	if s.Host == "" || u.Opaque != "" || !isHost(s.Host) {
		return s, ErrSyntax
	}
	if digits := u.Port(); digits != "" {
		n, err := strconv.ParseUint(digits, 10, 16)
		if err != nil || n == 0 {
			return s, ErrSyntax
		}
		s.Port = uint16(n)
	}
	return s, nil
}

// isHost reports whether a host can be written in a URL as it is, apart from its zone.
func isHost(host string) bool {
	if addr, err := netip.ParseAddr(host); err == nil {
		return strings.Trim(addr.Zone(), zoneChars) == ""
	}
	return utf8.ValidString(host) && !HasControl(host) && !strings.ContainsAny(host, " \"%:<>[\\]^`{|}")
}

// HasControl reports whether a text has control characters.
func HasControl(s string) bool {
	return strings.ContainsFunc(s, func(c rune) bool { return c < ' ' || c >= 0x7f && c < 0xa0 })
}

// Named returns the name of the user in a URL, "" without one.
func Named(u *url.URL) (string, error) {
	if u.User == nil {
		return "", nil
	}
	if _, has := u.User.Password(); has {
		return "", ErrPassword
	}
	if HasControl(u.User.Username()) {
		return "", ErrSyntax
	}
	return u.User.Username(), nil
}

// Address returns the host and the port to dial.
func (s *Server) Address() string { return net.JoinHostPort(s.Host, strconv.Itoa(int(s.Port))) }

// Authority returns the user, the host, and the port unless it is the given one, as URLs have them.
func (s *Server) Authority(port uint16) string {
	host := strings.ReplaceAll(s.Address(), "%", "%25") // of a zone (RFC 6874 section 2)
	if s.Port == port {
		host = host[:strings.LastIndexByte(host, ':')]
	}
	if s.User != "" {
		host = string(percent.AppendEncode(nil, s.User, &userEscapes)) + "@" + host
	}
	return host
}

const (
	// UserChars are the characters that enc-user may contain besides letters and digits (RFC 5092 section 11).
	UserChars = "-._~!$'()*+,&="

	zoneChars = ascii.Upper + ascii.Lower + ascii.Digits + "-._"
)

var userEscapes = percent.Except(UserChars)
