package httpfetch_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/httpfetch"
)

// redirector answers /to?code=&location= with that redirect, /hop/n with one to
// /hop/n-1, and everything else with the host and the URI that were asked for.
func redirector(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	switch n, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/hop/")); {
	case r.URL.Path == "/to" && q.Has("code"):
		code, _ := strconv.Atoi(q.Get("code"))
		for _, l := range q["location"] {
			w.Header().Add("Location", l)
		}
		w.WriteHeader(code)
	case err == nil && n > 0:
		http.Redirect(w, r, fmt.Sprintf("/hop/%d", n-1), http.StatusFound)
	default:
		fmt.Fprintf(w, "%s %s", r.Host, r.RequestURI)
	}
}

// to returns the URL that redirects to location.
func to(base string, code int, locations ...string) string {
	return base + "/to?" + url.Values{"code": {strconv.Itoa(code)}, "location": locations}.Encode()
}

func TestRedirectStatus(t *testing.T) {
	s := serve(t, redirector)
	f := newFetcher(t, httpfetch.Options{}, s.URL)
	for _, code := range []int{301, 302, 303, 307, 308} {
		from := to(s.URL, code, "/x")
		resp, data := mustGet(t, f, from)
		if !strings.HasSuffix(data, " /x") || resp.URL.String() != s.URL+"/x" {
			t.Errorf("%d: got %q from %v, want one that ends in %q, from %s", code, data, resp.URL, " /x", s.URL+"/x")
		}
		if len(resp.Hops) != 1 || resp.Hops[0].String() != from {
			t.Errorf("%d: hops %v, want 1 of them", code, resp.Hops)
		}
	}
	for _, code := range []int{300, 304, 305, 306, 399} {
		wantKind(t, f, request(t, to(s.URL, code, "/x")), fetch.Protocol)
	}
}

// HT-10, DU-13, SE-3.
func TestRedirectLocation(t *testing.T) {
	s := serve(t, redirector)
	f := newFetcher(t, httpfetch.Options{}, s.URL)
	port := strconv.Itoa(int(portOf(t, s.URL)))
	for _, tt := range []struct {
		name      string
		locations []string // PORT is replaced
		kind      fetch.Kind
		want      string // host and URI
	}{
		{name: "Absolute", locations: []string{"http://b.test:PORT/y?z"}, want: "b.test:PORT /y?z"},
		{name: "NetworkPath", locations: []string{"//b.test:PORT/y"}, want: "b.test:PORT /y"},
		{name: "AbsolutePath", locations: []string{"/y/../z"}, want: "a.test:PORT /z"},
		{name: "RelativePath", locations: []string{"y/./z"}, want: "a.test:PORT /y/z"},
		{name: "Query", locations: []string{"?y"}, want: "a.test:PORT /to?y"},
		{name: "Fragment", locations: []string{"/y#z"}, want: "a.test:PORT /y"},
		{name: "EncodedSlash", locations: []string{"/a%2Fb"}, want: "a.test:PORT /a%2Fb"},
		{name: "RawUTF8", locations: []string{"/\u00fc?\u00fc"}, want: "a.test:PORT /%C3%BC?%C3%BC"},
		{name: "RawSpace", locations: []string{"/a b?c d"}, want: "a.test:PORT /a%20b?c%20d"},
		{name: "OuterSpace", locations: []string{"\t /y "}, want: "a.test:PORT /y"},
		{name: "UTF8Host", locations: []string{"http://b\u00fccher.test:PORT/"}, want: "xn--bcher-kva.test:PORT /"},
		{name: "UpperCase", locations: []string{"HTTP://B.TEST.:PORT/"}, want: "b.test:PORT /"},

		{name: "None", kind: fetch.Protocol},
		{name: "Two", locations: []string{"/a", "/b"}, kind: fetch.Protocol},
		{name: "Itself", locations: []string{""}, kind: fetch.Protocol},
		{name: "NoURL", locations: []string{"http://[SECRET/"}, kind: fetch.Protocol},
		{name: "BadEscape", locations: []string{"/%zzSECRET"}, kind: fetch.Protocol},
		{name: "TwoPorts", locations: []string{"http://b.test:80:80/"}, kind: fetch.Protocol},
		{name: "Data", locations: []string{"data:text/plain,SECRET"}, kind: fetch.Blocked},
		{name: "File", locations: []string{"file:///etc/passwd"}, kind: fetch.Blocked},
		{name: "FTP", locations: []string{"ftp://b.test/"}, kind: fetch.Blocked},
		{name: "IMAP", locations: []string{"imap://b.test/"}, kind: fetch.Blocked},
		{name: "Gopher", locations: []string{"gopher://b.test:PORT/"}, kind: fetch.Blocked},
		{name: "JavaScript", locations: []string{"javascript:alert(1)"}, kind: fetch.Blocked},
		{name: "Userinfo", locations: []string{"http://u:SECRET@b.test:PORT/"}, kind: fetch.Blocked},
		{name: "Private", locations: []string{"http://10.0.0.1/SECRET"}, kind: fetch.Blocked},
		{name: "NameOfPrivate", locations: []string{"http://private.test/"}, kind: fetch.Blocked},
		{name: "IPv6Loopback", locations: []string{"http://[::1]:PORT/"}, kind: fetch.Blocked},
		{name: "Number", locations: []string{"http://2130706433:PORT/"}, kind: fetch.Blocked},
		{name: "Port", locations: []string{"http://b.test:22/"}, kind: fetch.Blocked},
		{name: "Backslashes", locations: []string{`\\b.test\x`}, kind: fetch.Blocked},
		{name: "BackslashAuthority", locations: []string{`http:\\b.test:PORT/`}, kind: fetch.Blocked},
		{name: "BackslashInPath", locations: []string{`/\b.test:PORT/`}, kind: fetch.Blocked},
		{name: "OneSlash", locations: []string{"http:/b.test:PORT/"}, kind: fetch.Blocked},
		{name: "ThreeSlashes", locations: []string{"http:///b.test:PORT/"}, kind: fetch.Blocked},
		{name: "ThreeSlashesRelative", locations: []string{"///b.test:PORT/"}, kind: fetch.Blocked},
		{name: "NoSlash", locations: []string{"http:b.test"}, kind: fetch.Blocked},
		{name: "EmptyHost", locations: []string{"http://"}, kind: fetch.Blocked},
		{name: "OnlyPort", locations: []string{"http://:PORT/"}, kind: fetch.Blocked},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := f
			if tt.name == "NameOfPrivate" {
				f = newFetcher(t, httpfetch.Options{Guard: resolving(names{"private.test": "192.168.0.1"})}, s.URL)
			}
			for i := range tt.locations {
				tt.locations[i] = strings.ReplaceAll(tt.locations[i], "PORT", port)
			}
			resp, data, err := get(t, f, request(t, to("http://a.test:"+port, 302, tt.locations...)))
			if fetch.KindOf(err) != tt.kind {
				t.Fatalf("got %q, error %v; want %v", data, err, tt.kind)
			}
			if want := strings.ReplaceAll(tt.want, "PORT", port); data != want {
				t.Errorf("got %q, want %q", data, want)
			}
			if err == nil && resp.URL.Fragment != "" {
				t.Errorf("got URL %v, want none with a fragment", resp.URL)
			}
		})
	}
}

// Answers that net/http's server does not send.
func TestRedirectLocationRaw(t *testing.T) {
	for name, location := range map[string]string{
		"Tab":     "/\tSECRET",
		"DEL":     "/\x7fSECRET",
		"NUL":     "/\x00SECRET",
		"TooLong": "/" + strings.Repeat("a", fetch.MaxURLBytes),
	} {
		t.Run(name, func(t *testing.T) {
			s := serveRaw(t, func(c net.Conn, r *bufio.Reader) {
				if strings.HasPrefix(readRequest(r), "GET / ") {
					io.WriteString(c, "HTTP/1.1 302 Found\r\nLocation: "+location+"\r\nContent-Length: 0\r\n\r\n")
					return
				}
				io.WriteString(c, "HTTP/1.1 200 OK\r\n\r\nfollowed")
			})
			wantKind(t, newFetcher(t, httpfetch.Options{}, s.url), request(t, s.url), fetch.Protocol)
		})
	}
}

func TestRedirectLimit(t *testing.T) {
	s := serve(t, redirector)
	f := newFetcher(t, httpfetch.Options{}, s.URL)
	for _, tt := range []struct {
		limit, hops int
		kind        fetch.Kind
	}{
		{limit: 0, hops: 10},
		{limit: 0, hops: 11, kind: fetch.Protocol},
		{limit: 2, hops: 2},
		{limit: 2, hops: 3, kind: fetch.Protocol},
		{limit: -1, hops: 0},
		{limit: -1, hops: 1, kind: fetch.Protocol},
	} {
		req := request(t, fmt.Sprintf("%s/hop/%d", s.URL, tt.hops))
		req.MaxRedirects = tt.limit
		resp, _, err := get(t, f, req)
		if fetch.KindOf(err) != tt.kind {
			t.Errorf("limit %d, %d hops: got %v, want %v", tt.limit, tt.hops, err, tt.kind)
		}
		if err == nil && len(resp.Hops) != tt.hops {
			t.Errorf("limit %d, %d hops: got %d in the response, want all", tt.limit, tt.hops, len(resp.Hops))
		}
	}
}

func TestRedirectLoop(t *testing.T) {
	for length := 1; length <= 3; length++ {
		requests := 0
		s := serveRaw(t, func(c net.Conn, r *bufio.Reader) {
			for readRequest(r) != "" {
				requests++
				fmt.Fprintf(c, "HTTP/1.1 302 Found\r\nLocation: /%d\r\nContent-Length: 0\r\n\r\n", requests%length)
			}
		})
		wantKind(t, newFetcher(t, httpfetch.Options{}, s.url), request(t, s.url+"0"), fetch.Protocol)
		if requests != length {
			t.Errorf("a loop of %d: got %d requests, want as many", length, requests)
		}
	}
}

func TestCheckHop(t *testing.T) {
	s := serve(t, redirector)
	f := newFetcher(t, httpfetch.Options{}, s.URL)
	own := errors.New("not today")
	for _, tt := range []struct {
		name string
		err  error
		kind fetch.Kind
	}{
		{"Allowed", nil, 0},
		{"Refused", own, fetch.Denied},
		{"Kind", fetch.Interstitial, fetch.Interstitial},
		{"Error", &fetch.Error{Kind: fetch.Expired}, fetch.Expired},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var asked []string
			req := request(t, s.URL+"/hop/2")
			req.CheckHop = func(_ context.Context, from, to *url.URL) error {
				asked = append(asked, from.Path+" "+to.Path)
				from.Host, to.Host = "10.0.0.1", "10.0.0.1" // has no effect
				if to.Path == "/hop/0" {
					return tt.err
				}
				return nil
			}
			_, _, err := get(t, f, req)
			if fetch.KindOf(err) != tt.kind || !errors.Is(err, tt.err) {
				t.Errorf("error is %v, want %v", err, tt.kind)
			}
			if want := []string{"/hop/2 /hop/1", "/hop/1 /hop/0"}; !slices.Equal(asked, want) {
				t.Errorf("got questions %q, want %q", asked, want)
			}
		})
	}
	t.Run("AfterTheGuard", func(t *testing.T) {
		req := request(t, to(s.URL, 302, "http://10.0.0.1/"))
		req.CheckHop = func(context.Context, *url.URL, *url.URL) error {
			t.Error("got a question about what is blocked, want none")
			return nil
		}
		wantKind(t, f, req, fetch.Blocked)
	})
}

func TestDowngrade(t *testing.T) {
	plain := serve(t, redirector)
	secure := serveTLS(t, redirector)
	f := newFetcher(t, httpfetch.Options{TLSConfig: trust(secure)}, plain.URL, secure.URL)
	mustGet(t, f, to(plain.URL, 302, secure.URL+"/x")) // upwards is always allowed
	wantKind(t, f, request(t, to(secure.URL, 302, plain.URL+"/x")), fetch.Blocked)
}

// The body of a redirect is not waited for long.
func TestRedirectBodyStalls(t *testing.T) {
	t.Parallel()
	s := serveRaw(t, func(c net.Conn, r *bufio.Reader) {
		if strings.HasPrefix(readRequest(r), "GET /x ") {
			io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
			return
		}
		io.WriteString(c, "HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 9\r\n\r\n")
		wait(r)
	})
	wantBody(t, newFetcher(t, httpfetch.Options{}, s.url), request(t, s.url), "ok")
}
