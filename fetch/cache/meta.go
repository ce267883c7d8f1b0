package cache

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/netip"
	"net/textproto"
	"net/url"
	"slices"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/cache/rfc9111"
)

// A meta is stored with a body: the Response that it came with, and the facts that the
// rules need besides.
type meta struct {
	URL       string              `json:"url"`
	MediaType string              `json:"media_type,omitempty"`
	Size      int64               `json:"size"`
	Codings   []string            `json:"codings,omitempty"`
	Digests   []fetch.Digest      `json:"digests,omitempty"`
	Status    int                 `json:"status,omitempty"`
	Header    map[string][]string `json:"header,omitempty"`
	Capture   fetch.Capture       `json:"capture,omitempty"`
	Hops      []string            `json:"hops,omitempty"`
	Remote    netip.AddrPort      `json:"remote,omitzero"`
	Requested time.Time           `json:"requested"`
	Received  time.Time           `json:"received"`

	// Selected are the fields of the request that Vary names.
	Selected map[string][]string `json:"selected,omitempty"`
}

// newMeta returns the meta of an answer to a request with the fields header.
func newMeta(header map[string][]string, resp *fetch.Response) *meta {
	m := &meta{
		URL:       resp.URL.String(),
		MediaType: resp.MediaType,
		Size:      resp.Size,
		Codings:   slices.Clone(resp.Codings),
		Digests:   slices.Clone(resp.Digests),
		Status:    resp.Status,
		Header:    rfc9111.Stored(resp.Header),
		Capture:   resp.Capture,
		Remote:    resp.RemoteAddr,
		Requested: resp.RequestTime,
		Received:  resp.ResponseTime,
		Selected:  rfc9111.Nominated(resp.Header, header),
	}
	for i, d := range m.Digests {
		m.Digests[i].Sum = slices.Clone(d.Sum)
	}
	m.setHops(resp.Hops)
	return m
}

func (m *meta) setHops(hops []*url.URL) {
	m.Hops = nil
	for _, u := range hops {
		m.Hops = append(m.Hops, u.String())
	}
}

func (m *meta) encode() []byte {
	b, err := json.Marshal(m)
	if err != nil {
		panic(err) // there is nothing in it that has no JSON
	}
	return b
}

// response returns the Response without its Body.
func (m *meta) response() (*fetch.Response, error) {
	u, err := url.Parse(m.URL)
	if err != nil {
		return nil, err
	}
	resp := &fetch.Response{
		URL:          u,
		MediaType:    m.MediaType,
		Size:         m.Size,
		Codings:      m.Codings,
		Digests:      m.Digests,
		Status:       m.Status,
		Header:       maps.Clone(textproto.MIMEHeader(m.Header)),
		Capture:      m.Capture,
		RemoteAddr:   m.Remote,
		RequestTime:  m.Requested,
		ResponseTime: m.Received,
	}
	for _, text := range m.Hops {
		hop, err := url.Parse(text)
		if err != nil {
			return nil, err
		}
		resp.Hops = append(resp.Hops, hop)
	}
	return resp, nil
}

// rules returns the answer for package rfc9111. An ftp server's file is treated as an answer
// with status 200.
func (m *meta) rules() *rfc9111.Response {
	r := &rfc9111.Response{Status: m.Status, Header: m.Header, Requested: m.Requested, Received: m.Received}
	r.Status = cmp.Or(r.Status, 200)
	return r
}

// validators reports whether the server can be asked whether it has changed.
func (m *meta) validators() bool {
	etag, modified, _ := rfc9111.Validators(m.Header)
	return etag != "" || modified != ""
}

// URLs returns the URLs of a stored answer, given the meta that a [Store] was given: the URL that
// was asked for, then each to which it was redirected. It returns nil for anything else. A Store
// that removes answers by URL calls it.
func URLs(encoded []byte) []string {
	var m meta
	if json.Unmarshal(encoded, &m) != nil || m.URL == "" {
		return nil
	}
	return append(m.Hops, m.URL)
}
