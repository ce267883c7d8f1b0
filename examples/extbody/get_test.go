package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
)

// invoke runs the program in this process.
func invoke(ctx context.Context, stdin string, args ...string) (status int, stdout, stderr string) {
	var out, errw bytes.Buffer
	status = run(ctx, args, strings.NewReader(stdin), &out, &errw)
	return status, out.String(), errw.String()
}

// serve starts a server and returns it and the flags that allow it.
func serve(t testing.TB, h http.HandlerFunc) (base string, flags []string) {
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	_, port, _ := strings.Cut(strings.TrimPrefix(server.URL, "http://"), ":")
	return server.URL, []string{"--allow-net", "127.0.0.1/32", "--allow-port", port}
}

// box returns an mbox with one reference a message.
func box(urls ...string) string {
	var b strings.Builder
	for _, u := range urls {
		fmt.Fprintf(&b, "From a@example.com Thu Jan  1 00:00:00 1970\n"+
			"Content-Type: message/external-body; access-type=url; url=%q\n\nContent-Type: text/plain\n\n\n", u)
	}
	return b.String()
}

// text answers with a text, unless another type is set.
func text(w http.ResponseWriter, s string) {
	w.Header().Set("Content-Type", cmp.Or(w.Header().Get("Content-Type"), "text/plain"))
	io.WriteString(w, s)
}

// A mailbox that another program rewrites in its place while bodies are fetched has
// each reference in the record, or a line about the change. Each line is about the
// message that it names.
func TestGetChangedMailbox(t *testing.T) {
	const n = 1536
	path := filepath.Join(t.TempDir(), "box")
	var rest string
	var once sync.Once
	base, flags := serve(t, func(w http.ResponseWriter, r *http.Request) {
		once.Do(func() {
			if err := os.WriteFile(path, []byte(rest), 0o600); err != nil {
				t.Error(err)
			}
		})
		text(w, r.URL.Path)
	})
	var urls []string
	for i := range n {
		urls = append(urls, fmt.Sprintf("%s/%04d", base, i))
	}
	writeText(t, path, box(urls...))
	rest = box(urls[1:]...) // the first message is removed
	args := append([]string{"get", "--json", "--dialects", "none", "-o", t.TempDir(), "--jobs", "2", path}, flags...)
	status, out, errs := invoke(t.Context(), "", args...)
	saved, changed := 0, 0
	for _, r := range readLines(t, out) {
		switch {
		case r.Status == "ok" && strings.HasSuffix(r.URL, fmt.Sprintf("/%04d", r.Index)):
			saved++
		case r.Status == "failed" && r.Kind == "changed":
			changed++
		default:
			t.Errorf("got %+v, want it saved or changed", r)
		}
	}
	if status != 1 || saved == 0 || saved == n || changed == 0 {
		t.Errorf("got status %d, %d saved and %d changed (%s), want 1, some and some", status, saved, changed, errs)
	}
}

// A get that Control-C interrupts starts nothing more and leaves nothing, neither under a final name
// nor another.
func TestGetInterrupted(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no signals")
	}
	begun := make(chan struct{}, 1)
	base, flags := serve(t, func(w http.ResponseWriter, r *http.Request) {
		text(w, strings.Repeat("x", 100<<10))
		w.(http.Flusher).Flush()
		begun <- struct{}{}
		<-r.Context().Done()
	})
	dir := t.TempDir()
	cmd := exec.Command(executable(t), append([]string{"get", "-o", dir, "--jobs", "1"}, flags...)...)
	cmd.Stdin = strings.NewReader(box(base+"/a", base+"/b"))
	var errs strings.Builder
	cmd.Stderr = &errs
	must(t, cmd.Start())
	<-begun
	must(t, cmd.Process.Signal(os.Interrupt))
	cmd.Wait()
	said := errs.String()
	if got := cmd.ProcessState.ExitCode(); got != 1 || !strings.Contains(said, "interrupted") {
		t.Errorf("got exit status %d, want 1 and that it was interrupted: %s", got, said)
	}
	if n := strings.Count(said, "message 0") + strings.Count(said, "message 1"); n != 1 {
		t.Errorf("got %d references begun, want 1: %s", n, said)
	}
	wantFiles(t, dir)
}

// A named pipe without a writer is left at once when the run is interrupted.
func TestPipeInterrupted(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no signals")
	}
	path := filepath.Join(t.TempDir(), "pipe")
	must(t, exec.Command("mkfifo", path).Run())
	for _, args := range [][]string{{"list", path}, {"get", "-o", t.TempDir(), path}, {"inline", path}} {
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan int, 1)
		go func() { ended <- run(ctx, args, strings.NewReader(""), io.Discard, io.Discard) }()
		cancel()
		select {
		case got := <-ended:
			if got != exit.Failed && got != exit.Again {
				t.Errorf("%s: got status %d, want that of an interruption", args[0], got)
			}
		case <-time.After(time.Minute):
			t.Fatalf("%s: got no end, want one", args[0])
		}
	}
}

// The other commands that fetch end in the same words, and with their own statuses.
func TestInterruptedWords(t *testing.T) {
	began := make(chan struct{}, 1)
	base, flags := serve(t, func(w http.ResponseWriter, r *http.Request) {
		began <- struct{}{}
		<-r.Context().Done()
	})
	path := filepath.Join(t.TempDir(), "a.mbox")
	writeText(t, path, box(base+"/a"))
	for command, want := range map[string]int{
		"inline":                              exit.Again,
		"check":                               exit.Failed,
		"archive sync --resolve all --to DIR": exit.Failed,
	} {
		ctx, cancel := context.WithCancelCause(t.Context())
		go func() {
			<-began
			cancel(errors.New("a signal"))
		}()
		status, _, errs := invoke(ctx, "", slices.Concat(fields(command, "DIR", t.TempDir()), flags, []string{path})...)
		if status != want || !strings.HasSuffix(errs, "extbody: interrupted\n") {
			t.Errorf("%s: got status %d and %q, want %d and that it was interrupted", command, status, errs, want)
		}
	}
}

// wantFiles checks the contents of a folder.
func wantFiles(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must(t, err)
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if !slices.Equal(got, want) {
		t.Errorf("files %q, want %q", got, want)
	}
}

// A file that appears during the transfer is not overwritten either, and a name that is a link leads
// nowhere.
func TestGetNeverOverwrites(t *testing.T) {
	dir, victim := t.TempDir(), filepath.Join(t.TempDir(), "victim")
	if err := os.Symlink(victim, filepath.Join(dir, "1-1.txt")); err != nil {
		t.Skip(err)
	}
	base, flags := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if err := os.WriteFile(filepath.Join(dir, "0-1.txt"), []byte("mine"), 0o644); err != nil {
			t.Error(err)
		}
		text(w, "theirs")
	})
	status, _, errs := invoke(t.Context(), box(base+"/a", base+"/b"), append([]string{"get", "--jobs", "1", "--names", "index", "-o", dir}, flags...)...)
	if status != 0 {
		t.Fatalf("got status %d, want 0: %s", status, errs)
	}
	wantFiles(t, dir, "0-1-2.txt", "0-1.txt", "1-1-2.txt", "1-1.txt")
	if b, _ := os.ReadFile(filepath.Join(dir, "0-1.txt")); string(b) != "mine" {
		t.Errorf("got %q, want it not overwritten", b)
	}
	if _, err := os.Lstat(victim); err == nil {
		t.Error("wrote through the link")
	}
}

// When the reader of the lines is gone, the program stops with status 1.
func TestGetOutputFails(t *testing.T) {
	var requests atomic.Int64
	base, flags := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		requests.Add(1)
		text(w, "x")
	})
	urls := slices.Repeat([]string{base + "/a"}, 4*256)
	args := append([]string{"get", "-o", t.TempDir()}, flags...)
	var errs bytes.Buffer
	status := run(t.Context(), args, strings.NewReader(box(urls...)), brokenWriter{}, &errs)
	if status != 1 || !strings.Contains(errs.String(), io.ErrClosedPipe.Error()) {
		t.Errorf("got status %d, want 1 and %v: %s", status, io.ErrClosedPipe, errs.String())
	}
	if n := requests.Load(); n > 2*256 {
		t.Errorf("got %d requests, want at most %d", n, 2*256)
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// Standard input that is a file is not copied, and is read from where it is.
func TestStdinFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "box")
	writeText(t, path, "skipped\n"+box("data:,a", "data:,b"))
	f, err := os.Open(path)
	must(t, err)
	defer f.Close()
	if _, err := f.Seek(int64(len("skipped\n")), io.SeekStart); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if status := run(t.Context(), []string{"list", "--json"}, f, &out, &errs); status != 0 {
		t.Fatalf("got status %d, want 0: %s", status, &errs)
	}
	if got := strings.Count(out.String(), `"status":"listed"`); got != 2 {
		t.Errorf("got %d references, want 2:\n%s", got, &out)
	}
}
