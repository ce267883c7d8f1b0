package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
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

	milter "github.com/emersion/go-milter"
	"github.com/go-extbody/extbody/internal/testkit"
)

// The benchmarks of serve run the program, and beside it, interleaved, a server that
// only reads and answers. One client asks at a time, on connections that stay open.

// cpu returns the processor time that a process has used.
func cpu(pid int) time.Duration {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	var user, system int64
	fmt.Sscan(fields[11], &user)
	fmt.Sscan(fields[12], &system)
	return time.Duration(user+system) * 10 * time.Millisecond
}

// percentile returns a percentile of durations, which it sorts, in milliseconds.
func percentile(list []time.Duration, p int) float64 {
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	return float64(list[(len(list)-1)*p/100]) / 1e6
}

const benchRules = "[[rule]]\nname = \"p\"\nverdict = \"pending\"\naction = \"tag\"\n"

// daemonB returns a serve for a benchmark.
func daemonB(b *testing.B, web http.HandlerFunc, args ...string) (d *daemon, base string) {
	var flags []string
	base, flags = serve(b, web)
	d = newDaemon(b, benchRules, append(args, flags...)...)
	log, err := os.Create(d.path("log"))
	must(b, err)
	b.Cleanup(func() { log.Close() })
	d.stderr = log
	return d, base
}

// keeping is a client that keeps its connections.
func keeping(address string) *http.Client {
	return &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "tcp", address)
	}}}
}

// post asks about a message, and returns how long it took.
func post(b testing.TB, c *http.Client, wait, message string) time.Duration {
	begun := time.Now()
	resp, err := c.Post("http://x/v1/check?wait="+wait, "message/rfc822", strings.NewReader(message))
	must(b, err)
	io.Copy(io.Discard, resp.Body)
	resp.Body.Close()
	return time.Since(begun)
}

var (
	plain40 = "Subject: a\r\nContent-Type: text/plain\r\n\r\n" + strings.Repeat("the quick brown fox jumps over the lazy dog\r\n", 900)
	html60  = "Subject: a\r\nContent-Type: text/html\r\n\r\n" + strings.Repeat("<p>the <b>quick</b> <a href=\"https://www.example.com/a\">fox</a></p>\r\n", 850)
)

// bareHTTP is a server that only reads and answers, in a process of its own: this one.
func bareHTTP() {
	l, err := net.Listen("tcp", os.Getenv("EXTBODY_BARE"))
	if err != nil {
		panic(err)
	}
	http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, "{\"verdict\":\"clean\",\"symbols\":[],\"refs\":[],\"action\":\"none\"}\n")
	}))
}

// bareMilter is a milter that only accepts.
func bareMilter() {
	l, err := net.Listen("tcp", os.Getenv("EXTBODY_BARE"))
	if err != nil {
		panic(err)
	}
	s := milter.Server{NewMilter: func() milter.Milter { return new(milter.NoOpMilter) }, Protocol: milter.OptNoConnect | milter.OptNoHelo}
	s.Serve(l)
}

// TestBareServer is the process of startBare, and no test of its own.
func TestBareServer(t *testing.T) {
	switch os.Getenv("EXTBODY_BARE_KIND") {
	case "http":
		bareHTTP()
	case "milter":
		bareMilter()
	default:
		t.Skip("is the bare server of the benchmarks")
	}
}

// startBare starts a bare server and returns its process and address.
func startBare(b *testing.B, kind string) (*exec.Cmd, string) {
	address := testkit.FreeAddr(b)
	cmd := exec.Command(os.Args[0], "-test.run", "^TestBareServer$")
	cmd.Env = append(os.Environ(), "EXTBODY_BARE_KIND="+kind, "EXTBODY_BARE="+address)
	must(b, cmd.Start())
	b.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	awaitListener(b, "tcp", address, new(bytes.Buffer))
	return cmd, address
}

// compare runs two in turns, and reports the share of the bare one's speed, the CPU
// of the program and the time that it adds at the 99th percentile.
func compare(b *testing.B, d *daemon, bareProcess *exec.Cmd, ours, bare func() time.Duration) {
	for range 50 {
		ours()
		bare()
	}
	var tOurs, tBare []time.Duration
	var sumOurs, sumBare time.Duration
	used, usedBare := cpu(d.cmd.Process.Pid), cpu(bareProcess.Process.Pid)
	for b.Loop() {
		for range 20 { // in turns
			x := ours()
			tOurs, sumOurs = append(tOurs, x), sumOurs+x
		}
		for range 20 {
			x := bare()
			tBare, sumBare = append(tBare, x), sumBare+x
		}
	}
	n := float64(len(tOurs))
	b.ReportMetric(float64(cpu(d.cmd.Process.Pid)-used)/1e6/n, "cpu-ms/msg")
	b.ReportMetric(float64(cpu(bareProcess.Process.Pid)-usedBare)/1e6/n, "barecpu-ms/msg")
	b.ReportMetric(percentile(tBare, 50)/percentile(tOurs, 50), "x-bare-median")
	b.ReportMetric(float64(sumBare)/float64(sumOurs), "x-bare")
	b.ReportMetric(percentile(tOurs, 99)-percentile(tBare, 99), "p99-added-ms")
	b.ReportMetric(percentile(tOurs, 50), "p50-ms")
}

func BenchmarkServeHTTP(b *testing.B) {
	for _, run := range []struct{ name, message string }{{"Plain40K", plain40}, {"HTML60K", html60}} {
		b.Run(run.name, func(b *testing.B) {
			address := testkit.FreeAddr(b)
			d, _ := daemonB(b, linkedFile, "--http", address)
			d.start()
			process, bare := startBare(b, "http")
			c, cBare := keeping(address), keeping(bare)
			compare(b, d, process, func() time.Duration { return post(b, c, "300ms", run.message) },
				func() time.Duration { return post(b, cBare, "300ms", run.message) })
		})
	}
}

func BenchmarkServeMilter(b *testing.B) {
	address := testkit.FreeAddr(b)
	d, _ := daemonB(b, linkedFile, "--milter", address)
	d.start()
	process, bare := startBare(b, "milter")
	session := func(address string) func() time.Duration {
		c := milter.NewClientWithOptions("tcp", address, milter.ClientOptions{
			ActionMask: milter.OptAddHeader | milter.OptChangeHeader | milter.OptQuarantine,
		})
		body := strings.Repeat("the quick brown fox jumps over the lazy dog\r\n", 900)
		return func() time.Duration {
			begun := time.Now()
			x, err := c.Session()
			must(b, err)
			defer x.Close()
			x.Mail("a@a.example", nil)
			x.Rcpt("b@b.example", nil)
			for _, name := range []string{"From", "To", "Subject", "Date", "Message-ID", "MIME-Version", "Received", "X-A", "X-B"} {
				x.HeaderField(name, "some value")
			}
			x.HeaderField("Content-Type", "text/plain")
			x.HeaderEnd()
			x.BodyReadFrom(strings.NewReader(body))
			if _, _, err := x.End(); err != nil {
				b.Fatal(err)
			}
			return time.Since(begun)
		}
	}
	compare(b, d, process, session(address), session(bare))
}

// BenchmarkServeCached asks about a file whose outcome is known.
func BenchmarkServeCached(b *testing.B) {
	address := testkit.FreeAddr(b)
	d, base := daemonB(b, linkedFile, "--http", address)
	d.start()
	c := keeping(address)
	post(b, c, "5s", refersTo(base+"/good", 1))
	var times []time.Duration
	for b.Loop() {
		for i := range 20 {
			times = append(times, post(b, c, "300ms", refersTo(base+"/good", i)))
		}
	}
	b.ReportMetric(percentile(times, 50), "p50-ms")
	b.ReportMetric(percentile(times, 99), "p99-ms")
}

// BenchmarkServeCold asks about files of a host that hangs, each another one, 2 at a
// time.
func BenchmarkServeCold(b *testing.B) {
	address := testkit.FreeAddr(b)
	d, base := daemonB(b, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, "--http", address,
		"--pending", "100000", "--per-client", "100000", "--fetches", "100000", "--per-host", "100000")
	d.start()
	c := keeping(address)
	const wait = 300 * time.Millisecond
	var mu sync.Mutex
	var times []time.Duration
	var n atomic.Int64
	for b.Loop() {
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				i := int(n.Add(1))
				took := post(b, c, wait.String(), refersTo(fmt.Sprintf("%s/%d", base, i), i))
				mu.Lock()
				defer mu.Unlock()
				times = append(times, took)
			})
		}
		wg.Wait()
	}
	b.ReportMetric(percentile(times, 50), "p50-ms")
	b.ReportMetric(percentile(times, 99)-float64(wait)/1e6, "p99-over-wait-ms")
}

// BenchmarkServeHanging has 1,000 references of hosts that hang, and asks about
// messages without references.
func BenchmarkServeHanging(b *testing.B) {
	address := testkit.FreeAddr(b)
	d, base := daemonB(b, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, "--http", address, "--fetches", "1000", "--per-host", "1000", "--per-client", "2000")
	d.start()
	c := keeping(address)
	for i := range 1000 {
		post(b, c, "0s", refersTo(fmt.Sprintf("%s/%d", base, i), i))
	}
	pending := d.onMetrics("extbody_queue_pending")
	var times []time.Duration
	for b.Loop() {
		for range 20 {
			times = append(times, post(b, c, "300ms", plain40))
		}
	}
	b.ReportMetric(percentile(times, 50), "p50-ms")
	b.ReportMetric(percentile(times, 99), "p99-ms")
	b.ReportMetric(pending, "pending")
	b.ReportMetric(float64(d.peak()), "MiB")
}

// BenchmarkServeStart starts the program, and drains it while nothing is on its way.
func BenchmarkServeStart(b *testing.B) {
	d, _ := daemonB(b, linkedFile)
	d.args = append(d.args, "--http", d.path("http"))
	var started, drained []time.Duration
	for b.Loop() {
		cmd := exec.Command(executable(b), d.args...)
		begun := time.Now()
		must(b, cmd.Start())
		for {
			c, err := net.Dial("unix", d.path("http"))
			if err == nil {
				c.Close()
				break
			}
			time.Sleep(time.Millisecond)
		}
		started = append(started, time.Since(begun))
		time.Sleep(20 * time.Millisecond)
		begun = time.Now()
		cmd.Process.Signal(syscall.SIGTERM)
		cmd.Wait()
		drained = append(drained, time.Since(begun))
	}
	b.ReportMetric(percentile(started, 50), "start-p50-ms")
	b.ReportMetric(percentile(drained, 50), "drain-p50-ms")
}

// BenchmarkServeFleet compares the CPU of serve with the CPU of a process a
// message.
func BenchmarkServeFleet(b *testing.B) {
	address := testkit.FreeAddr(b)
	d, base := daemonB(b, linkedFile, "--http", address)
	d.start()
	c := keeping(address)
	message := refersTo(base+"/good", 1)
	post(b, c, "5s", message)
	file := filepath.Join(b.TempDir(), "m")
	writeText(b, file, message)
	_, port, _ := strings.Cut(strings.TrimPrefix(base, "http://"), ":")
	var one time.Duration
	many, n := cpu(d.cmd.Process.Pid), 0
	processes := 0
	for b.Loop() {
		for range 100 {
			post(b, c, "300ms", message)
			n++
		}
		cmd := exec.Command(executable(b), "check", "--cache", d.path("other")+":100MB", "--allow-net", "127.0.0.1/32", "--allow-port", port, file)
		cmd.Run()
		if cmd.ProcessState.ExitCode() != 10 {
			b.Fatalf("check: got %v, want 10", cmd.ProcessState)
		}
		one += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		processes++
	}
	each := float64(cpu(d.cmd.Process.Pid)-many) / float64(n)
	b.ReportMetric(each/1e6, "serve-ms/msg")
	b.ReportMetric(float64(one)/float64(processes)/1e6, "process-ms/msg")
	b.ReportMetric(float64(one)/float64(processes)/each, "x-less")
}

// loadTexts begin the mails of BenchmarkServeRspamd.
var loadTexts = []struct {
	name  string
	texts []string
}{
	{"Short", []string{"Subject: a\r\n\r\nhello\r\n"}},
	{"Long", []string{plain40, html60}},
}

// loadLinks end these mails. They have the answers: of serve its verdict and action, of rspamd its action and our
// symbols. No answer needs a network.
var loadLinks = []struct{ link, ours, theirs string }{
	{"", "clean none", "no action "},
	{"https://www.example.com/a.pdf", "clean none", "no action "},
	{"https://www.dropbox.com/s/abcdefghijklmno/a.pdf?dl=0", "clean none", "no action EXTBODY_SKIPPED"},
	{"https://protect-eu.mimecast.com/s/AbCdEfGh", "unavailable reject", "reject EXTBODY_WRAPPED"},
}

const loadRules = `
[[rule]]
name = "skipped"
host = "dropbox.com"
action = "skip"

[[rule]]
name = "wrapped"
unread = "wrapper"
action = "reject"
`

// loadLua has rspamd do the same as loadRules.
const loadLua = `
local function has(domain)
  return function(task)
    for _, url in ipairs(task:get_urls() or {}) do
      if url:get_tld() == domain then return true end
    end
    return false
  end
end
rspamd_config:register_symbol({ name = "EXTBODY_SKIPPED", score = 0.0, callback = has("dropbox.com") })
rspamd_config:register_symbol({ name = "EXTBODY_WRAPPED", score = 15.0, callback = has("mimecast.com") })
`

// BenchmarkServeRspamd gives the same mails to serve and to rspamd in turns, by HTTP, with eight questions on their
// way. rspamd has a worker for each processor, and no rules but loadLua. A wrong answer ends the benchmark.
func BenchmarkServeRspamd(b *testing.B) {
	address, worker := testkit.FreeAddr(b), testkit.FreeAddr(b)
	rules := filepath.Join(openDir(b), "load.lua")
	writeConf(b, rules, loadLua)
	startRspamd(b, testkit.FreeAddr(b), testkit.FreeAddr(b), fmt.Sprintf(
		"lua = %q;\nworker \"normal\" { bind_socket = %q; count = %d; }\n", rules, worker, runtime.GOMAXPROCS(0),
	))
	awaitListener(b, "tcp", worker)
	d, _ := daemonB(b, linkedFile, "--http", address)
	d.policy(loadRules)
	d.start()
	c := keeping(address)
	ours := func(b *testing.B, message string) string {
		a, err := d.ask(c, message)
		must(b, err)
		return fmt.Sprint(a.Verdict, " ", a.Action)
	}
	theirs := func(b *testing.B, message string) string {
		action, symbols, _ := askRspamd(b, worker, "b@b.example", message)
		return action + " " + symbols
	}
	for _, set := range loadTexts {
		b.Run(set.name, func(b *testing.B) { compareLoad(b, set.texts, ours, theirs) })
	}
}

// compareLoad measures rounds of mails in turns, and reports how many mails each answers in a second.
func compareLoad(b *testing.B, texts []string, ours, theirs func(b *testing.B, message string) string) {
	const round, clients = 400, 8
	take := func(name string, ask func(b *testing.B, message string) string) time.Duration {
		begun := time.Now()
		inTurns(clients, round, func(i int) {
			row := loadLinks[i%len(loadLinks)]
			text := texts[i/len(loadLinks)%len(texts)]
			want := row.ours
			if name == "rspamd" {
				want = row.theirs
			}
			if got := ask(b, whole(i, text+"<a href=\""+row.link+"\">a</a>\r\n")); got != want {
				b.Errorf("%s, mail %d: got %q, want %q", name, i, got, want)
			}
		})()
		if b.Failed() {
			b.FailNow()
		}
		return time.Since(begun)
	}
	take("serve", ours)
	take("rspamd", theirs)
	var tookOurs, tookTheirs time.Duration
	rounds := 0
	for b.Loop() {
		tookOurs += take("serve", ours)
		tookTheirs += take("rspamd", theirs)
		rounds++
	}
	mails := float64(rounds * round)
	b.ReportMetric(mails/tookOurs.Seconds(), "mails/s")
	b.ReportMetric(mails/tookTheirs.Seconds(), "rspamd-mails/s")
	b.ReportMetric(float64(tookTheirs)/float64(tookOurs), "x-rspamd")
}
