package cache_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/cache"
)

func Example() {
	asked := 0
	server := fetch.Func(func(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
		asked++
		return &fetch.Response{
			URL:    req.URL,
			Size:   5,
			Status: http.StatusOK,
			Body:   io.NopCloser(strings.NewReader("hello")),
		}, nil
	})
	c := cache.New(server, cache.Memory(1<<20), nil)
	u, err := url.Parse("https://files.example/a")
	if err != nil {
		panic(err)
	}
	for range 3 {
		resp, err := fetch.Do(context.Background(), c, &fetch.Request{URL: u})
		if err != nil {
			fmt.Println(err)
			return
		}
		data, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		fmt.Printf("%s %v\n", data, err)
	}
	c.Wait()
	fmt.Println("asked", asked)
	// Output:
	// hello <nil>
	// hello <nil>
	// hello <nil>
	// asked 1
}
