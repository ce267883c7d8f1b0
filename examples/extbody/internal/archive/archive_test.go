package archive_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/safefetch"
)

// filled returns an archive of n messages with a body each, and of one that is gone.
func filled(t testing.TB, n int) (dir, box string, s *site) {
	s = newSite(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/gone" {
			http.Error(w, "deleted by its owner", http.StatusGone)
			return
		}
		plain(w, r)
	})
	box, dir = inbox(t, numbered(s, n)...)
	deliver(t, box, "gone:2,S", letter("gone", s.URL+"/gone"))
	run(t, dir, options(box))
	return dir, box, s
}

func verify(t testing.TB, dir string) *archive.Verdict {
	t.Helper()
	v, err := archive.Verify(context.Background(), dir, ledger.Head{})
	must(t, err)
	return v
}

func clean(t testing.TB, dir string) *archive.Verdict {
	t.Helper()
	v := verify(t, dir)
	if len(v.Faults)+len(v.Notes) > 0 {
		t.Fatalf("got faults %v, notes %v; want none", v.Faults, v.Notes)
	}
	return v
}

func copied(t testing.TB, dir string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "copy")
	must(t, os.CopyFS(to, os.DirFS(dir)))
	if from := files(dir); from != filepath.Join(dir, "objects") {
		bucket := filepath.Join(t.TempDir(), "bucket")
		must(t, os.CopyFS(bucket, os.DirFS(from)))
		put(t, filepath.Join(to, "objects"), "file://"+bucket+"\n")
	}
	return to
}

func mustGlob(t testing.TB, dir, pattern string) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil || len(list) == 0 {
		t.Fatalf("%s: got %v, %v; want a file or more", pattern, list, err)
	}
	return list
}

// TestPrefixes cuts the ledger and the exchanges of a run anywhere, as a kill does, and
// wants each state to verify, and the next run to lose nothing.
func TestPrefixes(t *testing.T) {
	dir, box, s := filled(t, 8)
	want := clean(t, dir)
	os.Remove(filepath.Join(dir, "head"))
	os.Remove(filepath.Join(dir, "index"))
	path := mustGlob(t, dir, "ledger/*")[0]
	text, err := os.ReadFile(path)
	must(t, err)
	asked := s.total()
	for i := 1; i <= 10; i++ {
		at := len(text) * i / 11
		d := copied(t, dir)
		put(t, filepath.Join(d, "ledger", filepath.Base(path)), string(text[:at]))
		if i%4 == 0 {
			// Files without a line may be anything.
			if x, _ := filepath.Glob(filepath.Join(d, "exchanges", "*")); len(x) > 0 {
				info, _ := os.Stat(x[0])
				if end := spansEnd(t, d); end < info.Size() {
					os.Truncate(x[0], (end+info.Size())/2)
				}
			}
		}
		if v := verify(t, d); len(v.Faults) > 0 && at > len("{") {
			if !strings.Contains(string(text[:at]), "\n") {
				continue // not even the run has started
			}
			t.Fatalf("%d of %d octets of the ledger: got %v, want no fault", at, len(text), v.Faults)
		}
		run(t, d, options(box))
		if v := clean(t, d); v.Captured != want.Captured || v.Excepted != want.Excepted || v.Messages != want.Messages || v.References != want.References {
			t.Errorf("%d octets: got %+v, want %+v", at, v, want)
		}
	}
	if n := s.total() - asked; n > 10*3 {
		t.Logf("%d bodies were asked for again", n)
	}
}

// TestRecoverDamaged damages the exchanges of a run that was killed. The next run must not
// remove any octets that lines tell of: the damage to one attempt must not cost the others.
func TestRecoverDamaged(t *testing.T) {
	dir, _, _ := filled(t, 6)
	path := mustGlob(t, dir, "ledger/*")[0]
	text, err := os.ReadFile(path)
	must(t, err)
	lines := strings.SplitAfter(string(text), "\n")
	put(t, path, strings.Join(lines[:len(lines)-2], "")) // without the end of the run
	os.Remove(filepath.Join(dir, "head"))
	os.Remove(filepath.Join(dir, "index"))
	x := mustGlob(t, dir, "exchanges/*")[0]
	whole, err := os.ReadFile(x)
	must(t, err)
	middle := len(whole)/2 + bytes.Index(whole[len(whole)/2:], []byte{0x1f, 0x8b, 8}) // where a record starts
	for _, tt := range []struct {
		name string
		at   int
	}{{"Beginning", 0}, {"Middle", middle}} {
		t.Run(tt.name, func(t *testing.T) {
			d := copied(t, dir)
			damaged := bytes.Clone(whole)
			damaged[tt.at] ^= 1
			file := filepath.Join(d, "exchanges", filepath.Base(x))
			put(t, file, string(damaged))
			open(t, d).Close()
			if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, damaged) {
				t.Errorf("got %d octets of exchanges, %v; want the same %d octets as before", len(got), err, len(damaged))
			}
			if v := verify(t, d); len(v.Faults) != 1 || v.Spans != 6 {
				t.Errorf("got %d spans that agree and the faults %q, want 6 and one fault", v.Spans, v.Faults)
			}
		})
	}
}

// spansEnd returns where the exchanges end of which lines tell.
func spansEnd(t testing.TB, dir string) (end int64) {
	t.Helper()
	for _, a := range attempts(t, dir) {
		if a.Exchanges != nil {
			end = max(end, a.Exchanges.Offset+a.Exchanges.Length)
		}
	}
	return end
}

func TestChanged(t *testing.T) { kinds(t, testChanged) }

func testChanged(t *testing.T) {
	text := "one"
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("ETag", `"`+text+`"`)
		if r.Header.Get("If-None-Match") == `"`+text+`"` {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		io.WriteString(w, text)
	})
	box, dir := inbox(t, s.URL+"/file")
	run(t, dir, options(box))
	again := func() *archive.Result {
		o := options(box)
		o.Recapture = time.Nanosecond
		return run(t, dir, o)
	}
	if res := again(); res.Changed != 0 || len(objects(t, dir)) != 2 {
		t.Errorf("not modified: got %+v and %d objects, want no change, 2 objects", res.Counts, len(objects(t, dir)))
	}
	text = "two"
	if res := again(); res.Changed != 1 || len(objects(t, dir)) != 3 {
		t.Errorf("modified: got %+v and %d objects, want a change, 3 objects", res.Counts, len(objects(t, dir)))
	}
	clean(t, dir)
	if text := page(t, read(t, dir)); !strings.Contains(text, "Changed since") || strings.Contains(text, "has changed.") {
		t.Error("the report does not tell of the change")
	}
}

// TestSize holds EB-28: a body of another size than its reference promises is an
// exception, unless sizes do not count.
func TestSize(t *testing.T) {
	s := newSite(t, plain)
	box, dir := maildir(t), home(t)
	deliver(t, box, "1:2,", strings.Replace(letter("1", s.URL+"/file"), "access-type=", "size=1; access-type=", 1))
	res := run(t, dir, options(box))
	if res.Captures != 0 || res.Exceptions != 1 {
		t.Errorf("got %+v, want an exception", res.Counts)
	}
	o := options(box)
	o.AcceptSize = true
	if res := run(t, filepath.Join(t.TempDir(), "other"), o); res.Captures != 1 || res.Exceptions != 0 {
		t.Errorf("sizes do not count: got %+v, want a capture", res.Counts)
	}
	clean(t, dir)
}

// TestRetryAfter checks that a host that answers 429 is left alone. Only the references
// that were asked for have an exception, which is due when the host says. The others are
// due as before, and no line is written for them.
func TestRetryAfter(t *testing.T) {
	n := often("EXTBODY_TEST_BUSY", 30)
	busy := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", "600")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	s := newSite(t, plain)
	box, dir := maildir(t), home(t)
	for i := range n {
		deliver(t, box, fmt.Sprintf("b%d:2,", i), letter("b"+fmt.Sprint(i), fmt.Sprintf("%s/%d", busy.URL, i)))
		deliver(t, box, fmt.Sprintf("g%d:2,", i), letter("g"+fmt.Sprint(i), fmt.Sprintf("%s/%d", s.named(), i)))
	}
	res := run(t, dir, options(box))
	if busy.total() > 2 || res.Captures != int64(n) || res.Exceptions != int64(busy.total()) || res.Exceptions+res.Deferred != int64(n) {
		t.Errorf("got %d requests, %+v; want 2 requests at most, an exception for each, and %d captures", busy.total(), res.Counts, n)
	}
	a := read(t, dir)
	asked := 0
	err := a.Due(func(r *archive.DueRow) error {
		switch d := time.Until(r.Due); {
		case r.Due.IsZero() && r.Attempts == 0:
		case d < 500*time.Second || d > 610*time.Second || r.Reason != archive.Throttling || r.Attempts != 1:
			t.Errorf("got %+v, want it due in 600 s because of %s", r, archive.Throttling)
		default:
			asked++
		}
		return nil
	})
	if err != nil || asked != busy.total() {
		t.Errorf("got %d rows of attempts, %v; want %d", asked, err, busy.total())
	}
}

// TestNoSpace holds: where the disk has no room the run ends, and leaves nothing of which
// no line tells.
func TestNoSpace(t *testing.T) {
	s := newSite(t, plain)
	box, dir := inbox(t, numbered(s, 20)...)
	o := options(box)
	o.Resolve = nil
	run(t, dir, o)
	// Something is in each place where the exchanges of the run belong.
	a := open(t, dir)
	for k := range 1000 {
		put(t, filepath.Join(dir, "exchanges", fmt.Sprintf("%08d-%04d.warc.gz", a.Head().Seq+1, k+1)), "")
	}
	if res, err := a.Sync(t.Context(), options(box)); err == nil {
		t.Errorf("got %+v, want an error", res)
	}
	a.Close()
	if v := clean(t, dir); v.Captured != 0 || v.Objects != 20 {
		t.Errorf("got %+v, want no body", v)
	}
	if res := run(t, dir, options(box)); res.Captures != 20 {
		t.Errorf("got %+v, want all captured", res)
	}
	clean(t, dir)
}

// TestBusy holds: one run at a time.
func TestBusy(t *testing.T) {
	dir := home(t)
	a := open(t, dir)
	defer a.Close()
	if _, err := archive.Open(dir, true, nil); !errors.Is(err, archive.ErrBusy) {
		t.Errorf("got %v, want %v", err, archive.ErrBusy)
	}
}

// TestBudget holds: a budget that ends leaves the rest for the next run.
func TestBudget(t *testing.T) {
	s := newSite(t, plain)
	box, dir := inbox(t, numbered(s, 30)...)
	o := options(box)
	o.Budget = fetch.NewBudget(fetch.BudgetLimits{Fetches: 10})
	res := run(t, dir, o)
	if !res.Spent || res.Captures != 10 || res.Left != 20 || res.Exceptions != 0 || s.total() != 10 {
		t.Errorf("got %+v, %d requests; want 10 captures, 20 left", res, s.total())
	}
	clean(t, dir)
	if res := run(t, dir, options(box)); res.Spent || res.Captures != 20 {
		t.Errorf("got %+v, want the other 20", res)
	}
}

func TestForget(t *testing.T) { kinds(t, testForget) }

func testForget(t *testing.T) {
	dir, box, s := filled(t, 4)
	a := open(t, dir)
	g, err := a.Forget(selector(t, "message=<1@example.org>"), &archive.ForgetOptions{Reason: "asked to"})
	if err != nil || len(g.Objects) != 2 || len(g.Exchanges) != 1 {
		t.Fatalf("got %+v, %v; want 2 objects and 1 exchange", g, err)
	}
	a.Close()
	v := clean(t, dir)
	if v.Forgotten != 3 || v.Objects != 7 {
		t.Errorf("got %+v, want 3 forgotten, 7 objects", v)
	}
	asked := s.total()
	run(t, dir, options(box))
	if v := clean(t, dir); s.total() != asked || v.Objects != 7 {
		t.Errorf("got %d requests and %d objects; want that what was forgotten stays so", s.total()-asked, v.Objects)
	}
	text := slurp(t, dir, "exchanges", "objects")
	if strings.Contains(text, "%body of /1\n") {
		t.Error("the octets are there still")
	}
	forget(t, dir, "url="+s.URL+"/gone")
	clean(t, dir)
}

// slurp returns all octets of folders.
func slurp(t testing.TB, dir string, subs ...string) string {
	var b strings.Builder
	for _, sub := range subs {
		root := filepath.Join(dir, sub)
		if sub == "objects" {
			root = files(dir)
		}
		filepath.WalkDir(root, func(path string, e os.DirEntry, err error) error {
			isMark := sub == "objects" && e.Name() == "head" // of the last run, in a bucket
			if err == nil && !e.IsDir() && !isMark {
				text, _ := os.ReadFile(path)
				b.Write(text)
			}
			return nil
		})
	}
	return b.String()
}

// TestExport holds: the same archive gives the same octets, and foreign readers take them.
func TestExport(t *testing.T) { kinds(t, testExport) }

func testExport(t *testing.T) {
	dir, _, _ := filled(t, 6)
	a := read(t, dir)
	tmp := t.TempDir()
	for _, o := range []archive.ExportOptions{{As: "csv"}, {As: "mbox"}, {As: "mbox", Inline: true}, {As: "eml", Inline: true}, {As: "maildir"}, {As: "warc"}, {As: "wacz"}, {As: "load"}} {
		name := fmt.Sprintf("%s-%v", o.As, o.Inline)
		one, two := filepath.Join(tmp, name+"-1."+o.As), filepath.Join(tmp, name+"-2."+o.As)
		if o.As == "warc" {
			one, two = one+".gz", two+".gz"
		}
		for _, out := range []string{one, two} {
			if n, err := a.Export(t.Context(), out, &o); err != nil || n == 0 {
				t.Fatalf("%s: got %d, %v; want some, nil", name, n, err)
			}
		}
		if slurp(t, tmp, filepath.Base(one)) != slurp(t, tmp, filepath.Base(two)) {
			t.Errorf("%s: got two exports that differ, want the same", name)
		}
		if o.Inline && !strings.Contains(slurp(t, tmp, filepath.Base(one)), base64.StdEncoding.EncodeToString([]byte(body("/3")))) {
			t.Errorf("%s: got no body of /3, want it", name)
		}
	}
	for _, form := range []string{"eml", "maildir", "load", "mbox"} {
		there := t.TempDir()
		if _, err := a.Export(t.Context(), there, &archive.ExportOptions{As: form}); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s in a folder that is there: got %v, want %v", form, err, fs.ErrExist)
		}
		if list, err := os.ReadDir(there); err != nil || len(list) > 0 {
			t.Errorf("%s: got %v, %v in a folder that was there, want nothing", form, list, err)
		}
	}
	f, err := os.Open(filepath.Join(tmp, "csv-false-1.csv"))
	must(t, err)
	defer f.Close()
	if rows, err := csv.NewReader(f).ReadAll(); err != nil || len(rows) != 8 {
		t.Errorf("csv: got %d rows, %v; want 8", len(rows), err)
	}
	if sqlite, err := exec.LookPath("sqlite3"); err != nil {
		t.Log("no sqlite3: the CSV is not imported")
	} else {
		cmd := exec.Command(sqlite, ":memory:", ".mode csv", ".import '"+f.Name()+"' r", "select state, count(*) from r group by state;")
		if out, err := cmd.CombinedOutput(); err != nil || strings.TrimSpace(strings.ReplaceAll(string(out), "\r", "")) != "captured,6\nexception,1" {
			t.Errorf("sqlite3: got %q, %v; want no warning, 6 captured, 1 exception", out, err)
		}
	}
}

// TestSecrets holds: the secrets of a login are nowhere in the archive.
func TestSecrets(t *testing.T) {
	const token = "tok-5f2e81c7d0"
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+token {
			w.Header().Set("WWW-Authenticate", `Bearer realm="files"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		w.Header().Set("Set-Cookie", "session="+token)
		if r.URL.Path == "/denied" {
			w.WriteHeader(http.StatusForbidden)
			fmt.Fprint(w, "denied")
			return
		}
		plain(w, r)
	})
	box, dir := inbox(t, s.URL+"/file", s.URL+"/denied")
	o := options(box)
	o.Resolver.Fetcher = fetcher("127.0.0.1", safefetch.Options{AllowPlaintext: true})
	o.Resolver.Credentials = func(context.Context, fetch.Challenge) (*fetch.Userinfo, error) {
		return &fetch.Userinfo{Token: token}, nil
	}
	if res := run(t, dir, o); res.Captures != 1 {
		t.Fatalf("got %+v, want a capture", res)
	}
	clean(t, dir)
	all := slurp(t, dir, "ledger", "objects", "index", "head") + unzipped(t, dir)
	if strings.Contains(all, token) {
		i := strings.Index(all, token)
		t.Errorf("got the token in %q, want it nowhere", all[max(0, i-200):min(len(all), i+50)])
	}
	filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if info, err := e.Info(); err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: got the mode %o, want none for others", path, info.Mode().Perm())
		}
		return nil
	})
}

// TestUnread holds: a message that is beyond a limit is stored, though no reference was found in it, and parts that
// could not be looked into are counted, in the line of its message and in the report.
func TestUnread(t *testing.T) {
	dir, path := filepath.Join(t.TempDir(), "archive"), filepath.Join(t.TempDir(), "a.mbox")
	put(t, path, "From a@example.org Thu Jan  1 00:00:00 1970\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nx\n--b\n\nx\n--b--\n\n"+
		"From a@example.org Thu Jan  1 00:00:00 1970\nContent-Type: message/partial; id=x\n\nx\n")
	o := options(path)
	o.Open.MaxParts = 2
	res := run(t, dir, o)
	if want := (map[externalbody.DiagCode]int{externalbody.DiagCutShort: 1, externalbody.DiagPartialMessage: 1}); !maps.Equal(res.Unread, want) || res.Sources[0].Stored != 1 {
		t.Errorf("got %v, %d stored; want %v, 1", res.Unread, res.Sources[0].Stored, want)
	}
	clean(t, dir)
	const part = `"unread":[{"section":"1","type":"message/partial","reason":"partial-message","detail":"x"}]`
	lines := slurp(t, dir, "ledger")
	if strings.Count(lines, `"unread"`) != 1 || !strings.Contains(lines, part) {
		t.Errorf("got %s, want one line with %s", lines, part)
	}
	got := page(t, readAt(t, dir, nil))
	if _, table, _ := strings.Cut(got, "Messages with parts that could not be looked into"); !strings.Contains(table, "1 message/partial <code class=\"soft\">partial-message</code> x<br>") {
		t.Errorf("got %s, want a table with the message/partial", got)
	}
}

// TestUnreadMany holds: a line has 100 parts that could not be looked into, and the number of the others.
func TestUnreadMany(t *testing.T) {
	text := "Content-Type: multipart/mixed; boundary=b\r\n\r\n" + strings.Repeat("--b\r\nContent-Type: multipart/encrypted\r\n\r\nx\r\n", 103) + "--b--\r\n"
	box := maildir(t)
	deliver(t, box, "a:2,", text)
	dir := home(t)
	run(t, dir, options(box))
	lines := slurp(t, dir, "ledger")
	if n := strings.Count(lines, `"reason":"encrypted"`); n != 100 || !strings.Contains(lines, `"unread_left":3`) {
		t.Errorf("got %d parts in %s, want 100 and 3 left", n, lines)
	}
}
