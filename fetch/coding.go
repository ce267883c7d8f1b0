package fetch

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"strings"
)

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
		err = d.drain()
	}
	return n, err
}

// drain makes sure that the source is at its end as well, so that its verdict
// is known.
func (d *decoder) drain() error {
	switch _, err := d.src.ReadByte(); err {
	case nil:
		return errTrailing
	default:
		return err
	}
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
