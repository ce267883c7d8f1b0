package httpfetch

import (
	"bufio"
	"cmp"
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/netguard"
	"github.com/go-extbody/extbody/internal/link/host"
	"github.com/go-extbody/extbody/internal/netx/dialing"
	"golang.org/x/net/proxy"
)

// A tunnel connects through a proxy.
type tunnel struct {
	url    *url.URL
	target *netguard.Guard // judges where tunnels lead
	egress dialer          // connects to the proxy
	trust  bool
	tls    *tls.Config
}

// A dialer is a [net.Dialer] or a [netguard.Guard].
type dialer interface {
	DialContext(ctx context.Context, network, address string) (net.Conn, error)
}

func newTunnel(u *url.URL, trust bool, guard *netguard.Guard, config *tls.Config) *tunnel {
	t := &tunnel{url: u, target: guard, egress: &net.Dialer{}, trust: trust, tls: config}
	if !trust {
		// The port is not allowed in URLs. It is 0 if that cannot be an address,
		// which the guard refuses.
		_, port, _ := host.Split(t.address())
		t.egress = guard.WithPorts(port)
	}
	return t
}

// address returns the host and the port of the proxy.
func (t *tunnel) address() string {
	if t.url.Port() != "" {
		return t.url.Host
	}
	port := cmp.Or(host.Port(t.url.Scheme), 1080) // of socks5
	return net.JoinHostPort(t.url.Hostname(), strconv.Itoa(int(port)))
}

// dial connects to address through the proxy, for the exchange x.
func (t *tunnel) dial(ctx context.Context, x *exchange, network, address string) (net.Conn, error) {
	if !t.trust {
		literal, err := t.judge(ctx, address)
		if err != nil {
			return nil, err
		}
		address = literal
	}
	protocol := "connect"
	connect := t.connect
	switch t.url.Scheme {
	case "http", "https":
	case "socks5":
		protocol = "socks5"
		connect = t.socks
	default:
		return nil, &fetch.Error{Kind: fetch.Unsupported, Err: errors.New("the scheme of the proxy")}
	}
	log := newProxyLog(x, protocol, t.url)
	c, err := connect(log.made.trace(ctx), log, network, address)
	log.end(c, err)
	x.made.socket = log.made.socket
	return c, t.fault(ctx, x, err)
}

// judge resolves address, whose port was judged with the URL, and returns one
// with an IP address, preferably of version 4, which every proxy can reach.
func (t *tunnel) judge(ctx context.Context, address string) (string, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return "", err
	}
	addrs, err := t.target.Resolve(ctx, host)
	if err != nil {
		return "", err
	}
	best := max(slices.IndexFunc(addrs, netip.Addr.Is4), 0)
	return net.JoinHostPort(addrs[best].String(), port), nil
}

// socks connects to address through a SOCKS5 proxy (RFC 1928).
func (t *tunnel) socks(ctx context.Context, log *proxyLog, network, address string) (net.Conn, error) {
	driver.Say(log.Exchange, true, "CONNECT "+address)
	var auth *proxy.Auth
	if u := t.url.User; u != nil {
		password, _ := u.Password()
		auth = &proxy.Auth{User: u.Username(), Password: password}
	}
	d, err := proxy.SOCKS5(network, t.address(), auth, forward{t.egress, &log.made})
	if err != nil {
		return nil, err
	}
	c, err := d.(proxy.ContextDialer).DialContext(ctx, network, address)
	if kind := socksKind(err); kind != 0 {
		err = t.refusal(kind, "refused")
	} else if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = t.refusal(fetch.Unavailable, "hung up")
	}
	return c, err
}

// socksKind returns the Kind of a refusal by a SOCKS5 proxy, 0 for other errors and
// none. The errors of package proxy differ by their text alone.
func socksKind(err error) fetch.Kind {
	if err == nil {
		return 0
	}
	for text, kind := range map[string]fetch.Kind{
		"no acceptable authentication methods":    fetch.Credentials, // RFC 1928 section 3
		"unsupported authentication method":       fetch.Credentials,
		"username/password authentication failed": fetch.Credentials, // RFC 1929 section 2
		"connection not allowed by ruleset":       fetch.Forbidden,   // RFC 1928 section 6
	} {
		if strings.Contains(err.Error(), text) {
			return kind
		}
	}
	return 0
}

// A forward connects to a proxy. It has the method without a context that package proxy asks for
// and does not call.
type forward struct {
	dialer
	made *making
}

// DialContext implements [proxy.ContextDialer].
func (f forward) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := f.dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	f.made.socket = newSocket(c)
	return f.made.socket, nil
}

func (f forward) Dial(network, address string) (net.Conn, error) {
	return f.DialContext(context.Background(), network, address)
}

// connect connects to address through an HTTP proxy (RFC 9110 section 9.3.6).
func (t *tunnel) connect(ctx context.Context, log *proxyLog, network, address string) (net.Conn, error) {
	raw, err := forward{t.egress, &log.made}.DialContext(ctx, network, t.address())
	if err != nil {
		return nil, err
	}
	connected := false
	defer func() {
		if !connected {
			raw.Close()
		}
	}()
	c := raw
	if t.url.Scheme == "https" {
		tc, err := handshake(ctx, raw, t.tls, t.address(), 0)
		if err != nil {
			if e, ok := err.(*fetch.Error); ok && e.Kind == fetch.Unavailable {
				err = e.Err // fault names the proxy
			}
			return nil, err
		}
		c = tc
		log.TLS = driver.TLS(tc.ConnectionState())
	}
	stop := context.AfterFunc(ctx, func() { c.SetDeadline(time.Unix(1, 0)) })
	err = t.ask(c, log, address)
	if !stop() && err == nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return nil, err
	}
	connected = true
	return c, nil
}

// maxProxyHeader bounds the answer of a proxy.
const maxProxyHeader = 64 << 10

// ask sends CONNECT and reads the answer. Nothing may follow it, since the client speaks
// first in the tunnel.
func (t *tunnel) ask(c net.Conn, log *proxyLog, address string) error {
	var b strings.Builder
	b.WriteString("CONNECT " + address + " HTTP/1.1\r\nHost: " + address + "\r\n")
	if u := t.url.User; u != nil {
		password, _ := u.Password()
		b.WriteString("Proxy-Authorization: Basic " +
			base64.StdEncoding.EncodeToString([]byte(u.Username()+":"+password)) + "\r\n")
	}
	b.WriteString("\r\n")
	log.tap.wrote([]byte(b.String()))
	if _, err := io.WriteString(c, b.String()); err != nil {
		return err
	}
	br := bufio.NewReader(io.TeeReader(io.LimitReader(c, maxProxyHeader), log))
	resp, err := http.ReadResponse(br, &http.Request{Method: http.MethodConnect})
	if resp != nil {
		log.Status = resp.StatusCode
	}
	switch {
	case isA[net.Error](err):
		return err
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return &fetch.Error{Kind: fetch.Unavailable, Err: errors.New("the answer of the proxy has no end")}
	case err != nil:
		return protocol("the answer of the proxy is not HTTP/1.1")
	case resp.StatusCode/100 != 2:
		return t.refusal(proxyKind(resp.StatusCode), "answered with status "+strconv.Itoa(resp.StatusCode))
	case br.Buffered() > 0:
		return protocol("the proxy speaks before the client")
	}
	return nil
}

// proxyKind returns the Kind of a status that a proxy answers to CONNECT. It is about the
// proxy, not about the server beyond it.
func proxyKind(status int) fetch.Kind {
	switch status {
	case http.StatusProxyAuthRequired, http.StatusUnauthorized:
		return fetch.Credentials
	case http.StatusForbidden, http.StatusMethodNotAllowed, http.StatusUnavailableForLegalReasons:
		return fetch.Forbidden
	}
	return fetch.Unavailable
}

// fault returns an error that names the proxy, and from which a throttle learns nothing
// about the host beyond it. ctx has the limit on the connection.
func (t *tunnel) fault(ctx context.Context, x *exchange, err error) error {
	switch network, _ := errors.AsType[net.Error](err); {
	case err == nil, x.ctx.Err() != nil, isA[*fetch.Error](err) && ctx.Err() == nil:
		return err
	case ctx.Err() != nil, network != nil && network.Timeout():
		return t.refusal(fetch.Unavailable, "did not connect in time")
	case network != nil:
		return t.refusal(fetch.Unavailable, "cannot be reached: "+network.Error())
	}
	return t.refusal(fetch.KindOfFetch(err), "failed: "+err.Error())
}

// refusal returns an error that names the proxy.
func (t *tunnel) refusal(kind fetch.Kind, what string) error {
	return &fetch.Error{Kind: kind, Err: errors.New("the proxy " + t.address() + " " + what)}
}

// A proxyLog is the exchange with a proxy that makes a tunnel for another
// exchange. It happens in a goroutine of the transport, so that the other
// exchange passes it to Observe.
type proxyLog struct {
	*fetch.Exchange
	made making // of the connection to the proxy
	tap  tap
}

func newProxyLog(x *exchange, protocol string, u *url.URL) *proxyLog {
	req := *x.req
	hop := 0
	if x.log != nil {
		req.Observe = x.made.proxied
		hop = x.log.Hop
	}
	l := &proxyLog{Exchange: cmp.Or(driver.Begin(&req, protocol, u, hop), new(fetch.Exchange))}
	l.tap.full = driver.Full(l.Exchange)
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
		l.Remote = dialing.RemoteAddr(c)
	}
	l.tap.report(l.Exchange)
	driver.End(l.Exchange, err)
}
