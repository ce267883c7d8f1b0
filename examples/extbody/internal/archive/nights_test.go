package archive_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
)

// TestManyNights simulates nights with new mail, servers that fail for some nights or for ever,
// wrong clocks, and users who forget, hold and retry. It checks that nothing is given up that
// its server still has, and that the CSV, the status, the report, the list of what is due and a
// reader that was written from ARCHIVE.md alone agree. EXTBODY_TEST_NIGHTS is the number of
// nights, and EXTBODY_TEST_SEED the seed.
func TestManyNights(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip(err)
	}
	nights, seed := often("EXTBODY_TEST_NIGHTS", 45), often("EXTBODY_TEST_SEED", 1)
	r := rand.New(rand.NewPCG(uint64(seed), 23))
	type file struct{ until, status int } // until that night the server answers with the status
	files := make(map[string]file)
	night := 0
	s := newSite(t, func(w http.ResponseWriter, q *http.Request) {
		if f := files[q.URL.Path]; night < f.until {
			w.WriteHeader(f.status)
			return
		}
		plain(w, q)
	})
	box, dir := maildir(t), filepath.Join(t.TempDir(), "archive")
	c, start := new(clock), time.Date(2026, 11, 2, 1, 0, 0, 0, time.UTC)
	var wrong time.Duration
	jumps, givenUp, forgotten := 0, int64(0), make(map[string]bool)
	opened := func(f func(*archive.Archive)) {
		a, err := archive.Open(dir, true, &archive.Options{Now: c.now})
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		f(a)
	}
	for night = range nights {
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
		if wrong = 0; r.IntN(12) == 0 {
			wrong = time.Duration(r.IntN(1600)-800) * 24 * time.Hour
			jumps++
		}
		if r.IntN(10) == 0 {
			continue // the machine is off
		}
		c.set(start.Add(time.Duration(night)*24*time.Hour+time.Duration(r.IntN(400))*time.Second+wrong), time.Millisecond)
		o := options(box)
		if r.IntN(5) == 0 {
			o.Recapture = 10 * 24 * time.Hour
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
			agreeing(t, dir, python, c)
		}
	}
	// By now every server that comes back has done so.
	for extra := range 40 {
		night = nights + extra
		c.set(start.Add(time.Duration(night)*24*time.Hour), time.Millisecond)
		givenUp += runAt(t, dir, c, options(box)).GivenUp
	}
	counted := int64(0)
	for _, row := range agreeing(t, dir, python, c) {
		path := strings.TrimPrefix(row["url"], s.URL)
		if row["given_up"] == "yes" {
			counted++
		}
		if row["state"] != "captured" && files[path].until < nights+40 && row["due"] == "" && !forgotten[row["message_id"]] {
			t.Errorf("seed %d: got %v, want it captured: its server has it since night %d", seed, row, files[path].until)
		}
	}
	t.Logf("%d nights, %d files, %d requests, %d jumps of the clock, %d given up (%d now), %d forgets", nights, len(files), s.total(), jumps, givenUp, counted, len(forgotten))
}

// agreeing returns the rows of the CSV, after everything that tells outcomes has agreed with it.
func agreeing(t *testing.T, dir, python string, c *clock) (rows []map[string]string) {
	t.Helper()
	a, err := archive.Read(dir, &archive.Options{Now: c.now})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	var table, page strings.Builder
	if _, err := a.WriteCSV(&table); err != nil {
		t.Fatal(err)
	}
	records, err := csv.NewReader(strings.NewReader(table.String())).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	states := make(map[string]int64)
	var lines, due []string
	for _, cells := range records[1:] {
		row := make(map[string]string)
		for i, cell := range cells {
			row[records[0][i]] = cell
		}
		rows = append(rows, row)
		states[row["state"]]++
		if row["given_up"] == "yes" {
			states["given up"]++
		}
		line, _ := json.Marshal([]string{row["message"], row["reference"], row["state"], row["due"]})
		lines = append(lines, string(line))
		if row["state"] == "open" || row["due"] != "" {
			due = append(due, row["message"]+row["reference"]+row["due"])
		}
	}
	out, err := exec.Command(python, filepath.Join("testdata", "reader.py"), dir).CombinedOutput()
	if err != nil {
		t.Fatalf("got %v, %s", err, out)
	}
	if got := strings.Split(strings.ReplaceAll(strings.TrimSpace(string(out)), ", ", ","), "\n"); !slices.Equal(got, lines) && len(lines) > 0 {
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
	if err := a.WriteReport(&page); err != nil {
		t.Fatal(err)
	}
	for name, n := range map[string]int64{"references": int64(len(rows)), "captured": states["captured"], "exceptions": states["exception"], "not tried": states["open"]} {
		if want := fmt.Sprintf("<dt>%s</dt><dd>%d</dd>", name, n); !strings.Contains(page.String(), want) {
			t.Errorf("report: want %s", want)
		}
	}
	v := clean(t, dir)
	if v.Captured != states["captured"] || v.Excepted != states["exception"] || v.Open != states["open"] {
		t.Errorf("verify: got %+v, want %v", v, states)
	}
	return rows
}
