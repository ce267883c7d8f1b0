package httpfetch

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/netguard"
	"github.com/go-extbody/extbody/fetch/record"
	"github.com/go-extbody/extbody/internal/netx/dialing"
	"github.com/go-extbody/extbody/internal/netx/rethrow"
)

// A conn is a connection that the transport uses: TCP, or TLS on it. The tap of the
// exchange that it serves sees the octets.
type conn struct {
	net.Conn
	tcp    *tcp
	socket *socket
	made   *making
	tap    atomic.Pointer[tap]

	ready []byte // octets that were read, and not returned yet
	err   error  // after ready

	keep    bool // it may serve several requests
	closing sync.Once
	closed  chan struct{}

	ask sync.Once
	tls *record.TLS // once it was asked for
}

// Read implements [io.Reader]. A head is returned once it is whole. Octets that were not asked for
// are not returned.
func (c *conn) Read(p []byte) (int, error) {
	for len(c.ready) == 0 {
		if c.err != nil || len(p) == 0 {
			return 0, c.err
		}
		n, err := c.Conn.Read(p)
		n, c.ready, c.err = c.socket.admit(p[:n], err)
		if t := c.tap.Load(); t != nil {
			t.read(p[:n])
		}
	}
	n := copy(p, c.ready)
	c.ready = c.ready[n:]
	if len(c.ready) == 0 {
		return n, c.err
	}
	return n, nil
}

// Write implements [io.Writer]. The tap comes first, because the answer may come before
// the Write returns. A request is not written if octets came before it.
func (c *conn) Write(p []byte) (int, error) {
	if err := c.socket.begin(); err != nil {
		return 0, err
	}
	if t := c.tap.Load(); t != nil {
		t.wrote(p)
	}
	return c.Conn.Write(p)
}

// Close implements [io.Closer].
func (c *conn) Close() (err error) {
	c.closing.Do(func() {
		defer close(c.closed)
		if !c.keep {
			c.look()
		}
		c.socket.end()
		err = c.Conn.Close()
	})
	return err
}

// look reads whether octets have come after the only answer. Nothing else reads then.
func (c *conn) look() {
	if c.socket.hurry() {
		n, _ := c.Conn.Read(make([]byte, 1))
		c.socket.admit(make([]byte, n), nil)
	}
}

// secured describes the TLS of the connection, nil without it. After an answer
// without content the next exchange may ask at the same time.
func (c *conn) secured() *record.TLS {
	c.ask.Do(func() {
		if tc, ok := c.Conn.(*tls.Conn); ok {
			c.tls = driver.TLS(tc.ConnectionState())
		}
	})
	return c.tls
}

// A tcp remembers whether its peer has closed it.
type tcp struct {
	net.Conn
	ended atomic.Bool
}

// Read implements [io.Reader].
func (c *tcp) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if err == io.EOF {
		c.ended.Store(true)
	}
	return n, err
}

type fetcher struct {
	driver.Layer // without Next
	guard        *netguard.Guard
	tls          *tls.Config
	fields       http.Header // of all requests
	own          bool        // fields is Options.Header
	tunnel       *tunnel     // nil without a proxy
	plaintext    bool
	keep         bool // connections serve several requests
	transport    *http.Transport
	wrapped      http.RoundTripper // around transport; nil without Options.Wrap
}

// A dialFunc is a DialContext or a DialTLSContext of a transport.
type dialFunc = func(ctx context.Context, network, address string) (net.Conn, error)

var errThrown = errors.New("a function of the caller panicked")

// apart returns dial for a transport, which calls it in a goroutine of its own. If a function
// of the caller panics there, such as the resolver of the guard, the exchange does.
func apart(dial dialFunc) dialFunc {
	return func(ctx context.Context, network, address string) (c net.Conn, err error) {
		end := new(rethrow.End)
		end.Apart(func() { c, err = dial(ctx, network, address) })
		if end.Thrown() {
			ctx.Value(exchangeKey{}).(*exchange).made.thrown.Store(end)
			return nil, errThrown
		}
		return c, err
	}
}

// dial is the DialContext of the transport. The transport detaches its context
// from the request, so that a connection may outlive the request that asked for
// it; its values remain. Here an attempt ends with the request.
func (f *fetcher) dial(ctx context.Context, network, address string) (_ net.Conn, err error) {
	x := ctx.Value(exchangeKey{}).(*exchange)
	ctx, cancel := driver.Limit(x.made.trace(x.ctx), x.limits.Connect, "the connection")
	defer cancel()
	var c net.Conn
	if f.tunnel != nil {
		c, err = f.tunnel.dial(dialing.WithAsk(ctx, nil), x, network, address)
	} else {
		c, err = f.guard.DialContext(ctx, network, address)
	}
	if err != nil {
		if f.tunnel == nil || x.ctx.Err() != nil {
			err = driver.Interrupted(ctx, err)
		}
		return nil, typed(err)
	}
	if f.tunnel == nil {
		x.made.socket = newSocket(c)
		c = x.made.socket
	}
	raw := &tcp{Conn: c}
	return &conn{Conn: raw, tcp: raw, socket: x.made.socket, made: x.made, keep: f.keep, closed: make(chan struct{})}, nil
}

// dialTLS is the DialTLSContext of the transport.
func (f *fetcher) dialTLS(ctx context.Context, network, address string) (net.Conn, error) {
	dialed, err := f.dial(ctx, network, address)
	if err != nil {
		return nil, err
	}
	c := dialed.(*conn)
	x := ctx.Value(exchangeKey{}).(*exchange)
	secured := false
	defer func() {
		if !secured {
			c.Close()
		}
	}()
	tc, err := handshake(x.ctx, c.tcp, f.tls, address, x.limits.TLS)
	if err != nil {
		return nil, err
	}
	c.Conn = tc
	secured = true
	return c, nil
}

// handshake makes a TLS connection of c, for the host of address, whose
// certificate is verified.
func handshake(
	ctx context.Context, c net.Conn, base *tls.Config, address string, limit time.Duration,
) (*tls.Conn, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	config := base.Clone()
	config.ServerName = host
	return driver.Handshake(ctx, c, config, limit)
}

// A making is how a connection was made, or was tried to be. The transport makes
// connections in goroutines of its own.
type making struct {
	socket *socket // of the goroutine that dials

	mu      sync.Mutex
	lookups []record.Lookup
	dials   []record.Dial
	proxies []*fetch.Exchange // requests to a proxy, which have ended

	thrown atomic.Pointer[rethrow.End] // by a function of the caller
}

// trace returns a context with which the guard records its steps in m.
func (m *making) trace(ctx context.Context) context.Context {
	return dialing.WithTrace(ctx, &dialing.Trace[record.Lookup, record.Dial]{
		Lookup: func(l record.Lookup) { add(m, &m.lookups, l) },
		Dial:   func(d record.Dial) { add(m, &m.dials, d) },
	})
}

// proxied adds a request to a proxy.
func (m *making) proxied(x *fetch.Exchange) { add(m, &m.proxies, x) }

// report copies the steps so far to x.
func (m *making) report(x *fetch.Exchange) {
	m.mu.Lock()
	defer m.mu.Unlock()
	x.Lookups = slices.Clip(m.lookups)
	x.Dials = slices.Clip(m.dials)
}

// asked returns the requests to a proxy, and forgets them.
func (m *making) asked() []*fetch.Exchange {
	m.mu.Lock()
	defer m.mu.Unlock()
	proxies := m.proxies
	m.proxies = nil
	return proxies
}

func add[T any](m *making, list *[]T, v T) {
	m.mu.Lock()
	defer m.mu.Unlock()
	*list = append(*list, v)
}

// A baseCall is the call of a base for one exchange.
type baseCall struct {
	sync.Mutex       // held during the call
	done       bool  // there was a call, or there may not be one any more
	err        error // that it returned
}

// An exchange is one request and its answer. It belongs to the goroutine that fetches, apart
// from the fields that dial reads.
type exchange struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	limits fetch.Timeouts
	req    *fetch.Request
	call   *call   // nil unless req is a call
	made   *making // of the connection that dial makes for it

	started, answered time.Time

	mu     sync.Mutex
	over   bool        // the RoundTrip has returned
	answer *time.Timer // runs from the connection to the end of the header section
	remote netip.AddrPort
	conn   *conn // nil for one that base did not make
	base   baseCall
	resp   *http.Response
	log    *fetch.Exchange // nil without Observe
	tap    *tap            // nil without Observe

	unasked bool // octets have come after the answer
}

// exchangeKey is the key of the *exchange in the context of its request.
type exchangeKey struct{}
