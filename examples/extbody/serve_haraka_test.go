package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// startHaraka starts Haraka, whose folder is in EXTBODY_HARAKA, with the plugin, which asks
// at ours, and more plugins after it. queued returns the message that was taken last, and
// removes it; "" if there is none.
func startHaraka(t *testing.T, ours, more string) (address string, log *logBuffer, queued func() string) {
	haraka := os.Getenv("EXTBODY_HARAKA")
	if haraka == "" {
		t.Skip("EXTBODY_HARAKA does not name the folder of Haraka")
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is not installed")
	}
	dir := filepath.Join(t.TempDir(), "haraka")
	address = freePort(t)
	program := filepath.Join(haraka, "bin", "haraka")
	if said, err := exec.Command("node", program, "-i", dir).CombinedOutput(); err != nil {
		t.Fatalf("got error %v, want none\n%s", err, said)
	}
	plugin, err := os.ReadFile("serve/haraka.js")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"plugins/extbody.js":    string(plugin),
		"config/plugins":        "rcpt_to.in_host_list\nextbody\n" + more + "queue/test\n",
		"config/quarantine.ini": "quarantine_path=" + filepath.Join(dir, "held") + "\n",
		"config/smtp.ini":       "listen=" + address + "\n",
		"config/host_list":      "b.example\n",
		"config/me":             "mx.a.example\n",
		"config/extbody.ini":    "url=http://" + ours + "/v1/check\nwait=1s\n",
		"mail/x":                "",
	} {
		writeConf(t, filepath.Join(dir, name), text)
	}
	log = runDaemon(t, "env", "TMPDIR="+filepath.Join(dir, "mail"), "node", program, "-c", dir)
	awaitListener(t, "tcp", address, log)
	return address, log, func() string {
		t.Helper()
		names, _ := filepath.Glob(filepath.Join(dir, "mail", "*.eml"))
		held, _ := filepath.Glob(filepath.Join(dir, "held", "2*", "*"))
		names = append(names, held...)
		if len(names) > 1 {
			t.Fatalf("got %q, want one message", names)
		}
		if len(names) == 0 {
			return ""
		}
		text, err := os.ReadFile(names[0])
		if err != nil {
			t.Fatal(err)
		}
		os.Remove(names[0])
		if len(held) > 0 {
			return isHeld + strings.ReplaceAll(string(text), "\n", "\r\n")
		}
		return string(text)
	}
}

// isHeld is before a message that is held.
const isHeld = "held: "

// The plugin for Haraka.
func TestServeHaraka(t *testing.T) {
	scanner := startClamd(t)
	base, flags := serve(t, linkedFile)
	ours := freePort(t)
	d := newDaemon(t, daemonRules, "--clamd", scanner)
	d.args = append(append(d.args, "--http", ours), flags...)
	d.start()
	address, log, queued := startHaraka(t, ours, "")
	send := func(message string) int {
		t.Helper()
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		return deliver(conn, "b@b.example", message)
	}
	const forged = "X-Extbody: forged\r\nx-extbody:\r\n forged\r\nX-EXTBODY : forged\r\n"
	for i, test := range []struct {
		name, message string
		code          int
		field         string
	}{
		{"None", "Subject: a\r\n\r\n.\r\n..\r\nhello\r\n", 250, ""},
		{"Large", "Subject: a\r\n\r\n" + strings.Repeat(strings.Repeat("x", 78)+"\r\n", 20_000), 250, ""},
		{"Good", refersTo(base+"/good", 1), 250, "extbody=clean action=tag rule=good mode=enforce would=inline"},
		{"Many", refersToMany(base+"/good", 12), 250, "extbody=clean action=tag rule=good mode=enforce would=inline"},
		{"Evil", refersTo(base+"/evil", 2), 550, ""},
		{"Gone", refersTo(base+"/gone", 3), 250, "extbody=unavailable action=tag"},
		{"Slow", refersTo(base+"/slow", 4), 450, ""},
		{"Killed", refersTo(base+"/evil", 2), 250, ""},
	} {
		if test.name == "Killed" {
			d.end(os.Kill) // and mail goes on
		}
		if code := send(whole(i, forged+test.message)); code != test.code {
			t.Errorf("%s: got %d, want %d\n%s\n%s", test.name, code, test.code, tail(log.String()), tail(d.logged()))
			continue
		}
		if test.code != 250 {
			continue
		}
		got := queued()
		for line := range strings.Lines(got) {
			if len(line) > 998+len("\r\n") { // RFC 5322 section 2.1.1
				t.Errorf("%s: got a line of %d octets, want at most 998", test.name, len(line))
			}
		}
		fields := ourField.FindAllString(got, -1)
		if test.field == "" && len(fields) != 0 || test.field != "" && (len(fields) != 1 || !strings.Contains(fields[0], test.field)) {
			t.Errorf("%s: got our fields %q, want %q", test.name, fields, test.field)
		}
		if rest := without(ourField.ReplaceAllString(got, "")); rest != whole(i, test.message) {
			t.Errorf("%s: got %.1000q, want %.1000q", test.name, rest, whole(i, test.message))
		}
	}
	if !strings.Contains(log.String(), "the message passes") {
		t.Errorf("got no word of a message that passed in the log, want one:\n%s", tail(fmt.Sprint(log)))
	}
}
