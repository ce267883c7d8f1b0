package externalbody

import (
	"errors"
	"io"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/link/redact"
	"github.com/go-extbody/extbody/internal/link/sharelink"
	"github.com/go-extbody/extbody/urlaccess"
)

// findCredential sets whether the URL of a part is a share link. It returns the URL, and
// whether it has looked at it.
func (r *Reference) findCredential() (text string, known bool) {
	v, ok := r.Param("url")
	if !ok || len(v) > fetch.MaxURLBytes {
		return "", false // what is longer is a data: URL
	}
	text, err := urlaccess.Decode(v)
	if err != nil {
		return "", false
	}
	r.credential = redact.Credential(text)
	return text, true
}

// concealOwn is findCredential for the hosts of Dialects, which may be nil.
func (r *Reference) concealOwn(hosts *sharelink.Table) {
	v, ok := r.Param("url")
	if hosts == nil || r.credential || !ok || len(v) > fetch.MaxURLBytes {
		return
	}
	text, err := urlaccess.Decode(v)
	if err != nil {
		return
	}
	link, is := hosts.Match(text)
	if !is {
		return
	}
	r.credential = true
	if r.Name == terminal(r.urlName()) {
		r.Name = terminal(link.Name)
	}
}

// conceal returns an error of a fetch without the path of the URL if the URL of the
// Reference is a credential. [fetch.Request].Secret conceals that URL itself. conceal
// does so for the URLs that its server redirects to, which are as secret.
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
