package httpfetch_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"

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

// A tracer records a span for each request and sends the server its trace, as the RoundTripper of
// an OpenTelemetry package does.
type tracer struct{ base http.RoundTripper }

func (t tracer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context()) // a RoundTripper does not change its request
	r.Header.Set("Traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
	resp, err := t.base.RoundTrip(r)
	if err != nil {
		fmt.Println("span:", r.Method, r.URL.Path, err)
		return nil, err
	}
	fmt.Println("span:", r.Method, r.URL.Path, resp.StatusCode)
	return resp, nil
}

// Each request of a fetch is one span. The guard judges the sockets all the same.
func ExampleOptions_tracing() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/old" {
			http.Redirect(w, r, "/report.txt", http.StatusMovedPermanently)
			return
		}
		io.WriteString(w, "traced: "+r.Header.Get("Traceparent")[3:7])
	}))
	defer server.Close()

	f := httpfetch.New(&httpfetch.Options{
		Guard: &netguard.Guard{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}, AnyPort: true},
		Wrap:  func(base http.RoundTripper) http.RoundTripper { return tracer{base} },
	})
	defer f.CloseIdleConnections()
	u, err := url.Parse(server.URL + "/old")
	if err != nil {
		fmt.Println(err)
		return
	}
	resp, err := fetch.Do(context.Background(), f, &fetch.Request{URL: u})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	fmt.Printf("%q %v\n", data, err)
	// Output:
	// span: GET /old 301
	// span: GET /report.txt 200
	// "traced: 4bf9" <nil>
}

// A shelf is a RoundTripper that answers from memory.
type shelf map[string]string

func (s shelf) RoundTrip(r *http.Request) (*http.Response, error) {
	text, ok := s[r.URL.String()]
	if !ok {
		return &http.Response{StatusCode: http.StatusNotFound}, nil
	}
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(text))}, nil
}

// A test of a program needs no server. URLs are judged as usual, and redirects and errors are
// as with a server.
func ExampleOptions_fake() {
	f := httpfetch.New(&httpfetch.Options{
		Wrap: func(http.RoundTripper) http.RoundTripper {
			return shelf{"https://files.example/report.txt": "All is well."}
		},
	})
	for _, text := range []string{"https://files.example/report.txt", "https://files.example/other", "https://10.0.0.1/"} {
		u, err := url.Parse(text)
		if err != nil {
			fmt.Println(err)
			return
		}
		resp, err := fetch.Do(context.Background(), f, &fetch.Request{URL: u})
		if err != nil {
			fmt.Println(fetch.KindOf(err))
			continue
		}
		defer resp.Body.Close()
		data, err := io.ReadAll(resp.Body)
		fmt.Printf("%q %v\n", data, err)
	}
	// Output:
	// "All is well." <nil>
	// not-found
	// blocked
}
