package httpfetch

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/internal/netx/dialing"
	"github.com/go-extbody/extbody/internal/netx/fieldvalue"
)

var errAnswer = driver.NewTimeout("the answer")

// exchange sends a GET request for u, which is of the call c if that is not nil, and returns the answer.
func (f *fetcher) exchange(
	ctx context.Context, req *fetch.Request, u *url.URL, header http.Header, hop int, c *call,
) (*exchange, error) {
	x := &exchange{limits: req.Timeouts, req: req, call: c, made: &making{}, log: driver.Begin(req, "http", u, hop)}
	x.ctx, x.cancel = context.WithCancelCause(ctx)
	returned := false
	defer func() {
		if !returned { // a function of the caller has panicked
			x.cancel(nil)
			driver.End(x.log, errAbandoned)
		}
	}()
	// The transport calls these in turn, and again to repeat the request if the server had
	// closed an old connection. That is prevented: a repetition is a contact.
	trace := &httptrace.ClientTrace{
		GetConn: func(string) {
			x.mu.Lock()
			defer x.mu.Unlock()
			if x.conn != nil {
				x.cancel(cmp.Or(x.conn.socket.fault(), error(errStale)))
				return
			}
			x.stopAnswer()
			driver.Report(req, fetch.Event{Phase: fetch.Connecting, Total: -1, Hop: hop})
		},
		GotConn: func(info httptrace.GotConnInfo) {
			x.mu.Lock()
			defer x.mu.Unlock()
			used := false
			defer func() {
				if !used {
					info.Conn.Close() // which the transport would send the request on all the same
				}
			}()
			if x.conn != nil || x.over {
				return
			}
			if err := f.got(x, info); err != nil {
				x.cancel(err)
				return
			}
			x.startAnswer()
			driver.Report(req, fetch.Event{Phase: fetch.Sending, Total: -1, Hop: hop})
			used = true
		},
	}
	r := (&http.Request{Method: http.MethodGet, URL: u, Header: header}).
		WithContext(httptrace.WithClientTrace(context.WithValue(x.ctx, exchangeKey{}, x), trace))

	x.started = clock()
	resp, err := f.roundTrip(x, r)
	x.stopAnswer()
	if err == nil && x.ctx.Err() != nil {
		// The server answered when the connection was closed, which is too late.
		resp.Body.Close()
		err = context.Cause(x.ctx)
	}
	x.answered = clock()
	x.resp = resp
	x.report(header)
	if end := x.made.thrown.Load(); end != nil {
		end.Raise()
	}
	returned = true
	if err != nil {
		err = x.failure(err, errClosed, errNotHTTP)
		driver.End(x.log, err)
		x.cancel(nil)
		return nil, err
	}
	return x, nil
}

func (f *fetcher) roundTrip(x *exchange, r *http.Request) (*http.Response, error) {
	if f.wrapped == nil {
		return f.transport.RoundTrip(r)
	}
	x.startAnswer()
	resp, err := f.wrapped.RoundTrip(r)
	if !x.base.TryLock() {
		if err == nil {
			err = errEarly
		}
		x.cancel(err)
		x.base.Lock() // until it has returned
	}
	defer x.base.Unlock()
	x.base.done = true
	x.mu.Lock()
	x.over = true // for other transports, which are not waited for
	x.mu.Unlock()
	switch {
	case err == nil && resp == nil:
		err = errNothing
	case err == nil && x.base.err != nil:
		x.leave()
	case err != nil && !errors.Is(err, x.base.err) && !hasKind(err):
		err = &fetch.Error{Kind: fetch.Unavailable, Err: err}
	}
	if err != nil {
		if resp != nil && resp.Body != nil {
			resp.Body.Close()
		}
		return nil, err
	}
	if resp.Body == nil {
		resp.Body = http.NoBody
	}
	noLength := resp.ContentLength == 0 && resp.Header.Get("Content-Length") == ""
	if x.conn == nil && noLength && resp.Body != http.NoBody {
		resp.ContentLength = -1 // it was left out of an answer that no server sent
	}
	return resp, nil
}

// leave gives up the connection of x, which failed, since the answer has come from elsewhere.
func (x *exchange) leave() {
	x.remote = netip.AddrPort{}
	if x.conn == nil {
		return
	}
	x.untap()
	x.made = x.conn.made
	x.conn = nil
	x.tap = nil
}

// failure returns the error of the fetch for an error of net/http: lost if the connection has
// ended, other for errors about the answer. These have no type in net/http and quote the server.
func (x *exchange) failure(err, lost, other error) error {
	switch {
	case x.ctx.Err() != nil:
		return context.Cause(x.ctx)
	case x.conn != nil && x.resp == nil && x.conn.socket.fault() != nil:
		return x.conn.socket.fault()
	case x.conn != nil && x.resp == nil && x.conn.socket.spoke():
		return errUnasked
	case hasKind(err):
		return err
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), x.hungUp():
		return lost
	}
	return other
}

// hungUp reports whether the server has closed the connection.
func (x *exchange) hungUp() bool { return x.conn != nil && x.conn.tcp.ended.Load() }

// startAnswer limits the time to the end of the header section.
func (x *exchange) startAnswer() {
	x.stopAnswer()
	if x.limits.FirstOctet > 0 {
		x.answer = time.AfterFunc(x.limits.FirstOctet, func() { x.cancel(errAnswer) })
	}
}

func (x *exchange) stopAnswer() {
	if x.answer != nil {
		x.answer.Stop()
	}
}

// got judges the connection that a transport has for x, and notes it. A connection of another
// transport than base was not judged when it was dialed.
func (f *fetcher) got(x *exchange, info httptrace.GotConnInfo) error {
	x.remote = dialing.RemoteAddr(info.Conn)
	c, ours := info.Conn.(*conn)
	if ours {
		x.use(c, info.Reused)
	} else if f.tunnel == nil || !f.tunnel.trust {
		if err := f.guard.CheckAddr(x.remote.Addr()); err != nil {
			return err
		}
	}
	if (info.Reused || !ours) && f.tunnel == nil {
		return dialing.Ask(x.ctx, x.remote.Addr())
	}
	return nil
}

// settle notes whether octets have come after the answer, which has ended. A connection that serves one
// request is closed then by the transport, in another goroutine.
func (x *exchange) settle() {
	if x.conn == nil {
		return
	}
	if !x.conn.keep {
		select {
		case <-x.conn.closed:
		case <-x.ctx.Done():
		}
	}
	x.unasked = x.conn.socket.spoke()
}

// Limits on reading an unwanted body to its end, which keeps its connection usable.
const (
	maxDrain  = 4 << 10
	drainTime = time.Second
)

// content reads the beginning of an answer that is not the object, for the caller of a call.
func (x *exchange) content() []byte {
	if driver.OfRequest(x.req).Call == nil && !driver.Full(x.log) {
		return nil
	}
	content, _ := io.ReadAll(io.LimitReader(x.resp.Body, fetch.MaxBeginning)) // a part of it may be enough
	return content
}

// discard ends the exchange, whose answer is not the object, with an error or nil.
func (x *exchange) discard(err error) {
	t := time.AfterFunc(drainTime, func() { x.cancel(nil) })
	defer t.Stop()
	content := x.content()
	if a, ok := errors.AsType[*answered](err); ok && x.call.isOwn() {
		a.content = content
	}
	if driver.Full(x.log) && x.call.showsAnswer(x.resp) {
		x.log.Beginning = content
	}
	n, end := io.CopyN(io.Discard, x.resp.Body, maxDrain)
	if driver.Full(x.log) && n > 0 {
		x.log.Cut = true
	}
	if end == io.EOF {
		x.settle()
	}
	x.resp.Body.Close()
	driver.End(x.log, err)
	x.cancel(nil)
}

// response returns the answer as the Response of the whole fetch.
func (x *exchange) response(at *url.URL, hops []*url.URL) *fetch.Response {
	h := x.resp.Header
	resp := &fetch.Response{
		URL:          at,
		MediaType:    h.Get("Content-Type"),
		Size:         x.resp.ContentLength,
		Undelimited:  undelimited(x.resp),
		Body:         &body{x: x, src: x.resp.Body},
		Status:       x.resp.StatusCode,
		Header:       metadata(h),
		RequestTime:  x.started,
		ResponseTime: x.answered,
		Hops:         hops,
		RemoteAddr:   x.remote,
	}
	part := driver.OfResponse(resp)
	part.Codings, _ = fieldvalue.Codings(h["Content-Encoding"])
	part.Digests = digests(h)
	part.Resume = resume(at, h, x.resp.ContentLength)
	part.Exchange = x.log
	part.Unasked = func() bool { return x.unasked }
	if len(x.resp.TransferEncoding) > 0 { // RFC 9112 section 7.1.2
		part.TrailerDigests = func() []fetch.Digest { return fieldDigests(x.resp.Trailer) }
	}
	return resp
}

// undelimited reports whether only the end of the connection ends the body (RFC
// 9112 section 6.3, item 8).
func undelimited(resp *http.Response) bool {
	return resp.ContentLength < 0 && len(resp.TransferEncoding) == 0
}

// notModified returns the answer 304, which has no body (RFC 9110 section
// 15.4.5). A Repr-Digest in it is of the object, and so is a Content-Digest, which the answer 200
// would have had, unless it is the digest of the empty content (RFC 9530 section 2).
func (x *exchange) notModified(at *url.URL, hops []*url.URL) *fetch.Response {
	x.settle()
	resp := x.response(at, hops)
	resp.NotModified = true
	resp.Size = 0
	part := driver.OfResponse(resp)
	part.Codings = nil
	part.Resume = nil
	part.Digests = slices.DeleteFunc(fieldDigests(x.resp.Header), ofNothing)
	return resp
}

// partial returns the answer 206, which starts where the request asked for, or before.
// A digest of the representation is about the whole (RFC 9530 section 3).
func (x *exchange) partial(at *url.URL, hops []*url.URL, c *fetch.Conditions) (*fetch.Response, error) {
	first, complete, err := checkRange(x.resp, c)
	if err != nil {
		return nil, err
	}
	resp := x.response(at, hops)
	resp.Offset = first
	resp.Size = complete - first
	driver.OfResponse(resp).Resume = resume(at, x.resp.Header, complete)
	part := driver.OfResponse(resp)
	part.Digests = slices.DeleteFunc(part.Digests, func(d fetch.Digest) bool { return d.Field == "repr-digest" })
	return resp, nil
}

// use makes c the connection of the exchange.
func (x *exchange) use(c *conn, reused bool) {
	x.conn = c
	c.socket.request()
	if x.log == nil {
		return
	}
	x.log.Reused = reused
	x.tap = &tap{full: driver.Full(x.log), call: x.call}
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
	x.log.Remote = x.remote
	if x.conn != nil {
		made = x.conn.made
		x.log.TLS = x.conn.secured()
	}
	made.report(x.log)
	for _, p := range made.asked() {
		x.req.Observe(p)
	}
	if x.resp != nil {
		x.log.Status = x.resp.StatusCode
	}
	driver.OnEnd(x.log, x.untap)
}

// untap copies the octets of the tap to the log, and removes it.
func (x *exchange) untap() {
	t := x.tap
	if t == nil {
		return
	}
	x.conn.tap.CompareAndSwap(t, nil)
	t.report(x.log)
	x.log.Unasked = x.unasked
}

var errAbandoned = &fetch.Error{Kind: fetch.Local, Err: os.ErrClosed}

var errFraming = &fetch.Error{Kind: fetch.Protocol, Err: errors.New("the framing of the body is broken")}

// A body is the body of an answer, with the errors of net/http made ours.
type body struct {
	x   *exchange
	src io.ReadCloser
}

// Read implements [io.Reader].
func (b *body) Read(p []byte) (int, error) {
	n, err := b.src.Read(p)
	switch {
	case err == io.EOF && b.tlsTruncated():
		err = io.ErrUnexpectedEOF
	case err == io.EOF:
		b.x.settle()
	case err != nil && err != io.EOF:
		err = b.x.failure(err, io.ErrUnexpectedEOF, errFraming)
	}
	return n, err
}

// Close implements [io.Closer]. A connection with unread octets is closed.
func (b *body) Close() error {
	err := b.src.Close()
	driver.End(b.x.log, errAbandoned) // unless fetch.Do has ended it
	b.x.cancel(nil)
	return err
}

// tlsTruncated reports whether a body that ends with its connection has ended
// without the closure alert of TLS, so that anybody on the way may have cut it
// (RFC 9112 section 9.8). Package tls forgives this at the end of a record.
func (b *body) tlsTruncated() bool {
	if b.x.conn == nil {
		return false // the RoundTripper of Options.Wrap answers for its bodies
	}
	_, secure := b.x.conn.Conn.(*tls.Conn)
	return secure && undelimited(b.x.resp) && b.x.hungUp()
}
