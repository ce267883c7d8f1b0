package externalbody

import (
	"time"

	"github.com/go-extbody/extbody/fetch"
)

// A trace collects what is said on the wire to resolve one Reference, for its Report.
// It does so whether there is a body in the end or not.
type trace struct {
	ref       *Reference
	observe   func(*Reference, *fetch.Exchange)
	started   time.Time
	exchanges []*fetch.Exchange
	report    *Report // of the body; nil before there is one
}

func (r *Resolver) newTrace(ref *Reference) *trace {
	return &trace{ref: ref, observe: r.Observe, started: now()}
}

// now returns the time for Reports. It is the real time, not that of [Resolver].Now.
func now() time.Time { return time.Now().UTC() }

// watch makes t record what req, the next request, says on the wire.
func (t *trace) watch(req *fetch.Request) {
	t.report = nil
	req.Brief = t.observe == nil
	req.Observe = func(x *fetch.Exchange) {
		t.exchanges = append(t.exchanges, x.Essentials())
		if t.report != nil {
			t.report.Exchanges = t.exchanges
		}
		if t.observe != nil {
			t.observe(t.ref, x)
		}
	}
}

// found makes report the one that records what follows.
func (t *trace) found(report *Report) {
	t.report = report
	report.Started, report.Exchanges = t.started, t.exchanges
}

// failed returns the Report of a Reference without a body. It has what is known from a
// response, or else from the last Exchange.
func (t *trace) failed(ref *Reference) *Report {
	r := t.report
	if r == nil {
		r = &Report{}
		t.found(r)
		r.lastSaid()
	}
	r.by(ref)
	r.Ended = now()
	return r
}

// lastSaid fills in what the Exchanges say about where the fetch got to. It skips those
// with proxies, and those before a login or a repetition.
func (r *Report) lastSaid() {
	for _, x := range r.Exchanges {
		if x.Protocol == "connect" || x.Protocol == "socks5" {
			continue
		}
		if r.FinalURL != "" && r.FinalURL != x.URL {
			r.Hops = append(r.Hops, r.FinalURL)
		}
		r.FinalURL, r.RemoteAddr, r.TLS = x.URL, x.Remote, x.TLS
		if x.Protocol == "http" {
			r.Status = x.Status
		}
	}
}
