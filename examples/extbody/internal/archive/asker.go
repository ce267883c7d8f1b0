package archive

import (
	"context"
	"encoding/base64"
	"errors"
	"io"
	"mime/quotedprintable"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/mime/message"
)

var errNotModified = errors.New("the object has not changed")

// An asker is a Fetcher for a body that was captured before. If ask is set, it asks Next
// whether the body has changed; otherwise it contacts no host.
//
// If object is set and Next was not asked, or answered 304, the asker returns the object.
// The caller then compares it with the promises of a reference.
type asker struct {
	fetch.Layer
	ask        bool
	conditions *fetch.Conditions // nil if the server gave no validator
	object     *Capture
	objects    objects
	encoding   string // the transfer encoding that the reference gives its body
	unmodified bool   // Next has said that nothing has changed
}

// conditions returns the Conditions for asking whether a captured body has changed; nil if
// its server gave no validator.
func conditions(c *Capture) *fetch.Conditions {
	k := &fetch.Conditions{URL: c.FinalURL, ETag: c.Header.Get("ETag"), LastModified: c.Header.Get("Last-Modified")}
	if k.ETag == "" && k.LastModified == "" {
		return nil
	}
	return k
}

// Fetch implements [fetch.Fetcher].
func (k *asker) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	if !k.ask {
		return k.give(req)
	}
	c := *req
	c.Conditions = k.conditions
	resp, err := k.Next.Fetch(ctx, &c)
	if err != nil || !resp.NotModified {
		return resp, err
	}
	_, err = io.Copy(io.Discard, resp.Body)
	resp.Body.Close()
	if err != nil {
		return nil, &fetch.Error{Kind: fetch.Unavailable, Err: err}
	}
	resp.Exchange.End(nil)
	k.unmodified = true
	if k.object == nil {
		return nil, &fetch.Error{Kind: fetch.Unavailable, Err: errNotModified}
	}
	given, err := k.give(req)
	if err == nil {
		given.URL, given.Status = resp.URL, resp.Status
	}
	return given, err
}

// give returns the object as if it had been fetched.
func (k *asker) give(req *fetch.Request) (*fetch.Response, error) {
	f, size, err := k.objects.reader(k.object.SHA256)
	if err != nil {
		return nil, &fetch.Error{Kind: fetch.Local, Err: err}
	}
	resp := &fetch.Response{URL: req.URL, MediaType: k.object.ServedType, Size: size, Body: f, Capture: fetch.Capture(k.object.Label), Header: k.object.Header}
	if enc := message.ParseEncoding(k.encoding); enc.Hides() {
		// The object has the octets after the encoding was undone, which is undone of
		// all that is fetched.
		resp.Body, resp.Size = encode(f, enc), -1
	}
	return resp, nil
}

// encode returns the octets of src in a transfer encoding. Its Close ends the reading of src.
func encode(src io.ReadCloser, enc message.Encoding) io.ReadCloser {
	r, w := io.Pipe()
	go func() {
		q := quotedprintable.NewWriter(w)
		q.Binary = true
		var e io.WriteCloser = q
		if enc == message.Base64 {
			e = base64.NewEncoder(base64.StdEncoding, w)
		}
		_, err := io.Copy(e, src)
		if err == nil {
			err = e.Close()
		}
		src.Close()
		w.CloseWithError(err)
	}()
	return r
}
