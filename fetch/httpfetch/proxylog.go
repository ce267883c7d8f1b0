package httpfetch

import (
	"cmp"
	"net"
	"net/url"

	"github.com/go-extbody/extbody/fetch"
)

// A proxyLog is the exchange with a proxy that makes a tunnel for another
// exchange. It happens in a goroutine of the transport, so that the other
// exchange passes it to Observe.
type proxyLog struct {
	*fetch.Exchange
	made making // of the connection to the proxy
	tap  tap
}

func newProxyLog(x *exchange, protocol string, u *url.URL) *proxyLog {
	req, hop := *x.req, 0
	if x.log != nil {
		req.Observe, hop = x.made.proxied, x.log.Hop
	}
	l := &proxyLog{Exchange: cmp.Or(req.Begin(protocol, u, hop), new(fetch.Exchange))}
	l.tap.full = l.Full()
	return l
}

// Write implements [io.Writer], for octets that the proxy sends.
func (l *proxyLog) Write(p []byte) (int, error) {
	l.tap.read(p)
	return len(p), nil
}

// end ends the exchange, after which c is the tunnel.
func (l *proxyLog) end(c net.Conn, err error) {
	l.made.report(l.Exchange)
	if c != nil {
		l.Remote = fetch.RemoteAddr(c)
	}
	l.OctetsOut, l.OctetsIn = l.tap.out, l.tap.in
	l.RequestHead = fetch.Octets(withoutSecrets(l.tap.request))
	l.ResponseHead = fetch.Octets(withoutSecrets(l.tap.answer))
	l.Cut = l.tap.cut
	l.End(err)
}
