package sharefetch

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/codec/progress"
	"github.com/go-extbody/extbody/internal/link/interstitial"
)

// lookup fetches ask, whose answer names the file, and returns the beginning of the
// answer.
func (f *fetcher) lookup(ctx context.Context, ask *fetch.Request) ([]byte, error) {
	resp, err := f.Layer.Fetch(ctx, ask)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, maxPage))
	if resp.Exchange.Full() {
		resp.Exchange.Beginning = slices.Clone(answer[:min(len(answer), fetch.MaxBeginning)])
	}
	resp.Exchange.End(err)
	return answer, err
}

// open fetches ask and judges the beginning of the body. read reports whether a page is
// read further.
func (f *fetcher) open(ctx context.Context, ask *fetch.Request, want interstitial.Expect, read func(interstitial.Reason) bool) (*fetch.Response, error) {
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
	b.src, resp.Body = resp.Body, b
	if resp.NotModified || resp.Offset > 0 {
		delivered = true
		return resp, nil // its beginning was judged before
	}
	b.peek(want, resp.MediaType, ask.Timeouts.WithDefaults().Stall)
	if context.Cause(ctx) != nil {
		err := context.Cause(ctx)
		resp.Exchange.End(err)
		return nil, err
	}
	got := interstitial.Got{
		MediaType:   resp.MediaType,
		Disposition: resp.Header.Get("Content-Disposition"),
		Size:        resp.Size,
		Head:        b.head,
	}
	if len(resp.Codings) > 0 {
		got.Size, got.Head = -1, nil // they belong to the coded octets
	}
	v := interstitial.Judge(want, got)
	if !v.Page {
		delivered = true
		return resp, nil
	}
	page := &pageError{reason: v.Reason}
	seen, cut := b.head, b.err != io.EOF
	if read(v.Reason) && len(resp.Codings) == 0 {
		page.octets, _ = io.ReadAll(io.LimitReader(b, maxPage)) // a part of it may be enough
		seen, cut = page.octets, len(page.octets) == maxPage
	}
	failure := &fetch.Error{Kind: fetch.Interstitial, Err: page}
	if v.Reason == interstitial.Quota {
		failure = &fetch.Error{Kind: fetch.Unavailable, Err: page, After: time.Now().Add(quotaTime)}
	}
	if resp.Exchange.Full() {
		resp.Exchange.Beginning = slices.Clone(seen[:min(len(seen), fetch.MaxBeginning)])
		resp.Exchange.Cut = resp.Exchange.Cut || cut || len(seen) > fetch.MaxBeginning
	}
	if read(v.Reason) {
		resp.Exchange.End(nil) // its form leads to the file
	} else {
		resp.Exchange.End(failure)
	}
	return nil, failure
}

const (
	// maxPage bounds the octets that are read of a page that names the address of the file.
	maxPage = 1 << 20

	// quotaTime is how long a host refuses a file that too many people asked for.
	quotaTime = 24 * time.Hour
)

// A pageError is a page that came instead of the file.
type pageError struct {
	reason interstitial.Reason
	octets []byte // the beginning of the page, if it was read
}

func (e *pageError) Error() string {
	if e.reason == interstitial.Archive {
		return "an archive came in place of the file"
	}
	if e.reason == interstitial.Unknown {
		return "a page came in place of the file"
	}
	return fmt.Sprintf("a page came in place of the file (%s)", string(e.reason))
}

// A body gives out the beginning that was looked at, then the rest of src.
type body struct {
	src    io.ReadCloser
	cancel context.CancelCauseFunc
	ask    *fetch.Request
	head   []byte // not given out yet
	err    error  // the error after head; nil if src has more
}

// peek reads as much of the beginning of src as is needed to judge it, for no
// longer than limit if that is positive. An error is reported after the octets that
// came before it.
func (b *body) peek(want interstitial.Expect, mediaType string, limit time.Duration) {
	if limit > 0 {
		t := time.AfterFunc(limit, func() { b.cancel(errPeek) })
		defer t.Stop()
	}
	head := make([]byte, interstitial.HeadBytes)
	n := 0
	for b.err == nil && !interstitial.Settled(want, mediaType, head[:n]) {
		var m int
		m, b.err = progress.Read(b.src, head[n:])
		n += m
	}
	b.head = head[:n]
}

// Read implements [io.Reader].
func (b *body) Read(p []byte) (int, error) {
	if len(b.head) > 0 {
		n := copy(p, b.head)
		b.head = b.head[n:]
		return n, nil
	}
	if b.err != nil {
		return 0, b.fault(b.err)
	}
	n, err := b.src.Read(p)
	if err != nil {
		err = b.fault(err)
	}
	return n, err
}

// fault hides the URL in the errors that have one.
func (b *body) fault(err error) error {
	if _, ok := err.(*fetch.Error); ok {
		return private("read", b.ask, err)
	}
	return err
}

// Close implements [io.Closer].
func (b *body) Close() error {
	defer b.cancel(nil)
	if b.src == nil {
		return nil // there was no answer
	}
	return b.src.Close()
}
