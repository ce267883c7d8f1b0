package archive_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
	"github.com/go-extbody/extbody/internal/wording"
)

// A clock goes on by a step each time that it is looked at.
type clock struct {
	mu   sync.Mutex
	at   time.Time
	step time.Duration
}

func (c *clock) now() time.Time {
	if c == nil {
		return time.Now()
	}
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
	must(t, err)
	defer a.Close()
	res, err := a.Sync(t.Context(), o)
	must(t, err)
	return res
}

func ledgers(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(dir, "ledger"))
	must(t, err)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// TestMonths holds: a run that goes over the end of a month, of a year, and one whose clock
// is set back, make one chain, from which the index is made as it was.
func TestMonths(t *testing.T) {
	s := newSite(t, plain)
	box, dir := maildir(t), home(t)
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

// start is when the first night of a test starts.
var start = time.Date(2026, 11, 2, 1, 0, 0, 0, time.UTC)

const day = 24 * time.Hour

// nights returns a function that runs at a time, and checks the numbers of requests and of
// new exceptions. A reference leads to a body that is not there.
func nights(t *testing.T) (night func(at time.Time, asked int, fresh int64)) {
	s := newSite(t, http.NotFound)
	box, dir := inbox(t, s.URL+"/1")
	c := new(clock)
	return func(at time.Time, asked int, fresh int64) {
		t.Helper()
		before := s.total()
		c.set(at, 0)
		res := runAt(t, dir, c, options(box))
		if got := s.total() - before; got != asked || res.New != fresh {
			t.Errorf("%v: got %d requests, %d new; want %d, %d", at, got, res.New, asked, fresh)
		}
		clean(t, dir)
	}
}

// TestNights holds: a reference that fails is asked for again when it is due, is news the first time alone, and is
// final in the end; and a clock that was wrong for a run keeps no reference from being asked for.
func TestNights(t *testing.T) {
	night := nights(t)
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
}

// TestNightsEpoch holds: a first attempt by a clock that had lost its time, and was at the
// beginning of its count, does not make the next failure final.
func TestNightsEpoch(t *testing.T) {
	for _, lost := range []time.Time{time.Unix(0, 0), time.Unix(90, 0), time.Date(2000, 1, 1, 0, 0, 9, 0, time.UTC), time.Date(2015, 1, 1, 0, 0, 0, 0, time.UTC)} {
		night := nights(t)
		night(lost, 1, 1)
		for _, after := range []time.Duration{0, 7 * time.Hour, 72 * time.Hour} {
			night(start.Add(after), 1, 0)
		}
	}
}

// TestClockJump checks that a run with a clock that is wrong gives up nothing, whichever
// attempt it makes, and says so; and that giving up needs attempts over the whole span, and
// is counted.
func TestClockJump(t *testing.T) {
	for _, jump := range []time.Duration{-400 * day, 31 * day, 4000 * day} {
		for _, wrong := range []int{0, 2} {
			answer := http.NotFound
			s := newSite(t, func(w http.ResponseWriter, r *http.Request) { answer(w, r) })
			box, dir := inbox(t, s.URL+"/1")
			c := new(clock)
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
			answer = plain
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
	s := newSite(t, http.NotFound)
	box, dir := inbox(t, s.URL+"/1")
	c := new(clock)
	given := []int(nil)
	for night := range 60 {
		c.set(start.Add(time.Duration(night)*day), 0)
		if res := runAt(t, dir, c, options(box)); res.GivenUp > 0 {
			given = append(given, night)
		}
	}
	if len(given) != 1 || given[0] < 22 || given[0] > 30 || s.total() < 5 {
		t.Errorf("got given up in nights %v after %d requests, want once in the last days of 30", given, s.total())
	}
	a := read(t, dir)
	st, err := a.Status()
	if err != nil || st.GivenUp != 1 || st.Final != 1 || records(t, table(t, a))[0]["given_up"] != "yes" || !strings.Contains(page(t, a), "<h2>Given up</h2>\n<table class=\"rows\">") {
		t.Errorf("got %+v, %v, %s; want one given up in all of them", st, err, table(t, a))
	}
	// A forgotten reference is not given up, for the status as for the table.
	forget(t, dir, "url="+s.URL+"/1")
	b := read(t, dir)
	if row := records(t, table(t, b))[0]; row["given_up"] != "" || row["forgotten"] != "yes" {
		t.Errorf("forgotten: got %v, want none given up", row)
	}
	if st, err := b.Status(); err != nil || st.GivenUp != 0 || st.Final != 1 {
		t.Errorf("forgotten: got %+v, %v; want none given up", st, err)
	}
}

// TestRecaptureAhead checks that a body whose capture is in the future, because the clock was
// wrong, is captured again.
func TestRecaptureAhead(t *testing.T) {
	s := newSite(t, plain)
	box, dir := inbox(t, s.URL+"/1")
	o, c := options(box), new(clock)
	o.Recapture = 30 * day
	for i, at := range []time.Duration{0, -day / 2, -400 * day} {
		c.set(time.Now().Add(at), 0)
		runAt(t, dir, c, o)
		if want := 1 + i/2; s.total() != want {
			t.Errorf("%v: got %d requests, want %d", at, s.total(), want)
		}
	}
}

// TestKilledAttempt checks that an attempt whose run was killed before the body was on the disk
// counts like the others.
func TestKilledAttempt(t *testing.T) {
	found := false
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		if !found {
			http.NotFound(w, r)
			return
		}
		plain(w, r)
	})
	box, dir := inbox(t, s.URL+"/1")
	c := new(clock)
	c.set(start, 0)
	runAt(t, dir, c, options(box))
	before := attempts(t, dir)
	path := mustGlob(t, dir, "ledger/*")[0]
	kept, _ := filepath.Glob(filepath.Join(dir, "objects/*/*/*"))
	found = true
	c.set(start.Add(2*day), 0)
	runAt(t, dir, c, options(box))
	text, err := os.ReadFile(path)
	must(t, err)
	lines := strings.SplitAfter(string(text), "\n")
	at := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, `"kind":"capture"`) })
	put(t, path, strings.Join(lines[:at], ""))
	for _, name := range mustGlob(t, dir, "objects/*/*/*") {
		if !slices.Contains(kept, name) {
			must(t, os.Remove(name))
		}
	}
	os.Remove(filepath.Join(dir, "head"))
	os.Remove(filepath.Join(dir, "index"))
	a, err := archive.Open(dir, true, &archive.Options{Now: c.now})
	must(t, err)
	a.Close()
	got := attempts(t, dir)
	last, first := got[len(got)-1], before[len(before)-1]
	if len(got) != len(before)+1 || last.Attempts != first.Attempts+1 || !last.First.Equal(first.First) || last.Spread != int64(2*day/time.Second) {
		t.Errorf("got %d attempts, the last %+v, after %+v; want one more, and the span that began with the first", len(got), last, first)
	}
}

// TestManyNights simulates nights with new mail, servers that fail for some nights or for ever, wrong clocks, users
// who forget, hold and retry, and runs that are killed. It checks that nothing is given up that its server still has,
// that no kill leaves a fault, and that the CSV, the status, the report, the list of due references and a reader that
// was written from ARCHIVE.md alone agree. EXTBODY_TEST_NIGHTS is the number of nights, and EXTBODY_TEST_SEED the
// seed.
//
//	EXTBODY_TEST_NIGHTS=500 go test -v -timeout 1h -run TestManyNights ./examples/extbody/internal/archive
func TestManyNights(t *testing.T) {
	nights, seed := often("EXTBODY_TEST_NIGHTS", 45), often("EXTBODY_TEST_SEED", 1)
	r, killing := rand.New(rand.NewPCG(uint64(seed), 23)), rand.New(rand.NewPCG(uint64(seed), 9))
	type file struct{ until, status int } // until that night the server answers with the status
	files := make(map[string]file)
	night := 0
	var mu sync.Mutex // of files and night: a request of a run that was killed can be under way
	s := newSite(t, func(w http.ResponseWriter, q *http.Request) {
		mu.Lock()
		f, tonight := files[q.URL.Path], night
		mu.Unlock()
		if tonight < f.until {
			w.WriteHeader(f.status)
			return
		}
		plain(w, q)
	})
	box, dir := maildir(t), home(t)
	c := new(clock)
	var wrong time.Duration
	jumps, givenUp, forgotten := 0, int64(0), make(map[string]bool)
	opened := func(f func(*archive.Archive)) {
		a, err := archive.Open(dir, true, &archive.Options{Now: c.now})
		must(t, err)
		defer a.Close()
		f(a)
	}
	kills := 0
	for tonight := range nights {
		mu.Lock()
		night = tonight
		for i := range r.IntN(4) {
			var urls []string
			for k := range 1 + r.IntN(2) {
				path := fmt.Sprintf("/%d-%d-%d", night, i, k)
				switch r.IntN(6) {
				case 0:
					files[path] = file{1 << 30, []int{404, 403, 410}[r.IntN(3)]}
				case 1, 2:
					files[path] = file{night + 1 + r.IntN(14), []int{404, 404, 403}[r.IntN(3)]}
				}
				urls = append(urls, s.URL+path)
			}
			name := fmt.Sprintf("%d-%d", night, i)
			deliver(t, box, name+":2,", letter(name, urls...))
		}
		mu.Unlock()
		if wrong = 0; r.IntN(12) == 0 {
			wrong = time.Duration(r.IntN(1600)-800) * day
			jumps++
		}
		if r.IntN(10) == 0 {
			continue // the machine is off
		}
		c.set(start.Add(time.Duration(night)*day+time.Duration(r.IntN(400))*time.Second+wrong), time.Millisecond)
		if !testing.Short() && killing.IntN(3) == 0 {
			cmd := syncing(dir, box)
			cmd.Env = append(cmd.Env, "EXTBODY_TEST_NOW="+c.now().Format(time.RFC3339Nano))
			must(t, cmd.Start())
			time.Sleep(time.Duration(killing.IntN(200)) * time.Millisecond)
			cmd.Process.Kill()
			if err := cmd.Wait(); err != nil {
				kills++
			}
			if _, err := os.Stat(filepath.Join(dir, "ledger")); err == nil {
				if v := verify(t, dir); len(v.Faults) > 0 {
					t.Fatalf("seed %d: a kill in night %d: got %v, want no faults", seed, night, v.Faults)
				}
			}
			c.set(c.now().Add(time.Minute), time.Millisecond)
		}
		o := options(box)
		if r.IntN(5) == 0 {
			o.Recapture = 10 * day
		}
		givenUp += runAt(t, dir, c, o).GivenUp
		if r.IntN(8) == 0 {
			opened(func(a *archive.Archive) {
				id := fmt.Sprintf("<%d-0@example.org>", r.IntN(night+1))
				term := "message=" + id
				switch r.IntN(4) {
				case 0:
					a.Hold(selector(t, term), "case", r.IntN(2) == 0)
				case 1:
					a.Retry(t.Context(), selector(t, term), options())
				default:
					if _, err := a.Forget(selector(t, term), &archive.ForgetOptions{Reason: "asked to"}); err == nil {
						forgotten[id] = true
					}
				}
			})
		}
		if night%9 == 8 || night == nights-1 {
			agreeing(t, dir, c)
		}
	}
	// By now every server that comes back has done so.
	for extra := range 40 {
		mu.Lock()
		night = nights + extra
		mu.Unlock()
		c.set(start.Add(time.Duration(night)*day), time.Millisecond)
		givenUp += runAt(t, dir, c, options(box)).GivenUp
	}
	counted := int64(0)
	for _, row := range agreeing(t, dir, c) {
		path := strings.TrimPrefix(row["url"], s.URL)
		if row["given_up"] == "yes" {
			counted++
		}
		if row["state"] != "captured" && files[path].until < nights+40 && row["due"] == "" && !forgotten[row["message_id"]] {
			t.Errorf("seed %d: got %v, want it captured: its server has it since night %d", seed, row, files[path].until)
		}
	}
	t.Logf("%d nights, %d files, %d requests, %d jumps of the clock, %d given up (%d now), %d forgets, %d kills", nights, len(files), s.total(), jumps, givenUp, counted, len(forgotten), kills)
}

// records returns the rows of a CSV, by the names of the columns.
func records(t *testing.T, text string) (rows []map[string]string) {
	t.Helper()
	list, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	must(t, err)
	for _, cells := range list[1:] {
		row := make(map[string]string)
		for i, cell := range cells {
			row[list[0][i]] = cell
		}
		rows = append(rows, row)
	}
	return rows
}

// agreeing returns the rows of the CSV, after everything that tells outcomes has agreed with it.
func agreeing(t *testing.T, dir string, c *clock) (rows []map[string]string) {
	t.Helper()
	a := readAt(t, dir, c)
	states := make(map[string]int64)
	var lines, due []string
	rows = records(t, table(t, a))
	for _, row := range rows {
		states[row["state"]]++
		if row["given_up"] == "yes" {
			states["given up"]++
		}
		delay := row["delay"]
		if row["delay_by"] == "date" {
			delay = ""
		}
		line, _ := json.Marshal([]string{row["message"], row["reference"], row["state"], row["due"], delay})
		lines = append(lines, string(line))
		if row["state"] == "open" || row["due"] != "" {
			due = append(due, row["message"]+row["reference"]+row["due"])
		}
	}
	if python, err := exec.LookPath("python3"); err != nil {
		t.Log("no python3: the reader is left out")
	} else if out, err := exec.Command(python, filepath.Join("testdata", "reader.py"), dir).CombinedOutput(); err != nil {
		t.Fatalf("got %v, %s", err, out)
	} else if got := strings.Split(strings.ReplaceAll(strings.TrimSpace(string(out)), ", ", ","), "\n"); !slices.Equal(got, lines) && len(lines) > 0 {
		t.Errorf("the reader: got %q, want %q", got, lines)
	}
	st, err := a.Status()
	if want := [4]int64{states["captured"], states["exception"], states["open"], states["given up"]}; err != nil || [4]int64{st.Captures, st.Exceptions, st.Unasked, st.GivenUp} != want {
		t.Errorf("status: got %+v, %v; want %v", st, err, want)
	}
	var listed []string
	err = a.Due(func(d *archive.DueRow) error {
		when := ""
		if !d.Due.IsZero() {
			when = d.Due.Format(time.RFC3339)
		}
		listed = append(listed, d.Message+d.Ref+when)
		return nil
	})
	slices.Sort(due)
	slices.Sort(listed)
	if err != nil || !slices.Equal(due, listed) {
		t.Errorf("due: got %q, %v; want %q", listed, err, due)
	}
	report := page(t, a)
	for name, n := range map[string]int64{"references": int64(len(rows)), "captured": states["captured"], "exceptions": states["exception"], "not tried": states["open"]} {
		if want := fmt.Sprintf("<dt>%s</dt><dd>%s</dd>", name, wording.Grouped(n)); !strings.Contains(report, want) {
			t.Errorf("report: want %s", want)
		}
	}
	v := clean(t, dir)
	if v.Captured != states["captured"] || v.Excepted != states["exception"] || v.Open != states["open"] {
		t.Errorf("verify: got %+v, want %v", v, states)
	}
	return rows
}
