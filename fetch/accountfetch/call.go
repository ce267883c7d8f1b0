package accountfetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/textproto"
	"net/url"
	"strings"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/internal/codec/bounded"
	"github.com/go-extbody/extbody/internal/codec/lazyregexp"
)

// A call is one fetch with an account.
type call struct {
	ctx     context.Context
	api     fetch.Fetcher
	req     *fetch.Request
	account *account
	link    *link
	hidden  []string // pieces of URLs that no record has
}

var errElsewhere = &fetch.Error{Kind: fetch.Protocol, Err: errors.New("the API redirects to another place")}

// maxJSON bounds an answer in JSON.
const maxJSON = 1 << 20

// hide implements [asker].
func (c *call) hide(piece string) { c.hidden = append(c.hidden, piece) }

// get implements [asker]. An answer of the API itself is nowhere else.
func (c *call) get(at string, fields map[string]string, answer any) error {
	req := c.request()
	req.MediaType = "application/json"
	req.Name = ""
	req.Size = 0
	req.Accept = nil
	req.CheckHop = func(context.Context, *url.URL, *url.URL) error { return errElsewhere }
	ctx, cancel := driver.Limit(c.ctx, req.Timeouts.WithDefaults().Stall, "the answer of the API")
	defer cancel()
	resp, err := c.send(ctx, req, at, fields)
	if err != nil {
		return driver.Interrupted(ctx, err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxJSON))
	if err != nil {
		err = driver.Interrupted(ctx, err)
	} else if bounded.JSON(text, answer, maxValues) != nil {
		err = errJSON
	}
	x := driver.OfResponse(resp).Exchange
	if driver.Full(x) {
		x.Beginning = c.withoutURLs(text[:min(len(text), fetch.MaxBeginning)])
		x.Cut = x.Cut || len(text) > fetch.MaxBeginning
	}
	driver.End(x, err)
	return err
}

// open implements [asker]. The URL of the Response is the one of the API, since the one that the API leads to is a
// credential.
func (c *call) open(at string, fields map[string]string) (*fetch.Response, error) {
	return c.openFrom(at, fields, nil)
}

// openFrom is open with the conditions for the rest of a body, or nil.
func (c *call) openFrom(at string, fields map[string]string, rest *fetch.Conditions) (*fetch.Response, error) {
	req := c.request()
	req.Conditions = rest
	if c.req.CheckHop != nil {
		req.CheckHop = func(ctx context.Context, from, to *url.URL) error {
			return c.req.CheckHop(ctx, originOf(from), originOf(to))
		}
	}
	resp, err := c.send(c.ctx, req, at, fields)
	if err != nil {
		return nil, err
	}
	u, err := url.Parse(c.shown(at))
	if err != nil {
		resp.Body.Close()
		return nil, errJSON
	}
	resp.URL = u
	resp.Hops = []*url.URL{c.req.URL}
	resp.Header = described(resp.Header)
	if part := driver.OfResponse(resp); part.Resume != nil {
		resume := *part.Resume
		resume.URL = ""
		resume.Session = &session{c, at, fields, part.Resume.Session}
		part.Resume = &resume
	}
	return resp, nil
}

// A session has the facts for asking for the rest of a body.
type session struct {
	call   *call
	at     string
	fields map[string]string
	inner  any // of the Fetcher of the API
}

// rest asks the API for the rest of a body, for which it makes another URL. The hosts that the caller allowed for
// the body are those allowed for its rest.
func (s *session) rest(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	c := *s.call
	again := *req
	again.CheckHop = s.call.req.CheckHop // the one of fetch.Do keeps to the origin of the API, which has no octets
	again.URL = s.call.req.URL
	again.MaxRedirects = s.call.req.MaxRedirects
	c.ctx = ctx
	c.req = &again
	conditions := *req.Conditions
	conditions.URL = ""
	conditions.Session = s.inner
	return c.openFrom(s.at, s.fields, &conditions)
}

// request returns a request to the API, without its URL.
func (c *call) request() *fetch.Request {
	req := *c.req
	req.Text = ""
	req.Secret = true
	req.Cookies = false
	req.Credentials = nil
	req.Conditions = nil
	if observe := c.req.Observe; observe != nil {
		req.Observe = func(x *fetch.Exchange) {
			shown := *x // others may observe it as well
			shown.URL = c.shown(x.URL)
			shown.RequestHead = []byte(c.shown(string(x.RequestHead)))
			shown.Beginning = []byte(c.shown(string(x.Beginning)))
			shown.Hop++
			observe(&shown)
		}
	}
	return &req
}

// shown returns a text without the pieces that are hidden.
func (c *call) shown(text string) string {
	for _, piece := range c.hidden {
		text = strings.ReplaceAll(text, piece, "(link)")
	}
	return text
}

// isURL matches the URLs in a JSON text, which may have the slashes escaped.
var isURL = lazyregexp.New(`https?:(?:\\?/){2}(?:[^"\\]|\\.)*`)

// withoutURLs returns a JSON text of the API without the URLs that are not below its base. One that gives the octets
// without a login may be among them, although it was not selected.
func (c *call) withoutURLs(text []byte) []byte {
	below := c.account.base.String() + "/"
	return isURL().ReplaceAllFunc(text, func(u []byte) []byte {
		if strings.HasPrefix(strings.ReplaceAll(string(u), `\/`, "/"), below) {
			return u
		}
		return []byte("(URL)")
	})
}

// send sends req to the API at a URL, with the token of the account. If the API refuses the token, another one is
// asked for, once.
func (c *call) send(
	ctx context.Context, req *fetch.Request, at string, fields map[string]string,
) (*fetch.Response, error) {
	u, err := url.Parse(at)
	if err != nil || !isBelow(at, c.account.base.String()) {
		return nil, errForeign
	}
	req.URL = u
	refused := ""
	for {
		token, err := c.account.tokens.get(ctx, refused)
		if err != nil {
			return nil, err
		}
		with := map[string]string{"Authorization": "Bearer " + token}
		maps.Copy(with, fields)
		driver.OfRequest(req).Call = with
		resp, err := driver.Ask(ctx, req, c.api)
		if err == nil {
			return resp, nil
		}
		status, content := refusal(err)
		switch {
		case status == 401 && refused == "":
			refused = token
			continue
		case status == 401:
			return nil, errRefused
		case status == 0, status == 429, status == 503:
			return nil, err
		}
		return nil, c.fault(err, status, content, token)
	}
}

// word matches the words of an API that are quoted.
var word = lazyregexp.New(`^[A-Za-z0-9_./]{1,80}$`)

// fault returns the error of an answer with this status, with the word of the API for it. A word that is a piece of
// the link or has to do with the token is not quoted.
func (c *call) fault(err error, status int, content []byte, token string) error {
	kind, text := c.account.provider.fault(status, content)
	if kind == 0 {
		kind = fetch.KindOf(err)
	}
	said := fmt.Sprintf("the API answers %d", status)
	isSecret := c.shown(text) != text || strings.Contains(text, token) || strings.Contains(token, text)
	if word().MatchString(text) && !isSecret {
		said += " " + text
	}
	return &fetch.Error{Kind: kind, Err: errors.New(said), After: fetch.AfterOf(err)}
}

// refusal returns the status and the beginning of the answer of the API that an error is about; 0 if there was
// none. An answer of the host of the octets is not a refusal: that host knows no token.
func refusal(err error) (status int, content []byte) {
	a, ok := errors.AsType[interface {
		error
		Answer() (int, map[string][]string)
		Content() []byte
	}](err)
	if !ok || a.Content() == nil {
		return 0, nil
	}
	status, _ = a.Answer()
	return status, a.Content()
}

func originOf(u *url.URL) *url.URL { return &url.URL{Scheme: u.Scheme, Host: u.Host, Path: "/"} }

// described returns the fields that are about the octets. Others may have the URL of them.
func described(h textproto.MIMEHeader) textproto.MIMEHeader {
	kept := make(textproto.MIMEHeader)
	for _, name := range [...]string{"Cache-Control", "Content-Disposition", "Date", "Etag", "Last-Modified"} {
		if values := h[name]; len(values) > 0 {
			kept[name] = values
		}
	}
	return kept
}
