package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/go-extbody/extbody/internal/testkit/dovecot"
)

// TestArchiveToken holds: a file behind a login is captured with the token that the
// --credentials-command gives, which is in no file of the archive, in nothing that is made
// of it, and in nothing that the program writes.
func TestArchiveToken(t *testing.T) {
	const token = "tok-5f2e81c7d0a94c"
	var asked, refused atomic.Int64
	base, flags := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+token {
			refused.Add(1)
			w.Header().Set("WWW-Authenticate", `Bearer realm="files"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		asked.Add(1)
		w.Header().Set("Set-Cookie", "session="+token)
		w.Header().Set("Content-Type", "application/octet-stream")
		switch r.URL.Path {
		case "/denied":
			w.WriteHeader(http.StatusForbidden)
		case "/moved":
			http.Redirect(w, r, "/1", http.StatusFound)
			return
		}
		fmt.Fprint(w, "body of ", r.URL.Path)
	})
	tmp := t.TempDir()
	mail, dir, secret := filepath.Join(tmp, "mail"), filepath.Join(tmp, "archive"), filepath.Join(tmp, "secret")
	for _, path := range []string{"1", "moved", "denied"} {
		writeText(t, filepath.Join(mail, path+".eml"), linked(path, base+"/"+path))
	}
	writeText(t, secret, `{"token":"`+token+`"}`)
	flags = append(flags, "--allow-plaintext")
	login := []string{"--credentials-command", "cat '" + secret + "'", "--login-host", "127.0.0.1"}
	sync := func(more ...string) (int, string) {
		return archived(t, append(append([]string{"sync", mail, "--to", dir, "--resolve", "all"}, flags...), more...)...)
	}
	var said strings.Builder
	status, out := sync(login...)
	said.WriteString(out)
	if status != 3 || !strings.Contains(out, "2 captured") || asked.Load() == 0 || refused.Load() == 0 {
		t.Fatalf("got %d, %d requests with the token and %d without, %s; want 3, 2 captured", status, asked.Load(), refused.Load(), out)
	}
	for _, args := range [][]string{
		append(append([]string{"retry", dir, "message=<denied@example.org>"}, flags...), login...),
		{"verify", dir}, {"status", dir}, {"due", dir},
		{"report", dir, "-o", filepath.Join(tmp, "made", "report.html")},
		{"export", dir, "--as", "csv", "-o", filepath.Join(tmp, "made", "a.csv")},
		{"export", dir, "--as", "warc", "-o", filepath.Join(tmp, "made", "a.warc.gz")},
		{"export", dir, "--as", "mbox", "--inline", "-o", filepath.Join(tmp, "made", "a.mbox")},
	} {
		must(t, os.MkdirAll(filepath.Join(tmp, "made"), 0o700))
		status, out := archived(t, args...)
		said.WriteString(out)
		if status != 0 {
			t.Errorf("%s: got %d, %s; want 0", args[0], status, out)
		}
	}
	if strings.Contains(said.String(), token) {
		t.Errorf("got %s, want no token", said.String())
	}
	files := 0
	for _, root := range []string{dir, filepath.Join(tmp, "made")} {
		err := filepath.WalkDir(root, func(path string, e os.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			files++
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if z, err := gzip.NewReader(bytes.NewReader(text)); err == nil {
				plain, err := io.ReadAll(z)
				if err != nil {
					return err
				}
				text = append(text, plain...)
			}
			if i := bytes.Index(text, []byte(token)); i >= 0 {
				t.Errorf("%s: got %q, want no token", path, text[max(0, i-100):i])
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	if files < 15 {
		t.Errorf("got %d files, want 15 or more", files)
	}
}

// TestArchiveInterrupted holds: while one sync runs another ends with 75; one that is
// interrupted ends soon, reports that, and leaves an archive that verifies and has
// all that arrived before; and the next takes the rest.
func TestArchiveInterrupted(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no signals")
	}
	const good = 5
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			hung, answer := make(chan struct{}, 100), make(chan struct{})
			var served atomic.Int64
			handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "application/octet-stream")
				if strings.HasPrefix(r.URL.Path, "/hang") {
					hung <- struct{}{}
					select {
					case <-answer:
					case <-r.Context().Done():
						return
					}
				} else {
					served.Add(1)
				}
				fmt.Fprint(w, "body of ", r.URL.Path)
			})
			s, hanging := httptest.NewServer(handler), httptest.NewServer(handler)
			t.Cleanup(s.Close)
			t.Cleanup(hanging.Close)
			tmp := t.TempDir()
			mail, dir := filepath.Join(tmp, "mail"), filepath.Join(tmp, "archive")
			for i := range good {
				writeText(t, filepath.Join(mail, fmt.Sprintf("%d.eml", i)), linked(fmt.Sprint(i), fmt.Sprintf("%s/%d", s.URL, i)))
			}
			for i := range 2 {
				writeText(t, filepath.Join(mail, fmt.Sprintf("hang%d.eml", i)), linked(fmt.Sprint("hang", i), fmt.Sprintf("%s/hang%d", hanging.URL, i)))
			}
			args := []string{"sync", mail, "--to", dir, "--resolve", "all", "--allow-net", "127.0.0.0/8", "--allow-port", portOf(s), "--allow-port", portOf(hanging)}
			cmd := exec.Command(executable(t), append([]string{"archive"}, args...)...)
			var out bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &out
			must(t, cmd.Start())
			ended := make(chan error, 1)
			go func() { ended <- cmd.Wait() }()
			select {
			case <-hung:
			case err := <-ended:
				t.Fatalf("got %v, %s; want a request that hangs", err, out.String())
			}
			for served.Load() < good { // all that arrived before is kept
				time.Sleep(10 * time.Millisecond)
			}
			archives(t, 75, "another run", args...) // a second one at once
			archives(t, 0, "has not ended", "status", dir)
			begun := time.Now()
			must(t, cmd.Process.Signal(signal))
			<-ended
			t.Logf("ended %v after the signal", time.Since(begun))
			if got := cmd.ProcessState.ExitCode(); got != 1 {
				t.Errorf("got status %d, %s; want 1", got, out.String())
			}
			if status, out := archived(t, "verify", dir); status != 0 || strings.Contains(out, "left by") {
				t.Errorf("verify: got %d, %s; want a whole ledger, and nothing left", status, out)
			}
			close(answer)
			before := served.Load()
			if status, out := archived(t, args...); status != 0 || served.Load()-before > good {
				t.Errorf("the next run: got %d, %d asked for again, %s; want 0", status, served.Load()-before, out)
			}
			archives(t, 0, fmt.Sprintf("%d captured, 0 excepted, 0 not tried", good+2), "verify", dir)
		})
	}
}

// TestArchiveUntil holds: nothing is asked for after the time that --until names, files
// that were asked for before are captured, the status is 4, and the next run takes the
// rest.
func TestArchiveUntil(t *testing.T) {
	const n = 4 // of which two at a time are asked for
	until := time.Now().Add(2 * time.Second).Truncate(time.Second)
	base, flags := serve(t, func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(time.Until(until.Add(10 * time.Millisecond)))
		w.Header().Set("Content-Type", "application/octet-stream")
		fmt.Fprint(w, "body of ", r.URL.Path)
	})
	tmp := t.TempDir()
	mail, dir := filepath.Join(tmp, "mail"), filepath.Join(tmp, "archive")
	for i := range n {
		writeText(t, filepath.Join(mail, fmt.Sprintf("%d.eml", i)), linked(fmt.Sprint(i), fmt.Sprintf("%s/%d", base, i)))
	}
	args := append([]string{"sync", mail, "--to", dir, "--resolve", "all"}, flags...)
	archives(t, 4, ", 0 exceptions", append(args, "--until", until.Format(time.RFC3339))...)
	archives(t, 0, "", args...) // the next night
	archives(t, 0, fmt.Sprintf("%d captured, 0 excepted, 0 not tried", n), "verify", dir)
}

// TestArchiveMailboxes holds: all mailboxes of all namespaces are read, for a master user
// who reads the mail of another one too, and each message is accounted for once.
// EXTBODY_TEST_MESSAGES is how many there are.
func TestArchiveMailboxes(t *testing.T) {
	n := 90
	fmt.Sscan(os.Getenv("EXTBODY_TEST_MESSAGES"), &n)
	if out, err := exec.Command("dovecot", "--version").Output(); err != nil || !strings.HasPrefix(string(out), "2.3.") {
		t.Skip("the configuration is that of dovecot 2.3")
	}
	boxes := []string{"Maildir", "Maildir/.Sent", "Maildir/.Sent.2025", "Maildir/.Entw&APw-rfe", "Old", "Old/.Post"}
	server := dovecot.StartWith(t, `
auth_master_user_separator = *
passdb {
  driver = static
  args = password=`+dovecot.Password+`
  master = yes
}
namespace old {
  prefix = Old.
  separator = .
  location = maildir:~/Old
}
namespace inbox {
  separator = .
}
`, func(maildir string) {
		home := filepath.Dir(maildir)
		for i, box := range boxes {
			for _, sub := range []string{"cur", "new", "tmp"} {
				must(t, os.MkdirAll(filepath.Join(home, box, sub), 0o755))
			}
			for k := i; k < n; k += len(boxes) {
				text := fmt.Sprintf("Subject: %d\r\n\r\nhello\r\n", k)
				if k%10 == 0 {
					text = linked(fmt.Sprint(k), fmt.Sprintf("https://files.example/%d", k))
				}
				must(t, os.WriteFile(filepath.Join(home, box, "cur", fmt.Sprintf("%d:2,", k)), []byte(text), 0o644))
			}
		}
	})
	dir := filepath.Join(t.TempDir(), "archive")
	sync := func(user string, more ...string) string {
		t.Helper()
		cmd := exec.Command("extbody", append([]string{"archive", "sync", "--to", dir, "--all", "--password-command", "echo " + dovecot.Password, "imaps://" + user + "@" + server.TLSAddr + "/"}, more...)...)
		cmd.Env = append(os.Environ(), "SSL_CERT_FILE="+server.RootFile)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: got %v, %s; want 0", user, err, out)
		}
		return string(out)
	}
	out := sync(dovecot.User)
	if got := strings.Count(out, " seen + 0 excepted; "); got < len(boxes) || !strings.Contains(out, fmt.Sprintf("%d new messages, %d references", n, (n+9)/10)) {
		t.Errorf("got %s, want %d mailboxes or more, %d new messages", out, len(boxes), n)
	}
	// The same mail, as another one sees it: sightings and nothing else.
	if out := sync("ann%2Aroot"); !strings.Contains(out, "\n0 new messages, 0 references") || strings.Count(out, " seen + 0 excepted; ") < len(boxes) {
		t.Errorf("a master user: got %s, want nothing new", out)
	}
	archives(t, 0, fmt.Sprintf("references of %d messages", n), "verify", dir)
}
