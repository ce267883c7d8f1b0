package archive_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
)

// fillLedger makes an archive whose ledger has n references, each with a final exception.
func fillLedger(t testing.TB, dir string, n int) {
	t.Helper()
	open(t, dir).Close()
	l, err := ledger.Open(filepath.Join(dir, "ledger"), ledger.Head{}, 0)
	if err != nil {
		t.Fatal(err)
	}
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
	dir := filepath.Join(t.TempDir(), "archive")
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
	if err != nil {
		t.Fatal(err)
	}
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
