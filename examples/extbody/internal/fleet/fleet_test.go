//go:build linux

package fleet_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/go-extbody/extbody/examples/extbody/internal/fleet"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/netguard"
	"github.com/go-extbody/extbody/fetch/safefetch"
	"github.com/go-extbody/extbody/fetch/throttle"
	"github.com/go-extbody/extbody/internal/testkit/daemons"
)

// jobs are the jobs that a worker of a test has at a time.
const jobs = 16

// TestMain runs all tests side by side: most of their time they wait for SessionTime.
func TestMain(m *testing.M) {
	flag.Set("test.parallel", "16")
	m.Run()
}

func guard(ports []uint16) *netguard.Guard {
	return &netguard.Guard{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, Ports: ports, LocalNames: true}
}

// must ends the test if there is an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// A server is PostgreSQL with a tier.
type server struct {
	*daemons.Postgres
	objects string
}

func postgres(t testing.TB) *server {
	s := &server{daemons.StartPostgres(t), "file://" + t.TempDir()}
	must(t, fleet.Init(t.Context(), s.URL))
	return s
}

func (s *server) open(t testing.TB) *fleet.Tier {
	t.Helper()
	tier, err := fleet.Open(t.Context(), s.URL, s.objects)
	must(t, err)
	t.Cleanup(tier.Close)
	return tier
}

func (s *server) connect(t testing.TB) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), s.URL)
	must(t, err)
	t.Cleanup(func() { conn.Close(context.Background()) })
	return conn
}

// A site is a host that logs the paths that it was asked for.
type site struct {
	*httptest.Server

	mu  sync.Mutex
	log []string
}

func newSite(t testing.TB) *site {
	s := new(site)
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.Close)
	return s
}

func (s *site) serve(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "max-age=3600")
	if strings.HasPrefix(r.URL.Path, "/private") {
		w.Header().Set("Cache-Control", "no-store")
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Write(bodyOf(r.URL.Path))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log = append(s.log, r.URL.Path)
}

// asked returns the paths.
func (s *site) asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.log)
}

// bodyOf returns the octets of a path.
func bodyOf(path string) []byte {
	sum := sha256.Sum256([]byte(path))
	n := 1 + int(sum[0])<<8 + int(sum[1])
	return bytes.Repeat(sum[:], n/32+1)[:n]
}

func ports(sites ...*httptest.Server) (list []uint16) {
	for _, s := range sites {
		list = append(list, uint16(s.Listener.Addr().(*net.TCPAddr).Port))
	}
	return list
}

// client returns a Fetcher whose requests a tier makes.
func client(t testing.TB, tier *fleet.Tier, ports []uint16) fetch.Fetcher {
	c := fleet.NewClient(tier)
	t.Cleanup(c.Close)
	return safefetch.New(&safefetch.Options{Guard: guard(ports), Remote: c.Remote, Cache: c.Store()})
}

// get fetches a URL, and compares its octets.
func get(ctx context.Context, f fetch.Fetcher, text string, observe ...func(*fetch.Exchange)) error {
	u, err := url.Parse(text)
	if err != nil {
		return err
	}
	resp, err := f.Fetch(ctx, &fetch.Request{URL: u, Observe: append(observe, nil)[0]})
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	if want := bodyOf(u.Path); !bytes.Equal(got, want) {
		return fmt.Errorf("%s: got %d other octets than the %d of the host", text, len(got), len(want))
	}
	return nil
}

// worker runs a worker, which may ask hosts on loopback within limits, until the end of the test.
func worker(t testing.TB, tier *fleet.Tier, name string, ports []uint16, limits ...throttle.Options) (stop func()) {
	return workerIn(t, "", tier, name, ports, limits...)
}

// workerIn is worker with a folder for bodies.
func workerIn(t testing.TB, dir string, tier *fleet.Tier, name string, ports []uint16, limits ...throttle.Options) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	limit := append(limits, throttle.Options{})[0]
	limit.State = new(throttle.State)
	w := fleet.NewWorker(tier, fleet.WorkerOptions{Name: name, Hosts: limit.State, Jobs: jobs, TempDir: dir})
	f := safefetch.New(&safefetch.Options{
		Guard: guard(ports), UserAgent: name, Throttle: &limit, Remote: w.Stored, Contacts: w.Contacts, Bare: true,
	})
	running.Go(func() { w.Run(ctx, f) })
	stop = func() {
		cancel()
		running.Wait()
	}
	t.Cleanup(stop)
	return stop
}

// TestFleet has requests made by a tier: stored answers, answers that may not be shared,
// errors, and the decisions of a client itself.
func TestFleet(t *testing.T) {
	t.Parallel()
	db := postgres(t)
	s := newSite(t)
	allowed := ports(s.Server)
	f := client(t, db.open(t), allowed)

	t.Run("no worker", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		tier := db.open(t)
		go func() {
			defer cancel()
			for status, err := tier.Status(ctx); err == nil && len(status.Jobs) == 0; status, err = tier.Status(ctx) {
				time.Sleep(10 * time.Millisecond)
			}
		}()
		if err := get(ctx, f, s.URL+"/early"); fetch.KindOf(err) != fetch.Canceled {
			t.Errorf("got %v without a worker, want %v when the client gives up", err, fetch.Canceled)
		}
	})
	t.Run("guard", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second) // no worker is there to ask
		defer cancel()
		if err := get(ctx, f, "http://10.0.0.1/x"); fetch.KindOf(err) != fetch.Blocked {
			t.Errorf("got %v for an address that is not public, want %v from the client", err, fetch.Blocked)
		}
	})
	worker(t, db.open(t), "one", allowed)
	count := func(path string) int {
		return len(slices.DeleteFunc(s.asked(), func(asked string) bool { return asked != path }))
	}
	t.Run("stored", func(t *testing.T) {
		for range 3 {
			var said []*fetch.Exchange
			must(t, get(t.Context(), f, s.URL+"/a", func(x *fetch.Exchange) { said = append(said, x) }))
			if len(said) != 1 || said[0].By != "one" || !bytes.Contains(said[0].ResponseHead, []byte(" 200 OK")) {
				t.Errorf("got the exchanges %v, want the one of the worker that fetched it", said)
			}
		}
		if n := count("/a"); n != 1 {
			t.Errorf("got %d requests for 3 references, want 1", n)
		}
		for end := time.Now().Add(10 * time.Second); count("/early") == 0 && time.Now().Before(end); {
			time.Sleep(10 * time.Millisecond) // it may be on its way
		}
		if n := count("/early"); n != 1 {
			t.Errorf("got %d requests for the job whose client had gone, want 1", n)
		}
	})
	t.Run("not stored", func(t *testing.T) {
		var wg sync.WaitGroup
		for range 4 {
			g := client(t, db.open(t), allowed)
			wg.Go(func() {
				if err := get(t.Context(), g, s.URL+"/private"); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if n := count("/private"); n != 4 {
			t.Errorf("got %d requests of 4 clients for an answer that may not be stored, want 4", n)
		}
	})
	t.Run("error", func(t *testing.T) {
		dead := newSite(t)
		dead.Close()
		g := client(t, db.open(t), ports(dead.Server))
		err := get(t.Context(), g, dead.URL+"/x")
		// The worker's guard does not allow the port.
		if fetch.KindOf(err) != fetch.Blocked || fetch.CauseOf(err) != fetch.CausePort {
			t.Errorf("got %v, want %v for the port", err, fetch.Blocked)
		}
	})
	t.Run("database away", func(t *testing.T) {
		db.Kill()
		ctx, cancel := context.WithTimeout(t.Context(), 3*fleet.SessionTime)
		defer cancel()
		err := get(ctx, f, s.URL+"/b")
		away, ok := errors.AsType[*fleet.Away](err)
		if fetch.KindOf(err) != fetch.Local || fetch.AfterOf(err).IsZero() || !ok || away.Of != "database" {
			t.Errorf("got %v, want %v for the database, with a time", err, fetch.Local)
		}
		db.Start(t)
		ctx, cancel = context.WithTimeout(t.Context(), 3*fleet.SessionTime)
		defer cancel()
		for {
			if err = get(ctx, f, s.URL+"/b"); fetch.KindOf(err) != fetch.Local {
				break
			}
			time.Sleep(200 * time.Millisecond)
		}
		if err != nil {
			t.Errorf("got %v after the database was back, want nil", err)
		}
	})
}

// TestNoFetcher has a request wait for a tier without any worker. That is a part of our own that is
// missing, and not the host (OP-40).
func TestNoFetcher(t *testing.T) {
	t.Parallel()
	db := postgres(t)
	s := newSite(t)
	err := get(t.Context(), client(t, db.open(t), ports(s.Server)), s.URL+"/a")
	if away, ok := errors.AsType[*fleet.Away](err); fetch.KindOf(err) != fetch.Local || !ok || away.Of != "fetcher" {
		t.Errorf("got %v, want %v for the fetcher", err, fetch.Local)
	}
}

// TestHandedOver wants an answer that may not be stored to leave the bucket when its client has it, and
// when none takes it. An answer that may be stored stays.
func TestHandedOver(t *testing.T) {
	t.Parallel()
	db := postgres(t)
	s := newSite(t)
	allowed := ports(s.Server)
	worker(t, db.open(t), "one", allowed)
	f := client(t, db.open(t), allowed)
	objects := func() int {
		files, err := filepath.Glob(strings.TrimPrefix(db.objects, "file://") + "/*/*")
		must(t, err)
		return len(files)
	}
	must(t, get(t.Context(), f, s.URL+"/a"))
	for _, path := range []string{"/private/a", "/private/b"} {
		u, err := url.Parse(s.URL + path)
		must(t, err)
		resp, err := f.Fetch(t.Context(), &fetch.Request{URL: u})
		must(t, err)
		if n := objects(); n != 2 {
			t.Errorf("%s: got %d objects before the body was read, want 2", path, n)
		}
		if path == "/private/a" {
			got, err := io.ReadAll(resp.Body)
			if must(t, err); !bytes.Equal(got, bodyOf(path)) {
				t.Errorf("%s: got other octets", path)
			}
		}
		must(t, resp.Body.Close())
		for end := time.Now().Add(time.Minute); objects() > 1; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("%s: got %d objects after the body was handed over, want 1", path, objects())
			}
		}
	}
	// The client of a job is gone before the answer is there.
	conn := db.connect(t)
	_, err := conn.Exec(t.Context(), `INSERT INTO fleet_objects VALUES ('lonely', now())`)
	must(t, err)
	_, err = conn.Exec(t.Context(), `INSERT INTO fleet_jobs (key, host, request, state, ended, object, shared, result)
		SELECT 'lonely', host, request, 'done', now() - interval '2 minutes', 'lonely', false, result FROM fleet_jobs LIMIT 1`)
	must(t, err)
	for n := 1; n > 0; time.Sleep(10 * time.Millisecond) {
		must(t, conn.QueryRow(t.Context(), `SELECT count(*) FROM fleet_objects WHERE name = 'lonely'`).Scan(&n))
	}
	must(t, get(t.Context(), f, s.URL+"/a"))
	if n := len(s.asked()); n != 3 {
		t.Errorf("got %d requests, want 3: the stored answer is there", n)
	}
}

// TestFair queues more jobs for a host that hangs than a worker takes, and then one for another host.
func TestFair(t *testing.T) {
	t.Parallel()
	db := postgres(t)
	release := make(chan bool)
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		<-release
		w.Write(bodyOf(r.URL.Path))
	}))
	t.Cleanup(slow.Close)
	quick := newSite(t)
	allowed := ports(quick.Server, slow)
	f := client(t, db.open(t), allowed)
	var wg sync.WaitGroup
	for i := range 2 * jobs {
		wg.Go(func() {
			if err := get(t.Context(), f, fmt.Sprintf("%s/%d", slow.URL, i)); err != nil {
				t.Error(err)
			}
		})
	}
	conn := db.connect(t)
	for n := 0; n < 2*jobs; time.Sleep(10 * time.Millisecond) {
		must(t, conn.QueryRow(t.Context(), `SELECT count(*) FROM fleet_jobs`).Scan(&n))
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*fleet.SessionTime)
	defer cancel()
	worker(t, db.open(t), "one", allowed)
	if err := get(ctx, f, quick.URL+"/a"); err != nil {
		t.Errorf("got %v for a host that answers, want nil while another one hangs", err)
	}
	close(release)
	wg.Wait()
}

// TestReusedID gives the id of a job to another one, as a standby can that was promoted before
// it had the job. Its client must not get the other one's answer.
func TestReusedID(t *testing.T) {
	t.Parallel()
	db := postgres(t)
	s := newSite(t)
	allowed := ports(s.Server)
	f := client(t, db.open(t), allowed)
	stop := worker(t, db.open(t), "one", allowed)
	must(t, get(t.Context(), f, s.URL+"/a"))
	stop()
	conn := db.connect(t)
	ended := make(chan error)
	go func() { ended <- get(t.Context(), f, s.URL+"/b") }()
	for changed := int64(0); changed == 0; time.Sleep(10 * time.Millisecond) {
		tag, err := conn.Exec(t.Context(), `UPDATE fleet_jobs j SET key = a.key, state = 'done', result = a.result, object = a.object
			FROM fleet_jobs a WHERE a.state = 'done' AND j.state = 'queued'`)
		must(t, err)
		changed = tag.RowsAffected()
	}
	if err := <-ended; fetch.KindOf(err) != fetch.Local {
		t.Errorf("got %v, want %v", err, fetch.Local)
	}
}

// TestCutSession cuts the session of a worker that contacts a host, for which more jobs wait. No
// other worker contacts the host until the first one has given its requests up.
func TestCutSession(t *testing.T) {
	t.Parallel()
	db := postgres(t)
	var open [2]atomic.Int32 // by worker
	var together atomic.Int32
	asked := make(chan bool, 1)
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mine, other := &open[0], &open[1]
		if r.UserAgent() == "two" {
			mine, other = other, mine
		}
		mine.Add(1)
		defer mine.Add(-1)
		if other.Load() > 0 {
			together.Add(1)
		}
		select {
		case asked <- true:
		default:
		}
		select {
		case <-r.Context().Done():
		case <-time.After(200 * time.Millisecond):
		}
		w.Write(bodyOf(r.URL.Path))
	}))
	t.Cleanup(host.Close)
	allowed := ports(host)
	f := client(t, db.open(t), allowed)
	worker(t, db.open(t), "one", allowed)
	var wg sync.WaitGroup
	for i := range 40 { // more than a worker takes at a time
		wg.Go(func() {
			if err := get(t.Context(), f, fmt.Sprintf("%s/%d", host.URL, i)); err != nil {
				t.Error(err)
			}
		})
	}
	<-asked
	worker(t, db.open(t), "two", allowed)
	conn := db.connect(t)
	for n := 0; n < 2; time.Sleep(100 * time.Millisecond) {
		must(t, conn.QueryRow(t.Context(), `SELECT count(*) FROM fleet_workers`).Scan(&n))
	}
	if _, err := conn.Exec(t.Context(), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'extbody fetcher one'`); err != nil {
		t.Fatal(err)
	}
	wg.Wait()
	if n := together.Load(); n > 0 {
		t.Errorf("got %d requests beside another worker's, want none", n)
	}
}

// TestDamagedObject loses and damages the objects of a tier. That is never the fault of a host
// (OP-40): the error is Local, and the file is there again at the next try.
func TestDamagedObject(t *testing.T) {
	t.Parallel()
	db := postgres(t)
	s := newSite(t)
	allowed := ports(s.Server)
	f := client(t, db.open(t), allowed)
	worker(t, db.open(t), "one", allowed)
	folder := strings.TrimPrefix(db.objects, "file://")
	for _, path := range []string{"/a", "/private"} {
		if err := get(t.Context(), f, s.URL+path); err != nil {
			t.Fatal(err)
		}
		for name, damage := range map[string]func(file string) error{
			"changed": func(file string) error {
				return os.WriteFile(file, bytes.Repeat([]byte("x"), len(bodyOf(path))), 0o600)
			},
			"cut":  func(file string) error { return os.Truncate(file, 1) },
			"lost": os.Remove,
		} {
			files, err := filepath.Glob(folder + "/*/*")
			must(t, err)
			for _, file := range files {
				os.Chmod(file, 0o600)
				if err := damage(file); err != nil && !errors.Is(err, fs.ErrNotExist) { // it was handed over
					t.Fatal(err)
				}
			}
			for try := 1; ; try++ {
				err := get(t.Context(), f, s.URL+path)
				if err == nil {
					break
				}
				if fetch.KindOf(err) != fetch.Local || !errors.Is(err, fetch.ErrDamaged) || try == 2 {
					t.Errorf("%s, %s: got %v at try %d, want the file or, once, %v", path, name, err, try, fetch.ErrDamaged)
					break
				}
			}
		}
	}
	// A client that does not see the object of an answer that was made for it.
	blind := &server{db.Postgres, "file://" + t.TempDir()}
	if err := get(t.Context(), client(t, blind.open(t), allowed), s.URL+"/private/b"); fetch.KindOf(err) != fetch.Local || !errors.Is(err, fetch.ErrDamaged) {
		t.Errorf("an object that is lost: got %v, want %v", err, fetch.ErrDamaged)
	}
}

// TestCheck tries a tier that no waiting mends, and one that may come back.
func TestCheck(t *testing.T) {
	t.Parallel()
	db := postgres(t)
	login := func(name, options string) *server {
		_, err := db.connect(t).Exec(t.Context(), "CREATE ROLE "+name+" LOGIN "+options)
		must(t, err)
		return &server{&daemons.Postgres{URL: strings.Replace(db.URL, "//postgres@", "//"+name+"@", 1)}, db.objects}
	}
	mail, egress, stranger := login("mail", "IN ROLE fleet_client"), login("egress", "IN ROLE fleet_worker"), login("stranger", "")
	elsewhere := &server{&daemons.Postgres{URL: strings.Replace(db.URL, "/postgres?", "/nowhere?", 1)}, db.objects}
	bare := &server{daemons.StartPostgres(t), db.objects}
	away := &server{daemons.StartPostgres(t), db.objects}
	away.Kill()
	for name, test := range map[string]struct {
		s      *server
		worker bool
		want   string // "" for none, or "setup" or "away"
	}{
		"Client": {mail, false, ""}, "Worker": {egress, true, ""}, "ClientAsWorker": {mail, true, "setup"}, "Stranger": {stranger, false, "setup"},
		"NoDatabase": {elsewhere, false, "setup"}, "NoTables": {bare, false, "setup"}, "Away": {away, false, "away"},
	} {
		err := test.s.open(t).Check(t.Context(), test.worker)
		got := ""
		if _, ok := errors.AsType[*fleet.SetupError](err); ok {
			got = "setup"
		} else if _, ok := errors.AsType[*fleet.Away](err); ok {
			got = "away"
		}
		if got != test.want || (err == nil) != (test.want == "") {
			t.Errorf("%s: got %v, want %q", name, err, test.want)
		}
	}
	_, err := db.connect(t).Exec(t.Context(), "UPDATE fleet_tier SET version = 99, serves = 98")
	must(t, err)
	if err := mail.open(t).Check(t.Context(), false); !strings.Contains(fmt.Sprint(err), "version 99") {
		t.Errorf("tables of another version: got %v, want their version", err)
	}
}

// A fetcher that has gone without a word has no hosts and no requests in the status, whatever it wrote last.
func TestStatusOfAbsent(t *testing.T) {
	t.Parallel()
	db := postgres(t)
	tier := db.open(t)
	conn := db.connect(t)
	for _, sql := range []string{
		`INSERT INTO fleet_workers (id, seen, hosts, running) VALUES ('gone', now() - interval '1 minute', 5, 7), ('there', now(), 2, 3)`,
		`INSERT INTO fleet_hosts (host, lock, owner) VALUES ('a.example', 1, 'gone'), ('b.example', 2, 'there'), ('c.example', 3, NULL)`,
	} {
		_, err := conn.Exec(t.Context(), sql)
		must(t, err)
	}
	s, err := tier.Status(t.Context())
	must(t, err)
	if len(s.Workers) != 2 || s.Hosts != 1 {
		t.Fatalf("got %+v, want two workers and one host with an owner", s)
	}
	for i, want := range []fleet.Member{{Name: "gone", Absent: true}, {Name: "there", Hosts: 2, Running: 3}} {
		s.Workers[i].Seen = time.Time{}
		if s.Workers[i] != want {
			t.Errorf("got %+v, want %+v", s.Workers[i], want)
		}
	}
}

// TestRequestBounds holds, OP-62: a request of more than 1 MiB is refused, and a row that a login writes and that
// is not a request holds up no other login.
func TestRequestBounds(t *testing.T) {
	t.Parallel()
	db := postgres(t)
	tier := db.open(t)
	s := new(site)
	h := httptest.NewServer(http.HandlerFunc(s.serve))
	defer h.Close()
	c := client(t, tier, ports(h))
	u, err := url.Parse(h.URL + "/a")
	must(t, err)
	if _, err := c.Fetch(t.Context(), &fetch.Request{URL: u, Accept: []string{"a/" + strings.Repeat("a", 1<<20)}}); !errors.Is(err, fetch.TooLarge) {
		t.Errorf("got the Kind %v, want %v", fetch.KindOf(err), fetch.TooLarge)
	}
	conn := db.connect(t)
	host := strings.TrimPrefix(h.URL, "http://")
	for i, request := range []string{`"a text"`, `[0]`, `{"url":5}`, `{"accept":[` + strings.Repeat(`"",`, 20_000) + `""]}`, `{"url":"` + strings.Repeat("a", 1<<20) + `"}`} {
		_, err := conn.Exec(t.Context(), `INSERT INTO fleet_jobs (key, host, request) VALUES ($1, $2, $3)`, []byte{byte(i)}, host, request)
		must(t, err)
	}
	worker(t, tier, "a", ports(h))
	must(t, get(t.Context(), c, h.URL+"/good"))
	for i, want := range []string{"malformed", "malformed", "malformed", "malformed", "too-large"} {
		for kind := ""; kind != want; {
			must(t, t.Context().Err())
			must(t, conn.QueryRow(t.Context(), `SELECT coalesce(result->'failure'->>'kind', '') FROM fleet_jobs WHERE key = $1`, []byte{byte(i)}).Scan(&kind))
			if kind != "" && kind != want {
				t.Fatalf("row %d: got %s, want %s", i, kind, want)
			}
		}
	}
	if asked := s.asked(); !slices.Equal(asked, []string{"/good"}) {
		t.Errorf("got requests for %q, want one", asked)
	}
}

// TestNotifications holds: a notification, which reaches the logins of all tenants, has the number of a request or nothing.
func TestNotifications(t *testing.T) {
	t.Parallel()
	db := postgres(t)
	tier := db.open(t)
	h := httptest.NewServer(http.HandlerFunc(new(site).serve))
	defer h.Close()
	conn := db.connect(t)
	_, err := conn.Exec(t.Context(), `LISTEN fleet_job; LISTEN fleet_done`)
	must(t, err)
	worker(t, tier, "a", ports(h))
	must(t, get(t.Context(), client(t, tier, ports(h)), h.URL+"/a"))
	for range 2 {
		n, err := conn.WaitForNotification(t.Context())
		must(t, err)
		if strings.Trim(n.Payload, "0123456789") != "" {
			t.Errorf("%s: got %q, want a number or nothing", n.Channel, n.Payload)
		}
	}
}
