package httpfetch

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/link/host"
)

// Logins are the answers of [fetch.Request].Credentials within one fetch. Each
// is sent to its origin alone.
type logins struct {
	req       *fetch.Request
	plaintext bool
	known     map[string]string // values of Authorization by origin, or ""
}

var (
	errToken = errors.New("a token, or a user or password, that cannot be sent")
	errOffer = errors.New("the server does not take what there is to log in with")
)

// origin returns the origin to which credentials are bound (RFC 9110 section 4.3.1). at is in
// canonical form.
func origin(at *url.URL) string { return at.Scheme + "://" + at.Host }

// at returns the value of Authorization for a URL, or "".
func (l *logins) at(at *url.URL) string { return l.known[origin(at)] }

// ask asks for credentials after an answer 401, once an origin, and reports
// whether the request may be repeated with them. It does not ask where they
// could not be sent: without TLS that verifies who gets them, or without a
// method that is known here.
func (l *logins) ask(ctx context.Context, at *url.URL, h http.Header) (bool, error) {
	if _, asked := l.known[origin(at)]; asked || l.req.Credentials == nil || !l.private(at) {
		return false, nil
	}
	methods, realm := offered(h["Www-Authenticate"])
	if len(methods) == 0 && h["Www-Authenticate"] != nil {
		return false, nil
	}
	if l.known == nil {
		l.known = make(map[string]string)
	}
	l.known[origin(at)] = ""
	name, port, err := host.Split(at.Host)
	if err != nil {
		return false, &fetch.Error{Kind: fetch.Malformed, Err: err}
	}
	port = cmp.Or(port, host.Port(at.Scheme))
	answer, err := l.req.Credentials(ctx, fetch.Challenge{
		Scheme: at.Scheme, Host: name, Port: port, Realm: realm, Methods: methods,
	})
	if err != nil {
		return false, fetch.Refusal(fetch.Credentials, err)
	}
	if answer == nil {
		return false, nil
	}
	value, err := authorization(answer, methods)
	l.known[origin(at)] = value
	return err == nil, err
}

// private reports whether credentials may be sent to at.
func (l *logins) private(at *url.URL) bool {
	return at.Scheme == "https" || l.plaintext
}

// authorization returns the value of the field for an answer (RFC 6750 section
// 2.1, RFC 7617 section 2). Where the server names no method any will do.
func authorization(u *fetch.Userinfo, methods []string) (string, error) {
	method, value := "basic", ""
	switch {
	case u.Token != "":
		if method = "bearer"; isToken68(u.Token) {
			value = "Bearer " + u.Token
		}
	case !strings.Contains(u.User, ":") && !strings.ContainsFunc(u.User+u.Password, isControl):
		value = "Basic " + base64.StdEncoding.EncodeToString([]byte(u.User+":"+u.Password))
	}
	if value == "" {
		return "", &fetch.Error{Kind: fetch.Malformed, Err: errToken}
	}
	if len(methods) > 0 && !slices.Contains(methods, method) {
		return "", &fetch.Error{Kind: fetch.Credentials, Err: errOffer}
	}
	return value, nil
}

// isToken68 reports whether s is a bearer token (RFC 9110 section 11.2).
func isToken68(s string) bool {
	const chars = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~+/"
	text := strings.TrimRight(s, "=")
	return text != "" && strings.Trim(text, chars) == ""
}
