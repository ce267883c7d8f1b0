package throttle_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/throttle"
)

// BenchmarkFetch is one fetch of nothing through a Throttle.
func BenchmarkFetch(b *testing.B) {
	bare := fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
		if err := driver.Contact(ctx, req, req.URL); err != nil {
			return nil, err
		}
		return &fetch.Response{URL: req.URL, Size: 0, Body: http.NoBody}, nil
	})
	for name, f := range map[string]fetch.Fetcher{"Bare": bare, "Throttled": throttle.New(bare, nil)} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			req := request("http://h.example/")
			for b.Loop() {
				resp, err := f.Fetch(b.Context(), req)
				noError(b, err)
				resp.Body.Close()
			}
		})
	}
}
