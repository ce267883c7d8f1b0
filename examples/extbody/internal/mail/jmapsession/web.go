package jmapsession

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/netx/fieldvalue"
	"github.com/go-extbody/extbody/internal/netx/tlserror"
)

// origin returns the origin of a URL (RFC 6454 section 4).
func origin(u *url.URL) string {
	port := map[string]string{"http": "80", "https": "443"}[u.Scheme]
	return u.Scheme + "://" + strings.ToLower(net.JoinHostPort(u.Hostname(), cmp.Or(u.Port(), port)))
}

// mayGo returns an error if a URL that was named by another one is not contacted. The package comment has the
// rule. secure means that everything has come over https.
func mayGo(from, to *url.URL, secure bool) error {
	if to.User == nil && to.Hostname() != "" {
		overTLS := secure && from.Scheme == "https" && to.Scheme == "https"
		if origin(from) == origin(to) || overTLS {
			return nil
		}
	}
	return fault(fetch.Blocked, errOrigin)
}

// A request is an HTTP request that may be sent more than once.
type request struct {
	url       *url.URL
	body      []byte // of a POST; nil for a GET
	header    http.Header
	redirects bool // they are followed
	session   bool // the login goes with redirects to other origins, too
}

// send sends a request, logs in if the server wants it, and follows redirects. It calls take with the body of an answer
// with the status 200. It returns the URL that answered.
func (s *Session) send(parent context.Context, r *request, take func(io.Reader) error) (*url.URL, error) {
	if s.Failed() != nil {
		return nil, s.Failed()
	}
	ctx, stop := context.WithCancelCause(parent)
	defer stop(nil)
	p := newPatience(s.cfg.Idle, func() { stop(errSlow) })
	defer p.stop()
	at := r.url
	fresh := false
	for hops := 0; ; {
		login := s.loginFor(r, at)
		resp, err := s.once(ctx, r, at, login)
		if err != nil {
			return nil, s.lost(parent, ctx, err)
		}
		unauthorized := resp.StatusCode == http.StatusUnauthorized && login == ""
		itsOwn := r.session || origin(at) == origin(r.url)
		switch to := resp.Header.Get("Location"); {
		case unauthorized && itsOwn && !fresh:
			resp.Body.Close()
			p.hold()
			if err := s.logIn(parent, at, resp.Header.Values("WWW-Authenticate")); err != nil {
				return nil, err
			}
			p.begin()
			fresh = true
			continue
		case resp.StatusCode == http.StatusUnauthorized:
			resp.Body.Close()
			err := fault(fetch.Credentials, errRefused)
			s.fail(err)
			return nil, err
		case resp.StatusCode/100 == 3 && to != "" && r.redirects:
			resp.Body.Close()
			next, err := at.Parse(to)
			if hops++; err != nil || hops > maxRedirects {
				return nil, fault(fetch.Protocol, errHops)
			}
			if err := mayGo(at, next, s.named.Scheme == "https"); err != nil {
				return nil, err
			}
			at = next
			continue
		}
		err = s.answered(resp, r, p, take)
		resp.Body.Close()
		if err != nil {
			return nil, s.lost(parent, ctx, err)
		}
		return at, nil
	}
}

// once sends a request to a URL.
func (s *Session) once(ctx context.Context, r *request, at *url.URL, login string) (*http.Response, error) {
	method := http.MethodGet
	var body io.Reader
	if r.body != nil {
		method = http.MethodPost
		body = bytes.NewReader(r.body)
	}
	req, err := http.NewRequestWithContext(ctx, method, at.String(), body)
	if err != nil {
		return nil, fault(fetch.Protocol, errNotJMAP)
	}
	for name, values := range r.header {
		req.Header[name] = values
	}
	if login != "" {
		req.Header.Set("Authorization", login)
	}
	return s.client.Do(req)
}

// answered reads an answer that does not redirect.
func (s *Session) answered(resp *http.Response, r *request, p *patience, take func(io.Reader) error) error {
	body := &patientReader{resp.Body, p}
	if resp.StatusCode == http.StatusOK {
		return take(body)
	}
	err := statusError(resp.StatusCode)
	if r.body != nil {
		text, rerr := io.ReadAll(io.LimitReader(body, maxHeader))
		if rerr != nil {
			return rerr
		}
		err = requestError(resp.StatusCode, text)
	}
	if e, ok := errors.AsType[*fetch.Error](err); ok && e.Kind == fetch.Unavailable {
		e.After = retryAfter(resp.Header.Get("Retry-After"))
		if time.Until(e.After) > maxPause {
			e.Kind = fetch.Deferred
			s.fail(err)
		}
	}
	return err
}

// retryAfter reads a field Retry-After (RFC 9110 section 10.2.3).
func retryAfter(value string) time.Time {
	if n, err := strconv.ParseUint(value, 10, 31); err == nil {
		return time.Now().Add(time.Duration(n) * time.Second)
	}
	at, _ := http.ParseTime(value)
	return at
}

// lost returns the error of a request that got no answer, or half of one. Its text quotes nothing that the
// server wrote. Errors that have a Kind are returned as they are.
func (s *Session) lost(parent, ctx context.Context, err error) error {
	if parent.Err() != nil {
		return context.Cause(parent)
	}
	if ctx.Err() != nil {
		return fault(fetch.Unavailable, context.Cause(ctx))
	}
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err // without the URL
	}
	kind := fetch.KindOfFetch(err)
	_, known := errors.AsType[*fetch.Error](err)
	_, network := errors.AsType[net.Error](err)
	switch {
	case known:
		return err
	case kind == fetch.Untrusted:
		return fault(kind, tlserror.Describe(err))
	case kind == fetch.Blocked, kind == fetch.Local:
		return fault(kind, err)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fault(fetch.Unavailable, errLost)
	case network:
		return fault(fetch.Unavailable, err)
	}
	return fault(fetch.Unavailable, errNotHTTP)
}

// loginFor returns the value of Authorization for a URL; "" before a login, or if it is not for that URL.
func (s *Session) loginFor(r *request, at *url.URL) string {
	if !r.session && origin(at) != origin(r.url) {
		return ""
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.login
}

// logIn asks for the login, which answers the challenges of the server at a URL.
func (s *Session) logIn(ctx context.Context, at *url.URL, challenges []string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at.Scheme != "https" && !s.cfg.AllowPlaintext {
		return fault(fetch.Untrusted, errPlaintext)
	}
	if !s.asked {
		s.asked = true
		s.login, s.denied = s.newLogin(ctx, methodsOf(challenges))
	}
	return s.denied
}

func (s *Session) newLogin(ctx context.Context, methods []string) (string, error) {
	if s.cfg.Login == nil {
		return "", fault(fetch.Credentials, errNoLogin)
	}
	info, err := s.cfg.Login(ctx, methods)
	switch {
	case err != nil:
		return "", fault(fetch.Credentials, err)
	case info == nil:
		return "", fault(fetch.Credentials, errNoLogin)
	case info.Token != "":
		return "Bearer " + info.Token, nil // RFC 6750 section 2.1
	}
	// RFC 7617 section 2.
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(info.User+":"+info.Password)), nil
}

// methodsOf returns the ways to log in that challenges offer (RFC 9110 section 11.3), as in a
// [fetch.Challenge].
func methodsOf(challenges []string) (methods []string) {
	for _, value := range challenges {
		for member := range fieldvalue.Members(value) {
			scheme, _, _ := strings.Cut(member, " ")
			if m := strings.ToLower(scheme); (m == "basic" || m == "bearer") && !slices.Contains(methods, m) {
				methods = append(methods, m)
			}
		}
	}
	return methods
}

// repeatedly calls do until it succeeds, fails for good, or was called as often as tries says. It waits
// between the calls, twice as long each time.
func (s *Session) repeatedly(ctx context.Context, tries int, do func() error) error {
	for n := 1; ; n++ {
		err := do()
		if err == nil || n >= tries || !again(err) || s.Failed() != nil {
			return err
		}
		pause := min(maxPause, s.cfg.Pause<<n)
		pause = max(pause, min(maxPause, time.Until(fetch.AfterOf(err))))
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// A patience ends a request that makes no progress: one that is idle, or so slow that it takes longer than
// twice the idle time and a second for each 16 KiB.
type patience struct {
	mu     sync.Mutex
	timer  *time.Timer
	idle   time.Duration
	began  time.Time
	octets int64
}

const earnedOctets = 16 << 10

func newPatience(idle time.Duration, end func()) *patience {
	return &patience{timer: time.AfterFunc(idle, end), idle: idle, began: time.Now()}
}

// received notes octets that came.
func (p *patience) received(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.octets += int64(n)
	most := 2*p.idle + time.Duration(p.octets/earnedOctets)*time.Second
	p.timer.Reset(min(p.idle, most-time.Since(p.began)))
}

// hold stops the clock until begin starts it anew.
func (p *patience) hold() { p.timer.Stop() }

func (p *patience) begin() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.began = time.Now()
	p.timer.Reset(p.idle)
}

func (p *patience) stop() { p.timer.Stop() }

// A patientReader reads an answer.
type patientReader struct {
	io.Reader
	p *patience
}

// Read implements [io.Reader].
func (r *patientReader) Read(b []byte) (int, error) {
	n, err := r.Reader.Read(b)
	r.p.received(n)
	return n, err
}
