package rewrite_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/cache"
	"github.com/go-extbody/extbody/fetch/httpfetch"
	"github.com/go-extbody/extbody/fetch/netguard"
	"github.com/go-extbody/extbody/fetch/throttle"
	"github.com/go-extbody/extbody/internal/testkit"
)

var errBoom = errors.New("boom")

// A thrower is the code of a caller: its functions throw in one place.
type thrower struct {
	at     string
	throw  func()
	opened atomic.Int64 // bodies, less the ones that were closed
}

// here throws if this is the place.
func (c *thrower) here(at string) {
	if at == c.at {
		c.throw()
	}
}

func (c *thrower) Fetch(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
	c.here("Fetch")
	c.opened.Add(1)
	text := strings.Repeat("x", 3<<20)
	mediaType := "text/plain"
	if c.at == "Judge" {
		mediaType = "text/html" // so that it is asked
	}
	return &fetch.Response{URL: req.URL, MediaType: mediaType, Size: int64(len(text)), Body: &thrownBody{strings.NewReader(text), c}}, nil
}

type thrownBody struct {
	io.Reader
	*thrower
}

func (b *thrownBody) Read(p []byte) (int, error) { b.here("Read"); return b.Reader.Read(p) }
func (b *thrownBody) Close() error               { b.opened.Add(-1); b.here("Close"); return nil }

// resolver returns a Resolver whose functions throw.
func (c *thrower) resolver(f fetch.Fetcher) *externalbody.Resolver {
	return &externalbody.Resolver{
		Fetcher:  f,
		Approve:  func(context.Context, *externalbody.Plan) error { c.here("Approve"); return nil },
		Judge:    func(context.Context, *externalbody.Objection) error { c.here("Judge"); return nil },
		Observe:  func(*externalbody.Reference, *fetch.Exchange) { c.here("Observe") },
		Progress: func(_ *externalbody.Reference, e fetch.Event) { c.here(string(e.Phase)) },
		MessageBudget: func(*externalbody.Message) *fetch.Budget {
			c.here("MessageBudget")
			return nil
		},
	}
}

// LookupNetIP is of the resolver of names.
func (c *thrower) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	c.here("LookupNetIP")
	return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
}

// throws are the ways in which a caller's function does not return.
var throws = []struct {
	name  string
	throw func()
	want  any
}{
	{"panic", func() { panic(errBoom) }, errBoom},
	{"exit", runtime.Goexit, "exited"},
}

// TestInlineThrows has functions of the caller that panic, or end their goroutine, while
// bodies are got. That happens in the caller's goroutine, and nothing stays open (OP-37).
func TestInlineThrows(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, strings.Repeat("x", 1<<20))
	}))
	port := netip.MustParseAddrPort(server.Listener.Addr().String()).Port()
	quiet := goleak.IgnoreCurrent()
	for _, way := range throws {
		for _, at := range []string{
			"Fetch", "Read", "Close", "Approve", "Judge", "Observe", "MessageBudget", "LookupNetIP",
			string(fetch.Connecting), string(fetch.Sending), string(fetch.Receiving), string(fetch.Verified),
		} {
			t.Run(way.name+at, func(t *testing.T) {
				defer goleak.VerifyNone(t, quiet)
				c := &thrower{at: at, throw: way.throw}
				var f fetch.Fetcher = c
				host := "https://h%d.example"
				switch at {
				case "LookupNetIP", "Observe", string(fetch.Connecting), string(fetch.Sending):
					web := httpfetch.New(&httpfetch.Options{AllowPlaintext: true, Guard: &netguard.Guard{
						Resolver: c, Ports: []uint16{port}, Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
					}})
					defer web.CloseIdleConnections()
					f = cache.New(throttle.New(web, nil), cache.Memory(1<<20), nil)
					host = fmt.Sprintf("http://h%%d.example:%d", port)
				}
				var parts []string
				for i := range 6 {
					parts = append(parts, "Content-Type: message/external-body; access-type=url; size=7; url=\""+fmt.Sprintf(host, i)+"/f\"\n\nContent-Type: text/plain\nContent-ID: <"+fmt.Sprint(i)+"@a>\n\n")
				}
				m := open(t, crlf(mixed(parts...)))
				dir := t.TempDir()
				dst, err := os.Create(filepath.Join(dir, "dst"))
				if err != nil {
					t.Fatal(err)
				}
				defer dst.Close()
				temp := filepath.Join(dir, "temp")
				if err := os.Mkdir(temp, 0o700); err != nil {
					t.Fatal(err)
				}
				got := testkit.Ended(func() {
					rewrite.Inline(t.Context(), dst, m, &rewrite.InlineOptions{Resolver: acceptSize(c.resolver(f)), TempDir: temp})
				})
				if got != way.want {
					t.Errorf("got %v, want %v", got, way.want)
				}
				if n := c.opened.Load(); n != 0 {
					t.Errorf("%d bodies are open", n)
				}
				if files, _ := os.ReadDir(temp); len(files) > 0 {
					t.Errorf("%d temporary files are left", len(files))
				}
				if info, err := dst.Stat(); err != nil || info.Size() != 0 {
					t.Errorf("%v, %v: got octets of a message that was not rewritten", info.Size(), err)
				}
			})
		}
	}
	server.Close()
}

// A throwingWriter throws after its first octets.
type throwingWriter struct {
	*os.File
	throw func()
}

func (w *throwingWriter) Write(p []byte) (int, error) {
	w.File.Write(p[:1])
	w.throw()
	return 0, nil
}

// TestInlineThrowingOutput has an output that panics. It is as long as before.
func TestInlineThrowingOutput(t *testing.T) {
	for _, way := range throws {
		f, err := os.Create(filepath.Join(t.TempDir(), "dst"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		io.WriteString(f, "before")
		got := testkit.Ended(func() {
			rewrite.Inline(t.Context(), &throwingWriter{f, way.throw}, open(t, mixed(ref("a", "Content-Type: text/plain\n"))), &rewrite.InlineOptions{Resolver: newWeb("a", "x").resolver()})
		})
		if info, err := f.Stat(); got != way.want || err != nil || info.Size() != 6 {
			t.Errorf("%s: got %v and %v octets, %v, want %v and 6", way.name, got, info.Size(), err, way.want)
		}
	}
}

// TestExternalizeThrows has a Store that panics.
func TestExternalizeThrows(t *testing.T) {
	text := crlf(mixed("Content-Type: application/pdf\nContent-Transfer-Encoding: base64\n\n" + strings.Repeat("QUJD", 50_000) + "\n"))
	for _, way := range throws {
		t.Run(way.name, func(t *testing.T) {
			defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
			store := storeFunc(func(o *rewrite.Object) error {
				io.CopyN(io.Discard, o.Body, 10)
				way.throw()
				return nil
			})
			got := testkit.Ended(func() {
				rewrite.Externalize(t.Context(), new(bytes.Buffer), open(t, text), &rewrite.ExternalizeOptions{Store: store, Select: all})
			})
			if got != way.want {
				t.Errorf("got %v, want %v", got, way.want)
			}
		})
	}
}
