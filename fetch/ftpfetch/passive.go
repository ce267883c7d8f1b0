package ftpfetch

import (
	"context"
	"errors"
	"net"
	"strconv"
	"strings"

	"github.com/go-extbody/extbody/fetch"
)

var errPassive = errors.New("a reply to EPSV or PASV that names no port")

// openData opens a data connection. RFC 2428 section 4 wants EPSV to be used;
// PASV is for IPv4 only.
func (s *session) openData() error {
	r, err := s.cmd("EPSV")
	if err != nil {
		return err
	}
	parse := parseEPSV
	if r.code/100 == 5 && isIPv4(s.control) {
		if r, err = s.cmd("PASV"); err != nil {
			return err
		}
		parse = parsePASV
	}
	if r.class() != completed {
		return s.refusal(r)
	}
	port, ok := parse(r.text)
	if !ok {
		return &fetch.Error{Kind: fetch.Protocol, Err: errPassive}
	}
	s.data, err = s.dial(func(ctx context.Context) (net.Conn, error) {
		return s.guard.DialData(ctx, s.control, port)
	})
	return err
}

func isIPv4(conn net.Conn) bool { return fetch.RemoteAddr(conn).Addr().Is4() }

// parseEPSV returns the port in the text of a 229 reply: five fields in
// parentheses around any delimiter (RFC 2428 section 3). The first two after it
// must be blank; as an address there would have no effect, they are ignored.
func parseEPSV(text string) (port uint16, ok bool) {
	_, text, _ = strings.Cut(text, "(")
	text, _, ok = strings.Cut(text, ")")
	if !ok || text == "" || text[0] < '!' || text[0] > '~' {
		return 0, false
	}
	fields := strings.SplitN(text, text[:1], 6)
	if len(fields) != 5 || fields[0] != "" || fields[4] != "" {
		return 0, false
	}
	return parseUint16(fields[3])
}

// parsePASV returns the port in the text of a 227 reply, which is the last two
// of six numbers. Nothing around them can be relied on (RFC 1123 section
// 4.1.2.6). The first four, the address, are ignored: in an attack it is another
// host's (RFC 2577 section 3), and behind an address translator it is private.
func parsePASV(text string) (port uint16, ok bool) {
	for {
		i := strings.IndexAny(text, digits)
		if i < 0 {
			return 0, false
		}
		text = text[i:]
		n := len(text) - len(strings.TrimLeft(text, digits+","))
		if port, ok := hostPort(text[:n]); ok {
			return port, true
		}
		text = text[n:]
	}
}

const digits = "0123456789"

// hostPort returns the port of a host-port (RFC 959 section 5.3.2).
func hostPort(s string) (port uint16, ok bool) {
	fields := strings.SplitN(s, ",", 7)
	if len(fields) != 6 {
		return 0, false
	}
	for _, f := range fields {
		n, ok := parseUint16(f)
		if !ok || n > 255 {
			return 0, false
		}
		port = port<<8 | n
	}
	return port, true
}

// parseUint16 parses one to five decimal digits.
func parseUint16(s string) (uint16, bool) {
	if s == "" || len(s) > 5 || strings.Trim(s, digits) != "" {
		return 0, false
	}
	n, err := strconv.ParseUint(s, 10, 16)
	return uint16(n), err == nil
}
