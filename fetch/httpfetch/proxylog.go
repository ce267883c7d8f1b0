package httpfetch

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/url"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/netguard"
)

// A proxyLog is the exchange with a proxy that makes a tunnel for another
// exchange. It happens in a goroutine of the transport, so that the other
// exchange passes it to Observe. A nil proxyLog does nothing.
type proxyLog struct {
	x    *fetch.Exchange
	made making // of the connection to the proxy
	tap  tap
}

func newProxyLog(x *exchange, protocol string, u *url.URL) *proxyLog {
	if x.log == nil {
		return nil
	}
	req := *x.req
	req.Observe = x.made.proxied
	l := &proxyLog{x: req.Begin(protocol, u, x.log.Hop)}
	l.tap.full = l.x.Full()
	return l
}

// trace returns a context with which the guard records its steps in l.
func (l *proxyLog) trace(ctx context.Context) context.Context {
	if l == nil {
		return ctx
	}
	return l.made.trace(ctx)
}

func (l *proxyLog) secured(c *tls.Conn) {
	if l != nil {
		l.x.TLS = netguard.TLS(c.ConnectionState())
	}
}

func (l *proxyLog) say(sent bool, text string) {
	if l != nil {
		l.x.Say(sent, text)
	}
}

func (l *proxyLog) sent(head string) {
	if l != nil {
		l.tap.wrote([]byte(head))
	}
}

// tee returns a reader of r that shows l the octets.
func (l *proxyLog) tee(r io.Reader) io.Reader {
	if l == nil {
		return r
	}
	return io.TeeReader(r, l)
}

// Write implements [io.Writer], for tee.
func (l *proxyLog) Write(p []byte) (int, error) {
	l.tap.read(p)
	return len(p), nil
}

func (l *proxyLog) received(resp *http.Response) {
	if l != nil && resp != nil {
		l.x.Status = resp.StatusCode
	}
}

// end ends the exchange, after which c is the tunnel.
func (l *proxyLog) end(c net.Conn, err error) {
	if l == nil {
		return
	}
	l.made.report(l.x)
	if c != nil {
		l.x.Remote = fetch.RemoteAddr(c)
	}
	l.x.OctetsOut, l.x.OctetsIn = l.tap.out, l.tap.in
	l.x.RequestHead = fetch.Octets(withoutSecrets(l.tap.request))
	l.x.ResponseHead = fetch.Octets(withoutSecrets(l.tap.answer))
	l.x.Cut = l.tap.cut
	l.x.End(err)
}
