package ftpfetch

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
)

// Check implements [driver.Inspector].
func (f *fetcher) Check(req *fetch.Request) error {
	_, err := f.target(req)
	return err
}

// Fetch implements [fetch.Fetcher].
func (f *fetcher) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	t, err := f.target(req)
	if err != nil {
		return nil, err
	}
	resp, err := f.attempt(ctx, req, t)
	if errors.Is(err, errWantsTLS) && f.opts.TLS != TLSOff && !t.secure {
		t.secure = true
		resp, err = f.attempt(ctx, req, t)
	}
	if t.login.canAsk(req) && fetch.KindOfFetch(err) == fetch.Credentials {
		t.login = login{}
		resp, err = f.attempt(ctx, req, t)
	}
	return resp, err
}

// attempt is one session on one control connection.
func (f *fetcher) attempt(ctx context.Context, req *fetch.Request, t *target) (*fetch.Response, error) {
	s := &session{ctx: ctx, req: req, target: t, opts: &f.opts, guard: f.guard}
	resp, err := s.run()
	if err != nil {
		return nil, s.fail(err)
	}
	return resp, nil
}

// run does all that comes before the body.
func (s *session) run() (*fetch.Response, error) {
	for _, step := range []func() error{
		s.connect, s.greet, s.secure, s.logIn, s.protect, s.learn, s.enter,
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return s.transfer()
}

func (s *session) connect() (err error) {
	s.control, err = driver.Dial(s.ctx, s.req, s.guard, "ftp", s.target.port)
	if err != nil {
		return err
	}
	s.log = s.control.Exchange
	driver.OnEnd(s.log, s.count)
	s.dialog = newDialog(s.control, s.req.Timeouts.FirstOctet)
	s.dialog.log = s.log
	s.dialog.secret = s.hasLogin
	if s.target.implicit {
		return s.startTLS()
	}
	return nil
}

// target checks all that can be checked without the network.
func (f *fetcher) target(req *fetch.Request) (*target, error) {
	t := new(target)
	switch strings.ToLower(req.URL.Scheme) {
	case "ftp":
	case "ftps":
		t.implicit = true
	default:
		return nil, &fetch.Error{Kind: fetch.Unsupported, Err: errScheme}
	}
	if req.URL.Host == "" {
		return nil, malformed(errHost)
	}
	code, err := t.setPath(req.URL)
	if err != nil {
		return nil, malformed(err)
	}
	if err := t.setType(req, code); err != nil {
		return nil, err
	}
	t.login, err = newLogin(req, &f.opts)
	if err != nil {
		return nil, err
	}
	for _, s := range slices.Concat(t.dirs, []string{t.name, t.login.user, t.login.password}) {
		if !sendable(s) {
			return nil, malformed(errInject)
		}
	}
	t.host, t.port, err = f.guard.Authority(req.URL)
	if err != nil {
		return nil, err
	}
	return t, nil
}
