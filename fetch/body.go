package fetch

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"path"
	"strings"

	"github.com/go-extbody/extbody/internal/netx/lastoctet"
)

// A body is the Body that Do returns. It undoes the content codings, applies the limits,
// and holds one octet back until the verdict.
type body struct {
	lastoctet.Reader
	ctx   *pauses
	stops []context.CancelCauseFunc
	req   *Request
	resp  *Response
	raw   io.Closer // nil once closed
	wire  *wire
	src   io.Reader // the wire, or a decoder above it
	n     int64     // octets that came from src

	codings []string // that src undoes
	record  record
}

func newBody(ctx *pauses, cancel context.CancelCauseFunc, f Fetcher, req *Request, resp *Response) (*body, error) {
	if resp.Size >= 0 && req.MaxBytes >= 0 && resp.Size > req.MaxBytes {
		return nil, wrap("fetch", req, TooLarge, tooLargeError(req.MaxBytes))
	}
	if err := req.Budget.announced(resp.Size); err != nil {
		return nil, wrap("fetch", req, Deferred, err)
	}
	b := &body{
		ctx:     ctx,
		stops:   []context.CancelCauseFunc{cancel},
		req:     req,
		resp:    resp,
		raw:     resp.Body,
		codings: resp.Codings,
		record:  newRecord(resp.Exchange),
	}
	b.wire = newWire(b, f, resp.Body)
	b.src = b.wire
	b.R = verdict{b}
	if req.Coded {
		return b, nil
	}
	if t, ok := coded(req, resp); ok {
		resp.Codings, resp.MediaType = nil, t
	}
	if len(resp.Codings) > 0 {
		src, err := decode(b.wire, resp.Codings)
		if err != nil {
			return nil, wrap("fetch", req, Unsupported, err)
		}
		b.src = src
		resp.Codings = nil
		resp.Size = -1
		resp.Undelimited = false
	}
	return b, nil
}

// coded reports whether the object is itself a gzip file, by its announced media type or,
// without one, by its name, so that the coding gzip stays; and the media type of that
// file. QUIRK: servers that know no media type for "a.tar.gz" send it as a tar archive
// with the content coding x-gzip. Browsers do not undo it either.
func coded(req *Request, resp *Response) (mediaType string, ok bool) {
	if len(resp.Codings) != 1 || !strings.EqualFold(resp.Codings[0], "gzip") && !strings.EqualFold(resp.Codings[0], "x-gzip") {
		return "", false
	}
	announced, _, _ := strings.Cut(req.MediaType, ";")
	switch strings.ToLower(strings.TrimSpace(announced)) {
	case "application/gzip", "application/x-gzip", "application/x-compressed-tar", "application/x-gtar-compressed", "application/x-tgz":
		return req.MediaType, true
	case "", "application/octet-stream":
	default:
		return "", false
	}
	name := cmp.Or(req.Name, path.Base(req.URL.Path))
	switch strings.ToLower(path.Ext(name)) {
	case ".gz", ".tgz":
		return "application/gzip", true
	}
	return "", false
}

// A verdict is the reader below the one that holds back: it bounds the octets
// after decoding, and its io.EOF means that every check has passed.
type verdict struct{ *body }

func (b verdict) Read(p []byte) (int, error) {
	n, err := b.read(p)
	switch err {
	case nil:
	case io.EOF:
		b.record.end(nil)
	default:
		b.record.end(err)
	}
	return n, err
}

func (b verdict) read(p []byte) (int, error) {
	n, err := b.src.Read(p)
	b.n += int64(n)
	if b.src != io.Reader(b.wire) {
		b.record.writeDecoded(p[:n])
		if e := b.checkDecoded(); e != nil {
			return 0, e
		}
		if err != nil && err != io.EOF {
			err = b.decodeError(err)
		}
	}
	if n > 0 {
		b.req.Report(Event{Phase: Receiving, Octets: b.n, Total: b.resp.Size, Hop: len(b.resp.Hops)})
	}
	if err == io.EOF {
		b.req.Report(Event{Phase: Verified, Octets: b.n, Total: b.n, Hop: len(b.resp.Hops)})
	}
	return n, err
}

// maxRatio bounds decoded octets against those on the wire, once there are
// more than ratioFloor of them. Text rarely reaches 20; deflate ends at 1032.
const (
	maxRatio   = 200
	ratioFloor = 1 << 20
)

var errBomb = errors.New("the body decompresses to far more than was sent")

// checkDecoded applies the limits to the decoded octets.
func (b *body) checkDecoded() error {
	if b.req.MaxBytes >= 0 && b.n > b.req.MaxBytes {
		return wrap("read", b.req, TooLarge, tooLargeError(b.req.MaxBytes))
	}
	if b.n > ratioFloor && b.n/maxRatio > b.wire.n {
		return wrap("read", b.req, TooLarge, errBomb)
	}
	return nil
}

// decodeError prefers the fault of the wire to the error of the decoder above it.
func (b *body) decodeError(err error) error {
	if b.wire.err != nil && b.wire.err != io.EOF {
		return b.wire.err
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return wrap("read", b.req, Truncated, errors.New("the content coding ends early"))
	}
	return wrap("read", b.req, Protocol, errors.New("the content coding is damaged"))
}

// Close frees the resources of the fetch. Before the verdict it abandons the rest, and
// ignores the errors of the connection.
func (b *body) Close() error {
	if b.raw == nil {
		return nil
	}
	err := b.Err()
	if err == nil {
		err = wrap("read", b.req, Local, os.ErrClosed)
	}
	if err != io.EOF {
		b.stop()
		b.record.end(err)
	}
	b.raw.Close()
	b.stop()
	b.raw = nil
	b.Abandon(err)
	return nil
}

func (b *body) stop() {
	b.wire.stopTimer()
	for _, cancel := range b.stops {
		cancel(os.ErrClosed)
	}
}
