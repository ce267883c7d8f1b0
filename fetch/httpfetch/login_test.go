package httpfetch_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/httpfetch"
	"github.com/go-extbody/extbody/fetch/netguard"
)

// guarded serves "in" to requests with one of these values of Authorization,
// with TLS if secure.
func guarded(t *testing.T, secure bool, challenges []string, values ...string) *httptest.Server {
	t.Helper()
	start := serve
	if secure {
		start = serveTLS
	}
	return start(t, func(w http.ResponseWriter, r *http.Request) {
		if slices.Contains(values, r.Header.Get("Authorization")) {
			fmt.Fprint(w, "in")
			return
		}
		w.Header()["Www-Authenticate"] = challenges
		w.WriteHeader(http.StatusUnauthorized)
	})
}

func TestLogin(t *testing.T) {
	const basic = "Basic am9lOlNFQ1JFVA==" // joe:SECRET
	token := &fetch.Userinfo{Token: "SECRET.t-1=="}
	password := &fetch.Userinfo{User: "joe", Password: "SECRET"}
	for _, row := range []struct {
		name       string
		plain      bool
		opts       httpfetch.Options
		challenges []string
		answer     *fetch.Userinfo
		err        error
		want       fetch.Kind // 0 for the body
		asked      int
	}{
		{name: "Bearer", challenges: []string{`Bearer realm="the, realm"`}, answer: token, asked: 1},
		{name: "Basic", challenges: []string{`Basic realm="the, realm", charset="UTF-8"`}, answer: password, asked: 1},
		{name: "Second", challenges: []string{`Negotiate`, `Digest realm="x", Bearer realm="the, realm"`}, answer: token, asked: 1},
		{name: "Unnamed", answer: token, asked: 1},
		{name: "Unknown", challenges: []string{`Digest realm="x", qop="auth, Basic"`}, answer: token, want: fetch.Credentials},
		{name: "OtherMethod", challenges: []string{`Basic realm="the, realm"`}, answer: token, want: fetch.Credentials, asked: 1},
		{name: "Wrong", challenges: []string{`Bearer`}, answer: &fetch.Userinfo{Token: "no"}, want: fetch.Credentials, asked: 1},
		{name: "None", challenges: []string{`Bearer`}, want: fetch.Credentials, asked: 1},
		{name: "Error", challenges: []string{`Bearer`}, err: errors.New("x"), want: fetch.Credentials, asked: 1},
		{name: "Denied", challenges: []string{`Bearer`}, err: fetch.Denied, want: fetch.Denied, asked: 1},
		{name: "InjectedToken", challenges: []string{`Bearer`}, answer: &fetch.Userinfo{Token: "a\r\nX: y"}, want: fetch.Malformed, asked: 1},
		{name: "InjectedUser", challenges: []string{`Basic`}, answer: &fetch.Userinfo{User: "a:b"}, want: fetch.Malformed, asked: 1},
		{name: "Plaintext", plain: true, challenges: []string{`Bearer`}, answer: token, want: fetch.Credentials},
		{name: "PlaintextAllowed", plain: true, opts: httpfetch.Options{AllowPlaintext: true}, challenges: []string{`Bearer realm="the, realm"`}, answer: token, asked: 1},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := guarded(t, !row.plain, row.challenges, basic, "Bearer "+token.Token)
			if !row.plain {
				row.opts.TLSConfig = trust(s)
			}
			f := newFetcher(t, row.opts, s.URL)
			asked := 0
			req := request(t, s.URL)
			req.Credentials = func(_ context.Context, c fetch.Challenge) (*fetch.Userinfo, error) {
				asked++
				if c.Host != "127.0.0.1" || c.Port != portOf(t, s.URL) || c.Scheme != req.URL.Scheme {
					t.Errorf("got challenge %+v, want %s, 127.0.0.1, %d", c, req.URL.Scheme, portOf(t, s.URL))
				}
				if row.want == 0 && row.challenges != nil && c.Realm != "the, realm" {
					t.Errorf("got realm %q, want %q", c.Realm, "the, realm")
				}
				return row.answer, row.err
			}
			observe(t, f, req, -1, row.want)
			equal(t, "asked", asked, row.asked)
		})
	}
}

// A token is for one origin: where a redirect leads it is not sent.
func TestLoginRedirect(t *testing.T) {
	leaked := make(chan string, 1)
	other := serveTLS(t, func(w http.ResponseWriter, r *http.Request) {
		leaked <- r.Header.Get("Authorization") + r.Header.Get("Cookie")
	})
	s := serveTLS(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Header.Get("Authorization") != "Bearer SECRET":
			w.Header().Set("WWW-Authenticate", "Bearer")
			w.WriteHeader(http.StatusUnauthorized)
		case r.URL.Path == "/here":
			http.Redirect(w, r, "/there", http.StatusFound) // the same origin gets it again
		default:
			http.Redirect(w, r, other.URL, http.StatusFound)
		}
	})
	config := trust(s)
	config.RootCAs.AddCert(other.Certificate())
	req := request(t, s.URL+"/here")
	req.Credentials = func(context.Context, fetch.Challenge) (*fetch.Userinfo, error) {
		return &fetch.Userinfo{Token: "SECRET"}, nil
	}
	seen := observe(t, newFetcher(t, httpfetch.Options{TLSConfig: config}, s.URL, other.URL), req, 4, 0)
	equal(t, "at another origin", <-leaked, "")
	if !strings.Contains(string(seen[1].RequestHead), "\r\nAuthorization: (cut)\r\n") {
		t.Errorf("got %q, want it with %q", seen[1].RequestHead, "Authorization: (cut)")
	}
}

// cookieServer has a file that needs the cookie which a redirect to it sets.
func cookieServer(t *testing.T, set string) *httptest.Server {
	t.Helper()
	return serveTLS(t, func(w http.ResponseWriter, r *http.Request) {
		to := map[string]string{"/link": "https://" + r.Host + "/file", "/self": "/self", "/": r.URL.Query().Get("to")}
		switch c, _ := r.Cookie("FedAuth"); {
		case c != nil && c.Value == "SECRET":
			fmt.Fprint(w, "file")
		case to[r.URL.Path] != "":
			w.Header().Set("Set-Cookie", set)
			http.Redirect(w, r, to[r.URL.Path], http.StatusFound)
		default:
			w.WriteHeader(http.StatusForbidden)
		}
	})
}

func TestCookies(t *testing.T) {
	s := cookieServer(t, "FedAuth=SECRET; Path=/; Secure; HttpOnly")
	domain := cookieServer(t, "FedAuth=SECRET; Path=/; Domain=example.com")
	suffix := cookieServer(t, "FedAuth=SECRET; Path=/; Domain=com")
	port := func(s *httptest.Server) string { return s.URL[strings.LastIndex(s.URL, ":"):] }
	for _, row := range []struct {
		name, url string
		cookies   bool
		want      fetch.Kind
	}{
		{"Set", s.URL + "/link", true, 0},
		{"Off", s.URL + "/link", false, fetch.Forbidden},
		{"Self", s.URL + "/self", true, 0},
		{"SelfOff", s.URL + "/self", false, fetch.Protocol},
		{"Gone", s.URL + "/file", true, fetch.Forbidden},
		{"OtherHost", s.URL + "/?to=https://www.example.com" + port(s) + "/file", true, fetch.Forbidden},
		{"SameSite", "https://example.com" + port(domain) + "/?to=https://www.example.com" + port(domain) + "/file", true, 0},
		{"HostOnly", "https://example.com" + port(s) + "/?to=https://www.example.com" + port(s) + "/file", true, fetch.Forbidden},
		{"PublicSuffix", "https://example.com" + port(suffix) + "/link", true, fetch.Forbidden},
		{"OtherSite", "https://127.0.0.1" + port(domain) + "/?to=https://example.com" + port(domain) + "/link", true, fetch.Forbidden},
	} {
		t.Run(row.name, func(t *testing.T) {
			config := trust(s)
			config.RootCAs.AddCert(domain.Certificate())
			f := newFetcher(t, httpfetch.Options{TLSConfig: config, Guard: &netguard.Guard{Allow: loopback().Allow, Resolver: names{}, AnyPort: true}})
			defer f.CloseIdleConnections()
			req := request(t, row.url)
			req.Cookies = row.cookies
			observe(t, f, req, -1, row.want)
		})
	}
}

// Cookies are neither taken from nor sent to http URLs.
func TestCookiesPlaintext(t *testing.T) {
	got := make(chan string, 2)
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		got <- r.Header.Get("Cookie")
		w.Header().Set("Set-Cookie", "a=SECRET")
		if r.URL.Path == "/" {
			http.Redirect(w, r, "/b", http.StatusFound)
		}
	})
	req := request(t, s.URL)
	req.Cookies = true
	observe(t, newFetcher(t, httpfetch.Options{}, s.URL), req, 2, 0)
	if a, b := <-got, <-got; a != "" || b != "" {
		t.Errorf("got %q, %q, want %q, %q", a, b, "", "")
	}
}

// The rest of a body is asked for with the cookies that its start had.
func TestCookiesResume(t *testing.T) {
	asked := 0
	s := serveTLS(t, func(w http.ResponseWriter, r *http.Request) {
		asked++
		if c, _ := r.Cookie("a"); c == nil {
			w.Header().Set("Set-Cookie", "a=SECRET")
			http.Redirect(w, r, "/file", http.StatusFound)
			return
		}
		w.Header().Set("ETag", `"v"`)
		if r.Header.Get("Range") != "" {
			w.Header().Set("Content-Range", "bytes 3-5/6")
			w.WriteHeader(http.StatusPartialContent)
			fmt.Fprint(w, "def")
			return
		}
		w.Header().Set("Content-Length", "6")
		fmt.Fprint(w, "abc")
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	})
	req := request(t, s.URL+"/link")
	req.Cookies = true
	_, data, err := get(t, newFetcher(t, httpfetch.Options{TLSConfig: trust(s)}, s.URL), req)
	if data != "abcdef" || err != nil || asked != 3 {
		t.Errorf("got %q, %v after %d requests, want abcdef after 3", data, err, asked)
	}
}

func TestOffered(t *testing.T) {
	for _, row := range []struct {
		lines   []string
		methods []string
		realm   string
	}{
		{nil, nil, ""},
		{[]string{""}, nil, ""},
		{[]string{"Basic"}, []string{"basic"}, ""},
		{[]string{`BASIC REALM = "a\"b,c"`}, []string{"basic"}, `a"b,c`},
		{[]string{`Basic realm=x, Bearer realm=y`}, []string{"basic", "bearer"}, "x"},
		{[]string{`Newauth realm="apps", type=1, title="Login to \"apps\"", Basic realm="simple"`}, []string{"basic"}, "simple"},
		{[]string{`Digest realm="no", qop="Basic realm=no"`, `Bearer`}, []string{"bearer"}, ""},
		{[]string{`Negotiate abcd==`, `NTLM`}, nil, ""},
		{[]string{"Basic realm=\"a\x01\""}, []string{"basic"}, ""},
		{[]string{`Basic realm="` + strings.Repeat("x", 200) + `"`}, []string{"basic"}, strings.Repeat("x", 200)},
		{[]string{`Basic realm="` + strings.Repeat("x", 201) + `"`}, []string{"basic"}, ""},
		{[]string{`, ,Bearer,,`}, []string{"bearer"}, ""},
	} {
		methods, realm := httpfetch.Offered(row.lines)
		if !reflect.DeepEqual(methods, row.methods) || realm != row.realm {
			t.Errorf("%q: got %q, %q, want %q, %q", row.lines, methods, realm, row.methods, row.realm)
		}
	}
}
