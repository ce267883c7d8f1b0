package main

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/internal/testkit/dovecot"
)

// archived runs the program and returns its status and its output. With SSL_CERT_FILE, which a
// process reads once, it runs in a process of its own.
func archived(t *testing.T, args ...string) (int, string) {
	t.Helper()
	args = append([]string{"archive"}, args...)
	if os.Getenv("SSL_CERT_FILE") != "" {
		cmd := exec.CommandContext(t.Context(), executable(t), args...)
		text, err := cmd.CombinedOutput()
		if cmd.ProcessState == nil {
			t.Fatal(err)
		}
		return cmd.ProcessState.ExitCode(), string(text)
	}
	var out, errw bytes.Buffer
	status := run(t.Context(), args, strings.NewReader(""), &out, &errw)
	return status, out.String() + errw.String()
}

// archives runs the program, and wants an exit status, and a text in its output.
func archives(t *testing.T, want int, says string, args ...string) {
	t.Helper()
	if status, out := archived(t, args...); status != want || !strings.Contains(out, says) {
		t.Errorf("%q: got %d, %s; want %d, %q", args, status, out, want, says)
	}
}

// TestArchiveShared copies the folder of an archive whose objects are in a bucket, and writes to both. Each run that notices
// it has one sentence on standard error and goes on, and a forget is refused with it (OP-59).
func TestArchiveShared(t *testing.T) {
	tmp := t.TempDir()
	mail := filepath.Join(tmp, "mail")
	dirs := []string{filepath.Join(tmp, "one"), filepath.Join(tmp, "two")}
	program := executable(t)
	shared := func(status, sentences int, args ...string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), program, append([]string{"archive"}, args...)...)
		said := new(strings.Builder)
		cmd.Stderr = said
		got := exitStatus(t, cmd)
		if n := strings.Count(said.String(), "another folder has written to the objects"); got != status || n != sentences {
			t.Errorf("%q: got %d, %s; want %d, and the sentence %d times", args, got, said, status, sentences)
		}
	}
	for i, want := range []int{0, 0, 1, 1} {
		id := fmt.Sprint(i)
		writeText(t, filepath.Join(mail, id+".eml"), linked(id, "data:,"+id))
		dir := dirs[i%2]
		args := []string{"sync", mail, "--to", dir}
		if i == 0 {
			args = append(args, "--archive-objects", "file://"+filepath.ToSlash(filepath.Join(tmp, "bucket")))
		}
		if i == 1 {
			must(t, os.CopyFS(dir, os.DirFS(dirs[0])))
		}
		shared(exit.OK, want, args...)
	}
	shared(exit.Failed, 1, "forget", dirs[0], "message=<0@example.org>", "--reason", "x")
	shared(exit.OK, 0, "repair", "--accept", dirs[0])
	shared(exit.OK, 0, "forget", dirs[0], "message=<0@example.org>", "--reason", "x")
}

// linked returns a message with a reference.
func linked(id, url string) string {
	return fmt.Sprintf("From: a@example.org\r\nMessage-ID: <%s@example.org>\r\nContent-Type: message/external-body; access-type=URL;\r\n URL=\"%s\"\r\n\r\nContent-Type: application/octet-stream\r\n\r\n", id, url)
}

// TestArchiveDovecot holds: each message of a server is accounted for once, octet for
// octet, and nothing is read or asked for again.
func TestArchiveDovecot(t *testing.T) {
	const n, refs, old = 120, 10, 4
	var asked atomic.Int64
	base, flags := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		w.Header().Set("Content-Type", "application/octet-stream")
		fmt.Fprint(w, "body of ", r.URL.Path)
	})
	texts := make(map[string]bool)
	server := dovecot.Start(t, func(maildir string) {
		for i := range n {
			text := fmt.Sprintf("Subject: %d\r\n\r\nhello\r\n", i)
			if i < refs {
				text = linked(fmt.Sprint(i), fmt.Sprintf("%s/%d", base, i))
			} else if i == refs {
				text = "Content-Type: message/partial; id=x\r\n\r\nx\r\n"
			}
			texts[text] = true
			path := filepath.Join(maildir, "cur", fmt.Sprintf("%d:2,", i))
			must(t, os.WriteFile(path, []byte(text), 0o644))
			if i < old {
				must(t, os.Chtimes(path, time.Time{}, time.Now().Add(-40*24*time.Hour)))
			}
		}
	})
	tmp := t.TempDir()
	dir := filepath.Join(tmp, "archive")
	sync := func(more ...string) (int, string) {
		t.Helper()
		return archived(t, append([]string{"sync", "imap://" + dovecot.User + "@" + server.Addr + "/", "--to", dir, "--resolve", "all", "--allow-plaintext",
			"--password-command", "echo " + dovecot.Password}, slices.Concat(flags, more)...)...)
	}
	t.Setenv("SSL_CERT_FILE", server.RootFile)
	// The server reports no Date for the messages.
	if status, out := sync("--since", "30d", "--all"); status != 0 || !strings.Contains(out, fmt.Sprintf("%d messages = %d seen + 0 excepted + %d older; %[2]d stored", n, n-old, old)) || asked.Load() != refs-old {
		t.Fatalf("--since: got %d, %d requests, %s; want %d older", status, asked.Load(), out, old)
	}
	os.RemoveAll(dir)
	asked.Store(0)
	status, out := sync()
	if status != 0 || !strings.Contains(out, fmt.Sprintf("%d messages = %d seen + 0 excepted; %d stored", n, n, refs)) || asked.Load() != refs || !strings.Contains(out, "1 message/partial") {
		t.Fatalf("got %d, %d requests, %s; want 0, %d, and a piece of a message", status, asked.Load(), out, refs)
	}
	if status, out := sync(); status != 0 || !strings.Contains(out, "0 new messages") || asked.Load() != refs {
		t.Errorf("again: got %d, %d requests, %s; want nothing new", status, asked.Load(), out)
	}
	if status, out := sync("--all"); status != 0 || !strings.Contains(out, fmt.Sprintf("%d stored", n)) {
		t.Errorf("--all: got %d, %s; want %d stored", status, out, n)
	}
	eml := filepath.Join(tmp, "eml")
	archives(t, 0, "", "export", dir, "--as", "eml", "-o", eml)
	entries, err := os.ReadDir(eml)
	if err != nil || len(entries) != n {
		t.Errorf("got %d messages, %v; want %d", len(entries), err, n)
	}
	for _, e := range entries {
		if text, _ := os.ReadFile(filepath.Join(eml, e.Name())); !texts[string(text)] {
			t.Errorf("%s: got %.80q, want a message as it was", e.Name(), text)
		}
	}
	archives(t, 0, "", "verify", dir)
	var all strings.Builder
	filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			text, _ := os.ReadFile(path)
			all.Write(text)
		}
		return nil
	})
	if strings.Contains(all.String(), dovecot.Password) {
		t.Error("the password is in the archive")
	}
}

// TestArchiveDialects holds: a run with more dialects finds in the messages of a server the
// references that the runs before it did not look for, once, and reports how many messages
// it read again.
func TestArchiveDialects(t *testing.T) {
	const n, links = 30, 3
	server := dovecot.Start(t, func(maildir string) {
		for i := range n {
			text := fmt.Sprintf("Subject: %d\r\n\r\nhello\r\n", i)
			if i < links {
				text = fmt.Sprintf("Subject: %d\r\nMIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n<a href=\"https://www.dropbox.com/s/abcdefghijklm%02d/x.pdf?dl=0\">x</a>\r\n", i, i)
			}
			must(t, os.WriteFile(filepath.Join(maildir, "cur", fmt.Sprintf("%d:2,", i)), []byte(text), 0o644))
		}
	})
	dir := filepath.Join(t.TempDir(), "archive")
	for _, tt := range []struct{ dialects, want string }{
		{"none", fmt.Sprintf("%d messages = %d seen + 0 excepted; 0 stored\n", n, n)},
		{"all", fmt.Sprintf("%d messages = %d seen + 0 excepted; %d stored\n%[3]d new messages, %[3]d references;", n, n, links)},
		{"all", fmt.Sprintf("%d messages = %d seen + 0 excepted; %d stored\n0 new messages, 0 references;", n, n, links)},
	} {
		cmd := exec.Command("extbody", "archive", "sync", "imaps://"+dovecot.User+"@"+server.TLSAddr+"/INBOX", "--to", dir,
			"--password-command", "echo "+dovecot.Password, "--dialects", tt.dialects)
		cmd.Env = append(os.Environ(), "SSL_CERT_FILE="+server.RootFile)
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), tt.want) {
			t.Errorf("%s: got %v, %s; want %s", tt.dialects, err, out, tt.want)
		}
	}
	archives(t, 0, "", "verify", dir)
}

// TestArchiveDovecotRenamed is OP-59: Dovecot has no EMAILID, and its X-GUID stays when a mailbox is renamed, so that
// the messages of that mailbox are known.
func TestArchiveDovecotRenamed(t *testing.T) {
	base, flags := serve(t, func(w http.ResponseWriter, r *http.Request) { text(w, r.URL.Path) })
	var root string
	server := dovecot.Start(t, func(maildir string) {
		root = maildir
		for _, sub := range []string{"cur", "new", "tmp"} {
			must(t, os.MkdirAll(filepath.Join(maildir, ".Old", sub), 0o700))
		}
		for _, id := range []string{"1", "2"} {
			writeText(t, filepath.Join(maildir, ".Old", "cur", id+":2,"), linked(id, base+"/"+id))
		}
	})
	dir := filepath.Join(t.TempDir(), "archive")
	t.Setenv("SSL_CERT_FILE", server.RootFile)
	sync := func() {
		t.Helper()
		archives(t, 0, "2 messages = 2 seen", append([]string{"sync", "imap://" + dovecot.User + "@" + server.Addr + "/", "--to", dir, "--resolve", "all",
			"--allow-plaintext", "--password-command", "echo " + dovecot.Password}, flags...)...)
	}
	sync()
	must(t, os.Rename(filepath.Join(root, ".Old"), filepath.Join(root, ".New")))
	sync()
	paths, _ := filepath.Glob(filepath.Join(dir, "ledger", "*"))
	ids := make(map[string]int)
	for line := range strings.Lines(readText(t, paths[0])) {
		if found := regexp.MustCompile(`"emailid":"(x-guid:[^"]+)"`).FindStringSubmatch(line); found != nil {
			ids[found[1]]++
		}
	}
	if len(ids) != 2 {
		t.Fatalf("got the ids %v, want two", ids)
	}
	for id, n := range ids {
		if n != 2 {
			t.Errorf("%s: got it %d times, want it in both mailboxes", id, n)
		}
	}
	archives(t, 0, "", "verify", dir)
}
