package archive_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/md5"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"io"
	"iter"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/examples/extbody/internal/archive/warc"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/safefetch"
	"github.com/go-extbody/extbody/fetch/throttle"
)

// A kindOfServer is one of those that references lead to.
type kindOfServer struct {
	name   string
	want   []string // the Kind of the exception, or "captured"; several where the host may be left alone
	status int      // that is told; 0 for none
	hops   int
	letter func(id, url string) string // nil for letter
	handle http.HandlerFunc            // nil if serve is set
	serve  func(net.Conn)              // answers an accepted connection
	tls    string                      // "", "good", "unknown"
	url    string                      // instead of a server's
}

// raw answers with octets.
func raw(text string) func(net.Conn) {
	return func(c net.Conn) {
		b := make([]byte, 1<<10)
		c.Read(b)
		io.WriteString(c, text)
		c.Close()
	}
}

func say(status int, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		fmt.Fprintf(w, "the server says %d", status)
	}
}

func serversOfAllKinds(stop <-chan struct{}) []kindOfServer {
	captured := []string{"captured"}
	withETag := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"v1"`)
		plain(w, r)
	}
	promises := func(size int, more string) func(id, url string) string {
		return func(id, url string) string { return promising(id, url, size, more) }
	}
	typed := func(id, url string) string {
		return strings.Replace(letter(id, url), "application/octet-stream", "application/pdf", 1)
	}
	sum := md5.Sum([]byte("another body"))
	return []kindOfServer{
		{name: "Plain", want: captured, status: 200, handle: withETag},
		{name: "Chunked", want: captured, status: 200, handle: func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/octet-stream")
			io.WriteString(w, "%body")
			w.(http.Flusher).Flush()
			io.WriteString(w, " of "+r.URL.Path+"\n")
		}},
		{name: "Gzip", want: captured, status: 200, handle: func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/octet-stream")
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			io.WriteString(z, body(r.URL.Path))
			z.Close()
		}},
		{name: "Redirect", want: captured, status: 200, hops: 2, handle: func(w http.ResponseWriter, r *http.Request) {
			if n := strings.Count(r.URL.Path, "x"); n < 2 {
				http.Redirect(w, r, r.URL.Path+"x", http.StatusFound)
				return
			}
			plain(w, r)
		}},
		{name: "Loop", want: []string{"protocol"}, status: 302, handle: func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, r.URL.Path, http.StatusFound)
		}},
		{name: "NotFound", want: []string{"not-found"}, status: 404, handle: say(404)},
		{name: "Gone", want: []string{"gone"}, status: 410, handle: say(410)},
		{name: "Unauthorized", want: []string{"credentials", "forbidden"}, status: 401, handle: say(401, "WWW-Authenticate", `Basic realm="x"`)},
		{name: "Forbidden", want: []string{"forbidden"}, status: 403, handle: say(403)},
		{name: "Legal", want: []string{"forbidden"}, status: 451, handle: say(451)},
		{name: "Broken", want: []string{"unavailable", "deferred"}, status: 500, handle: say(500)},
		{name: "Busy", want: []string{"unavailable", "deferred"}, status: 503, handle: say(503, "Retry-After", "600")},
		{name: "TooMany", want: []string{"unavailable", "deferred"}, status: 429, handle: say(429, "Retry-After", "600")},
		{name: "LoginPage", want: []string{"interstitial", "type-mismatch"}, status: 200, letter: typed, handle: func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, "<!DOCTYPE html><title>Sign in</title><form><input type=password></form>")
		}},
		{name: "Truncated", want: []string{"truncated"}, status: 200, serve: raw("HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: 100\r\n\r\n%short")},
		{name: "Closes", want: []string{"unavailable", "deferred"}, serve: func(c net.Conn) { c.Close() }},
		{name: "Garbage", want: []string{"protocol", "unavailable", "deferred"}, serve: raw("\x00\x01\x02 no HTTP\r\n\r\n")},
		{name: "Hangs", want: []string{"unavailable", "deferred"}, handle: func(w http.ResponseWriter, r *http.Request) {
			select {
			case <-stop:
			case <-r.Context().Done():
			}
		}},
		{name: "Size", want: []string{"truncated", "size-mismatch", "protocol", "too-large", "digest-mismatch"}, status: 200, letter: promises(1000, ""), handle: plain},
		{name: "Digest", want: []string{"digest-mismatch"}, status: 200, letter: promises(-1, "Content-MD5: "+base64.StdEncoding.EncodeToString(sum[:])+"\r\n"), handle: plain},
		{name: "Private", want: []string{"blocked"}, status: 302, handle: func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://10.1.2.3/", http.StatusFound)
		}},
		{name: "TLS", want: captured, status: 200, tls: "good", handle: withETag},
		{name: "TLSUnknown", want: []string{"untrusted"}, tls: "unknown", handle: plain},
		{name: "Refuses", want: []string{"unavailable", "deferred"}},
		{name: "BigHeader", want: []string{"protocol", "too-large", "unavailable", "deferred"}, handle: say(200, "X-Big", strings.Repeat("x", 900<<10))},
		{name: "NoScheme", want: []string{"blocked"}, url: "gopher://127.0.0.1/%d"},
	}
}

// TestKindsOfServers asks servers of 26 kinds, each on an address of its own, and wants each verdict to be right, and
// reported with all that is known. EXTBODY_TEST_REFERENCES is how many references there are to each.
func TestKindsOfServers(t *testing.T) {
	each := often("EXTBODY_TEST_REFERENCES", 2)
	stop := make(chan struct{})
	kinds := serversOfAllKinds(stop)
	box, dir := maildir(t), home(t)
	roots := x509.NewCertPool()
	bases, address := make(map[string]*kindOfServer), ""
	for i := range kinds {
		k := &kinds[i]
		base := k.url
		if base == "" {
			// Each is a host of its own, so that the failure of one is no news of another.
			l, err := net.Listen("tcp", fmt.Sprintf("127.0.1.%d:0", i+1))
			if err != nil {
				t.Skip(err) // not all systems have all addresses of loopback
			}
			base = "http://" + l.Addr().String() + "/%d"
			switch {
			case k.serve != nil:
				go func() {
					for {
						c, err := l.Accept()
						if err != nil {
							return
						}
						go k.serve(c)
					}
				}()
				t.Cleanup(func() { l.Close() })
			case k.handle == nil:
				l.Close()
			default:
				s := httptest.NewUnstartedServer(k.handle)
				s.Listener.Close()
				s.Listener = l
				s.Config.ErrorLog = log.New(io.Discard, "", 0)
				if k.tls == "" {
					s.Start()
				} else {
					s.StartTLS()
					base = strings.Replace(base, "http:", "https:", 1)
					if k.tls == "good" {
						// Its certificate is for 127.0.0.1 and example.com.
						address = l.Addr().(*net.TCPAddr).IP.String()
						base = strings.Replace(base, address, "example.com", 1)
						roots.AddCert(s.Certificate())
					}
				}
				t.Cleanup(s.Close)
			}
		}
		bases[k.name] = k
		for n := range each {
			url := base
			if strings.Contains(base, "%d") {
				url = fmt.Sprintf(base, n)
			}
			write := k.letter
			if write == nil {
				write = func(id, url string) string { return letter(id, url) }
			}
			deliver(t, box, fmt.Sprintf("%s-%d:2,", k.name, n), write(fmt.Sprintf("%s-%d", k.name, n), url))
		}
	}
	t.Cleanup(func() { close(stop) })
	o := options(box)
	o.Resolver.Fetcher = fetcher(address, safefetch.Options{Throttle: &throttle.Options{MaxWait: time.Second}, TLSConfig: &tls.Config{RootCAs: roots}})
	o.Resolver.Timeouts = fetch.Timeouts{FirstOctet: 4 * time.Second} // which a machine that is slow keeps, too
	deferred := run(t, dir, o).Deferred                               // a host that is down is not asked again
	v := clean(t, dir)
	if want := int64(each * len(kinds)); v.References != want || v.Open != deferred {
		t.Errorf("got %d references, %d open; want %d, %d", v.References, v.Open, want, deferred)
	}
	seen := make(map[string]int)
	for _, told := range attempts(t, dir) {
		name, _, _ := strings.Cut(strings.TrimPrefix(told.MessageID, "<"), "-")
		k := bases[name]
		if k == nil {
			t.Fatalf("got the Message-ID %q, want one of ours", told.MessageID)
		}
		seen[name]++
		verdict := told.Kind
		if told.line == "capture" {
			verdict = "captured"
		}
		if !slices.Contains(k.want, verdict) {
			t.Errorf("%s: got %s (%s), want one of %v", name, verdict, told.Error, k.want)
		}
		bad := func(what string, got any) { t.Errorf("%s: got %s %v, want what was", name, what, got) }
		if told.Started.IsZero() || told.Ended.Before(told.Started) {
			bad("times", []any{told.Started, told.Ended})
		}
		if told.URL == "" || len(told.Message) != 64 || told.Ref != "1" {
			bad("reference", told.Facts)
		}
		if k.url != "" {
			continue // no server was asked
		}
		if k.status != 0 && told.Status != k.status {
			bad("status", told.Status)
		}
		if k.status != 0 && len(told.Header) == 0 {
			bad("header", told.Header)
		}
		if len(told.Hops) < k.hops {
			bad("hops", told.Hops)
		}
		if k.handle != nil && k.tls != "unknown" && !strings.HasPrefix(told.Address, "127.0.1.") {
			bad("address", told.Address)
		}
		if (k.tls == "good") != (told.TLS != nil && told.TLS.Version != "") {
			bad("TLS", told.TLS)
		}
		if (k.status != 0 || verdict == "captured") && told.Exchanges == nil {
			bad("exchanges", told.Exchanges)
		}
		if strings.HasPrefix(name, "TLS") && verdict == "captured" && !strings.Contains(told.Version, "v1") {
			bad("version", told.Version)
		}
		if told.line == "exception" && (told.Reason == "" || told.Error == "") {
			bad("reason", told.Reason)
		}
	}
	for i := range kinds {
		n := seen[kinds[i].name]
		if deferred -= int64(each - n); n == 0 || n > each {
			t.Errorf("%s: got %d outcomes, want %d", kinds[i].name, n, each)
		}
	}
	if deferred != 0 {
		t.Errorf("got %d more references that were not asked for than have no outcome", deferred)
	}
}

// TestDamage flips one bit in each object, each line and each WARC record, and drops,
// doubles, swaps and cuts off each line, and wants all found, with the place.
// EXTBODY_TEST_DAMAGE is how many of each there are.
func TestDamage(t *testing.T) {
	n := often("EXTBODY_TEST_DAMAGE", 8)
	dir, _, _ := filled(t, (n+1)/2)
	clean(t, dir)
	found := func(what string, places ...string) {
		t.Helper()
		faults := verify(t, dir).Faults
		for _, place := range places {
			if slices.ContainsFunc(faults, func(f string) bool { return strings.Contains(f, place) }) {
				return
			}
		}
		t.Errorf("%s: got faults %q, want one with %q", what, faults, places)
	}
	// changed has something else instead of a file while f runs.
	changed := func(path string, change func([]byte) []byte, f func()) {
		t.Helper()
		text, err := os.ReadFile(path)
		must(t, err)
		put(t, path, string(change(bytes.Clone(text))))
		f()
		put(t, path, string(text))
	}
	flip := func(at int64) func([]byte) []byte {
		return func(text []byte) []byte {
			text[at] ^= 1 << (at % 8)
			return text
		}
	}
	sums := objects(t, dir)
	for i, sum := range sums[:min(n, len(sums))] {
		path := filepath.Join(dir, "objects", sum[:2], sum[2:4], sum)
		info, err := os.Stat(path)
		must(t, err)
		changed(path, flip(int64(i*37)%info.Size()), func() { found("object", sum) })
	}
	var lines []ledger.Line
	_, _, err := ledger.Read(filepath.Join(dir, "ledger"), ledger.Place{}, ledger.Head{}, nil, func(l *ledger.Line) error {
		lines = append(lines, ledger.Line{Seq: l.Seq, Place: l.Place, Text: bytes.Clone(l.Text)})
		return nil
	})
	must(t, err)
	told := attempts(t, dir)
	places := func(list ...int) (names []string) {
		for _, k := range list {
			if k >= 0 && k < len(lines) {
				names = append(names, lines[k].Place.String())
			}
		}
		return names
	}
	last := fmt.Sprintf("line %d", len(lines)) // which the file head names
	for i, l := range lines[:min(n, len(lines))] {
		path, at, size := filepath.Join(dir, "ledger", l.Place.File), l.Place.Offset, int64(len(l.Text))
		next := ledger.Place{File: l.Place.File, Offset: at + size}.String()
		// It is the line itself, or that before or after it with which it does not fit.
		changed(path, flip(at+int64(i*53)%size), func() {
			found(fmt.Sprintf("bit of line %d", l.Seq), places(i-1, i, i+1)...)
		})
		changed(path, func(b []byte) []byte { return slices.Delete(b, int(at), int(at+size)) }, func() {
			found(fmt.Sprintf("line %d dropped", l.Seq), l.Place.String())
		})
		changed(path, func(b []byte) []byte { return slices.Insert(b, int(at), l.Text...) }, func() {
			found(fmt.Sprintf("line %d inserted", l.Seq), next)
		})
		if i+1 < len(lines) {
			two := lines[i+1].Text
			changed(path, func(b []byte) []byte {
				return slices.Replace(b, int(at), int(at)+len(l.Text)+len(two), slices.Concat(two, l.Text)...)
			}, func() { found(fmt.Sprintf("line %d swapped", l.Seq), l.Place.String()) })
		}
		changed(path, func(b []byte) []byte { return b[:at] }, func() { found(fmt.Sprintf("cut before line %d", l.Seq), last) })
		changed(path, func(b []byte) []byte { return b[:at+size/2] }, func() { found(fmt.Sprintf("cut in line %d", l.Seq), last) })
	}
	records := 0
	for _, path := range mustGlob(t, dir, "exchanges/*") {
		for i, r := range recordsOf(t, path) {
			if records == n {
				break
			}
			records++
			at := slices.IndexFunc(told, func(a attempt) bool {
				return a.Exchanges.Offset <= r.from && r.to <= a.Exchanges.Offset+a.Exchanges.Length
			})
			if at < 0 {
				t.Fatalf("record %d: got it in no span, want one", i)
			}
			changed(path, flip(r.from+int64(i*71)%(r.to-r.from)), func() {
				found(fmt.Sprintf("record %d", i), fmt.Sprintf("%s:%d", told[at].Exchanges.File, told[at].Exchanges.Offset))
			})
		}
	}
	clean(t, dir)
	// One who cuts the tail also writes a head that fits.
	end := lines[len(lines)-1]
	changed(filepath.Join(dir, "ledger", end.Place.File), func(b []byte) []byte { return b[:end.Place.Offset] }, func() {
		os.Remove(filepath.Join(dir, "head"))
		v, err := archive.Verify(t.Context(), dir, ledger.Head{Seq: end.Seq})
		if err != nil || len(v.Faults) == 0 {
			t.Errorf("got %v, %v; want a fault, since the named head is not there", v.Faults, err)
		}
	})
	if got := min(len(sums), len(lines), records); got < n {
		t.Errorf("got %d objects, %d lines, %d records; want %d of each", len(sums), len(lines), records, n)
	}
}

// A piece is where something is in a file.
type piece struct{ from, to int64 }

// recordsOf returns where the records of a WARC file are.
func recordsOf(t testing.TB, path string) (list []piece) {
	t.Helper()
	f, err := os.Open(path)
	must(t, err)
	defer f.Close()
	for r, from := warc.NewReader(f, 1<<20), int64(0); ; {
		_, to, err := r.Next()
		if err == io.EOF {
			return list
		}
		must(t, err)
		list = append(list, piece{from, to})
		from = to
	}
}

// TestMoving syncs while a mailbox changes under it, and wants each message of the final
// state to be accounted for, once, after two runs at most.
func TestMoving(t *testing.T) {
	s := newSite(t, plain)
	base := s.URL + "/"
	for _, tt := range []struct {
		name   string
		change func(t *testing.T, path string)
		final  int  // messages
		dir    bool // a Maildir
	}{
		{"Rewritten", func(t *testing.T, path string) { put(t, path, mbox(base, 5, 25)) }, 20, false},
		{"Appended", func(t *testing.T, path string) { put(t, path, mbox(base, 0, 30)) }, 30, false},
		{"Shortened", func(t *testing.T, path string) { put(t, path, mbox(base, 0, 7)) }, 7, false},
		{"Replaced", func(t *testing.T, path string) {
			put(t, path+".new", mbox(base, 3, 33))
			must(t, os.Rename(path+".new", path))
		}, 30, false},
		{"Flags", func(t *testing.T, path string) {
			for i := range 20 {
				os.Rename(filepath.Join(path, "cur", fmt.Sprintf("%02d:2,", i)), filepath.Join(path, "cur", fmt.Sprintf("%02d:2,FS", i)))
			}
		}, 20, true},
		{"NewToCur", func(t *testing.T, path string) {
			for i := range 20 {
				os.Rename(filepath.Join(path, "cur", fmt.Sprintf("%02d:2,", i)), filepath.Join(path, "new", fmt.Sprintf("%02d", i)))
			}
		}, 20, true},
		{"Expunged", func(t *testing.T, path string) {
			for i := range 10 {
				os.Remove(filepath.Join(path, "cur", fmt.Sprintf("%02d:2,", 2*i)))
			}
		}, 10, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path, dir := filepath.Join(t.TempDir(), "mbox"), home(t)
			if tt.dir {
				path = maildir(t)
				for i := range 20 {
					deliver(t, path, fmt.Sprintf("%02d:2,", i), letter(fmt.Sprint(i), fmt.Sprint(base, i)))
				}
			} else {
				put(t, path, mbox(base, 0, 20))
			}
			o := options()
			o.Sources = []archive.Source{&moving{Source: archive.Files(path, time.Time{}), after: 4, change: func() { tt.change(t, path) }}}
			a := open(t, dir)
			a.Sync(t.Context(), o) // whatever it says
			a.Close()
			if v := verify(t, dir); len(v.Faults) > 0 {
				t.Fatalf("got %v, want no fault", v.Faults)
			}
			res := run(t, dir, options(path))
			if rec := res.Sources[0]; rec.Seen != int64(tt.final) || rec.Excepted != 0 || rec.Unaccounted() != 0 || rec.Error != "" {
				t.Errorf("the second run: got %+v, want %d seen", rec, tt.final)
			}
			third := run(t, dir, options(path))
			if third.Messages+third.Sightings+third.Captures+third.Exceptions != 0 || third.Sources[0].Seen != int64(tt.final) || third.Sources[0].Stored != int64(tt.final) {
				t.Errorf("the third run: got %+v, %+v; want nothing new", third.Counts, third.Sources[0])
			}
			clean(t, dir)
		})
	}
}

// TestNoMail holds: of files that are no mail each is an exception, and all is equal.
func TestNoMail(t *testing.T) {
	folder, dir := t.TempDir(), home(t)
	put(t, filepath.Join(folder, "good.eml"), "Subject: x\r\n\r\nx\r\n")
	bad := map[string]string{
		"picture.png":   "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
		"program":       "\x7fELF\x02\x01\x01" + strings.Repeat("\x00", 100),
		"archive.zip":   "PK\x03\x04" + strings.Repeat("\x00", 40),
		"broken.gz":     "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03no deflate",
		"database.sqli": "SQLite format 3\x00" + strings.Repeat("\x01", 100),
	}
	for name, text := range bad {
		put(t, filepath.Join(folder, name), text)
	}
	if err := os.Symlink("nowhere", filepath.Join(folder, "dangling")); err != nil {
		t.Skip(err)
	}
	want := len(bad) + 1
	res := run(t, dir, options(folder))
	rec := res.Sources[0]
	if rec.Seen != 1 || int(rec.Excepted) != want || rec.Unaccounted() != 0 || int(res.New) != want {
		t.Errorf("got %+v, %+v; want 1 seen, %d excepted", rec, res.Counts, want)
	}
	again := run(t, dir, options(folder))
	if again.New != 0 || again.Sources[0].Unaccounted() != 0 {
		t.Errorf("again: got %+v, want nothing new", again.Counts)
	}
	for name := range bad {
		put(t, filepath.Join(folder, name), "Subject: "+name+"\r\n\r\nnow it is mail\r\n")
	}
	os.Remove(filepath.Join(folder, "dangling"))
	mended := run(t, dir, options(folder))
	if rec := mended.Sources[0]; int(rec.Seen) != len(bad)+1 || rec.Excepted != 0 {
		t.Errorf("mended: got %+v, want all seen", rec)
	}
	clean(t, dir)
}

// TestRetryKind holds: a retry asks for the references that it names, and for no other.
func TestRetryKind(t *testing.T) {
	var first []string
	busy := true
	handle := func(w http.ResponseWriter, r *http.Request) {
		switch {
		case busy && strings.HasPrefix(r.URL.Path, "/busy"):
			w.WriteHeader(http.StatusBadGateway)
		case strings.HasPrefix(r.URL.Path, "/gone"):
			w.WriteHeader(http.StatusGone)
		default:
			plain(w, r)
		}
	}
	one, other := newSite(t, handle), newSite(t, handle)
	away := other.named()
	box, dir := maildir(t), home(t)
	for i := range 5 {
		for _, what := range []string{"busy", "gone", "good"} {
			path := fmt.Sprintf("/%s%d", what, i)
			deliver(t, box, fmt.Sprintf("%s%d:2,", what, i), letter(what+fmt.Sprint(i), one.URL+path, away+path))
			if what == "busy" {
				first = append(first, path)
			}
		}
	}
	o := options(box)
	o.Resolver.Fetcher = fetcher("127.0.0.1", safefetch.Options{})
	run(t, dir, o)
	for _, s := range []*site{one, other} {
		s.mu.Lock()
		clear(s.asks)
		s.mu.Unlock()
	}
	busy = false
	if res := retry(t, dir, "kind=unavailable", "host=127.0.0.1"); res.Captures != 5 || other.total() != 0 || one.total() != 5 {
		t.Errorf("got %+v, %d and %d requests; want 5 captures, 5 and none", res.Counts, one.total(), other.total())
	}
	for _, path := range first {
		if one.asks[path] != 1 {
			t.Errorf("%s: got %d requests, want 1", path, one.asks[path])
		}
	}
	clean(t, dir)
}

// moving is a Source under which something changes after some messages.
type moving struct {
	archive.Source
	after  int
	change func()
}

// Messages implements archive.Source.
func (m *moving) Messages(ctx context.Context, known func(*archive.Sighting) archive.Known) iter.Seq2[*archive.Item, error] {
	return func(yield func(*archive.Item, error) bool) {
		n := 0
		for it, err := range m.Source.Messages(ctx, known) {
			if n++; n == m.after {
				m.change()
			}
			if !yield(it, err) {
				return
			}
		}
	}
}
