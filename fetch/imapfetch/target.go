package imapfetch

import (
	"errors"
	"strings"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/imap/wire"
)

const (
	portIMAP  = 143
	portIMAPS = 993
)

// A target is a Request in terms of IMAP. Everything in it has been
// checked: its strings can be sent.
type target struct {
	host     string
	port     uint16
	implicit bool // TLS from the first octet

	location
	login login
	text  string // the URL, if it has a URLAUTH
}

var (
	errScheme = errors.New("not an imap or imaps URL")
	errHost   = errors.New("the URL has no host")
	errInject = errors.New("a control character or an octet that cannot be sent")
	errSearch = errors.New("the URL names a search")
)

// target checks all that can be checked without the network.
func (f *Fetcher) target(req *fetch.Request) (*target, error) {
	t := new(target)
	u := req.URL
	switch strings.ToLower(u.Scheme) {
	case "imap":
	case "imaps":
		t.implicit = true
	default:
		return nil, fault(fetch.Unsupported, errScheme)
	}
	if u.Host == "" || u.Opaque != "" {
		return nil, fault(fetch.Malformed, errHost)
	}
	if u.RawQuery != "" || u.ForceQuery {
		// RFC 5092 section 5: a list of messages.
		return nil, fault(fetch.Unsupported, errSearch)
	}
	if err := t.location.parse(u.EscapedPath()); err != nil {
		return nil, err
	}
	var err error
	if t.host, t.port, err = f.guard.Authority(u); err != nil {
		return nil, err
	}
	if !t.expire.IsZero() && time.Now().After(t.expire) {
		return nil, fault(fetch.Expired, errors.New("since "+t.expire.UTC().Format(time.RFC3339)))
	}
	if t.access != "" {
		if t.text = req.Text; t.text == "" {
			t.text = u.String()
		}
		if !wire.Sendable(t.text) {
			return nil, fault(fetch.Malformed, errInject)
		}
	}
	if t.login, err = newLogin(req, t.access); err != nil {
		return nil, err
	}
	return t, nil
}

func fault(kind fetch.Kind, err error) error { return &fetch.Error{Kind: kind, Err: err} }
