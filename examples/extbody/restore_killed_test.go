package main

import (
	"bufio"
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/internal/testkit/dovecot"
)

// restoreMessages is how many messages the archive of the tests below has.
const restoreMessages = 12

// many makes an archive of restoreMessages messages, each with a captured body of a size.
func many(t *testing.T, size int) string {
	t.Helper()
	base, flags := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		fmt.Fprint(w, "body of ", r.URL.Path, "\n", strings.Repeat("0123456789abcdef", size/16))
	})
	tmp := t.TempDir()
	for i := range restoreMessages {
		mail := fmt.Sprintf("Received: from a by b; Sun, 2 Mar 2025 10:11:%02d +0000\r\n", i) + linked(fmt.Sprint(i), fmt.Sprintf("%s/%d", base, i))
		writeText(t, filepath.Join(tmp, "mail", fmt.Sprintf("%02d.eml", i)), mail)
	}
	dir := filepath.Join(tmp, "archive")
	archives(t, exit.OK, fmt.Sprintf("%d captured", restoreMessages), append([]string{"sync", filepath.Join(tmp, "mail"), "--to", dir, "--resolve", "all"}, flags...)...)
	return dir
}

// killed runs restore and kills it a while after it said a number of lines.
func killed(t *testing.T, lines int, after time.Duration, env []string, args ...string) {
	t.Helper()
	cmd := exec.Command(executable(t), append([]string{"archive", "restore"}, args...)...)
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	said := bufio.NewScanner(out)
	for range lines {
		said.Scan()
	}
	time.Sleep(after)
	cmd.Process.Kill()
	for said.Scan() {
	}
	cmd.Wait()
}

// kills returns after how many lines, and how long after them, a run is killed. EXTBODY_TEST_KILLS is how often.
func kills(t *testing.T, yield func(lines int, after time.Duration)) {
	n, _ := strconv.Atoi(cmp.Or(os.Getenv("EXTBODY_TEST_KILLS"), "14"))
	random := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		yield(i%(restoreMessages+1), time.Duration(random.IntN(20_000))*time.Microsecond)
	}
}

// dated returns the messages of a Maildir, with their times, by their names.
func dated(t *testing.T, dir string) map[string]string {
	t.Helper()
	list := make(map[string]string)
	for _, sub := range []string{"cur", "new"} {
		entries, _ := os.ReadDir(filepath.Join(dir, sub))
		for _, e := range entries {
			info, err := e.Info()
			must(t, err)
			list[e.Name()] = info.ModTime().UTC().String() + readText(t, filepath.Join(dir, sub, e.Name()))
		}
	}
	return list
}

// TestRestoreKilled holds: restore to a Maildir, a file and a server that is killed leaves only whole messages, and the
// next run adds the others, so that none is lost or there twice.
//
//	EXTBODY_TEST_KILLS=200 go test -run TestRestoreKilled ./examples/extbody
func TestRestoreKilled(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("file names of a Maildir have a colon")
	}
	dir := many(t, 64<<10)
	whole := filepath.Join(t.TempDir(), "whole")
	archives(t, exit.OK, fmt.Sprintf("%d messages restored", restoreMessages), "restore", dir, "--to", whole+"/")
	want := dated(t, whole)

	t.Run("Maildir", func(t *testing.T) {
		kills(t, func(lines int, after time.Duration) {
			box := filepath.Join(t.TempDir(), "box")
			killed(t, lines, after, nil, dir, "--to", box+"/")
			for name, text := range dated(t, box) {
				if _, octets, _ := strings.Cut(text, "Received:"); !strings.HasSuffix(want[name], octets) {
					t.Errorf("killed %v after line %d: got a message %s that is not whole", after, lines, name)
				}
			}
			archives(t, exit.OK, "", "restore", dir, "--to", box+"/")
			if got := dated(t, box); !maps.Equal(got, want) {
				t.Errorf("killed %v after line %d: got %d messages that differ in names, times or octets, want %d", after, lines, len(got), len(want))
			}
		})
	})
	// The states that a kill leaves: while the Maildir is made, and before a message
	// has its time.
	t.Run("Begun", func(t *testing.T) {
		for n := range 4 {
			box := filepath.Join(t.TempDir(), "box")
			must(t, os.Mkdir(box, 0o700))
			for _, sub := range []string{"cur", "new", "tmp"}[:n] {
				must(t, os.Mkdir(filepath.Join(box, sub), 0o700))
			}
			for name, text := range want {
				if n > 0 {
					_, octets, _ := strings.Cut(text, "Received:")
					writeText(t, filepath.Join(box, "cur", name), "Received:"+octets)
					break
				}
			}
			archives(t, exit.OK, "", "restore", dir, "--to", box+"/")
			if got := dated(t, box); !maps.Equal(got, want) {
				t.Errorf("%d folders: got %d messages that differ in names, times or octets, want %d", n, len(got), len(want))
			}
		}
	})
	t.Run("File", func(t *testing.T) {
		_, first, _ := strings.Cut(want[firstOf(want)], "Received:")
		kills(t, func(lines int, after time.Duration) {
			file := filepath.Join(t.TempDir(), "m.eml")
			args := []string{dir, "message=" + strings.TrimSuffix(firstOf(want), ":2,S"), "--to", file}
			killed(t, 0, time.Duration(lines)*5*time.Millisecond+after/4, nil, args...)
			if _, err := os.Stat(file); err != nil {
				archives(t, exit.OK, "1 message restored", append([]string{"restore"}, args...)...)
			}
			if got := readText(t, file); got != "Received:"+first {
				t.Errorf("killed after line %d: got %d octets, want the message", lines, len(got))
			}
			if entries, _ := os.ReadDir(filepath.Dir(file)); len(entries) != 1 {
				t.Errorf("got %v, want the file alone", entries)
			}
		})
	})
	t.Run("Server", func(t *testing.T) {
		server := dovecot.Start(t, func(maildir string) {
			n := 0
			kills(t, func(int, time.Duration) {
				n++
				for _, sub := range []string{"cur", "new", "tmp"} {
					must(t, os.MkdirAll(filepath.Join(maildir, fmt.Sprint(".Box", n), sub), 0o700))
				}
			})
		})
		env := []string{"SSL_CERT_FILE=" + server.RootFile}
		login := []string{"--password-command", "echo " + dovecot.Password}
		run := func(args ...string) string {
			cmd := exec.Command(executable(t), append(append([]string{"archive"}, args...), login...)...)
			cmd.Env = append(os.Environ(), env...)
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%q: got %v, %s", args, err, out)
			}
			return string(out)
		}
		n := 0
		kills(t, func(lines int, after time.Duration) {
			n++
			url := fmt.Sprintf("imaps://%s@%s/Box%d", dovecot.User, server.TLSAddr, n)
			killed(t, lines, after, env, append([]string{dir, "--to", url}, login...)...)
			run("restore", dir, "--to", url)
			back, all := filepath.Join(t.TempDir(), "back"), filepath.Join(t.TempDir(), "all")
			if said := run("sync", url, "--all", "--to", back); !strings.Contains(said, fmt.Sprintf("= %d seen", restoreMessages)) {
				t.Errorf("killed %v after line %d: got %s; want each message once", after, lines, said)
			}
			archives(t, exit.OK, "", "export", back, "--as", "maildir", "-o", all)
			got := make(map[string]bool)
			for _, text := range dated(t, all) {
				_, octets, _ := strings.Cut(text, "Received:")
				got[octets] = true
			}
			for name, text := range want {
				if _, octets, _ := strings.Cut(text, "Received:"); !got[octets] {
					t.Errorf("killed %v after line %d: the message %s is lost", after, lines, name)
				}
			}
		})
	})
}

// firstOf returns the first name.
func firstOf(m map[string]string) string {
	first := ""
	for name := range m {
		if first == "" || name < first {
			first = name
		}
	}
	return first
}
