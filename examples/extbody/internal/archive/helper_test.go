package archive_test

import (
	"compress/gzip"
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"fmt"
	"io"
	"math/big"
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

	"github.com/digitorus/timestamp"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/externalbody/dialect"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/netguard"
	"github.com/go-extbody/extbody/fetch/safefetch"
	"github.com/go-extbody/extbody/fetch/throttle"
)

// A site is a server that records its requests.
type site struct {
	*httptest.Server
	mu   sync.Mutex
	asks map[string]int
}

// An everywhere resolves every name to its address.
type everywhere string

// LookupNetIP implements netguard.Resolver.
func (a everywhere) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return []netip.Addr{netip.MustParseAddr(string(a))}, nil
}

// fetcher returns a Fetcher that may contact the sites. Every name has the address.
func fetcher(address string, o safefetch.Options) fetch.Fetcher {
	o.Guard = &netguard.Guard{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, AnyPort: true, LocalNames: true, Resolver: everywhere(address)}
	return safefetch.New(&o)
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

// body returns the body that most sites give for a path.
func body(path string) string { return "%body of " + path + "\n" }

func plain(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/octet-stream")
	fmt.Fprint(w, body(r.URL.Path))
}

// letter returns a message with references to URLs.
func letter(id string, urls ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "From: a@example.org\r\nSubject: %s\r\nMessage-ID: <%s@example.org>\r\nDate: Mon, 2 Nov 2026 10:00:00 +0000\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n", id, id)
	for _, u := range urls {
		fmt.Fprintf(&b, "--b\r\nContent-Type: message/external-body; access-type=URL;\r\n URL=\"%s\"\r\n\r\nContent-Type: application/octet-stream\r\n\r\n", u)
	}
	b.WriteString("--b--\r\n")
	return b.String()
}

// mbox returns the text of an mbox with the messages from to to-1, each with the URL of its
// number below base.
func mbox(base string, from, to int) string {
	var b strings.Builder
	for i := from; i < to; i++ {
		text := letter(fmt.Sprint(i), fmt.Sprintf("%s%d", base, i))
		fmt.Fprintf(&b, "From a@example.org Mon Nov  2 10:00:00 2026\n%s\n", strings.ReplaceAll(text, "\r\n", "\n"))
	}
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

// inbox returns a Maildir with a message for each URL, whose IDs count from 1, and the folder
// for an archive.
func inbox(t testing.TB, urls ...string) (box, dir string) {
	box, dir = maildir(t), home(t)
	for i, u := range urls {
		deliver(t, box, fmt.Sprintf("%03d:2,S", i+1), letter(fmt.Sprint(i+1), u))
	}
	return box, dir
}

// numbered returns n URLs at a site: /1, /2 and so on.
func numbered(s *site, n int) (urls []string) {
	for i := range n {
		urls = append(urls, fmt.Sprintf("%s/%d", s.URL, i+1))
	}
	return urls
}

func resolver() *externalbody.Resolver {
	return &externalbody.Resolver{
		AnySite:  true,
		Fetcher:  fetcher("127.0.0.1", safefetch.Options{Throttle: new(throttle.Options)}),
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
		o.Sources = append(o.Sources, archive.Files(s, time.Time{}))
	}
	return o
}

func open(t testing.TB, dir string) *archive.Archive {
	t.Helper()
	a, err := archive.Open(dir, true, nil)
	must(t, err)
	return a
}

// readAt opens an archive for reading by a clock.
func readAt(t testing.TB, dir string, c *clock) *archive.Archive {
	t.Helper()
	a, err := archive.Read(dir, &archive.Options{Now: c.now})
	must(t, err)
	t.Cleanup(func() { a.Close() })
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
		must(t, made(dir, "file://"+filepath.Join(t.TempDir(), "bucket")))
	}
	return dir
}

// made makes an archive, or opens one, with its objects in a bucket.
func made(dir, objects string) error {
	a, err := archive.Open(dir, true, &archive.Options{Objects: objects})
	if err == nil {
		err = a.Close()
	}
	return err
}

// files returns the folder where the objects of an archive are files.
func files(dir string) string {
	text, err := os.ReadFile(filepath.Join(dir, "objects"))
	if err != nil {
		return filepath.Join(dir, "objects")
	}
	u, err := url.Parse(strings.TrimSpace(string(text)))
	if err != nil {
		return ""
	}
	return u.Path
}

// object returns the path of an object.
func object(dir, sum string) string {
	if files(dir) == filepath.Join(dir, "objects") {
		return filepath.Join(dir, "objects", sum[:2], sum[2:4], sum)
	}
	return filepath.Join(files(dir), sum[:2], sum)
}

// objects returns the digests of the objects. The mark of a bucket is none.
func objects(t testing.TB, dir string) (sums []string) {
	t.Helper()
	filepath.WalkDir(files(dir), func(path string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() && e.Name() != "head" {
			sums = append(sums, e.Name())
		}
		return nil
	})
	return sums
}

// retry asks again for the references that terms select.
func retry(t testing.TB, dir string, terms ...string) *archive.Result {
	t.Helper()
	a := open(t, dir)
	defer a.Close()
	res, err := a.Retry(context.Background(), selector(t, terms...), options())
	must(t, err)
	return res
}

// table returns the CSV of an archive.
func table(t testing.TB, a *archive.Archive) string {
	t.Helper()
	var b strings.Builder
	_, err := a.WriteCSV(&b, new(archive.Selector))
	must(t, err)
	return b.String()
}

// page returns the report of an archive.
func page(t testing.TB, a *archive.Archive) string {
	t.Helper()
	var b strings.Builder
	must(t, a.WriteReport(&b, new(archive.Selector)))
	return b.String()
}

// An attempt is the line of a capture or exception.
type attempt struct {
	line string // its kind
	archive.Capture
	Kind, Reason, Error string
	Attempts            int
	First               time.Time
	Spread              int64
}

// attempts returns the attempts in the ledger of an archive.
func attempts(t testing.TB, dir string) (list []attempt) {
	t.Helper()
	_, _, err := ledger.Read(filepath.Join(dir, "ledger"), ledger.Place{}, ledger.Head{}, nil, func(l *ledger.Line) error {
		a := attempt{line: l.Kind}
		if a.line != "capture" && a.line != "exception" {
			return nil
		}
		err := l.Body(&a)
		list = append(list, a)
		return err
	})
	must(t, err)
	return list
}

// unzipped returns the octets of the exchanges.
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

// stamping returns a function for the Stamp of a run: an authority that nobody knows.
func stamping(t testing.TB) func(context.Context, []byte) ([]byte, error) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "an authority"}, NotAfter: time.Now().AddDate(1, 0, 0),
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageTimeStamping},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	must(t, err)
	cert, err := x509.ParseCertificate(der)
	must(t, err)
	return func(_ context.Context, digest []byte) ([]byte, error) {
		s := &timestamp.Timestamp{HashAlgorithm: crypto.SHA256, HashedMessage: digest, Time: time.Now(), Policy: asn1.ObjectIdentifier{1, 2, 3}}
		return s.CreateResponseWithOpts(cert, key, crypto.SHA256)
	}
}

// sumOf returns the SHA-256 of a text in hexadecimal digits.
func sumOf(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }

// must ends the test if there is an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
