package externalbody

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/url"
	"regexp"
	"strings"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/link/interstitial"
	"github.com/go-extbody/extbody/internal/mime/message"
)

// checkPage refuses a page or message that came instead of a file. Hosts answer every
// link. A page that asks for a login, or reports that the file is gone, must not become
// the file. The announced name, type and size, and the first octets, distinguish the
// two. These octets are read here and given out later. A standard part is judged only
// if it is known how a file of its type begins.
func (a *admission) checkPage(enc message.Encoding) error {
	scheme := a.resp.URL.Scheme
	if enc.Hides() || scheme != "http" && scheme != "https" {
		return nil
	}
	want := interstitial.Expect{Name: a.ref.Name, MediaType: a.r.announced(a.ref), Size: max(a.ref.Size, 0)}
	if !a.ref.weaklyTyped() {
		want.Name = ""
		if known, _ := interstitial.Begins(want, nil); !known {
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
		size = int64(n)
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
	a.resp.Body = bodyOf(io.MultiReader(bytes.NewReader(head[:n]), a.resp.Body), a.resp.Body)
	return nil
}

// get fetches req and admits the answer. If that is the page of a share of Nextcloud or
// ownCloud instead of its file, it asks for the file.
func (r *Resolver) get(ctx context.Context, ref *Reference, plan *Plan, req *fetch.Request, fetcher fetch.Fetcher, c *chain) (*Body, error) {
	b, at, err := r.getOne(ctx, ref, plan, req, fetcher, c)
	if fetch.KindOf(err) != fetch.Interstitial {
		return b, err
	}
	file := ref.sharedFile(req.URL, at)
	if file == nil {
		return nil, err
	}
	again := *req
	again.URL, again.Text = file, ""
	c.trace.watch(&again)
	b, _, errFile := r.getOne(ctx, ref, plan, &again, fetcher, c)
	if fetch.KindOf(errFile) == fetch.NotFound {
		return nil, err // it is another page
	}
	return b, errFile
}

// getOne fetches req and admits the answer. It also returns where that came from.
func (r *Resolver) getOne(ctx context.Context, ref *Reference, plan *Plan, req *fetch.Request, fetcher fetch.Fetcher, c *chain) (*Body, *url.URL, error) {
	resp, err := fetch.Do(ctx, fetcher, req)
	if err != nil {
		return nil, nil, ref.conceal(err)
	}
	if ref.secret() {
		resp.Body = bodyOf(&faultReader{resp.Body, ref.conceal}, resp.Body)
	}
	b, err := r.admit(ctx, ref, plan, resp, c)
	if err != nil {
		if resp.Exchange.Full() && errors.Is(err, fetch.TypeMismatch) { // the page that came is evidence
			io.CopyN(io.Discard, resp.Body, fetch.MaxBeginning)
		}
		resp.Body.Close()
		return nil, resp.URL, err
	}
	return b, resp.URL, nil
}

// sharedFile returns the URL of the file whose page asked led to, or nil if that is not
// known. Any host may run Nextcloud. Only the writer of the reference knows it: the
// FileLink add-on for such a server writes the address of the page,
// "https://HOST/s/TOKEN". The file is below it, at "/download", as the documentation of
// Nextcloud says. sharedFile returns it only if the page is at the same host and the
// link has no query.
func (r *Reference) sharedFile(asked, page *url.URL) *url.URL {
	const filelink = "filelink" // of package dialect
	if page == nil || r.Dialect != filelink || r.link != nil || page.Scheme != asked.Scheme || page.Host != asked.Host {
		return nil
	}
	if token := shareToken(asked); token == "" || token != shareToken(page) {
		return nil // it is another page, such as a login
	}
	file := *page
	file.Path, file.RawPath = strings.TrimSuffix(page.Path, "/")+"/download", ""
	return &file
}

// sharePath matches the end of the path of a share of Nextcloud, with its token.
var sharePath = regexp.MustCompile(`/s/([0-9A-Za-z_-]{4,})/?$`)

// shareToken returns the token of a share of Nextcloud, or "".
func shareToken(u *url.URL) string {
	match := sharePath.FindStringSubmatch(u.EscapedPath())
	if match == nil || u.RawQuery != "" {
		return ""
	}
	return match[1]
}
