package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// This test runs extbody serve with the daemons that it is for, all on loopback.

// infected is what the one signature of the scanner's database finds.
const infected = "EXTBODY-TEST-INFECTED"

// freePort returns an address on loopback that nobody listens at.
func freePort(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// awaitListener returns when somebody listens at an address.
func awaitListener(t *testing.T, network, address string, log fmt.Stringer) {
	t.Helper()
	for try := 0; ; try++ {
		c, err := net.Dial(network, address)
		if err == nil {
			c.Close()
			return
		}
		if try == 1500 {
			t.Fatalf("nobody listens at %s: %v\n%s", address, err, log)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// runDaemon starts a daemon that ends with the test.
func runDaemon(t *testing.T, program string, args ...string) *bytes.Buffer {
	t.Helper()
	log := new(bytes.Buffer)
	cmd := exec.Command(program, args...)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.WaitDelay = time.Second // its children may hold the pipe
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(syscall.SIGTERM)
		late := time.AfterFunc(10*time.Second, func() { cmd.Process.Kill() })
		cmd.Wait()
		late.Stop()
	})
	return log
}

// openDir returns a temporary folder that other users can enter.
func openDir(t *testing.T) string {
	dir := t.TempDir()
	for _, d := range []string{dir, filepath.Dir(dir)} {
		if err := os.Chmod(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func writeConf(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// needs skips the test unless the programs are there and we may become other users.
func needs(t *testing.T, programs ...string) {
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			t.Skipf("%s is not installed", p)
		}
	}
	if os.Getuid() != 0 {
		t.Skip("the daemons want root to start")
	}
}

// startClamd starts the scanner and returns the path of its socket.
func startClamd(t *testing.T) string {
	needs(t, "clamd")
	dir := t.TempDir()
	writeConf(t, filepath.Join(dir, "db", "test.ndb"), fmt.Sprintf("Extbody.Test.Sig:0:*:%x\n", infected))
	writeConf(t, filepath.Join(dir, "clamd.conf"), fmt.Sprintf(
		"Foreground yes\nDatabaseDirectory %[1]s/db\nTemporaryDirectory %[1]s\nLocalSocket %[1]s/sock\n", dir))
	log := runDaemon(t, "clamd", "-c", filepath.Join(dir, "clamd.conf"))
	awaitListener(t, "unix", filepath.Join(dir, "sock"), log)
	return filepath.Join(dir, "sock")
}

// linkedFile answers by the path: good, evil, gone, and slow, which does not answer.
func linkedFile(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/good":
		text(w, "hello\n")
	case "/evil":
		text(w, "a "+infected+" b")
	case "/slow":
		<-r.Context().Done()
	default:
		http.NotFound(w, r)
	}
}

const daemonRules = `
[[rule]]
name = "malware"
verdict = "malware"
action = "reject"

[[rule]]
name = "pending"
verdict = "pending"
action = "defer"

[[rule]]
name = "good"
verdict = "clean"
action = "inline"
`

// The plugin for rspamd.
func TestServeRspamd(t *testing.T) {
	needs(t, "rspamd")
	scanner := startClamd(t)
	if _, err := user.Lookup("_rspamd"); err != nil {
		t.Skip("there is no user _rspamd")
	}
	base, flags := serve(t, linkedFile)
	d := newDaemon(t, daemonRules, "--clamd", scanner)
	ours, worker := freePort(t), freePort(t)
	d.args = append(append(d.args, "--http", ours), flags...)
	d.start()
	dir := openDir(t)
	plugin, err := os.ReadFile("serve/extbody.lua")
	if err != nil {
		t.Fatal(err)
	}
	writeConf(t, filepath.Join(dir, "plugins", "extbody.lua"), string(plugin))
	writeConf(t, filepath.Join(dir, "tld.dat"), "com\nnet\norg\nexample\n")
	writeConf(t, filepath.Join(dir, "rspamd.conf"), fmt.Sprintf(`
options { pidfile = "%[1]s/pid"; control_socket = "%[1]s/control mode=0600"; tempdir = "%[1]s"; url_tld = "%[1]s/tld.dat"; filters = "";
  dns { nameserver = ["127.0.0.1:5399"]; timeout = 0.2s; retransmits = 1; }
  cache_file = "%[1]s/db/symbols.cache"; hs_cache_dir = "%[1]s/db"; history_file = "%[1]s/db/history"; rrd = ""; task_timeout = 12s; }
logging { type = "file"; filename = "%[1]s/log"; level = "info"; }
actions { reject = 15; add_header = 6; greylist = null; }
worker "normal" { bind_socket = "%[2]s"; count = 1; }
modules { path = "%[1]s/plugins"; }
extbody { url = "http://%[3]s/v1/check"; wait = "1s"; timeout = 4.0; }
`, dir, worker, ours))
	writeConf(t, filepath.Join(dir, "db", "x"), "")
	if said, err := exec.Command("chown", "-R", "_rspamd", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, said)
	}
	log := runDaemon(t, "rspamd", "-f", "-u", "_rspamd", "-g", "_rspamd", "-c", filepath.Join(dir, "rspamd.conf"))
	awaitListener(t, "tcp", worker, log)
	check := func(message string) (action, symbols string) {
		t.Helper()
		req, err := http.NewRequest("POST", "http://"+worker+"/checkv2", strings.NewReader(message))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("From", "a@a.example")
		req.Header.Set("Rcpt", "b@b.example")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		var got struct {
			Action  string
			Symbols map[string]struct{ Options []string }
		}
		body, _ := io.ReadAll(resp.Body)
		if err := json.Unmarshal(body, &got); err != nil {
			t.Fatalf("%v: %s", err, body)
		}
		for s := range got.Symbols {
			if strings.HasPrefix(s, "EXTBODY_") && s != "EXTBODY_CHECK" && s != "EXTBODY_SUBMIT" {
				symbols += s
			}
		}
		return got.Action, symbols
	}
	for _, test := range []struct{ name, message, action, symbols string }{
		{"None", "Subject: a\r\n\r\nhello\r\n", "no action", ""},
		{"Good", refersTo(base+"/good", 1), "no action", "EXTBODY_CLEAN"},
		{"Evil", refersTo(base+"/evil", 2), "reject", "EXTBODY_MALWARE"},
		{"Gone", refersTo(base+"/gone", 3), "no action", "EXTBODY_UNAVAILABLE"},
		{"Slow", refersTo(base+"/slow", 4), "soft reject", "EXTBODY_PENDING"},
	} {
		if action, symbols := check(test.message); action != test.action || symbols != test.symbols {
			text, _ := os.ReadFile(filepath.Join(dir, "log"))
			t.Errorf("%s: got %q, %q, want %q, %q\n%s", test.name, action, symbols, test.action, test.symbols, tail(string(text)))
		}
	}
	// When the program is killed mail goes on, and the symbol says so.
	d.end(os.Kill)
	if action, symbols := check(refersTo(base+"/evil", 2)); action != "no action" || symbols != "EXTBODY_FAIL" {
		t.Errorf("killed: got %q, %q, want no action, EXTBODY_FAIL", action, symbols)
	}
}

// tail returns the end of a log.
func tail(s string) string { return s[max(0, len(s)-2000):] }
