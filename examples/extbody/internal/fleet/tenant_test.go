//go:build linux

package fleet_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/go-extbody/extbody/examples/extbody/internal/fleet"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/throttle"
	"github.com/go-extbody/extbody/internal/testkit/daemons"
)

// as opens the tier by a login, which it makes, with a role that Init made and a tenant.
func (s *server) as(t testing.TB, role, login, tenant string) (*fleet.Tier, *pgx.Conn) {
	t.Helper()
	if _, err := s.connect(t).Exec(t.Context(), "CREATE ROLE "+login+" LOGIN IN ROLE "+role); err != nil {
		t.Fatal(err)
	}
	if tenant != "" {
		must(t, fleet.SetTenant(t.Context(), s.URL, login, tenant))
	}
	it := &server{&daemons.Postgres{URL: strings.Replace(s.URL, "//postgres@", "//"+login+"@", 1)}, s.objects}
	return it.open(t), it.connect(t)
}

// TestTenants runs clients of three tenants, and a worker, with the roles that Init made. It looks
// for rows that a client must not read or write.
func TestTenants(t *testing.T) {
	t.Parallel()
	db := postgres(t)
	s := newSite(t)
	allowed := ports(s.Server)
	egress, _ := db.as(t, "fleet_worker", "egress", "")
	worker(t, egress, "one", allowed)
	sum := strings.Repeat("ab", 32)
	for i, tenant := range []string{"", "a", "b"} {
		tier, conn := db.as(t, "fleet_client", "mail"+tenant, tenant)
		f := client(t, tier, allowed)
		for _, path := range []string{"/a", "/a", "/private"} {
			if err := get(t.Context(), f, s.URL+path); err != nil {
				t.Errorf("tenant %q: %v", tenant, err)
			}
		}
		if n := len(s.asked()); n != 2*(i+1) {
			t.Errorf("tenant %q: got %d requests in all, want %d: one for each file and tenant", tenant, n, 2*(i+1))
		}
		c := fleet.NewClient(tier)
		if got, err := c.Outcome(t.Context(), sum, "1"); err != nil || got != nil {
			t.Errorf("tenant %q: got %s, %v, want no outcome of another one", tenant, got, err)
		}
		want := fmt.Sprintf(`{"of": "%s"}`, tenant)
		if err := c.SetOutcome(t.Context(), sum, "1", []byte(want)); err != nil {
			t.Error(err)
		}
		if got, err := c.Outcome(t.Context(), sum, "1"); err != nil || string(got) != want {
			t.Errorf("tenant %q: got %s, %v, want %s", tenant, got, err, want)
		}
		c.Find([]string{sum}, fleet.Finding{Server: "mx" + tenant})
		c.Close()
		reader, _ := db.as(t, "fleet_reader", "reader"+tenant, tenant)
		for _, by := range []*fleet.Tier{reader, egress.As(tenant)} {
			if found, err := by.Who(t.Context(), bytes.Repeat([]byte{0xab}, 32)); err != nil || len(found) != 1 || found[0].Server != "mx"+tenant {
				t.Errorf("tenant %q: got %v, %v, want its finding alone", tenant, found, err)
			}
		}
		for query, want := range map[string]int{
			`SELECT count(*) FROM fleet_entries`: 1, `SELECT count(id) FROM fleet_jobs WHERE shared`: 1, `SELECT count(*) FROM fleet_scans`: 1,
			`SELECT count(fleet_secret('c'))`: 0, `SELECT count(fleet_secret(fleet_tenant()))`: 1,
		} {
			n := -1
			if err := conn.QueryRow(t.Context(), query).Scan(&n); err != nil || n != want {
				t.Errorf("tenant %q: %s: got %d, %v, want %d", tenant, query, n, err, want)
			}
		}
		// A login cannot pass for another one.
		if _, err := conn.Exec(t.Context(), `SET ROLE fleet_client; CREATE TEMP TABLE fleet_tenants (login text, tenant text);
			INSERT INTO fleet_tenants VALUES (session_user, 'c')`); err != nil {
			t.Fatal(err)
		}
		said := ""
		if err := conn.QueryRow(t.Context(), `SELECT fleet_tenant()`).Scan(&said); err != nil || said != tenant {
			t.Errorf("tenant %q: got the tenant %q, %v with a table of its own, want the same", tenant, said, err)
		}
		for _, statement := range []string{
			`SELECT request FROM fleet_jobs`, `UPDATE fleet_jobs SET result = NULL`, `DELETE FROM fleet_jobs`,
			`INSERT INTO fleet_jobs (key, host, request, state) VALUES ('', '', '{}', 'done')`,
			`INSERT INTO fleet_jobs (key, host, request, tenant) VALUES ('', '', '{}', 'c')`,
			`UPDATE fleet_entries SET meta = ''`, `INSERT INTO fleet_entries VALUES ('', '', '', '', 0)`, `SELECT * FROM fleet_hosts`,
			`UPDATE fleet_scans SET outcome = '{}'`, `DELETE FROM fleet_scans`, `SELECT * FROM fleet_findings`,
			`SELECT secret FROM fleet_tier`, `SELECT * FROM public.fleet_tenants`, `INSERT INTO public.fleet_tenants VALUES ('mail', 'c')`,
		} {
			if _, err := conn.Exec(t.Context(), statement); err == nil {
				t.Errorf("%s: got no error for a client, want one", statement)
			}
		}
	}
	if got, err := egress.As("a").Forget(t.Context(), &fleet.Selection{URLs: []string{s.URL + "/a"}}); err != nil || got.Answers != 1 || got.Bodies != 1 {
		t.Errorf("got %+v, %v, want the answer of one tenant forgotten", got, err)
	}
	if err := fleet.SetTenant(t.Context(), db.URL, "nobody", "a"); err == nil {
		t.Error("got no error for a login that is not there, want one")
	}
}

// A politeHost answers after a moment, and judges when it is asked and by how many at a time. The first
// request for a path with "busy" gets 429.
type politeHost struct {
	*httptest.Server

	mu           sync.Mutex
	active, most int
	refused      map[string]bool
	notUntil     time.Time // by Retry-After
	by           string    // the worker that asked last
	early        int       // requests before notUntil
}

// politeAfter is the Retry-After of a politeHost, for which no request waits at a worker.
const politeAfter = 3 * time.Second

func newPoliteHost(t *testing.T) *politeHost {
	h := &politeHost{refused: make(map[string]bool)}
	h.Server = httptest.NewServer(http.HandlerFunc(h.serve))
	t.Cleanup(h.Close)
	return h
}

func (h *politeHost) serve(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	h.active++
	h.most = max(h.most, h.active)
	if time.Now().Before(h.notUntil) {
		h.early++
	}
	h.by = r.UserAgent()
	busy := strings.Contains(r.URL.Path, "busy") && !h.refused[r.URL.Path]
	if busy {
		h.refused[r.URL.Path] = true
		h.notUntil = time.Now().Add(politeAfter)
	}
	h.mu.Unlock()
	if busy {
		w.Header().Set("Retry-After", strconv.Itoa(int(politeAfter.Seconds())))
		w.WriteHeader(http.StatusTooManyRequests)
	} else {
		if r.URL.Path == "/slow" {
			time.Sleep(politeAfter)
		}
		time.Sleep(30 * time.Millisecond)
		w.Header().Set("Cache-Control", "max-age=3600")
		w.Write(bodyOf(r.URL.Path))
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.active--
}

// last returns the worker that asked last, and the time before which none may ask.
func (h *politeHost) last() (by string, notUntil time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.by, h.notUntil
}

// TestTenantsShareHosts has two tenants ask for files of one host, some of them the same, by two workers. They
// share its limit and its Retry-After, also after the worker that got the answer gave the host up. Neither
// reads or changes a row of the other.
func TestTenantsShareHosts(t *testing.T) {
	t.Parallel()
	const files, limit = 12, 3 // of each tenant, of which half are the same; requests at a time
	db := postgres(t)
	host := newPoliteHost(t)
	allowed := ports(host.Server)
	egress, _ := db.as(t, "fleet_worker", "egress", "")
	for _, name := range []string{"one", "two"} {
		worker(t, egress, name, allowed, throttle.Options{PerHost: limit, MaxWait: politeAfter / 2})
	}
	tenants := []string{"a", "b"}
	fetchers, conns := make(map[string]fetch.Fetcher), make(map[string]*pgx.Conn)
	var wg sync.WaitGroup
	for _, tenant := range tenants {
		tier, conn := db.as(t, "fleet_client", "mail"+tenant, tenant)
		fetchers[tenant], conns[tenant] = client(t, tier, allowed), conn
		for i := range files {
			path := fmt.Sprintf("/%d", i)
			if i%2 == 1 {
				path += tenant
			}
			wg.Go(func() {
				if err := get(t.Context(), fetchers[tenant], host.URL+path); err != nil {
					t.Errorf("tenant %q: %v", tenant, err)
				}
			})
		}
	}
	wg.Wait()
	host.mu.Lock()
	most := host.most
	host.mu.Unlock()
	if most != limit {
		t.Errorf("got %d requests at a time, want the limit of %d for both tenants together", most, limit)
	}

	// The worker that got the answer gives the host up the second time.
	for i, asks := range []struct{ first, second string }{{"a", "b"}, {"b", "a"}} {
		if err := get(t.Context(), fetchers[asks.first], fmt.Sprintf("%s/busy%d", host.URL, i)); fetch.KindOf(err) != fetch.Unavailable {
			t.Fatalf("got %v for a 429, want %v", err, fetch.Unavailable)
		}
		told, until := host.last()
		if i == 1 {
			if ok, err := egress.Drain(t.Context(), told, true); err != nil || !ok {
				t.Fatalf("%s: got %v, %v, want it drained", told, ok, err)
			}
			conn := db.connect(t)
			for owned := true; owned; time.Sleep(10 * time.Millisecond) {
				must(t, conn.QueryRow(t.Context(), `SELECT EXISTS (SELECT FROM fleet_hosts WHERE owner = $1)`, told).Scan(&owned))
			}
			if !time.Now().Before(until) {
				t.Fatal("the worker gave the host up after the Retry-After, want it before")
			}
		}
		for err := error(&fetch.Error{Kind: fetch.Deferred}); err != nil; {
			err = get(t.Context(), fetchers[asks.second], fmt.Sprintf("%s/after%d", host.URL, i))
			if err != nil && (fetch.KindOf(err) != fetch.Deferred || fetch.AfterOf(err).Before(until.Add(-time.Second))) {
				t.Fatalf("tenant %q: got %v, want the file, or %v until %v", asks.second, err, fetch.Deferred, until)
			}
			driver.Pause(t.Context(), time.Until(fetch.AfterOf(err)))
		}
		if by, _ := host.last(); i == 1 && by == told {
			t.Errorf("got a request by %s, which was drained, want one of another worker", by)
		}
	}
	host.mu.Lock()
	defer host.mu.Unlock()
	if host.early > 0 {
		t.Errorf("got %d requests before a Retry-After that the worker of the other tenant was told, want none", host.early)
	}

	all := db.connect(t)
	for _, tenant := range tenants {
		var jobs []int64
		rows, _ := all.Query(t.Context(), `SELECT id FROM fleet_jobs WHERE tenant <> $1`, tenant)
		jobs, err := pgx.CollectRows(rows, pgx.RowTo[int64])
		if err != nil || len(jobs) < files {
			t.Fatalf("got %d jobs of the other tenant, %v, want %d", len(jobs), err, files)
		}
		for query, want := range map[string]int{
			`SELECT count(*) FROM fleet_entries`:                                      files + 1,
			`SELECT count(result) + count(object) FROM fleet_jobs WHERE id = ANY($1)`: 0,
		} {
			args := []any{jobs}[:strings.Count(query, "$1")]
			var n int
			if err := conns[tenant].QueryRow(t.Context(), query, args...).Scan(&n); err != nil || n != want {
				t.Errorf("tenant %q: %s: got %d, %v, want %d", tenant, query, n, err, want)
			}
		}
		if tag, err := conns[tenant].Exec(t.Context(), `UPDATE fleet_jobs SET taken = true WHERE id = ANY($1)`, jobs); err != nil || tag.RowsAffected() != 0 {
			t.Errorf("tenant %q: got %d jobs of the other changed, %v, want none", tenant, tag.RowsAffected(), err)
		}
	}
}

// TestRetryAfterUnwritten holds that the worker that got a Retry-After keeps to it at once, also
// while the database does not write it.
func TestRetryAfterUnwritten(t *testing.T) {
	t.Parallel()
	db := postgres(t)
	host := newPoliteHost(t)
	allowed := ports(host.Server)
	worker(t, db.open(t), "one", allowed, throttle.Options{PerHost: 3, MaxWait: politeAfter / 2})
	f := client(t, db.open(t), allowed)
	for i := range 4 { // good answers, after which the host may be asked three times at once
		must(t, get(t.Context(), f, fmt.Sprintf("%s/%d", host.URL, i)))
	}
	slow := make(chan error, 1) // while it lasts, the worker keeps the host
	go func() { slow <- get(t.Context(), f, host.URL+"/slow") }()
	time.Sleep(politeAfter / 10)
	rows, err := db.connect(t).Begin(t.Context())
	must(t, err)
	_, err = rows.Exec(t.Context(), `SELECT FROM fleet_hosts FOR UPDATE`)
	must(t, err)
	release := sync.OnceValue(func() error { return rows.Rollback(context.WithoutCancel(t.Context())) })
	refused := make(chan error, 1)
	go func() { refused <- get(t.Context(), f, host.URL+"/busy") }()
	until := time.Time{}
	for ; until.IsZero(); _, until = host.last() {
		time.Sleep(10 * time.Millisecond)
	}
	late := time.AfterFunc(politeAfter, func() { release() }) // a session that can write nothing for long is lost
	time.Sleep(200 * time.Millisecond)                        // the answer is on its way
	err = get(t.Context(), f, host.URL+"/second")
	inTime := late.Stop()
	must(t, release())
	busy := <-refused
	must(t, <-slow)
	host.mu.Lock()
	defer host.mu.Unlock()
	if host.early > 0 {
		t.Errorf("got %d requests before the Retry-After, want none", host.early)
	}
	if !inTime {
		t.Skip("this machine is too slow to ask while the database does not write")
	}
	if fetch.KindOf(err) != fetch.Deferred {
		t.Errorf("got %v before the Retry-After, want %v", err, fetch.Deferred)
	}
	if fetch.KindOf(busy) != fetch.Unavailable {
		t.Errorf("got %v for a 429, want %v", busy, fetch.Unavailable)
	}
}
