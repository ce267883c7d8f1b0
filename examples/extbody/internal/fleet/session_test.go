//go:build linux

package fleet_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/fleet"
	"github.com/go-extbody/extbody/fetch/throttle"
)

// A running is a worker that fetches nothing, and its log.
type running struct {
	*fleet.Worker
	stop func()

	mu  sync.Mutex
	log bytes.Buffer
}

func (r *running) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.log.Write(p)
}

func (r *running) logged() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.log.String()
}

func (s *server) run(t *testing.T, name string) *running {
	r := new(running)
	log := slog.New(slog.NewTextHandler(r, nil))
	r.Worker = fleet.NewWorker(s.open(t), fleet.WorkerOptions{Name: name, Hosts: new(throttle.State), Log: log.Info, Warn: log.Warn})
	ctx, cancel := context.WithCancel(context.Background())
	var ended sync.WaitGroup
	ended.Go(func() { r.Run(ctx, nil) })
	r.stop = func() { cancel(); ended.Wait() }
	t.Cleanup(r.stop)
	return r
}

// until waits until the worker is ready, or is not.
func (r *running) until(t *testing.T, ready bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); r.Ready() != ready; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("got no worker that is ready: %t, want one\n%s", ready, r.logged())
		}
	}
}

// TestOtherVersion brings the tables to other versions while a worker and a client run. Tables that
// do not serve the worker have it take nothing, and it says so (OP-40).
func TestOtherVersion(t *testing.T) {
	t.Parallel()
	db := postgres(t)
	var present int
	must(t, db.connect(t).QueryRow(t.Context(), `SELECT version FROM fleet_tier`).Scan(&present))
	w, tier := db.run(t, "one"), db.open(t)
	w.until(t, true)
	for _, test := range []struct {
		version, serves int
		want            string // "" if the program is served
	}{
		{present + 1, present, ""},
		{present + 2, present + 1, "it has to be replaced by a newer one"},
		{present, present - 1, ""},
		{present - 1, present - 2, "init"},
		{present + 1, present, ""},
	} {
		_, err := db.connect(t).Exec(t.Context(), `UPDATE fleet_tier SET version = $1, serves = $2`, test.version, test.serves)
		must(t, err)
		err = tier.Check(t.Context(), true)
		if _, ok := errors.AsType[*fleet.SetupError](err); ok != (test.want != "") || ok && !strings.Contains(err.Error(), test.want) {
			t.Errorf("version %d: got %v, want %q", test.version, err, test.want)
		}
		w.until(t, test.want == "")
		for !strings.Contains(w.logged(), test.want) {
			time.Sleep(10 * time.Millisecond)
		}
	}
	w.stop()
	if n := strings.Count(w.logged(), "lost its session"); n != 2 {
		t.Errorf("got %d sessions lost, want 2\n%s", n, w.logged())
	}
}

// TestTwoOfOneName runs two workers of one name. The second takes nothing, and says so, until the
// first has ended.
func TestTwoOfOneName(t *testing.T) {
	t.Parallel()
	db := postgres(t)
	first := db.run(t, "one")
	first.until(t, true)
	second := db.run(t, "one")
	for !strings.Contains(second.logged(), "another fetcher has this name") {
		time.Sleep(10 * time.Millisecond)
	}
	if second.Ready() || !first.Ready() || strings.Contains(second.logged(), "lost its session") {
		t.Errorf("got the first ready %t, the second %t, want the first alone\n%s", first.Ready(), second.Ready(), second.logged())
	}
	first.stop()
	second.until(t, true)
}

// TestServerStart starts the server of two workers again. They take hosts as soon as both have
// noticed. If one has gone without a word, the other waits for SessionTime, and says so.
func TestServerStart(t *testing.T) {
	t.Parallel()
	db := postgres(t)
	first := db.run(t, "one")
	first.until(t, true)
	second := db.run(t, "two")
	second.until(t, true)
	if strings.Contains(first.logged()+second.logged(), "has started") {
		t.Errorf("got a wait for workers of a new fleet, want none\n%s", first.logged())
	}
	db.Kill()
	first.until(t, false)
	second.until(t, false)
	db.Start(t)
	first.until(t, true)
	second.until(t, true)
	conn := db.connect(t)
	up := func() (seconds float64) {
		must(t, conn.QueryRow(t.Context(), `SELECT extract(epoch FROM now() - pg_postmaster_start_time())::float8`).Scan(&seconds))
		return seconds
	}
	if n := up(); n >= fleet.SessionTime.Seconds() {
		t.Errorf("got both workers back %v s after the server, want it before %v", n, fleet.SessionTime)
	}
	_, err := conn.Exec(t.Context(), `INSERT INTO fleet_workers SELECT 'gone', now(), 1, 1, false, pg_postmaster_start_time()`)
	must(t, err)
	db.Kill()
	first.until(t, false)
	db.Start(t)
	conn = db.connect(t)
	first.until(t, true)
	if n := up(); n < fleet.SessionTime.Seconds() {
		t.Errorf("got the worker back %v s after the server, want it after %v", n, fleet.SessionTime)
	}
	if !strings.Contains(first.logged(), "the database has started") {
		t.Errorf("got the log\n%s, want a line about the wait", first.logged())
	}
}
