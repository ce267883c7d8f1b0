package externalbody

import (
	"errors"
	"io"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/redact"
)

// conceal returns an error of a fetch without the path of the URL, if the URL of
// the Reference is a credential. [fetch.Request].Secret sees to that URL itself;
// this is for those that its server redirects to, which hold as much.
func (r *Reference) conceal(err error) error {
	if !r.secret() {
		return err
	}
	var e *fetch.Error
	if !errors.As(err, &e) || e.URL == "" {
		return err
	}
	c := *e
	c.URL = redact.Origin(e.URL)
	c.Err = r.conceal(e.Err)
	return &c
}

// A secretBody is a body whose URL is a credential.
type secretBody struct {
	io.ReadCloser
	ref *Reference
}

func (b *secretBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && err != io.EOF {
		err = b.ref.conceal(err)
	}
	return n, err
}
