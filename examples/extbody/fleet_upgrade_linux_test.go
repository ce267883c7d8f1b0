package main

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/go-extbody/extbody/internal/testkit/daemons"
)

// TestFleetUpgrade upgrades a fleet in the order of FLEET.md, from this program to one whose tables
// have the next version, while mail comes through its serve. Each mail is delivered once with the
// verdict on its file, and the host is asked once for each file.
func TestFleetUpgrade(t *testing.T) {
	old := executable(t)
	dir := t.TempDir()
	db := daemons.StartPostgres(t)
	base, allow := "", []string(nil)
	var mu sync.Mutex
	asked := make(map[string]int)
	base, allow = serve(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked[r.URL.Path]++
		mu.Unlock()
		text(w, "file "+r.URL.Path)
	})
	tier := []string{"--fleet", db.URL, "--objects", "file://" + t.TempDir()}
	ran(t, 0, append([]string{"fleet", "init"}, tier...)...)
	conn, err := pgx.Connect(t.Context(), db.URL)
	must(t, err)
	defer conn.Close(t.Context())
	var version, next, serves int
	must(t, conn.QueryRow(t.Context(), `SELECT version FROM fleet_tier`).Scan(&version))
	newer := filepath.Join(dir, "next", "extbody")
	flag := "-X github.com/go-extbody/extbody/examples/extbody/internal/fleet.release=" + strconv.Itoa(version+1)
	if said, err := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-ldflags", flag, "-o", newer, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}

	fetchers := make(map[string]*exec.Cmd)
	fetcher := func(name string) {
		t.Helper()
		socket := filepath.Join(dir, name)
		log := new(logBuffer)
		cmd := exec.Command(executable(t), slices.Concat([]string{"fetcher", "--name", name, "--metrics", socket}, tier, allow)...)
		cmd.Stderr = log
		must(t, cmd.Start())
		t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
		fetchers[name] = cmd
		await(t, "fetcher that is ready", func() bool { return (&daemon{dir: dir}).ready(name) }, log)
	}
	fetcher("one")
	fetcher("two")
	box := startNextHop(t)
	d := newDaemon(t, "[[rule]]\nname = \"open\"\nverdict = [\"pending\", \"unavailable\"]\naction = \"quarantine\"\n")
	d.args = slices.Concat(d.args, []string{"--lmtp", d.path("lmtp"), "--lmtp-next", box.address, "--wait", "1m"}, tier, allow)
	d.start()

	var sent atomic.Int64
	var delivered atomic.Int64
	stop := make(chan bool)
	var senders sync.WaitGroup
	for range 3 {
		senders.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				i := int(sent.Add(1))
				for t.Context().Err() == nil {
					field, err := sendLMTP(d, box, "192.0.2.1", refersTo(fmt.Sprint(base, "/", i), i))
					if err == nil && !strings.Contains(field, "extbody=clean") {
						t.Errorf("message %d: got %q, want it clean", i, field)
					}
					if err == nil {
						break
					}
					time.Sleep(10 * time.Millisecond) // as a mail server tries again, while serve does not run
				}
				delivered.Add(1)
			}
		})
	}
	// flows waits until mail that was sent after this has passed.
	flows := func(step string) {
		t.Helper()
		after := sent.Load() + 20
		await(t, "mail after the step: "+step, func() bool { return delivered.Load() > after }, &d.log)
	}
	flows("none")

	// The tables first. The next version adds to each of them.
	t.Setenv("PATH", filepath.Dir(newer)+string(os.PathListSeparator)+os.Getenv("PATH"))
	for _, table := range []string{"tier", "hosts", "workers", "objects", "jobs", "entries", "scans", "findings", "tenants"} {
		_, err := conn.Exec(t.Context(), "ALTER TABLE fleet_"+table+" ADD later text NOT NULL DEFAULT ''")
		must(t, err)
	}
	ran(t, 0, append([]string{"fleet", "init"}, tier...)...)
	must(t, conn.QueryRow(t.Context(), `SELECT version, serves FROM fleet_tier`).Scan(&next, &serves))
	if next != version+1 || serves != version {
		t.Fatalf("got tables of version %d that serve %d, want %d and %d", next, serves, version+1, version)
	}
	flows("tables")
	for _, name := range []string{"one", "two"} {
		cmd := fetchers[name]
		must(t, cmd.Process.Signal(syscall.SIGTERM))
		if err := cmd.Wait(); err != nil {
			t.Errorf("fetcher %s: got %v, want status 0", name, err)
		}
		flows("without fetcher " + name)
		fetcher(name)
		flows("fetcher " + name)
	}
	d.terminate()
	d.start()
	flows("serve")
	close(stop)
	senders.Wait()

	box.mu.Lock()
	defer box.mu.Unlock()
	count := make(map[string]int)
	for m, n := range box.mail {
		_, m, _ = strings.Cut(m, "Subject: ")
		count["Subject: "+m] += n
	}
	mu.Lock()
	defer mu.Unlock()
	for i := 1; i <= int(sent.Load()); i++ {
		url := fmt.Sprint("/", i)
		if n := count[refersTo(base+url, i)]; n != 1 || asked[url] != 1 {
			t.Errorf("message %d: got it %d times, and %d requests for its file, want each once", i, n, asked[url])
		}
	}
	if len(count) != int(sent.Load()) {
		t.Errorf("got %d messages, want the %d that were sent", len(count), sent.Load())
	}
	t.Logf("%d messages", sent.Load())

	// Tables of one version more do not serve the first program.
	_, err = conn.Exec(t.Context(), `UPDATE fleet_tier SET version = version + 1, serves = serves + 1`)
	must(t, err)
	for program, want := range map[string]int{old: 2, newer: 0} {
		cmd := exec.CommandContext(t.Context(), program, slices.Concat([]string{"get", "--output", t.TempDir()}, tier, allow, []string{d.path("policy.toml")})...)
		out, err := cmd.CombinedOutput()
		if got := cmd.ProcessState.ExitCode(); got != want || want != 0 && !strings.Contains(string(out), "replaced by a newer one") {
			t.Errorf("%s: got the status %d, %v, want %d\n%s", program, got, err, want, out)
		}
	}
}

// ready reports whether a socket of the folder answers that its program is ready.
func (d *daemon) ready(socket string) bool {
	resp, err := d.client(socket).Get("http://x/readyz")
	if err != nil {
		return false
	}
	resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}
