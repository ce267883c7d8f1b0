// Package sharefetch gets files that are shared by link at hosts of files. It
// stands in front of a fetcher for http and https, and contacts nobody itself.
//
// A share link mostly leads to a page, on which a person finds the file. What
// is known of the hosts is in a table: how their links look, and what URL gives
// the octets. [New] returns a fetcher that asks for that URL, and that refuses
// a page where a file was expected, so that it is never taken for the file. All
// other URLs go to the fetcher behind it as they are.
//
// For a share link:
//
//   - A link to a folder is Unsupported, and so is one to a document that has
//     no octets of its own and of which no export is known.
//   - A link whose octets are encrypted, with a key in the fragment, is
//     Unsupported, and nothing is sent.
//   - A document that has no octets of its own is exported by its host. The
//     Capture of the Response is then [fetch.CaptureRendition], otherwise
//     [fetch.CaptureCurrent].
//   - HTML is Interstitial where the Name, MediaType and Size of the Request
//     and what the link says announce something else, or nothing and the server
//     does not call it an attachment. The error says what the page is about as
//     far as that is known. Its octets are not given out.
//   - A link that says when it ends is Expired, once that time has come, where
//     the host says Forbidden, NotFound or Gone, or sends a page.
//   - Errors have scheme and host of the link in them and nothing else, since
//     its path is a credential. In those that [fetch.Do] makes itself, about
//     limits, digests and time, that is so where the Request says Secret.
//
// A file can change at its host after the link was sent; the Header of the
// Response has what the host says of its version.
package sharefetch

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/share"
)

// Options are for [New]. The zero value is fit for use.
type Options struct {
	// Now returns the time to which the expiration of a link is compared. nil
	// means [time.Now].
	Now func() time.Time
}

// New returns a [fetch.Fetcher] and [fetch.Checker] that gets share links
// through next, and all else from it. nil stands for the zero Options. next is
// a fetcher for http and https, not a [fetch.Mux], and not what [fetch.Do] has
// been called with: limits and digests are for the caller of the new one. It may
// be used by several goroutines at once if next may.
func New(next fetch.Fetcher, opts *Options) fetch.Fetcher {
	f := &fetcher{next: next, now: time.Now}
	if opts != nil && opts.Now != nil {
		f.now = opts.Now
	}
	return f
}

type fetcher struct {
	next fetch.Fetcher
	now  func() time.Time
}

var (
	errEndToEnd = errors.New("the link is to encrypted octets, and its host must not see the key")
	errFolder   = errors.New("the link is to a folder")
	errNoExport = errors.New("the link is to a document without octets of its own, and no export is known")
	errRedirect = errors.New("more than 0 redirects")
	errPeek     = fetch.NewTimeout("the beginning of the body")
)

// Check implements [fetch.Checker]: it refuses the links that Fetch refuses
// without asking, and what next refuses of the URL that Fetch would ask for.
func (f *fetcher) Check(req *fetch.Request) error {
	link, ok := share.Match(text(req))
	if ok {
		ask, err := plan(req, link)
		if err != nil {
			return private("fetch", req, err)
		}
		req = ask
	}
	if c, isChecker := f.next.(fetch.Checker); isChecker {
		err := c.Check(req)
		if ok {
			err = private("fetch", req, err)
		}
		return err
	}
	return nil
}

// CloseIdleConnections closes the idle connections of the fetcher behind, if it
// has any.
func (f *fetcher) CloseIdleConnections() {
	if c, ok := f.next.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// Fetch implements [fetch.Fetcher].
func (f *fetcher) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	link, ok := share.Match(text(req))
	if !ok {
		return f.next.Fetch(ctx, req)
	}
	resp, err := f.fetch(ctx, req, link)
	if err != nil {
		return nil, private("fetch", req, f.expired(link, err))
	}
	return resp, nil
}

// fetch gets what a link leads to.
func (f *fetcher) fetch(ctx context.Context, req *fetch.Request, link *share.Link) (*fetch.Response, error) {
	ask, err := plan(req, link)
	if err != nil {
		return nil, err
	}
	hop := leaves(req, ask)
	if hop {
		if err := follow(ctx, req, ask); err != nil {
			return nil, err
		}
	}
	resp, err := f.open(ctx, ask, expectation(req, link))
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

// expired gives the reason for which a link fails that has ended, if err can be
// its consequence.
func (f *fetcher) expired(link *share.Link, err error) error {
	if link.Expiration.IsZero() || f.now().Before(link.Expiration) {
		return err
	}
	switch fetch.KindOf(err) {
	case fetch.Forbidden, fetch.NotFound, fetch.Gone, fetch.Interstitial:
		return &fetch.Error{
			Kind: fetch.Expired,
			Err:  fmt.Errorf("the link ended at %s: %w", link.Expiration.UTC().Format(time.RFC3339), cause(err)),
		}
	}
	return err
}

// text returns the exact text of the URL of req.
func text(req *fetch.Request) string {
	if req.Text != "" {
		return req.Text
	}
	return req.URL.String()
}
