package httpfetch

import (
	"net/http"

	"github.com/go-extbody/extbody/fetch"
)

// use makes c the connection of the exchange.
func (x *exchange) use(c *conn, reused bool) {
	x.conn = c
	if x.log == nil {
		return
	}
	x.log.Reused = reused
	x.tap = &tap{full: x.log.Full()}
	c.tap.Store(x.tap)
}

// report completes the log after the answer or the failure. The requests to a proxy for this
// connection have ended before.
func (x *exchange) report(header http.Header) {
	if x.log == nil {
		return
	}
	if header["Range"] != nil {
		x.log.Offset = x.req.Conditions.Offset
	}
	made := x.made
	if x.conn != nil {
		made = x.conn.made
		x.log.Remote, x.log.TLS = fetch.RemoteAddr(x.conn), x.conn.secured()
	}
	made.report(x.log)
	for _, p := range made.asked() {
		x.req.Observe(p)
	}
	if x.resp != nil {
		x.log.Status = x.resp.StatusCode
	}
	x.log.OnEnd(x.untap)
}

// untap copies the octets of the tap to the log, and removes it.
func (x *exchange) untap() {
	t := x.tap
	if t == nil {
		return
	}
	x.conn.tap.CompareAndSwap(t, nil)
	t.mu.Lock()
	defer t.mu.Unlock()
	x.log.OctetsOut, x.log.OctetsIn = t.out, t.in
	x.log.RequestHead = fetch.Octets(withoutSecrets(t.request))
	x.log.ResponseHead = fetch.Octets(withoutSecrets(t.answer))
	x.log.Cut = x.log.Cut || t.cut
}
