package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/inspect"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/lmtp"
)

// These tests have in common: mail goes on, each question is answered or fails at
// once, and the program is still there.

// onMetrics returns a number of the server.
func (d *daemon) onMetrics(name string) (n float64) {
	d.t.Helper()
	resp, err := d.client("metrics").Get("http://x/metrics")
	must(d.t, err)
	defer resp.Body.Close()
	numbers, _ := io.ReadAll(resp.Body)
	_, after, _ := strings.Cut(string(numbers), "\n"+name+" ")
	fmt.Sscan(after, &n)
	return n
}

// startWith starts it by a shell that does something before.
func (d *daemon) startWith(script string, files ...*os.File) {
	d.t.Helper()
	d.shell, d.files = script, files
	d.start()
}

// peak returns the most memory that the process had, in MiB; 0 if that is not known.
func (d *daemon) peak() (mib int) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", d.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	fmt.Sscan(after, &mib)
	return mib / 1024
}

// A server behind rspamd that is killed again and again costs no mail: each message
// has an answer, which is the one for it, or none, and passes.
func TestServeKilledHTTP(t *testing.T) {
	if testing.Short() {
		t.Skip("20 starts")
	}
	base, flags := serve(t, linkedFile)
	d := started(t, "[[rule]]\nname = \"gone\"\nkind = \"not-found\"\naction = \"reject\"\n", flags, "--http", "./http", "--per-host", "100")
	const messages, kills, workers = 1000, 20, 8
	var in, answered, open atomic.Int64
	wait := inTurns(workers, messages, func(i int) {
		in.Add(1)
		want, message := inspect.None, fmt.Sprintf("Subject: %d\r\n\r\nhello\r\n", i)
		switch i % 3 {
		case 1:
			want, message = inspect.Tag, refersTo(base+"/good", i)
		case 2:
			want, message = inspect.Reject, refersTo(fmt.Sprintf("%s/gone%d", base, i%50), i)
		}
		a, err := d.ask(d.client("http"), message)
		if err != nil {
			open.Add(1) // rspamd: EXTBODY_FAIL
			time.Sleep(10 * time.Millisecond)
			return
		}
		answered.Add(1)
		if a.Action != want {
			t.Errorf("message %d: got %s (%s), want %s", i, a.Action, a.Verdict, want)
		}
	})
	for range kills {
		for begun := d.onMetricsTotal(); in.Load() < messages && d.onMetricsTotal() < begun+float64(rand.IntN(messages/kills)); {
			time.Sleep(time.Millisecond)
		}
		d.end(syscall.SIGKILL)
		d.start()
	}
	wait()
	t.Logf("%d messages, %d kills: %d answered, %d passed without an answer", messages, kills, answered.Load(), open.Load())
	if answered.Load()+open.Load() != messages || answered.Load() == 0 {
		t.Errorf("got %d and %d, want %d together", answered.Load(), open.Load(), messages)
	}
	d.terminate()
}

// onMetricsTotal returns how many decisions there were since the start.
func (d *daemon) onMetricsTotal() float64 {
	return d.onMetrics(`extbody_verdicts_total{verdict="clean"}`) + d.onMetrics(`extbody_verdicts_total{verdict="unavailable"}`)
}

// With a socket that systemd holds, a server that is stopped and started under load
// refuses no client, and answers all.
func TestServeRestartHTTP(t *testing.T) {
	base, flags := serve(t, linkedFile)
	d := newDaemon(t, "", "--wait", "10s")
	script, f := d.held("http")
	d.args = append(d.args, flags...)
	d.startWith(script, f)
	d.restartUnderLoad(func(_, i int) error {
		a, err := d.ask(d.client("http"), testMessage(base, i))
		if err == nil && a.Verdict != inspect.Clean {
			err = fmt.Errorf("got %s, want %s", a.Verdict, inspect.Clean)
		}
		return err
	})
}

// A cache that is full, cannot be written, is damaged or is deleted while it is used
// costs fetches, and no mail.
func TestServeCacheFails(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name     string
		degraded float64
		do       func(t *testing.T, d *daemon)
	}{
		{"Deleted", 0, func(t *testing.T, d *daemon) {
			must(t, os.RemoveAll(d.path("cache")))
		}},
		{"Damaged", 0, func(t *testing.T, d *daemon) {
			filepath.WalkDir(d.path("cache"), func(path string, e os.DirEntry, err error) error {
				if err == nil && e.Type().IsRegular() {
					return os.WriteFile(path, []byte("\x00\xff{not what was here"), 0o600)
				}
				return err
			})
		}},
		{"Full", 1, func(t *testing.T, d *daemon) { mount(t, d.path("cache"), "size=16k") }},
		{"ReadOnly", 1, func(t *testing.T, d *daemon) { mount(t, d.path("cache"), "ro") }},
	} {
		for _, front := range frontEnds() {
			t.Run(test.name+"/"+front.name, func(t *testing.T) {
				base, flags := serve(t, func(w http.ResponseWriter, r *http.Request) {
					w.Header().Set("Cache-Control", "max-age=60")
					text(w, strings.Repeat("hello", 10_000))
				})
				d, box := everyFront(t, "[[rule]]\nname = \"p\"\nverdict = [\"pending\", \"unavailable\"]\naction = \"defer\"\n", append(flags, "--wait", "20s")...)
				d.start()
				check := func(when string, n int) {
					t.Helper()
					for i := range n {
						got, err := front.send(d, box, "192.0.2.1", refersTo(fmt.Sprintf("%s/%s%d", base, when, i), i))
						if err != nil || !strings.Contains(got, "extbody=clean") || !strings.Contains(got, "octets=50000") {
							t.Fatalf("%s: got %s, %v, want it clean, with 50000 octets\n%s", when, got, err, tail(d.logged()))
						}
					}
				}
				check("before", 2)
				test.do(t, d)
				check("after", 3)
				d.end(syscall.SIGKILL)
				d.start()
				check("again", 3)
				if degraded := d.onMetrics("extbody_degraded"); degraded != test.degraded {
					t.Errorf("extbody_degraded: got %v, want %v\n%s", degraded, test.degraded, tail(d.logged()))
				}
				check("before", 2)
				d.terminate()
			})
		}
	}
}

// A folder for temporary files is made, and one that cannot be is said and done without.
func TestServeTempDir(t *testing.T) {
	base, flags := serve(t, linkedFile)
	for _, test := range []struct {
		name, dir string
		degraded  float64
	}{{"Made", "new/folder", 0}, {"AFile", "policy.toml/folder", 1}} {
		t.Run(test.name, func(t *testing.T) {
			d := started(t, "", flags, "--http", "./http", "--temp-dir", "./"+test.dir)
			for _, message := range []string{refersTo(base+"/good", 1), refersTo(base+"/good", 2) + strings.Repeat("x", 2<<20)} {
				if a, err := d.ask(d.client("http"), message); err != nil || a.Verdict != inspect.Clean {
					t.Errorf("got %+v, %v, want %s\n%s", a, err, inspect.Clean, tail(d.logged()))
				}
			}
			if got := d.onMetrics("extbody_degraded"); got != test.degraded {
				t.Errorf("extbody_degraded: got %v, want %v", got, test.degraded)
			}
			if said := strings.Contains(d.logged(), "--temp-dir cannot be used"); said != (test.degraded == 1) {
				t.Errorf("the log: got that it says so %v, want %v", said, !said)
			}
		})
	}
}

// mount lays another file system over a folder until the test ends.
func mount(t *testing.T, dir, options string) {
	t.Helper()
	if err := exec.Command("mount", "-t", "tmpfs", "-o", options, "tmpfs", dir).Run(); err != nil {
		t.Skipf("no file system can be mounted here: %v", err)
	}
	t.Cleanup(func() { exec.Command("umount", "-l", dir).Run() })
}

// Hosts that hang, send without end, by drops, or more than they announce, and names
// that do not resolve, hold up no message for longer than it waits, and those
// without references not at all.
func TestServeHostileHosts(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("hosts that hang take their time")
	}
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	zeros := make([]byte, 1<<20)
	for range 200 {
		z.Write(zeros)
	}
	z.Close()
	base, flags := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch name := strings.Split(r.URL.Path, "/")[1]; name {
		case "hang":
			<-r.Context().Done()
		case "drip":
			for r.Context().Err() == nil {
				w.Write([]byte("x"))
				w.(http.Flusher).Flush()
				time.Sleep(50 * time.Millisecond)
			}
		case "endless":
			for r.Context().Err() == nil {
				w.Write(zeros)
			}
		case "bomb":
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(bomb.Bytes())
		case "loop":
			http.Redirect(w, r, r.URL.Path+"x", http.StatusFound)
		default:
			linkedFile(w, r)
		}
	})
	port := base[strings.LastIndexByte(base, ':'):]
	d := started(t, "[[rule]]\nname = \"p\"\nverdict = \"pending\"\naction = \"defer\"\n", flags, "--http", "./http", "--max-bytes", "50MB", "--timeout", "5s", "--per-host", "50")
	var list []string
	for i := range 50 {
		list = append(list, fmt.Sprintf("http://127.0.0.1%s/hang/%d", port, i))
	}
	for _, name := range []string{"drip", "endless", "bomb", "loop"} {
		list = append(list, base+"/"+name)
	}
	for i := range 5 {
		list = append(list, fmt.Sprintf("http://nobody%d.invalid%s/x", i, port))
	}
	var wg sync.WaitGroup
	ask := func(url string, i int) {
		resp, err := d.client("http").Post("http://x/v1/check?wait=300ms", "message/rfc822", strings.NewReader(refersTo(url, i)))
		if err != nil {
			t.Errorf("%s: got error %v, want none", url, err)
			return
		}
		defer resp.Body.Close()
		body, _ := io.ReadAll(resp.Body)
		if resp.StatusCode != 200 || strings.Contains(string(body), `"verdict":"clean"`) {
			t.Errorf("%s: got %d, %s; want 200, and not clean", url, resp.StatusCode, body)
		}
	}
	for i, url := range list {
		wg.Go(func() { ask(url, i) })
	}
	for i := range 100 {
		if a, err := d.ask(d.client("http"), fmt.Sprintf("Subject: %d\r\n\r\n", i)); err != nil || a.Verdict != inspect.Clean {
			t.Errorf("no references: got %+v, %v, want %s", a, err, inspect.Clean)
		}
	}
	wg.Wait()
	if a, err := d.ask(d.client("http"), refersTo(base+"/good", 1)); err != nil {
		t.Errorf("after that: got %+v, %v; want an answer", a, err)
	}
	if mib := d.peak(); mib > 200 && !underRace {
		t.Errorf("got %d MiB, want at most 200", mib)
	}
	d.terminate()
}

// A thousand clients that send nothing, half of a request, or too much, keep no
// other client from an answer.
func TestServeManyClients(t *testing.T) {
	base, flags := serve(t, linkedFile)
	d := newDaemon(t, "")
	box := startNextHop(t)
	d.args = append(append(d.args, "--http", d.path("http"), "--lmtp", d.path("lmtp"), "--lmtp-next", box.address,
		"--milter", d.path("milter"), "--max-message", "1MB"), flags...)
	d.start()
	const head = "POST /v1/check HTTP/1.1\r\nHost: x\r\nContent-Length: "
	for i := range 1000 {
		c, err := net.Dial("unix", d.path("http"))
		if err != nil {
			t.Fatalf("client %d: got error %v, want none", i, err)
		}
		defer c.Close()
		switch i % 4 {
		case 1:
			io.WriteString(c, head+"100000\r\n\r\n"+strings.Repeat("x", 50_000))
		case 2:
			io.WriteString(c, "POST /v1/ch")
		case 3:
			io.WriteString(c, head+"20\r\n\r\nSubject: a\r\n\r\nabcdef and what was not announced")
		}
	}
	for i := range 400 {
		name := []string{"lmtp", "milter"}[i%2]
		c, err := net.Dial("unix", d.path(name))
		if err != nil {
			t.Fatalf("client %d: got error %v, want none", i, err)
		}
		defer c.Close()
		switch i % 6 {
		case 2:
			io.WriteString(c, "LHLO a\r\nMAIL FROM:<>\r\nRCPT TO:<a@a.example>\r\nDATA\r\nSubject: half\r\n")
		case 3:
			io.WriteString(c, "\x00\x00\x10\x00B and a body that does not come")
		case 4:
			io.WriteString(c, strings.Repeat("too much ", 2000))
		case 5:
			io.WriteString(c, "\xff\xff\xff\xff more than a packet may have")
		}
	}
	if a, err := d.ask(d.client("http"), refersTo(base+"/good", 1)); err != nil || a.Verdict != inspect.Clean {
		t.Errorf("http: got %+v, %v, want %s", a, err, inspect.Clean)
	}
	if field, err := sendMilter(d, nil, "192.0.2.1", refersTo(base+"/good", 2)); err != nil || !strings.Contains(field, "extbody=clean") {
		t.Errorf("milter: got %q, %v, want it clean", field, err)
	}
	if field, err := sendLMTP(d, box, "192.0.2.1", refersTo(base+"/good", 3)); err != nil || !strings.Contains(field, "extbody=clean") {
		t.Errorf("lmtp: got %q, %v, want it clean", field, err)
	}
	for name, body := range map[string]io.Reader{
		"Announced":   bytes.NewReader(make([]byte, 2<<20)),
		"Unannounced": io.LimitReader(zeros{}, 2<<20),
	} {
		resp, err := d.client("http").Post("http://x/v1/check", "message/rfc822", body)
		if err != nil {
			t.Errorf("%s: got error %v, want an answer", name, err)
			continue
		}
		answer, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if resp.StatusCode != 200 || !strings.Contains(string(answer), `"action":"tag"`) || !strings.Contains(string(answer), `"reason":"cut-short","detail":"the message is longer than --max-message"`) {
			t.Errorf("%s: got %d, %s, want that it passes, cut short", name, resp.StatusCode, answer)
		}
	}
	// A client that waits to be asked for the message gets the verdict before.
	c, err := net.Dial("unix", d.path("http"))
	must(t, err)
	defer c.Close()
	io.WriteString(c, head+"10000000\r\nExpect: 100-continue\r\n\r\n")
	c.SetReadDeadline(time.Now().Add(30 * time.Second))
	if said, err := io.ReadAll(c); err != nil || !strings.HasPrefix(string(said), "HTTP/1.1 200") || !strings.Contains(string(said), `"reason":"cut-short","detail":"the message is longer than --max-message"`) {
		t.Errorf("Expect: got %s, %v, want cut-short", said, err)
	}
	mib := d.peak()
	t.Logf("1400 clients: %d MiB", mib)
	if mib > 200 && !underRace {
		t.Errorf("got %d MiB, want at most 200", mib)
	}
}

// A server that may have no more descriptors logs that, once, and mail passes: immediately
// on connections that are open, and on the rest when others have ended. LMTP, where nothing
// can be handed on, refuses it for now.
func TestServeNoDescriptors(t *testing.T) {
	for _, front := range frontEnds() {
		t.Run(front.name, func(t *testing.T) {
			base, flags := serve(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Connection", "close") // an idle connection would be used again
				linkedFile(w, r)
			})
			d, box := everyFront(t, "", append(flags, "--wait", "300ms")...)
			d.startWith("ulimit -n 40")
			begun := time.Now()
			early := connect(t, d, front.name)
			socket := d.path(strings.ToLower(front.name))
			var crowd []net.Conn
			for range 60 {
				c, err := net.Dial("unix", socket)
				must(t, err)
				crowd = append(crowd, c)
			}
			const sentence = "no room for more connections"
			d.until("a sentence in the log", func() bool { return strings.Contains(d.logged(), sentence) })
			// Nothing can be fetched, and a long message cannot be spooled.
			long := "Subject: a\r\n\r\n" + strings.Repeat(strings.Repeat("x", 998)+"\r\n", 2000)
			for name, message := range map[string]func(try int) string{
				// Each try has a URL of its own, since an outcome is remembered.
				"Reference": func(try int) string { return refersTo(fmt.Sprintf("%s/good?%d", base, try), 1) },
				"Long":      func(int) string { return long },
			} {
				for try := 0; ; try++ {
					got, err := early(message(try))
					passed := err == nil && strings.Contains(got, "action=tag") && (strings.Contains(got, "=local") || strings.Contains(got, "extbody=pending"))
					if front.name == "LMTP" {
						passed = err == nil && strings.HasPrefix(got, "451 ")
					}
					if passed {
						break
					}
					// A descriptor may have become free for a moment.
					if free := err == nil && (got == "" || strings.HasPrefix(got, "250 ") || strings.Contains(got, "clean")); !free || try == 100 {
						t.Errorf("%s without descriptors: got %.500s, %v, want that it passes, or 451 by LMTP", name, got, err)
						break
					}
					time.Sleep(20 * time.Millisecond) // until a client that waits has taken it
				}
			}
			waiting := make(chan error)
			go func() {
				_, err := front.send(d, box, "192.0.2.1", "Subject: a\r\n\r\n")
				waiting <- err
			}()
			for _, c := range crowd {
				c.Close()
			}
			if err := <-waiting; err != nil {
				t.Errorf("who had to wait: got %v, want an answer", err)
			}
			if got, err := early(refersTo(base+"/good?again", 1)); err != nil || !strings.Contains(got, "clean") && !strings.HasPrefix(got, "250 ") {
				t.Errorf("early, later: got %q, %v, want it clean, or 250 by LMTP", got, err)
			}
			if got, err := front.send(d, box, "192.0.2.1", refersTo(base+"/good?other", 1)); err != nil || !strings.Contains(got, "extbody=clean") {
				t.Errorf("later: got %q, %v, want it clean", got, err)
			}
			if n, most := strings.Count(d.logged(), sentence), 1+int(time.Since(begun)/time.Minute); n < 1 || n > most {
				t.Errorf("the log has %d lines about no room, want %d", n, most)
			}
			d.terminate()
		})
	}
}

// connect opens a connection to a front end, and returns a function that sends messages on
// it. That returns the answer by HTTP, the reply by LMTP, and the header field that a
// milter adds.
func connect(t *testing.T, d *daemon, front string) func(message string) (string, error) {
	switch front {
	case "HTTP":
		c, err := net.Dial("unix", d.path("http"))
		must(t, err)
		t.Cleanup(func() { c.Close() })
		return func(message string) (string, error) { return roundTrip(c, message) }
	case "LMTP":
		c, err := lmtp.Dial(context.WithoutCancel(t.Context()), d.path("lmtp"), "client.example")
		must(t, err)
		t.Cleanup(func() { c.Close() })
		return func(message string) (string, error) {
			replies, err := c.Send(&lmtp.Path{Address: "a@a.example"}, []*lmtp.Path{{Address: "b@b.example"}}, strings.NewReader(message), int64(len(message)))
			return replies[0].String(), err
		}
	}
	x, end, err := milterSession(d, "192.0.2.1")
	must(t, err)
	t.Cleanup(end)
	return func(message string) (string, error) { return onSession(x, message) }
}

// roundTrip asks about a message on a connection that stays open.
func roundTrip(c net.Conn, message string) (string, error) {
	c.SetDeadline(time.Now().Add(30 * time.Second))
	if _, err := fmt.Fprintf(c, "POST /v1/check?wait=1s HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s", len(message), message); err != nil {
		return "", err
	}
	b := make([]byte, 64<<10)
	n, err := c.Read(b)
	return string(b[:n]), err
}

// Who reads the log may go away, and mail goes on.
func TestServeLogGone(t *testing.T) {
	_, flags := serve(t, linkedFile)
	d := newDaemon(t, "")
	d.args = append(append(d.args, "--http", d.path("http")), flags...)
	r, w, err := os.Pipe()
	must(t, err)
	d.stderr = w
	d.start()
	w.Close()
	r.Close()
	for range 3 {
		if _, err := d.ask(d.client("http"), "Subject: a\r\n\r\n"); err != nil {
			t.Fatalf("got %v, want an answer", err)
		}
	}
	d.terminate()
}

// A question that may wait longer than the server has to end is answered with the
// outcomes that are known by then, and no list of recipients is too long to be asked
// about.
func TestServeLongQuestions(t *testing.T) {
	arrived := make(chan struct{}, 10)
	base, flags := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		<-r.Context().Done()
	})
	d := started(t, "", flags, "--http", "./http", "--wait", "2s", "--http-wait", "100ms")
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	req, err := http.NewRequestWithContext(ctx, "POST", "http://x/v1/check?wait=60s", strings.NewReader(refersTo(base+"/hang", 1)))
	must(t, err)
	for i := range 1000 {
		req.Header.Add("Rcpt", fmt.Sprintf("%s%d@a.example", strings.Repeat("x", 200), i))
	}
	go func() {
		<-arrived
		d.cmd.Process.Signal(syscall.SIGTERM)
	}()
	resp, err := d.client("http").Do(req)
	if err != nil {
		t.Fatalf("got %v, want an answer\n%s", err, tail(d.logged()))
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != 200 || !strings.Contains(string(body), `"verdict":"pending"`) {
		t.Errorf("got %d, %s, %v, want %s", resp.StatusCode, body, err, inspect.Pending)
	}
	if err := d.cmd.Wait(); err != nil {
		t.Errorf("SIGTERM: got error %v, want none", err)
	}
}
