package httpfetch

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/internal/codec/ascii"
	"github.com/go-extbody/extbody/internal/link/host"
	"github.com/go-extbody/extbody/internal/netx/fieldvalue"
	"golang.org/x/net/publicsuffix"
)

// Logins are the answers of [fetch.Request].Credentials within one fetch. Each
// is sent to its origin alone.
type logins struct {
	req       *fetch.Request
	plaintext bool
	known     map[string]string // values of Authorization by origin, or ""
}

// at returns the value of Authorization for a URL, or "".
func (l *logins) at(at *url.URL) string { return l.known[origin(at)] }

// ask asks for credentials after an answer 401, once an origin, and reports
// whether the request may be repeated with them. It does not ask where they
// could not be sent: without TLS that verifies who gets them, or without a
// method that is known here.
func (l *logins) ask(ctx context.Context, at *url.URL, h http.Header) (bool, error) {
	_, asked := l.known[origin(at)]
	verified := at.Scheme == "https" || l.plaintext
	if asked || !verified || l.req.Credentials == nil {
		return false, nil
	}
	methods, realm := offered(h["Www-Authenticate"])
	if len(methods) == 0 && h["Www-Authenticate"] != nil {
		return false, nil
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
		return false, driver.Refusal(fetch.Credentials, err)
	}
	if answer == nil {
		return false, nil
	}
	value, err := authorization(answer, methods)
	l.known[origin(at)] = value
	return err == nil, err
}

var (
	errToken = errors.New("a token, or a user or password, that cannot be sent")
	errOffer = errors.New("the server does not take what there is to log in with")
)

// origin returns the origin to which credentials are bound (RFC 9110 section 4.3.1). at is in
// canonical form.
func origin(at *url.URL) string { return at.Scheme + "://" + at.Host }

// authorization returns the value of the field for an answer (RFC 6750 section
// 2.1, RFC 7617 section 2). Where the server names no method any will do.
func authorization(u *fetch.Userinfo, methods []string) (string, error) {
	method := "basic"
	value := ""
	switch {
	case u.Token != "":
		method = "bearer"
		if isToken68(u.Token) {
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
	const chars = ascii.Upper + ascii.Lower + ascii.Digits + "-._~+/"
	text := strings.TrimRight(s, "=")
	return text != "" && strings.Trim(text, chars) == ""
}

// offered returns those methods of a WWW-Authenticate field that can be
// answered, in the order in which they come, and the realm of the first that
// has one (RFC 9110 section 11.6.1).
func offered(lines []string) (methods []string, realm string) {
	usable := false
	for _, line := range lines {
		for item := range fieldvalue.Members(line) {
			scheme, param, isScheme := cutScheme(item)
			if isScheme {
				usable = scheme == "basic" || scheme == "bearer"
				if usable && !slices.Contains(methods, scheme) {
					methods = append(methods, scheme)
				}
			}
			name, value, _ := strings.Cut(param, "=")
			if usable && realm == "" && strings.EqualFold(strings.TrimSpace(name), "realm") {
				realm = shown(strings.TrimSpace(value))
			}
		}
		usable = false // each line starts with a scheme
	}
	return methods, realm
}

// cutScheme splits an item into the scheme that it starts with, in lower case,
// and the parameter. An item without a scheme is a parameter of the one before.
func cutScheme(item string) (scheme, param string, ok bool) {
	scheme, param, spaced := strings.Cut(item, " ")
	if !fieldvalue.IsToken(scheme) || spaced && strings.HasPrefix(strings.TrimLeft(param, " "), "=") {
		return "", item, false
	}
	return strings.ToLower(scheme), strings.TrimLeft(param, " "), true
}

// maxRealm bounds a realm, which is shown to people.
const maxRealm = 200

// shown returns the text of a quoted string or a token, "" if it is too long or has
// control characters.
func shown(s string) string {
	s = fieldvalue.Unquote(s)
	if len(s) > maxRealm || strings.ContainsFunc(s, isControl) {
		return ""
	}
	return strings.ToValidUTF8(s, "?")
}

// Limits on the cookies of one fetch.
const (
	maxCookies     = 50
	maxCookieBytes = 4 << 10
)

// Cookies are those that one site sets within one fetch. A nil cookies takes and
// sends none.
type cookies struct {
	jar  *cookiejar.Jar
	site string
	left int
}

func (c *cookies) allows(u *url.URL) bool {
	return c != nil && u.Scheme == "https" && site(u) == c.site
}

// at returns the value of the field Cookie for u, or "".
func (c *cookies) at(u *url.URL) string {
	if !c.allows(u) {
		return ""
	}
	var list []string
	for _, cookie := range c.jar.Cookies(u) {
		list = append(list, cookie.String())
	}
	return strings.Join(list, "; ")
}

// take takes the cookies of an answer, and reports whether u gets others now.
func (c *cookies) take(u *url.URL, resp *http.Response) bool {
	if !c.allows(u) || resp.Header["Set-Cookie"] == nil {
		return false
	}
	before := c.at(u)
	var list []*http.Cookie
	for _, cookie := range resp.Cookies() {
		if c.left > 0 && len(cookie.Name)+len(cookie.Value) <= maxCookieBytes {
			list = append(list, cookie)
			c.left--
		}
	}
	c.jar.SetCookies(u, list)
	return c.at(u) != before
}

// newCookies returns the cookies of a fetch that starts at u: none yet, or those
// that it had when it was interrupted.
func newCookies(req *fetch.Request, u *url.URL) *cookies {
	if c := req.Conditions; c != nil {
		if kept, ok := c.Session.(*cookies); ok && kept != nil {
			return kept
		}
	}
	if !req.Cookies {
		return nil
	}
	jar, _ := cookiejar.New(&cookiejar.Options{PublicSuffixList: publicsuffix.List}) // which has no errors
	return &cookies{jar: jar, site: site(u), left: maxCookies}
}

// site returns the registrable domain of the host of u, or the host if it has
// none, as an address.
func site(u *url.URL) string {
	host := u.Hostname()
	if domain, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		return domain
	}
	return host
}

func isControl(c rune) bool { return c < ' ' || c == 0x7f }
