package main

import (
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/internal/testkit/dovecot"
)

// A kept is an archive of three messages with captured bodies, and the messages with the bodies in them.
type kept struct {
	dir    string
	whole  map[string]string // by Message-ID
	linked map[string]string
}

// keep makes the archive. The messages with bodies are those that inline makes.
func keep(t *testing.T) *kept {
	base, flags := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		fmt.Fprint(w, "body of ", r.URL.Path)
	})
	tmp := t.TempDir()
	k := &kept{dir: filepath.Join(tmp, "archive"), whole: make(map[string]string), linked: make(map[string]string)}
	for i := range 3 {
		id := fmt.Sprint(i)
		mail := fmt.Sprintf("Received: from a by b; Sun, %d Mar 2025 10:11:12 +0000\r\nDKIM-Signature: v=1; a=b\r\n", 2+7*i) + linked(id, base+"/"+id)
		writeText(t, filepath.Join(tmp, "mail", id+".eml"), mail)
		status, out, said := filter(t, mail, append([]string{"inline"}, flags...)...)
		if status != exit.OK || !strings.Contains(out, "Ym9keSBvZi") && !strings.Contains(out, "body of") {
			t.Fatalf("inline: got status %d, %q, %s, want the body in the message", status, out, said)
		}
		k.whole[id], k.linked[id] = out, mail
	}
	archives(t, exit.OK, "3 captured", append([]string{"sync", filepath.Join(tmp, "mail"), "--to", k.dir, "--resolve", "all"}, flags...)...)
	return k
}

// body returns the path of the object of a body.
func (k *kept) body(t *testing.T, text string) string {
	t.Helper()
	found := ""
	must(t, filepath.WalkDir(filepath.Join(k.dir, "objects"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && readText(t, path) == text {
			found = path
		}
		return err
	}))
	if found == "" {
		t.Fatalf("got no object with %q", text)
	}
	return found
}

// texts returns the messages of a Maildir.
func texts(t *testing.T, dir string) (list []string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "cur", "*"))
	must(t, err)
	for _, path := range paths {
		list = append(list, readText(t, path))
	}
	return list
}

// TestRestore holds that a message is restored as inline makes it, once, to a file and to a Maildir, and
// that nothing is overwritten.
func TestRestore(t *testing.T) {
	k := keep(t)
	tmp := t.TempDir()
	file := filepath.Join(tmp, "m.eml")
	archives(t, exit.OK, "listed message=", "restore", k.dir, "message=<1@example.org>", "--dry-run")
	archives(t, exit.Usage, "needs --to or --dry-run", "restore", k.dir)
	archives(t, exit.Usage, "3 are selected", "restore", k.dir, "--to", file)
	if entries, _ := os.ReadDir(tmp); len(entries) > 0 {
		t.Errorf("got %v, want nothing written", entries)
	}
	archives(t, exit.OK, "1 message restored", "restore", k.dir, "message=<1@example.org>", "--to", file)
	if got := readText(t, file); got != k.whole["1"] {
		t.Errorf("got %q, want %q", got, k.whole["1"])
	}
	archives(t, exit.Usage, "nothing is overwritten", "restore", k.dir, "message=<2@example.org>", "--to", file)
	archives(t, exit.Usage, "no Maildir", "restore", k.dir, "--to", tmp)
	if runtime.GOOS == "windows" {
		return // file names of a Maildir have a colon
	}
	box := filepath.Join(tmp, "box")
	archives(t, exit.OK, `"state":"restored"`, "restore", k.dir, "subject=none", "or", "message=<1@example.org>", "--json", "--to", box+"/")
	archives(t, exit.OK, "2 messages restored, 1 there already", "restore", k.dir, "--to", box)
	archives(t, exit.OK, "0 messages restored, 3 there already", "restore", k.dir, "--to", box)
	got := texts(t, box)
	for id, want := range k.whole {
		if n := strings.Count(strings.Join(got, "\x00"), want); n != 1 || len(got) != len(k.whole) {
			t.Errorf("message %s: got it %d times among %d, want it once among %d", id, n, len(got), len(k.whole))
		}
	}
	paths, _ := filepath.Glob(filepath.Join(box, "cur", "*"))
	for _, path := range paths {
		if info, err := os.Stat(path); err != nil || info.ModTime().UTC().Format("2006-01 15:04:05") != "2025-03 10:11:12" {
			t.Errorf("got %v, %v, want the time of arrival", info.ModTime(), err)
		}
	}
}

// TestRestoreLost holds that a message whose body is lost or damaged is restored with its reference, and
// that a message that is lost itself is named, each with the status of an exception.
func TestRestoreLost(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("file names of a Maildir have a colon")
	}
	k := keep(t)
	must(t, os.Remove(k.body(t, "body of /0")))
	damaged := k.body(t, "body of /1")
	must(t, os.Chmod(damaged, 0o600))
	writeText(t, damaged, "Body of /1")
	box := filepath.Join(t.TempDir(), "box") + "/"
	archives(t, exit.Some, "3 messages restored", "restore", k.dir, "--to", box)
	lost := regexp.MustCompile(`"state":"restored","left":\[\{"ref":"[^"]+","kind":"(local|truncated)"`)
	_, out := archived(t, "restore", k.dir, "--json", "--to", filepath.Join(t.TempDir(), "json")+"/")
	if n := len(lost.FindAllString(out, -1)); n != 2 {
		t.Errorf("got %s, want the lost and the damaged body left in two lines", out)
	}
	all := strings.Join(texts(t, box), "\x00")
	for id, want := range map[string]string{"0": k.linked["0"], "1": k.linked["1"], "2": k.whole["2"]} {
		if strings.Count(all, want) != 1 || strings.Contains(all, "Body of") {
			t.Errorf("message %s: got %q, want %q in it", id, all, want)
		}
	}
	must(t, os.Remove(k.body(t, k.linked["2"])))
	archives(t, exit.Some, "2 messages restored", "restore", k.dir, "--to", filepath.Join(t.TempDir(), "box")+"/")
	writeText(t, k.body(t, k.linked["1"]), strings.ToUpper(k.linked["1"]))
	archives(t, exit.Some, "1 message restored", "restore", k.dir, "--to", filepath.Join(t.TempDir(), "box")+"/")
}

// TestRestoreArrival holds that a message without Received arrives again at the INTERNALDATE that its line has. The vector
// has such a message, whose Date is another (OP-59).
func TestRestoreArrival(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("file names of a Maildir have a colon")
	}
	dir := filepath.Join(t.TempDir(), "archive")
	must(t, os.CopyFS(dir, os.DirFS(filepath.Join("internal", "archive", "testdata", "vector"))))
	box := filepath.Join(t.TempDir(), "box")
	archives(t, exit.OK, "1 message restored", "restore", dir, "message=<7@example.org>", "--to", box+"/")
	paths, err := filepath.Glob(filepath.Join(box, "cur", "*"))
	must(t, err)
	if len(paths) != 1 {
		t.Fatalf("got %q, want one message", paths)
	}
	info, err := os.Stat(paths[0])
	must(t, err)
	want := time.Date(2026, 12, 2, 1, 0, 52, 0, time.UTC)
	if got := info.ModTime().UTC(); !got.Equal(want) {
		t.Errorf("got %v, want the INTERNALDATE %v", got, want)
	}
}

// TestRestoreServer restores to Dovecot, and reads the messages back: once each, octet for octet, seen, and
// with the time of their arrival.
func TestRestoreServer(t *testing.T) {
	k := keep(t)
	server := dovecot.Start(t, nil)
	url := "imaps://" + dovecot.User + "@" + server.TLSAddr + "/INBOX"
	login := []string{"--password-command", "echo " + dovecot.Password}
	// A process reads the roots once, so that each command is one of its own.
	trusting := func(want int, says string, args ...string) {
		t.Helper()
		cmd := exec.Command("extbody", append(append([]string{"archive"}, args...), login...)...)
		cmd.Env = append(os.Environ(), "SSL_CERT_FILE="+server.RootFile)
		said := new(strings.Builder)
		cmd.Stdout, cmd.Stderr = said, said
		if got := exitStatus(t, cmd); got != want || !strings.Contains(said.String(), says) {
			t.Errorf("%q: got %d, %s; want %d, %q", args, got, said, want, says)
		}
	}
	restore := func(want int, says string, more ...string) {
		t.Helper()
		trusting(want, says, append([]string{"restore", k.dir, "--to", url}, more...)...)
	}
	restore(exit.OK, "1 message restored, 0 there already", "message=<1@example.org>")
	restore(exit.OK, "2 messages restored, 1 there already")
	restore(exit.OK, "0 messages restored, 3 there already")
	back := filepath.Join(t.TempDir(), "back")
	trusting(exit.OK, "= 3 seen", "sync", url, "--all", "--to", back)
	all := filepath.Join(t.TempDir(), "all")
	archives(t, exit.OK, "3", "export", back, "--as", "eml", "-o", all)
	for id, want := range k.whole {
		found := 0
		paths, _ := filepath.Glob(filepath.Join(all, "*"))
		for _, path := range paths {
			if readText(t, path) == want {
				found++
			}
		}
		if found != 1 || len(paths) != len(k.whole) {
			t.Errorf("message %s: got it %d times among %d, want it once among %d", id, found, len(paths), len(k.whole))
		}
	}
	restore(exit.Usage, "one mailbox", "--to", "imaps://"+dovecot.User+"@"+server.TLSAddr+"/")
}
