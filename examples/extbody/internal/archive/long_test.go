package archive_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
)

// TestLong holds: what is too long for a line of the ledger, from a sender or a server,
// keeps nobody from what else there is.
func TestLong(t *testing.T) {
	long := strings.Repeat("x", 5<<20)
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		switch n := 0; {
		case strings.HasPrefix(r.URL.Path, "/hop"):
			fmt.Sscanf(r.URL.Path, "/hop%d", &n)
			if n < 9 {
				w.Header().Set("Location", fmt.Sprintf("/hop%d?%s", n+1, strings.Repeat("<", 250<<10)))
				w.WriteHeader(http.StatusFound)
				return
			}
		case r.URL.Path == "/header":
			for i := range 200 {
				w.Header().Set(fmt.Sprintf("X-%d", i), strings.Repeat("<&", 600))
			}
		case r.URL.Path == "/name":
			w.Header().Set("Content-Disposition", "attachment; filename="+strings.Repeat("<", 200<<10))
		case r.URL.Path == "/words":
			w.WriteHeader(http.StatusGone)
		}
		plain(w, r)
	})
	box, dir := maildir(t), home(t)
	deliver(t, box, "url:2,", letter("url", s.URL+"/"+long))
	deliver(t, box, "bad:2,", letter("bad", "ht!tp://"+long))
	deliver(t, box, "id:2,", strings.Replace(letter("id", s.URL+"/id"), "Message-ID: <", "Message-ID: <"+long, 1))
	deliver(t, box, "inner:2,", strings.Replace(letter("inner", s.URL+"/inner"), "\r\n\r\nContent-Type: application/octet-stream", "\r\n\r\nContent-ID: <"+long+"@x>\r\nContent-Type: application/octet-stream; name="+long, 1))
	deliver(t, box, "access:2,", strings.Replace(letter("access", s.URL+"/access"), "access-type=URL", "access-type="+long, 1))
	deliver(t, box, "html:2,", "Subject: x\r\nContent-Type: text/html\r\n\r\n<a href=\"https://www.dropbox.com/s/abcdefghijklmno1a/"+long+"?dl=0\">x</a>\r\n")
	for _, name := range []string{"hop0", "header", "name", "words", "good"} {
		deliver(t, box, name+":2,", letter(name, s.URL+"/"+name))
	}
	o := options(box)
	o.Resolve = func(host string) bool { return host == "127.0.0.1" }
	run(t, dir, o)
	v := clean(t, dir)
	if v.Messages != 11 || v.Captured < 4 {
		t.Errorf("got %+v, want 11 messages, 4 captured or more", v)
	}
	again := run(t, dir, o)
	if again.Messages+again.Sightings+again.Captures != 0 {
		t.Errorf("again: got %+v, want nothing new", again.Counts)
	}
}

// fillLedger makes an archive whose ledger has n references, each with a final exception.
func fillLedger(t testing.TB, dir string, n int) {
	t.Helper()
	open(t, dir).Close()
	l, err := ledger.Open(filepath.Join(dir, "ledger"), ledger.Head{}, 0)
	must(t, err)
	defer l.Close()
	now := time.Unix(1_790_000_000, 0).UTC()
	tell := func(entries ...ledger.Entry) {
		if _, err := l.Append(now, entries...); err != nil {
			t.Fatal(err)
		}
	}
	sum := func(text string) string {
		s := sha256.Sum256([]byte(text))
		return hex.EncodeToString(s[:])
	}
	tell(ledger.Entry{Kind: "run", Body: &archive.Run{Format: archive.Format, Event: "begin"}})
	for i := 0; i < n; {
		m := &archive.MessageRecord{SHA256: sum(fmt.Sprint("message", i)), MessageID: fmt.Sprintf("<%d@example.org>", i), References: 100}
		entries := []ledger.Entry{{Kind: "message", Body: m}}
		for k := 0; k < 100 && i < n; k++ {
			url := fmt.Sprintf("https://files%d.example/d/%d", i%50, i)
			f := archive.Facts{Key: sum(url + "\n"), URL: url, Host: fmt.Sprintf("files%d.example", i%50), Message: m.SHA256, Ref: fmt.Sprint(i)}
			entries = append(entries,
				ledger.Entry{Kind: "reference", Body: &archive.ReferenceRecord{Message: f.Message, Ref: f.Ref, Key: f.Key, URL: url, Host: f.Host, Size: -1}},
				ledger.Entry{Kind: "exception", Body: &archive.Exception{Facts: f, Kind: "gone", Reason: archive.ItemDeletedOrOutsideRetention, Attempts: 1, First: now}})
			i++
		}
		tell(entries...)
	}
	tell(ledger.Entry{Kind: "run", Body: &archive.Run{Format: archive.Format, Event: "end"}})
}

// TestMillion holds: a run with nothing due makes the index anew that was deleted, in
// memory that does not grow with the ledger. EXTBODY_TEST_MILLION is how many references
// there are.
func TestMillion(t *testing.T) {
	if testing.Short() {
		t.Skip("another program is run")
	}
	n := often("EXTBODY_TEST_MILLION", 2000)
	dir := home(t)
	fillLedger(t, dir, n)
	os.Remove(filepath.Join(dir, "index"))
	cmd := syncing(dir, t.TempDir())
	cmd.Env = append(cmd.Env, "GOGC=60") // as the program has it
	begun := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("got error %v, want none: %s", err, out)
	}
	took := time.Since(begun)
	info, err := os.Stat(filepath.Join(dir, "index"))
	must(t, err)
	state := cmd.ProcessState
	t.Logf("%d references: %v, %v of the CPU, %d MiB RSS, an index of %d MiB", n, took, state.UserTime()+state.SystemTime(), maxRSS(state)>>20, info.Size()>>20)
	if rss := maxRSS(state); n >= 1_000_000 && runtime.GOOS == "linux" && rss > 256<<20 {
		t.Errorf("got %d MiB RSS, want 256 at most", rss>>20)
	}
	a := open(t, dir)
	defer a.Close()
	s, err := a.Status()
	if err != nil || s.References != int64(n) || s.Final != int64(n) || s.Due != 0 {
		t.Errorf("got %+v, %v; want %d references, all final", s, err, n)
	}
}
