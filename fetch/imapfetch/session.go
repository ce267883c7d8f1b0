package imapfetch

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/netguard"
	"github.com/go-extbody/extbody/internal/imap/wire"
	"github.com/go-extbody/extbody/internal/link/rfc5092"
)

// A session is one connection. It fetches one section. The end of ctx closes
// the connection, which interrupts calls that wait for it.
type session struct {
	ctx    context.Context
	req    *fetch.Request
	target *target
	opts   *Options
	guard  *netguard.Guard

	conn *driver.Conn // nil until there is one
	wire *wire.Conn   // on conn

	secrets []string // that a response may repeat
}

func (s *session) connect() error {
	req := *s.req
	if observe := req.Observe; observe != nil {
		req.Observe = func(x *fetch.Exchange) {
			x.URL = withoutToken(x.URL)
			observe(x)
		}
	}
	conn, err := driver.Dial(s.ctx, &req, s.guard, "imap", s.target.port)
	if err != nil {
		return err
	}
	s.conn = conn
	s.wire = wire.New(aborted{conn}, wire.Options{
		Time: s.req.Timeouts.FirstOctet, MaxLine: maxLine, MaxDialogue: maxDialogue, Say: s.say,
	})
	return nil
}

// An aborted is a connection that package wire may close from another goroutine.
type aborted struct{ *driver.Conn }

func (c aborted) Close() error {
	c.Abort()
	return nil
}

// begin does the steps up to the login.
func (s *session) begin() error {
	// A server that has logged us in already is not trusted with secrets that need TLS
	// (IM-12).
	preauth, err := s.wire.Begin(s.target.implicit, s.target.login.anonymous || s.opts.AllowPlaintext, func() error {
		return s.conn.StartTLS(s.opts.TLSConfig)
	})
	if err != nil || preauth {
		return failed(err)
	}
	return s.logIn()
}

// Limits on the dialogue besides the body.
const (
	maxLine     = 64 << 10
	maxDialogue = 4 << 20
)

// line reads a line without its end.
func (s *session) line() (string, error) {
	line, err := s.wire.Line()
	return string(line), failed(err)
}

// wait reads responses up to the one with the tag and returns its status. Each other
// response is given to handle, if it is set, and the rest of it is skipped. A nil Status
// without an error means that handle has found the value that is waited for.
func (s *session) wait(tag string, handle func(line string) (found bool, err error)) (*wire.Status, error) {
	for {
		line, err := s.line()
		if err != nil {
			return nil, err
		}
		if text, ok := strings.CutPrefix(line, tag+" "); ok {
			st, err := wire.ParseStatus(text)
			return st, failed(err)
		}
		if found, err := s.untagged(line, handle); found || err != nil {
			return nil, err
		}
	}
}

// untagged deals with a response that is not the one waited for. If the response goes on
// after a skipped literal, it is given to handle again, with "{}" for the literal.
func (s *session) untagged(line string, handle func(line string) (found bool, err error)) (found bool, err error) {
	for {
		if handle != nil {
			if found, err := handle(line); found || err != nil {
				return found, err
			}
		}
		switch {
		case !strings.HasPrefix(line, "* "):
			return false, fault(fetch.Protocol, wire.ErrNotIMAP)
		case wire.HasPrefixFold(line, "* BYE"):
			return false, fault(fetch.Unavailable, wire.ErrBye)
		}
		before, size, ok := cutLiteral(line)
		if !ok || !wire.HasData([]byte(line)) {
			return false, nil
		}
		if err := s.wire.Skip(size); err != nil {
			return false, failed(err)
		}
		rest, err := s.line()
		if err != nil {
			return false, err
		}
		line = before + "{}" + rest
		if len(line) > maxLine {
			return false, fault(fetch.Protocol, wire.ErrTooLong)
		}
	}
}

func cutLiteral(line string) (before string, size int64, ok bool) {
	b, size, ok := wire.CutLiteral([]byte(line))
	return string(b), size, ok
}

// logIn authenticates. A URL with ";AUTH=*" and without a user falls back to an anonymous
// login (RFC 5092 section 3.2).
func (s *session) logIn() error {
	driver.Report(s.req, fetch.Event{Phase: fetch.Sending, Total: -1})
	var answer *fetch.Userinfo
	if !s.target.login.anonymous && s.req.Credentials != nil {
		var err error
		answer, err = s.req.Credentials(s.ctx, fetch.Challenge{
			Scheme: rfc5092.Scheme(s.target.implicit), Host: s.target.host, Port: s.target.port, User: s.target.login.user,
		})
		if err != nil {
			return driver.Refusal(fetch.Credentials, err)
		}
	}
	switch {
	case s.target.login.anonymous, answer == nil && s.target.login.any:
		return failed(s.wire.LogIn(wire.Login{Anonymous: true, Trace: s.opts.trace}))
	case answer == nil:
		return fault(fetch.Credentials, errNobody)
	}
	user := cmp.Or(answer.User, s.target.login.user)
	if user == "" {
		return fault(fetch.Credentials, errNobody)
	}
	s.secrets = []string{user, answer.Password, answer.Token}
	return failed(s.wire.LogIn(wire.Login{
		User: user, Password: answer.Password,
		Token: answer.Token, Host: s.target.host, Port: s.target.port,
	}))
}

// cutOut stands for text that was cut out of the dialogue.
const cutOut = "(cut)"

// say adds a line to the log without credentials: the rest after LOGIN, the answer
// to a "+", the token of URLAUTH, and responses that repeat a secret.
func (s *session) say(sent bool, line string) {
	if !driver.Full(s.conn.Exchange) {
		return
	}
	if sent {
		line = withoutLogin(line)
	} else if s.repeats(line) {
		tag, _, _ := strings.Cut(line, " ")
		line = tag + " " + cutOut
	}
	driver.Say(s.conn.Exchange, sent, withoutToken(line))
}

// withoutLogin returns a line that was sent without credentials. A line that is not a
// command answers a "+", and has nothing else in it.
func withoutLogin(line string) string {
	tag, command, ok := strings.Cut(line, " ")
	if !ok {
		return cutOut
	}
	if verb, _, _ := strings.Cut(command, " "); verb == "LOGIN" {
		return tag + " " + verb + " " + cutOut
	}
	return line
}

func withoutToken(s string) string { return rfc5092.ReplaceURLAuth(s, cutOut) }

// repeats reports whether a line has a secret of the login in it.
func (s *session) repeats(line string) bool {
	line = strings.ToLower(line)
	return slices.ContainsFunc(s.secrets, func(secret string) bool {
		return secret != "" && strings.Contains(line, strings.ToLower(secret))
	})
}
