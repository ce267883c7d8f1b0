package main

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
)

// A service answers with the path, or with a status of its own, and counts.
type service struct {
	mu     sync.Mutex
	status map[string]int
	asked  map[string]int
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked[r.URL.Path]++
	if n := s.status[r.URL.Path]; n != 0 {
		if n == http.StatusServiceUnavailable {
			w.Header().Set("Retry-After", "600")
		}
		w.WriteHeader(n)
		return
	}
	text(w, r.URL.Path)
}

// takeAsked returns the paths that were asked for since the last call.
func (s *service) takeAsked() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var paths []string
	for p, n := range s.asked {
		paths = append(paths, strings.Repeat(p, n))
	}
	slices.Sort(paths)
	s.asked = make(map[string]int)
	return strings.Join(paths, " ")
}

// A run goes on where former ones ended, by their records: finished work is not
// repeated, and failed fetches are, wherever the message is by now.
func TestGetAgain(t *testing.T) {
	s := &service{status: map[string]int{"/b": 404, "/c": 500}, asked: make(map[string]int)}
	base, flags := serve(t, s.ServeHTTP)
	dir := t.TempDir()
	mbox, log := filepath.Join(dir, "m.mbox"), filepath.Join(dir, "log.jsonl")
	out := filepath.Join(dir, "out")
	mails := []string{box(base + "/a"), box(base + "/b"), box(base + "/c"), box(base + "/d")}
	write := func(path, text string) {
		writeText(t, path, text)
	}
	get := func(args ...string) (int, string, string) {
		return invoke(t.Context(), "", append(append([]string{"get", "--json", "-o", out}, flags...), args...)...)
	}
	summary := func(lines string) string {
		var got []string
		for _, l := range readLines(t, lines) {
			got = append(got, strings.TrimPrefix(l.URL, base)+":"+l.Status)
		}
		slices.Sort(got)
		return strings.Join(got, " ")
	}
	write(mbox, strings.Join(mails, ""))
	status, first, errs := get(mbox)
	if got, want := summary(first), "/a:ok /b:failed /c:failed /d:ok"; got != want || status != 3 {
		t.Fatalf("got status %d, %s, want 3, %s: %s", status, got, want, errs)
	}
	s.takeAsked()
	// The last line was being written when the program was killed.
	write(log, first+`{"message":"m.mbox","ind`)
	before := countFiles(t, out)

	for _, c := range []struct {
		name   string
		args   []string
		status int
		want   string
		asked  string
	}{
		{"SkipDone", []string{"--skip-done", log, mbox}, 3, "/a:done /b:failed /c:failed /d:done", "/b /c"},
		{"Retry", []string{"--retry", log}, 3, "/b:failed /c:failed", "/b /c"},
		{"RetryKind", []string{"--retry", log, "--kind", "not-found"}, 3, "/b:failed", "/b"},
		{"RetryHost", []string{"--retry", log, "--host", "127.0.0.1"}, 3, "/b:failed /c:failed", "/b /c"},
		{"RetryOtherHost", []string{"--retry", log, "--host", "h.example"}, 0, "", ""},
		{"RetryPath", []string{"--retry", log, mbox}, 3, "/b:failed /c:failed", "/b /c"},
		{"Both", []string{"--retry", log, "--skip-done", log, mbox}, 2, "", ""},
		{"KindAlone", []string{"--kind", "gone", mbox}, 2, "", ""},
		{"Missing", []string{"--skip-done", log + "x", mbox}, 2, "", ""},
		{"NoRecords", []string{"--skip-done", mbox, mbox}, 2, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, lines, errs := get(c.args...)
			if got, asked := summary(lines), s.takeAsked(); status != c.status || got != c.want || asked != c.asked {
				t.Errorf("got status %d, %q and requests %q, want %d, %q and %q: %s", status, got, asked, c.status, c.want, c.asked, errs)
			}
		})
	}
	if after := countFiles(t, out); after != before {
		t.Errorf("got %d files, want the %d of the first run", after, before)
	}

	// A message was added before the others, and one body can be had now.
	write(mbox, box(base+"/new")+strings.Join(mails, ""))
	s.mu.Lock()
	delete(s.status, "/b")
	s.mu.Unlock()
	_, second, _ := get("--skip-done", log, mbox)
	if got, want := summary(second), "/a:done /b:ok /c:failed /d:done /new:ok"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	// The records of that run are enough for the next one.
	write(log, second)
	s.takeAsked()
	_, third, _ := get("--skip-done", log, mbox)
	if got, want, asked := summary(third), "/a:done /b:done /c:failed /d:done /new:done", s.takeAsked(); got != want || asked != "/c" {
		t.Errorf("got %s and requests %s, want %s and /c", got, asked, want)
	}
}

// A host that named the time of the next try is not asked before, and the record has
// that time.
func TestGetRetryTooEarly(t *testing.T) {
	s := &service{status: map[string]int{"/a": 503}, asked: make(map[string]int)}
	base, flags := serve(t, s.ServeHTTP)
	dir := t.TempDir()
	path, log := filepath.Join(dir, "m.eml"), filepath.Join(dir, "log.jsonl")
	writeText(t, path, mailOf(base+"/a"))
	args := append([]string{"get", "--json", "-o", dir}, flags...)
	_, first, _ := invoke(t.Context(), "", append(args, path)...)
	writeText(t, log, first)
	s.takeAsked()
	status, second, errs := invoke(t.Context(), "", append(args, "--retry", log)...)
	a, b := readLines(t, first), readLines(t, second)
	if at, err := time.Parse(time.RFC3339, a[0].RetryAt); err != nil || time.Until(at) < 500*time.Second {
		t.Errorf("got retry_at %q, want a time in 10 minutes", a[0].RetryAt)
	}
	if status != 3 || len(b) != 1 || b[0].Kind != "deferred" || b[0].RetryAt != a[0].RetryAt || s.takeAsked() != "" {
		t.Errorf("got status %d and %s, want 3 and what was said before without a request: %s", status, second, errs)
	}
}

// Records have the same facts about a failure as about a success.
func TestGetRecordsOfTheWire(t *testing.T) {
	base, flags := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/moved", "/lost":
			http.Redirect(w, r, r.URL.Path+"-to?token=secret", http.StatusFound)
		case "/lost-to":
			w.Header().Set("ETag", `"v1"`)
			http.NotFound(w, r)
		default:
			w.Header().Set("ETag", `"v1"`)
			w.Header().Set("Last-Modified", "Thu, 01 Jan 2015 00:00:00 GMT")
			text(w, "x")
		}
	})
	mail := "Message-ID: <m@h.example>\nDate: Thu, 1 Jan 2015 00:00:00 +0000\nFrom: A\n <a@h.example>\n" +
		strings.Join(strings.SplitAfter(mailOf(base+"/moved", base+"/lost"), "\n")[1:], "")
	status, out, errs := invoke(t.Context(), mail, append([]string{"get", "--json", "--ordered", "-o", t.TempDir()}, flags...)...)
	if status != 3 {
		t.Errorf("got status %d, want 3: %s", status, errs)
	}
	if strings.Contains(out+errs, "secret") {
		t.Errorf("got %s%s, want no secret in it", out, errs)
	}
	lines := readLines(t, out)
	if len(lines) != 2 {
		t.Fatalf("got %d lines, want 2", len(lines))
	}
	for i, want := range []int{200, 404} {
		l := lines[i]
		if l.Started == "" || l.Ended == "" || l.HTTPStatus != want || l.Address == "" || len(l.Hops) != 1 || l.FinalURL == "" || !strings.HasPrefix(l.Program, "extbody ") {
			t.Errorf("%d: got %+v, want the facts of the wire", want, l)
		}
		if l.MessageID != "<m@h.example>" || l.Date != "Thu, 1 Jan 2015 00:00:00 +0000" || l.From != "A <a@h.example>" || l.MessageSHA256 != fmt.Sprintf("%x", sum256(mail)) {
			t.Errorf("%d: got %+v, want the facts of the message", want, l)
		}
	}
	if l := lines[0]; l.ETag != `"v1"` || l.LastModified != "Thu, 01 Jan 2015 00:00:00 GMT" {
		t.Errorf("got the validators %q and %q, want those of the server", l.ETag, l.LastModified)
	}
}

func countFiles(t *testing.T, dir string) int {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must(t, err)
	return len(entries)
}
