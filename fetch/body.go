package fetch

import (
	"bufio"
	"cmp"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"

	"github.com/go-extbody/extbody/internal/netx/lastoctet"
	"github.com/go-extbody/extbody/internal/netx/pausable"
)

// A body is the Body that Do returns. It undoes the content codings, applies the limits,
// and holds one octet back until the verdict.
type body struct {
	lastoctet.Reader
	req  *Request
	resp *Response
	wire *wire
	src  io.Reader // the wire, or a decoder above it
	n    int64     // octets that came from src

	closed bool
}

func newBody(
	ctx *pausable.Clock, cancel context.CancelCauseFunc, f Fetcher, req *Request, resp *Response,
) (*body, error) {
	if resp.Size >= 0 && req.MaxBytes >= 0 && resp.Size > req.MaxBytes {
		return nil, wrap("fetch", req, TooLarge, tooLargeError(req.MaxBytes))
	}
	if err := req.Budget.announced(resp.Size); err != nil {
		return nil, wrap("fetch", req, Deferred, err)
	}
	b := &body{req: req, resp: resp, wire: newWire(ctx, cancel, f, req, resp)}
	b.src = b.wire
	b.R = verdict{b}
	if req.part.Coded {
		return b, nil
	}
	if t, ok := coded(req, resp); ok {
		resp.part.Codings = nil
		resp.MediaType = t
	}
	if len(resp.part.Codings) > 0 {
		src, err := decode(b.wire, resp.part.Codings)
		if err != nil {
			return nil, wrap("fetch", req, Unsupported, err)
		}
		b.src = src
		resp.part.Codings = nil
		resp.Size = -1
		resp.Undelimited = false
	}
	return b, nil
}

// coded reports whether the object is itself a gzip file, by its announced media type or,
// without one, by its announced size or its name, so that the coding gzip stays; and the media type of that
// file. QUIRK: servers that know no media type for "a.tar.gz" send it as a tar archive
// with the content coding x-gzip. Browsers do not undo it either.
func coded(req *Request, resp *Response) (mediaType string, ok bool) {
	codings := resp.part.Codings
	if len(codings) != 1 || !strings.EqualFold(codings[0], "gzip") && !strings.EqualFold(codings[0], "x-gzip") {
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
	if req.Size > 0 && req.Size == resp.Size {
		return "application/gzip", true // the octets that were announced
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
	if err == io.EOF {
		b.wire.recorder.end(nil)
	} else if err != nil {
		b.wire.recorder.end(err)
	}
	return n, err
}

func (b verdict) read(p []byte) (int, error) {
	n, err := b.src.Read(p)
	b.n += int64(n)
	if b.src != io.Reader(b.wire) {
		b.wire.recorder.writeDecoded(p[:n])
		if e := b.checkDecoded(); e != nil {
			return 0, e
		}
		if err != nil && err != io.EOF {
			err = b.decodeError(err)
		}
	}
	if n > 0 {
		b.req.report(Event{Phase: Receiving, Octets: b.n, Total: b.resp.Size, Hop: len(b.resp.Hops)})
	}
	if err == io.EOF {
		b.req.report(Event{Phase: Verified, Octets: b.n, Total: b.n, Hop: len(b.resp.Hops)})
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
	if b.closed {
		return nil
	}
	b.closed = true
	err := b.Err()
	if err == nil {
		err = wrap("read", b.req, Local, os.ErrClosed)
	}
	// All of it is done whatever the caller's functions do.
	defer b.Abandon(err)
	defer b.stop()
	defer b.wire.raw.Close()
	if err != io.EOF {
		b.stop()
		b.wire.recorder.end(err)
	}
	return nil
}

func (b *body) stop() {
	b.wire.stall.Stop()
	for _, cancel := range b.wire.stops {
		cancel(os.ErrClosed)
	}
}

// maxCodings bounds how often a body may be compressed. Two already happens by
// mistake only.
const maxCodings = 3

var errTrailing = errors.New("octets after the end of the content coding")

// decode returns a reader that undoes codings, the last applied first (RFC 9110
// section 8.4). It reaches its end only together with the wire's.
func decode(w *wire, codings []string) (io.Reader, error) {
	if len(codings) > maxCodings {
		return nil, fmt.Errorf("%d content codings", len(codings))
	}
	var r io.Reader = w
	for i := len(codings) - 1; i >= 0; i-- {
		switch coding := strings.ToLower(codings[i]); coding {
		case "", "identity":
		case "gzip", "x-gzip":
			r = &decoder{src: bufio.NewReader(r), open: openGzip}
		case "deflate":
			r = &decoder{src: bufio.NewReader(r), open: openDeflate}
		default:
			return nil, fmt.Errorf("content coding %.20q", coding)
		}
	}
	return r, nil
}

// A decoder opens its codec at the first Read, which may wait for the network.
type decoder struct {
	src  *bufio.Reader
	open func(*bufio.Reader) (io.Reader, error)
	dec  io.Reader
}

func (d *decoder) Read(p []byte) (int, error) {
	if d.dec == nil {
		dec, err := d.open(d.src)
		if err != nil {
			return 0, err
		}
		d.dec = dec
	}
	n, err := d.dec.Read(p)
	if err == io.EOF {
		// The verdict of the source is known only at its own end.
		_, err = d.src.ReadByte()
		if err == nil {
			err = errTrailing
		}
	}
	return n, err
}

// openGzip reads one or several members (RFC 1952 section 2.2). An empty body
// is an empty object.
func openGzip(r *bufio.Reader) (io.Reader, error) {
	if _, err := r.Peek(1); err == io.EOF {
		return r, nil
	}
	return gzip.NewReader(r)
}

// openDeflate reads the zlib format, which "deflate" means (RFC 9110 section
// 8.4.1.2).
//
// QUIRK: some servers send raw deflate under that name. A zlib header is
// recognised by its check bits (RFC 1950 section 2.2).
func openDeflate(r *bufio.Reader) (io.Reader, error) {
	h, err := r.Peek(2)
	if len(h) == 0 && err == io.EOF {
		return r, nil
	}
	if len(h) == 2 && h[0]&0x0f == 8 && (uint(h[0])<<8|uint(h[1]))%31 == 0 {
		return zlib.NewReader(r)
	}
	return flate.NewReader(r), nil
}
