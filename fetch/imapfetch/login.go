package imapfetch

import (
	"encoding/base64"
	"errors"
	"strconv"
	"strings"

	"github.com/go-extbody/extbody/fetch"
)

// A login is who logs in.
type login struct {
	anonymous bool
	user      string // that the URL names; "" if none
}

var (
	errPassword  = errors.New("a password in an IMAP URL")
	errMechanism = errors.New("an authentication mechanism that is not supported")
	errNamed     = errors.New("the URL needs a user where only an anonymous login is allowed")
	errAnonymous = errors.New("an anonymous login where credentials are required")
	errNobody    = errors.New("the server wants a login, and there is none to give")
	errDisabled  = errors.New("the server offers no way to log in that is supported")
	errNoTLS     = errors.New("the server does not offer TLS, without which no password is sent")
)

// newLogin says who logs in for the URL of req (RFC 5092 section 3.2). With
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
	case "*", "PLAIN":
		return login{user: name[:i]}, nil
	case "ANONYMOUS":
		return login{anonymous: true}, nil
	}
	return login{}, fault(fetch.Unsupported, errMechanism)
}

// logIn authenticates.
func (s *session) logIn() error {
	if s.preauth {
		return nil
	}
	s.req.Report(fetch.Event{Phase: fetch.Sending, Total: -1})
	if s.target.login.anonymous {
		return s.logInAnonymously()
	}
	if !s.private && !s.opts.AllowPlaintext {
		return fault(fetch.Untrusted, errNoTLS)
	}
	if s.req.Credentials == nil {
		return fault(fetch.Credentials, errNobody)
	}
	scheme := "imap"
	if s.target.implicit {
		scheme = "imaps"
	}
	answer, err := s.req.Credentials(s.ctx, fetch.Challenge{
		Scheme: scheme, Host: s.target.host, Port: s.target.port, User: s.target.login.user,
	})
	if err != nil {
		return fetch.Refusal(fetch.Credentials, err)
	}
	if answer == nil {
		return fault(fetch.Credentials, errNobody)
	}
	user := answer.User
	if user == "" {
		user = s.target.login.user
	}
	if user == "" {
		return fault(fetch.Credentials, errNobody)
	}
	if strings.ContainsAny(user+answer.Password+answer.Token, "\r\n\x00") || strings.Contains(user+answer.Token, "\x01") {
		return fault(fetch.Malformed, errInject)
	}
	s.secrets = []string{user, answer.Password, answer.Token}
	if answer.Token != "" {
		return s.logInWithToken(user, answer.Token)
	}
	switch {
	case s.caps["AUTH=PLAIN"]:
		// RFC 4616: no authorization identity.
		return s.authenticate("PLAIN", "\x00"+user+"\x00"+answer.Password, "")
	case !s.caps["LOGINDISABLED"] && sendable(user) && sendable(answer.Password):
		return s.must("LOGIN "+quoted(user)+" "+quoted(answer.Password), fetch.Credentials)
	}
	return fault(fetch.Credentials, errDisabled)
}

// logInAnonymously follows RFC 5092 section 3.2.
func (s *session) logInAnonymously() error {
	trace := s.opts.Trace
	switch {
	case s.caps["AUTH=ANONYMOUS"]:
		return s.authenticate("ANONYMOUS", trace, "")
	case s.caps["LOGINDISABLED"] || !sendable(trace):
		return fault(fetch.Credentials, errDisabled)
	}
	if trace == "" {
		trace = "anonymous@"
	}
	return s.must("LOGIN anonymous "+quoted(trace), fetch.Credentials)
}

// logInWithToken sends a bearer token (RFC 7628 section 3.1), or sends it in the
// older form that some servers know alone.
func (s *session) logInWithToken(user, token string) error {
	switch {
	case s.caps["AUTH=OAUTHBEARER"]:
		// RFC 5801 section 4: "=" and "," are written otherwise.
		name := strings.NewReplacer("=", "=3D", ",", "=2C").Replace(user)
		return s.authenticate("OAUTHBEARER", "n,a="+name+",\x01host="+s.target.host+"\x01port="+
			strconv.Itoa(int(s.target.port))+"\x01auth=Bearer "+token+"\x01\x01", "\x01")
	case s.caps["AUTH=XOAUTH2"]:
		return s.authenticate("XOAUTH2", "user="+user+"\x01auth=Bearer "+token+"\x01\x01", "")
	}
	return fault(fetch.Credentials, errDisabled)
}

// authenticate sends one message of a SASL mechanism when the server asks for
// it (RFC 3501 section 6.2.2). A server that asks a second time says why it
// refuses, and gets abort (RFC 7628 section 3.2.3).
func (s *session) authenticate(mechanism, message, abort string) error {
	tag, err := s.dialog.send("AUTHENTICATE " + mechanism)
	if err != nil {
		return err
	}
	asked := 0
	st, err := s.dialog.wait(tag, func(line string) (bool, error) {
		if !strings.HasPrefix(line, "+") || asked == 2 {
			return false, nil
		}
		if asked++; asked == 2 {
			message = abort
		}
		return true, s.dialog.write(base64.StdEncoding.EncodeToString([]byte(message)))
	})
	if err != nil {
		return err
	}
	return st.err(fetch.Credentials)
}
