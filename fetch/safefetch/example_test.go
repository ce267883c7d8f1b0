package safefetch_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/safefetch"
)

func Example() {
	mux := safefetch.New(nil)
	for _, text := range []string{
		"data:text/plain,Hello%20world",
		"http://169.254.169.254/latest/meta-data/",
		"http://localhost:8080/admin",
		"file:///etc/passwd",
	} {
		u, err := url.Parse(text)
		if err != nil {
			fmt.Println(err)
			continue
		}
		resp, err := mux.Fetch(context.Background(), &fetch.Request{URL: u, Text: text})
		if err != nil {
			fmt.Println(u.Scheme, fetch.KindOf(err), errors.Is(err, fetch.Blocked))
			continue
		}
		defer resp.Body.Close()
		data, err := io.ReadAll(resp.Body)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Printf("%s %s %q\n", u.Scheme, resp.MediaType, data)
	}
	// Output:
	// data text/plain "Hello world"
	// http blocked true
	// http blocked true
	// file blocked true
}
