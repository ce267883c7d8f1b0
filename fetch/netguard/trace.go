package netguard

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"net"
	"net/netip"

	"github.com/go-extbody/extbody/fetch"
)

// A Trace has functions that are called with the lookups and dials of a Guard,
// before the method that does so returns and in the goroutine that called it.
// One that is nil is not called.
type Trace struct {
	// Lookup is called for each name that was looked up, with all its addresses
	// and which of them were refused. It is also called for a name or an
	// address that was refused without a lookup.
	Lookup func(fetch.Lookup)

	// Dial is called for each address that was tried, when the attempt has
	// failed or succeeded. It is not called for attempts that were given up
	// because another one succeeded.
	Dial func(fetch.Dial)
}

// Observe returns a context with which x, which may be nil, records the lookups of
// [Guard.Resolve] and the dials of [Guard.DialContext].
func Observe(ctx context.Context, x *fetch.Exchange) context.Context {
	if x == nil {
		return ctx
	}
	return WithTrace(ctx, &Trace{
		Lookup: func(l fetch.Lookup) { x.Lookups = append(x.Lookups, l) },
		Dial:   func(d fetch.Dial) { x.Dials = append(x.Dials, d) },
	})
}

type traceKey struct{}

// WithTrace returns a context with which [Guard.Resolve] and
// [Guard.DialContext] report to t.
func WithTrace(ctx context.Context, t *Trace) context.Context {
	return context.WithValue(ctx, traceKey{}, t)
}

// traceOf returns the Trace of ctx, or an empty one.
func traceOf(ctx context.Context) *Trace {
	if t, ok := ctx.Value(traceKey{}).(*Trace); ok {
		return t
	}
	return &Trace{}
}

// maxAnswers bounds the answers in a [fetch.Lookup].
const maxAnswers = 64

// looked reports a lookup: the addresses of name, or the error.
func (t *Trace) looked(g *Guard, name string, answer []netip.Addr, err error) {
	if t.Lookup == nil {
		return
	}
	l := fetch.Lookup{Host: name}
	for _, addr := range answer {
		a := fetch.Answer{Addr: addr.Unmap()}
		if reason := g.judge(addr); reason != 0 {
			a.Refused = reason.String()
		}
		if len(l.Answers) < maxAnswers {
			l.Answers = append(l.Answers, a)
			continue
		}
		l.Omitted++
	}
	if err != nil {
		l.Error = err.Error()
	}
	t.Lookup(l)
}

// dialed reports an attempt.
func (t *Trace) dialed(addr netip.AddrPort, err error) {
	if t.Dial == nil {
		return
	}
	d := fetch.Dial{Addr: addr}
	if err != nil {
		d.Error = cause(err)
	}
	t.Dial(d)
}

// cause returns the text of err without the addresses that package net adds.
func cause(err error) string {
	if op, ok := err.(*net.OpError); ok && op.Err != nil {
		return op.Err.Error()
	}
	return err.Error()
}

// TLS describes a connection for [fetch.Exchange].
func TLS(state tls.ConnectionState) *fetch.TLS {
	t := &fetch.TLS{
		Version:    tls.VersionName(state.Version),
		Cipher:     tls.CipherSuiteName(state.CipherSuite),
		ALPN:       state.NegotiatedProtocol,
		ServerName: state.ServerName,
		Verified:   len(state.VerifiedChains) > 0,
	}
	for _, c := range state.PeerCertificates {
		sum := sha256.Sum256(c.Raw)
		t.Certificates = append(t.Certificates, hex.EncodeToString(sum[:]))
	}
	return t
}
