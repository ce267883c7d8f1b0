package ftpfetch

import (
	"crypto/tls"
	"errors"
	"strings"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
)

var (
	errNamed      = errors.New("the URL names a user where only an anonymous login is allowed")
	errAnonymous  = errors.New("an anonymous login where credentials are required")
	errNoLogin    = errors.New("the server wants a login, and there is none to give")
	errNoPassword = errors.New("the server wants a password, and there is none to give")
	errNoAccount  = errors.New("the server wants an account, and there is none to give")
)

func newLogin(req *fetch.Request, opts *Options) (login, error) {
	var l login
	if u := req.URL.User; u != nil && u.Username() != "" {
		l.user = u.Username()
		l.named = true
		l.password, l.known = u.Password()
	}
	if l.named {
		l.anonymous = isAnonymous(l.user)
	} else {
		l.anonymous = req.Login != fetch.LoginRequired
	}
	switch {
	case l.anonymous && req.Login == fetch.LoginRequired:
		return login{}, noCredentials(errAnonymous)
	case !l.anonymous && req.Login == fetch.LoginAnonymous:
		return login{}, malformed(errNamed)
	case l.anonymous:
		if !l.named {
			l.user = "anonymous"
		}
		if !l.known {
			l.password = opts.Anonymous
			l.known = true
		}
	}
	return l, nil
}

// canAsk reports whether credentials may be asked for once the server has
// refused l.
func (l *login) canAsk(req *fetch.Request) bool {
	byDefault := l.anonymous && !l.named && req.Login == fetch.LoginAny
	return byDefault && req.Credentials != nil
}

// logIn logs in (RFC 959 section 5.4). The server may be content at each step.
func (s *session) logIn() error {
	driver.Report(s.req, fetch.Event{Phase: fetch.Sending, Total: -1})
	l := &s.target.login
	if !l.known {
		if err := s.askLogin(); err != nil {
			return err
		}
	}
	if l.user == "" {
		return noCredentials(errNoLogin)
	}
	r, err := s.cmd("USER " + l.user)
	if err != nil {
		return err
	}
	if r.code == 331 {
		if !l.known {
			return noCredentials(errNoPassword)
		}
		r, err = s.cmd("PASS " + l.password)
		if err != nil {
			return err
		}
	}
	if r.code == 332 {
		if l.account == "" {
			if err := s.askLogin(); err != nil {
				return err
			}
		}
		if l.account == "" {
			return noCredentials(errNoAccount)
		}
		r, err = s.cmd("ACCT " + l.account)
		if err != nil {
			return err
		}
	}
	if r.class() == completed {
		return nil
	}
	return s.loginRefusal(r)
}

// errWantsTLS is the error of a server that takes no login without TLS.
var errWantsTLS = errors.New("the server wants TLS")

// loginRefusal returns the error that a reply to a login stands for. 550 is not about
// a file yet. QUIRK: RFC 4217 has no reply for a login that needs TLS first. Servers
// have several, such as "550 SSL/TLS required" and "421 cleartext sessions are not
// accepted", and only the text distinguishes them.
func (s *session) loginRefusal(r reply) error {
	e := s.refusal(r)
	if e.Kind == fetch.NotFound {
		e.Kind = fetch.Forbidden
	}
	if s.tls != nil {
		return e
	}
	text := strings.ToLower(r.text)
	for _, word := range []string{"tls", "ssl", "cleartext", "encrypt"} {
		if strings.Contains(text, word) {
			return &fetch.Error{Kind: fetch.Untrusted, Err: errors.Join(errWantsTLS, e.Err)}
		}
	}
	return e
}

func noCredentials(err error) error { return &fetch.Error{Kind: fetch.Credentials, Err: err} }

// askLogin completes the login with the answer of Request.Credentials. It asks once a
// connection, and does nothing without Credentials or if an anonymous login must stay
// one.
func (s *session) askLogin() error {
	l := &s.target.login
	if l.asked || l.anonymous || s.req.Credentials == nil {
		return nil
	}
	l.asked = true
	scheme := "ftp"
	if s.target.implicit {
		scheme = "ftps"
	}
	answer, err := s.req.Credentials(s.ctx, fetch.Challenge{
		Scheme: scheme,
		Host:   s.target.host,
		Port:   s.target.port,
		User:   l.user,
	})
	if err != nil {
		return driver.Refusal(fetch.Credentials, err)
	}
	if answer == nil {
		return nil
	}
	if !sendable(answer.User) || !sendable(answer.Password) || !sendable(answer.Account) {
		return malformed(errInject)
	}
	l.account = answer.Account
	if l.known {
		return nil
	}
	if answer.User != "" {
		l.user = answer.User
	}
	l.password = answer.Password
	l.known = true
	if isAnonymous(l.user) && s.req.Login == fetch.LoginRequired {
		return noCredentials(errAnonymous)
	}
	return nil
}

var errInjected = errors.New("octets between the reply to AUTH TLS and the handshake")

// secure asks for TLS by the policy (RFC 4217 section 4).
func (s *session) secure() error {
	t := s.target
	policy := s.opts.TLS
	excused := policy == TLSOff || policy == TLSForCredentials && t.login.anonymous
	ask := t.secure || !excused
	must := ask && policy != TLSOpportunistic
	s.require = t.implicit || t.secure || must
	if t.implicit || !ask {
		return nil
	}
	r, ok, err := s.try("AUTH TLS")
	switch {
	case err != nil:
		return err
	case ok:
		return s.startTLS()
	case s.require:
		return s.noTLS(r)
	}
	return nil
}

// noTLS is the error for a server that refuses TLS although the policy requires it.
func (s *session) noTLS(r reply) error {
	return &fetch.Error{
		Kind: fetch.Untrusted,
		Err:  errors.Join(errNoTLS, s.refusal(r).Err),
	}
}

// startTLS puts TLS on the control connection.
func (s *session) startTLS() error {
	if s.dialog.in.Buffered() > 0 {
		// They came in the clear, perhaps from an attacker in between, and would
		// be taken for replies that came in TLS.
		return &fetch.Error{Kind: fetch.Protocol, Err: errInjected}
	}
	s.tls = s.opts.TLSConfig.Clone()
	if s.tls == nil {
		s.tls = new(tls.Config)
	}
	s.tls.ServerName = s.target.host
	s.tls.ClientSessionCache = tls.NewLRUClientSessionCache(0)
	return s.control.StartTLS(s.tls)
}

// protect asks for TLS on data connections (RFC 4217 section 9).
func (s *session) protect() error {
	if s.tls == nil {
		return nil
	}
	for _, line := range []string{"PBSZ 0", "PROT P"} {
		r, ok, err := s.try(line)
		if err != nil {
			return err
		}
		if !ok && s.require {
			return s.noTLS(r)
		}
		s.private = ok
	}
	return nil
}
