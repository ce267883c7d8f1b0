package cache_test

import (
	"context"
	"io"
	"net/textproto"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/cache"
	"github.com/go-extbody/extbody/fetch/driver"
)

// OP-54. A body is not kept if octets came after its answer, nor is the stored one that it was to
// replace, or that such an answer calls unchanged.
func TestUnasked(t *testing.T) {
	for name, store := range stores(t, 1<<20) {
		t.Run(name, func(t *testing.T) {
			var sent []string
			unasked := false
			next := fetch.Func(func(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
				sent = append(sent, "whole")
				resp := &fetch.Response{
					URL:    req.URL,
					Size:   4,
					Status: 200,
					Header: textproto.MIMEHeader{"Etag": {`"a"`}, "Cache-Control": {"max-age=0"}},
					Body:   io.NopCloser(strings.NewReader("body")),
				}
				if req.Conditions != nil {
					sent[len(sent)-1] = "conditional"
					resp.NotModified = true
					resp.Status = 304
					resp.Size = 0
					resp.Body = io.NopCloser(strings.NewReader(""))
				}
				came := unasked
				driver.OfResponse(resp).Unasked = func() bool { return came }
				return resp, nil
			})
			c := cache.New(next, store, nil)
			ask := func(want string) {
				t.Helper()
				sent = nil
				got, _, err := get(t.Context(), c, request(t, "http://h.example/"))
				noError(t, err)
				equal(t, "body", got, "body")
				equal(t, "requests", strings.Join(sent, " "), want)
				c.Wait()
			}
			unasked = true
			ask("whole")
			unasked = false
			ask("whole") // it was not kept
			ask("conditional")
			unasked = true
			ask("conditional whole") // "not modified" is not believed
			unasked = false
			ask("whole") // none is kept
			ask("conditional")
		})
	}
}
