package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/internal/testkit"
)

// startHaraka starts Haraka, whose folder is in EXTBODY_HARAKA, with the plugin, which asks
// at ours, and more plugins after it. queued returns the message that was taken last, and
// removes it; "" if no message is left. The plugin envelope adds a field with the
// recipients.
func startHaraka(t *testing.T, ours, more string) (address string, log *logBuffer, queued func() string) {
	haraka := os.Getenv("EXTBODY_HARAKA")
	if haraka == "" {
		t.Skip("EXTBODY_HARAKA does not name the folder of Haraka")
	}
	installed(t, "node")
	dir := filepath.Join(t.TempDir(), "haraka")
	address = testkit.FreeAddr(t)
	program := filepath.Join(haraka, "bin", "haraka")
	if said, err := exec.Command("node", program, "-i", dir).CombinedOutput(); err != nil {
		t.Fatalf("got error %v, want none\n%s", err, said)
	}
	plugin := readText(t, "serve/haraka.js")
	for name, text := range map[string]string{
		"plugins/extbody.js":    plugin,
		"plugins/envelope.js":   "exports.hook_queue = (next, { transaction: txn }) => { txn.add_header('X-To', txn.rcpt_to.map((to) => to.format()).join(',')); next() }\n",
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
		text := readText(t, names[0])
		os.Remove(names[0])
		if len(held) > 0 {
			return isHeld + strings.ReplaceAll(text, "\n", "\r\n")
		}
		return text
	}
}

// isHeld is before a message that is held.
const isHeld = "held: "

// The plugin for Haraka.
func TestServeHaraka(t *testing.T) {
	scanner := startClamd(t)
	base, flags := serve(t, linkedFile)
	ours := testkit.FreeAddr(t)
	d := started(t, daemonRules, flags, "--clamd", scanner, "--http", ours)
	address, log, queued := startHaraka(t, ours, "")
	send := func(message string) int {
		t.Helper()
		conn, err := net.Dial("tcp", address)
		must(t, err)
		defer conn.Close()
		return deliver(conn, "b@b.example", message)
	}
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

// A message that is to be held is refused where a plugin would queue it before queue/quarantine can hold it.
func TestServeHarakaOrder(t *testing.T) {
	base, flags := serve(t, linkedFile)
	ours := testkit.FreeAddr(t)
	started(t, "[[rule]]\nname = \"all\"\naction = \"quarantine\"\n", flags, "--http", ours)
	for _, order := range []struct {
		plugins string
		code    int
	}{{"queue/quarantine\n", 250}, {"queue/test\nqueue/quarantine\n", 550}} {
		address, log, queued := startHaraka(t, ours, order.plugins)
		conn, err := net.Dial("tcp", address)
		must(t, err)
		defer conn.Close()
		code := deliver(conn, "b@b.example", refersTo(base+"/good", 1))
		if got := queued(); code != order.code || strings.HasPrefix(got, isHeld) != (code == 250) {
			t.Errorf("%q: got %d, %.300q, want %d\n%s", order.plugins, code, got, order.code, tail(log.String()))
		}
	}
}

// findExim returns the program; it is in EXTBODY_EXIM where Postfix is installed too,
// which Debian does not allow.
func findExim(t *testing.T) string {
	path := os.Getenv("EXTBODY_EXIM")
	if path == "" {
		var err error
		if path, err = exec.LookPath("exim4"); err != nil {
			t.Skip("exim4 is not installed, and EXTBODY_EXIM does not name it")
		}
	}
	if _, err := user.Lookup("Debian-exim"); err != nil {
		t.Skip("there is no user Debian-exim")
	}
	if os.Getuid() != 0 {
		t.Skip("the mail server wants root to start")
	}
	return path
}

// startExim writes a configuration of Exim with the ACL, which asks at ours, without the text of it that is
// in lacks. send sends a
// message and returns the code of the reply. spooled returns the header, with the lines of
// Exim's own before it, and the body of the message that was taken last.
func startExim(t *testing.T, ours, lacks string) (send func(to []string, message string) string, spooled func() (header, body string), log func() string) {
	exim := findExim(t)
	dir := openDir(t)
	acl, err := os.ReadFile("serve/exim.acl")
	must(t, err)
	must(t, os.Mkdir(filepath.Join(dir, "spool"), 0o755))
	if said, err := exec.Command("chown", "Debian-exim", filepath.Join(dir, "spool")).CombinedOutput(); err != nil {
		t.Fatalf("chown: got error %v, want none: %s", err, said)
	}
	text := strings.ReplaceAll(string(acl), "127.0.0.1:8025", ours)
	writeConf(t, filepath.Join(dir, "exim.acl"), strings.Replace(text, "wait=300ms", "wait=1s", 1))
	writeConf(t, filepath.Join(dir, "conf"), fmt.Sprintf(`spool_directory = %[1]s/spool
log_file_path = %[1]s/spool/%%slog
primary_hostname = mx.a.example
queue_only
keep_environment =
acl_smtp_rcpt = everybody
%[2]s
begin acl
everybody:
  accept
.include %[1]s/exim.acl
begin routers
begin transports
`, dir, strings.Replace(printedBlock(t, string(acl), "#   message_body_visible"), lacks, "", 1)))
	send = func(to []string, message string) string {
		t.Helper()
		cmd := exec.Command(exim, "-C", filepath.Join(dir, "conf"), "-bs")
		cmd.Stdin = strings.NewReader("EHLO a\r\nMAIL FROM:<a@a.example>\r\nRCPT TO:<" + strings.Join(to, ">\r\nRCPT TO:<") + ">\r\nDATA\r\n" +
			strings.ReplaceAll("\r\n"+message, "\r\n.", "\r\n..")[2:] + ".\r\nQUIT\r\n")
		said, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("exim: got error %v, want none\n%s", err, said)
		}
		_, after, _ := strings.Cut(string(said), "\r\n354 ")
		_, after, _ = strings.Cut(after, "\r\n")
		return after[:min(len(after), 3)]
	}
	spooled = func() (header, body string) {
		t.Helper()
		names, _ := filepath.Glob(filepath.Join(dir, "spool", "input", "*"))
		for _, name := range names {
			text, err := os.ReadFile(name)
			must(t, err)
			if strings.HasSuffix(name, "-H") {
				header = string(text)
			} else if strings.HasSuffix(name, "-D") {
				body = string(text)
			}
			os.Remove(name)
		}
		return header, body
	}
	return send, spooled, func() string {
		text, _ := os.ReadFile(filepath.Join(dir, "spool", "mainlog"))
		return tail(string(text))
	}
}

// printedBlock returns the lines that a comment prints, from the one that starts with
// first, without the marks of the comment.
func printedBlock(t *testing.T, text, first string) string {
	t.Helper()
	mark := first[:strings.LastIndexByte(first, ' ')+1]
	_, after, ok := strings.Cut("\n"+text, "\n"+first)
	if !ok {
		t.Fatalf("got no line that begins with %q, want one", first)
	}
	var block strings.Builder
	for line := range strings.Lines(first + after) {
		if line, ok = strings.CutPrefix(line, mark); !ok {
			break
		}
		block.WriteString(line)
	}
	return block.String()
}

// The ACL for Exim.
func TestServeExim(t *testing.T) {
	findExim(t)
	scanner := startClamd(t)
	base, flags := serve(t, linkedFile)
	ours := testkit.FreeAddr(t)
	d := started(t, daemonRules, flags, "--clamd", scanner, "--http", ours)
	sendTo, spooled, log := startExim(t, ours, "")
	send := func(message string) string { return sendTo([]string{"b@b.example", "c@b.example"}, message) }
	field := regexp.MustCompile(`(?m)^\d+  X-Extbody: (.*)$`)
	folded := regexp.MustCompile(`(?m)^\d+  X-Extbody: [^\n]*\n([ \t][^\n]*\n)*`)
	removed := regexp.MustCompile(`(?m)^\d+\* [^\n]*\n([ \t][^\n]*\n)*`) // Exim keeps them, marked
	for _, test := range []struct{ name, message, reply, field string }{
		{"None", "Subject: a\r\n\r\n.\r\nhello\r\n", "250", ""},
		{"Forged", "Subject: a\r\nX-Extbody: forged\r\nx-extbody:\r\n forged\r\n\r\nhello\r\n", "250", ""},
		{"Good", refersTo(base+"/good", 1), "250", "extbody=clean action=tag rule=good mode=enforce would=inline"},
		{"GoodForged", "X-Extbody: forged\r\n" + refersTo(base+"/good", 5), "250", "extbody=clean action=tag rule=good mode=enforce would=inline"},
		{"Evil", refersTo(base+"/evil", 2), "550", ""},
		{"Gone", refersTo(base+"/gone", 3), "250", "extbody=unavailable action=tag"},
		{"OddSpaces", "X-EXTBODY : forged\r\nX-Extbody\t: forged\r\n" + refersTo(base+"/gone", 3), "250", "extbody=unavailable action=tag"},
		{"Many", refersToMany(base+"/good", 12), "250", "extbody=clean action=tag rule=good mode=enforce would=inline"},
		{"Slow", refersTo(base+"/slow", 4), "451", ""},
		{"TooLong", "X-Extbody: forged\r\nSubject: a\r\n\r\n" + strings.Repeat(strings.Repeat("a", 98)+"\r\n", 21<<20/100), "250", ""},
	} {
		if reply := send(test.message); reply != test.reply {
			t.Errorf("%s: got %s, want %s\n%s\n%s", test.name, reply, test.reply, log(), tail(d.log.String()))
		}
		header, body := spooled()
		if test.reply != "250" {
			continue
		}
		got := field.FindAllStringSubmatch(header, -1)
		if test.field == "" && len(got) != 0 || test.field != "" && (len(got) != 1 || !strings.Contains(got[0][1], test.field)) {
			t.Errorf("%s: got %q, want %q in\n%s", test.name, got, test.field, header)
		}
		header = removed.ReplaceAllString(header, "")
		if strings.Contains(header, "forged") {
			t.Errorf("%s: got a field that was forged, want none\n%s", test.name, header)
		}
		for line := range strings.Lines(folded.FindString(header)) {
			if len(line) > 998 { // RFC 5322 section 2.1.1
				t.Errorf("%s: got a line of %d octets, want at most 998", test.name, len(line))
			}
		}
		_, want, _ := strings.Cut(test.message, "\r\n\r\n")
		if _, got, _ := strings.Cut(body, "\n"); got != strings.ReplaceAll(want, "\r\n", "\n") {
			t.Errorf("%s: got the body %.200q, want %.200q", test.name, got, want)
		}
	}
	// When the program is killed mail goes on.
	d.end(os.Kill)
	if reply := send(refersTo(base+"/evil", 2)); reply != "250" {
		t.Errorf("killed: got %s, want 250", reply)
	}
}

// Exim shows the start of a body alone where the lines for that are not in its configuration. Such a message is
// not asked about, and the log of Exim has a line about it.
func TestServeEximLines(t *testing.T) {
	findExim(t)
	base, flags := serve(t, linkedFile)
	ours := testkit.FreeAddr(t)
	d := started(t, "[[rule]]\nname = \"all\"\naction = \"reject\"\n", flags, "--http", ours)
	message := "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n" + strings.Repeat(strings.Repeat("a", 98)+"\r\n", 10) +
		"--b\r\n" + refersTo(base+"/good", 1) + "\r\n--b--\r\n"
	for _, test := range []struct {
		lacks, reply string
		line         bool
	}{{"", "550", false}, {"message_body_visible = 20M", "250", true}, {"message_body_newlines = true", "250", true}} {
		send, spooled, log := startExim(t, ours, test.lacks)
		reply := send([]string{"b@b.example"}, message)
		header, _ := spooled()
		said := log()
		if line := strings.Contains(said, "extbody: not looked at"); reply != test.reply || line != test.line {
			t.Errorf("without %q: got %s, a line in the log %t, want %s, %t\n%s\n%s\n%s", test.lacks, reply, line, test.reply, test.line, header, said, tail(d.log.String()))
		}
	}
}
