package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	checkcmd "github.com/go-extbody/extbody/examples/extbody/internal/cli/check"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
)

// exitStatus runs a command to its end and returns its exit status, -1 if a
// signal ended it.
func exitStatus(t *testing.T, cmd *exec.Cmd) int {
	t.Helper()
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode()
	}
	must(t, err)
	return 0
}

// filter runs the program with a message on standard input. It returns the exit status,
// and the output.
func filter(t *testing.T, mail string, args ...string) (status int, out, said string) {
	t.Helper()
	var stdout, stderr strings.Builder
	cmd := exec.Command("extbody", args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(mail), &stdout, &stderr
	status = exitStatus(t, cmd)
	return status, stdout.String(), stderr.String()
}

// fixture is a message, whose number is n, before and after inlining.
func fixture(n int) (before, after string) {
	head := fmt.Sprintf("Subject: %d\nMessage-ID: <%d@a.example>\n", n, n)
	text := strings.Repeat(fmt.Sprintf("Line of %d.\n", n), 1+n*7)
	if n%3 == 2 {
		return head + "\n" + text, head + "\n" + text
	}
	quoted := strings.NewReplacer(" ", "%20", "\n", "%0D%0A").Replace(text)
	before = head + "Content-Type: message/external-body; access-type=url; url=\"data:," + quoted + "\"\n\nContent-Type: text/plain\n\n"
	return before, head + "Content-Type: text/plain\nContent-Transfer-Encoding: 7bit\n\n" + text
}

// tree returns the files of a folder by their path in it.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		files[rel] = string(text)
		return err
	})
	must(t, err)
	return files
}

const fromLine = "From a@example.com Thu Jan  1 00:00:00 1970\n"

// mboxes returns an mbox of the fixtures before and after inlining.
func mboxes(n int) (before, after string) {
	for i := range n {
		b, a := fixture(i)
		before += fromLine + b + "\n"
		after += fromLine + a + "\n"
	}
	return before, after
}

// killing calls try with a function that runs "extbody inline --in-place path"
// and kills it at a random point.
func killing(t *testing.T, try func(path string, run func(kill bool))) {
	times := 100
	if testing.Short() {
		t.Log("ten times only")
		times = 10
	}
	whole := 20 * time.Millisecond // about how long a run takes
	killed := 0
	for range times {
		path := filepath.Join(t.TempDir(), "box")
		try(path, func(kill bool) {
			t.Helper()
			var said bytes.Buffer
			cmd := exec.Command("extbody", "inline", "--in-place", path)
			cmd.Stderr = &said
			begun := time.Now()
			must(t, cmd.Start())
			if kill {
				time.AfterFunc(time.Duration(rand.Int64N(int64(whole))), func() { cmd.Process.Kill() })
			}
			err := cmd.Wait()
			switch {
			case !kill && err != nil:
				t.Fatalf("the run after that: got error %v, want none: %s", err, said.String())
			case err == nil:
				whole = (whole*7 + time.Since(begun)) / 8
			default:
				killed++
			}
		})
		if t.Failed() {
			return
		}
	}
	if killed == 0 {
		t.Error("no run was killed before its end")
	}
	t.Logf("%d of %d were killed before their end", killed, times)
}

// TestKilledMbox kills the program at random points of its work on an mbox. The
// mailbox is the old one or the new one then, and the next run ends right.
func TestKilledMbox(t *testing.T) {
	t.Parallel()
	before, after := mboxes(40)
	killing(t, func(path string, run func(bool)) {
		writeText(t, path, before)
		run(true)
		text, err := os.ReadFile(path)
		must(t, err)
		if string(text) != before && string(text) != after {
			t.Errorf("got a mailbox of %d octets, want that of %d before or of %d after", len(text), len(before), len(after))
		}
		run(false)
		files := tree(t, filepath.Dir(path))
		if len(files) != 1 || files["box"] != after {
			t.Errorf("after the next run: got %q, want box alone, rewritten", fileNames(files))
		}
	})
}

// TestKilledMaildir does the same with a Maildir, in which each message is the old
// one or the new one.
func TestKilledMaildir(t *testing.T) {
	t.Parallel()
	const messages = 24
	killing(t, func(path string, run func(bool)) {
		writeText(t, filepath.Join(path, "tmp", "foreign"), "not ours")
		for i := range messages {
			b, _ := fixture(i)
			name := fmt.Sprintf("new/%d.host", i)
			if i%2 == 0 {
				name = fmt.Sprintf("cur/%d.host,S=%d:2,FS", i, len(b))
			}
			writeText(t, filepath.Join(path, name), b)
		}
		check := func(done bool) {
			files := tree(t, path)
			if files["tmp/foreign"] != "not ours" {
				t.Error("a file in tmp that is not ours was touched")
			}
			seen := 0
			for i := range messages {
				b, a := fixture(i)
				for name, text := range files {
					if !strings.HasPrefix(name, fmt.Sprintf("cur/%d.", i)) && !strings.HasPrefix(name, fmt.Sprintf("new/%d.", i)) {
						continue
					}
					seen++
					if text != a && (done || text != b) {
						t.Errorf("%s: got %.200q, want the message before or after", name, text)
					}
					if want := fmt.Sprintf("S=%d:2,FS", len(a)); done && i%2 == 0 && !strings.HasSuffix(name, want) {
						t.Errorf("%s: want %s", name, want)
					}
				}
			}
			if seen != messages {
				t.Errorf("%d messages, want %d", seen, messages)
			}
			if done && len(files) != messages+1 {
				t.Errorf("got %q, want %d files", fileNames(files), messages+1)
			}
		}
		run(true)
		check(false)
		run(false)
		check(true)
	})
}

func fileNames(files map[string]string) []string {
	var names []string
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// hanging starts a server that never answers, and reports when it was asked.
func hanging(t *testing.T) (args []string, url string, asked <-chan struct{}) {
	t.Helper()
	c := make(chan struct{}, 10)
	base, flags := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		c <- struct{}{}
		<-r.Context().Done()
	})
	return append([]string{"inline"}, flags...), base, c
}

// TestSignals ends the program by a signal while it waits for a server. No target
// is touched then, and nothing else stays.
func TestSignals(t *testing.T) {
	args, url, asked := hanging(t)
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		for _, tt := range []struct {
			name string
			args []string
			want int
		}{
			{"Filter", []string{"--report", "log", "mail.eml"}, exit.Again},
			{"Output", []string{"-o", "out.eml", "mail.eml"}, exit.Failed},
			{"Replaced", []string{"-o", "old.eml", "mail.eml"}, exit.Failed},
			{"InPlace", []string{"--in-place", "mail.eml"}, exit.Failed},
			{"Mbox", []string{"--in-place", "box"}, exit.Failed},
			{"Maildir", []string{"--in-place", "Maildir"}, exit.Failed},
			{"Folder", []string{"-o", "New", "Maildir"}, exit.Failed},
		} {
			t.Run(tt.name+"/"+signal.String(), func(t *testing.T) {
				dir := t.TempDir()
				mail := reference(url + "/x")
				want := map[string]string{
					"mail.eml": mail, "old.eml": "old", "log": "", "box": fromLine + mail,
					"Maildir/cur/1.a:2,": mail, "Maildir/new/2.a": mail, "Maildir/tmp/3.a": mail,
				}
				for name, text := range want {
					writeText(t, filepath.Join(dir, name), text)
				}
				cmd := exec.Command("extbody", append(slices.Clone(args), tt.args...)...)
				cmd.Dir = dir
				var out bytes.Buffer
				cmd.Stdout = &out
				must(t, cmd.Start())
				<-asked
				must(t, cmd.Process.Signal(signal))
				_ = cmd.Wait()
				if got := cmd.ProcessState.ExitCode(); got != tt.want {
					t.Errorf("exit status %d, want %d", got, tt.want)
				}
				if out.Len() > 0 {
					t.Errorf("got the output %q, want none", out.String())
				}
				if got := tree(t, dir); !maps.Equal(got, want) {
					t.Errorf("got %q, want all as it was: %q", got, want)
				}
			})
		}
	}
}

// TestFilterDeadline holds the filter to its time, in each phase.
func TestFilterDeadline(t *testing.T) {
	t.Parallel()
	command, url, _ := hanging(t)
	args := append(slices.Clip(command), "--timeout", "500ms")
	// A tenth of the time is for writing, also where the machine has more to do.
	longer := append(slices.Clip(command), "--timeout", "4s")
	mail := reference(url + "/x")
	t.Run("Reading", func(t *testing.T) {
		r, w, err := os.Pipe()
		must(t, err)
		defer w.Close()
		cmd := exec.Command("extbody", args...)
		cmd.Stdin = r
		if got := exitStatus(t, cmd); got != exit.Again {
			t.Errorf("exit status %d, want %d", got, exit.Again)
		}
		r.Close()
	})
	t.Run("Fetching", func(t *testing.T) {
		got, out, said := filter(t, mail, append(longer, "--json")...)
		if got != exit.OK || out != mail || !strings.Contains(said, `"kind":"unavailable"`) {
			t.Errorf("exit status %d, %q and %s, want %d, the message, and the kind unavailable", got, out, said, exit.OK)
		}
	})
	t.Run("Reading scripts", func(t *testing.T) {
		// The host makes the text worth reading; the link is not a reference.
		for _, unit := range []string{"<script><!--<script></script>", "<script><!--", "<svg><style><title><script>"} {
			mail := "MIME-Version: 1.0\nContent-Type: text/html\n\n<a href=\"https://we.tl/\">\n" + strings.Repeat(unit+"\n", 4<<20/len(unit))
			began := time.Now()
			if got, out, _ := filter(t, mail, "inline", "--timeout", "20s"); got != exit.OK || out != mail {
				t.Errorf("%s: got exit status %d and %d octets after %v, want %d and the message of %d", unit, got, len(out), time.Since(began), exit.OK, len(mail))
			}
		}
	})
	t.Run("FetchingTempfail", func(t *testing.T) {
		if got, out, _ := filter(t, mail, append(args, "--tempfail")...); got != exit.Again || out != "" {
			t.Errorf("exit status %d and %q, want nothing and %d", got, out, exit.Again)
		}
	})
	t.Run("Writing", func(t *testing.T) {
		r, w, err := os.Pipe()
		must(t, err)
		defer r.Close()
		cmd := exec.Command("extbody", args...)
		cmd.Stdin, cmd.Stdout = strings.NewReader("Subject: long\n\n"+strings.Repeat("x\n", 1<<20)), w
		if got := exitStatus(t, cmd); got != exit.Again {
			t.Errorf("exit status %d, want %d", got, exit.Again)
		}
		w.Close()
	})
}

// TestBrokenPipe wants a message whose reader is gone to be tried again.
func TestBrokenPipe(t *testing.T) {
	for _, mail := range []string{"Subject: short\n\n", "Subject: long\n\n" + strings.Repeat("x\n", 1<<20)} {
		r, w, err := os.Pipe()
		must(t, err)
		r.Close()
		cmd := exec.Command("extbody", "inline")
		cmd.Stdin, cmd.Stdout = strings.NewReader(mail), w
		if got := exitStatus(t, cmd); got != exit.Again {
			t.Errorf("exit status %d, want %d", got, exit.Again)
		}
		w.Close()
	}
}

// TestClosedOutput wants a message with no place to go to be tried again, and one that is
// thrown away on purpose not.
func TestClosedOutput(t *testing.T) {
	for _, tt := range []struct {
		name, redirection string
		want              int
	}{
		{"Closed", ">&-", exit.Again},
		{"Null", ">/dev/null", exit.OK},
	} {
		for _, command := range []string{"inline", "externalize --store store --base-url https://parts.example/ --min-size 1MB"} {
			cmd := exec.Command("sh", "-c", "exec extbody "+command+" "+tt.redirection)
			cmd.Dir, cmd.Stdin = t.TempDir(), strings.NewReader("Subject: short\n\n")
			if got := exitStatus(t, cmd); got != tt.want {
				t.Errorf("%s, %s: exit status %d, want %d", tt.name, command, got, tt.want)
			}
		}
	}
}

// TestLostOutput wants no command to report success when its product was lost. The lines of the others may
// be thrown away, since a closed output looks like a null device, and not because a disk is full.
func TestLostOutput(t *testing.T) {
	message := filepath.Join(t.TempDir(), "m.eml")
	writeText(t, message, "Content-Type: message/external-body; access-type=url; url=\"data:,body\"\n\nContent-Type: text/plain\nContent-ID: <x@h.example>\n\n")
	for _, tt := range []struct {
		command      string
		closed, full int
	}{
		{"list m.eml", exit.OK, exit.Failed},
		{"list --json m.eml", exit.OK, exit.Failed},
		{"get m.eml", exit.OK, exit.Failed},
		{"get --json m.eml", exit.OK, exit.Failed},
		{"get --stdout m.eml", exit.Failed, exit.Failed},
		{"get --dry-run m.eml", exit.OK, exit.Failed},
		{"new --url http://h.example/a --content-id <x@h.example>", exit.OK, exit.Failed},
		{"url encode x", exit.OK, exit.Failed},
		{"url decode x", exit.OK, exit.Failed},
		{"data encode x", exit.OK, exit.Failed},
		{"data decode data:,x", exit.OK, exit.Failed},
		{"get -o - m.eml", exit.Failed, exit.Failed},
		{"inline m.eml", exit.Again, exit.Again},
		{"inline -o - m.eml", exit.Again, exit.Again},
		{"normalize m.eml", exit.Again, exit.Again},
		{"check m.eml", checkcmd.StatusFound, exit.Failed},
		{"check --json m.eml", checkcmd.StatusFound, exit.Failed},
		{"archive sync --to a m.eml", exit.OK, exit.Failed},
		{"list --help", exit.OK, exit.Failed},
	} {
		for redirection, want := range map[string]int{">&-": tt.closed, ">/dev/full": tt.full} {
			if _, err := os.Stat(strings.TrimPrefix(redirection, ">")); err != nil && redirection != ">&-" {
				continue // a system without it
			}
			cmd := exec.Command("sh", "-c", "exec extbody "+strings.NewReplacer("<", "'<", ">", ">'").Replace(tt.command)+" "+redirection)
			cmd.Dir = t.TempDir()
			must(t, os.Link(message, filepath.Join(cmd.Dir, "m.eml")))
			said := new(strings.Builder)
			cmd.Stderr = said
			if got := exitStatus(t, cmd); got != want {
				t.Errorf("%s %s: exit status %d, want %d: %s", tt.command, redirection, got, want, said)
			}
		}
	}
}

// TestNullDevice wants a null device that is open for reading too, as other languages give it to
// a program whose output they throw away, to be no failure of commands whose product is not a message or a body on it.
func TestNullDevice(t *testing.T) {
	for _, tt := range []struct {
		command, want string
		status        int
	}{
		{"get m.eml", "body.txt", exit.OK},
		{"get --json -o . m.eml", "body.txt", exit.OK},
		{"get --dry-run m.eml", "", exit.OK},
		{"get --stdout m.eml", "", exit.Failed},
		{"inline m.eml", "", exit.Again},
		{"inline --in-place m.eml", "", exit.OK},
		{"inline --dry-run m.eml", "", exit.OK},
		{"inline -o new.eml m.eml", "new.eml", exit.OK},
		{"externalize --store store --base-url https://parts.example/ --min-size 1 m.eml", "", exit.Again},
		{"normalize m.eml", "", exit.Again},
		{"list m.eml", "", exit.OK},
		{"list --json m.eml", "", exit.OK},
		{"check m.eml", "", checkcmd.StatusFound},
		{"check --json m.eml", "", checkcmd.StatusFound},
		{"new --url http://h.example/a", "", exit.OK},
		{"url encode x", "", exit.OK},
		{"url decode x", "", exit.OK},
		{"url unwrap http://h.example/", "", exit.OK},
		{"data encode m.eml", "", exit.OK},
		{"data decode data:,x", "", exit.OK},
		{"policy sets", "", exit.OK},
		{"hosts", "", exit.OK},
		{"hosts https://h.example/", "", exit.OK},
		{"config", "", exit.OK},
		{"demo", "", exit.OK},
		{"licenses", "", exit.OK},
		{"help", "", exit.OK},
		{"help output", "", exit.OK},
		{"get --help", "", exit.OK},
		{"--version", "", exit.OK},
		{"completion bash", "", exit.OK},
		{"man", "", exit.OK},
		{"archive sync --to a m.eml", "a/head", exit.OK},
		{"archive sync --to kept m.eml", "", exit.OK},
		{"archive status kept", "", exit.OK},
		{"archive due kept", "", exit.OK},
		{"archive verify kept", "", exit.OK},
		{"archive report kept -o report.html", "report.html", exit.OK},
		{"archive search kept name=body.txt", "", exit.OK},
		{"archive export kept --as mbox -o out", "out", exit.OK},
		{"archive copy kept copy", "copy/head", exit.OK},
		{"archive restore kept --to restored", "restored", exit.OK},
		{"archive holds kept", "", exit.OK},
	} {
		null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
		must(t, err)
		defer null.Close()
		cmd := exec.Command("extbody", strings.Fields(tt.command)...)
		said := new(strings.Builder)
		cmd.Dir, cmd.Stdout, cmd.Stderr = t.TempDir(), null, said
		cmd.Env = append(os.Environ(), "HOME="+cmd.Dir)
		writeText(t, filepath.Join(cmd.Dir, "m.eml"), "Content-Type: message/external-body; access-type=url; url=\"data:,body\"\n\nContent-Type: text/plain; name=body.txt\nContent-ID: <x@h.example>\n\n")
		if strings.Contains(tt.command, " kept") && !strings.Contains(tt.command, " sync ") {
			sync := exec.Command("extbody", "archive", "sync", "--to", "kept", "--resolve", "all", "m.eml")
			sync.Dir = cmd.Dir
			must(t, sync.Run())
		}
		if got := exitStatus(t, cmd); got != tt.status {
			t.Errorf("%s: exit status %d, want %d: %s", tt.command, got, tt.status, said)
		}
		if _, err := os.Stat(filepath.Join(cmd.Dir, tt.want)); err != nil {
			t.Errorf("%s: %v, want it saved", tt.command, err)
		}
	}
}

// TestTooComplex passes on a message that is too complex to be parsed. A mailbox
// keeps it, and the status shows that.
func TestTooComplex(t *testing.T) {
	dir := t.TempDir()
	mail := "Content-Type: multipart/mixed; boundary=b\n\n" + strings.Repeat("--b\n\nx\n", 200_000) + "--b--\n"
	writeText(t, filepath.Join(dir, "mail.eml"), mail)
	for _, tt := range []struct {
		name string
		args []string
		want int
	}{
		{"Filter", []string{"inline"}, exit.OK},
		{"FilterToFile", []string{"inline", "-o", filepath.Join(dir, "out.eml")}, exit.OK},
		{"File", []string{"inline", "-o", filepath.Join(dir, "out.eml"), filepath.Join(dir, "mail.eml")}, exit.Failed},
		{"InPlace", []string{"inline", "--in-place", filepath.Join(dir, "mail.eml")}, exit.Failed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, out, said := filter(t, mail, tt.args...)
			if got != tt.want || said == "" {
				t.Errorf("exit status %d, want %d; it said %q", got, tt.want, said)
			}
			for name, text := range tree(t, dir) {
				if text != mail {
					t.Errorf("%s: got it changed, want it as it was", name)
				}
			}
			if len(tt.args) == 1 && out != mail {
				t.Error("the message was changed")
			}
		})
	}
}
