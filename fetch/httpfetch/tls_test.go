package httpfetch_test

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/httpfetch"
)

// trust returns a configuration that has the certificate of s as a root.
func trust(s *httptest.Server) *tls.Config {
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	return &tls.Config{RootCAs: roots}
}

// HT-11.
func TestTLS(t *testing.T) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, r.Proto)
	}))
	s.EnableHTTP2 = true
	s.TLS = &tls.Config{GetConfigForClient: func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
		if !slices.Equal(hello.SupportedProtos, []string{"http/1.1"}) {
			t.Errorf("got ALPN %q, want http/1.1 alone", hello.SupportedProtos)
		}
		return nil, nil
	}}
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	port := s.URL[strings.LastIndex(s.URL, ":"):]
	skip := trust(s)
	skip.RootCAs = nil
	skip.InsecureSkipVerify = true
	old := trust(s)
	old.MaxVersion = tls.VersionTLS11
	old.MinVersion = tls.VersionTLS10
	for _, tt := range []struct {
		name   string
		url    string
		config *tls.Config
		kind   fetch.Kind
		text   string
	}{
		{"Verified", s.URL, trust(s), 0, ""},
		{"Name", "https://example.com" + port, trust(s), 0, ""},
		{"UnknownAuthority", s.URL, nil, fetch.Untrusted, "unknown authority"},
		{"NotSkipped", s.URL, skip, fetch.Untrusted, "unknown authority"},
		{"OtherHost", "https://b.test" + port, trust(s), fetch.Untrusted, "another host"},
		{"OldVersion", s.URL, old, fetch.Untrusted, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFetcher(t, httpfetch.Options{TLSConfig: tt.config}, s.URL)
			_, data, err := get(t, f, request(t, tt.url))
			if fetch.KindOf(err) != tt.kind {
				t.Fatalf("got %q, error %v; want %v", data, err, tt.kind)
			}
			switch {
			case err == nil && data != "HTTP/1.1":
				t.Errorf("got %q, want %q", data, "HTTP/1.1")
			case err != nil && !strings.Contains(err.Error(), tt.text):
				t.Errorf("got error %v, want one with %q", err, tt.text)
			}
		})
	}
	t.Run("ConfigNotChanged", func(t *testing.T) {
		if !skip.InsecureSkipVerify || skip.NextProtos != nil {
			t.Errorf("got InsecureSkipVerify %v, NextProtos %q, want true and none", skip.InsecureSkipVerify, skip.NextProtos)
		}
	})
}

func TestTLSFaults(t *testing.T) {
	for _, tt := range []struct {
		name, hello string
		kind        fetch.Kind
	}{
		{"NotTLS", "HTTP/1.1 400 SECRET\r\n\r\n", fetch.Protocol},
		{"Alert", "\x15\x03\x03\x00\x02\x02\x28", fetch.Untrusted},
		{"Closed", "", fetch.Unavailable},
		{"Reset", "", fetch.Unavailable},
		{"CutInRecord", "\x16\x03\x03\x00\x50\x02", fetch.Unavailable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := serveRaw(t, func(c net.Conn, r *bufio.Reader) {
				r.Peek(5)
				io.CopyN(io.Discard, r, int64(r.Buffered())) // a reset would hide the answer
				io.WriteString(c, tt.hello)
				if tt.name == "Reset" {
					c.(*net.TCPConn).SetLinger(0)
				}
			})
			f := newFetcher(t, httpfetch.Options{}, s.url)
			wantKind(t, f, request(t, secure(s.url)), tt.kind)
		})
	}
}

// A connection does not outlive its handshake.
func TestTLSClosesConnection(t *testing.T) {
	cert := serveTLS(t, nil)
	closed := make(chan struct{})
	s := serveRaw(t, func(c net.Conn, r *bufio.Reader) {
		tls.Server(c, cert.TLS).Handshake()
		wait(r)
		closed <- struct{}{}
	})
	silent := serveRaw(t, func(c net.Conn, r *bufio.Reader) {
		wait(r)
		closed <- struct{}{}
	})
	f := newFetcher(t, httpfetch.Options{}, s.url, silent.url)
	wantKind(t, f, request(t, secure(s.url)), fetch.Untrusted)
	<-closed

	req := request(t, secure(silent.url))
	req.Timeouts = fetch.Timeouts{TLS: -1, Total: soon}
	wantKind(t, f, req, fetch.Unavailable)
	<-closed
}

// HT-9, RFC 9112 section 9.8: without close_notify, the end of the connection
// is not the end of the body.
func TestTLSTruncation(t *testing.T) {
	cert := serveTLS(t, nil)
	for _, tt := range []struct {
		name   string
		answer string
		notify bool
		kind   fetch.Kind
	}{
		{"ConnectionEndWithNotify", "HTTP/1.0 200 OK\r\n\r\nhello", true, 0},
		{"ConnectionEnd", "HTTP/1.0 200 OK\r\n\r\nhello", false, fetch.Truncated},
		{"ConnectionEndOfHTTP11", "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello", false, fetch.Truncated},
		{"EmptyBody", "HTTP/1.0 200 OK\r\n\r\n", false, fetch.Truncated},
		{"Length", "HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello", false, 0},
		{"ShortLength", "HTTP/1.0 200 OK\r\nContent-Length: 6\r\n\r\nhello", false, fetch.Truncated},
		{"ShortLengthWithNotify", "HTTP/1.0 200 OK\r\nContent-Length: 6\r\n\r\nhello", true, fetch.Truncated},
		{"LengthOfHTTP11", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", false, 0},
		{"Chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", false, 0},
		{"NoLastChunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", false, fetch.Truncated},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := serveRaw(t, func(c net.Conn, _ *bufio.Reader) {
				tc := tls.Server(c, cert.TLS)
				if readRequest(bufio.NewReader(tc)) == "" {
					return
				}
				io.WriteString(tc, tt.answer)
				if tt.notify {
					tc.CloseWrite()
				}
			})
			f := newFetcher(t, httpfetch.Options{TLSConfig: trust(cert)}, s.url)
			_, data, err := get(t, f, request(t, secure(s.url)))
			if fetch.KindOf(err) != tt.kind || err == nil && data != "hello" {
				t.Errorf("got %q, error %v; want %v", data, err, tt.kind)
			}
		})
	}
}

// SI-6: without a media type the accepted ones are asked for. The type of one fetch is not
// asked for by the next.
func TestAcceptList(t *testing.T) {
	var got string
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { got = strings.Join(r.Header["Accept"], "|") })
	f := newFetcher(t, httpfetch.Options{}, s.URL)
	for _, tt := range []struct {
		mediaType string
		accept    []string
		want      string
	}{
		{"", nil, ""},
		{"", []string{"application/sdp"}, "application/sdp"},
		{"", []string{"Application/SDP; x=y", "no type", "text/plain"}, "application/sdp, text/plain;q=0.9"},
		{"image/png", []string{"application/sdp"}, "image/png"},
		{"", nil, ""},
	} {
		req := request(t, s.URL)
		req.MediaType, req.Accept = tt.mediaType, tt.accept
		if _, _, err := get(t, f, req); err != nil || got != tt.want {
			t.Errorf("%q, %q: Accept is %q, error %v, want %q, nil", tt.mediaType, tt.accept, got, err, tt.want)
		}
	}
}
