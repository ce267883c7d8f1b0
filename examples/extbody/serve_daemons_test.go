package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/smtp"
	"net/textproto"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/internal/testkit"
)

// These tests run extbody serve between the daemons that it is for, all on loopback.

// infected is a text that the one signature of the scanner's database finds.
const infected = "EXTBODY-TEST-INFECTED"

// runDaemon starts a daemon that ends with the test.
func runDaemon(t testing.TB, program string, args ...string) *logBuffer {
	t.Helper()
	log := new(logBuffer)
	cmd := exec.Command(program, args...)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.WaitDelay = time.Second // its children may hold the pipe
	must(t, cmd.Start())
	t.Cleanup(func() {
		cmd.Process.Signal(syscall.SIGTERM)
		late := time.AfterFunc(10*time.Second, func() { cmd.Process.Kill() })
		cmd.Wait()
		late.Stop()
	})
	return log
}

// openDir returns a temporary folder that other users can enter. The one of t.TempDir is below one that
// only we may enter, and has the name of the test, whose comma rspamd takes for the end of a path.
func openDir(t testing.TB) string {
	dir, err := os.MkdirTemp("", "open")
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	must(t, os.Chmod(dir, 0o755))
	return dir
}

func writeConf(t testing.TB, path, text string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(path, []byte(text), 0o644))
}

// needs skips the test unless the programs are there and we may become other users.
func needs(t testing.TB, programs ...string) {
	installed(t, programs...)
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

// milterRules are daemonRules for a milter, which puts no files in.
var milterRules = strings.Replace(daemonRules, "\"inline\"", "\"tag\"", 1)

// rspamdBlock returns the blocks of SERVE.md for rspamd, with which the plugin asks at ours: the one
// of rspamd.conf.local, and the one of local.d/actions.conf.
func rspamdBlock(t *testing.T, ours string) string {
	block := blocks(t, "SERVE.md", "[a-z]*", "# rspamd.conf.local")[0] + blocks(t, "SERVE.md", "[a-z]*", rspamdActions)[0]
	if !strings.Contains(block, "127.0.0.1:8025") {
		t.Fatal("got no 127.0.0.1:8025 in the block for rspamd, want it")
	}
	return strings.Replace(block, "127.0.0.1:8025", ours, 1)
}

// rspamdActions starts the lines for local.d/actions.conf, which rspamd includes into its actions.
const rspamdActions = "# local.d/actions.conf"

// startRspamd starts rspamd with the plugin and the lines of block: a worker, and a proxy
// that is a milter. It returns the folder.
func startRspamd(t testing.TB, worker, proxy, block string) string {
	needs(t, "rspamd")
	if _, err := user.Lookup("_rspamd"); err != nil {
		t.Skip("there is no user _rspamd")
	}
	dir := openDir(t)
	plugin := readText(t, "serve/extbody.lua")
	writeConf(t, filepath.Join(dir, "plugins", "extbody.lua"), plugin)
	writeConf(t, filepath.Join(dir, "tld.dat"), "com\nnet\norg\nexample\n")
	block, actions, _ := strings.Cut(block, rspamdActions)
	writeConf(t, filepath.Join(dir, "rspamd.conf"), fmt.Sprintf(`
options { pidfile = "%[1]s/pid"; control_socket = "%[1]s/control mode=0600"; tempdir = "%[1]s"; url_tld = "%[1]s/tld.dat"; filters = "";
  dns { nameserver = ["127.0.0.1:5399"]; timeout = 0.2s; retransmits = 1; }
  cache_file = "%[1]s/db/symbols.cache"; hs_cache_dir = "%[1]s/db"; history_file = "%[1]s/db/history"; rrd = ""; task_timeout = 12s; }
logging { type = "file"; filename = "%[1]s/log"; level = "info"; }
actions { reject = 15; add_header = 6; greylist = null; %[5]s }
worker "normal" { bind_socket = "%[2]s"; count = 1; }
worker "rspamd_proxy" { bind_socket = "%[3]s"; count = 1; milter = yes; timeout = 14s; upstream "local" { default = yes; self_scan = yes; } }
modules { path = "%[1]s/plugins"; }
%[4]s
`, dir, worker, proxy, block, actions))
	writeConf(t, filepath.Join(dir, "db", "x"), "")
	if said, err := exec.Command("chown", "-R", "_rspamd", dir).CombinedOutput(); err != nil {
		t.Fatalf("chown: got error %v, want none: %s", err, said)
	}
	log := runDaemon(t, "rspamd", "-f", "-u", "_rspamd", "-g", "_rspamd", "-c", filepath.Join(dir, "rspamd.conf"))
	awaitListener(t, "tcp", worker, log)
	awaitListener(t, "tcp", proxy, log)
	return dir
}

// The plugin for rspamd, asked alone and as a milter of Postfix: the header field is ours, and the
// fields of strangers are gone.
func TestServeRspamd(t *testing.T) {
	t.Parallel()
	scanner := startClamd(t)
	base, flags := serve(t, linkedFile)
	ours, worker, proxy := testkit.FreeAddr(t), testkit.FreeAddr(t), testkit.FreeAddr(t)
	d := started(t, daemonRules, flags, "--clamd", scanner, "--http", ours)
	dir, box := startRspamd(t, worker, proxy, rspamdBlock(t, ours)), startNextHop(t)
	p := startMailServer(t, "smtpd_milters = inet:"+proxy, "milter_default_action = accept", "virtual_transport = lmtp:inet:"+box.address)
	for i, test := range []struct {
		name, message, action, symbols string
		code, fields                   int
	}{
		{"None", "Subject: a\r\n\r\nhello\r\n", "no action", "", 250, 0},
		{"Good", refersTo(base+"/good", 1), "no action", "EXTBODY_CLEAN", 250, 1},
		{"Evil", refersTo(base+"/evil", 2), "reject", "EXTBODY_MALWARE", 554, 0},
		{"Gone", refersTo(base+"/gone", 3), "no action", "EXTBODY_UNAVAILABLE", 250, 1},
		{"Slow", refersTo(base+"/slow", 4), "soft reject", "EXTBODY_PENDING", 451, 0},
		{"Killed", refersTo(base+"/evil", 5), "no action", "EXTBODY_FAIL", 250, 0},
	} {
		if test.name == "Killed" {
			d.end(os.Kill) // mail goes on, and the symbol shows it
		}
		action, symbols, _ := askRspamd(t, worker, "b@b.example", test.message)
		if code := p.try(whole(i, forged+test.message)); action != test.action || symbols != test.symbols || code != test.code {
			log, _ := os.ReadFile(filepath.Join(dir, "log"))
			t.Errorf("%s: got %q, %q, %d, want %q, %q, %d\n%s\n%s", test.name, action, symbols, code, test.action, test.symbols, test.code, p.log(), tail(string(log)))
		} else if code == 250 {
			box.wantUnforged(t, i, test.fields)
		}
	}
}

// askRspamd gives rspamd a message and returns its action, our symbols, and their score.
func askRspamd(t testing.TB, worker, recipient, message string) (action, symbols string, score float64) {
	t.Helper()
	req, err := http.NewRequest("POST", "http://"+worker+"/checkv2", strings.NewReader(message))
	must(t, err)
	req.Header.Set("From", "a@a.example")
	req.Header.Set("Rcpt", recipient)
	resp, err := http.DefaultClient.Do(req)
	must(t, err)
	defer resp.Body.Close()
	var got struct {
		Action   string
		Required float64 `json:"required_score"`
		Symbols  map[string]struct{ Score float64 }
	}
	body, _ := io.ReadAll(resp.Body)
	if err := json.Unmarshal(body, &got); err != nil {
		t.Fatalf("got error %v, want JSON: %s", err, body)
	}
	for s, symbol := range got.Symbols {
		if strings.HasPrefix(s, "EXTBODY_") && s != "EXTBODY_CHECK" && s != "EXTBODY_SUBMIT" {
			symbols += s
			score += symbol.Score
		}
	}
	return got.Action, symbols, score
}

// Each action in each mode does with rspamd as SERVE.md promises, with the action
// quarantine in rspamd and without it. Only a rule that acted has a score.
func TestServeRspamdActions(t *testing.T) {
	var rules strings.Builder
	actions := []string{"none", "tag", "inline", "copy", "quarantine", "defer", "reject"}
	modes := []string{"shadow", "tag", "enforce"}
	for _, action := range actions {
		for _, mode := range modes {
			fmt.Fprintf(&rules, "[[rule]]\nname = \"%[1]s-%[2]s\"\nrecipient = \"%[1]s-%[2]s@b.example\"\naction = \"%[1]s\"\nmode = \"%[2]s\"\n", action, mode)
			if action == "copy" {
				rules.WriteString("to = \"" + copies + "\"\n")
			}
		}
	}
	scanner := startClamd(t)
	base, flags := serve(t, linkedFile)
	ours := testkit.FreeAddr(t)
	d := started(t, rules.String(), flags, "--clamd", scanner, "--http", ours)
	block := rspamdBlock(t, ours)
	asks := block[:strings.Index(block, rspamdActions)]
	for _, setup := range []struct{ name, block, quarantine string }{
		{"AsPrinted", block, "quarantine"},
		{"WithThreshold", asks + rspamdActions + "\nquarantine = 1000;", "quarantine"},
		{"NoQuarantine", asks, "reject"},
		{"Promised", strings.Replace(asks, "timeout", "quarantine = true; timeout", 1), "reject"},
		{"Removed", asks + rspamdActions + "\nquarantine = null;", "reject"},
	} {
		worker, proxy := testkit.FreeAddr(t), testkit.FreeAddr(t)
		dir := startRspamd(t, worker, proxy, setup.block)
		for _, action := range actions {
			for _, mode := range modes {
				want, scored := "no action", false
				if mode == "enforce" {
					if w, ok := map[string]string{"quarantine": setup.quarantine, "defer": "soft reject", "reject": "reject"}[action]; ok {
						want, scored = w, true
					}
				}
				got, symbols, score := askRspamd(t, worker, action+"-"+mode+"@b.example", refersTo(base+"/evil", 1))
				if got != want || symbols != "EXTBODY_MALWARE" || (score > 0) != scored {
					t.Errorf("%s, %s, %s: got %q, %s, a score of %v, want %q, EXTBODY_MALWARE, a score %t", setup.name, action, mode, got, symbols, score, want, scored)
				}
			}
		}
		text, _ := os.ReadFile(filepath.Join(dir, "log"))
		if warned := strings.Contains(string(text), "no action quarantine"); warned != (setup.quarantine == "reject") {
			t.Errorf("%s: got a warning %t in the log, want %t", setup.name, warned, setup.quarantine == "reject")
		}
		if strings.Contains(string(text), "lua error") || strings.Contains(string(text), "unknown action") {
			t.Errorf("%s: got an error of Lua\n%s", setup.name, tail(string(text)))
		}
	}
	// Where rspamd is not a milter it cannot make a copy.
	if log := d.logged(); strings.Contains(log, `"action":"copy"`) || !strings.Contains(log, `"would":"copy"`) {
		t.Errorf("got a copy, want copy-enforce to be tagged\n%s", tail(log))
	}
}

// The plugin asks the server to which it submitted the message, so that each file is fetched
// once, and another one if that gives no answer.
func TestServeRspamdSeveral(t *testing.T) {
	var fetched atomic.Int64
	base, flags := serve(t, func(w http.ResponseWriter, r *http.Request) {
		fetched.Add(1)
		text(w, "hello\n")
	})
	var urls []string
	var servers []*daemon
	for range 2 {
		ours := testkit.FreeAddr(t)
		d := started(t, "", flags, "--http", ours)
		urls, servers = append(urls, fmt.Sprintf("%q", "http://"+ours+"/v1/check")), append(servers, d)
	}
	worker := testkit.FreeAddr(t)
	startRspamd(t, worker, testkit.FreeAddr(t), "extbody { url = ["+strings.Join(urls, ", ")+"]; wait = \"5s\"; timeout = 6.0; }")
	const messages = 10
	for i := range messages {
		if action, symbols, _ := askRspamd(t, worker, "b@b.example", refersTo(fmt.Sprintf("%s/%d", base, i), i)); action != "no action" || symbols != "EXTBODY_CLEAN" {
			t.Errorf("message %d: got %q, %q, want no action, EXTBODY_CLEAN", i, action, symbols)
		}
	}
	if n := fetched.Load(); n != messages {
		t.Errorf("got %d fetches of %d files, want each fetched once", n, messages)
	}
	for i, d := range servers {
		if n := d.onMetrics(`extbody_verdicts_total{verdict="clean"}`); n != messages/2 {
			t.Errorf("server %d: got %v questions, want %d", i, n, messages/2)
		}
	}
	servers[0].end(os.Kill)
	for i := range 4 {
		if _, symbols, _ := askRspamd(t, worker, "b@b.example", refersTo(fmt.Sprintf("%s/killed%d", base, i), i)); symbols != "EXTBODY_CLEAN" {
			t.Errorf("killed, message %d: got %q, want EXTBODY_CLEAN", i, symbols)
		}
	}
}

// The commands of SERVE.md run as they are printed: check ends with its status, and serve
// answers at its addresses.
func TestServeCommands(t *testing.T) {
	installed(t, "unshare", "ip", "curl")
	if err := exec.Command("unshare", "-m", "-n", "mount", "-t", "tmpfs", "tmpfs", "/run").Run(); err != nil {
		t.Skipf("there are no namespaces here: %v", err)
	}
	policy, err := os.ReadFile("serve/policy.toml")
	must(t, err)
	blocks := blocks(t, "SERVE.md", "[a-z]*", "extbody (?:check|serve) ")
	if len(blocks) != 2 {
		t.Fatalf("got %d blocks with commands, want 2", len(blocks))
	}
	for i, asked := range []string{"curl -s -f -d 'Subject: a' http://127.0.0.1:8025/v1/check && curl -s -f http://127.0.0.1:8026/metrics", "curl -s --max-time 1 telnet://127.0.0.1:8024 </dev/null | grep 220"} {
		dir := t.TempDir()
		writeConf(t, filepath.Join(dir, "policy.toml"), string(policy))
		writeConf(t, filepath.Join(dir, "message.eml"), "Subject: a\r\n\r\nhello\r\n")
		writeConf(t, filepath.Join(dir, "block"), blocks[i])
		must(t, os.Symlink(executable(t), filepath.Join(dir, "extbody")))
		cmd := exec.Command("unshare", "-m", "-n", "-p", "-f", "--kill-child", "sh", "-ec", `ip link set lo up
for d in /run /var/cache; do mount -t tmpfs tmpfs $d; done
PATH=$PWD:$PATH sh -e ./block &
for i in $(seq 300); do
	if { `+asked+`; } >answer 2>&1 && [ -s answer ]; then cat answer; exit; fi
	kill -0 $! || exit 1
	sleep 0.1
done
cat answer; exit 1`)
		cmd.Dir = dir
		if said, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("got error %v, want none\n%s\n%s", err, blocks[i], tail(string(said)))
		}
	}
}

// The sample of SERVE.md gives the output that is printed beside it; here the host is a port at which
// nothing answers.
func TestServeSample(t *testing.T) {
	path := filepath.Join(t.TempDir(), "message.eml")
	sample := strings.Replace(blocks(t, "SERVE.md", "[a-z]*", "Subject: the report")[0], "https://files.example.com", "http://127.0.0.1:1", 1)
	writeText(t, path, strings.ReplaceAll(sample, "\n", "\r\n"))
	var out, said bytes.Buffer
	status := run(t.Context(), []string{"check", "--policy", "serve/policy.toml", "--allow-net", "127.0.0.1", "--allow-port", "1", path}, strings.NewReader(""), &out, &said)
	if status != 11 || !strings.HasPrefix(out.String(), "unavailable, action tag\n") {
		t.Errorf("got %d, %q, %s, want 11, unavailable, action tag", status, out.String(), said.String())
	}
}

// SERVE.md has all kinds, and no other.
func TestServeKinds(t *testing.T) {
	_, table, _ := strings.Cut(readText(t, "SERVE.md"), "### Kinds\n")
	table, _, _ = strings.Cut(table, "\nThe verdict on")
	got := make(map[string]bool)
	for _, m := range regexp.MustCompile("(?m)^\\| `.*?\\|").FindAllString(table, -1) {
		for _, kind := range regexp.MustCompile("`([a-z-]+)`").FindAllStringSubmatch(m, -1) {
			got[kind[1]] = true
		}
	}
	n := 0
	for k := range fetch.Kinds() {
		if n++; !got[k.Error()] {
			t.Errorf("the table lacks %s", k)
		}
	}
	if n != len(got) || n < 20 {
		t.Errorf("got %d kinds in the table, want %d", len(got), n)
	}
}

// The lines for main.cf are taken by Postfix as they are printed, and mail goes on.
func TestServeBlocks(t *testing.T) {
	t.Parallel()
	base, flags := serve(t, linkedFile)
	milterAt, lmtpAt := testkit.FreeAddr(t), testkit.FreeAddr(t)
	box := startNextHop(t)
	d := started(t, strings.Replace(milterRules, "malware\"\naction", "suspicious\"\naction", 1), flags, "--lmtp", lmtpAt, "--lmtp-next", box.address, "--milter", milterAt)
	ports := strings.NewReplacer("127.0.0.1:8027", milterAt, "127.0.0.1:8024", lmtpAt)
	blocks := blocks(t, "SERVE.md", "[a-z]*", "# main.cf")
	if len(blocks) != 3 {
		t.Fatalf("got %d blocks for main.cf, want 3", len(blocks))
	}
	for i, block := range blocks {
		for line := range strings.Lines(block) {
			if name, value, ok := strings.Cut(line, "="); ok && !strings.HasPrefix(line, "#") && strings.Contains(value, "#") {
				t.Errorf("%s: got a comment after a value, which Postfix does not know", name)
			}
		}
		more := []string{ports.Replace(block)}
		if !strings.Contains(block, "virtual_transport") {
			more = append(more, "virtual_transport = lmtp:inet:"+box.address)
		}
		p := startMailServer(t, more...)
		if code := p.send(t, refersTo(base+"/good", i)); code != 250 {
			t.Errorf("block %d: got %d, want 250\n%s", i, code, p.log())
		}
		d.until(fmt.Sprintf("the mail of block %d", i), func() bool { return box.total() > i })
	}
}

// tail returns the end of a log.
func tail(s string) string { return s[max(0, len(s)-2000):] }

// A mailServer is Postfix in a folder.
type mailServer struct {
	dir, address string
}

// startMailServer starts Postfix with lines of main.cf.
func startMailServer(t *testing.T, main ...string) *mailServer {
	needs(t, "postfix", "postmap")
	p := &mailServer{dir: openDir(t), address: testkit.FreeAddr(t)}
	conf := filepath.Join(p.dir, "conf")
	writeConf(t, filepath.Join(conf, "main.cf"), fmt.Sprintf(`compatibility_level = 3.6
queue_directory = %[1]s/queue
daemon_directory = /usr/lib/postfix/sbin
data_directory = %[1]s/data
maillog_file = %[1]s/maillog
maillog_file_prefixes = %[1]s
mynetworks = 127.0.0.0/8
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mx.a.example
mydestination =
virtual_mailbox_domains = b.example
virtual_mailbox_maps = static:x
smtpd_peername_lookup = no
smtpd_relay_restrictions = permit_mynetworks, reject
alias_maps =
bounce_queue_lifetime = 0
minimal_backoff_time = 1s
maximal_backoff_time = 1s
queue_run_delay = 1s
%[2]s
`, p.dir, strings.Join(main, "\n")))
	stock, err := os.ReadFile("/usr/share/postfix/master.cf.dist")
	if err != nil {
		t.Skipf("Debian's postfix is not installed: %v", err)
	}
	writeConf(t, filepath.Join(conf, "master.cf"), strings.Replace(string(stock), "\nsmtp      inet", "\n"+p.address+" inet", 1))
	// A folder that the services are locked into has copies of the system's files.
	if said, err := exec.Command("postconf", "-c", conf, "-F", "*/*/chroot=n").CombinedOutput(); err != nil {
		t.Fatalf("postconf: got error %v, want none: %s", err, said)
	}
	for _, name := range []string{"queue", "data"} {
		must(t, os.Mkdir(filepath.Join(p.dir, name), 0o755))
	}
	if said, err := exec.Command("chown", "postfix", filepath.Join(p.dir, "data")).CombinedOutput(); err != nil {
		t.Skipf("there is no user postfix: %s", said)
	}
	if said, err := exec.Command("postfix", "-c", conf, "start").CombinedOutput(); err != nil {
		t.Fatalf("postfix: got error %v, want none\n%s\n%s", err, said, p.log())
	}
	t.Cleanup(func() { exec.Command("postfix", "-c", conf, "stop").Run() })
	awaitListener(t, "tcp", p.address)
	return p
}

// log returns the end of the log.
func (p *mailServer) log() string {
	text, _ := os.ReadFile(filepath.Join(p.dir, "maillog"))
	return tail(string(text))
}

// send sends a message and returns the code of the reply.
func (p *mailServer) send(t *testing.T, message string) int {
	t.Helper()
	return p.sendTo(t, "b@b.example", message)
}

func (p *mailServer) sendTo(t *testing.T, to, message string) int {
	t.Helper()
	conn, err := net.Dial("tcp", p.address)
	must(t, err)
	defer conn.Close()
	code := deliver(conn, to, message)
	if code == 0 {
		t.Fatalf("got no answer, want one\n%s", p.log())
	}
	return code
}

// deliver sends a message and returns the code of the reply; 0 if the connection fails.
func deliver(conn net.Conn, to, message string) int {
	conn.SetDeadline(time.Now().Add(30 * time.Second))
	c, err := smtp.NewClient(conn, "127.0.0.1")
	if err != nil {
		return 0
	}
	err = c.Mail("a@a.example")
	if err == nil {
		err = c.Rcpt(to)
	}
	if err == nil {
		var w io.WriteCloser
		if w, err = c.Data(); err == nil {
			io.WriteString(w, message)
			err = w.Close()
		}
	}
	c.Quit()
	if err == nil {
		return 250
	}
	e, ok := err.(*textproto.Error)
	if !ok {
		return 0
	}
	return e.Code
}

// files returns the names of the files in a folder of the queue.
func (p *mailServer) files(queue string) (names []string) {
	filepath.WalkDir(filepath.Join(p.dir, "queue", queue), func(path string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			names = append(names, path)
		}
		return nil
	})
	return names
}

// Postfix and the milter. However a stranger writes our field, it is gone, and one of ours is there. Mail that the
// milter could not answer for stays with who sent it, and nothing is moved to corrupt.
func TestServePostfixMilter(t *testing.T) {
	scanner := startClamd(t)
	base, flags := serve(t, linkedFile)
	address, box := testkit.FreeAddr(t), startNextHop(t)
	d := started(t, milterRules, flags, "--clamd", scanner, "--wait", "500ms", "--milter", address)
	p := startMailServer(t, "smtpd_milters = inet:"+address, "milter_default_action = tempfail", "virtual_transport = lmtp:inet:"+box.address)
	const plain = "Subject: a\r\n\r\nhello\r\n"
	for i, test := range []struct {
		name, message string
		code, fields  int
	}{
		{"None", plain, 250, 0},
		{"Good", refersTo(base+"/good", 1), 250, 1},
		{"Evil", refersTo(base+"/evil", 2), 550, 0},
		{"Gone", refersTo(base+"/gone", 3), 250, 1},
		{"Slow", refersTo(base+"/slow", 4), 451, 0},
	} {
		if got := p.try(whole(i, forged+test.message)); got != test.code {
			t.Errorf("%s: got %d, want %d\n%s\n%s", test.name, got, test.code, p.log(), d.log.String())
		} else if got == 250 {
			box.wantUnforged(t, i, test.fields)
		}
	}
	d.end(os.Kill)
	if got := p.send(t, plain); got/100 != 4 {
		t.Errorf("killed: got %d, want 4xx", got)
	}
	d.start()
	if got := p.send(t, plain); got != 250 {
		t.Errorf("started again: got %d, want 250", got)
	}
	if names := p.files("corrupt"); len(names) > 0 {
		t.Errorf("corrupt: got %v, want none", names)
	}
}

// startDovecot starts Dovecot, which takes mail at the socket lmtp in the folder, writes it
// below mail, and writes a log.
func startDovecot(t *testing.T) (dir string) {
	needs(t, "dovecot")
	if _, err := os.Stat("/usr/lib/dovecot/lmtp"); err != nil {
		t.Skip("dovecot-lmtpd is not installed")
	}
	if _, err := user.Lookup("mail"); err != nil {
		t.Skip("there is no user mail")
	}
	dir = openDir(t)
	writeConf(t, filepath.Join(dir, "dovecot.conf"), fmt.Sprintf(`protocols = lmtp
base_dir = %[1]s/run
state_dir = %[1]s/state
log_path = %[1]s/log
ssl = no
default_login_user = dovenull
default_internal_user = dovecot
mail_location = maildir:%[1]s/mail/%%u
mail_uid = mail
mail_gid = mail
first_valid_uid = 1
service lmtp {
  unix_listener %[1]s/lmtp {
    mode = 0666
  }
}
service anvil {
  chroot =
}
passdb {
  driver = static
  args = nopassword=y
}
userdb {
  driver = static
  args = uid=mail gid=mail home=%[1]s/mail/%%u allow_all_users=yes
}
`, dir))
	must(t, os.Mkdir(filepath.Join(dir, "mail"), 0o777))
	if said, err := exec.Command("chown", "mail", filepath.Join(dir, "mail")).CombinedOutput(); err != nil {
		t.Fatalf("chown: got error %v, want none: %s", err, said)
	}
	log := runDaemon(t, "dovecot", "-F", "-c", filepath.Join(dir, "dovecot.conf"))
	awaitListener(t, "unix", filepath.Join(dir, "lmtp"), log)
	return dir
}

// Postfix, the proxy, and Dovecot after it, with the file in the mail.
func TestServePostfixDovecot(t *testing.T) {
	t.Parallel()
	dir := startDovecot(t)
	scanner := startClamd(t)
	base, flags := serve(t, linkedFile)
	address := testkit.FreeAddr(t)
	d := started(t, daemonRules, flags, "--clamd", scanner, "--wait", "2s", "--lmtp", address, "--lmtp-next", filepath.Join(dir, "lmtp"))
	p := startMailServer(t, "virtual_transport = lmtp:inet:"+address, "lmtp_send_xforward_command = yes")
	for _, name := range []string{"good", "gone"} {
		if got := p.send(t, refersTo(base+"/"+name, 1)); got != 250 {
			t.Fatalf("%s: got %d, want 250", name, got)
		}
	}
	if got := p.send(t, "Subject: plain\r\n\r\n.\r\nhello\r\n"); got != 250 {
		t.Fatalf("plain: got %d, want 250", got)
	}
	var mail []string
	for try := 0; len(mail) < 3 && try < 1000; try++ {
		mail = mail[:0]
		files, _ := filepath.Glob(filepath.Join(dir, "mail", "*", "new", "*"))
		for _, f := range files {
			text := readText(t, f)
			mail = append(mail, strings.ReplaceAll(text, "\r\n", "\n"))
		}
		time.Sleep(20 * time.Millisecond)
	}
	all := strings.Join(mail, "\n=====\n")
	for _, want := range []string{"hello\n", "extbody=clean action=inline rule=good", "extbody=unavailable action=tag", "\n\n.\nhello\n"} {
		if !strings.Contains(all, want) {
			t.Errorf("the mail lacks %q", want)
		}
	}
	// A decision is logged after its mail is delivered.
	identified := regexp.MustCompile(`"front":"lmtp","queue_id":"[0-9A-Za-z]+"`)
	d.until("log line of each mail", func() bool { return len(identified.FindAllString(d.logged(), -1)) == 3 })
	if len(mail) != 3 || strings.Count(all, "access-type=url") != 1 || strings.Count(all, "X-Extbody:") != 2 {
		dovecot, _ := os.ReadFile(filepath.Join(dir, "log"))
		t.Errorf("got %d messages, want 3, of which one has a reference and two our field:\n%s\n%s\n%s\n%s", len(mail), all, p.log(), d.log.String(), tail(string(dovecot)))
	}
}
