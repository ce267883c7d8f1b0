package archive_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
)

// A clock goes on by a step each time that it is looked at.
type clock struct {
	mu   sync.Mutex
	at   time.Time
	step time.Duration
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(c.step)
	return c.at
}

func (c *clock) set(at time.Time, step time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at, c.step = at, step
}

// runAt syncs by a clock.
func runAt(t *testing.T, dir string, c *clock, o *archive.SyncOptions) *archive.Result {
	t.Helper()
	a, err := archive.Open(dir, true, &archive.Options{Now: c.now})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	res, err := a.Sync(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func ledgers(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(dir, "ledger"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// TestMonths holds: a run that goes over the end of a month, of a year, and one whose clock
// is set back, make one chain, from which the index is made as it was.
func TestMonths(t *testing.T) {
	s := newSite(t, plain)
	box, dir := maildir(t), filepath.Join(t.TempDir(), "archive")
	n := 0
	sync := func(c *clock, files ...string) {
		t.Helper()
		for range 3 {
			n++
			deliver(t, box, fmt.Sprintf("%d:2,", n), letter(fmt.Sprint(n), fmt.Sprintf("%s/%d", s.URL, n)))
		}
		if res := runAt(t, dir, c, options(box)); res.Captures != 3 || res.Messages != 3 {
			t.Errorf("by a clock at %v: got %+v, want 3 messages and captures", c.at, res.Counts)
		}
		if got := ledgers(t, dir); !slices.Equal(got, files) {
			t.Errorf("by a clock at %v: got %v, want %v", c.at, got, files)
		}
		if v := clean(t, dir); v.Captured != int64(n) || v.References != int64(n) {
			t.Errorf("by a clock at %v: got %+v, want %d captured", c.at, v, n)
		}
		os.Remove(filepath.Join(dir, "index"))
		if res := runAt(t, dir, c, options(box)); res.Captures+res.Messages+res.Sightings+res.Exceptions != 0 {
			t.Errorf("by a clock at %v, without the index: got %+v, want nothing new", c.at, res.Counts)
		}
	}
	c := new(clock)
	// Each look at the clock is some milliseconds: the month ends within the run.
	c.set(time.Date(2026, 11, 30, 23, 59, 59, 994e6, time.UTC), time.Millisecond)
	sync(c, "2026-11.jsonl", "2026-12.jsonl")
	c.set(time.Date(2026, 12, 31, 23, 59, 59, 994e6, time.UTC), time.Millisecond)
	sync(c, "2026-11.jsonl", "2026-12.jsonl", "2027-01.jsonl")
	// Local midnight is nothing to it.
	c.set(time.Date(2027, 2, 1, 1, 0, 0, 0, time.FixedZone("", 2*3600)), time.Millisecond)
	sync(c, "2026-11.jsonl", "2026-12.jsonl", "2027-01.jsonl")
	// Back between runs, and within one.
	c.set(time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC), time.Millisecond)
	sync(c, "2026-11.jsonl", "2026-12.jsonl", "2027-01.jsonl")
	c.set(time.Date(2027, 3, 1, 0, 0, 0, 0, time.UTC), -24*time.Hour)
	sync(c, "2026-11.jsonl", "2026-12.jsonl", "2027-01.jsonl", "2027-02.jsonl")
}

// TestNights holds: what fails is asked for again when it is due, is news the first time
// alone, and is final in the end; and a clock that was wrong for a run keeps nothing from
// being asked for.
func TestNights(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) { http.NotFound(w, r) })
	box, dir := maildir(t), filepath.Join(t.TempDir(), "archive")
	deliver(t, box, "1:2,", letter("1", s.URL+"/1"))
	start := time.Date(2026, 11, 2, 1, 0, 0, 0, time.UTC)
	c := new(clock)
	night := func(at time.Time, asked int, fresh int64) {
		t.Helper()
		before := s.total()
		c.set(at, 0)
		res := runAt(t, dir, c, options(box))
		if got := s.total() - before; got != asked || res.New != fresh {
			t.Errorf("%v: got %d requests, %d new; want %d, %d", at, got, res.New, asked, fresh)
		}
	}
	day := 24 * time.Hour
	// By a clock that is decades ahead, and then right.
	night(start.AddDate(73, 0, 0), 1, 1)
	night(start, 1, 0)
	night(start.Add(30*time.Minute), 0, 0)
	for _, after := range []time.Duration{day, 2 * day, 5 * day, 12 * day, 19 * day, 26 * day} {
		night(start.Add(after), 1, 0)
		night(start.Add(after+time.Minute), 0, 0)
	}
	night(start.Add(60*day), 0, 0)
	night(start.AddDate(-1, 0, 0), 0, 0)
	clean(t, dir)
}

// TestNightsEpoch holds: a first attempt by a clock that had lost its time, and was at the
// beginning of its count, does not make the next failure final.
func TestNightsEpoch(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) { http.NotFound(w, r) })
	for _, lost := range []time.Time{time.Unix(0, 0), time.Unix(90, 0), time.Date(2000, 1, 1, 0, 0, 9, 0, time.UTC), time.Date(2015, 1, 1, 0, 0, 0, 0, time.UTC)} {
		box, dir := maildir(t), filepath.Join(t.TempDir(), "archive")
		deliver(t, box, "1:2,", letter("1", s.URL+"/1"))
		c, start, before := new(clock), time.Date(2026, 11, 2, 1, 0, 0, 0, time.UTC), s.total()
		for n, at := range []time.Time{lost, start, start.Add(7 * time.Hour), start.Add(72 * time.Hour)} {
			c.set(at, 0)
			runAt(t, dir, c, options(box))
			if got := s.total() - before; got != n+1 {
				t.Errorf("first attempt at %v: got %d requests by %v, want %d", lost, got, at, n+1)
			}
		}
		clean(t, dir)
	}
}

// TestClockJump checks that a run with a clock that is wrong gives up nothing, whichever
// attempt it makes, and says so; and that giving up needs attempts over the whole span, and
// is counted.
func TestClockJump(t *testing.T) {
	day := 24 * time.Hour
	for _, jump := range []time.Duration{-400 * day, 31 * day, 4000 * day} {
		for _, wrong := range []int{0, 2} {
			alive := false
			s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
				if alive {
					plain(w, r)
					return
				}
				http.NotFound(w, r)
			})
			box, dir := maildir(t), filepath.Join(t.TempDir(), "archive")
			deliver(t, box, "1:2,", letter("1", s.URL+"/1"))
			c, start := new(clock), time.Date(2026, 11, 2, 1, 0, 0, 0, time.UTC)
			for night := range 20 {
				at := start.Add(time.Duration(night) * day)
				if night == wrong {
					c.set(at.Add(jump), 0)
					if res := runAt(t, dir, c, options(box)); res.GivenUp > 0 || night > 0 && res.Clock.Abs() < 30*day {
						t.Errorf("%v in night %d: got %d given up, a jump of %v; want 0 and the jump", jump, wrong, res.GivenUp, res.Clock)
					}
				}
				c.set(at, 0)
				if res := runAt(t, dir, c, options(box)); res.GivenUp > 0 {
					t.Errorf("%v in night %d: got %d given up in night %d, want 0", jump, wrong, res.GivenUp, night)
				}
			}
			alive = true
			captures := int64(0)
			for night := 20; night < 28; night++ {
				c.set(start.Add(time.Duration(night)*day), 0)
				captures += runAt(t, dir, c, options(box)).Captures
			}
			if captures != 1 {
				t.Errorf("%v in night %d: got %d captures after the file was there again, want 1", jump, wrong, captures)
			}
		}
	}
}

// TestGivenUp checks that a reference is given up once, after attempts over the whole span,
// and that this is counted.
func TestGivenUp(t *testing.T) {
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) { http.NotFound(w, r) })
	box, dir := maildir(t), filepath.Join(t.TempDir(), "archive")
	deliver(t, box, "1:2,", letter("1", s.URL+"/1"))
	c, start := new(clock), time.Date(2026, 11, 2, 1, 0, 0, 0, time.UTC)
	given := []int(nil)
	for night := range 60 {
		c.set(start.Add(time.Duration(night)*24*time.Hour), 0)
		if res := runAt(t, dir, c, options(box)); res.GivenUp > 0 {
			given = append(given, night)
		}
	}
	if len(given) != 1 || given[0] < 22 || given[0] > 30 || s.total() < 5 {
		t.Errorf("got given up in nights %v after %d requests, want once in the last days of 30", given, s.total())
	}
	a, err := archive.Read(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	var table, page strings.Builder
	if _, err := a.WriteCSV(&table); err != nil {
		t.Fatal(err)
	}
	if err := a.WriteReport(&page); err != nil {
		t.Fatal(err)
	}
	st, err := a.Status()
	if err != nil || st.GivenUp != 1 || st.Final != 1 || !strings.Contains(table.String(), ",,yes,") || !strings.Contains(page.String(), "<h2>Given up</h2>\n<table>") {
		t.Errorf("got %+v, %v, %s; want one given up in all of them", st, err, table.String())
	}
	// What is forgotten is not given up, for the status as for the table.
	forget(t, dir, "url="+s.URL+"/1")
	table.Reset()
	b := read(t, dir)
	if _, err := b.WriteCSV(&table); err != nil || strings.Contains(table.String(), ",,yes,") {
		t.Errorf("forgotten: got %s, %v; want none given up", table.String(), err)
	}
	if st, err := b.Status(); err != nil || st.GivenUp != 0 || st.Final != 1 {
		t.Errorf("forgotten: got %+v, %v; want none given up", st, err)
	}
}
