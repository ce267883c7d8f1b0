package throttle_test

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/throttle"
)

// tooMany is the answer of a server that wants fewer requests.
type tooMany struct{}

func (tooMany) Error() string { return "status 429" }
func (tooMany) Busy() bool    { return true }

func Example() {
	// In a program this is a Fetcher such as package httpfetch has.
	requests := 0
	server := fetch.Func(func(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
		if err := driver.Contact(ctx, req, req.URL); err != nil {
			return nil, err
		}
		requests++
		return nil, &fetch.Error{Kind: fetch.Unavailable, Err: tooMany{}, After: time.Now().Add(10 * time.Minute)}
	})

	f := throttle.New(server, nil)
	for range 3 {
		u := &url.URL{Scheme: "http", Host: "h.example", Path: "/file"}
		_, err := fetch.Do(context.Background(), f, &fetch.Request{URL: u})
		e, _ := errors.AsType[*fetch.Error](err)
		fmt.Println(e.Kind, time.Until(e.After).Round(time.Minute), requests)
	}
	for _, h := range f.Hosts() {
		fmt.Println(h.Name, time.Until(h.After).Round(time.Minute))
	}
	// Output:
	// unavailable 10m0s 1
	// deferred 10m0s 1
	// deferred 10m0s 1
	// h.example:80 10m0s
}
