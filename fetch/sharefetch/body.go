package sharefetch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/internal/codec/progress"
	"github.com/go-extbody/extbody/internal/link/interstitial"
	"github.com/go-extbody/extbody/internal/link/redact"
)

var (
	errEndToEnd = errors.New("the link is to encrypted octets, and its host must not see the key")
	errFolder   = errors.New("the link is to a folder")
	errNoExport = errors.New("the link is to a document without octets of its own, and no export is known")
	errProgram  = errors.New("only a program of the host's own can get what the link is to")
	errAccount  = errors.New("the host wants an account for what the link is to")
	errNoFile   = errors.New("no address is known of what the link is to")
	errAnswer   = errors.New("the answer of the host names no single file")
	errRedirect = errors.New("more than 0 redirects")
	errPeek     = driver.NewTimeout("the beginning of the body")
)

const (
	// maxPage bounds the octets that are read of a page that names the address of the file.
	maxPage = 1 << 20

	// quotaTime is how long a host refuses a file that too many people asked for.
	quotaTime = 24 * time.Hour
)

// A pageError is a page that arrived instead of the file.
type pageError struct {
	reason interstitial.Reason
	octets []byte // the start of the page, if it was read
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

// A body gives out the start that was looked at, then the rest of src.
type body struct {
	src    io.ReadCloser
	cancel context.CancelCauseFunc
	ask    *fetch.Request
	head   []byte // not given out yet
	err    error  // the error after head; nil if src has more
}

// peek reads as much of the start of src as is needed to judge it, for no
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

// private returns err as an error about req that names the origin of its URL
// and nothing else of it. nil stays nil.
func private(op string, req *fetch.Request, err error) error {
	if err == nil {
		return nil
	}
	e, ok := err.(*fetch.Error)
	if !ok {
		e = &fetch.Error{Kind: fetch.KindOfFetch(err), Err: cause(err)}
	}
	c := *e
	c.Op = cmp.Or(c.Op, op)
	c.URL = redact.Origin(req.RawURL())
	return &c
}

// cause returns the error in a [fetch.Error] or [url.Error], without the URL that these
// quote.
func cause(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	if e, ok := err.(*fetch.Error); ok {
		if e.Err != nil {
			return e.Err
		}
		return e.Kind
	}
	return err
}
