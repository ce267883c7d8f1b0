package webbody_test

import (
	"context"
	"crypto/md5"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/webbody"
	"github.com/go-extbody/extbody/fetch"
)

// TestShown: whatever a body is called, it comes as something harmless.
func TestShown(t *testing.T) {
	for _, tt := range []struct{ announced, want string }{
		{"image/png", "image/png"},
		{"image/svg+xml", "application/octet-stream"},
		{"text/html", "application/octet-stream"},
		{"text/html; charset=utf-7", "application/octet-stream"},
		{"text/xml", "application/octet-stream"},
		{"application/xhtml+xml", "application/octet-stream"},
		{"application/pdf", "application/octet-stream"},
		{"text/javascript", "application/octet-stream"},
		{"multipart/x-mixed-replace; boundary=b", "application/octet-stream"},
		{"text/plain", "text/plain; charset=utf-8"},
		{"text/plain; charset=utf-7", "text/plain; charset=utf-8"},
		{"text/plain; charset=UTF-16", "text/plain; charset=utf-8"},
		{"text/plain; charset=iso-8859-1", "text/plain; charset=iso-8859-1"},
		{"text/plain\r\nX: y", "application/octet-stream"},
		{"", "application/octet-stream"},
	} {
		if got, shown := webbody.Shown(tt.announced); got != tt.want || shown != (got != "application/octet-stream") {
			t.Errorf("%q: got %q, want %q", tt.announced, got, tt.want)
		}
	}
}

// A body is a page that a message refers to.
type body struct{ mediaType, text, md5 string }

// resolve returns a Resolver of one body, and the reference to it.
func (b body) resolve(t *testing.T) (*externalbody.Resolver, *externalbody.Reference) {
	t.Helper()
	phantom := "Content-Type: " + b.mediaType + "\r\nContent-Disposition: attachment; filename=\"a b.x\"\r\n"
	if b.md5 != "" {
		sum := md5.Sum([]byte(b.md5))
		phantom += "Content-MD5: " + base64.StdEncoding.EncodeToString(sum[:]) + "\r\n"
	}
	ref, err := externalbody.ReadRaw([]byte("Content-Type: message/external-body; access-type=url; url=\"http://h.example/\"\r\n\r\n"), []byte(phantom+"\r\n"))
	if err != nil {
		t.Fatal(err)
	}
	return &externalbody.Resolver{Fetcher: fetch.Func(func(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
		return &fetch.Response{URL: req.URL, MediaType: b.mediaType, Size: int64(len(b.text)), Body: io.NopCloser(strings.NewReader(b.text))}, nil
	})}, ref
}

// serve answers one request over a connection, and returns the answer.
func serve(t *testing.T, h http.HandlerFunc, header ...string) (status int, got http.Header, text string, err error) {
	t.Helper()
	s := httptest.NewServer(h)
	defer s.Close()
	s.Config.ErrorLog = nil
	req, err := http.NewRequest("GET", s.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := s.Client().Do(req)
	if err != nil {
		return 0, nil, "", err
	}
	defer resp.Body.Close()
	all, err := io.ReadAll(resp.Body)
	return resp.StatusCode, resp.Header, string(all), err
}

// TestServeBody: a body that fails is never a complete answer, and none can act.
func TestServeBody(t *testing.T) {
	long := strings.Repeat("0123456789", 40_000)
	for _, tt := range []struct {
		name   string
		body   body
		status int // 0 if the connection is aborted
		shown  bool
	}{
		{"Text", body{"text/plain", "abc", "abc"}, 200, true},
		{"Long", body{"image/png", long, long}, 200, true},
		{"HTML", body{"text/html", "<script>", ""}, 200, false},
		{"SVG", body{"image/svg+xml", "<svg/>", ""}, 200, false},
		{"OtherDigest", body{"text/plain", "abc", "abd"}, 502, true},
		{"LongOtherDigest", body{"image/png", long, "x"}, 0, true},
	} {
		r, ref := tt.body.resolve(t)
		status, h, text, err := serve(t, func(w http.ResponseWriter, req *http.Request) {
			b, err := r.Resolve(req.Context(), ref)
			if err != nil {
				t.Error(err)
				return
			}
			webbody.ServeBody(w, req, b, webbody.Inline)
		})
		switch {
		case tt.status == 0:
			if err == nil || len(text) >= len(long) {
				t.Errorf("%s: got %d octets, %v, want an aborted connection", tt.name, len(text), err)
			}
			continue
		case status != tt.status || status == 200 && (text != tt.body.text || err != nil):
			t.Errorf("%s: got %d, %d octets, %v, want %d and the body", tt.name, status, len(text), err, tt.status)
		}
		harmless(t, tt.name, h, tt.shown || status != 200)
	}
	r, ref := body{"text/plain", "abc", ""}.resolve(t)
	b, err := r.Resolve(t.Context(), ref)
	if err != nil {
		t.Fatal(err)
	}
	b.Size = -1
	w, req := httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil)
	req.ProtoMajor, req.ProtoMinor = 1, 0
	if webbody.ServeBody(w, req, b, webbody.Inline); w.Code != http.StatusHTTPVersionNotSupported {
		t.Errorf("HTTP/1.0: got %d, want %d", w.Code, http.StatusHTTPVersionNotSupported)
	}
}

// TestServeBodyRead: the rest of a body is not served as the body, of a known size or not.
func TestServeBodyRead(t *testing.T) {
	text := strings.Repeat("0123456789", 1000)
	for _, size := range []int64{int64(len(text)), -1} {
		r, ref := body{"text/plain", text, text}.resolve(t)
		status, _, got, err := serve(t, func(w http.ResponseWriter, req *http.Request) {
			b, err := r.Resolve(req.Context(), ref)
			if err != nil {
				t.Error(err)
				return
			}
			b.Size = size
			if _, err := io.ReadFull(b, make([]byte, 512)); err != nil {
				t.Error(err)
			}
			webbody.ServeBody(w, req, b, webbody.Inline)
		})
		if status != http.StatusInternalServerError || strings.Contains(got, "0123") || err != nil {
			t.Errorf("size %d: got %d, %d octets, %v, want 500 and nothing of the body", size, status, len(got), err)
		}
	}
}

// harmless wants an answer in which nothing can act.
func harmless(t *testing.T, name string, h http.Header, shown bool) {
	t.Helper()
	saved := strings.HasPrefix(h.Get("Content-Disposition"), "attachment;") && h.Get("Content-Type") == "application/octet-stream"
	if saved == shown || h.Get("X-Content-Type-Options") != "nosniff" || !strings.Contains(h.Get("Content-Security-Policy"), "default-src 'none'; sandbox;") {
		t.Errorf("%s: got %v, want it harmless, shown %v", name, h, shown)
	}
}

// TestServeSpool: a Spool is answered with ranges, and not at all if its octets changed.
func TestServeSpool(t *testing.T) {
	long := strings.Repeat("0123456789", 40_000)
	r, ref := body{"image/png", long, long}.resolve(t)
	spool, err := r.SaveSpool(t.Context(), []*externalbody.Reference{ref}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer spool.Close()
	for _, tt := range []struct {
		name, header, value string
		status              int
		want                string
	}{
		{"Whole", "Accept", "*/*", 200, long},
		{"Range", "Range", "bytes=1-3", 206, "123"},
		{"End", "Range", "bytes=-2", 206, "89"},
		{"Known", "If-None-Match", fmt.Sprintf(`"%x"`, spool.Report.SHA256), 304, ""},
	} {
		for _, d := range []webbody.Disposition{webbody.Inline, webbody.Attachment} {
			status, h, text, err := serve(t, func(w http.ResponseWriter, req *http.Request) { webbody.ServeSpool(w, req, spool, d) }, tt.header, tt.value)
			if err != nil || status != tt.status || text != tt.want {
				t.Errorf("%s: got %d, %d octets, %v, want %d, %d octets", tt.name, status, len(text), err, tt.status, len(tt.want))
			}
			if status != 304 {
				harmless(t, tt.name, h, d == webbody.Inline)
			}
		}
	}
	for _, mediaType := range []string{"text/html", "image/svg+xml"} {
		r, ref := body{mediaType, "<script>alert(1)</script>", ""}.resolve(t)
		page, err := r.SaveSpool(t.Context(), []*externalbody.Reference{ref}, "")
		if err != nil {
			t.Fatal(err)
		}
		defer page.Close()
		_, h, _, _ := serve(t, func(w http.ResponseWriter, req *http.Request) { webbody.ServeSpool(w, req, page, webbody.Inline) })
		harmless(t, mediaType, h, false)
	}
	spool.Report.SHA256 = make([]byte, len(spool.Report.SHA256)) // as if the file had changed
	if status, _, text, err := serve(t, func(w http.ResponseWriter, req *http.Request) { webbody.ServeSpool(w, req, spool, webbody.Inline) }); err == nil || len(text) >= len(long) {
		t.Errorf("changed: got %d, %d octets, %v, want an aborted connection", status, len(text), err)
	}
}

func ExampleServeSpool() {
	resolver := &externalbody.Resolver{} // with the Fetcher of package safefetch
	http.HandleFunc("GET /body", func(w http.ResponseWriter, req *http.Request) {
		var alts []*externalbody.Reference // that the reader agreed to open
		spool, err := resolver.SaveSpool(req.Context(), alts, "")
		if err != nil {
			http.Error(w, fetch.KindOf(err).Error(), http.StatusBadGateway)
			return
		}
		defer spool.Close()
		webbody.ServeSpool(w, req, spool, webbody.Inline)
	})
}

// A body that is kept elsewhere is in the same sandbox, with ranges and conditions, in a page that cannot act.
func TestServeContent(t *testing.T) {
	for _, tt := range []struct {
		mediaType, match string
		as               webbody.Disposition
		status           int
		contentType      string
	}{
		{"text/plain", "", webbody.Inline, http.StatusOK, "text/plain; charset=utf-8"},
		{"text/plain", "", webbody.Attachment, http.StatusOK, "application/octet-stream"},
		{"text/html", "", webbody.Inline, http.StatusOK, "application/octet-stream"},
		{"text/plain", `"a"`, webbody.Inline, http.StatusNotModified, ""},
	} {
		w, req := httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil)
		webbody.SetPageHeader(w.Header())
		page := w.Header().Get("Content-Security-Policy")
		w.Header().Set("ETag", `"a"`)
		req.Header.Set("If-None-Match", tt.match)
		webbody.ServeContent(w, req, strings.NewReader("hello"), &webbody.Content{MediaType: tt.mediaType, FileName: "a.txt"}, tt.as)
		policy := w.Header().Get("Content-Security-Policy")
		if w.Code != tt.status || w.Header().Get("Content-Type") != tt.contentType || !strings.Contains(policy, "sandbox") ||
			!strings.HasPrefix(page, "default-src 'none'") || strings.Contains(page, "script") {
			t.Errorf("%+v: got %d, %v", tt, w.Code, w.Header())
		}
	}
}
