package httpfetch_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/httpfetch"
	"github.com/go-extbody/extbody/fetch/netguard"
)

func Example() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/old":
			http.Redirect(w, r, "/report.txt", http.StatusMovedPermanently)
		case "/report.txt":
			w.Header().Set("Content-Type", r.Header.Get("Accept"))
			io.WriteString(w, "All is well.")
		case "/trap":
			http.Redirect(w, r, "http://169.254.169.254/latest/meta-data/", http.StatusFound)
		}
	}))
	defer server.Close()

	// The server of this example is on this machine, which the guard would
	// not let be reached.
	f := httpfetch.New(&httpfetch.Options{Guard: &netguard.Guard{
		Allow:   []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")},
		AnyPort: true,
	}})
	defer f.CloseIdleConnections()

	for _, path := range []string{"/old", "/trap"} {
		u, err := url.Parse(server.URL + path)
		if err != nil {
			fmt.Println(err)
			return
		}
		resp, err := fetch.Do(context.Background(), f, &fetch.Request{URL: u, MediaType: "text/plain"})
		if err != nil {
			fmt.Println(fetch.KindOf(err))
			continue
		}
		defer resp.Body.Close()
		data, err := io.ReadAll(resp.Body)
		fmt.Printf("%s %s %d %q %v\n", resp.URL.Path, resp.MediaType, len(resp.Hops), data, err)
	}
	// Output:
	// /report.txt text/plain 1 "All is well." <nil>
	// blocked
}
