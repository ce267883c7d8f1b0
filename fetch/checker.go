package fetch

import (
	"context"
	"strings"
)

// A Checker is a Fetcher that can tell beforehand which requests it would
// refuse whatever the network answers: a host that cannot be one, a private
// address written as such, a port that is not allowed. A Plan shows it.
type Checker interface {
	Fetcher

	// Check returns the error that Fetch would return, or nil if that depends
	// on the network. It contacts nobody.
	Check(req *Request) error
}

// An Auditor is a Fetcher that can judge a Response that was kept from an
// earlier run, when the policy may have been another one.
type Auditor interface {
	Fetcher

	// Audit returns the error with which the fetcher would refuse to contact
	// one of resp.Hops, resp.URL and resp.RemoteAddr, as far as that can be
	// told without a network, and otherwise nil. It contacts nobody.
	Audit(resp *Response) error
}

// Audit returns the error of f's method Audit, or nil if f is not an [Auditor].
// A Fetcher around Fetchers passes it on.
func Audit(f Fetcher, resp *Response) error {
	if a, ok := f.(Auditor); ok {
		return a.Audit(resp)
	}
	return nil
}

// Check implements [Checker]: it refuses a scheme without a fetcher, what holds
// for every request, and what the scheme's fetcher refuses.
func (m *Mux) Check(req *Request) error {
	f, err := m.fetcher(req)
	if err != nil {
		return err
	}
	r, err := req.withDefaults()
	if err != nil {
		return err
	}
	if c, ok := f.(Checker); ok {
		if err := c.Check(r); err != nil {
			return failed(context.Background(), r, err)
		}
	}
	return nil
}

// AnonymousPassword returns the password that f sends with anonymous logins to
// servers of a scheme, by custom a mail address, so that a Plan can say who
// learns that; "" if it sends none. f has a method of the same name without the
// first parameter, which a Fetcher around Fetchers passes on. known is false if
// it has no such method.
func AnonymousPassword(f Fetcher, scheme string) (password string, known bool) {
	if t, ok := f.(interface {
		AnonymousPassword(scheme string) (string, bool)
	}); ok {
		return t.AnonymousPassword(scheme)
	}
	return "", false
}

// AnonymousPassword is the function AnonymousPassword for the fetcher of the scheme.
func (m *Mux) AnonymousPassword(scheme string) (password string, known bool) {
	m.mu.RLock()
	f := m.fetchers[strings.ToLower(scheme)]
	m.mu.RUnlock()
	if f == nil {
		return "", true
	}
	return AnonymousPassword(f, scheme)
}

// fetcher returns the fetcher for the scheme of req.URL.
func (m *Mux) fetcher(req *Request) (Fetcher, error) {
	if req == nil || req.URL == nil {
		return nil, &Error{Op: "fetch", Kind: Malformed, Err: errNoURL}
	}
	scheme := strings.ToLower(req.URL.Scheme)
	if scheme == "" {
		return nil, wrap("fetch", req, Malformed, errNotAbs)
	}
	m.mu.RLock()
	f := m.fetchers[scheme]
	m.mu.RUnlock()
	if f == nil {
		return nil, wrap("fetch", req, Blocked, &schemeError{scheme, m.Schemes()})
	}
	return f, nil
}
