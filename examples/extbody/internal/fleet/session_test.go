//go:build linux

package fleet_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/fleet"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/safefetch"
	"github.com/go-extbody/extbody/fetch/throttle"
	"github.com/go-extbody/extbody/internal/testkit/daemons"
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
// do not serve the worker make it take nothing, and it reports that (OP-40).
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
		w.until(t, test.want == "")
		// A failure is shared by those that ask soon after it.
		for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
			err = tier.Check(t.Context(), true)
			_, isSetup := errors.AsType[*fleet.SetupError](err)
			if isSetup == (test.want != "") && (!isSetup || strings.Contains(err.Error(), test.want)) {
				break
			}
			if time.Now().After(end) {
				t.Fatalf("version %d: got %v, want %q", test.version, err, test.want)
			}
		}
		for !strings.Contains(w.logged(), test.want) {
			time.Sleep(10 * time.Millisecond)
		}
	}
	w.stop()
	if n := strings.Count(w.logged(), "lost its session"); n != 2 {
		t.Errorf("got %d sessions lost, want 2\n%s", n, w.logged())
	}
}

// TestPostgresVersions has each version of PostgreSQL that is installed, or that EXTBODY_POSTGRES names, serve a
// tier, with its roles, over a start, and logs which versions these are.
func TestPostgresVersions(t *testing.T) {
	t.Parallel()
	for _, folder := range daemons.PostgresVersions(t) {
		t.Run(filepath.Base(filepath.Dir(folder)), func(t *testing.T) {
			t.Parallel()
			db := &server{daemons.StartPostgresOf(t, folder), "file://" + t.TempDir()}
			must(t, fleet.Init(t.Context(), db.URL))
			must(t, fleet.Init(t.Context(), db.URL))
			var version string
			must(t, db.connect(t).QueryRow(t.Context(), `SHOW server_version`).Scan(&version))
			t.Log("PostgreSQL", version)
			s := newSite(t)
			allowed := ports(s.Server)
			egress, _ := db.as(t, "fleet_worker", "egress", "")
			mail, _ := db.as(t, "fleet_client", "mail", "a")
			worker(t, egress, "one", allowed)
			f := client(t, mail, allowed)
			for range 2 {
				must(t, get(t.Context(), f, s.URL+"/a"))
				must(t, get(t.Context(), f, s.URL+"/private"))
			}
			if n := len(s.asked()); n != 3 {
				t.Errorf("got %d requests for a stored answer and two others, want 3", n)
			}
			c := fleet.NewClient(mail)
			if _, n, err := c.Defer("mail", 0, 1); n != 1 || err != nil {
				t.Errorf("got the deferral %d, %v, want the first", n, err)
			}
			c.Close()
			db.Kill()
			db.Start(t)
			for end := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
				err := get(t.Context(), f, s.URL+"/b")
				if err == nil {
					break
				}
				if fetch.KindOf(err) != fetch.Local || time.Now().After(end) {
					t.Fatalf("after a start: got %v, want the file", err)
				}
			}
			for _, tier := range []*fleet.Tier{egress, mail} {
				if err := tier.Check(t.Context(), tier == egress); err != nil {
					t.Error(err)
				}
			}
			if n, err := egress.As("a").Forget(t.Context(), &fleet.Selection{URLs: []string{s.URL + "/a"}}); err != nil || n.Answers != 1 {
				t.Errorf("got %+v, %v, want an answer forgotten", n, err)
			}
		})
	}
}

// TestTwoOfOneName runs two workers of one name. The second takes nothing, and reports that,
// until the first has ended.
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
// noticed. If one has gone without a word, the other waits for SessionTime, and reports that.
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

// TestGivenUp has workers give a request up whose host does not notice: it goes on with the request. No worker asks
// the host again before SessionTime has passed, so that it has no more requests at a time than its limit.
func TestGivenUp(t *testing.T) {
	t.Parallel()
	for _, fault := range []string{"database killed", "sessions cut", "worker killed"} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			db := postgres(t)
			asked, release := make(chan time.Time, 100), make(chan bool)
			host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked <- time.Now()
				<-release
				w.Write(bodyOf(r.URL.Path))
			}))
			t.Cleanup(host.Close)
			defer close(release) // before the workers end
			allowed := ports(host)
			u, err := url.Parse(host.URL + "/a")
			must(t, err)
			conn := db.connect(t)
			given := time.Now()
			if fault == "worker killed" {
				_, err := conn.Exec(t.Context(), `INSERT INTO fleet_workers VALUES ('one', now(), 1, 1)`)
				must(t, err)
				_, err = conn.Exec(t.Context(), `INSERT INTO fleet_hosts VALUES ($1, 1, 'one')`, safefetch.Key(u))
				must(t, err)
			}
			worker(t, db.open(t), "one", allowed)
			worker(t, db.open(t), "two", allowed)
			f := client(t, db.open(t), allowed)
			ctx, cancel := context.WithCancel(t.Context())
			var asking sync.WaitGroup
			asking.Go(func() {
				for ctx.Err() == nil {
					get(ctx, f, u.String())
					time.Sleep(10 * time.Millisecond) // the database may be away
				}
			})
			t.Cleanup(asking.Wait)
			t.Cleanup(cancel)
			if fault != "worker killed" {
				given = <-asked
			}
			switch fault {
			case "database killed":
				db.Kill()
				db.Start(t)
			case "sessions cut":
				tag, err := conn.Exec(t.Context(), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'extbody fetcher %'`)
				if err != nil || tag.RowsAffected() != 2 {
					t.Errorf("got %d sessions cut, %v, want 2", tag.RowsAffected(), err)
				}
			}
			again := <-asked
			if d := again.Sub(given); d < fleet.SessionTime {
				t.Errorf("got the host asked again %v after the request was given up, want that after %v", d, fleet.SessionTime)
			}
		})
	}
}
