package fetch_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"strings"

	"github.com/go-extbody/extbody/fetch"
)

// memory is a Fetcher for a scheme of its own.
var memory = fetch.Func(func(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
	if req.URL.Opaque != "greeting" {
		return nil, fetch.NotFound
	}
	return &fetch.Response{
		URL:       req.URL,
		MediaType: "text/plain",
		Size:      5,
		Body:      io.NopCloser(strings.NewReader("hello")),
	}, nil
})

func ExampleMux() {
	var mux fetch.Mux
	mux.Handle("memory", memory)

	for _, text := range []string{"memory:greeting", "memory:farewell", "gopher://a.example/"} {
		u, _ := url.Parse(text)
		resp, err := mux.Fetch(context.Background(), &fetch.Request{URL: u})
		if err != nil {
			fmt.Println(err)
			fmt.Println(errors.Is(err, fs.ErrNotExist), errors.Is(err, fetch.Blocked))
			continue
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		fmt.Printf("%s %v\n", body, err)
	}
	// Output:
	// hello <nil>
	// fetch memory:farewell: not-found
	// true false
	// fetch gopher://a.example/: blocked: unsupported scheme "gopher" (have memory)
	// false true
}

func ExampleDo_truncated() {
	short := fetch.Func(func(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
		return &fetch.Response{URL: req.URL, Size: 10, Body: io.NopCloser(strings.NewReader("hello"))}, nil
	})
	resp, err := fetch.Do(context.Background(), short, &fetch.Request{URL: &url.URL{Scheme: "memory", Opaque: "x"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	fmt.Printf("%q\n%v\n", body, err)
	// Output:
	// "hell"
	// read memory:x: truncated: 5 of 10 octets came
}
