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

// unitCommand returns the command of a unit, or of lines of one, with the program of this test.
// replaced are texts in it and others for them.
func unitCommand(t *testing.T, unit string, replaced ...string) []string {
	t.Helper()
	_, command, found := strings.Cut(strings.ReplaceAll(unit, "\\\n", " "), "\nExecStart=/")
	if !found {
		t.Fatalf("got %s, want a unit with a command", unit)
	}
	command, _, _ = strings.Cut("/"+command, "\n")
	return strings.Fields(strings.NewReplacer(append(replaced, "/usr/local/bin/extbody", executable(t))...).Replace(command))
}

// takes reports a command that the program does not take. An unknown flag is named.
func takes(t *testing.T, command []string) {
	t.Helper()
	said, _ := exec.Command(command[0], append(command[1:], "--help")...).CombinedOutput()
	if !strings.Contains(string(said), "Usage:") || strings.Contains(string(said), "unknown flag") {
		t.Errorf("got %s, want the help", said)
	}
}

// listenAsSystemd makes a socket, and returns a function that wants the next text that a program
// sends to it as NOTIFY_SOCKET.
func listenAsSystemd(t *testing.T, path string) (hears func(want string)) {
	said, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	must(t, err)
	t.Cleanup(func() { said.Close() })
	return func(want string) {
		t.Helper()
		b := make([]byte, 100)
		said.SetReadDeadline(time.Now().Add(time.Minute))
		n, err := said.Read(b)
		if got := string(b[:n]); err != nil || got != want {
			t.Errorf("systemd hears %q, %v, want %q", got, err, want)
		}
	}
}

// analyze has systemd judge files, and reports its complaints.
func analyze(t *testing.T, args ...string) {
	t.Helper()
	if said, err := exec.Command("systemd-analyze", args...).CombinedOutput(); err != nil || args[0] == "verify" && len(said) > 0 {
		t.Errorf("systemd-analyze %q: got %v, want no error and no warning\n%s", args, err, said)
	}
}

// TestServeUnits has systemd judge each unit as it is published, with the lines for LMTP and without
// them, in a root that has nothing of this machine. By its measure, of 100 for everything, the services
// may do at most 20. Their commands are ones that the program takes. No systemd runs.
func TestServeUnits(t *testing.T) {
	help, err := exec.Command("systemd-analyze", "--help").Output()
	if err != nil || !strings.Contains(string(help), "--offline") { // version 250, whose verify takes --root too
		t.Skipf("systemd-analyze is not installed, or too old to judge files: %v", err)
	}
	t.Setenv("SYSTEMD_UNIT_PATH", "")
	os.Unsetenv("SYSTEMD_UNIT_PATH")
	root := t.TempDir()
	place := filepath.Join(root, "etc/systemd/system")
	writeConf(t, filepath.Join(place, "sysinit.target"), "[Unit]\n")
	for _, program := range []string{"usr/local/bin/extbody", "bin/kill"} {
		writeConf(t, filepath.Join(root, program), "#!/bin/sh\n")
		must(t, os.Chmod(filepath.Join(root, program), 0o755))
	}
	paths, err := filepath.Glob("serve/*.s[eo]*") // services and sockets
	if err != nil || len(paths) != 5 {
		t.Fatalf("got the units %q, %v, want 5", paths, err)
	}
	args := []string{"verify", "--man=no", "--root=" + root}
	for _, path := range paths {
		name := filepath.Base(path)
		unit := readText(t, path)
		writeConf(t, filepath.Join(place, name), unit)
		args = append(args, strings.Replace(name, "@", "@1", 1))
		if strings.HasSuffix(name, ".service") {
			analyze(t, "security", "--no-pager", "--offline=true", "--threshold=20", filepath.Join(place, name))
			takes(t, unitCommand(t, unit))
		}
	}
	analyze(t, append(args, "extbody-fetcher@2.service", "extbody-fetcher@3.service")...)
	lines := printedBlock(t, readText(t, "serve/extbody-lmtp.socket"), "#   [Service]")
	writeConf(t, filepath.Join(place, "extbody.service.d", "lmtp.conf"), lines)
	analyze(t, args...)
	takes(t, unitCommand(t, lines))
	// With the drop-in each open socket is answered, and files are scanned.
	if !strings.Contains(lines, "Sockets=\nSockets=extbody-lmtp.socket\n") || strings.Contains(readText(t, paths[0]), "Requires=") || !strings.Contains(lines, "--clamd") {
		t.Errorf("got the drop-in %s, want its socket alone, and --clamd", lines)
	}
}

// The unit allows each system call that the server makes when it fetches, spools and
// ends.
func TestServeUnitSystemCalls(t *testing.T) {
	installed(t, "systemd-analyze", "strace")
	base, flags := serve(t, linkedFile)
	d := newDaemon(t, "")
	d.args = append(append(d.args, "--http", d.path("http"), "--milter", d.path("milter"), "--temp-dir", d.path("tmp-mail")), flags...)
	d.startWith(`exec strace -D -f -qq -o ` + d.path("trace") + ` "$0" "$@"`)
	for _, message := range []string{refersTo(base+"/good", 1), refersTo(base+"/good?2", 2) + strings.Repeat("x", 2<<20)} {
		if a, err := d.ask(d.client("http"), message); err != nil || a.Verdict != inspect.Clean {
			t.Skipf("the server cannot be traced here: got %+v, %v", a, err)
		}
	}
	d.terminate()
	allowed := make(map[string]bool)
	for _, m := range regexp.MustCompile(`(?m)^SystemCallFilter=(~?)(.*)$`).FindAllStringSubmatch(readText(t, "serve/extbody.service"), -1) {
		for _, set := range strings.Fields(m[2]) {
			for _, call := range systemCalls(t, set) {
				allowed[call] = m[1] == ""
			}
		}
	}
	trace, err := os.ReadFile(d.path("trace"))
	must(t, err)
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
// reports that it is ready, answers, and ends.
func TestServeSocketActivate(t *testing.T) {
	installed(t, "systemd-socket-activate")
	base, flags := serve(t, linkedFile)
	d := newDaemon(t, "")
	hears := listenAsSystemd(t, d.path("notify"))
	command := unitCommand(t, readText(t, "serve/extbody.service"), "/etc/extbody/policy.toml", d.path("policy.toml"),
		"/var/cache/extbody/tmp-mail", d.path("tmp-mail"), "/var/cache/extbody", d.path("cache"), "127.0.0.1:8026", d.path("metrics"),
		"--clamd /run/clamav/clamd.ctl", "")
	args := []string{"-l", d.path("http"), "-l", d.path("milter"), "--fdname=http:milter", "-E", "NOTIFY_SOCKET=" + d.path("notify")}
	args = append(append(args, command...), flags...)
	cmd := exec.Command("systemd-socket-activate", args...)
	cmd.Stderr = &d.log
	must(t, cmd.Start())
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	await(t, "socket", func() bool { _, err := os.Stat(d.path("milter")); return err == nil }, &d.log)
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
