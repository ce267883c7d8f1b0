package cloud

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// New starts the servers, which end with the test.
func New(t testing.TB) *Cloud {
	c := &Cloud{
		gives:  make(map[string]string),
		Tokens: map[string]int{Good: -1},
		Links:  make(map[string]*File),
		Files:  make(map[string]*File),
	}
	c.Octets = serve(t, c.serveOctets)
	c.Other = serve(t, c.serveOctets)
	c.API = serve(t, c.serve)
	return c
}

func serve(t testing.TB, h http.HandlerFunc) *httptest.Server {
	s := httptest.NewTLSServer(h)
	t.Cleanup(s.Close)
	return s
}

// serve is the API.
func (c *Cloud) serve(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.log = append(c.log, r.Method+" "+r.URL.Path)
	c.judge(r)
	fail := failGraph
	if strings.HasPrefix(r.URL.Path, "/drive/") {
		fail = failDrive
	}
	if c.Busy > 0 {
		c.Busy--
		w.Header().Set("Retry-After", "1")
		fail(w, http.StatusTooManyRequests, "activityLimitReached")
		return
	}
	token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	left := c.Tokens[token]
	if left == 0 {
		w.Header().Set("WWW-Authenticate", `Bearer realm="", error="invalid_token"`)
		fail(w, http.StatusUnauthorized, "InvalidAuthenticationToken")
		return
	}
	if left > 0 {
		c.Tokens[token]--
	}
	may := func(f *File) bool { return f != nil && (token == Good || !f.Strangers) }
	if rest, ok := strings.CutPrefix(r.URL.Path, "/v1.0/"); ok {
		c.serveGraph(w, r, strings.Split(rest, "/"), may)
	} else if rest, ok := strings.CutPrefix(r.URL.Path, "/drive/v3/files/"); ok {
		c.serveDrive(w, r, strings.Split(rest, "/"), may)
	} else {
		http.NotFound(w, r)
	}
}
