package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/inspect"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/lmtp"
)

// A daemon is a running serve.
type daemon struct {
	t    testing.TB
	dir  string
	args []string
	cmd  *exec.Cmd
	log  logBuffer

	shell  string     // the commands of a shell before it, "" for no shell
	files  []*os.File // that it gets
	stderr *os.File   // instead of log
}

// A logBuffer is a bytes.Buffer that may be read while it is written.
type logBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *logBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// logged returns the log so far.
func (d *daemon) logged() string { return d.log.String() }

// newDaemon returns a serve that is not started, with its sockets and its policy in a
// folder.
func newDaemon(t testing.TB, rules string, args ...string) *daemon {
	if runtime.GOOS == "windows" {
		t.Skip("no signals")
	}
	d := &daemon{t: t, dir: t.TempDir()}
	d.policy(rules)
	d.args = append([]string{
		"serve", "--name", "mx.example", "--policy", d.path("policy.toml"), "--cache", d.path("cache") + ":100MB",
		"--metrics", d.path("metrics"),
	}, args...)
	return d
}

// started starts a serve with flags and args. A value that starts with "./" is in its folder.
func started(t testing.TB, rules string, flags []string, args ...string) *daemon {
	t.Helper()
	d := newDaemon(t, rules)
	for _, a := range slices.Concat(args, flags) {
		if name, ok := strings.CutPrefix(a, "./"); ok {
			a = d.path(name)
		}
		d.args = append(d.args, a)
	}
	d.start()
	return d
}

func (d *daemon) path(name string) string { return filepath.Join(d.dir, name) }

func (d *daemon) policy(rules string) {
	d.t.Helper()
	writeText(d.t, d.path("policy.toml"), rules)
}

// start starts it, and returns when it answers.
func (d *daemon) start() {
	d.t.Helper()
	d.cmd = exec.Command(executable(d.t), d.args...)
	if d.shell != "" {
		d.cmd = exec.Command("sh", append([]string{"-c", d.shell + "; exec \"$0\" \"$@\"", executable(d.t)}, d.args...)...)
	}
	d.cmd.ExtraFiles = d.files
	d.cmd.Stderr = &d.log
	if d.stderr != nil {
		d.cmd.Stderr = d.stderr
	}
	must(d.t, d.cmd.Start())
	cmd := d.cmd
	d.t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	d.until("answer", func() bool {
		resp, err := d.client("metrics").Get("http://x/readyz")
		if err == nil {
			resp.Body.Close()
		}
		return err == nil
	})
}

// end sends a signal and waits for the end.
func (d *daemon) end(sig os.Signal) error {
	d.cmd.Process.Signal(sig)
	return d.cmd.Wait()
}

// terminate ends it, which has to succeed.
func (d *daemon) terminate() {
	d.t.Helper()
	if err := d.end(syscall.SIGTERM); err != nil {
		d.t.Errorf("SIGTERM: got error %v, want none\n%s", err, tail(d.logged()))
	}
}

// until waits until a condition holds.
func (d *daemon) until(what string, holds func() bool) {
	d.t.Helper()
	await(d.t, what, holds, &d.log)
}

// inTurns has workers call f with each number below n, and returns when all have ended.
func inTurns(workers, n int, f func(i int)) (wait func()) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(i)
			}
		})
	}
	return wg.Wait
}

// client returns a client for one of the sockets.
func (d *daemon) client(name string) *http.Client {
	return &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var n net.Dialer
		return n.DialContext(ctx, "unix", d.path(name))
	}}}
}

// ask asks about a message.
func (d *daemon) ask(c *http.Client, message string) (*inspect.Answer, error) {
	resp, err := c.Post("http://x/v1/check?wait=5s", "message/rfc822", strings.NewReader(message))
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var a inspect.Answer
	if err := json.NewDecoder(resp.Body).Decode(&a); err != nil || resp.StatusCode != 200 {
		return nil, fmt.Errorf("status %d, %v", resp.StatusCode, err)
	}
	return &a, nil
}

func refersTo(url string, n int) string {
	return fmt.Sprintf("Subject: %d\r\nMIME-Version: 1.0\r\nContent-Type: message/external-body; access-type=url; url=%q\r\n\r\n"+
		"Content-Type: text/plain\r\nContent-ID: <%d@a.example>\r\n\r\n", n, url, n)
}

// refersToMany returns a message that refers to n files.
func refersToMany(url string, n int) string {
	var b strings.Builder
	b.WriteString("Subject: many\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n")
	for i := range n {
		fmt.Fprintf(&b, "--b\r\nContent-Type: message/external-body; access-type=url; url=\"%s?%d\"\r\n\r\n"+
			"Content-Type: text/plain\r\nContent-ID: <%d@a.example>\r\n\r\n", url, i, i)
	}
	b.WriteString("--b--\r\n")
	return b.String()
}

// A policy with a mistake is refused when it is read again, and the old one stays in
// force.
func TestServeReload(t *testing.T) {
	base, flags := serve(t, func(w http.ResponseWriter, r *http.Request) { text(w, "hello") })
	rule := func(action string) string { return "[[rule]]\nname = \"r\"\naction = \"" + action + "\"\n" }
	d := started(t, rule("reject"), flags, "--http", "./http")
	count := map[string]int{}
	for _, step := range []struct {
		name, rules, result string // "" for the beginning, "-" for no file
		want                inspect.Action
	}{
		{"Start", "", "", inspect.Reject},
		{"Mistake", rule("rejct"), "error", inspect.Reject},
		{"Gone", "-", "error", inspect.Reject},
		{"Empty", "\n", "error", inspect.Reject},
		{"Huge", rule("none") + strings.Repeat("# long\n", 1<<20/7), "error", inspect.Reject},
		{"Half", rule("none") + "[[rule]]\nname = \"h", "error", inspect.Reject},
		{"Good", rule("quarantine"), "ok", inspect.Quarantine},
		{"List", rule("reject") + "host = { file = \"hosts\" }\n", "ok", inspect.Tag},
		{"ListGrown", "", "ok", inspect.Reject},
		{"ListWithMistake", "", "error", inspect.Reject},
		{"Windows", "\ufeff" + strings.ReplaceAll(rule("tag"), "\n", "\r\n"), "ok", inspect.Tag},
	} {
		switch step.rules {
		case "":
		case "-":
			os.Remove(d.path("policy.toml"))
		default:
			d.policy(step.rules)
		}
		if list := map[string]string{"List": "a.example\n", "ListGrown": "a.example\n127.0.0.1\n", "ListWithMistake": "/\n"}[step.name]; list != "" {
			writeText(t, d.path("hosts"), list)
		}
		if step.result != "" {
			count[step.result]++
			d.cmd.Process.Signal(syscall.SIGHUP)
			name := `extbody_policy_reloads_total{result="` + step.result + `"}`
			d.until(step.name+": "+name, func() bool { return d.onMetrics(name) >= float64(count[step.result]) })
			if ok := d.onMetrics("extbody_policy_reload_ok"); (ok == 1) != (step.result == "ok") {
				t.Errorf("%s: got extbody_policy_reload_ok %v, want the outcome %s", step.name, ok, step.result)
			}
		}
		a, err := d.ask(d.client("http"), refersTo(base+"/a", 0))
		if err != nil || a.Action != step.want {
			t.Errorf("%s: got %+v, %v, want %s", step.name, a, err, step.want)
		}
	}
	d.terminate()
	if !strings.Contains(d.log.String(), "line 3: rule.action") {
		t.Errorf("got no word of the mistake in the log, want its line and field:\n%s", d.log.String())
	}
}

// With --log-level warn decisions are not logged, and faults are.
func TestServeLogLevel(t *testing.T) {
	base, flags := serve(t, linkedFile)
	d := started(t, "", flags, "--http", "./http", "--log-level", "warn")
	_, err := d.ask(d.client("http"), refersTo(base+"/good", 1))
	must(t, err)
	d.policy("[[rule]]\n")
	d.cmd.Process.Signal(syscall.SIGHUP)
	d.until("an error", func() bool { return strings.Contains(d.logged(), `"level":"ERROR"`) })
	if log := d.logged(); strings.Contains(log, `"level":"INFO"`) {
		t.Errorf("got a line of the level info, want none\n%s", log)
	}
	name := fmt.Sprintf("extbody_build_info{goversion=%q,version=%q}", runtime.Version(), strings.TrimPrefix(record.Version(), "extbody "))
	if n := d.onMetrics(name); n != 1 {
		t.Errorf("%s: got %v, want 1", name, n)
	}
}

// The command of SERVE.md finds who else got a file in the log.
func TestServeLogCommand(t *testing.T) {
	installed(t, "jq")
	base, flags := serve(t, linkedFile)
	d := started(t, "", flags, "--http", "./http")
	a, err := d.ask(d.client("http"), "Message-ID: <1@a.example>\r\n"+refersTo(base+"/good", 1))
	if err != nil || len(a.Refs) != 1 {
		t.Fatalf("got %+v, %v, want a reference", a, err)
	}
	must(t, d.end(syscall.SIGTERM))
	writeConf(t, d.path("LOG"), d.logged())
	block := strings.Replace(blocks(t, "SERVE.md", "[a-z]*", "jq ")[0], "DIGEST", a.Refs[0].SHA256, 1)
	cmd := exec.Command("sh", "-c", block)
	cmd.Dir = d.dir
	if said, err := cmd.CombinedOutput(); err != nil || strings.Count(string(said), "<1@a.example>") != 1 {
		t.Errorf("got error %v, want none and one message\n%s", err, said)
	}
}

// A proxy that is killed again and again loses no message and changes none: each was
// taken by the next hop, once, or more often only where the proxy could not confirm
// that.
func TestServeKilled(t *testing.T) {
	t.Parallel()
	base, flags := serve(t, func(w http.ResponseWriter, r *http.Request) { text(w, "hello") })
	box := startNextHop(t)
	d := started(t, "[[rule]]\nname = \"n\"\naction = \"none\"\n", flags, "--lmtp", "./lmtp", "--lmtp-next", box.address)
	const messages, kills, workers = 1000, 20, 8
	var sent atomic.Int64
	body := func(i int) string {
		if i%2 == 0 {
			return fmt.Sprintf("Subject: %d\r\n\r\n.\r\nhello\r\r\n", i)
		}
		return refersTo(base+"/a", i)
	}
	wait := inTurns(workers, messages, func(i int) {
		for !try(d.path("lmtp"), body(i)) {
			time.Sleep(5 * time.Millisecond)
		}
		sent.Add(1)
	})
	for k := range kills {
		for sent.Load() < int64((k+1)*messages/(kills+2)) {
			time.Sleep(time.Millisecond)
		}
		d.end(syscall.SIGKILL)
		d.start()
	}
	wait()
	total := box.total()
	box.mu.Lock()
	defer box.mu.Unlock()
	double := 0
	for i := range messages {
		// The proxy logs the outcome of the references of a message, and nothing else.
		n := box.mail[body(i)]
		for m, k := range box.mail {
			if i%2 == 1 && strings.HasPrefix(m, "X-Extbody: ") && strings.HasSuffix(m, "\r\n"+body(i)) {
				n += k
			}
		}
		if n == 0 {
			t.Errorf("message %d: got it lost or changed, want it as it was", i)
		}
		double += max(0, n-1)
	}
	if total != messages+double {
		t.Errorf("the next hop has %d, want %d and %d doubles", total, messages, double)
	}
	t.Logf("%d messages, %d kills, %d doubled between the next hop's 250 and ours", messages, kills, double)
	if double > kills*workers {
		t.Errorf("%d doubles, want at most %d for each kill", double, workers)
	}
}

// try sends a message, and reports whether the server took it.
func try(address, message string) bool {
	ctx, stop := context.WithTimeout(context.Background(), 20*time.Second)
	defer stop()
	c, err := lmtp.Dial(ctx, address, "client.example")
	if err != nil {
		return false
	}
	defer c.Close()
	replies, err := c.Send(&lmtp.Path{Address: "a@a.example"}, []*lmtp.Path{{Address: "b@a.example"}}, strings.NewReader(message), int64(len(message)))
	return err == nil && replies[0].OK()
}
