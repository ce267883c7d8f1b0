//go:build linux

package fleet_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/go-extbody/extbody/examples/extbody/internal/fleet"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/throttle"
	"github.com/go-extbody/extbody/internal/testkit"
	"github.com/go-extbody/extbody/internal/testkit/daemons"
)

// TestRights tries each row of the table in FLEET.md as a stranger, as a client and as a reader of
// one tenant, beside the rows of another.
func TestRights(t *testing.T) {
	t.Parallel()
	db := postgres(t)
	logins := map[int]*pgx.Conn{}
	for i, role := range []string{"", "fleet_client", "fleet_reader"} {
		login := []string{"stranger", "mail", "reader"}[i]
		in := ""
		if role != "" {
			in = " IN ROLE " + role
		}
		_, err := db.connect(t).Exec(t.Context(), "CREATE ROLE "+login+" LOGIN"+in)
		must(t, err)
		must(t, fleet.SetTenant(t.Context(), db.URL, login, "a"))
		it := &server{&daemons.Postgres{URL: strings.Replace(db.URL, "//postgres@", "//"+login+"@", 1)}, db.objects}
		logins[i] = it.connect(t)
	}
	for _, tenant := range []string{"a", "b"} {
		for _, statement := range []string{
			`INSERT INTO fleet_jobs (key, host, request, tenant) VALUES ($1::text::bytea, '', '{}', $1)`,
			`INSERT INTO fleet_entries (key, meta, object, sha256, size, urls, tenant) VALUES ($1::text::bytea, '', '', '', 0, '{}', $1)`,
			`INSERT INTO fleet_scans (sha256, version, outcome, tenant) VALUES ('', '', '{}', $1)`,
			`INSERT INTO fleet_deferrals (key, first, tries, tenant) VALUES ('', now(), 1, $1)`,
			`INSERT INTO fleet_findings (sha256, server, queue_id, message_id, tenant) VALUES ('', '', '', '', $1)`,
		} {
			_, err := db.connect(t).Exec(t.Context(), statement, tenant)
			must(t, err)
		}
	}
	text, err := os.ReadFile("../../FLEET.md")
	must(t, err)
	rows := regexp.MustCompile("(?m)^\\| `((?:SELECT|LISTEN) [^`]+)`[^|]*\\| (\\w+) \\| (\\w+) \\| (\\w+) \\|$").FindAllStringSubmatch(string(text), -1)
	if len(rows) < 16 {
		t.Fatalf("got %d rows, want at least 16", len(rows))
	}
	for _, row := range rows {
		for i, conn := range logins {
			n := -1
			var err error
			if strings.HasPrefix(row[1], "LISTEN") {
				_, err = conn.Exec(t.Context(), row[1])
			} else {
				err = conn.QueryRow(t.Context(), row[1]).Scan(&n)
			}
			got := "yes"
			if denied, ok := errors.AsType[*pgconn.PgError](err); ok && denied.Code == "42501" {
				got = "no"
			} else if err != nil {
				got = err.Error()
			} else if n == 0 {
				got = "nothing"
			} else if n == 1 {
				got = "own"
			}
			if got != row[2+i] {
				t.Errorf("%s as %s: got %s, want %s", row[1], conn.Config().User, got, row[2+i])
			}
		}
	}
	// Tables from before are found at the start.
	_, err = db.connect(t).Exec(t.Context(), `GRANT EXECUTE ON FUNCTION pg_advisory_lock(bigint) TO PUBLIC`)
	must(t, err)
	tier, _ := db.as(t, "fleet_worker", "egress", "")
	if _, ok := errors.AsType[*fleet.SetupError](tier.Check(t.Context(), true)); !ok {
		t.Error("got no error for locks that every login may take, want one")
	}
	must(t, fleet.Init(t.Context(), db.URL))
	if err := tier.Check(t.Context(), true); err != nil {
		t.Errorf("after fleet init: got %v", err)
	}
}

// TestOneClock has a server whose clock is ahead of the fetchers' by ten minutes. A Retry-After holds
// for as long as the host said, also at another fetcher (OP-42).
func TestOneClock(t *testing.T) {
	t.Parallel()
	db := &server{daemons.StartPostgres(t), "file://" + t.TempDir()}
	_, err := db.connect(t).Exec(t.Context(), `CREATE SCHEMA skew;
		CREATE FUNCTION skew.now() RETURNS timestamptz STABLE LANGUAGE sql RETURN pg_catalog.now() + interval '10 minutes'`)
	must(t, err)
	db.URL += "&options=-c%20search_path%3Dpublic,skew,pg_catalog"
	must(t, fleet.Init(t.Context(), db.URL))
	var asked atomic.Int32
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		w.Header().Set("Retry-After", "300")
		w.WriteHeader(http.StatusTooManyRequests)
	}))
	t.Cleanup(host.Close)
	allowed := ports(host)
	f := client(t, db.open(t), allowed)
	began := time.Now()
	check := func(name string, err error, kind fetch.Kind) {
		t.Helper()
		if after := fetch.AfterOf(err).Sub(began); fetch.KindOf(err) != kind || after < 295*time.Second || after > 330*time.Second {
			t.Errorf("%s: got %v after %v, want %v after 300 s", name, err, after, kind)
		}
	}
	limits := throttle.Options{MaxWait: time.Second}
	stop := worker(t, db.open(t), "one", allowed, limits)
	check("the fetcher that was told", get(t.Context(), f, host.URL+"/a"), fetch.Unavailable)
	stop()
	worker(t, db.open(t), "two", allowed, limits)
	ctx, cancel := context.WithTimeout(t.Context(), 3*fleet.SessionTime)
	defer cancel()
	check("another fetcher", get(ctx, f, host.URL+"/b"), fetch.Deferred)
	if n := asked.Load(); n != 1 {
		t.Errorf("got %d requests, want 1", n)
	}
}

// TestStoredClock has machines whose clocks are ten minutes ahead of the database and of the
// host, or behind them. Stored answers are as fresh as the host said, by the clock of the database
// (OP-42), and responses have times by the clock of the machine.
func TestStoredClock(t *testing.T) {
	t.Parallel()
	for sign, ahead := range map[string]time.Duration{"+": 10 * time.Minute, "-": -10 * time.Minute} {
		t.Run(sign, func(t *testing.T) {
			t.Parallel()
			db := &server{daemons.StartPostgres(t), "file://" + t.TempDir()}
			_, err := db.connect(t).Exec(t.Context(), `CREATE SCHEMA skew;
				CREATE FUNCTION skew.now() RETURNS timestamptz STABLE LANGUAGE sql RETURN pg_catalog.now() - interval '`+sign+`10 minutes'`)
			must(t, err)
			db.URL += "&options=-c%20search_path%3Dpublic,skew,pg_catalog"
			must(t, fleet.Init(t.Context(), db.URL))
			asked := make(chan string, 100)
			host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked <- r.URL.Path
				now := time.Now().Add(-ahead).UTC()
				w.Header().Set("Date", now.Format(http.TimeFormat))
				w.Header().Set("Cache-Control", "max-age=300")
				if r.URL.Path == "/busy" {
					w.Header().Set("Retry-After", now.Add(5*time.Minute).Format(http.TimeFormat))
					w.WriteHeader(http.StatusServiceUnavailable)
					return
				}
				w.Write(bodyOf(r.URL.Path))
			}))
			t.Cleanup(host.Close)
			allowed := ports(host)
			began := time.Now()
			near := func(name string, got, want time.Time) {
				t.Helper()
				if got.Sub(want).Abs() > time.Minute {
					t.Errorf("%s: got %v, want about %v", name, got, want)
				}
			}
			for _, fetcher := range []string{"one", "two"} {
				stop := worker(t, db.open(t), fetcher, allowed)
				for range 2 {
					u, err := url.Parse(host.URL + "/a")
					must(t, err)
					resp, err := client(t, db.open(t), allowed).Fetch(t.Context(), &fetch.Request{URL: u})
					must(t, err)
					_, err = io.Copy(io.Discard, resp.Body)
					must(t, errors.Join(err, resp.Body.Close()))
					near("the time of the response", resp.ResponseTime, began)
				}
				stop()
			}
			if n := len(asked); n != 1 {
				t.Errorf("got %d requests for an answer of 5 minutes, want 1", n)
			}
			conn := db.connect(t)
			var inRow, inEntry time.Time
			must(t, conn.QueryRow(t.Context(), `SELECT (result->'answer'->>'response_time')::timestamptz FROM fleet_jobs`).Scan(&inRow))
			must(t, conn.QueryRow(t.Context(), `SELECT (convert_from(meta, 'UTF8')::jsonb->>'received')::timestamptz FROM fleet_entries`).Scan(&inEntry))
			near("the time in the row", inRow, began.Add(-ahead))
			near("the time in the entry", inEntry, began.Add(-ahead))
			// An answer that the database calls too old is not fresh.
			_, err = conn.Exec(t.Context(), `UPDATE fleet_entries SET meta = convert_to(replace(replace(convert_from(meta, 'UTF8'), $1, $2), $3, $4), 'UTF8')`,
				inEntry.UTC().Format("2006-01-02T15:04"), inEntry.UTC().Add(-6*time.Minute).Format("2006-01-02T15:04"),
				inEntry.UTC().Format("Mon, 02 Jan 2006 15:04"), inEntry.UTC().Add(-6*time.Minute).Format("Mon, 02 Jan 2006 15:04"))
			must(t, err)
			worker(t, db.open(t), "three", allowed)
			must(t, get(t.Context(), client(t, db.open(t), allowed), host.URL+"/a"))
			if n := len(asked); n != 2 {
				t.Errorf("got %d requests after six minutes, want 2", n)
			}
			err = get(t.Context(), client(t, db.open(t), allowed), host.URL+"/busy")
			near("the time of Retry-After", fetch.AfterOf(err), began.Add(5*time.Minute))
		})
	}
}

// TestPooler finds a pooler in transaction mode at the start, and none in session mode.
func TestPooler(t *testing.T) {
	t.Parallel()
	program := daemons.Program(t, "pgbouncer")
	if os.Getuid() != 0 {
		t.Skip("PgBouncer is started as another account")
	}
	db := postgres(t)
	for mode, want := range map[string]bool{"transaction": true, "session": false} {
		dir, err := os.MkdirTemp("", "pgbouncer") // which its account can read
		must(t, err)
		t.Cleanup(func() { os.RemoveAll(dir) })
		must(t, os.Chmod(dir, 0o755))
		at := testkit.FreeAddr(t)
		port := at[strings.LastIndexByte(at, ':')+1:]
		text := "[databases]\n* = host=" + strings.Replace(db.Address, ":", " port=", 1) + "\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = " + port +
			"\nunix_socket_dir =\nauth_type = any\npool_mode = " + mode + "\nignore_startup_parameters = extra_float_digits\n"
		config := dir + "/pgbouncer.ini"
		must(t, os.WriteFile(config, []byte(strings.Replace(text, "* = host", "postgres = user=postgres dbname=postgres host", 1)), 0o644))
		cmd := exec.Command(program, config)
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		must(t, cmd.Start())
		t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
		for range 500 {
			if c, err := net.Dial("tcp", at); err == nil {
				c.Close()
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		it := &server{&daemons.Postgres{URL: strings.Replace(db.URL, db.Address, at, 1)}, db.objects}
		err = it.open(t).Check(t.Context(), true)
		if found := err != nil && strings.Contains(err.Error(), "transaction mode"); found != want || err != nil && !want {
			t.Errorf("%s mode: got %v, want it found %t", mode, err, want)
		}
	}
}
