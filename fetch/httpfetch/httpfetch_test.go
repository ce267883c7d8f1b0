package httpfetch_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/md5"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/textproto"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/httpfetch"
)

// HT-1, HT-2, HT-7, UA-16: the request has these fields and no others.
func TestRequest(t *testing.T) {
	for _, tt := range []struct {
		name      string
		url       string // %s is the port
		mediaType string
		userAgent string
		want      string
	}{
		{name: "Plain", url: "http://a.test:%s/x", want: "GET /x HTTP/1.1\r\nHost: a.test:%s\r\nUser-Agent: extbody\r\n"},
		{name: "NoPath", url: "http://a.test:%s", want: "GET / HTTP/1.1\r\nHost: a.test:%s\r\nUser-Agent: extbody\r\n"},
		{name: "CanonicalHost", url: "HTTP://B\u00dccher.TEST.:0%s/", want: "GET / HTTP/1.1\r\nHost: xn--bcher-kva.test:%s\r\nUser-Agent: extbody\r\n"},
		{name: "FullwidthHost", url: "http://\uff11\uff12\uff17.0.0.1:%s/", want: "GET / HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nUser-Agent: extbody\r\n"},
		{
			name: "QueryWithoutFragment", url: "http://a.test:%s/a%%2Fb%%0D%%0Ac?q=1 2&\u00fc#frag",
			want: "GET /a%%2Fb%%0D%%0Ac?q=1%%202&%%C3%%BC HTTP/1.1\r\nHost: a.test:%s\r\nUser-Agent: extbody\r\n",
		},
		{name: "EmptyQuery", url: "http://a.test:%s/?", want: "GET /? HTTP/1.1\r\nHost: a.test:%s\r\nUser-Agent: extbody\r\n"},
		{
			name: "Accept", url: "http://a.test:%s/", mediaType: "Text/HTML; charset=utf-8", userAgent: "mail/1",
			want: "GET / HTTP/1.1\r\nHost: a.test:%s\r\nUser-Agent: mail/1\r\nAccept: text/html\r\n",
		},
		{name: "AcceptOfNoType", url: "http://a.test:%s/", mediaType: "te xt/html\r\nX: y", want: "GET / HTTP/1.1\r\nHost: a.test:%s\r\nUser-Agent: extbody\r\n"},
		{name: "AcceptOfAnyType", url: "http://a.test:%s/", mediaType: "image/*", want: "GET / HTTP/1.1\r\nHost: a.test:%s\r\nUser-Agent: extbody\r\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			requests := make(chan string, 1)
			s := serveRaw(t, func(c net.Conn, r *bufio.Reader) {
				requests <- readRequest(r)
				io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
			})
			f := newFetcher(t, httpfetch.Options{UserAgent: tt.userAgent}, s.url)
			port := fmt.Sprint(portOf(t, s.url))
			req := request(t, fmt.Sprintf(tt.url, port))
			req.MediaType = tt.mediaType
			before := *req.URL
			wantBody(t, f, req, "ok")
			if *req.URL != before {
				t.Errorf("got URL %v afterwards, want %v", req.URL, &before)
			}
			want := fmt.Sprintf(tt.want, port)
			got := <-requests
			if !strings.HasPrefix(got, strings.TrimSuffix(want, "\r\n")) {
				t.Errorf("got request\n%s\nwant\n%s", got, want)
			}
			if got, want := fieldsOf(got), fieldsOf(want+"Accept-Encoding: identity\r\nWant-Repr-Digest: sha-256=10\r\n"); !slices.Equal(got, want) {
				t.Errorf("got fields %q, want %q", got, want)
			}
		})
	}
}

// fieldsOf returns the field lines of a request, sorted.
func fieldsOf(request string) []string {
	lines := strings.Split(strings.TrimRight(request, "\r\n"), "\r\n")[1:]
	slices.Sort(lines)
	return lines
}

func TestFetchRefusesURL(t *testing.T) {
	f := newFetcher(t, httpfetch.Options{}) // ports 80 and 443
	for _, tt := range []struct {
		name string
		url  *url.URL
		want fetch.Kind
	}{
		{"Userinfo", &url.URL{Scheme: "http", Host: "a.test", User: url.User("u")}, fetch.Blocked},
		{"EmptyUserinfo", &url.URL{Scheme: "http", Host: "a.test", User: url.User("")}, fetch.Blocked},
		{"Port", &url.URL{Scheme: "http", Host: "a.test:25"}, fetch.Blocked},
		{"PortZero", &url.URL{Scheme: "http", Host: "a.test:0"}, fetch.Blocked},
		{"Zone", &url.URL{Scheme: "http", Host: "[fe80::1%lo]"}, fetch.Blocked},
		{"Private", &url.URL{Scheme: "http", Host: "10.0.0.1"}, fetch.Blocked},
		{"Number", &url.URL{Scheme: "http", Host: "2130706433"}, fetch.Blocked},
		{"NoHost", &url.URL{Scheme: "http", Path: "/x"}, fetch.Malformed},
		{"Opaque", &url.URL{Scheme: "http", Opaque: "a.test/x"}, fetch.Malformed},
		{"OpaqueWithHost", &url.URL{Scheme: "http", Opaque: "//b.test/x", Host: "a.test"}, fetch.Blocked},
		{"RelativePath", &url.URL{Scheme: "http", Host: "a.test", Path: "x"}, fetch.Malformed},
		{"ControlInQuery", &url.URL{Scheme: "http", Host: "a.test", RawQuery: "a\r\nX: y"}, fetch.Malformed},
		{"Scheme", &url.URL{Scheme: "gopher", Host: "a.test:80"}, fetch.Blocked},
	} {
		t.Run(tt.name, func(t *testing.T) {
			req := &fetch.Request{URL: tt.url, Text: "x:"}
			wantKind(t, f, req, tt.want)
			if err := f.Check(req); fetch.KindOf(err) != tt.want {
				t.Errorf("Check: got %v, want %v", err, tt.want)
			}
		})
	}
	if err := f.Check(request(t, "https://a.test/")); err != nil {
		t.Errorf("got error %v of Check, want none", err)
	}
}

// HT-12: the guard's permission is not ours.
func TestUserinfoAlwaysBlocked(t *testing.T) {
	g := loopback()
	g.Userinfo = true
	wantKind(t, newFetcher(t, httpfetch.Options{Guard: g}), request(t, "http://u:SECRET@a.test/"), fetch.Blocked)
}

func TestNilOptionsAreStrict(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { t.Error("got a request, want none") })
	f := httpfetch.New(nil)
	wantKind(t, f, request(t, s.URL), fetch.Blocked)
	wantKind(t, f, request(t, "http://127.0.0.1/"), fetch.Blocked)
}

// HT-8 and the table of Kinds in package fetch.
func TestStatus(t *testing.T) {
	for code, want := range map[int]fetch.Kind{
		201: fetch.Protocol, 202: fetch.Protocol, 204: fetch.Protocol, 205: fetch.Protocol, 206: fetch.Protocol,
		300: fetch.Protocol, 304: fetch.Protocol, 305: fetch.Protocol, 306: fetch.Protocol,
		400: fetch.Protocol, 401: fetch.Credentials, 402: fetch.Forbidden, 403: fetch.Forbidden,
		404: fetch.NotFound, 405: fetch.Protocol, 406: fetch.TypeMismatch, 407: fetch.Credentials,
		408: fetch.Unavailable, 410: fetch.Gone, 416: fetch.Protocol, 418: fetch.Protocol,
		425: fetch.Unavailable, 429: fetch.Unavailable, 451: fetch.Forbidden,
		500: fetch.Unavailable, 502: fetch.Unavailable, 503: fetch.Unavailable, 599: fetch.Unavailable,
		600: fetch.Protocol, 999: fetch.Protocol,
	} {
		t.Run(fmt.Sprint(code), func(t *testing.T) {
			body := "Content-Length: 6\r\n\r\nSECRET"
			if code == 204 || code == 304 {
				body = "\r\n"
			}
			s := serveText(t, fmt.Sprintf("HTTP/1.1 %d SECRET\r\nLocation: /SECRET\r\nContent-Range: bytes 0-5/6\r\n"+
				"WWW-Authenticate: Negotiate\r\nProxy-Authenticate: Basic realm=SECRET\r\n%s", code, body))
			err := wantKind(t, newFetcher(t, httpfetch.Options{}, s.url), request(t, s.url), want)
			status, ok := errors.AsType[httpfetch.Status](err)
			if !ok || int(status) != code {
				t.Errorf("status is %d, %v, want %v, true", status, ok, code)
			}
			equal(t, "connections", s.conns.Load(), 1)
		})
	}
}

func TestStatusNonAuthoritative(t *testing.T) {
	resp, data, err := getText(t, "HTTP/1.1 203 Changed\r\nContent-Length: 2\r\nStatus: 200\r\n\r\nok")
	if err != nil || data != "ok" || resp.Status != 203 {
		t.Errorf("got %q, %+v, %v, want ok with status 203", data, resp, err)
	}
}

// HT-18: metadata of the fetch is kept, except the field that sets cookies.
func TestResponse(t *testing.T) {
	s := serveText(t, "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=x\r\nContent-Length: 5\r\n"+
		"Content-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename=a\r\nContent-Language: de\r\n"+
		"Content-Location: /b\r\nETag: \"e\"\r\nLast-Modified: Sat, 21 Nov 2026 10:00:00 GMT\r\nSet-Cookie: a=b\r\n"+
		"Refresh: 0; url=http://10.0.0.1/\r\nX-Goog-Hash: md5=eA==\r\nX-Powered-By: x\r\nAlt-Svc: h3=\":443\"\r\nStatus: 404\r\nCache-Control: a\r\nCache-Control: b\r\n"+
		"Expires: "+strings.Repeat("x", 9000)+"\r\nConnection: close\r\n\r\naGVsb")
	f := newFetcher(t, httpfetch.Options{}, s.url)
	resp, data := mustGet(t, f, s.url+"p?q#frag")
	if data != "aGVsb" { // HT-5
		t.Errorf("body is %q, want %q", data, "aGVsb")
	}
	want := textproto.MIMEHeader{
		"Content-Disposition":       {"attachment; filename=a"},
		"Content-Language":          {"de"},
		"Content-Location":          {"/b"},
		"Etag":                      {`"e"`},
		"Last-Modified":             {"Sat, 21 Nov 2026 10:00:00 GMT"},
		"Cache-Control":             {"a", "b"},
		"X-Goog-Hash":               {"md5=eA=="},
		"Content-Type":              {"text/html; charset=x"},
		"Content-Length":            {"5"},
		"Content-Transfer-Encoding": {"base64"},
		"Refresh":                   {"0; url=http://10.0.0.1/"},
		"X-Powered-By":              {"x"},
		"Alt-Svc":                   {`h3=":443"`},
		"Status":                    {"404"},
		"Expires":                   {strings.Repeat("x", 9000)},
	}
	if !reflect.DeepEqual(resp.Header, want) {
		t.Errorf("header is %v, want %v", resp.Header, want)
	}
	if resp.Status != 200 || resp.RequestTime.IsZero() || resp.ResponseTime.Before(resp.RequestTime) {
		t.Errorf("got status %d, asked at %v, answered at %v, want 200 and times in this order", resp.Status, resp.RequestTime, resp.ResponseTime)
	}
	if resp.MediaType != "text/html; charset=x" || resp.Size != 5 || resp.Hops != nil {
		t.Errorf("got type %q, size %d, hops %v, want %q, 5, none", resp.MediaType, resp.Size, resp.Hops, "text/html; charset=x")
	}
	equal(t, "URL", resp.URL.String(), s.url+"p?q")
	equal(t, "address", resp.RemoteAddr.String(), strings.Trim(s.url, "htp:/"))
}

func TestResponseWithoutHeader(t *testing.T) {
	resp, data, err := getText(t, "HTTP/1.1 200 OK\r\nSet-Cookie: a=b\r\n\r\n")
	noError(t, err)
	if data != "" || resp.Header != nil || resp.MediaType != "" || resp.Size != -1 {
		t.Errorf("got %q, %+v, want %q", data, resp, "")
	}
}

// HT-6: a coding that was not asked for is undone by Do.
func TestContentCoding(t *testing.T) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	io.WriteString(w, "hello")
	w.Close()
	s := serveText(t, fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Encoding: identity, GZIP\r\nContent-Length: %d\r\nRepr-Digest: sha-256=:%s:\r\n\r\n%s",
		packed.Len(), base64Sum(packed.String()), packed.String()))
	f := newFetcher(t, httpfetch.Options{}, s.url)
	resp, data := mustGet(t, f, s.url)
	if data != "hello" || resp.Size != -1 {
		t.Errorf("got %q, size %d, want %q, -1", data, resp.Size, "hello")
	}
	if want := []fetch.Check{{Name: "repr-digest sha-256", Status: fetch.Match}}; !reflect.DeepEqual(resp.Checks, want) {
		t.Errorf("checks are %v, want %v", resp.Checks, want)
	}
	raw, err := f.Fetch(t.Context(), request(t, s.url))
	noError(t, err)
	defer raw.Body.Close()
	if !slices.Equal(driver.OfResponse(raw).Codings, []string{"gzip"}) || raw.Size != int64(packed.Len()) {
		t.Errorf("got codings %q, size %d, want gzip, %d", driver.OfResponse(raw).Codings, raw.Size, packed.Len())
	}
}

// Names that are no content coding are taken for none, as curl and wget do. Others cannot be undone.
func TestNoContentCoding(t *testing.T) {
	for coding, kind := range map[string]fetch.Kind{
		"none": 0, "utf-8": 0, "binary": 0, "aws-chunked": 0, "8bit": 0, "application/pdf": 0,
		"br": fetch.Unsupported, "zstd": fetch.Unsupported, "compress": fetch.Unsupported,
	} {
		_, data, err := getText(t, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Encoding: "+coding+"\r\n\r\nhello")
		if fetch.KindOf(err) != kind || kind == 0 && data != "hello" {
			t.Errorf("%s: got %q, %v, want hello or %v", coding, data, err, kind)
		}
	}
}

func base64Sum(s string) string {
	sum := sha256.Sum256([]byte(s))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// IN-4 to IN-6.
func TestDigestFields(t *testing.T) {
	good, bad := base64Sum("hello"), base64Sum("other")
	sum := md5.Sum([]byte("hello"))
	goodMD5 := base64.StdEncoding.EncodeToString(sum[:])
	for _, tt := range []struct {
		name   string
		fields string
		kind   fetch.Kind
		checks []fetch.Check
	}{
		{"None", "", 0, nil},
		{"Repr", "Repr-Digest: sha-256=:" + good + ":\r\n", 0, []fetch.Check{{Name: "repr-digest sha-256", Status: fetch.Match}}},
		{"ReprMismatch", "Repr-Digest: sha-256=:" + bad + ":\r\n", fetch.DigestMismatch, nil},
		{"ContentMismatch", "Content-Digest: sha-256=:" + bad + ":\r\n", fetch.DigestMismatch, nil},
		{"OneOfTwoMismatches", "Repr-Digest: sha-256=:" + good + ":\r\nContent-Digest: sha-256=:" + bad + ":\r\n", fetch.DigestMismatch, nil},
		{"SecondLine", "Repr-Digest: unixsum=:AAA=:\r\nRepr-Digest: sha-256=:" + bad + ":\r\n", fetch.DigestMismatch, nil},
		{"LastOfKey", "Repr-Digest: sha-256=:" + bad + ":, sha-256=:" + good + ":\r\n", 0, []fetch.Check{{Name: "repr-digest sha-256", Status: fetch.Match}}},
		{"Deprecated", "Repr-Digest: md5=:AAA=:, sha=:AAA=:\r\n", 0, nil},
		{"Malformed", "Repr-Digest: sha-256=" + bad + "\r\n", 0, nil},
		{"WrongLength", "Repr-Digest: sha-256=:AAA=:\r\n", 0, []fetch.Check{{Name: "repr-digest sha-256", Status: fetch.BadDigest}}},
		{"MD5", "Content-MD5: " + goodMD5 + "\r\n", 0, []fetch.Check{{Name: "content-md5 md5", Status: fetch.Match}}},
		{"MD5Mismatch", "Content-MD5: " + goodMD5[:8] + "AAAAAAAAAAAAAA==\r\n", fetch.DigestMismatch, nil},
		{"MD5Malformed", "Content-MD5: 5d41402abc4b2a76b9719d911017c592\r\n", 0, nil},
		{"MD5Short", "Content-MD5: AAAA\r\n", 0, nil},
		{"MD5Twice", "Content-MD5: " + goodMD5 + "\r\nContent-MD5: " + goodMD5 + "\r\n", 0, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			resp, data, err := getText(t, "HTTP/1.1 200 OK\r\n"+tt.fields+"Content-Length: 5\r\n\r\nhello")
			if fetch.KindOf(err) != tt.kind {
				t.Fatalf("error is %v, want %v", err, tt.kind)
			}
			if err == nil && (data != "hello" || !reflect.DeepEqual(resp.Checks, tt.checks)) {
				t.Errorf("got %q, checks %v, want %q, %v", data, resp.Checks, "hello", tt.checks)
			}
		})
	}
}

// IN-4: digests in trailers (RFC 9530 section 6.5), announced or not, with SHA-512 too.
func TestDigestTrailers(t *testing.T) {
	good, bad := base64Sum("hello"), base64Sum("other")
	long := sha512.Sum512([]byte("hello"))
	good512 := base64.StdEncoding.EncodeToString(long[:])
	match := func(name string) []fetch.Check { return []fetch.Check{{Name: name, Status: fetch.Match}} }
	for _, tt := range []struct {
		name, fields, trailer string
		kind                  fetch.Kind
		checks                []fetch.Check
	}{
		{"None", "", "X: y\r\n", 0, nil},
		{"Repr", "Trailer: Repr-Digest\r\n", "Repr-Digest: sha-256=:" + good + ":\r\n", 0, match("repr-digest sha-256")},
		{"Unannounced", "", "Content-Digest: sha-512=:" + good512 + ":\r\n", 0, match("content-digest sha-512")},
		{"ReprMismatch", "Trailer: Repr-Digest\r\n", "Repr-Digest: sha-256=:" + bad + ":\r\n", fetch.DigestMismatch, nil},
		{"ContentMismatch", "", "Content-Digest: sha-256=:" + bad + ":\r\n", fetch.DigestMismatch, nil},
		{"HeaderToo", "Repr-Digest: sha-256=:" + good + ":\r\n", "Repr-Digest: sha-256=:" + bad + ":\r\n", fetch.DigestMismatch, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			resp, data, err := getText(t, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n"+tt.fields+
				"\r\n5\r\nhello\r\n0\r\n"+tt.trailer+"\r\n")
			if fetch.KindOf(err) != tt.kind {
				t.Fatalf("error is %v, want %v", err, tt.kind)
			}
			if err == nil && (data != "hello" || !reflect.DeepEqual(resp.Checks, tt.checks)) {
				t.Errorf("got %q, checks %v, want %q, %v", data, resp.Checks, "hello", tt.checks)
			}
		})
	}
}

func TestProgress(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			http.Redirect(w, r, "/b", http.StatusFound)
			return
		}
		io.WriteString(w, "body")
	})
	var got []string
	req := request(t, s.URL+"/")
	req.Progress = func(e fetch.Event) {
		if e.Phase != fetch.Receiving {
			got = append(got, fmt.Sprint(e.Phase, " ", e.Hop))
		}
	}
	wantBody(t, newFetcher(t, httpfetch.Options{}, s.URL), req, "body")
	want := []string{"connecting 0", "sending 0", "redirecting 1", "connecting 1", "sending 1", "verified 1"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A connection serves the next fetch, and a redirect's answer does not cost one.
func TestConnectionReuse(t *testing.T) {
	s := serveRaw(t, func(c net.Conn, r *bufio.Reader) {
		for {
			request := readRequest(r)
			switch {
			case request == "":
				return
			case strings.HasPrefix(request, "GET /old "):
				io.WriteString(c, "HTTP/1.1 301 Moved\r\nLocation: /new\r\nContent-Length: 4\r\n\r\ngone")
			case strings.HasPrefix(request, "GET /missing "):
				io.WriteString(c, "HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n4\r\ngone\r\n0\r\n\r\n")
			default:
				io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
			}
		}
	})
	f := newFetcher(t, httpfetch.Options{KeepConnections: true}, s.url)
	for range 3 {
		mustGet(t, f, s.url+"old")
		wantKind(t, f, request(t, s.url+"missing"), fetch.NotFound)
	}
	equal(t, "connections", s.conns.Load(), 1)
}

// HT-16: connection loss before any octet, on a connection that was kept.
func TestStaleConnection(t *testing.T) {
	s := serveText(t, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok") // and closes
	f := newFetcher(t, httpfetch.Options{KeepConnections: true}, s.url)
	for range 20 {
		mustGet(t, f, s.url)
	}
	equal(t, "connections", s.conns.Load(), 20)
}

// HT-19: a body that is announced as too large is not read, and not waited for.
func TestTooLarge(t *testing.T) {
	closed := make(chan struct{})
	s := serveHeld(t, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nnine", func() { close(closed) })
	req := request(t, s.url)
	req.MaxBytes = 8
	if _, err := fetch.Do(t.Context(), newFetcher(t, httpfetch.Options{}, s.url), req); !errors.Is(err, fetch.TooLarge) {
		t.Errorf("error is %v, want %v", err, fetch.TooLarge)
	}
	<-closed
}

// HT-1: a cookie that one answer sets, no later request has.
func TestNothingIsCarriedOver(t *testing.T) {
	var requests atomic.Int32
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		for _, name := range []string{"Cookie", "Referer", "Authorization", "If-None-Match", "Range"} {
			if r.Header.Get(name) != "" {
				t.Errorf("got %s: %s, want %v", name, r.Header.Get(name), "")
			}
		}
		w.Header().Set("Set-Cookie", "a=b; Path=/")
		w.Header().Set("ETag", `"e"`)
		w.Header().Set("WWW-Authenticate", "Basic")
		if r.URL.Path != "/2" {
			http.Redirect(w, r, "/2", http.StatusFound)
		}
	})
	f := newFetcher(t, httpfetch.Options{}, s.URL)
	for range 2 {
		mustGet(t, f, s.URL+"/?SECRET")
	}
	equal(t, "requests", requests.Load(), 4)
}

// The context of the resolver ends with the fetch.
func TestCancelLookup(t *testing.T) {
	over := make(chan struct{})
	guard := resolving(lookup(func(ctx context.Context) error {
		<-ctx.Done()
		close(over)
		return ctx.Err()
	}))
	req := request(t, "http://a.test/")
	req.Timeouts = fetch.Timeouts{Connect: -1, Total: soon}
	wantKind(t, newFetcher(t, httpfetch.Options{Guard: guard}), req, fetch.Unavailable)
	<-over
}

// A header of the caller's own replaces the usual fields, apart from Host. Without TLS the
// fields that browsers keep for it are left out.
func TestOwnHeader(t *testing.T) {
	var got http.Header
	h := func(w http.ResponseWriter, r *http.Request) {
		got = r.Header
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		io.WriteString(z, "hello")
		z.Close()
	}
	plain, secure := serve(t, h), serveTLS(t, h)
	own := http.Header{"User-Agent": {"B/1"}, "Accept": {"text/html"}, "Accept-Encoding": {"gzip"}, "Sec-Fetch-Mode": {"navigate"}}
	f := newFetcher(t, httpfetch.Options{Header: own, TLSConfig: trust(secure)}, plain.URL, secure.URL)
	for _, s := range []*httptest.Server{plain, secure, plain} {
		want := own.Clone()
		if s == plain {
			want.Del("Sec-Fetch-Mode")
		}
		req := request(t, s.URL)
		req.MediaType = "image/png"
		wantBody(t, f, req, "hello")
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %v, want %v", s.URL, got, want)
		}
	}
}

// OP-39: octets after the end of an answer are part of no other one.
func TestOctetsBetweenAnswers(t *testing.T) {
	s := serveRaw(t, func(c net.Conn, r *bufio.Reader) {
		for readRequest(r) != "" {
			const answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"
			io.WriteString(c, answer+"ok"+answer+"no")
		}
	})
	f := newFetcher(t, httpfetch.Options{}, s.url)
	for range 50 {
		wantBody(t, f, request(t, s.url), "ok")
	}
	equal(t, "connections", s.conns.Load(), 50)
}
