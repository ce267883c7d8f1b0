package httpfetch

import (
	"bytes"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
)

// A call is the driver.Request.Call of a fetch, at one of the URLs that the fetch leads to.
type call struct {
	fields map[string]string
	away   bool // the URL is of another origin than the first one
}

// newCall returns the call of req at a URL, and nil for a request that is not a call. first is the URL
// of the first request, and both are canonical.
func newCall(req *fetch.Request, first, at *url.URL) *call {
	fields := driver.OfRequest(req).Call
	if fields == nil {
		return nil
	}
	return &call{fields, first.Scheme != at.Scheme || first.Host != at.Host}
}

// add returns h with the fields of the call, which no other origin gets.
func (c *call) add(h http.Header) http.Header {
	if !c.isOwn() {
		return h
	}
	h = maps.Clone(h)
	for name, value := range c.fields {
		h[http.CanonicalHeaderKey(name)] = []string{value}
	}
	return h
}

// shown returns a head of the call for an Exchange. The values of all fields are cut out that are not known
// to be harmless: the fields of the call are secrets, and so is a URL that the API made.
func (c *call) shown(head []byte) []byte {
	if c == nil || len(head) == 0 {
		return head
	}
	head = withoutFields(head, func(name string) bool {
		return !slices.Contains(harmless, strings.ToLower(strings.TrimSpace(name)))
	})
	line, fields, _ := bytes.Cut(head, []byte("\n"))
	words := bytes.SplitN(line, []byte(" "), 3)
	isAnswer := bytes.HasPrefix(line, []byte("HTTP/"))
	if !c.away || isAnswer || len(words) < 3 {
		return head
	}
	words[1] = []byte(cutOut)
	return slices.Concat(bytes.Join(words, []byte(" ")), []byte("\n"), fields)
}

// isOwn reports whether the URL is of the origin of the call.
func (c *call) isOwn() bool { return c != nil && !c.away }

// showsAnswer reports whether an Exchange may have the content of an answer that is not the object. A
// redirect, and an answer of another origin, may repeat the URL that the API made.
func (c *call) showsAnswer(resp *http.Response) bool {
	return c == nil || !c.away && !Status(resp.StatusCode).redirects()
}

// harmless are the fields of requests and answers that name no person and give no access.
var harmless = []string{
	"accept", "accept-encoding", "accept-ranges", "cache-control", "connection", "content-disposition",
	"content-encoding", "content-length", "content-range", "content-type", "date", "etag", "host", "if-range",
	"last-modified", "range", "retry-after", "server", "transfer-encoding", "user-agent", "want-repr-digest",
}
