package sharefetch_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/sharefetch"
)

func Example() {
	// web stands for a fetcher such as package httpfetch has.
	web := fetch.Func(func(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
		fmt.Println("GET", req.URL)
		mediaType, body := "application/pdf", "%PDF-1.7 ..."
		if strings.Contains(req.URL.Path, "private") {
			mediaType, body = "text/html", "<!DOCTYPE html><title>Sign in</title>"
		}
		return &fetch.Response{URL: req.URL, MediaType: mediaType, Size: int64(len(body)), Body: io.NopCloser(strings.NewReader(body))}, nil
	})
	shared := sharefetch.New(web)
	var files fetch.Mux
	files.Handle("https", shared)

	for _, link := range []string{
		"https://www.dropbox.com/scl/fi/a1b21a2B3c4D5e6/report.pdf?rlkey=k3&dl=0",
		"https://www.dropbox.com/scl/fi/private1a2B3c4D/report.pdf?rlkey=k3&dl=0",
		"https://drive.proton.me/urls/A1B2C31a2B#key",
	} {
		u, err := url.Parse(link)
		if err != nil {
			fmt.Println(err)
			return
		}
		resp, err := files.Fetch(context.Background(), &fetch.Request{URL: u})
		if errors.Is(err, fetch.Interstitial) || errors.Is(err, fetch.Unsupported) {
			fmt.Println(err)
			continue
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		fmt.Println(string(body), err, resp.Capture)
	}
	// Output:
	// GET https://www.dropbox.com/scl/fi/a1b21a2B3c4D5e6/report.pdf?rlkey=k3&dl=1
	// %PDF-1.7 ... <nil> current
	// GET https://www.dropbox.com/scl/fi/private1a2B3c4D/report.pdf?rlkey=k3&dl=1
	// fetch https://www.dropbox.com/...: interstitial: a page came in place of the file (login)
	// fetch https://drive.proton.me/...: unsupported: the link is to encrypted octets, and its host must not see the key
}
