package imapfetch

import (
	"errors"
	"strings"

	"github.com/go-extbody/extbody/fetch"
)

var (
	errPassword  = errors.New("a password in an IMAP URL")
	errMechanism = errors.New("an authentication mechanism that is not supported")
	errNamed     = errors.New("the URL needs a user where only an anonymous login is allowed")
	errAnonymous = errors.New("an anonymous login where credentials are required")
	errNobody    = errors.New("the server wants a login, and there is none to give")
)

var (
	errScheme = errors.New("not an imap or imaps URL")
	errHost   = errors.New("the URL has no host")
	errInject = errors.New("a control character or an octet that cannot be sent")
	errSearch = errors.New("the URL names a search")
)

// A login is who logs in.
type login struct {
	anonymous bool
	user      string // that the URL names; "" if none
	any       bool   // anonymous will do without credentials
}

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
		l, err = urlLogin(req)
		if err != nil {
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
