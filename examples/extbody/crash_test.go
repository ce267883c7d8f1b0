package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/get"
)

// A get that is killed while the first of many references hangs has reported all
// that it saved: each file has its line, and each line is true.
func TestGetKilled(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no signals")
	}
	const n = 300 // more than wait for their turn anywhere
	base, flags := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/0" {
			<-r.Context().Done()
			return
		}
		text(w, r.URL.Path)
	})
	dir := t.TempDir()
	cmd := exec.Command(executable(t), append([]string{"get", "--json", "-o", dir}, flags...)...)
	cmd.Stdin = strings.NewReader(box(numbered(base, n)...))
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	said := make(map[string]string)
	lines := bufio.NewScanner(out)
	read := func() bool {
		if !lines.Scan() {
			return false
		}
		var r struct{ Status, File, URL string }
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return true // the line that was being written
		}
		if r.Status != "ok" {
			t.Errorf("%s: got status %s, want ok", r.URL, r.Status)
		}
		said[filepath.Base(r.File)] = strings.TrimPrefix(r.URL, base)
		return true
	}
	for len(said) < n/2 && read() {
	}
	must(t, cmd.Process.Kill())
	for read() {
	}
	cmd.Wait()
	for name, want := range said {
		if b, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(b) != want {
			t.Errorf("%s: got %q, %v, want %q", name, b, err, want)
		}
	}
	entries, err := os.ReadDir(dir)
	must(t, err)
	unsaid := 0
	for _, e := range entries {
		if _, ok := said[e.Name()]; !ok {
			unsaid++
		}
	}
	if most := get.Workers; unsaid > most {
		t.Errorf("got %d files without a line, want at most the %d that were being written", unsaid, most)
	}
}

// A body is on the disk before its line is written: it is synced and named, its
// folder is synced, and the line follows immediately.
func TestGetSyncs(t *testing.T) {
	strace := installed(t, "strace")
	dir := filepath.Join(t.TempDir(), "new")
	trace := filepath.Join(t.TempDir(), "trace")
	cmd := exec.Command(strace, "-f", "-y", "-s", "300", "-o", trace, "-e", "trace=fsync,linkat,write,mkdirat",
		executable(t), "get", "--names", "index", "-o", dir, "--jobs", "1")
	cmd.Stdin = strings.NewReader(box("data:,first"))
	var errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = io.Discard, &errs
	if err := cmd.Run(); err != nil {
		t.Skipf("strace: %v: %s", err, &errs)
	}
	text, err := os.ReadFile(trace)
	must(t, err)
	dir = regexp.QuoteMeta(dir)
	next := regexp.MustCompile
	const ended = `(\)| <unfinished)` // which another thread's line can come between
	for _, step := range []struct {
		name string
		call *regexp.Regexp
	}{
		{"the folder is made", next(`mkdirat\(.*"` + dir + `"`)},
		{"its name is synced", next(`fsync\(\d+<` + regexp.QuoteMeta(filepath.Dir(filepath.Join(trace, "..", ".."))) + `[^>]*>` + ended)},
		{"the body is written", next(`write\(\d+<` + dir + `/[^>]*>(\(deleted\))?, "first"`)},
		{"the body is synced", next(`fsync\(\d+<` + dir + `/[^>]*>`)},
		{"the body is named", next(`linkat\(.*"0-1.txt"`)},
		{"the folder is synced", next(`fsync\(\d+<` + dir + `>` + ended)},
		{"the line is written", next(`write\(1<.*0-1.txt: 5 octets`)},
	} {
		at := step.call.FindIndex(text)
		if at == nil {
			t.Fatalf("got no call after which %s, want %s in\n%s", step.name, step.call, text)
		}
		text = text[at[1]:]
	}
}
