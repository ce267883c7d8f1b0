package imapfetch

import (
	"cmp"
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/netguard"
	"github.com/go-extbody/extbody/internal/imap/wire"
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

// run does all that comes before the body.
func (s *session) run() (*fetch.Response, error) {
	if err := s.connect(); err != nil {
		return nil, err
	}
	if err := s.begin(); err != nil {
		return nil, err
	}
	if s.target.access != "" {
		return s.urlFetch()
	}
	return s.fetch()
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
		if line = before + "{}" + rest; len(line) > maxLine {
			return false, fault(fetch.Protocol, wire.ErrTooLong)
		}
	}
}

func cutLiteral(line string) (before string, size int64, ok bool) {
	b, size, ok := wire.CutLiteral([]byte(line))
	return string(b), size, ok
}

// A login is who logs in.
type login struct {
	anonymous bool
	user      string // that the URL names; "" if none
	any       bool   // anonymous will do without credentials
}

var (
	errPassword  = errors.New("a password in an IMAP URL")
	errMechanism = errors.New("an authentication mechanism that is not supported")
	errNamed     = errors.New("the URL needs a user where only an anonymous login is allowed")
	errAnonymous = errors.New("an anonymous login where credentials are required")
	errNobody    = errors.New("the server wants a login, and there is none to give")
)

// newLogin returns who logs in for the URL of req (RFC 5092 section 3.2). With
// URLAUTH it is who access names: the user before the host is whose mailbox it
// is (RFC 4467 section 3).
func newLogin(req *fetch.Request, access string) (login, error) {
	var l login
	switch user, isUser := strings.CutPrefix(access, "user+"); {
	case access == "anonymous":
		l.anonymous = req.Login != fetch.LoginRequired
	case isUser:
		l.user = user
	case access == "":
		var err error
		if l, err = urlLogin(req); err != nil {
			return l, err
		}
	}
	if l.anonymous && req.Login == fetch.LoginRequired {
		return l, fault(fetch.Credentials, errAnonymous)
	}
	if !l.anonymous && req.Login == fetch.LoginAnonymous {
		return l, fault(fetch.Malformed, errNamed)
	}
	if strings.ContainsAny(l.user, "\r\n\x00") {
		return l, fault(fetch.Malformed, errInject)
	}
	return l, nil
}

// urlLogin reads iuserinfo.
func urlLogin(req *fetch.Request) (login, error) {
	u := req.URL.User
	if u == nil || u.String() == "" {
		return login{anonymous: req.Login != fetch.LoginRequired}, nil
	}
	if _, has := u.Password(); has {
		return login{}, fault(fetch.Malformed, errPassword)
	}
	name := u.Username()
	i := strings.LastIndexByte(name, ';')
	if i < 0 {
		// RFC 5092 section 3.2: it means ";AUTH=*".
		return login{user: name, anonymous: strings.EqualFold(name, "anonymous")}, nil
	}
	key, mechanism, _ := strings.Cut(name[i+1:], "=")
	if !strings.EqualFold(key, "AUTH") {
		return login{}, fault(fetch.Malformed, errOrder)
	}
	switch strings.ToUpper(mechanism) {
	case "*":
		return login{user: name[:i], any: i == 0 && req.Login == fetch.LoginAny}, nil
	case "PLAIN":
		return login{user: name[:i]}, nil
	case "ANONYMOUS":
		return login{anonymous: true}, nil
	}
	return login{}, fault(fetch.Unsupported, errMechanism)
}

// logIn authenticates. A URL with ";AUTH=*" and without a user falls back to an anonymous
// login (RFC 5092 section 3.2).
func (s *session) logIn() error {
	s.req.Report(fetch.Event{Phase: fetch.Sending, Total: -1})
	var answer *fetch.Userinfo
	if !s.target.login.anonymous && s.req.Credentials != nil {
		scheme := "imap"
		if s.target.implicit {
			scheme = "imaps"
		}
		var err error
		answer, err = s.req.Credentials(s.ctx, fetch.Challenge{
			Scheme: scheme, Host: s.target.host, Port: s.target.port, User: s.target.login.user,
		})
		if err != nil {
			return driver.Refusal(fetch.Credentials, err)
		}
	}
	switch {
	case s.target.login.anonymous, answer == nil && s.target.login.any:
		return failed(s.wire.LogIn(wire.Login{Anonymous: true, Trace: s.opts.Trace}))
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
	if !s.conn.Exchange.Full() {
		return
	}
	if sent {
		line = withoutLogin(line)
	} else if s.repeats(line) {
		tag, _, _ := strings.Cut(line, " ")
		line = tag + " " + cutOut
	}
	s.conn.Exchange.Say(sent, withoutToken(line))
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

// urlAuth finds ";URLAUTH=" (RFC 4467 section 3) and the text after it, up to the end of
// the URL.
var urlAuth = regexp.MustCompile(`(?i)(;URLAUTH=)[^ "]*`)

func withoutToken(s string) string { return urlAuth.ReplaceAllString(s, "${1}"+cutOut) }

// repeats reports whether a line has a secret of the login in it.
func (s *session) repeats(line string) bool {
	line = strings.ToLower(line)
	return slices.ContainsFunc(s.secrets, func(secret string) bool {
		return secret != "" && strings.Contains(line, strings.ToLower(secret))
	})
}
