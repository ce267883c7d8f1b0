package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/inspect"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/lmtp"
)

// What the next hop says for a recipient is said for that one; who does not want the
// larger message gets it as it came; and while nobody answers there, mail waits.
func TestServeNextHop(t *testing.T) {
	base, flags := serve(t, linkedFile)
	d := newDaemon(t, "[[rule]]\nname = \"i\"\naction = \"inline\"\n")
	var mu sync.Mutex
	taken := make(map[string][]string) // by recipient
	hop := &lmtp.Server{Name: "next.example", Deliver: func(_ context.Context, tr *lmtp.Transaction, data io.Reader) []lmtp.Reply {
		body, err := io.ReadAll(data)
		if err != nil {
			return nil
		}
		mu.Lock()
		defer mu.Unlock()
		var replies []lmtp.Reply
		for _, to := range tr.To {
			name, _, _ := strings.Cut(to.Address, "@")
			reply := lmtp.Reply{Code: 250, Text: "2.0.0 taken"}
			switch {
			case name == "later":
				reply = lmtp.Reply{Code: 450, Text: "4.2.0 later"}
			case name == "never":
				reply = lmtp.Reply{Code: 550, Text: "5.1.1 nobody"}
			case name == "full", name == "small" && strings.Contains(string(body), "hello") && strings.Contains(string(body), "X-Extbody"):
				reply = lmtp.Reply{Code: 552, Text: "5.2.2 quota"}
			default:
				taken[name] = append(taken[name], string(body))
			}
			replies = append(replies, reply)
		}
		return replies
	}}
	d.args = append(append(d.args, "--lmtp", d.path("lmtp"), "--lmtp-next", d.path("next")), flags...)
	d.start()
	message := refersTo(base+"/good", 1)
	send := func(to ...string) []int {
		t.Helper()
		c, err := lmtp.Dial(t.Context(), d.path("lmtp"), "client.example")
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		var paths []*lmtp.Path
		for _, name := range to {
			paths = append(paths, &lmtp.Path{Address: name + "@b.example"})
		}
		replies, err := c.Send(&lmtp.Path{Address: "a@a.example"}, paths, strings.NewReader(message), int64(len(message)))
		if err != nil {
			t.Fatal(err)
		}
		var codes []int
		for _, r := range replies {
			codes = append(codes, r.Code)
		}
		return codes
	}
	if got := send("ok", "never"); !slices.Equal(got, []int{451, 451}) {
		t.Errorf("nobody answers: got %v, want 451 for both", got)
	}
	serveHop(t, "unix", d.path("next"), hop)
	if got, want := send("ok", "later", "never", "small", "full", "ok2"), []int{250, 450, 550, 250, 552, 250}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	mu.Lock()
	defer mu.Unlock()
	for name, inlined := range map[string]bool{"ok": true, "ok2": true, "small": false} {
		if len(taken[name]) != 1 {
			t.Errorf("%s: got %d messages, want 1", name, len(taken[name]))
			continue
		}
		got := taken[name][0]
		if strings.Contains(got, "hello") != inlined || !inlined && without(got) != message {
			t.Errorf("%s: got %q, want it with the file %v, and else as it was", name, got, inlined)
		}
	}
	for _, name := range []string{"later", "never", "full"} {
		if len(taken[name]) != 0 {
			t.Errorf("%s: got %q, want nothing", name, taken[name])
		}
	}
}

// While name servers do not answer, a message with references waits no longer than it
// may, and one without does not wait.
func TestServeNamesDead(t *testing.T) {
	silent, err := net.ListenPacket("udp", "127.0.0.77:53")
	if err != nil {
		t.Skipf("nobody can be a name server here: %v", err)
	}
	defer silent.Close()
	d := newDaemon(t, "")
	conf := d.path("resolv.conf")
	writeConf(t, conf, "nameserver 127.0.0.77\n")
	if said, err := exec.Command("unshare", "-m", "mount", "--bind", conf, "/etc/resolv.conf").CombinedOutput(); err != nil {
		t.Skipf("the system's name server cannot be replaced here: %v %s", err, said)
	}
	d.args = append(d.args, "--http", d.path("http"), "--wait", "300ms")
	d.startWith(`exec unshare -m sh -c 'mount --bind ` + conf + ` /etc/resolv.conf && exec "$0" "$@"' "$0" "$@"`)
	for i := range 15 {
		resp, err := d.client("http").Post("http://x/v1/check?wait=200ms", "message/rfc822", strings.NewReader(refersTo(fmt.Sprintf("https://host%d.a.example/f", i), i)))
		if err != nil {
			t.Fatal(err)
		}
		var a inspect.Answer
		err = json.NewDecoder(resp.Body).Decode(&a)
		resp.Body.Close()
		if err != nil || a.Verdict != inspect.Pending || a.Action != inspect.Tag {
			t.Errorf("message %d: got %s, %s, %v, want %s, %s", i, a.Verdict, a.Action, err, inspect.Pending, inspect.Tag)
		}
		if a, err := d.ask(d.client("http"), "Subject: a\r\n\r\n"); err != nil || a.Verdict != inspect.Clean {
			t.Errorf("without references: got %+v, %v, want %s", a, err, inspect.Clean)
		}
	}
	d.terminate()
}

// However far the clock jumps, a message is deferred a bounded number of times. What a
// server has written down before the jump is all that it knows of it.
func TestServeClockJump(t *testing.T) {
	base, flags := serve(t, linkedFile)
	type row struct {
		front frontEnd
		jump  time.Duration
	}
	var rows []row
	for _, front := range frontEnds() {
		for _, jump := range []time.Duration{-240 * time.Hour, -40 * time.Minute, 40 * time.Minute, 240 * time.Hour} {
			rows = append(rows, row{front, jump})
		}
	}
	for _, test := range rows {
		t.Run(test.front.name+test.jump.String(), func(t *testing.T) {
			d, box := everyFront(t, "[defer]\ntries = 3\ndelay = \"30m\"\n[[rule]]\nname = \"p\"\nverdict = \"pending\"\naction = \"defer\"\n",
				append(flags, "--timeout", "5m", "--wait", "50ms")...)
			d.start()
			deferred := func() bool {
				t.Helper()
				_, err := test.front.send(d, box, "192.0.2.1", refersTo(base+"/slow", 1))
				if err != nil && !strings.Contains(err.Error(), "451") {
					t.Fatal(err)
				}
				return err != nil
			}
			if !deferred() {
				t.Fatal("got that it passes, want it deferred")
			}
			d.terminate()
			// A clock that jumps on makes what was written down older.
			path := d.path("cache/deferred.jsonl")
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var line struct {
				Key   string    `json:"key"`
				First time.Time `json:"first"`
				Tries int       `json:"tries"`
			}
			if err := json.Unmarshal(text, &line); err != nil {
				t.Fatalf("got %s, %v, want one line", text, err)
			}
			line.First = line.First.Add(-test.jump)
			if text, err = json.Marshal(line); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, append(text, '\n'), 0o600); err != nil {
				t.Fatal(err)
			}
			d.start()
			tries := 0
			for ; deferred(); tries++ {
				if tries == 4 {
					t.Fatalf("got %d tries that were deferred, want at most 3", tries)
				}
			}
		})
	}
}

// held gives a server that is not started a socket that outlives it, as one of systemd
// does, for its front end of that name.
func (d *daemon) held(name string) (script string, f *os.File) {
	d.t.Helper()
	if runtime.GOOS != "linux" {
		d.t.Skip("no socket activation")
	}
	l, err := net.Listen("unix", d.path(name))
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { l.Close() })
	if f, err = l.(*net.UnixListener).File(); err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { f.Close() })
	d.args = append(d.args, "--"+name, "fd:"+name)
	return "LISTEN_FDS=1 LISTEN_FDNAMES=" + name + " LISTEN_PID=$$ export LISTEN_FDS LISTEN_FDNAMES LISTEN_PID", f
}

// restartUnderLoad stops and starts a server while eight workers send messages, each
// with a number of its own, and returns how many there were.
func (d *daemon) restartUnderLoad(send func(worker, i int) error) int {
	stop := make(chan struct{})
	var next, done atomic.Int64
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				i := int(next.Add(1)) - 1
				if err := send(w, i); err != nil {
					d.t.Errorf("message %d: got error %v, want none", i, err)
					return
				}
				done.Add(1)
			}
		})
	}
	restarts := 6
	if testing.Short() {
		restarts = 2
	}
	for range restarts {
		for begun := done.Load(); done.Load() < begun+40 && !d.t.Failed(); {
			time.Sleep(time.Millisecond)
		}
		d.terminate()
		d.start()
	}
	close(stop)
	wg.Wait()
	d.t.Logf("%d messages, %d restarts", next.Load(), restarts)
	return int(next.Load())
}

// testMessage is a message, with a reference if i is odd.
func testMessage(base string, i int) string {
	if i%2 == 1 {
		return refersTo(base+"/good", i)
	}
	return fmt.Sprintf("Subject: %d\r\n\r\n.\r\nhello\r\n%s", i, strings.Repeat(strings.Repeat("x", 900)+"\r\n", i%50))
}

// A proxy that is stopped and started under load loses no message, changes none and
// doubles none: it refuses none that it has begun to take. With a socket that systemd
// holds no connection is refused either: only one that has had a message may hear that
// the server ends.
func TestServeRestartLMTP(t *testing.T) {
	base, flags := serve(t, linkedFile)
	box := startNextHop(t)
	d := newDaemon(t, "", "--wait", "10s")
	script, f := d.held("lmtp")
	d.args = append(append(d.args, "--lmtp-next", box.address), flags...)
	d.startWith(script, f)
	var again atomic.Int64
	clients := make([]*lmtp.Client, 8)
	n := d.restartUnderLoad(func(worker, i int) error {
		ctx, stop := context.WithTimeout(context.Background(), time.Minute)
		defer stop()
		message := testMessage(base, i)
		send := func(c *lmtp.Client) (lmtp.Reply, error) {
			replies, err := c.Send(&lmtp.Path{Address: "a@a.example"}, []*lmtp.Path{{Address: "b@b.example"}}, strings.NewReader(message), int64(len(message)))
			return replies[0], err
		}
		// Each connection has three messages.
		if c := clients[worker]; c != nil {
			r, err := send(c)
			if i%3 == 0 || err != nil || !r.OK() {
				c.Close()
				clients[worker] = nil
			}
			if err == nil && r.OK() {
				return nil
			}
			if err == nil && r.Code != 421 {
				return fmt.Errorf("got %s, want 250, or 421 before the message", r)
			}
			again.Add(1)
		}
		c, err := lmtp.Dial(context.WithoutCancel(ctx), d.path("lmtp"), "client.example")
		if err != nil {
			return err
		}
		r, err := send(c)
		if err != nil || !r.OK() {
			c.Close()
			return fmt.Errorf("on a new connection: got %v, %v, want 250", r, err)
		}
		clients[worker] = c
		return nil
	})
	for _, c := range clients {
		if c != nil {
			c.Close()
		}
	}
	t.Logf("%d were sent again on another connection", again.Load())
	box.mu.Lock()
	defer box.mu.Unlock()
	got := make(map[string]int)
	for m, k := range box.mail {
		got[without(m)] += k
	}
	for i := range n {
		if k := got[testMessage(base, i)]; k != 1 {
			t.Errorf("message %d: the next hop has it %d times, want 1", i, k)
		}
		delete(got, testMessage(base, i))
	}
	for m := range got {
		t.Errorf("got %.500q, want what was sent alone", m)
	}
}

// A milter that is stopped and started under load answers for each message of each
// connection that it was given, and with a socket that systemd holds refuses none.
func TestServeRestartMilter(t *testing.T) {
	base, flags := serve(t, linkedFile)
	d := newDaemon(t, "", "--wait", "10s")
	script, f := d.held("milter")
	d.args = append(d.args, flags...)
	d.startWith(script, f)
	d.restartUnderLoad(func(_, i int) error {
		if i%2 == 1 {
			field, err := sendMilter(d, nil, "192.0.2.1", refersTo(base+"/good", i))
			if err == nil && !strings.Contains(field, "extbody=clean") {
				err = fmt.Errorf("got %q, want it clean", field)
			}
			return err
		}
		_, err := sendMilter(d, nil, "192.0.2.1", testMessage(base, i))
		return err
	})
}
