package cache_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/netip"
	"net/textproto"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/cache"
	"github.com/go-extbody/extbody/internal/testkit/daemons"
)

// The public suite of tests for HTTP caches is the package http-cache-tests of
// npm; the environment variable EXTBODY_CACHE_TESTS names its directory. It
// speaks to a proxy, so that the test makes one of the cache.

// notApplicable are required tests of features that this cache lacks, by the starts
// of their names: it sends GET requests only, so that nothing invalidates stored
// answers (RFC 9111 section 4.4), and answers no requests for ranges.
var notApplicable = []string{"invalidate-", "partial-"}

// exceptions are required tests that do not hold, and why.
var exceptions = map[string]string{
	"age-parse-prefix":              `an Age of several members ("0,7200") makes an answer stale, as the name of the test asks, and unlike what it checks; "0, 0" is to be stale too, by age-parse-dup-0`,
	"304-etag-update-response-ETag": "a 304 with another strong entity tag is not about what is stored (RFC 9111 section 4.3.4): the body is fetched again",
}

// silent are the starts of required tests that decide nothing here, and why: each
// depends on an optional one that does not hold, or cannot be prepared.
var silent = map[string]string{
	"status-":                         "an answer with another status than 200 and 203 is an error of the fetch, and no body that could be stored",
	"stale-close-":                    "nothing stale is given out when the server does not answer, unless it allowed that with stale-if-error",
	"304-etag-update-response-ETag":   "see exceptions",
	"headers-store-Transfer-Encoding": "net/http refuses an answer with a transfer coding that does not exist",
}

func TestPublicSuite(t *testing.T) {
	suite := os.Getenv("EXTBODY_CACHE_TESTS")
	if suite == "" {
		t.Skip("EXTBODY_CACHE_TESTS is not set")
	}
	suiteNodeVersion(t)
	cases := suiteCases(t, suite)
	origin := suiteOrigin(t, suite)
	d, _ := newDir(t, 64<<20)
	c := cache.SetFresh(cache.New(&forwarder{origin: origin}, d, &cache.Options{
		Header: func(ctx context.Context, _ *fetch.Request) map[string][]string {
			return ctx.Value(clientKey{}).(*http.Request).Header
		},
	}), 0, 5*time.Minute)
	proxy := httptest.NewServer(suiteProxy(c, origin))
	defer proxy.Close()
	outcomes := suiteRun(t, suite, proxy.URL, cases)
	c.Wait()
	t.Logf("ours: %v", suiteCount(outcomes, cases))
	for id, got := range outcomes {
		if cases[id].Kind != "required" {
			continue
		}
		why, excepted := exceptions[id]
		switch {
		case got == "fails" && !excepted:
			t.Errorf("%s: got %q, want that it holds", id, got)
		case got == "holds" && excepted:
			t.Errorf("%s: got %q, want that it fails (%s)", id, got, why)
		case got == "says nothing" || got == "not prepared":
			if !slices.ContainsFunc(slices.Collect(maps.Keys(silent)), func(p string) bool { return strings.HasPrefix(id, p) }) {
				t.Errorf("%s: got %q, want a reason in silent", id, got)
			}
		}
	}
	t.Run("Nginx", func(t *testing.T) {
		t.Log(suiteCount(suiteRun(t, suite, nginx(t, origin), cases), cases))
	})
}

// A suiteCase is a test of the suite: it is "required", "optimal" or a "check", and
// it depends on other tests.
type suiteCase struct {
	Kind    string
	Depends []string
}

// suiteCount counts the outcomes of each kind.
func suiteCount(outcomes map[string]string, cases map[string]suiteCase) map[string]map[string]int {
	n := make(map[string]map[string]int)
	for id, outcome := range outcomes {
		kind := cases[id].Kind
		if n[kind] == nil {
			n[kind] = make(map[string]int)
		}
		n[kind][outcome]++
	}
	return n
}

// suiteOrigin starts the server of the suite.
func suiteOrigin(t *testing.T, suite string) *url.URL {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	noError(t, err)
	port := strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
	l.Close()
	cmd := exec.Command("node", "--no-warnings", "server/server.mjs")
	cmd.Dir = suite
	cmd.Env = append(os.Environ(), "npm_config_protocol=http", "npm_config_port="+port, "npm_config_pidfile="+filepath.Join(t.TempDir(), "pid"))
	out, err := cmd.StdoutPipe()
	noError(t, err)
	noError(t, cmd.Start())
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatalf("the server of the suite: got its end, %v, want a line", err)
		}
		if strings.HasPrefix(line, "Listening") {
			break
		}
	}
	drained := make(chan bool)
	go func() { io.Copy(io.Discard, lines); close(drained) }()
	t.Cleanup(func() { cmd.Process.Kill(); <-drained; cmd.Wait() })
	return &url.URL{Scheme: "http", Host: "127.0.0.1:" + port}
}

// suiteCases returns the tests that apply to a private cache: the suite marks
// those that do not.
func suiteCases(t *testing.T, suite string) map[string]suiteCase {
	var cases map[string]suiteCase
	suiteNode(t, suite, "", &cases, "--input-type=module", "-e", `
		import suites from './tests/index.mjs'
		const cases = {}
		for (const s of suites) for (const t of s.tests)
			if (!t.browser_skip && !t.browser_only) cases[t.id] = {kind: t.kind || 'required', depends: t.depends_on || []}
		console.log(JSON.stringify(cases))`)
	return cases
}

// suiteRun runs the suite against the proxy at base and returns the outcome of
// each of the cases: it "holds", it "fails", it is "not applicable", it depends
// on one that does not hold ("says nothing"), or its preparation failed
// ("not prepared").
func suiteRun(t *testing.T, suite, base string, cases map[string]suiteCase) map[string]string {
	var results map[string]json.RawMessage
	suiteNode(t, suite, base, &results, "cli.mjs")
	outcomes := make(map[string]string)
	for id, c := range cases {
		got := string(results[id])
		switch {
		case slices.ContainsFunc(notApplicable, func(p string) bool { return strings.HasPrefix(id, p) }):
			outcomes[id] = "not applicable"
		case slices.ContainsFunc(c.Depends, func(d string) bool { return string(results[d]) != "true" }):
			outcomes[id] = "says nothing"
		case got == "true":
			outcomes[id] = "holds"
		case strings.Contains(got, `"Setup"`):
			outcomes[id] = "not prepared"
			t.Logf("%s: %s", id, strings.Join(strings.Fields(got), " "))
		default:
			outcomes[id] = "fails"
			if c.Kind == "required" {
				t.Logf("%s: %s", id, strings.Join(strings.Fields(got), " "))
			}
		}
	}
	return outcomes
}

// suiteNodeVersion skips the test without a Node.js that can run the suite. With Node
// 18 the client of the suite waits for ever: 5 minutes passed with 3.5 s of CPU.
func suiteNodeVersion(t *testing.T) {
	const least = 20
	out, err := exec.Command("node", "--version").Output()
	if err != nil {
		t.Skip(err)
	}
	text := strings.TrimSpace(string(out))
	major, _, _ := strings.Cut(strings.TrimPrefix(text, "v"), ".")
	if n, err := strconv.Atoi(major); err != nil || n < least {
		t.Skipf("node is %s; the suite needs %d", text, least)
	}
}

// suiteNode runs a program of the suite, which prints JSON.
func suiteNode(t *testing.T, suite, base string, v any, args ...string) {
	const limit = 5 * time.Minute
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "node", append([]string{"--no-warnings"}, args...)...)
	cmd.Dir = suite
	cmd.Env = append(os.Environ(), "npm_config_base="+base, "npm_config_id=", "npm_package_config_id=")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if ctx.Err() != nil {
		t.Fatalf("node %.80q: still running after %v, with %d octets of output: %.2000s", args, limit, len(out), out)
	}
	if err != nil {
		t.Fatalf("node %.80q: %v", args, err)
	}
	if err := json.Unmarshal(out, v); err != nil {
		t.Fatalf("got %v, want JSON: %.2000s", err, out)
	}
}

type clientKey struct{}

// suiteProxy answers GET requests out of c and passes on all others.
func suiteProxy(c *cache.Cache, origin *url.URL) http.Handler {
	direct := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(origin) }}
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet || r.Header.Get("Range") != "" || !strings.HasPrefix(r.URL.Path, "/test/") {
			direct.ServeHTTP(rw, r)
			return
		}
		u := *r.URL
		u.Scheme, u.Host = origin.Scheme, origin.Host
		req := asDo(&fetch.Request{URL: &u})
		resp, err := c.Fetch(context.WithValue(r.Context(), clientKey{}, r), req)
		if a, ok := errors.AsType[*answerError](err); ok {
			copyHeader(rw, a.header)
			rw.WriteHeader(a.status)
			rw.Write(a.body)
			return
		}
		if err != nil {
			rw.WriteHeader(http.StatusBadGateway)
			return
		}
		defer resp.Body.Close()
		copyHeader(rw, resp.Header)
		rw.WriteHeader(resp.Status)
		io.Copy(rw, resp.Body)
	})
}

func copyHeader(rw http.ResponseWriter, h map[string][]string) {
	for k, v := range h {
		switch k {
		case "Connection", "Keep-Alive", "Transfer-Encoding":
		default:
			rw.Header()[k] = v
		}
	}
}

// A forwarder is a fetcher that sends on the header of the client's request.
type forwarder struct{ origin *url.URL }

// An answerError is an answer that is not an object.
type answerError struct {
	status int
	header http.Header
	body   []byte
}

func (e *answerError) Error() string                      { return fmt.Sprint("status ", e.status) }
func (e *answerError) Answer() (int, map[string][]string) { return e.status, e.header }

func (f *forwarder) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	client := ctx.Value(clientKey{}).(*http.Request)
	out, err := http.NewRequestWithContext(ctx, http.MethodGet, req.URL.String(), nil)
	if err != nil {
		return nil, err
	}
	out.Header = client.Header.Clone()
	if c := req.Conditions; c != nil {
		if c.ETag != "" {
			out.Header.Set("If-None-Match", c.ETag)
		}
		if c.LastModified != "" {
			out.Header.Set("If-Modified-Since", c.LastModified)
		}
	}
	sent := time.Now()
	in, err := http.DefaultTransport.RoundTrip(out)
	if err != nil {
		return nil, &fetch.Error{Kind: fetch.Unavailable, Err: err}
	}
	resp := &fetch.Response{
		URL: req.URL, Status: in.StatusCode, Size: in.ContentLength, Body: in.Body,
		Header: textproto.MIMEHeader(in.Header), RequestTime: sent, ResponseTime: time.Now(),
		RemoteAddr: netip.MustParseAddrPort(f.origin.Host),
	}
	switch {
	case in.StatusCode == http.StatusNotModified && req.Conditions != nil:
		resp.NotModified = true
	case in.StatusCode/100 != 2:
		defer in.Body.Close()
		b, _ := io.ReadAll(in.Body)
		kind := fetch.Protocol
		switch {
		case in.StatusCode == http.StatusNotFound:
			kind = fetch.NotFound
		case in.StatusCode == http.StatusGone:
			kind = fetch.Gone
		case in.StatusCode >= 500:
			kind = fetch.Unavailable
		}
		return nil, &fetch.Error{Kind: kind, Err: &answerError{in.StatusCode, in.Header, b}}
	}
	return resp, nil
}

// nginx starts nginx as a caching proxy and returns its URL.
func nginx(t *testing.T, origin *url.URL) string {
	return "http://" + daemons.Nginx(t, func(addr string) string {
		return fmt.Sprintf(`
	proxy_cache_path %s keys_zone=z:10m;
	server {
		listen %s;
		location / {
			proxy_pass http://%s;
			proxy_http_version 1.1;
			proxy_cache z;
			proxy_cache_revalidate on;
		}
	}`, t.TempDir(), addr, origin.Host)
	})
}
