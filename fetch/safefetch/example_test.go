package safefetch_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
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

// An auth adds a token to the requests for one host, as a client of a service does.
type auth struct {
	base        http.RoundTripper
	host, token string
}

func (a auth) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Host == a.host && r.URL.Scheme == "https" {
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", "Bearer "+a.token)
	}
	return a.base.RoundTrip(r)
}

// The RoundTrippers of a program's own HTTP client serve here too. The guard, redirects, limits and
// checks stay as they are.
func ExampleOptions_wrap() {
	mux := safefetch.New(&safefetch.Options{Wrap: func(base http.RoundTripper) http.RoundTripper {
		return auth{base, "files.example", "t0ken"}
	}})
	defer mux.CloseIdleConnections()
	u, err := url.Parse("https://10.0.0.1/x")
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = mux.Fetch(context.Background(), &fetch.Request{URL: u})
	fmt.Println(fetch.KindOf(err))
	// Output: blocked
}
