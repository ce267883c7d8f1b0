package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// A fakeScanner is a daemon of ClamAV that may fail.
type fakeScanner struct{ failure atomic.Pointer[string] }

func (f *fakeScanner) fail(how string) { f.failure.Store(&how) }

// start serves it at a socket until the test ends.
func (f *fakeScanner) start(t *testing.T, socket string) {
	f.fail("")
	l, err := net.Listen("unix", socket)
	must(t, err)
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go f.serve(c)
		}
	}()
}

func (f *fakeScanner) serve(c net.Conn) {
	defer c.Close()
	c.SetDeadline(time.Now().Add(20 * time.Second))
	switch *f.failure.Load() {
	case "hangs":
		io.Copy(io.Discard, c)
		return
	case "lies":
		c.Read(make([]byte, 10))
		io.WriteString(c, "stream: OK, or so\x00")
		return
	case "closes":
		return
	}
	buf := make([]byte, 64<<10)
	for tail := ""; ; {
		n, err := c.Read(buf)
		if tail = (tail + string(buf[:n])); len(tail) > 9 {
			tail = tail[len(tail)-9:]
		}
		if err != nil {
			return
		}
		if strings.HasSuffix(tail, "zVERSION\x00") {
			io.WriteString(c, "ClamAV 1.4/1/Mon\x00")
			return
		}
		if strings.HasSuffix(tail, "\x00\x00\x00\x00") {
			io.WriteString(c, "stream: OK\x00")
			return
		}
	}
}

// Eight storms of 300 mails, in which the scanner, the disks and the descriptors fail in
// turn: each failure shows within a minute, and each mail is taken once, as it was but for
// our field.
func TestServeStorms(t *testing.T) {
	t.Parallel()
	storms, mails := 8, 300
	if os.Getenv("EXTBODY_SLOW") == "" {
		mails = 20
	}
	base, flags := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Connection", "close")
		text(w, "hello\n")
	})
	box := startNextHop(t)
	scanner := new(fakeScanner)
	d := newDaemon(t, "", "--wait", "300ms", "--scan-timeout", "200ms", "--lmtp-next", box.address)
	scanner.start(t, d.path("clamd"))
	for _, dir := range []string{"temp", "cache"} {
		must(t, os.Mkdir(d.path(dir), 0o755))
		mount(t, d.path(dir), "size=200m")
	}
	d.args = append(append(d.args, "--lmtp", d.path("lmtp"), "--http", d.path("http"), "--temp-dir", d.path("temp"), "--clamd", d.path("clamd")), flags...)
	d.startWith("ulimit -n 60")
	var crowd []net.Conn
	fill := func(dir string) func(*testing.T) {
		return func(t *testing.T) {
			f, err := os.Create(filepath.Join(d.path(dir), "filler"))
			must(t, err)
			defer f.Close()
			io.Copy(f, io.LimitReader(zeros{}, 1<<30)) // until the disk is full
		}
	}
	empty := func(dir string) func() { return func() { os.Remove(filepath.Join(d.path(dir), "filler")) } }
	heal := func() { scanner.fail("") }
	for storm, test := range []struct {
		name  string
		fail  func(*testing.T)
		again func()
	}{
		{"Calm", nil, nil},
		{"ScannerHangs", func(*testing.T) { scanner.fail("hangs") }, heal},
		{"Disk", fill("temp"), empty("temp")},
		{"Descriptors", func(t *testing.T) {
			for range 70 {
				c, err := net.Dial("unix", d.path("http"))
				must(t, err)
				crowd = append(crowd, c)
			}
		}, func() {
			for _, c := range crowd {
				c.Close()
			}
		}},
		{"ScannerLies", func(*testing.T) { scanner.fail("lies") }, heal},
		{"CacheDisk", fill("cache"), empty("cache")},
		{"ScannerCloses", func(*testing.T) { scanner.fail("closes") }, heal},
		{"AllDisks", func(t *testing.T) { fill("temp")(t); fill("cache")(t) }, func() { empty("temp")(); empty("cache")() }},
	}[:storms] {
		t.Run(test.name, func(t *testing.T) {
			body := func(i int) string {
				m := refersTo(fmt.Sprintf("%s/%d/%d", base, storm, i), storm*1000+i)
				if i%10 == 9 {
					m += strings.Repeat(strings.Repeat("x", 98)+"\r\n", 15_000) // it does not stay in memory
				}
				return m
			}
			if test.fail != nil {
				test.fail(t)
			}
			var sent atomic.Int64
			wait := inTurns(8, mails, func(i int) {
				for !try(d.path("lmtp"), body(i)) {
					time.Sleep(50 * time.Millisecond)
				}
				sent.Add(1)
			})
			if test.fail != nil {
				begun := time.Now()
				// There may be no descriptor for a question before the crowd goes.
				if test.name == "Descriptors" {
					d.until("the line in the log", func() bool { return strings.Contains(d.logged(), "no room for more connections") })
					test.again()
				}
				d.until("degradation", func() bool { return d.onMetrics("extbody_degraded") == 1 })
				for test.name != "Descriptors" && int(sent.Load()) < mails/2 && time.Since(begun) < 5*time.Second {
					time.Sleep(10 * time.Millisecond)
				}
				t.Logf("degraded; after %v %d of %d mails taken", time.Since(begun).Round(time.Millisecond), sent.Load(), mails)
				test.again()
			}
			wait()
			box.mu.Lock()
			defer box.mu.Unlock()
			taken := make(map[string]int)
			for m, n := range box.mail {
				if !strings.HasPrefix(m, "X-Extbody: mx.example; ") {
					t.Errorf("got a mail without our field: %.300q", m)
				}
				taken[without(m)] += n
			}
			for i := range mails {
				if n := taken[body(i)]; n != 1 {
					t.Errorf("mail %d: got it taken %d times as it was, want once", i, n)
				}
			}
			if len(taken) != mails {
				t.Errorf("got %d mails taken, want %d", len(taken), mails)
			}
			clear(box.mail)
			d.restart() // the failures of the last minute are forgotten
		})
	}
	d.terminate()
}

// restart ends the server and starts it again, with an empty log.
func (d *daemon) restart() {
	d.t.Helper()
	d.end(syscall.SIGTERM)
	d.log.mu.Lock()
	d.log.buf.Reset()
	d.log.mu.Unlock()
	d.start()
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// A thousand hostile mails, with hosts that hang, drip and never end, and with long texts
// to be remembered, take less than 200 MiB, and hold up an honest client's question no
// longer than its wait and 100 ms, in addition to the time that a question without
// references takes on this machine.
func TestServeHostileMails(t *testing.T) {
	if os.Getenv("EXTBODY_SLOW") == "" {
		t.Skip("takes a minute, and runs where EXTBODY_SLOW is set")
	}
	long := strings.Repeat("x", 60_000)
	base, flags := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch strings.Split(r.URL.Path, "/")[1] {
		case "0":
			<-r.Context().Done()
		case "1":
			for r.Context().Err() == nil {
				w.Write([]byte("x"))
				w.(http.Flusher).Flush()
				time.Sleep(50 * time.Millisecond)
			}
		case "2":
			for r.Context().Err() == nil {
				w.Write([]byte(long))
			}
		case "3":
			w.Header().Set("Content-Type", "text/plain; x="+long)
			w.Header().Set("ETag", "\""+long+"\"")
			http.NotFound(w, r)
		default:
			text(w, "hello\n")
		}
	})
	honest, more := serve(t, linkedFile)
	flags = append(flags, more...)
	d := started(t, "", flags, "--http", "./http", "--max-bytes", "20MB", "--timeout", "20s")
	const mails, wait = 1000, 300 * time.Millisecond
	client := d.client("http")
	ask := func(message, from string) time.Duration {
		req, err := http.NewRequest("POST", "http://x/v1/check?wait=300ms", strings.NewReader(message))
		must(t, err)
		req.Header.Set("IP", from)
		begun := time.Now()
		resp, err := client.Do(req)
		if err != nil {
			t.Error(err)
			return 0
		}
		defer resp.Body.Close()
		io.Copy(io.Discard, resp.Body)
		return time.Since(begun)
	}
	wait16 := inTurns(16, mails, func(i int) {
		var m strings.Builder
		m.WriteString("Subject: " + long + "\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n")
		for n := range 30 {
			fmt.Fprintf(&m, "--b\r\nContent-Type: message/external-body; access-type=url; url=\"%s/%d/%d/%d\"\r\n\r\n"+
				"Content-Type: text/plain; name=\"%.2000s\"\r\nContent-ID: <%d@a.example>\r\n\r\n", base, n%5, i, n, long, n)
		}
		m.WriteString("--b--\r\n")
		ask(m.String(), fmt.Sprintf("192.0.2.%d", i%40))
	})
	done := make(chan struct{})
	go func() { wait16(); close(done) }()
	// A question without references shows how busy this machine is.
	var took, control []time.Duration
	for i := 0; ; i++ {
		control = append(control, ask("Subject: a\r\n\r\n", "198.51.100.1"))
		took = append(took, ask(refersTo(fmt.Sprintf("%s/good?%d", honest, i), i), "198.51.100.1"))
		select {
		case <-done:
		case <-time.After(50 * time.Millisecond):
			continue
		}
		break
	}
	slices.Sort(took)
	slices.Sort(control)
	worst, busy := took[len(took)-1], control[len(control)-1]
	t.Logf("%d honest questions: median %v, worst %v; without references: median %v, worst %v; %d MiB", len(took), took[len(took)/2], worst, control[len(control)/2], busy, d.peak())
	if limit := wait + 100*time.Millisecond + busy; worst > limit {
		t.Errorf("got an answer to an honest client after %v, want it within %v", worst, limit)
	}
	if mib := d.peak(); mib >= 200 {
		t.Errorf("got %d MiB, want less than 200", mib)
	}
}
