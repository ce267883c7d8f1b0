package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/inspect"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/lmtp"
)

// While name servers do not answer, a message with references waits no longer than it
// may, and one without does not wait.
func TestServeNamesDead(t *testing.T) {
	t.Parallel()
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
		must(t, err)
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

// held gives a server that is not started a socket that outlives it, as one of systemd
// does, for its front end of that name.
func (d *daemon) held(name string) (script string, f *os.File) {
	d.t.Helper()
	if runtime.GOOS != "linux" {
		d.t.Skip("no socket activation")
	}
	l, err := net.Listen("unix", d.path(name))
	must(d.t, err)
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
// doubles none: it refuses none that it has started to take. With a socket that systemd
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
