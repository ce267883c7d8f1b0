package archive_test

import (
	"fmt"
	"net/http"
	"net/netip"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
	"github.com/go-extbody/extbody/fetch/netguard"
	"github.com/go-extbody/extbody/fetch/safefetch"
	"github.com/go-extbody/extbody/fetch/throttle"
)

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
	box, dir := maildir(t), filepath.Join(t.TempDir(), "archive")
	deliver(t, box, "000:2,", letter("busy", s.URL+"/busy"))
	for i := range 20 {
		deliver(t, box, fmt.Sprintf("%03d:2,", i+1), letter(fmt.Sprint(i), fmt.Sprintf("%s/%d", s.URL, i)))
	}
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
	box, dir := maildir(t), filepath.Join(t.TempDir(), "archive")
	var urls []string
	for i := range 450 {
		urls = append(urls, fmt.Sprintf("%s/%d", s.URL, i))
	}
	deliver(t, box, "1:2,", letter("1", urls...))
	deliver(t, box, "2:2,", letter("2", s.URL+"/other"))
	for i, want := range []struct{ captures, left int64 }{{201, 250}, {200, 50}, {50, 0}, {0, 0}} {
		o := options(box)
		o.Resolver.Fetcher = safefetch.New(&safefetch.Options{
			Guard:    &netguard.Guard{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, AnyPort: true},
			Throttle: &throttle.Options{PerHost: 8},
		})
		if res := run(t, dir, o); res.Captures != want.captures || res.Left != want.left || res.Spent != (want.left > 0) {
			t.Errorf("run %d: got %+v, spent %v; want %+v", i, res.Counts, res.Spent, want)
		}
	}
}

// TestOneParse checks that the references of one message cost about the same each, however
// many there are.
func TestOneParse(t *testing.T) {
	took := func(n int) time.Duration {
		box, dir := maildir(t), filepath.Join(t.TempDir(), "archive")
		var b strings.Builder
		b.WriteString("MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n")
		for i := range n { // bodies in the message, so that no host is asked
			fmt.Fprintf(&b, "--b\r\nContent-Type: message/external-body; access-type=URL;\r\n URL=\"data:,%d\"\r\n\r\nContent-Type: text/plain\r\n\r\n", i)
		}
		b.WriteString("--b--\r\n")
		deliver(t, box, "1:2,", b.String())
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
	gone := false
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		if gone {
			http.NotFound(w, r)
			return
		}
		plain(w, r)
	})
	box, dir := maildir(t), filepath.Join(t.TempDir(), "archive")
	deliver(t, box, "1:2,", letter("1", s.URL+"/1"))
	c, start := new(clock), time.Now()
	o := options(box)
	o.Recapture = 5 * 24 * time.Hour
	c.set(start, 0)
	runAt(t, dir, c, o)
	gone = true
	c.set(start.Add(6*24*time.Hour), 0)
	if res := runAt(t, dir, c, o); res.Exceptions != 1 || res.New != 0 || res.GivenUp != 0 {
		t.Errorf("got %+v, want an exception that is not new", res.Counts)
	}
	a, err := archive.Read(dir, &archive.Options{Now: c.now})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if st, err := a.Status(); err != nil || st.Captures != 1 || st.Exceptions+st.Due != 0 {
		t.Errorf("status: got %+v, %v; want one captured, nothing due", st, err)
	}
	a.Due(func(r *archive.DueRow) error {
		t.Errorf("due: got %+v, want nothing", r)
		return nil
	})
	var table strings.Builder
	if _, err := a.WriteCSV(&table); err != nil || !strings.Contains(table.String(), ",captured,") || !strings.Contains(table.String(), ",1,,,") {
		t.Errorf("csv: got %s, %v; want it captured, the failed attempt, and no due time", table.String(), err)
	}
	if v := clean(t, dir); v.Captured != 1 || v.Excepted != 0 {
		t.Errorf("verify: got %+v, want one captured", v)
	}
	if text := slurp(t, dir, "ledger"); strings.Contains(text, `"due"`) {
		t.Error("the ledger says that a captured reference is due")
	}
}
