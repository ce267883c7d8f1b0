package archive_test

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
)

// size returns the octets of all files below a folder.
func size(t testing.TB, dir string) (n int64) {
	t.Helper()
	must(t, filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if info, ierr := e.Info(); err == nil && ierr == nil && !e.IsDir() {
			n += info.Size()
		}
		return err
	}))
	return n
}

// TestMillionMessages holds: in an archive of very many messages a night without news adds no more octets than in a
// small one, and takes at most 400 MiB, and a search finds its messages. EXTBODY_TEST_MESSAGES is how many messages
// there are.
//
//	EXTBODY_TEST_MESSAGES=1000000 go test -v -timeout 1h -run TestMillionMessages ./examples/extbody/internal/archive
func TestMillionMessages(t *testing.T) {
	if testing.Short() {
		t.Skip("another program is run")
	}
	n := often("EXTBODY_TEST_MESSAGES", 3000)
	dir := home(t)
	begun := time.Now()
	archive.FillMessages(t, dir, generatedName, generatedValidity, n)
	t.Logf("%d messages: made in %v, a ledger of %d octets a message", n, time.Since(begun), size(t, filepath.Join(dir, "ledger"))/int64(n))
	const nights = 3 // the first notes the rules by which the messages were read
	for night := range nights {
		before, files := size(t, filepath.Join(dir, "ledger")), size(t, dir)
		cmd := syncing(dir, t.TempDir())
		cmd.Env = append(cmd.Env, "GOGC=60", "EXTBODY_TEST_GENERATED="+strconv.Itoa(n)) // as the program has it
		begun := time.Now()
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("got error %v, want none: %s", err, out)
		}
		var rss int64
		if _, err := fmt.Sscanf(string(out), "%d kB", &rss); err != nil {
			t.Fatalf("got %q, want the memory that was taken", out)
		}
		rss >>= 10
		added := size(t, filepath.Join(dir, "ledger")) - before
		t.Logf("night %d: %v, %v of the CPU, %d MiB RSS, %d octets more in the ledger, %d in all", night, time.Since(begun),
			cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime(), rss, added, size(t, dir)-files)
		if night > 0 && added > 1000 {
			t.Errorf("night %d: got %d octets more in the ledger, want the two lines of the run alone", night, added)
		}
		if rss > 400 {
			t.Errorf("night %d: got %d MiB RSS, want 400 at most", night, rss)
		}
	}
	a := readAt(t, dir, nil)
	for _, terms := range [][]string{
		{"from=u500@example.org", "since=2025-01-01", "until=2025-12-31", "name=report"},
		{"name=report-700.pdf"}, {"message=<700@example.org>"}, {"host=files30.example"}, {"state=captured"},
	} {
		begun, found := time.Now(), 0
		must(t, a.Search(selector(t, terms...), func(*archive.Found) error { found++; return nil }))
		t.Logf("%v: %d found in %v", terms, found, time.Since(begun))
		want := 0
		for i := 0; i < n; i += 10 {
			at := time.Date(2025, 1, 1, 0, i, 0, 0, time.UTC)
			switch terms[0] {
			case "from=u500@example.org":
				if i%1000 == 500 && at.Year() == 2025 {
					want++
				}
			case "name=report-700.pdf", "message=<700@example.org>":
				if i == 700 {
					want++
				}
			case "host=files30.example":
				if i%50 == 30 {
					want++
				}
			}
		}
		if found != want {
			t.Errorf("%v: got %d, want %d", terms, found, want)
		}
	}
}
