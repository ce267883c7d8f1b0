package externalbody_test

import (
	"bytes"
	"context"
	"io"
	"net/netip"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// A wireFetcher says what a fetcher for http says on the wire: a redirect, and
// then the answer with a status.
type wireFetcher struct {
	status int
	body   string
	cut    bool
}

func (f wireFetcher) Fetch(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
	hop := req.Begin("http", req.URL, 0)
	proxy := req.Begin("connect", &url.URL{Scheme: "http", Host: "proxy.example"}, 0)
	proxy.End(nil)
	remote := netip.MustParseAddrPort("192.0.2.1:443")
	to := &url.URL{Scheme: "https", Host: "b.example", Path: "/f"}
	last := req.Begin("http", to, 1)
	if hop != nil {
		hop.Status = 302
		hop.RequestHead = fetch.Octets("GET / HTTP/1.1\r\n\r\n")
		last.Status, last.Remote, last.TLS = f.status, remote, &fetch.TLS{Version: "TLS 1.3"}
		last.RequestHead = fetch.Octets("GET /f HTTP/1.1\r\n\r\n")
	}
	hop.End(nil)
	if f.status != 200 {
		last.End(fetch.NotFound)
		return nil, fetch.NotFound
	}
	resp := &fetch.Response{
		URL: to, Status: 200, Size: int64(len(f.body)), MediaType: "text/plain", RemoteAddr: remote,
		Hops: []*url.URL{req.URL}, Exchange: last,
	}
	body := f.body
	if f.cut {
		body = body[:1]
	}
	resp.Body = io.NopCloser(strings.NewReader(body))
	return resp, nil
}

type bufferSink struct{ bytes.Buffer }

func (b *bufferSink) Reset() error { b.Buffer.Reset(); return nil }

// The Report says what was said on the wire, alike with a body and without.
func TestReportExchanges(t *testing.T) {
	const message = "Content-Type: message/external-body; access-type=URL; URL=\"https://a.example/x\"\r\n\r\nContent-Type: text/plain\r\n\r\n"
	for _, row := range []struct {
		name    string
		f       wireFetcher
		observe bool
		strict  bool
		kind    fetch.Kind
	}{
		{"Good", wireFetcher{200, "hello", false}, true, false, 0},
		{"Brief", wireFetcher{200, "hello", false}, false, false, 0},
		{"NotFound", wireFetcher{404, "", false}, true, false, fetch.NotFound},
		{"Truncated", wireFetcher{200, "hello", true}, true, false, fetch.Truncated},
	} {
		t.Run(row.name, func(t *testing.T) {
			m, err := externalbody.Open(strings.NewReader(message), int64(len(message)), nil)
			if err != nil {
				t.Fatal(err)
			}
			r := &externalbody.Resolver{Fetcher: row.f}
			full := 0
			var kinds []fetch.Kind
			if row.observe {
				r.Observe = func(ref *externalbody.Reference, x *fetch.Exchange) {
					kinds = append(kinds, x.Kind)
					if ref.AccessType != "url" {
						t.Errorf("got an exchange of %+v, want one of access type url", ref)
					}
					if x.RequestHead != nil {
						full++
					}
				}
			}
			for alts := range m.Alternatives() {
				report, err := r.Save(t.Context(), alts, &bufferSink{})
				if fetch.KindOf(err) != row.kind {
					t.Errorf("got %v, want %v", err, row.kind)
				}
				if report.Started.IsZero() || report.Ended.Before(report.Started) {
					t.Errorf("got from %v to %v, want two times in order", report.Started, report.Ended)
				}
				if report.Status != row.f.status || report.FinalURL != "https://b.example/f" || report.TLS == nil ||
					report.RemoteAddr.String() != "192.0.2.1:443" || !reflect.DeepEqual(report.Hops, []string{"https://a.example/x"}) {
					t.Errorf("got %+v, want status %d, URL %s, address %s, one hop, TLS", report, row.f.status, "https://b.example/f", "192.0.2.1:443")
				}
				if row.observe && !reflect.DeepEqual(kinds, []fetch.Kind{0, 0, row.kind}) {
					t.Errorf("got exchanges of kinds %v, want %v", kinds, []fetch.Kind{0, 0, row.kind})
				}
			}
			if want := map[bool]int{true: 2}[row.observe]; full != want {
				t.Errorf("observed %d heads, want %d", full, want)
			}
		})
	}
}
