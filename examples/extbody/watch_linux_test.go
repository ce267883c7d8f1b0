package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
)

// A watched is a Maildir that "inline --watch" keeps whole.
type watched struct {
	t     *testing.T
	dir   string
	base  string // of the server
	flags []string
	asked atomic.Int64
}

func newWatched(t *testing.T) *watched {
	w := &watched{t: t, dir: filepath.Join(t.TempDir(), "Maildir")}
	w.base, w.flags = serve(t, func(out http.ResponseWriter, r *http.Request) {
		w.asked.Add(1)
		if to := r.URL.Query().Get("to"); to != "" {
			http.Redirect(out, r, to, http.StatusFound)
			return
		}
		text(out, "the body of "+r.URL.Path) // without LF, it goes in as it is
	})
	w.flags = append(w.flags, "--allow-net", "127.0.0.0/8")
	for _, sub := range []string{"cur", "new", "tmp"} {
		must(t, os.MkdirAll(filepath.Join(w.dir, sub), 0o700))
	}
	return w
}

// host is the host of the server, as --yes takes it.
func (w *watched) host() string { return strings.TrimPrefix(w.base, "http://") }

// deliver puts a message with a reference to a URL into the Maildir, as delivery agents do.
func (w *watched) deliver(id, url string) {
	w.t.Helper()
	mail := fmt.Sprintf("Message-ID: <%s>\nContent-Type: message/external-body; access-type=url; url=\"%s\"\n\nContent-Type: text/plain\nContent-ID: <%s@b>\n\n", id, url, id)
	writeText(w.t, filepath.Join(w.dir, "tmp", id), mail)
	must(w.t, os.Rename(filepath.Join(w.dir, "tmp", id), filepath.Join(w.dir, "new", id)))
}

// messages returns the messages by their Message-IDs. A message that is there twice is an error.
func (w *watched) messages() map[string]string {
	w.t.Helper()
	found := make(map[string]string)
	for _, sub := range []string{"new", "cur"} {
		entries, err := os.ReadDir(filepath.Join(w.dir, sub))
		must(w.t, err)
		for _, e := range entries {
			if !e.Type().IsRegular() {
				continue
			}
			text, err := os.ReadFile(filepath.Join(w.dir, sub, e.Name()))
			if err != nil {
				continue // it was replaced
			}
			id, _, _ := strings.Cut(strings.TrimPrefix(string(text), "Message-ID: <"), ">")
			if found[id] != "" {
				w.t.Errorf("got the message %s twice", id)
			}
			found[id] = string(text)
		}
	}
	return found
}

func (w *watched) whole(id string) bool {
	return strings.Contains(w.messages()[id], "the body of ")
}

// start starts the program, which is ended with the test.
func (w *watched) start(args ...string) (cmd *exec.Cmd, out, errw *lockedBuffer) {
	w.t.Helper()
	cmd = exec.Command(executable(w.t), append(append([]string{"inline", "--watch", w.dir}, w.flags...), args...)...)
	out, errw = new(lockedBuffer), new(lockedBuffer)
	cmd.Stdout, cmd.Stderr = out, errw
	must(w.t, cmd.Start())
	w.t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	return cmd, out, errw
}

// A lockedBuffer is written by one goroutine and read by another.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// A message that arrives is made whole if its host was named. No other host is contacted,
// also not by a redirect. The end of the watch is not an error.
func TestInlineWatch(t *testing.T) {
	w := newWatched(t)
	other := strings.Replace(w.base, "127.0.0.1", "127.0.0.3", 1)
	w.deliver("before", w.base+"/a")
	cmd, _, errw := w.start("--yes", w.host())
	await(t, "message that was there", func() bool { return w.whole("before") }, errw)
	w.deliver("named", w.base+"/b")
	w.deliver("other", other+"/c")
	w.deliver("away", w.base+"/d?to="+other+"/e")
	w.deliver("last", w.base+"/f")
	await(t, "message that came", func() bool { return w.whole("named") && w.whole("last") }, errw)
	await(t, "failure", func() bool {
		return strings.Contains(errw.String(), "no --yes and no rule of --policy names this host")
	}, errw)
	for _, id := range []string{"other", "away"} {
		if got := w.messages()[id]; !strings.Contains(got, "message/external-body") {
			t.Errorf("%s: got %q, want it as it came", id, got)
		}
	}
	if n := w.asked.Load(); n != 4 {
		t.Errorf("got %d requests, want one each for a, b, d and f, and none to the other host", n)
	}
	must(t, cmd.Process.Signal(syscall.SIGTERM))
	if err := cmd.Wait(); err != nil {
		t.Errorf("got %v, want no error: %s", err, errw)
	}
}

// TestInlineWatchPlanted holds: a file that another user puts into a watched Maildir neither ends the watch,
// nor leads it out of the folder.
func TestInlineWatchPlanted(t *testing.T) {
	w := newWatched(t)
	outside := t.TempDir()
	w.deliver("outside", w.base+"/outside")
	must(t, os.Rename(filepath.Join(w.dir, "new/outside"), filepath.Join(outside, "1000000000.outside")))
	before := readText(t, filepath.Join(outside, "1000000000.outside"))
	for _, sub := range []string{".sub/new", ".sub/tmp", ".sub2/cur", ".sub2/new"} {
		must(t, os.MkdirAll(filepath.Join(w.dir, sub), 0o700))
	}
	for name, to := range map[string]string{
		".sub/cur": outside, ".sub2/tmp": outside, ".linked": outside,
		"new/1000000001.link": filepath.Join(outside, "1000000000.outside"), "new/1000000002.dangling": "nowhere",
	} {
		must(t, os.Symlink(to, filepath.Join(w.dir, name)))
	}
	must(t, syscall.Mkfifo(filepath.Join(w.dir, "new/1000000003.fifo"), 0o600))
	_, _, errw := w.start("--yes", w.host())
	w.deliver("last", w.base+"/last")
	await(t, "message after the pipe", func() bool { return w.whole("last") }, errw)
	if got := readText(t, filepath.Join(outside, "1000000000.outside")); got != before {
		t.Errorf("got %q outside, want it as it was", got)
	}
	if entries, _ := os.ReadDir(outside); len(entries) != 1 {
		t.Errorf("got %d files outside, want 1", len(entries))
	}
	if n := w.asked.Load(); n != 1 {
		t.Errorf("got %d requests, want the one of the message in the folder", n)
	}
	for _, name := range []string{"link", "dangling", "fifo"} {
		if n := strings.Count(errw.String(), name+": is no regular file"); n != 1 {
			t.Errorf("got %d lines about the %s in %q, want 1", n, name, errw)
		}
	}
}

// TestInlineWatchLink holds: a watched Maildir may itself be reached by a link.
func TestInlineWatchLink(t *testing.T) {
	w := newWatched(t)
	link := filepath.Join(t.TempDir(), "link")
	must(t, os.Symlink(w.dir, link))
	w.deliver("one", w.base+"/a")
	cmd := exec.Command(executable(t), append([]string{"inline", "--watch", link, "--yes", w.host()}, w.flags...)...)
	must(t, cmd.Start())
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	await(t, "message", func() bool { return w.whole("one") })
}

// A rule of a policy names hosts as well. Without any, the files are listed.
func TestInlineWatchAgrees(t *testing.T) {
	t.Run("Policy", func(t *testing.T) {
		w := newWatched(t)
		rules := filepath.Join(t.TempDir(), "policy.toml")
		writeText(t, rules, "[[rule]]\nname = \"ours\"\nhost = \"127.0.0.1\"\naction = \"inline\"\n")
		w.deliver("other", strings.Replace(w.base, "127.0.0.1", "127.0.0.3", 1)+"/c")
		w.deliver("ours", w.base+"/a")
		_, _, errw := w.start("--policy", rules)
		await(t, "message", func() bool { return w.whole("ours") }, errw)
		if w.asked.Load() != 1 || w.whole("other") {
			t.Errorf("got %d requests, want one", w.asked.Load())
		}
	})
	t.Run("Listed", func(t *testing.T) {
		w := newWatched(t)
		w.deliver("one", w.base+"/a.txt")
		_, out, errw := w.start()
		await(t, "list", func() bool { return strings.Contains(out.String(), "a.txt  -  TXT  "+w.host()) }, errw)
		w.deliver("two", w.base+"/b.txt")
		await(t, "list", func() bool { return strings.Contains(out.String(), "b.txt  -  TXT  "+w.host()) }, errw)
		if w.asked.Load() != 0 || strings.Count(out.String(), "a.txt") != 1 {
			t.Errorf("got %d requests, and %q, want none and each file once", w.asked.Load(), out)
		}
	})
}

// Without a watch the same flags bound the hosts.
func TestInlineHosts(t *testing.T) {
	w := newWatched(t)
	mail := filepath.Join(t.TempDir(), "box")
	writeText(t, mail, box(w.base+"/a", strings.Replace(w.base, "127.0.0.1", "127.0.0.3", 1)+"/b"))
	args := append([]string{"inline", "--in-place", "--yes", w.host(), mail}, w.flags...)
	if got := run(t.Context(), args, strings.NewReader(""), io.Discard, io.Discard); got != exit.OK {
		t.Errorf("got status %d, want 0", got)
	}
	if got := readText(t, mail); w.asked.Load() != 1 || strings.Count(got, "the body of") != 1 || strings.Count(got, "message/external-body") != 1 {
		t.Errorf("got %d requests, %q, want one body", w.asked.Load(), got)
	}
}

// Whenever it is killed, each message is there once, and all are whole after the next run.
func TestInlineWatchKilled(t *testing.T) {
	w := newWatched(t)
	const mails, kills = 30, 12
	for i := range mails {
		w.deliver(fmt.Sprint("m", i), fmt.Sprintf("%s/%d", w.base, i))
	}
	for i := range kills {
		cmd, _, _ := w.start("--yes", w.host())
		kill := w.asked.Load() + int64(i%3)
		await(t, "request", func() bool { return w.asked.Load() > kill || w.asked.Load() >= mails })
		cmd.Process.Kill()
		cmd.Wait()
		if got := len(w.messages()); got != mails {
			t.Fatalf("kill %d: got %d messages, want %d", i, got, mails)
		}
	}
	_, _, errw := w.start("--yes", w.host())
	await(t, "Maildir that is whole", func() bool {
		for i := range mails {
			if !w.whole(fmt.Sprint("m", i)) {
				return false
			}
		}
		return true
	}, errw)
	if got := len(w.messages()); got != mails {
		t.Errorf("got %d messages, want %d", got, mails)
	}
}

func TestInlineWatchMistakes(t *testing.T) {
	dir := t.TempDir()
	for _, args := range [][]string{{"--watch", dir}, {"--watch", filepath.Join(dir, "none")}, {"--watch", dir, "PATH"}, {"--policy", "x"}, {"--yes", "a b"}, {"--watch", dir, "--in-place"}} {
		if got := run(t.Context(), append([]string{"inline"}, args...), strings.NewReader(""), io.Discard, io.Discard); got != exit.Usage {
			t.Errorf("%q: got status %d, want %d", args, got, exit.Usage)
		}
	}
}
