package httpfetch_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"runtime"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/fetchtest"
	"github.com/go-extbody/extbody/fetch/httpfetch"
	"github.com/go-extbody/extbody/fetch/netguard"
	"github.com/go-extbody/extbody/internal/netx/dialing"
)

// A roundTripper is a function that is an [http.RoundTripper].
type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// wrapped are the Options with a RoundTripper around base.
func wrapped(f func(base http.RoundTripper, r *http.Request) (*http.Response, error)) httpfetch.Options {
	return httpfetch.Options{KeepConnections: true, Wrap: func(base http.RoundTripper) http.RoundTripper {
		return roundTripper(func(r *http.Request) (*http.Response, error) { return f(base, r) })
	}}
}

// A spanKey is the key of a trace in a context.
type spanKey struct{}

// traced adds a field to each request, as a propagator of traces does, and derives a context.
func traced(base http.RoundTripper, r *http.Request) (*http.Response, error) {
	r = r.Clone(context.WithValue(r.Context(), spanKey{}, 1))
	r.Header.Set("Traceparent", "00-x-y-01")
	return base.RoundTrip(r)
}

func TestConformanceWrapped(t *testing.T) {
	opts := wrapped(traced)
	opts.Guard = fetchtest.Guard()
	f := httpfetch.New(&opts)
	fetchtest.Run(t, fetchtest.Harness{
		Fetcher: f,
		Serve: func(t *testing.T, obj fetchtest.Object) *fetch.Request {
			if obj.Fault == fetchtest.Forbidden {
				return request(t, "http://[::1]/?token=SECRET")
			}
			return request(t, serveObject(t, obj).url+"?token=SECRET")
		},
		At:      func(host string) *fetch.Request { return request(t, "http://"+host+"/") },
		Watches: true,
		Lose: func(t *testing.T, body []byte, cuts []int, changed bool) *fetch.Request {
			return request(t, serveLossy(t, body, cuts, changed).url)
		},
	})
}

// The Exchange has the request as it was sent, and the guard judges the socket.
func TestWrapTraced(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/trap" {
			http.Redirect(w, r, "http://private.example/", http.StatusFound)
			return
		}
		io.WriteString(w, r.Header.Get("Traceparent"))
	})
	f := newFetcher(t, wrapped(traced), s.URL)
	x := observe(t, f, request(t, s.URL), 1, 0)[0]
	if !strings.Contains(string(x.RequestHead), "Traceparent: 00-x-y-01\r\n") || x.Remote.String() != strings.TrimPrefix(s.URL, "http://") ||
		len(x.Dials) != 1 || x.OctetsOut == 0 {
		t.Errorf("got %+v, want the request as it was sent, and the dial", x)
	}
	equal(t, "reused", observe(t, f, request(t, s.URL), 1, 0)[0].Reused, true)
	wantBody(t, f, request(t, s.URL), "00-x-y-01")

	opts := wrapped(traced)
	opts.Guard = resolving(names{"private.example": "10.0.0.1"})
	wantKind(t, newFetcher(t, opts, s.URL), request(t, s.URL+"/trap"), fetch.Blocked)
}

// A RoundTripper without base is judged by URLs, and by the addresses that it reports.
func TestWrapFake(t *testing.T) {
	asked := 0
	f := newFetcher(t, wrapped(func(_ http.RoundTripper, r *http.Request) (*http.Response, error) {
		asked++
		h := make(http.Header)
		switch r.URL.Path {
		case "/missing":
			return &http.Response{StatusCode: http.StatusNotFound}, nil
		case "/moved":
			h.Set("Location", "http://10.0.0.1/")
			return &http.Response{StatusCode: http.StatusFound, Header: h}, nil
		case "/typed":
			return nil, &url.Error{Op: "Get", URL: r.URL.String(), Err: fetch.Deferred}
		case "/failed":
			return nil, errors.New("the circuit is open")
		case "/gone":
			return nil, context.Canceled
		case "/nothing":
			return nil, nil
		case "/mute":
			<-r.Context().Done()
			return nil, context.Cause(r.Context())
		case "/late": // as a server may that sees the connection close
			<-r.Context().Done()
			return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
		}
		return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader("fake"))}, nil
	}))
	resp, data := mustGet(t, f, "http://names.example/")
	equal(t, "body", data, "fake")
	equal(t, "address", resp.RemoteAddr, netip.AddrPort{})
	x := observe(t, f, request(t, "http://names.example/"), 1, 0)[0]
	if x.Remote.IsValid() || x.Dials != nil || x.OctetsIn != 0 || x.RequestHead != nil || x.Status != 200 || x.Content.Octets != 4 {
		t.Errorf("got %+v, want the status and the content alone", x)
	}

	for path, want := range map[string]fetch.Kind{
		"missing": fetch.NotFound, "moved": fetch.Blocked, "typed": fetch.Deferred, "failed": fetch.Unavailable,
		"gone": fetch.Unavailable, "nothing": fetch.Local,
	} {
		err := wantKind(t, f, request(t, "http://names.example/"+path), want)
		if err != nil && strings.Contains(err.Error(), path+"?") {
			t.Errorf("%s: got %v, want it without a URL", path, err)
		}
	}
	for _, path := range []string{"mute", "late"} {
		req := request(t, "http://names.example/"+path)
		req.Timeouts.FirstOctet = soon
		if e, ok := errors.AsType[*fetch.Error](wantKind(t, f, req, fetch.Unavailable)); !ok || !e.Timeout() {
			t.Errorf("%s: got %v, want a time-out", path, e)
		}
	}

	before := asked
	for _, rawURL := range []string{"http://10.0.0.1/", "http://names.example:25/", "http://user@names.example/"} {
		wantKind(t, f, request(t, rawURL), fetch.Blocked)
		if err := f.Audit(&fetch.Response{URL: request(t, rawURL).URL}); fetch.KindOf(err) != fetch.Blocked {
			t.Errorf("%s: got %v of Audit, want blocked", rawURL, err)
		}
	}
	equal(t, "requests for URLs that are refused", asked, before)
	if err := f.Audit(resp); err != nil {
		t.Errorf("got %v of Audit, want none without an address", err)
	}
}

// The guard judges the connection of another transport before the request is sent.
func TestWrapTransport(t *testing.T) {
	asked := 0
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		asked++
		io.WriteString(w, "body")
	})
	own := new(http.Transport)
	defer own.CloseIdleConnections()
	opts := httpfetch.Options{Wrap: func(http.RoundTripper) http.RoundTripper { return own }}
	f := newFetcher(t, opts, s.URL)
	for range 2 { // the second connection is a kept one
		resp, data := mustGet(t, f, s.URL)
		equal(t, "body", data, "body")
		equal(t, "address", resp.RemoteAddr.String(), strings.TrimPrefix(s.URL, "http://"))
		if err := f.Audit(resp); err != nil {
			t.Errorf("got %v of Audit, want none", err)
		}
	}
	equal(t, "remote", observe(t, f, request(t, s.URL), 1, 0)[0].Remote.String(), strings.TrimPrefix(s.URL, "http://"))
	f.CloseIdleConnections()

	u := *request(t, s.URL).URL
	opts.Guard = &netguard.Guard{Ports: []uint16{portOf(t, s.URL)}}
	own.DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, u.Host)
	}
	before := asked
	strict := newFetcher(t, opts)
	wantKind(t, strict, request(t, "http://names.example:"+u.Port()), fetch.Blocked)
	equal(t, "requests to an address that is refused", asked, before)
	if err := strict.Audit(&fetch.Response{URL: request(t, "http://names.example").URL, RemoteAddr: netip.MustParseAddrPort(u.Host)}); fetch.KindOf(err) != fetch.Blocked {
		t.Errorf("got %v of Audit, want blocked", err)
	}
}

// A RoundTripper that breaks the rules of Options.Wrap fails its fetch, and nothing else.
func TestWrapMisuse(t *testing.T) {
	asked := make(chan bool, 1)
	s := serveRaw(t, func(c net.Conn, r *bufio.Reader) {
		for head := readRequest(r); head != ""; head = readRequest(r) {
			if strings.HasPrefix(head, "GET /mute") {
				asked <- true
				wait(r)
				return
			}
			io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody")
		}
	})
	twice := func(base http.RoundTripper, r *http.Request) (*http.Response, error) {
		resp, err := base.RoundTrip(r)
		if err != nil {
			return nil, err
		}
		resp.Body.Close()
		return base.RoundTrip(r)
	}
	outside := func(base http.RoundTripper, r *http.Request) (*http.Response, error) {
		return base.RoundTrip(r.Clone(context.Background()))
	}
	returned := make(chan error, 1)
	early := func(base http.RoundTripper, r *http.Request) (*http.Response, error) {
		go func() {
			_, err := base.RoundTrip(r.Clone(context.WithoutCancel(r.Context())))
			returned <- err
		}()
		<-asked
		return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader("stale"))}, nil
	}
	for _, tt := range []struct {
		name, path, want string
		f                func(http.RoundTripper, *http.Request) (*http.Response, error)
	}{
		{"Twice", "", "twice", twice},
		{"Outside", "", "not given to it", outside},
		{"Early", "mute", "before its request had an answer", early},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFetcher(t, wrapped(tt.f), s.url)
			err := wantKind(t, f, request(t, s.url+tt.path), fetch.Local)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want an error that says %q", err, tt.want)
			}
		})
	}
	if err := <-returned; err == nil {
		t.Error("got no error of the call that was given up, want one")
	}
}

// An answer of the RoundTripper's own after base failed is not the server's.
func TestWrapFallback(t *testing.T) {
	s := serveText(t, "not HTTP")
	f := newFetcher(t, wrapped(func(base http.RoundTripper, r *http.Request) (*http.Response, error) {
		if resp, err := base.RoundTrip(r); err == nil {
			return resp, nil
		}
		return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader("own"))}, nil
	}), s.url)
	resp, data := mustGet(t, f, s.url)
	equal(t, "body", data, "own")
	equal(t, "address", resp.RemoteAddr, netip.AddrPort{})
	x := observe(t, f, request(t, s.url), 1, 0)[0]
	if x.Remote.IsValid() || len(x.Dials) != 1 || x.OctetsOut == 0 {
		t.Errorf("got %+v, want the dial and no address of the answer", x)
	}
}

func TestWrapNil(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("got no panic, want one")
		}
	}()
	httpfetch.New(&httpfetch.Options{Wrap: func(http.RoundTripper) http.RoundTripper { return nil }})
}

// A contact that is not allowed on a kept connection is not made.
func TestKeptRefused(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8)) // so that the transport may send it before it sees the refusal
	asked := 0
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		asked++
		io.WriteString(w, "body")
	})
	f := newFetcher(t, httpfetch.Options{KeepConnections: true}, s.URL)
	for range 1000 {
		mustGet(t, f, s.URL)
		ctx := dialing.WithAsk(t.Context(), func(context.Context, netip.Addr) error { return fetch.Deferred })
		if _, err := fetch.Do(ctx, f, request(t, s.URL)); fetch.KindOf(err) != fetch.Deferred {
			t.Fatalf("got %v, want deferred", err)
		}
	}
	equal(t, "requests", asked, 1000)
}
