package archive_test

import (
	"compress/gzip"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/netguard"
	"github.com/go-extbody/extbody/fetch/safefetch"
	"github.com/go-extbody/extbody/fetch/throttle"
)

// A site is a server that writes down what it is asked for.
type site struct {
	*httptest.Server
	mu   sync.Mutex
	asks map[string]int
}

// A loopback resolves every name to the address of the sites.
type loopback struct{}

// LookupNetIP implements netguard.Resolver.
func (loopback) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
}

// named returns the URL of a site with a name as its host.
func (s *site) named() string { return strings.Replace(s.URL, "127.0.0.1", "site.test", 1) }

func newSite(t testing.TB, h http.HandlerFunc) *site {
	s := &site{asks: make(map[string]int)}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.asks[r.URL.Path]++
		s.mu.Unlock()
		h(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *site) total() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, k := range s.asks {
		n += k
	}
	return n
}

// body is what most sites give for a path.
func body(path string) string { return "%body of " + path + "\n" }

func plain(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/octet-stream")
	fmt.Fprint(w, body(r.URL.Path))
}

// part returns a message with references to URLs.
func letter(id string, urls ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "From: a@example.org\r\nSubject: %s\r\nMessage-ID: <%s@example.org>\r\nDate: Mon, 2 Nov 2026 10:00:00 +0000\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n", id, id)
	for _, u := range urls {
		fmt.Fprintf(&b, "--b\r\nContent-Type: message/external-body; access-type=URL;\r\n URL=\"%s\"\r\n\r\nContent-Type: application/octet-stream\r\n\r\n", u)
	}
	b.WriteString("--b--\r\n")
	return b.String()
}

func maildir(t testing.TB) string {
	dir := filepath.Join(t.TempDir(), "box")
	for _, sub := range []string{"cur", "new", "tmp"} {
		must(t, os.MkdirAll(filepath.Join(dir, sub), 0o700))
	}
	return dir
}

func put(t testing.TB, path, text string) {
	t.Helper()
	must(t, os.WriteFile(path, []byte(text), 0o600))
}

func deliver(t testing.TB, box, name, text string) {
	t.Helper()
	put(t, filepath.Join(box, "cur", name), text)
}

func resolver() *externalbody.Resolver {
	return &externalbody.Resolver{
		AnySite: true,
		Fetcher: safefetch.New(&safefetch.Options{
			Guard:    &netguard.Guard{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, AnyPort: true, LocalNames: true, Resolver: loopback{}},
			Throttle: new(throttle.Options),
		}),
		Timeouts: fetch.Timeouts{FirstOctet: 2 * time.Second},
	}
}

func options(sources ...string) *archive.SyncOptions {
	o := &archive.SyncOptions{
		Resolver: resolver(),
		Open:     &externalbody.OpenOptions{Dialects: dialect.All()},
		Resolve:  func(string) bool { return true },
		Login:    func(*url.URL) string { return "" },
	}
	for _, s := range sources {
		o.Sources = append(o.Sources, archive.Files(s))
	}
	return o
}

func open(t testing.TB, dir string) *archive.Archive {
	t.Helper()
	a, err := archive.Open(dir, true, nil)
	must(t, err)
	return a
}

// run syncs and closes.
func run(t testing.TB, dir string, o *archive.SyncOptions) *archive.Result {
	t.Helper()
	a := open(t, dir)
	defer a.Close()
	res, err := a.Sync(context.Background(), o)
	must(t, err)
	return res
}

// kinds runs a test of an archive with its objects in a folder, and one with them in a bucket.
func kinds(t *testing.T, f func(t *testing.T)) {
	t.Run("Folder", f)
	t.Run("Bucket", f)
}

// home returns the folder for an archive. In a test of kinds for a bucket, it makes the archive.
func home(t testing.TB) string {
	dir := filepath.Join(t.TempDir(), "archive")
	if strings.Contains(t.Name(), "/Bucket") {
		made(t, dir, "file://"+filepath.Join(t.TempDir(), "bucket"))
	}
	return dir
}

func made(t testing.TB, dir, objects string) {
	t.Helper()
	a, err := archive.Open(dir, true, &archive.Options{Objects: objects})
	if err == nil {
		err = a.Close()
	}
	must(t, err)
}

// files returns the folder where the objects of an archive are files.
func files(dir string) string {
	text, err := os.ReadFile(filepath.Join(dir, "objects"))
	if err != nil {
		return filepath.Join(dir, "objects")
	}
	return strings.TrimPrefix(strings.TrimSpace(string(text)), "file://")
}

// object returns the path of an object.
func object(dir, sum string) string {
	if files(dir) == filepath.Join(dir, "objects") {
		return filepath.Join(dir, "objects", sum[:2], sum[2:4], sum)
	}
	return filepath.Join(files(dir), sum[:2], sum)
}

// objects returns the digests of the objects.
func objects(t testing.TB, dir string) (sums []string) {
	t.Helper()
	filepath.WalkDir(files(dir), func(path string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			sums = append(sums, e.Name())
		}
		return nil
	})
	return sums
}

// resolverPlain is resolver with passwords in plaintext.
func resolverPlain() *externalbody.Resolver {
	r := resolver()
	r.Fetcher = safefetch.New(&safefetch.Options{
		Guard:          &netguard.Guard{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, AnyPort: true, LocalNames: true, Resolver: loopback{}},
		AllowPlaintext: true,
	})
	return r
}

// unzipped returns what is in the exchanges.
func unzipped(t testing.TB, dir string) string {
	t.Helper()
	var b strings.Builder
	names, _ := filepath.Glob(filepath.Join(dir, "exchanges", "*.gz"))
	for _, name := range names {
		f, err := os.Open(name)
		must(t, err)
		z, err := gzip.NewReader(f)
		must(t, err)
		if _, err := io.Copy(&b, z); err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	return b.String()
}

func sha256Of(text string) [sha256.Size]byte { return sha256.Sum256([]byte(text)) }

// must ends the test if there is an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
