package main

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/inspect"
)

// systemdUnits returns a folder with the units, of which the service starts the
// program of this test.
func systemdUnits(t *testing.T) string {
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		t.Skip("systemd-analyze is not installed")
	}
	dir := t.TempDir()
	for _, name := range []string{"extbody.service", "extbody-http.socket", "extbody-milter.socket"} {
		text, err := os.ReadFile(filepath.Join("serve", name))
		if err != nil {
			t.Fatal(err)
		}
		writeConf(t, filepath.Join(dir, name), strings.ReplaceAll(string(text), "/usr/local/bin/extbody", executable(t)))
	}
	return dir
}

// systemd has nothing to say against the units.
func TestServeUnitsVerify(t *testing.T) {
	dir := systemdUnits(t)
	units, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(units) != 3 {
		t.Fatalf("got %v, %v, want 3 units", units, err)
	}
	cmd := exec.Command("systemd-analyze", append([]string{"verify", "--man=no"}, units...)...)
	cmd.Env = append(os.Environ(), "SYSTEMD_UNIT_PATH="+dir+":")
	said, err := cmd.CombinedOutput()
	if err != nil || strings.Contains(string(said), "extbody") {
		t.Errorf("got %v, want no error and no warning\n%s", err, said)
	}
}

// Nor against three fetchers of a fleet, whose exposure is as small. Their command is one that
// the program takes.
func TestFleetUnits(t *testing.T) {
	dir := systemdUnits(t)
	text, err := os.ReadFile(filepath.Join("serve", "extbody-fetcher@.service"))
	if err != nil {
		t.Fatal(err)
	}
	unit := strings.ReplaceAll(string(text), "/usr/local/bin/extbody", executable(t))
	writeConf(t, filepath.Join(dir, "extbody-fetcher@.service"), unit)
	args := []string{"verify", "--man=no"}
	for _, i := range []string{"1", "2", "3"} {
		args = append(args, "extbody-fetcher@"+i+".service")
	}
	cmd := exec.Command("systemd-analyze", args...)
	cmd.Env = append(os.Environ(), "SYSTEMD_UNIT_PATH="+dir+":")
	said, err := cmd.CombinedOutput()
	if err != nil || strings.Contains(string(said), "extbody") {
		t.Errorf("got %v, want no error and no warning\n%s", err, said)
	}
	said, err = exec.Command("systemd-analyze", "security", "--no-pager", "--offline=true", "--threshold=20", filepath.Join(dir, "extbody-fetcher@.service")).CombinedOutput()
	if err != nil {
		t.Errorf("got %v, want an exposure of at most 2.0\n%s", err, said)
	}
	_, command, _ := strings.Cut(unit, "\nExecStart=")
	command, _, _ = strings.Cut(command, "\nRestart")
	fields := strings.Fields(strings.ReplaceAll(command, "\\\n", " "))
	said, _ = exec.Command(fields[0], append(fields[1:], "--help")...).CombinedOutput()
	if !strings.Contains(string(said), "Usage:") || strings.Contains(string(said), "unknown flag") {
		t.Errorf("got %s, want the help", said)
	}
}

// Neither has it with the socket for LMTP and the lines that it prints.
func TestServeUnitLMTP(t *testing.T) {
	dir := systemdUnits(t)
	socket, err := os.ReadFile(filepath.Join("serve", "extbody-lmtp.socket"))
	if err != nil {
		t.Fatal(err)
	}
	writeConf(t, filepath.Join(dir, "extbody-lmtp.socket"), string(socket))
	lines := strings.ReplaceAll(printedBlock(t, string(socket), "#   [Unit]"), "/usr/local/bin/extbody", executable(t))
	writeConf(t, filepath.Join(dir, "extbody.service.d", "lmtp.conf"), lines)
	cmd := exec.Command("systemd-analyze", "verify", "--man=no", filepath.Join(dir, "extbody.service"), filepath.Join(dir, "extbody-lmtp.socket"))
	cmd.Env = append(os.Environ(), "SYSTEMD_UNIT_PATH="+dir+":")
	said, err := cmd.CombinedOutput()
	if err != nil || strings.Contains(string(said), "extbody") {
		t.Errorf("got %v, want no error and no warning\n%s\n%s", err, said, lines)
	}
	// The command is one that the program takes; an unknown flag would be named.
	_, command, _ := strings.Cut(lines, "\nExecStart=/")
	args := strings.Fields(strings.ReplaceAll("/"+command, "\\\n", " "))
	said, _ = exec.Command(args[0], append(args[1:], "--help")...).CombinedOutput()
	if !strings.Contains(string(said), "Usage:") || strings.Contains(string(said), "unknown flag") {
		t.Errorf("got %s, want the help", said)
	}
}

// What the service may do is bounded: by the measure of systemd, of 100 for everything,
// it has at most 20.
func TestServeUnitExposure(t *testing.T) {
	dir := systemdUnits(t)
	help, err := exec.Command("systemd-analyze", "--help").Output()
	if err != nil || !strings.Contains(string(help), "--offline") {
		t.Skip("systemd is too old to judge a file")
	}
	said, err := exec.Command("systemd-analyze", "security", "--no-pager", "--offline=true", "--threshold=20", filepath.Join(dir, "extbody.service")).CombinedOutput()
	if err != nil {
		t.Errorf("got %v, want an exposure of at most 2.0\n%s", err, said)
	}
}

// The unit allows each system call that the server makes when it fetches, spools and
// ends.
func TestServeUnitSystemCalls(t *testing.T) {
	for _, name := range []string{"systemd-analyze", "strace"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("%s is not installed", name)
		}
	}
	base, flags := serve(t, linkedFile)
	d := newDaemon(t, "")
	d.args = append(append(d.args, "--http", d.path("http"), "--milter", d.path("milter"), "--temp-dir", d.path("tmp-mail")), flags...)
	d.startWith(`exec strace -D -f -qq -o ` + d.path("trace") + ` "$0" "$@"`)
	for _, message := range []string{refersTo(base+"/good", 1), refersTo(base+"/good?2", 2) + strings.Repeat("x", 2<<20)} {
		if a, err := d.ask(d.client("http"), message); err != nil || a.Verdict != inspect.Clean {
			t.Skipf("the server cannot be traced here: got %+v, %v", a, err)
		}
	}
	if err := d.end(syscall.SIGTERM); err != nil {
		t.Errorf("SIGTERM: %v\n%s", err, tail(d.logged()))
	}
	unit, err := os.ReadFile("serve/extbody.service")
	if err != nil {
		t.Fatal(err)
	}
	allowed := make(map[string]bool)
	for _, m := range regexp.MustCompile(`(?m)^SystemCallFilter=(~?)(.*)$`).FindAllStringSubmatch(string(unit), -1) {
		for _, set := range strings.Fields(m[2]) {
			for _, call := range systemCalls(t, set) {
				allowed[call] = m[1] == ""
			}
		}
	}
	trace, err := os.ReadFile(d.path("trace"))
	if err != nil {
		t.Fatal(err)
	}
	used := make(map[string]bool)
	for _, m := range regexp.MustCompile(`(?m)^\d+ +(\w+)\(`).FindAllStringSubmatch(string(trace), -1) {
		if !used[m[1]] && !allowed[m[1]] {
			t.Errorf("got the call %s, want one of those that the unit allows", m[1])
		}
		used[m[1]] = true
	}
	if !used["execve"] || !used["accept4"] {
		t.Errorf("got %d calls, want those of a server:\n%.500s", len(used), trace)
	}
}

// systemCalls returns the calls in a set of systemd.
func systemCalls(t *testing.T, set string) (calls []string) {
	t.Helper()
	text, err := exec.Command("systemd-analyze", "syscall-filter", "--no-pager", set).Output()
	if err != nil {
		t.Fatalf("%s: %v", set, err)
	}
	for _, line := range strings.Split(string(text), "\n")[1:] {
		switch line = strings.TrimSpace(line); {
		case strings.HasPrefix(line, "@"):
			calls = append(calls, systemCalls(t, line)...)
		case line != "" && line[0] != '#':
			calls = append(calls, line)
		}
	}
	return calls
}

// By the command of the unit, with sockets that a program of systemd holds, the server
// says that it is ready, answers, and ends.
func TestServeSocketActivate(t *testing.T) {
	if _, err := exec.LookPath("systemd-socket-activate"); err != nil {
		t.Skip("systemd-socket-activate is not installed")
	}
	base, flags := serve(t, linkedFile)
	d := newDaemon(t, "")
	said, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: d.path("notify"), Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer said.Close()
	hears := func(want string) {
		t.Helper()
		b := make([]byte, 100)
		said.SetReadDeadline(time.Now().Add(time.Minute))
		n, err := said.Read(b)
		if got := string(b[:n]); err != nil || got != want {
			t.Errorf("systemd hears %q, %v, want %q", got, err, want)
		}
	}
	unit, err := os.ReadFile("serve/extbody.service")
	if err != nil {
		t.Fatal(err)
	}
	_, command, _ := strings.Cut(strings.ReplaceAll(string(unit), "\\\n", " "), "\nExecStart=")
	command, _, _ = strings.Cut(command, "\n")
	command = strings.NewReplacer("/usr/local/bin/extbody", executable(t), "/etc/extbody/policy.toml", d.path("policy.toml"),
		"/var/cache/extbody/tmp-mail", d.path("tmp-mail"), "/var/cache/extbody", d.path("cache"), "127.0.0.1:8026", d.path("metrics"),
		"--clamd /run/clamav/clamd.ctl", "").Replace(command)
	args := []string{"-l", d.path("http"), "-l", d.path("milter"), "--fdname=http:milter", "-E", "NOTIFY_SOCKET=" + d.path("notify")}
	args = append(append(args, strings.Fields(command)...), flags...)
	cmd := exec.Command("systemd-socket-activate", args...)
	cmd.Stderr = &d.log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	awaitFile(t, d.path("milter"), &d.log)
	// The program is started by the first connection, which waits for it.
	a, err := d.ask(d.client("http"), refersTo(base+"/good", 1))
	if err != nil || a.Verdict != inspect.Clean {
		t.Fatalf("http: got %+v, %v, want %s\n%s", a, err, inspect.Clean, tail(d.logged()))
	}
	hears("READY=1")
	if field, err := sendMilter(d, nil, "192.0.2.1", refersTo(base+"/good", 2)); err != nil || !strings.Contains(field, "extbody=clean") {
		t.Errorf("milter: got %q, %v, want it clean", field, err)
	}
	cmd.Process.Signal(syscall.SIGTERM)
	hears("STOPPING=1")
	if err := cmd.Wait(); err != nil {
		t.Errorf("SIGTERM: got error %v, want none\n%s", err, tail(d.logged()))
	}
}

// awaitFile returns when a file is there.
func awaitFile(t *testing.T, path string, log *logBuffer) {
	t.Helper()
	for try := 0; ; try++ {
		if _, err := os.Stat(path); err == nil {
			return
		}
		if try == 1000 {
			t.Fatalf("got no %s, want one\n%s", path, log)
		}
		time.Sleep(10 * time.Millisecond)
	}
}
