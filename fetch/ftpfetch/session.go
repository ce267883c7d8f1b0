package ftpfetch

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/textproto"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/netguard"
	"github.com/go-extbody/extbody/internal/netx/dialing"
)

// A session is one control connection and its data connection. It transfers one
// file. The end of ctx closes its connections, which interrupts reads and writes.
type session struct {
	ctx    context.Context
	req    *fetch.Request
	target *target
	opts   *Options
	guard  *netguard.Guard

	control  *driver.Conn // nil until there is one
	dialog   *dialog      // on control
	tls      *tls.Config
	require  bool            // TLS
	private  bool            // data connections use TLS
	features map[string]bool // in capitals; nil if the server does not list them
	data     net.Conn        // TCP; nil until there is one
	stop     func() bool     // of the function that closes data with ctx

	log      *fetch.Exchange // nil without an observer
	received int64           // octets of the data
}

var (
	errNotReady = errors.New("the server is never ready")
	errNoTLS    = errors.New("the server does not offer the TLS that is required")
)

// maxInterim bounds the preliminary replies in a row, such as 120 and 110. Servers that are busy, or read
// from tape, send one each few seconds.
const maxInterim = 256

// greet waits for the greeting. 120 announces a later one (RFC 959 section 5.4).
func (s *session) greet() error { return s.want(s.dialog.final("the greeting")) }

// want returns err, or the refusal that r is unless it reports success.
func (s *session) want(r reply, err error) error {
	if err == nil && r.class() != completed {
		err = s.refusal(r)
	}
	return err
}

// learn asks which extensions there are (RFC 2389 section 3). A server that
// does not know the question may have some all the same.
func (s *session) learn() error {
	r, ok, err := s.try("FEAT")
	if err != nil || !ok {
		return err
	}
	s.features = r.features()
	if !s.features["UTF8"] || !s.target.needsUTF8() {
		return nil
	}
	// QUIRK: by RFC 2640 section 3 the feature is on when it is listed, but
	// some servers want this command, of a draft that expired, and all others
	// ignore or refuse it.
	_, _, err = s.try("OPTS UTF8 ON")
	return err
}

// offers reports whether the server may know a command of RFC 3659, which has
// to be listed where FEAT is known.
func (s *session) offers(command string) bool { return s.features == nil || s.features[command] }

// enter makes the directory of the file the working directory.
func (s *session) enter() error {
	for _, dir := range s.target.dirs {
		if err := s.want(s.cmd("CWD " + dir)); err != nil {
			return err
		}
	}
	return nil
}

// ask sends a command and returns its reply.
func (s *session) ask(line string) (reply, error) {
	if err := s.dialog.send(line); err != nil {
		return reply{}, err
	}
	return s.dialog.reply("the reply to " + verb(line))
}

// cmd is ask for a command whose reply is not preliminary.
func (s *session) cmd(line string) (reply, error) {
	r, err := s.ask(line)
	if err == nil && r.class() == preliminary {
		err = s.refusal(r)
	}
	return r, err
}

// try is cmd where the server may decline. A 421 is not a refusal: the server has
// hung up.
func (s *session) try(line string) (r reply, ok bool, err error) {
	r, err = s.cmd(line)
	if err == nil && r.code == 421 {
		err = s.refusal(r)
	}
	return r, r.class() == completed, err
}

// refusal returns the error that r stands for. Its cause is a
// [*textproto.Error] with the code and the start of the text.
func (s *session) refusal(r reply) *fetch.Error {
	text := excerpt(r.text)
	if s.secret(r.text) {
		text = "(text withheld)"
	}
	return &fetch.Error{Kind: r.kind(), Err: &textproto.Error{Code: r.code, Msg: text}}
}

// secret reports whether text repeats credentials, or may repeat the query of a URL.
func (s *session) secret(text string) bool { return s.req.URL.RawQuery != "" || s.hasLogin(text) }

// hasLogin reports whether text repeats credentials.
func (s *session) hasLogin(text string) bool {
	l := &s.target.login
	secrets := []string{l.password, l.account}
	if !l.anonymous {
		secrets = append(secrets, l.user)
	}
	text = strings.ToLower(text)
	return slices.ContainsFunc(secrets, func(secret string) bool {
		return secret != "" && strings.Contains(text, strings.ToLower(secret))
	})
}

// count writes the octets into the log.
func (s *session) count() {
	s.log.OctetsOut, s.log.OctetsIn = s.control.Octets()
	s.log.OctetsIn += s.received
	s.log.Status = s.dialog.code
}

// quitTime bounds the QUIT, whose reply is not waited for.
const quitTime = 100 * time.Millisecond

// quit sends QUIT, if that is possible at once.
func (s *session) quit() {
	s.dialog.wait = quitTime
	s.dialog.send("QUIT")
	s.control.Conn.Close() // which ends TLS in order
}

// fail closes all connections and ends the Exchange with err. It returns err, or why the context
// has ended.
func (s *session) fail(err error) error {
	if s.data != nil {
		s.stop()
		s.data.Close()
	}
	if s.control == nil {
		return err
	}
	return s.control.Fail(err)
}

var errPassive = errors.New("a reply to EPSV or PASV that names no port")

// openData opens a data connection. RFC 2428 section 4 wants EPSV to be used; PASV is for IPv4 only. It is
// sent to a server that does not know EPSV. QUIRK: it is also sent where the port of EPSV cannot be reached:
// some address translators and firewalls open only ports that they see in a reply to PASV.
func (s *session) openData() error {
	r, err := s.cmd("EPSV")
	if err != nil {
		return err
	}
	v4 := dialing.RemoteAddr(s.control).Addr().Is4()
	var unreachable error
	if r.code/100 != 5 || !v4 {
		err := s.connectData(r, parseEPSV)
		away := fetch.KindOfFetch(err) == fetch.Unavailable && r.class() == completed
		if !away || !v4 || s.ctx.Err() != nil {
			return err
		}
		unreachable = err
	}
	r, err = s.cmd("PASV")
	if err != nil {
		return err
	}
	if unreachable != nil && r.class() != completed {
		return unreachable
	}
	parse := parsePASV
	if r.code == 229 { // QUIRK: the reply to EPSV
		parse = parseEPSV
	}
	return s.connectData(r, parse)
}

// connectData connects to the port in a reply to EPSV or PASV.
func (s *session) connectData(r reply, parse func(text string) (port uint16, ok bool)) error {
	if r.class() != completed {
		return s.refusal(r)
	}
	port, ok := parse(r.text)
	if !ok {
		return &fetch.Error{Kind: fetch.Protocol, Err: errPassive}
	}
	ctx, cancel := driver.Limit(s.ctx, s.req.Timeouts.Connect, "the connection")
	defer cancel()
	conn, err := s.guard.DialData(ctx, s.control, port)
	if err != nil {
		return driver.Interrupted(ctx, err)
	}
	s.data = conn
	s.stop = context.AfterFunc(s.ctx, func() { conn.Close() })
	return nil
}

// parseEPSV returns the port in the text of a 229 reply: five fields in
// parentheses around any delimiter (RFC 2428 section 3). The first two after it
// must be blank; as an address there would have no effect, they are ignored.
func parseEPSV(text string) (port uint16, ok bool) {
	_, text, _ = strings.Cut(text, "(")
	text, _, ok = strings.Cut(text, ")")
	if !ok || text == "" {
		return 0, false
	}
	if text[0] < '!' || text[0] > '~' {
		return 0, false
	}
	fields := strings.SplitN(text, text[:1], 6)
	if len(fields) != 5 || fields[0] != "" || fields[4] != "" {
		return 0, false
	}
	n, err := strconv.ParseUint(fields[3], 10, 16)
	return uint16(n), err == nil
}

// parsePASV returns the port in the text of a 227 reply, which is the last two
// of six numbers. Nothing around them can be relied on (RFC 1123 section
// 4.1.2.6). The first four, the address, are ignored: in an attack it is another
// host's (RFC 2577 section 3), and behind an address translator it is private.
func parsePASV(text string) (port uint16, ok bool) {
	other := func(c rune) bool { return !strings.ContainsRune(digits+",", c) }
	for numbers := range strings.FieldsFuncSeq(text, other) {
		if port, ok := hostPort(strings.TrimLeft(numbers, ",")); ok {
			return port, true
		}
	}
	return 0, false
}

// hostPort returns the port of a host-port (RFC 959 section 5.3.2).
func hostPort(s string) (port uint16, ok bool) {
	fields := strings.SplitN(s, ",", 7)
	if len(fields) != 6 {
		return 0, false
	}
	for _, f := range fields {
		n, err := strconv.ParseUint(f, 10, 8)
		if err != nil {
			return 0, false
		}
		port = port<<8 | uint16(n)
	}
	return port, true
}

// final is reply without the preliminary replies, such as 120 and 110 (RFC 959 section 5.4).
func (d *dialog) final(what string) (reply, error) {
	for range maxInterim {
		if r, err := d.reply(what); err != nil || r.class() != preliminary {
			return r, err
		}
	}
	return reply{}, &fetch.Error{Kind: fetch.Protocol, Err: errNotReady}
}
