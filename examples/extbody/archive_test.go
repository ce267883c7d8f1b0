package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-extbody/extbody/internal/testkit/dovecot"
)

// archived runs the program and returns its status and what it wrote.
func archived(t *testing.T, args ...string) (int, string) {
	t.Helper()
	var out, errw bytes.Buffer
	status := run(t.Context(), append([]string{"archive"}, args...), strings.NewReader(""), &out, &errw)
	return status, out.String() + errw.String()
}

// linked returns a message with a reference.
func linked(id, url string) string {
	return fmt.Sprintf("From: a@example.org\r\nMessage-ID: <%s@example.org>\r\nContent-Type: message/external-body; access-type=URL;\r\n URL=\"%s\"\r\n\r\nContent-Type: application/octet-stream\r\n\r\n", id, url)
}

// TestArchiveStatus holds the exit statuses, and what is written of secrets.
func TestArchiveStatus(t *testing.T) {
	var asked atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if r.URL.Path == "/dead" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/octet-stream")
		fmt.Fprint(w, "body of ", r.URL.Path)
	}))
	t.Cleanup(s.Close)
	tmp := t.TempDir()
	mail, dir := filepath.Join(tmp, "mail"), filepath.Join(tmp, "archive")
	must(t, os.Mkdir(mail, 0o700))
	for i := range 3 {
		writeText(t, filepath.Join(mail, fmt.Sprintf("%d.eml", i)), linked(fmt.Sprint(i), fmt.Sprintf("%s/%d?secret=%d", s.URL, i, i)))
	}
	port := s.URL[strings.LastIndex(s.URL, ":")+1:]
	flags := []string{"--allow-net", "127.0.0.0/8", "--allow-port", port}
	sync := func(more ...string) []string {
		return append(append([]string{"sync", mail, "--to", dir}, flags...), more...)
	}
	for _, tt := range []struct {
		name   string
		args   []string
		status int
		says   string
		asked  int64 // in all
	}{
		{"NoTo", []string{"sync", mail}, 2, "--to", 0},
		{"Default", sync(), 0, "--resolve all would contact 1 hosts", 0},
		{"Until", sync("--resolve", "all", "--until", time.Now().Add(-time.Minute).Format(time.RFC3339)), 4, "3 left", 0},
		{"All", sync("--resolve", "all"), 0, "3 captured", 3},
		{"Again", sync("--resolve", "all"), 0, "0 captured", 3},
		{"Verify", []string{"verify", dir}, 0, "3 captured, 0 excepted, 0 not tried", 3},
		{"Status", []string{"status", dir}, 0, "3 references", 3},
		{"Retry", append([]string{"retry", dir, "message=<1@example.org>"}, flags...), 0, "1 captured", 4},
		{"BadSelector", []string{"retry", dir, "x"}, 2, "selector", 4},
		{"Export", []string{"export", dir, "--as", "csv", "-o", filepath.Join(tmp, "o.csv")}, 0, "o.csv: 3", 4},
		{"Report", []string{"report", dir, "-o", filepath.Join(tmp, "o.html")}, 0, "o.html", 4},
		{"Hold", []string{"hold", dir, "message=<0@example.org>"}, 0, "2 objects", 4},
		{"Held", []string{"forget", dir, "message=<0@example.org>", "--reason", "x"}, 1, "held", 4},
		{"Release", []string{"release", dir, "message=<0@example.org>"}, 0, "2 objects", 4},
		{"NoReason", []string{"forget", dir, "message=<0@example.org>"}, 2, "reason", 4},
		{"Forget", []string{"forget", dir, "message=<0@example.org>", "--reason", "x"}, 0, "2 objects and 1 exchanges removed", 4},
		{"VerifyForgotten", []string{"verify", dir}, 0, "3 removed on purpose", 4},
		{"None", []string{"status", mail}, 1, "no archive", 4},
	} {
		status, out := archived(t, tt.args...)
		if status != tt.status || !strings.Contains(out, tt.says) || asked.Load() != tt.asked {
			t.Errorf("%s: got status %d, %d requests, %s; want %d, %d, %q", tt.name, status, asked.Load(), out, tt.status, tt.asked, tt.says)
		}
		if strings.Contains(out, "secret") {
			t.Errorf("%s: got %s, want no query in it", tt.name, out)
		}
	}
	// A link that is dead is news the first night only.
	writeText(t, filepath.Join(mail, "dead.eml"), linked("dead", s.URL+"/dead"))
	if status, out := archived(t, sync("--resolve", "all")...); status != 3 {
		t.Errorf("a dead link: got %d, %s; want 3", status, out)
	}
	if status, out := archived(t, sync("--resolve", "all")...); status != 0 {
		t.Errorf("the next night: got %d, %s; want 0", status, out)
	}
}

// writeText writes a file that is for this user alone, and its folder.
func writeText(t testing.TB, path, text string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o700))
	must(t, os.WriteFile(path, []byte(text), 0o600))
}

// readText returns the text of a file.
func readText(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	must(t, err)
	return string(text)
}

// must ends the test if there is an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestArchiveDovecot holds: each message of a server is accounted for once, octet for
// octet, and nothing is read or asked for again.
func TestArchiveDovecot(t *testing.T) {
	const n, refs, old = 120, 10, 4
	var asked atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		w.Header().Set("Content-Type", "application/octet-stream")
		fmt.Fprint(w, "body of ", r.URL.Path)
	}))
	t.Cleanup(s.Close)
	texts := make(map[string]bool)
	server := dovecot.Start(t, func(maildir string) {
		for i := range n {
			text := fmt.Sprintf("Subject: %d\r\n\r\nhello\r\n", i)
			if i < refs {
				text = linked(fmt.Sprint(i), fmt.Sprintf("%s/%d", s.URL, i))
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
	port := s.URL[strings.LastIndex(s.URL, ":")+1:]
	sync := func(more ...string) (int, string) {
		t.Helper()
		return archived(t, append([]string{"sync", "imap://" + dovecot.User + "@" + server.Addr + "/", "--to", dir, "--resolve", "all", "--allow-plaintext",
			"--password-command", "echo " + dovecot.Password, "--allow-net", "127.0.0.0/8", "--allow-port", port}, more...)...)
	}
	t.Setenv("SSL_CERT_FILE", server.RootFile)
	// By what the server says, the messages have no Date.
	if status, out := sync("--since", "30d", "--all"); status != 0 || !strings.Contains(out, fmt.Sprintf("%d messages = %d seen + 0 excepted + %d older; %[2]d stored", n, n-old, old)) || asked.Load() != refs-old {
		t.Fatalf("--since: got %d, %d requests, %s; want %d older", status, asked.Load(), out, old)
	}
	os.RemoveAll(dir)
	asked.Store(0)
	status, out := sync()
	if status != 0 || !strings.Contains(out, fmt.Sprintf("%d messages = %d seen + 0 excepted; %d stored", n, n, refs)) || asked.Load() != refs {
		t.Fatalf("got %d, %d requests, %s; want 0, %d", status, asked.Load(), out, refs)
	}
	if status, out := sync(); status != 0 || !strings.Contains(out, "0 new messages") || asked.Load() != refs {
		t.Errorf("again: got %d, %d requests, %s; want nothing new", status, asked.Load(), out)
	}
	if status, out := sync("--all"); status != 0 || !strings.Contains(out, fmt.Sprintf("%d stored", n)) {
		t.Errorf("--all: got %d, %s; want %d stored", status, out, n)
	}
	eml := filepath.Join(tmp, "eml")
	if status, out := archived(t, "export", dir, "--as", "eml", "-o", eml); status != 0 {
		t.Fatalf("export: got status %d, want 0: %s", status, out)
	}
	entries, err := os.ReadDir(eml)
	if err != nil || len(entries) != n {
		t.Errorf("got %d messages, %v; want %d", len(entries), err, n)
	}
	for _, e := range entries {
		if text, _ := os.ReadFile(filepath.Join(eml, e.Name())); !texts[string(text)] {
			t.Errorf("%s: got %.80q, want a message as it was", e.Name(), text)
		}
	}
	if status, out := archived(t, "verify", dir); status != 0 {
		t.Errorf("verify: got status %d, want 0: %s", status, out)
	}
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

// TestArchiveDialects holds: a run with more dialects finds in the messages of a server what
// the runs before it did not look for, once, and says how many messages it read again.
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
	if status, out := archived(t, "verify", dir); status != 0 {
		t.Errorf("verify: got status %d, want 0: %s", status, out)
	}
}

// TestArchiveRefs holds: what list writes is a source, and what is in mail too is not
// asked for again.
func TestArchiveRefs(t *testing.T) {
	var asked atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		w.Header().Set("Content-Type", "application/octet-stream")
		fmt.Fprint(w, "body of ", r.URL)
	}))
	t.Cleanup(s.Close)
	tmp := t.TempDir()
	mail, refs, dir := filepath.Join(tmp, "m.eml"), filepath.Join(tmp, "refs.jsonl"), filepath.Join(tmp, "archive")
	writeText(t, mail, linked("1", s.URL+"/a?key=value"))
	var out, errw bytes.Buffer
	if status := run(t.Context(), []string{"list", "--json", "--exact-urls", mail}, strings.NewReader(""), &out, &errw); status != 0 {
		t.Fatalf("list: got status %d, want 0: %s", status, errw.String())
	}
	writeText(t, refs, out.String()+"{}\n")
	flags := []string{"--to", dir, "--resolve", "all", "--allow-net", "127.0.0.0/8", "--allow-port", s.URL[strings.LastIndex(s.URL, ":")+1:]}
	status, said := archived(t, append([]string{"sync", "--refs", refs}, flags...)...)
	if status != 3 || !strings.Contains(said, "2 messages = 1 seen + 1 excepted; 1 stored") || asked.Load() != 1 {
		t.Errorf("got %d, %d requests, %s; want 3, 1 seen, 1 excepted", status, asked.Load(), said)
	}
	status, said = archived(t, append([]string{"sync", mail, "--refs", refs}, flags...)...)
	if status != 0 || asked.Load() != 1 {
		t.Errorf("and the mail: got %d, %d requests, %s; want nothing asked for", status, asked.Load(), said)
	}
	if status, said := archived(t, "verify", dir); status != 0 || !strings.Contains(said, "2 references of 2 messages: 2 captured") {
		t.Errorf("verify: got %d, %s; want 2 captured", status, said)
	}
	for _, args := range [][]string{{"--since", "2999-01-01"}, {"--accounts", filepath.Join(tmp, "missing")}} {
		if status, said := archived(t, append(append([]string{"sync"}, flags...), args...)...); status != 2 {
			t.Errorf("%v: got %d, %s; want 2", args, status, said)
		}
	}
}

// TestArchiveJSON checks the keys of the output for other programs.
func TestArchiveJSON(t *testing.T) {
	tmp := t.TempDir()
	mail, dir := filepath.Join(tmp, "mail.eml"), filepath.Join(tmp, "archive")
	writeText(t, mail, linked("1", "http://files.example/1"))
	if status, out := archived(t, "sync", mail, "--to", dir); status != 0 {
		t.Fatalf("sync: got %d, %s", status, out)
	}
	for _, tt := range []struct{ command, want string }{
		{"status", `"references":1,`}, {"status", `"hosts":{"files.example":{"captured":0,"excepted":0,"open":1}}`},
		{"due", `{"host":"files.example","attempts":0,"message":"`}, {"verify", `"faults":null`}, {"verify", `"open":1`},
	} {
		if status, out := archived(t, tt.command, dir, "--json"); status != 0 || !strings.Contains(out, tt.want) {
			t.Errorf("%s: got %d, %s; want %s", tt.command, status, out, tt.want)
		}
	}
}

// TestArchiveForgetCommand checks that forget shows a selection and removes one message only.
func TestArchiveForgetCommand(t *testing.T) {
	tmp := t.TempDir()
	mail, dir := filepath.Join(tmp, "mail"), filepath.Join(tmp, "archive")
	os.Mkdir(mail, 0o700)
	writeText(t, filepath.Join(mail, "1.eml"), "Subject: one\r\n"+linked("1", "data:,1"))
	writeText(t, filepath.Join(mail, "2.eml"), "Subject: =?utf-8?q?tw=1Bo?=\r\n"+linked("1", "data:,2"))
	archived(t, "sync", mail, "--to", dir)
	status, out := archived(t, "forget", dir, "message=<1@example.org>", "--dry-run")
	if status != 0 || !strings.Contains(out, "from=a@example.org subject=one\n") || !strings.Contains(out, "4 objects and 0 exchanges would be removed") || strings.Contains(out, "\x1b") {
		t.Errorf("dry run: got %d, %q", status, out)
	}
	if status, out := archived(t, "forget", dir, "message=<1@example.org>", "--reason", "x"); status != 1 || !strings.Contains(out, "--all-matches") || !strings.Contains(out, "subject=one") {
		t.Errorf("several: got %d, %q", status, out)
	}
	archived(t, "hold", dir, "message=<1@example.org>", "--reason", "case 7")
	if status, out := archived(t, "holds", dir); status != 0 || !strings.Contains(out, "(case 7)") {
		t.Errorf("holds: got %d, %q", status, out)
	}
	if status, out := archived(t, "forget", dir, "message=<1@example.org>", "--reason", "x", "--all-matches"); status != 1 || !strings.Contains(out, "case 7") {
		t.Errorf("held: got %d, %q", status, out)
	}
}
