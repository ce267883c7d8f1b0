package fetchtest_test

import (
	"context"
	"io"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/fetchtest"
)

// A shelf is a Fetcher of objects in memory, by the host of their URL.
type shelf struct{ objects sync.Map }

func (s *shelf) Fetch(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
	v, ok := s.objects.Load(req.URL.Host)
	if !ok {
		return nil, fetch.NotFound
	}
	text := v.(string)
	return &fetch.Response{URL: req.URL, Size: int64(len(text)), Body: io.NopCloser(strings.NewReader(text))}, nil
}

// conform is the body of TestConformance in the tests of a Fetcher.
func conform(t *testing.T) {
	s := new(shelf)
	fetchtest.Run(t, fetchtest.Harness{
		Fetcher: s,
		Serve: func(t *testing.T, obj fetchtest.Object) *fetch.Request {
			switch obj.Fault {
			case fetchtest.Good:
				s.objects.Store(t.Name(), string(obj.Body))
			case fetchtest.Missing:
			default:
				return nil // memory has no connections to break
			}
			return &fetch.Request{URL: &url.URL{Scheme: "shelf", Host: t.Name()}}
		},
	})
}

func Example() {
	test := conform // which go test runs under the name TestConformance
	_ = test
}
