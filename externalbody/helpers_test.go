package externalbody_test

import (
	"context"
	"encoding/base64"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// open indexes a message written with LF, as it is and with CRLF, and returns
// the References, which have to be the same.
func open(t *testing.T, text string, opts *externalbody.OpenOptions) []*externalbody.Reference {
	t.Helper()
	lf := openText(t, text, opts)
	if crlf := openText(t, strings.ReplaceAll(text, "\n", "\r\n"), opts); len(crlf) != len(lf) {
		t.Errorf("got %d references with CRLF, want %d as with LF", len(crlf), len(lf))
	}
	return lf
}

func openText(t *testing.T, text string, opts *externalbody.OpenOptions) []*externalbody.Reference {
	t.Helper()
	return slices.Collect(openMessage(t, text, opts).References())
}

func openMessage(t *testing.T, text string, opts *externalbody.OpenOptions) *externalbody.Message {
	t.Helper()
	m, err := externalbody.Open(strings.NewReader(text), int64(len(text)), opts)
	must(t, err)
	return m
}

// one returns the only Reference of a message that is a message/external-body
// itself, of a Content-Type value and a phantom header.
func one(t *testing.T, contentType, phantom string) *externalbody.Reference {
	t.Helper()
	refs := open(t, "MIME-Version: 1.0\nContent-Type: "+contentType+"\n\n"+phantom, nil)
	if len(refs) != 1 {
		t.Fatalf("got %d references, want 1", len(refs))
	}
	return refs[0]
}

// mixed returns a multipart/mixed of parts.
func mixed(parts ...string) string {
	return "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n" + strings.Join(parts, "\n--b\n") + "\n--b--\n"
}

// external returns a message/external-body part of that access type and its parameters.
func external(access, phantom string) string {
	return "Content-Type: message/external-body; access-type=" + access + "\n\n" + phantom + "\n"
}

// diags joins the Diags of a Reference.
func diags(ref *externalbody.Reference) string {
	var s []string
	for _, d := range ref.Diags {
		s = append(s, d.String())
	}
	return strings.Join(s, ", ")
}

// readBody resolves ref and reads its body to the end. The Body is closed, and nil if ref was
// not resolved.
func readBody(t *testing.T, r *externalbody.Resolver, ref *externalbody.Reference) (string, *externalbody.Body, error) {
	t.Helper()
	body, err := r.Resolve(t.Context(), ref)
	if err != nil {
		return "", nil, err
	}
	defer body.Close()
	b, err := io.ReadAll(body)
	return string(b), body, err
}

// base64Lines returns octets in base64, in lines that end with CRLF.
func base64Lines(b []byte) string {
	var lines strings.Builder
	for line := range slices.Chunk([]byte(base64.StdEncoding.EncodeToString(b)), 76) {
		lines.Write(append(line, '\r', '\n'))
	}
	return lines.String()
}

// A web answers requests by their URL, and records them.
type web struct {
	pages map[string]page
	asked []string
}

type page struct {
	mediaType string
	body      string
	size      int64 // 0: the length of body; < 0: not announced
	err       error
	redirect  string
	header    map[string][]string

	undelimited bool
}

func (w *web) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	text := req.URL.String()
	w.asked = append(w.asked, text)
	p, ok := w.pages[text]
	if !ok {
		return nil, fetch.NotFound
	}
	if p.err != nil {
		return nil, p.err
	}
	resp := &fetch.Response{URL: req.URL, MediaType: p.mediaType, Size: p.size, Header: p.header, Undelimited: p.undelimited}
	if p.redirect != "" {
		to, err := req.URL.Parse(p.redirect)
		if err != nil {
			return nil, err
		}
		if err := req.CheckHop(ctx, req.URL, to); err != nil {
			return nil, err
		}
		next := *req
		next.URL = to
		resp, err := w.Fetch(ctx, &next)
		if err == nil {
			resp.Hops = append(resp.Hops, req.URL)
		}
		return resp, err
	}
	if p.size == 0 {
		resp.Size = int64(len(p.body))
	}
	resp.Body = io.NopCloser(strings.NewReader(p.body))
	return resp, nil
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
