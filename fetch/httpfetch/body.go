package httpfetch

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"os"

	"github.com/go-extbody/extbody/fetch"
)

var errAbandoned = &fetch.Error{Kind: fetch.Local, Err: os.ErrClosed}

var errFraming = &fetch.Error{Kind: fetch.Protocol, Err: errors.New("the framing of the body is broken")}

// A body is the body of an answer, with the errors of net/http made ours.
type body struct {
	x   *exchange
	src io.ReadCloser
}

// Read implements [io.Reader].
func (b *body) Read(p []byte) (int, error) {
	n, err := b.src.Read(p)
	if err != nil {
		err = b.fault(err)
	}
	return n, err
}

// Close implements [io.Closer]. A connection with unread octets is closed.
func (b *body) Close() error {
	err := b.src.Close()
	b.x.log.End(errAbandoned) // unless fetch.Do has ended it
	b.x.cancel(nil)
	return err
}

// fault returns the error of the fetch for the error of a Read. The errors of net/http about
// chunks have no type, and may quote the server.
func (b *body) fault(err error) error {
	switch {
	case err == io.EOF:
		if b.tlsTruncated() {
			return io.ErrUnexpectedEOF
		}
		return io.EOF
	case b.x.ctx.Err() != nil:
		return context.Cause(b.x.ctx)
	case isA[net.Error](err):
		return err
	case errors.Is(err, io.ErrUnexpectedEOF), b.x.hungUp():
		return io.ErrUnexpectedEOF
	}
	return errFraming
}

// tlsTruncated reports whether a body that ends with its connection has ended
// without the closure alert of TLS, so that anybody on the way may have cut it
// (RFC 9112 section 9.8). Package tls forgives this at the end of a record.
func (b *body) tlsTruncated() bool {
	resp := b.x.resp
	if resp.ContentLength >= 0 || len(resp.TransferEncoding) > 0 {
		return false
	}
	_, secure := b.x.conn.Conn.(*tls.Conn)
	return secure && b.x.hungUp()
}
