package archive_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/safefetch"
	"github.com/go-extbody/extbody/fetch/throttle"
	"github.com/go-extbody/extbody/internal/mime/message"
)

// promising returns a message with a reference to a URL that promises a size, and whose
// header fields of the body are more.
func promising(id, url string, size int, more string) string {
	text := letter(id, url)
	if size >= 0 {
		text = strings.Replace(text, "access-type=", fmt.Sprintf("size=%d; access-type=", size), 1)
	}
	return strings.Replace(text, "Content-Type: application/octet-stream\r\n", "Content-Type: application/octet-stream\r\n"+more, 1)
}

// TestOwnPromise holds: references to one URL share one request, and each is captured only if the body has the size
// and the digest that the reference itself promises.
func TestOwnPromise(t *testing.T) {
	right := len(body("/file"))
	for _, tt := range []struct {
		name  string
		sizes []int // -1 promises none
		want  []bool
	}{
		{"NoneThenWrong", []int{-1, 1}, []bool{true, false}},
		{"RightThenWrong", []int{right, right + 1}, []bool{true, false}},
		{"RightThenNone", []int{right, -1}, []bool{true, true}},
		{"WrongThenRight", []int{1, right, 2}, []bool{false, true, false}},
		{"Equal", []int{right, right, right}, []bool{true, true, true}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newSite(t, plain)
			box, dir := maildir(t), home(t)
			for i, size := range tt.sizes {
				deliver(t, box, fmt.Sprintf("%d:2,", i), promising(fmt.Sprint(i), s.URL+"/file", size, ""))
			}
			run(t, dir, options(box))
			rows := table(t, read(t, dir))
			for i, want := range tt.want {
				for line := range strings.Lines(rows) {
					if got := strings.Contains(line, ",captured,"); strings.Contains(line, fmt.Sprintf("<%d@example.org>", i)) && got != want {
						t.Errorf("reference %d, which promises %d octets: got captured %v, want %v", i, tt.sizes[i], got, want)
					}
				}
			}
			clean(t, dir)
		})
	}
}

// TestComparedDecoded holds: a body whose transfer encoding was undone is compared as it is with the promises of
// another reference, and is not decoded again.
func TestComparedDecoded(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		io.WriteString(w, base64.StdEncoding.EncodeToString([]byte("the body itself")))
	})
	box, dir := maildir(t), home(t)
	for i, size := range []int{-1, len("the body itself")} {
		deliver(t, box, fmt.Sprintf("%d:2,", i), promising(fmt.Sprint(i), s.URL+"/file", size, "Content-Transfer-Encoding: base64\r\n"))
	}
	if res := run(t, dir, options(box)); res.Captures != 2 || s.total() != 1 {
		t.Errorf("got %+v and %d requests, want 2 captures by 1 request", res.Counts, s.total())
	}
	clean(t, dir)
	if got, want := len(objects(t, dir)), 3; got != want {
		t.Errorf("got %d objects, want %d: the messages and one body", got, want)
	}
	a := read(t, dir)
	out := filepath.Join(t.TempDir(), "out")
	if _, err := a.Export(t.Context(), out, &archive.ExportOptions{As: "mbox", Inline: true}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(out)
	must(t, err)
	once := base64.StdEncoding.EncodeToString([]byte("the body itself"))
	if got := strings.Count(string(text), "the body itself") + strings.Count(string(text), once); got != 2 {
		t.Errorf("inline: got %d bodies in the messages, want 2:\n%s", got, text)
	}
}

// TestEncoded holds: octets that were encoded are the same when they are decoded.
func TestEncoded(t *testing.T) {
	for _, size := range []int{0, 1, 2, 3, 24, 25, 3 << 10, 3<<10 + 1, 20_000} {
		raw := make([]byte, size)
		for i := range raw {
			raw[i] = byte(i * 7)
		}
		for _, enc := range []message.Encoding{message.Base64, message.QuotedPrintable} {
			got, err := io.ReadAll(message.DecodeStrict(archive.Encoded(io.NopCloser(bytes.NewReader(raw)), enc), enc))
			if err != nil || !bytes.Equal(got, raw) {
				t.Errorf("%d octets as %v: got %d octets, %v; want the same octets", size, enc, len(got), err)
			}
		}
	}
}

// TestUnmodified holds: an answer that a body is still the same captures a reference again only if that body is the
// one that the reference promises; and the server is asked so again the next time, although that answer named no
// validator.
func TestUnmodified(t *testing.T) {
	text, whole := "one", 0
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("If-None-Match") == `"`+text+`"` {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		whole++
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("ETag", `"`+text+`"`)
		io.WriteString(w, text)
	})
	box, dir := maildir(t), home(t)
	deliver(t, box, "1:2,", promising("1", s.URL+"/file", 3, "")) // as "one" has
	deliver(t, box, "2:2,", promising("2", s.URL+"/file", -1, ""))
	run(t, dir, options(box))
	o := options(box)
	o.Recapture = time.Nanosecond
	for n := range 3 {
		if res := run(t, dir, o); res.Exceptions != 0 || whole != 1 {
			t.Errorf("run %d: got %+v and %d bodies sent, want no exception and 1", n+1, res.Counts, whole)
		}
	}
	text = "another"
	for n := range 3 {
		if res := run(t, dir, o); res.Exceptions != 1 || whole != 3 {
			t.Errorf("changed, run %d: got %+v and %d bodies sent, want an exception for the reference that promises 3 octets, and 3", n+1, res.Counts, whole)
		}
	}
	clean(t, dir)
}

// TestFairTurns checks that a link that answers 429 each night keeps no other link of its
// host from being asked for.
func TestFairTurns(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/busy" {
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		plain(w, r)
	})
	box, dir := inbox(t, append([]string{s.URL + "/busy"}, numbered(s, 20)...)...)
	c, captures := new(clock), int64(0)
	for night := range 3 {
		c.set(time.Now().AddDate(0, 0, night), 0)
		o := options(box)
		o.Jobs = 1
		captures += runAt(t, dir, c, o).Captures
	}
	if captures != 20 || s.asks["/busy"] != 3 {
		t.Errorf("got %d captures, %d requests for the link that is busy; want 20, 3", captures, s.asks["/busy"])
	}
	clean(t, dir)
}

// TestMessageBound checks that a run asks for at most 200 references of one message, and
// the next run for the others.
func TestMessageBound(t *testing.T) {
	s := newSite(t, plain)
	box, dir := maildir(t), home(t)
	deliver(t, box, "1:2,", letter("1", numbered(s, 450)...))
	deliver(t, box, "2:2,", letter("2", s.URL+"/other"))
	for i, want := range []struct{ captures, left int64 }{{201, 250}, {200, 50}, {50, 0}, {0, 0}} {
		o := options(box)
		o.Resolver.Fetcher = fetcher("127.0.0.1", safefetch.Options{Throttle: &throttle.Options{PerHost: 8}})
		if res := run(t, dir, o); res.Captures != want.captures || res.Left != want.left || res.Spent != (want.left > 0) {
			t.Errorf("run %d: got %+v, spent %v; want %+v", i, res.Counts, res.Spent, want)
		}
	}
}

// TestOneParse checks that the references of one message cost about the same each, however
// many there are.
func TestOneParse(t *testing.T) {
	took := func(n int) time.Duration {
		box, dir := maildir(t), home(t)
		var urls []string
		for i := range n { // bodies in the message, so that no host is asked
			urls = append(urls, fmt.Sprintf("data:application/octet-stream,%d", i))
		}
		deliver(t, box, "1:2,", letter("1", urls...))
		o := options(box)
		o.Resolve = nil
		a := open(t, dir)
		defer a.Close()
		begun := time.Now()
		if res, err := a.Sync(t.Context(), o); err != nil || res.Captures != int64(n) {
			t.Fatalf("got %+v, %v; want %d captures", res.Counts, err, n)
		}
		return time.Since(begun)
	}
	few, many := took(100), took(800)
	t.Logf("100 references: %v, 800 references: %v", few, many)
	if many > 30*few {
		t.Errorf("got %v for 800 references and %v for 100, want it to grow with their number", many, few)
	}
}

// TestFailedRecapture checks that a capture stays the outcome of its reference after an
// attempt to get it again has failed, for everything that reports outcomes.
func TestFailedRecapture(t *testing.T) {
	answer := plain
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) { answer(w, r) })
	box, dir := inbox(t, s.URL+"/1")
	c, start := new(clock), time.Now() // as the server has it
	o := options(box)
	o.Recapture = 5 * 24 * time.Hour
	c.set(start, 0)
	runAt(t, dir, c, o)
	answer = http.NotFound
	c.set(start.Add(6*24*time.Hour), 0)
	if res := runAt(t, dir, c, o); res.Exceptions != 1 || res.New != 0 || res.GivenUp != 0 {
		t.Errorf("got %+v, want an exception that is not new", res.Counts)
	}
	a := readAt(t, dir, c)
	if st, err := a.Status(); err != nil || st.Captures != 1 || st.Exceptions+st.Due != 0 {
		t.Errorf("status: got %+v, %v; want one captured, nothing due", st, err)
	}
	a.Due(func(r *archive.DueRow) error {
		t.Errorf("due: got %+v, want nothing", r)
		return nil
	})
	if rows := table(t, a); !strings.Contains(rows, ",captured,") || !strings.Contains(rows, ",1,,,") {
		t.Errorf("csv: got %s, want it captured, the failed attempt, and no due time", rows)
	}
	if v := clean(t, dir); v.Captured != 1 || v.Excepted != 0 {
		t.Errorf("verify: got %+v, want one captured", v)
	}
	if text := slurp(t, dir, "ledger"); strings.Contains(text, `"due"`) {
		t.Error("the ledger says that a captured reference is due")
	}
}

// TestFailedRecaptureBeside checks that a failed attempt to capture again leaves a reference
// its own body, if another reference to the URL, with other promises, got a new one. The
// value of a Repr-Digest is a promise.
func TestFailedRecaptureBeside(t *testing.T) {
	octets := "the first"
	sum := sha256.Sum256([]byte(octets))
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, octets) })
	box, dir := inbox(t, s.URL+"/1")
	field := "Repr-Digest: sha-256=:" + base64.StdEncoding.EncodeToString(sum[:]) + ":\r\n"
	deliver(t, box, "2:2,S", promising("2", s.URL+"/1", -1, field))
	deliver(t, box, "3:2,S", promising("3", s.URL+"/1", -1, strings.Replace(field, ":", ": sha-512=:AA==:, ", 1)))
	o := options(box)
	o.Recapture = time.Nanosecond
	run(t, dir, o)
	octets = "another one"
	if res := run(t, dir, o); res.Captures != 1 || res.Exceptions != 2 {
		t.Errorf("got %+v, want a capture and two exceptions", res.Counts)
	}
	rows := table(t, readAt(t, dir, new(clock)))
	if got := strings.Count(rows, fmt.Sprintf(",captured,declared,%x,9,", sum)); got != 2 {
		t.Errorf("got %d references with their own body in %s, want 2", got, rows)
	}
}

// TestDeferredDial holds: a request that its turn did not come for is no attempt, also if it
// waited for the address.
func TestDeferredDial(t *testing.T) {
	box, dir := inbox(t, "http://a.example/1")
	o := options(box)
	o.Resolver.Fetcher = fetch.Func(func(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
		err := &fetch.Error{Op: "fetch", Kind: fetch.Deferred, Err: throttle.ErrTurn, After: time.Now().Add(time.Hour)}
		driver.End(driver.Begin(req, "http", req.URL, 0), err)
		return nil, err
	})
	if res := run(t, dir, o); res.Deferred != 1 || len(attempts(t, dir)) != 0 {
		t.Errorf("got %+v and %d attempts, want one deferred and none", res.Counts, len(attempts(t, dir)))
	}
	clean(t, dir)
}

// TestLoginPage checks that a page that wants a login is not captured as a file that has a name
// and the type application/octet-stream, and that other HTML of that type is.
func TestLoginPage(t *testing.T) {
	const login = "<!DOCTYPE html><html><title>Sign in</title><form><input type=password name=p></form></html>"
	for _, tt := range []struct {
		name, file, page string
		captured         int64
	}{
		{"a known format", "report.pdf", login, 0},
		{"a known format, any page", "report.pdf", "<!DOCTYPE html><p>Hello", 0},
		{"an unknown format", "data.xyz", login, 0},
		{"an unknown format, any page", "data.xyz", "<!DOCTYPE html><p>Hello", 1},
		{"HTML", "page.html", "<!DOCTYPE html><p>Hello", 1},
	} {
		s := newSite(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, tt.page)
		})
		box, dir := maildir(t), home(t)
		text := letter("1", s.URL+"/get")
		deliver(t, box, "1:2,", strings.Replace(text, "Type: application/octet-stream", "Type: application/octet-stream; name="+tt.file, 1))
		if res := run(t, dir, options(box)); res.Captures != tt.captured {
			t.Errorf("%s: got %+v, want %d captured", tt.name, res.Counts, tt.captured)
		}
		if list := attempts(t, dir); tt.captured == 0 && list[0].Kind != "interstitial" {
			t.Errorf("%s: got %q, want interstitial", tt.name, list[0].Kind)
		}
	}
}

// TestRetryAfterAcrossRuns holds: until the time that a host named, no run asks it for anything, but for the last
// twentieth of the wait, so that a nightly run that starts earlier skips no night.
func TestRetryAfterAcrossRuns(t *testing.T) {
	for _, wait := range []int{600, 86400} {
		busy := true
		s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
			if busy {
				w.Header().Set("Retry-After", fmt.Sprint(wait))
				w.WriteHeader(http.StatusTooManyRequests)
				return
			}
			plain(w, r)
		})
		box, dir := inbox(t, s.URL+"/1")
		c := new(clock)
		begin := time.Now()
		for i, night := range []struct {
			after           int // seconds
			asks            bool
			deferred, taken int64
		}{
			{0, true, 0, 0},
			{wait / 2, false, 1, 0},
			{wait * 9 / 10, false, 2, 0},
			{wait - wait/30, true, 0, 4},
			{wait, true, 0, 1},
		} {
			c.set(begin.Add(time.Duration(night.after)*time.Second), 0)
			busy = i == 0
			if i > 0 {
				deliver(t, box, fmt.Sprintf("n%d:2,", i), letter(fmt.Sprint("n", i), fmt.Sprintf("%s/n%d", s.URL, i)))
			}
			before := s.total()
			res := runAt(t, dir, c, options(box))
			if asked := s.total() > before; asked != night.asks || res.Deferred != night.deferred || res.Captures != night.taken {
				t.Errorf("a wait of %d s, after %d s: got %v asked, %d deferred, %d captured; want %v, %d, %d", wait, night.after, asked, res.Deferred, res.Captures, night.asks, night.deferred, night.taken)
			}
			clean(t, dir)
		}
	}
}
