package httpfetch

import (
	"errors"
	"net"
	"net/url"
	"strconv"
	"strings"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/codec/percent"
	"github.com/go-extbody/extbody/internal/link/host"
)

var (
	errNoHost   = &fetch.Error{Kind: fetch.Malformed, Err: errors.New("no host")}
	errPath     = &fetch.Error{Kind: fetch.Malformed, Err: errors.New("the path does not begin with a slash")}
	errControl  = &fetch.Error{Kind: fetch.Malformed, Err: errors.New("a control character in the URL")}
	errUserinfo = &fetch.Error{Kind: fetch.Blocked, Err: fetch.CauseCredentials.With(errors.New("userinfo in the URL"))}
)

// target judges u and returns a copy in the one form that is dialed, sent and
// reported: scheme and host canonical, no default port, no fragment (RFC 9110
// section 4.2.5), and no octet in the query that would end the request line.
func (f *Fetcher) target(u *url.URL) (*url.URL, error) {
	scheme := strings.ToLower(u.Scheme)
	if scheme != "http" && scheme != "https" {
		return nil, blocked("the scheme is %.20q, not http or https", scheme)
	}
	if u.Host == "" {
		return nil, errNoHost
	}
	host, port, err := f.guard.Authority(u)
	if err != nil {
		return nil, err
	}
	if u.User != nil {
		// RFC 9110 section 4.2.4. We would not send it, whatever the guard allows.
		return nil, errUserinfo
	}
	if u.Path != "" && u.Path[0] != '/' {
		return nil, errPath
	}
	if strings.ContainsFunc(u.RawQuery, isControl) {
		return nil, errControl
	}
	return &url.URL{
		Scheme:     scheme,
		Host:       authority(scheme, host, port),
		Path:       u.Path,
		RawPath:    u.RawPath,
		RawQuery:   string(percent.AppendEncode(nil, u.RawQuery, &queryEscapes)),
		ForceQuery: u.ForceQuery,
	}, nil
}

// authority joins a canonical host and a port, leaving out the port that is the
// default of the scheme.
func authority(scheme, name string, port uint16) string {
	if port != 0 && port != host.Port(scheme) {
		return net.JoinHostPort(name, strconv.Itoa(int(port)))
	}
	if strings.IndexByte(name, ':') >= 0 {
		return "[" + name + "]"
	}
	return name
}

// queryEscapes has the octets of a query that net/url leaves as they are.
var queryEscapes = percent.NewSet(func(c byte) bool { return c == ' ' || c >= 0x80 })

func isControl(c rune) bool { return c < ' ' || c == 0x7f }
