package accountfetch_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/accountfetch"
	"github.com/go-extbody/extbody/fetch/fetchtest"
	"github.com/go-extbody/extbody/fetch/httpfetch"
	"github.com/go-extbody/extbody/internal/testkit/cloud"
)

// A host has an API as Graph does, which leads from links to URLs of octets.
type host struct {
	api *httptest.Server

	mu     sync.Mutex
	octets []string // by the number in the path of a link
}

// ServeHTTP answers with the number of a link as the id of its item, and redirects to its octets.
func (h *host) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p := strings.Split(strings.TrimPrefix(r.URL.Path, "/v1.0/"), "/")
	if p[0] == "shares" {
		link, _ := base64.RawURLEncoding.DecodeString(strings.TrimPrefix(p[1], "u!"))
		u, _ := url.Parse(string(link))
		fmt.Fprintf(w, `{"id":%q,"name":"a","file":{},"parentReference":{"driveId":"d"}}`, strings.TrimPrefix(u.Path, "/"))
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	n, _ := strconv.Atoi(p[3])
	http.Redirect(w, r, h.octets[n], http.StatusFound)
}

// link returns the request for a link whose octets are at a URL.
func (h *host) link(at string) *fetch.Request {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.octets = append(h.octets, at)
	return &fetch.Request{URL: &url.URL{Scheme: "https", Host: "contoso.sharepoint.com", Path: fmt.Sprint("/", len(h.octets)-1)}}
}

// serveTLS starts a server that ends with the test, also while connections are open.
func serveTLS(t *testing.T, h http.HandlerFunc) string {
	s := httptest.NewTLSServer(h)
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s.URL
}

// serveObject serves an object of the suite.
func serveObject(t *testing.T, obj fetchtest.Object) string {
	return serveTLS(t, func(w http.ResponseWriter, r *http.Request) {
		half := obj.Body[:len(obj.Body)/2]
		switch obj.Fault {
		case fetchtest.Missing:
			http.NotFound(w, r)
			return
		case fetchtest.Mute:
			<-r.Context().Done()
			return
		}
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("Content-Length", strconv.Itoa(len(obj.Body)))
		if obj.Fault == fetchtest.Good {
			w.Write(obj.Body)
			return
		}
		w.Write(half)
		w.(http.Flusher).Flush()
		if obj.Fault == fetchtest.Cut {
			panic(http.ErrAbortHandler)
		}
		<-r.Context().Done()
		obj.Left()
	})
}

// serveLossy serves a body whose connections are lost.
func serveLossy(t *testing.T, body []byte, cuts []int, changed bool) string {
	n := 0 // requests so far, one after the other
	return serveTLS(t, func(w http.ResponseWriter, r *http.Request) {
		tag := `"one"`
		if changed {
			tag = fmt.Sprintf("%q", fmt.Sprint(n))
		}
		to := len(body)
		if n < len(cuts) {
			to = cuts[n]
		}
		n++
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("ETag", tag)
		from := 0
		status := http.StatusOK
		if _, err := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &from); err == nil && r.Header.Get("If-Range") == tag {
			w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, len(body)-1, len(body)))
			status = http.StatusPartialContent
		} else {
			from = 0
		}
		w.Header().Set("Content-Length", strconv.Itoa(len(body)-from))
		w.WriteHeader(status)
		w.Write(body[from:max(from, to)])
		w.(http.Flusher).Flush()
		if to < len(body) {
			panic(http.ErrAbortHandler)
		}
	})
}

// Octets behind an API keep to the rules of all Fetchers. A fetch has three contacts: the description, the
// redirect, and the octets.
func TestConformance(t *testing.T) {
	h := new(host)
	h.api = httptest.NewTLSServer(h)
	t.Cleanup(h.api.Close)
	a := office
	a.Base = h.api.URL + "/v1.0"
	a.Token = (&world{tokens: []string{cloud.Good}}).token
	trust := &cloud.Cloud{API: h.api}
	web := httpfetch.New(&httpfetch.Options{Guard: fetchtest.Guard(), TLSConfig: trust.TLS()})
	fetchtest.Run(t, fetchtest.Harness{
		Fetcher:  accountfetch.New(web, web, a),
		Contacts: 3,
		Watches:  true,
		Serve: func(t *testing.T, obj fetchtest.Object) *fetch.Request {
			if obj.Fault == fetchtest.Forbidden {
				return h.link("https://[::1]/")
			}
			return h.link(serveObject(t, obj))
		},
		At: func(host string) *fetch.Request { return h.link("https://" + host + "/") },
		Lose: func(t *testing.T, body []byte, cuts []int, changed bool) *fetch.Request {
			return h.link(serveLossy(t, body, cuts, changed))
		},
	})
}
