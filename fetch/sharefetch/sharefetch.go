// Package sharefetch gets files that are shared by link at file hosts. It is a layer
// above a fetcher for http and https, and contacts no host itself.
//
// A share link mostly leads to a page, on which a person finds the file. A table has the
// shapes of the links of each host, and the URL that gives the octets. [New] returns a
// fetcher that asks for that URL. It refuses a page where a file was expected, so that a
// page is never taken for the file. All other URLs go to the next fetcher unchanged.
//
// For a share link:
//
//   - A link to a folder is Unsupported, and so is a link to a document without octets
//     of its own for which no export is known.
//   - A link to encrypted octets, with a key in the fragment, is Unsupported.
//   - A link whose octets only a program of the host can get is Unsupported. A link that
//     gives nothing without a login is Credentials.
//   - In all of these cases nothing is sent.
//   - A document without octets of its own is exported by its host. The Capture of the
//     Response is then [fetch.CaptureRendition], otherwise [fetch.CaptureCurrent]. The
//     same is done if there is no Office file at the address of a document.
//   - For some hosts a page, or an answer in JSON, has the URL that gives the octets. Up
//     to 1 MiB of it is read, and that URL is asked for next, as after a redirect.
//   - If Google Drive warns that the file was not scanned, its form is followed, once.
//   - A page is Interstitial if the Name, MediaType and Size of the Request and the link
//     announce something else. If they announce nothing, it is Interstitial unless the
//     server calls it an attachment. The error has the subject of the page as far as it
//     is known. Its octets are not given out. A page about too many downloads is
//     Unavailable for a day.
//   - A link whose end is known is Expired after that time if the host answers
//     Forbidden, NotFound or Gone, or with a page.
//   - Errors have only the scheme and host of the link in them, since its path is a
//     credential. Errors that [fetch.Do] makes itself, about limits, digests and time,
//     do so if Secret is set in the Request.
//
// A file can change at its host after the link was sent. The Header of the Response has
// the fields about its version.
package sharefetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"slices"
	"sync/atomic"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/internal/link/interstitial"
	"github.com/go-extbody/extbody/internal/link/sharelink"
	"github.com/go-extbody/extbody/internal/link/weburl"
)

// Kinds returns the kinds of hosts for [fetch.Request].ShareHosts, such as "nextcloud".
func Kinds() []string { return sharelink.Kinds() }

// ReadHosts reads hosts for [fetch.Request].ShareHosts, with the shapes of their links. A line is a
// row of four columns with tabs between: a host, a pattern of the path, "file" or "folder",
// and a template of the URL that gives the octets, or "-":
//
//	files.example	/s/{token}/{name}	file	/get/{token}?name={name}
//	files.example	/d/{token}	folder	-
//
// {token} stands for a segment of letters, digits and "-_.!~:", and {name} for the name of
// the file. The template is a path at the host of the link, or an absolute http or https
// URL whose host has no piece in braces. The field Direct of a Plan shows that host. "#"
// starts a comment. An error has the number of the line with the fault.
func ReadHosts(r io.Reader) (map[string]string, error) { return sharelink.ReadHosts(r) }

// New returns a Fetcher that gets share links
// through next, and all else from it.
//
// next must be a bare fetcher for http and https, not a [fetch.Mux]: limits and
// digests are applied once, around the Fetcher that New returns. Several goroutines
// may use it at once if they may use next.
func New(next fetch.Fetcher) driver.Inspector {
	return &fetcher{Layer: driver.Layer{Next: next}}
}

type fetcher struct {
	driver.Layer
	last atomic.Pointer[matched]
}

// A matched is a URL, the hosts by which it is read, and the share link that it is, or nil. It is
// read-only.
type matched struct {
	text  string
	own   map[string]string
	guess bool
	links *sharelink.Table
	link  *sharelink.Link
}

// hasHosts reports whether m was found with the hosts that req allows.
func (m *matched) hasHosts(req *fetch.Request) bool {
	return m.guess == req.GuessedHosts && maps.Equal(m.own, req.ShareHosts)
}

// match reads the URL of req. It keeps the last result, since Fetch mostly comes after Check
// for the same URL.
func (f *fetcher) match(req *fetch.Request) (*matched, error) {
	text := req.RawURL()
	if m := f.last.Load(); m != nil && m.text == text && m.hasHosts(req) {
		return m, nil
	}
	links, err := sharelink.NewTable(req.ShareHosts)
	if err != nil {
		return nil, &fetch.Error{Kind: fetch.Malformed, Err: err}
	}
	m := &matched{text: text, own: maps.Clone(req.ShareHosts), guess: req.GuessedHosts, links: links}
	find := links.Match
	if m.guess {
		find = links.Guess
	}
	m.link, _ = find(text)
	f.last.Store(m)
	return m, nil
}

// Check implements [driver.Inspector]: it refuses the links that Fetch refuses
// without asking, and everything that next refuses about the URL that Fetch would ask for.
func (f *fetcher) Check(req *fetch.Request) error {
	m, err := f.match(req)
	if err != nil {
		return err
	}
	if m.link == nil {
		return f.Layer.Check(req)
	}
	ask, err := plan(req, m.link)
	if err != nil {
		return private("fetch", req, err)
	}
	return private("fetch", ask, f.Layer.Check(ask))
}

// Fetch implements [fetch.Fetcher].
func (f *fetcher) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	m, err := f.match(req)
	if err != nil {
		return nil, err
	}
	if m.link == nil {
		return f.Layer.Fetch(ctx, req)
	}
	resp, err := f.fetch(ctx, req, m.link)
	if err != nil {
		return nil, private("fetch", req, f.expired(m.link, err))
	}
	return resp, nil
}

// fetch gets the file that a link leads to.
func (f *fetcher) fetch(ctx context.Context, req *fetch.Request, link *sharelink.Link) (*fetch.Response, error) {
	ask, err := plan(req, link)
	if err != nil {
		return nil, err
	}
	resp, err := f.follow(ctx, req, ask, link)
	if link.Fallback == "" || err == nil || !absent(err) {
		return resp, err
	}
	other := *link
	other.Direct = link.Fallback
	other.MediaType = link.FallbackType
	other.Rendition = true
	ask, err = plan(req, &other)
	if err != nil {
		return nil, err
	}
	return f.follow(ctx, req, ask, &other)
}

// absent reports whether err means that another address may have the file.
func absent(err error) bool {
	return slices.Contains([]fetch.Kind{
		fetch.NotFound, fetch.Forbidden, fetch.Credentials, fetch.Interstitial, fetch.Protocol,
	}, fetch.KindOfFetch(err))
}

// follow gets the file at ask, or the one that the answer of ask names.
func (f *fetcher) follow(ctx context.Context, req, ask *fetch.Request, link *sharelink.Link) (*fetch.Response, error) {
	hop := leaves(req, ask)
	if hop {
		if err := allow(ctx, req, ask); err != nil {
			return nil, err
		}
	}
	u, _ := weburl.Parse(req.RawURL())
	page := link.Ask == u.String() // which may be the file after all
	if link.Ask != "" && !page {
		answer, err := f.lookup(ctx, ask)
		if err != nil {
			return nil, err
		}
		return f.found(ctx, req, ask, link, answer, &fetch.Error{Kind: fetch.Unsupported, Err: errAnswer})
	}
	resp, err := f.open(ctx, ask, expectation(req, link), func(r interstitial.Reason) bool {
		return page || r == interstitial.Scan && !link.Confirmed
	})
	if came, ok := errors.AsType[*pageError](err); ok && len(came.octets) > 0 {
		return f.found(ctx, req, ask, link, came.octets, err)
	}
	if err != nil {
		return nil, err
	}
	if hop {
		resp.Hops = append([]*url.URL{clone(req.URL)}, resp.Hops...)
	}
	switch {
	case link.Rendition:
		resp.Capture = fetch.CaptureRendition
	case resp.Capture == fetch.CaptureUnknown:
		resp.Capture = fetch.CaptureCurrent
	}
	return resp, nil
}

// found gets the file that answer, of asked, names, as by a redirect. It returns the error
// none if no file is named.
func (f *fetcher) found(
	ctx context.Context, req, asked *fetch.Request, link *sharelink.Link, answer []byte, none error,
) (*fetch.Response, error) {
	m, err := f.match(req)
	if err != nil {
		return nil, err
	}
	direct := m.links.FindDirect(req.RawURL(), answer)
	if direct == "" {
		return nil, none
	}
	if asked.MaxRedirects < 0 {
		return nil, &fetch.Error{Kind: fetch.Protocol, Err: errRedirect}
	}
	file := *link
	file.Direct = direct
	file.Ask = ""
	file.Confirmed = true
	ask, err := plan(req, &file)
	if err != nil {
		return nil, err
	}
	ask.MaxRedirects = remaining(asked.MaxRedirects)
	resp, err := f.follow(ctx, req, ask, &file)
	if err != nil {
		return nil, err
	}
	resp.Hops = append([]*url.URL{clone(asked.URL)}, resp.Hops...)
	return resp, nil
}

// expired returns why a link that has ended fails, if err can be the
// consequence of its end.
func (f *fetcher) expired(link *sharelink.Link, err error) error {
	if link.Expiration.IsZero() || time.Now().Before(link.Expiration) {
		return err
	}
	switch fetch.KindOfFetch(err) {
	case fetch.Forbidden, fetch.NotFound, fetch.Gone, fetch.Interstitial:
		return &fetch.Error{
			Kind: fetch.Expired,
			Err:  fmt.Errorf("the link ended at %s: %w", link.Expiration.UTC().Format(time.RFC3339), cause(err)),
		}
	}
	return err
}

// lookup fetches ask, whose answer names the file, and returns the start of the
// answer.
func (f *fetcher) lookup(ctx context.Context, ask *fetch.Request) ([]byte, error) {
	resp, err := f.Layer.Fetch(ctx, ask)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, maxPage))
	x := driver.OfResponse(resp).Exchange
	if driver.Full(x) {
		x.Beginning = slices.Clone(answer[:min(len(answer), fetch.MaxBeginning)])
	}
	driver.End(driver.OfResponse(resp).Exchange, err)
	return answer, err
}

// open fetches ask and judges the start of the body. read reports whether a page is
// read further.
func (f *fetcher) open(
	ctx context.Context, ask *fetch.Request, want interstitial.Expect, read func(interstitial.Reason) bool,
) (*fetch.Response, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	b := &body{cancel: cancel, ask: ask}
	delivered := false
	defer func() {
		if !delivered {
			b.Close() // also if a function of the caller panics
		}
	}()
	resp, err := f.Layer.Fetch(ctx, ask)
	if err != nil {
		return nil, err
	}
	b.src = resp.Body
	resp.Body = b
	if resp.NotModified || resp.Offset > 0 {
		delivered = true
		return resp, nil // its start was judged before
	}
	b.peek(want, resp.MediaType, ask.Timeouts.WithDefaults().Stall)
	if context.Cause(ctx) != nil {
		err := context.Cause(ctx)
		driver.End(driver.OfResponse(resp).Exchange, err)
		return nil, err
	}
	got := interstitial.Got{
		MediaType:   resp.MediaType,
		Disposition: resp.Header.Get("Content-Disposition"),
		Size:        resp.Size,
		Head:        b.head,
	}
	if len(driver.OfResponse(resp).Codings) > 0 {
		got.Size = -1
		got.Head = nil // they belong to the coded octets
	}
	v := interstitial.Judge(want, got)
	if !v.Page {
		delivered = true
		return resp, nil
	}
	page := &pageError{reason: v.Reason}
	seen := b.head
	cut := b.err != io.EOF
	if read(v.Reason) && len(driver.OfResponse(resp).Codings) == 0 {
		page.octets, _ = io.ReadAll(io.LimitReader(b, maxPage)) // a part of it may be enough
		seen = page.octets
		cut = len(page.octets) == maxPage
	}
	failure := &fetch.Error{Kind: fetch.Interstitial, Err: page}
	if v.Reason == interstitial.Quota {
		failure = &fetch.Error{Kind: fetch.Unavailable, Err: page, After: time.Now().Add(quotaTime)}
	}
	x := driver.OfResponse(resp).Exchange
	if driver.Full(x) {
		x.Beginning = slices.Clone(seen[:min(len(seen), fetch.MaxBeginning)])
		x.Cut = x.Cut || cut || len(seen) > fetch.MaxBeginning
	}
	if read(v.Reason) {
		driver.End(x, nil) // its form leads to the file
	} else {
		driver.End(x, failure)
	}
	return nil, failure
}
