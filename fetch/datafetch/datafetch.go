// Package datafetch gives the octets that a data: URL holds. It contacts no
// host.
//
// The URL is read as browsers do (Fetch Standard, section "data: URLs"), or
// strictly by RFC 2397. Its octets are decoded while the Body is read, in
// constant memory beside the URL, and [fetch.Request].MaxBytes bounds them. If
// [fetch.Request].Open is set, the URL is not held in memory either. The
// MediaType of the Response is the one in the URL after parsing, so that a
// policy on types sees the same type as a reader of the URL (RFC 2397 section 6).
package datafetch

import (
	"context"
	"errors"
	"io"

	"github.com/go-extbody/extbody/dataurl"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
)

// Options are for [New]. The zero value is fit for use.
type Options struct {
	// Strict asks for the syntax of RFC 2397 and nothing beyond it.
	Strict bool
}

// New returns a Fetcher for the scheme data. Several goroutines may use it at once. opts may be
// nil, which means the zero Options.
//
// A URL that cannot be parsed or, later, be
// decoded is Malformed; nothing of it is quoted in the error. Errors of
// [fetch.Request].Open, and of the reader it returns, other than a [fetch.Error] are
// Local. Check parses the URL and does not decode it.
func New(opts *Options) driver.Inspector {
	return &fetcher{strict: opts != nil && opts.Strict}
}

type fetcher struct {
	driver.Layer // without Next
	strict       bool
}

// Check implements [driver.Inspector].
func (f *fetcher) Check(req *fetch.Request) error {
	_, body, err := f.open(req)
	if err != nil {
		return err
	}
	return body.Close()
}

// Fetch implements [fetch.Fetcher].
func (f *fetcher) Fetch(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
	mediaType, body, err := f.open(req)
	if err != nil {
		return nil, err
	}
	return &fetch.Response{
		URL:       req.URL,
		MediaType: mediaType,
		Size:      -1,
		Body:      body,
	}, nil
}

// open returns the media type of the URL and its body.
func (f *fetcher) open(req *fetch.Request) (string, *body, error) {
	parse := dataurl.Parse
	parseReader := dataurl.ParseReader
	if f.strict {
		parse = dataurl.ParseStrict
		parseReader = dataurl.ParseReaderStrict
	}
	if req.Open == nil {
		u, err := parse(req.RawURL())
		if err != nil {
			return "", nil, failed(err)
		}
		return u.MediaType, &body{u.NewReader(), io.NopCloser(nil)}, nil
	}
	text, err := req.Open()
	if err != nil {
		return "", nil, failed(err)
	}
	s, err := parseReader(text)
	if err != nil {
		text.Close()
		return "", nil, failed(err)
	}
	return s.MediaType, &body{s, text}, nil
}

// failed returns an error with a Kind.
func failed(err error) error {
	if _, ok := errors.AsType[*fetch.Error](err); ok {
		return err
	}
	kind := fetch.Local
	if _, ok := errors.AsType[*dataurl.Error](err); ok {
		kind = fetch.Malformed
	}
	return &fetch.Error{Kind: kind, Err: err}
}

// A body decodes. Its errors are the errors of the URL.
type body struct {
	src       io.Reader
	io.Closer // of the text of the URL
}

// Read implements [io.Reader].
func (b *body) Read(p []byte) (int, error) {
	n, err := b.src.Read(p)
	if err != nil && err != io.EOF {
		err = failed(err)
	}
	return n, err
}
