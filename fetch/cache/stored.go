package cache

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/netip"
	"net/textproto"
	"net/url"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/internal/netx/rfc9111"
)

var errOffline = &fetch.Error{Kind: fetch.Deferred, Err: errors.New("offline, and no usable answer is stored")}

// A found is the stored answer to a request.
type found struct {
	item    Item // nil once it is closed, or belongs to a body
	meta    *meta
	resp    *fetch.Response // without Body
	verdict rfc9111.Verdict
}

// look returns the answer to a that is stored, or the error that is remembered. Without
// either the server has to be asked, about old if that is not nil.
func (c *Cache) look(a *ask) (resp *fetch.Response, old *found, err error) {
	f := c.find(a)
	if f == nil {
		err = c.negative(a.key)
	} else {
		err = c.Check(a.req)
		usable := f.verdict.Fresh || c.opts.Offline && f.verdict.Disconnected
		if err == nil && usable {
			resp, err = c.allow(a, f)
			return resp, nil, err
		}
	}
	if err == nil && c.opts.Offline {
		err = errOffline
	}
	if err != nil {
		f.close()
		return nil, nil, err
	}
	return nil, f, nil
}

// find returns the stored answer to a, or nil. The caller closes its item.
func (c *Cache) find(a *ask) *found {
	if c.isBroken(a.key) {
		return nil
	}
	item, err := c.store.Get(a.key)
	if err != nil {
		return nil
	}
	f := &found{item: item, meta: new(meta)}
	a.found = f
	usable := json.Unmarshal(item.Meta(), f.meta) == nil && rfc9111.Matches(f.meta.Header, f.meta.Selected, a.header)
	if usable {
		f.resp, err = f.meta.response(c.ahead())
		// Of more redirects than the request follows the next fetcher has the error.
		usable = err == nil && c.Audit(f.resp) == nil && len(f.resp.Hops) <= max(a.req.MaxRedirects, 0)
	}
	if !usable {
		f.close()
		return nil
	}
	now := c.now()
	f.verdict = c.policy.Judge(a.header, f.meta.rules(), now)
	if len(f.meta.Hops) > 0 && now.Sub(f.meta.Received) >= c.policy.MinHeuristic {
		// The server of the last URL speaks for that one. The redirects are asked for
		// anew, as most of them may not be stored (RFC 9110 section 15.1).
		f.verdict.Fresh = false
	}
	return f
}

// close closes the item of f, unless that is closed or belongs to a body. f may be nil.
func (f *found) close() {
	if f != nil && f.item != nil {
		item := f.item
		f.item = nil
		item.Close()
	}
}

// allow returns the answer f with its age, if CheckHop allows its redirects.
func (c *Cache) allow(a *ask, f *found) (*fetch.Response, error) {
	for i, to := range append(slices.Clip(f.resp.Hops), f.resp.URL)[1:] {
		if err := driver.Hop(a.ctx, a.req, f.resp.Hops[i], to); err != nil {
			f.close()
			return nil, err
		}
	}
	return c.serve(a, f, f.verdict.Age), nil
}

// serve returns the answer f with its age, which is left out if it is negative.
func (c *Cache) serve(a *ask, f *found, age time.Duration) *fetch.Response {
	if age >= 0 {
		if f.resp.Header == nil {
			f.resp.Header = make(map[string][]string)
		}
		f.resp.Header["Age"] = []string{strconv.FormatInt(int64(age/time.Second), 10)}
	}
	if a.req.Observe != nil && !driver.OfRequest(a.req).Brief {
		var said []*fetch.Exchange
		json.Unmarshal(f.meta.Exchanges, &said)
		for _, x := range said {
			a.req.Observe(x)
		}
	}
	f.resp.Body = &storedBody{cache: c, ask: a, item: f.item, src: f.item.Open()}
	f.item = nil
	return f.resp
}

// conditions returns the conditions by which the server is asked whether f has changed, or
// nil.
func (f *found) conditions() *fetch.Conditions {
	if f == nil {
		return nil
	}
	etag, modified, strong := rfc9111.Validators(f.meta.Header)
	if etag == "" && modified == "" {
		return nil
	}
	// If the server gave a digest of the octets, only a validator that changes with the
	// octets confirms it.
	if !strong && len(f.meta.Digests) > 0 {
		return nil
	}
	return &fetch.Conditions{URL: f.meta.URL, ETag: etag, LastModified: modified, Size: max(f.meta.Size, 0)}
}

// has reports whether the stored octets have the digests of an answer 304. The digests that are stored
// were compared when the octets came. For others the octets are read again.
func (f *found) has(ctx context.Context, digests []fetch.Digest) bool {
	var unknown []fetch.Digest
	for _, d := range digests {
		same := func(known fetch.Digest) bool { return known.Algorithm == d.Algorithm && bytes.Equal(known.Sum, d.Sum) }
		if !slices.ContainsFunc(f.meta.Digests, same) {
			unknown = append(unknown, d)
		}
	}
	if len(unknown) == 0 {
		return true
	}
	stored := func(context.Context, *fetch.Request) (*fetch.Response, error) {
		resp := &fetch.Response{URL: f.resp.URL, Size: -1, Body: f.item.Open()}
		driver.OfResponse(resp).Digests = unknown
		return resp, nil
	}
	resp, err := fetch.Do(ctx, fetch.Func(stored), &fetch.Request{URL: f.resp.URL, MaxBytes: -1})
	if err != nil {
		return false
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err == nil
}

// maxBroken bounds the keys of damaged entries that are remembered.
const maxBroken = 1024

// damaged deletes an entry whose body is damaged. It is not used again even if the store
// cannot delete it.
func (c *Cache) damaged(key string) {
	_ = c.store.Delete(key)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.broken.Put(digest(key), struct{}{})
}

// repaired notes that a new entry was committed.
func (c *Cache) repaired(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.broken.Delete(digest(key))
}

func (c *Cache) isBroken(key string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.broken.Len() == 0 {
		return false
	}
	_, is := c.broken.Get(digest(key))
	return is
}

// A storedBody is a body from the store.
type storedBody struct {
	cache *Cache
	ask   *ask
	item  Item
	src   io.ReadCloser
	err   error
}

// errDamaged is the error of a stored body that is not as it was committed.
var errDamaged = &fetch.Error{Kind: fetch.Local, Err: fetch.ErrDamaged}

// Read implements [io.Reader]. The Store reports io.EOF only for the octets that were
// committed, and [fetch.Do] holds the last of them back until then.
func (b *storedBody) Read(p []byte) (int, error) {
	if b.err == nil && b.ask.ctx.Err() != nil {
		b.err = context.Cause(b.ask.ctx)
	}
	if b.err != nil {
		return 0, b.err
	}
	n, err := b.src.Read(p)
	if _, away := errors.AsType[*fetch.Error](err); err != nil && err != io.EOF && !away {
		b.cache.damaged(b.ask.key)
		err = errDamaged
	}
	b.err = err
	return n, err
}

// Close implements [io.Closer].
func (b *storedBody) Close() error {
	if b.item == nil {
		return nil
	}
	b.src.Close()
	err := b.item.Close()
	b.item = nil
	if b.err == nil {
		b.err = &fetch.Error{Kind: fetch.Local, Err: os.ErrClosed}
	}
	return err
}

// A meta is stored with a body: the Response that it came with, and the facts that the
// rules need besides.
type meta struct {
	URL       string              `json:"url"`
	MediaType string              `json:"media_type,omitempty"`
	Size      int64               `json:"size"`
	Codings   []string            `json:"codings,omitempty"`
	Digests   []fetch.Digest      `json:"digests,omitempty"`
	Status    int                 `json:"status,omitempty"`
	Header    map[string][]string `json:"header,omitempty"`
	Capture   fetch.Capture       `json:"capture,omitempty"`
	Hops      []string            `json:"hops,omitempty"`
	Remote    netip.AddrPort      `json:"remote,omitzero"`
	Requested time.Time           `json:"requested"`
	Received  time.Time           `json:"received"`

	// Selected are the fields of the request that Vary names.
	Selected map[string][]string `json:"selected,omitempty"`

	Exchanges json.RawMessage `json:"exchanges,omitempty"` // see Options.Exchanges
}

// maxKept bounds the heads and dialogues that are kept with an answer, in octets.
const maxKept = 64 << 10

// keep returns the Exchanges as they are kept with an answer.
func keep(said []*fetch.Exchange) json.RawMessage {
	var list []*fetch.Exchange
	left := maxKept
	for _, x := range said {
		c := *x
		c.Beginning = nil
		left -= len(c.RequestHead) + len(c.ResponseHead)
		for _, l := range c.Dialogue {
			left -= len(l.Text)
		}
		if left < 0 {
			c.RequestHead = nil
			c.ResponseHead = nil
			c.Dialogue = nil
			c.Cut = true
		}
		list = append(list, &c)
	}
	b, err := json.Marshal(list)
	if err != nil {
		return nil // the answer is of use without them
	}
	return b
}

// newMeta returns the meta of an answer to a request with the fields header.
func newMeta(header map[string][]string, resp *fetch.Response) *meta {
	m := &meta{
		URL:       resp.URL.String(),
		MediaType: resp.MediaType,
		Size:      resp.Size,
		Codings:   slices.Clone(driver.OfResponse(resp).Codings),
		Digests:   slices.Clone(driver.OfResponse(resp).Digests),
		Status:    resp.Status,
		Header:    rfc9111.Stored(resp.Header),
		Capture:   resp.Capture,
		Remote:    resp.RemoteAddr,
		Requested: resp.RequestTime,
		Received:  resp.ResponseTime,
		Selected:  rfc9111.Nominated(resp.Header, header),
	}
	for i, d := range m.Digests {
		m.Digests[i].Sum = slices.Clone(d.Sum)
	}
	m.setHops(resp.Hops)
	return m
}

func (m *meta) setHops(hops []*url.URL) {
	m.Hops = nil
	for _, u := range hops {
		m.Hops = append(m.Hops, u.String())
	}
}

func (m *meta) encode() []byte {
	b, err := json.Marshal(m)
	if err != nil {
		panic(err) // there is nothing in it that has no JSON
	}
	return b
}

// response returns the Response without its Body. ahead is how far the clock of the times is ahead of
// ours.
func (m *meta) response(ahead time.Duration) (*fetch.Response, error) {
	u, err := url.Parse(m.URL)
	if err != nil {
		return nil, err
	}
	resp := &fetch.Response{
		URL:          u,
		MediaType:    m.MediaType,
		Size:         m.Size,
		Status:       m.Status,
		Header:       maps.Clone(textproto.MIMEHeader(m.Header)),
		Capture:      m.Capture,
		RemoteAddr:   m.Remote,
		RequestTime:  m.Requested.Add(-ahead),
		ResponseTime: m.Received.Add(-ahead),
	}
	part := driver.OfResponse(resp)
	part.Codings = m.Codings
	part.Digests = m.Digests
	for _, text := range m.Hops {
		hop, err := url.Parse(text)
		if err != nil {
			return nil, err
		}
		resp.Hops = append(resp.Hops, hop)
	}
	return resp, nil
}

// rules returns the answer for package rfc9111. An ftp server's file is treated as an answer
// with status 200.
func (m *meta) rules() *rfc9111.Response {
	r := &rfc9111.Response{Status: m.Status, Header: m.Header, Requested: m.Requested, Received: m.Received}
	r.Status = cmp.Or(r.Status, 200)
	return r
}

// URLs returns the URLs of a stored answer, given the meta that a [Store] was given: the URL that
// was asked for, then each to which it was redirected. It returns nil for anything else. A Store
// that removes answers by URL calls it.
func URLs(encoded []byte) []string {
	var m meta
	if json.Unmarshal(encoded, &m) != nil || m.URL == "" {
		return nil
	}
	return append(m.Hops, m.URL)
}
