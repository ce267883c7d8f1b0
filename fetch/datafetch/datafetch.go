// Package datafetch gives the octets that a data: URL holds. It contacts
// nobody.
//
// The URL is read as browsers do (Fetch Standard, section "data: URLs"), or
// strictly by RFC 2397. Its octets are decoded while the Body is read, in
// constant memory beside the URL, and [fetch.Request].MaxBytes bounds them. The
// MediaType of the Response is the one in the URL after parsing, so that a
// policy on types sees what a reader of the URL sees (RFC 2397 section 6).
package datafetch

import (
	"context"
	"io"

	"github.com/go-extbody/extbody/dataurl"
	"github.com/go-extbody/extbody/fetch"
)

// A Fetcher is a [fetch.Fetcher] and a [fetch.Checker] for the scheme data. The
// zero Fetcher is ready to use, by several goroutines at once.
type Fetcher struct {
	// Strict asks for the syntax of RFC 2397 and nothing beyond it.
	Strict bool
}

// Check implements [fetch.Checker]. It parses the URL and does not decode it.
func (f *Fetcher) Check(req *fetch.Request) error {
	_, err := f.parse(req)
	return err
}

// Fetch implements [fetch.Fetcher]. A URL that cannot be parsed or, later, be
// decoded is Malformed; nothing of it is quoted in the error.
func (f *Fetcher) Fetch(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
	u, err := f.parse(req)
	if err != nil {
		return nil, err
	}
	return &fetch.Response{
		URL:       req.URL,
		MediaType: u.MediaType,
		Size:      -1,
		Body:      &body{src: u.NewReader()},
	}, nil
}

func (f *Fetcher) parse(req *fetch.Request) (*dataurl.URL, error) {
	text := req.Text
	if text == "" {
		text = req.URL.String()
	}
	parse := dataurl.Parse
	if f.Strict {
		parse = dataurl.ParseStrict
	}
	u, err := parse(text)
	if err != nil {
		return nil, malformed(err)
	}
	return u, nil
}

func malformed(err error) error { return &fetch.Error{Kind: fetch.Malformed, Err: err} }

// A body decodes. Its errors are those of the URL.
type body struct{ src io.Reader }

// Read implements [io.Reader].
func (b *body) Read(p []byte) (int, error) {
	n, err := b.src.Read(p)
	if err != nil && err != io.EOF {
		err = malformed(err)
	}
	return n, err
}

// Close implements [io.Closer].
func (b *body) Close() error { return nil }
