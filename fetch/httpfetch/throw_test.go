package httpfetch_test

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"sync/atomic"
	"testing"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/httpfetch"
	"github.com/go-extbody/extbody/internal/netx/dialing"
)

// TestThrows has functions of the caller that panic, some of them where package net/http has
// goroutines of its own. The caller recovers, no connection stays open, and the next request
// is answered.
func TestThrows(t *testing.T) {
	t.Run("Transport", func(t *testing.T) { testThrows(t, nil) })
	t.Run("Wrap", func(t *testing.T) {
		testThrows(t, func(base http.RoundTripper) http.RoundTripper { return roundTripper(base.RoundTrip) })
	})
	t.Run("WrapApart", func(t *testing.T) {
		testThrows(t, func(base http.RoundTripper) http.RoundTripper {
			return roundTripper(func(r *http.Request) (resp *http.Response, err error) {
				done := make(chan struct{})
				go func() {
					defer close(done)
					resp, err = base.RoundTrip(r)
				}()
				<-done
				return resp, err
			})
		})
	})
}

func testThrows(t *testing.T, wrap func(http.RoundTripper) http.RoundTripper) {
	for _, at := range []string{"", "LookupNetIP", "WithDial", "VerifyConnection", "Observe", "CheckHop", "Credentials", "connecting", "sending", "redirecting", "receiving"} {
		t.Run(at, func(t *testing.T) {
			place := at
			here := func(at string) {
				if place == at {
					place = ""
					panic(at)
				}
			}
			var open atomic.Int64
			s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				switch user, _, _ := r.BasicAuth(); {
				case r.URL.Path == "/":
					http.Redirect(w, r, "/login", http.StatusFound)
				case user == "":
					w.Header().Set("WWW-Authenticate", "Basic realm=a")
					w.WriteHeader(http.StatusUnauthorized)
				default:
					io.WriteString(w, "hello")
				}
			}))
			s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
				switch state {
				case http.StateNew:
					open.Add(1)
				case http.StateClosed:
					open.Add(-1)
				}
			}
			s.StartTLS()
			config := trust(s)
			config.VerifyConnection = func(tls.ConnectionState) error { here("VerifyConnection"); return nil }
			guard := resolving(lookup(func(context.Context) error { here("LookupNetIP"); return nil }))
			f := newFetcher(t, httpfetch.Options{Guard: guard, TLSConfig: config, Wrap: wrap}, s.URL)
			u := s.URL[len(s.URL)-len(":12345"):]
			fetchAll := func() (text string, thrown any) {
				defer func() { thrown = recover() }()
				req := request(t, "https://example.com"+u+"/")
				req.CheckHop = func(context.Context, *url.URL, *url.URL) error { here("CheckHop"); return nil }
				req.Credentials = func(context.Context, fetch.Challenge) (*fetch.Userinfo, error) {
					here("Credentials")
					return &fetch.Userinfo{User: "u"}, nil
				}
				req.Observe = func(*fetch.Exchange) { here("Observe") }
				req.Progress = func(e fetch.Event) { here(string(e.Phase)) }
				ctx := dialing.WithAsk(t.Context(), func(context.Context, netip.Addr) error { here("WithDial"); return nil })
				resp, err := fetch.Do(ctx, f, req)
				noError(t, err)
				defer resp.Body.Close()
				b, err := io.ReadAll(resp.Body)
				noError(t, err)
				return string(b), nil
			}
			if at != "" {
				if _, got := fetchAll(); got != any(at) {
					t.Errorf("got %v, want %v", got, at)
				}
			}
			text, got := fetchAll()
			if text != "hello" || got != nil {
				t.Errorf("then got %q, %v, want hello", text, got)
			}
			f.CloseIdleConnections()
			s.Close() // waits for all connections that are in use
			if n := open.Load(); n != 0 {
				t.Errorf("%d connections are open", n)
			}
		})
	}
}
