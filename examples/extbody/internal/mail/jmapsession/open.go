package jmapsession

import (
	"cmp"
	"context"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/go-extbody/extbody/fetch"
)

// Open gets the session resource, and finds the account.
func Open(ctx context.Context, cfg *Config) (*Session, error) {
	s := &Session{cfg: *cfg}
	s.cfg.MaxMessage = cmp.Or(s.cfg.MaxMessage, defaultMaxMessage)
	s.cfg.Idle = cmp.Or(s.cfg.Idle, defaultIdle)
	s.cfg.Pause = cmp.Or(s.cfg.Pause, defaultPause)
	var err error
	s.named, err = url.Parse(cfg.URL)
	if err != nil {
		return nil, fault(fetch.Malformed, errNotJMAP)
	}
	s.client = &http.Client{
		Transport: &http.Transport{
			DialContext:            s.dial,
			TLSClientConfig:        cfg.TLS,
			MaxConnsPerHost:        maxParallel + 1,
			MaxIdleConnsPerHost:    maxParallel + 1,
			IdleConnTimeout:        s.cfg.Idle,
			MaxResponseHeaderBytes: maxHeader,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	if err := s.open(ctx); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// dial connects to a host.
func (s *Session) dial(ctx context.Context, network, address string) (net.Conn, error) {
	if strings.HasSuffix(origin(s.named), "://"+strings.ToLower(address)) {
		return s.cfg.Dial(ctx, network, address)
	}
	return s.cfg.DialOther(ctx, network, address)
}

func (s *Session) open(ctx context.Context) error {
	r := jsonRequest(s.named, nil)
	r.redirects = true
	r.session = true
	err := s.repeatedly(ctx, fewTries, func() (err error) {
		s.base, err = s.send(ctx, r, func(r io.Reader) error {
			text, err := readAnswer(r, valuesOfResource)
			if err == nil {
				s.resource, err = parseResource(text)
			}
			return err
		})
		return err
	})
	if err == nil {
		s.account, err = s.find(s.cfg.Account)
	}
	return err
}
