package externalbody

import (
	"errors"
	"io"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/link/interstitial"
	"github.com/go-extbody/extbody/internal/mime/message"
)

// checkPage refuses a page or message that came instead of a file. Hosts answer a link
// in any case. A page that asks for a login, or says that the file is gone, must not
// become the file. The announced name, type and size, and the first octets, tell the
// two apart. These octets are read here and given out later. A standard part is judged
// only if it is known how a file of its type begins.
func (a *admission) checkPage(enc message.Encoding) error {
	scheme := a.resp.URL.Scheme
	if enc.Hides() || scheme != "http" && scheme != "https" {
		return nil
	}
	want := interstitial.Expect{Name: a.ref.Name, MediaType: a.r.announced(a.ref), Size: max(a.ref.Size, 0)}
	if !a.ref.weaklyTyped() {
		if want.Name = ""; !interstitial.KnowsBeginning(want) {
			return nil
		}
	}
	if a.resp.Capture == fetch.CaptureRendition {
		return nil // its fetcher has judged it, by the format that it asked for
	}
	head := make([]byte, interstitial.HeadBytes)
	n, err := io.ReadFull(a.resp.Body, head)
	size := a.resp.Size
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		if e, ok := errors.AsType[*fetch.Error](err); ok {
			return e
		}
		err, size = io.EOF, int64(n)
	case err != nil:
		return err
	}
	verdict := interstitial.Judge(
		want,
		interstitial.Got{MediaType: a.resp.MediaType, Disposition: a.resp.Header.Get("Content-Disposition"), Size: size, Head: head[:n]},
	)
	if verdict.Page {
		return a.fail(fetch.Interstitial, "a page where a file was expected: %s", verdict.Reason)
	}
	a.resp.Body = &headedBody{ReadCloser: a.resp.Body, head: head[:n], err: err}
	return nil
}

// A headedBody is a body whose first octets have been read.
type headedBody struct {
	io.ReadCloser
	head []byte
	err  error // the error that follows head; nil if the body goes on
}

func (b *headedBody) Read(p []byte) (int, error) {
	if len(b.head) > 0 {
		n := copy(p, b.head)
		b.head = b.head[n:]
		return n, nil
	}
	if b.err != nil {
		return 0, b.err
	}
	return b.ReadCloser.Read(p)
}
