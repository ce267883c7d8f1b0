//go:build linux

package fleet_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
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

// The test binary is also the worker that the tests kill.
func TestMain(m *testing.M) {
	if os.Getenv("FLEET_WORKER") == "" {
		os.Exit(m.Run())
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	tier, err := fleet.Open(ctx, os.Getenv("FLEET_DATABASE"), os.Getenv("FLEET_OBJECTS"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	run(ctx, tier, os.Getenv("FLEET_WORKER"), strings.Split(os.Getenv("FLEET_PORTS"), ","))
}

// run runs a worker that may ask hosts on loopback.
func run(ctx context.Context, tier *fleet.Tier, name string, ports []string) {
	state := new(throttle.State)
	w := fleet.NewWorker(tier, fleet.WorkerOptions{Name: name, Hosts: state, Log: func(message string, args ...any) {
		if testing.Testing() && os.Getenv("FLEET_LOG") != "" {
			fmt.Fprintln(os.Stderr, name, message, args)
		}
	}})
	w.Run(ctx, safefetch.New(&safefetch.Options{
		Guard: guard(ports), UserAgent: name, Throttle: &throttle.Options{State: state, PerHost: perHost, MaxPerHost: perHost},
		Cache: w.Store(), Contacts: w.Contacts, Bare: true,
	}))
}

const perHost = 4

func guard(ports []string) *netguard.Guard {
	g := &netguard.Guard{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, LocalNames: true}
	for _, p := range ports {
		n, _ := strconv.ParseUint(p, 10, 16)
		g.Ports = append(g.Ports, uint16(n))
	}
	return g
}

// A server is PostgreSQL with a tier.
type server struct{ *daemons.Postgres }

func postgres(t testing.TB) *server {
	s := &server{daemons.StartPostgres(t)}
	if err := fleet.Init(t.Context(), s.URL); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *server) open(t testing.TB, objects string) *fleet.Tier {
	t.Helper()
	tier, err := fleet.Open(t.Context(), s.URL, objects)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tier.Close)
	return tier
}

// TestRoles runs a client and a worker with the roles that Init made, and looks for what a client
// must not read or write.
func TestRoles(t *testing.T) {
	db := postgres(t)
	conn, err := pgx.Connect(t.Context(), db.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if _, err := conn.Exec(t.Context(), `CREATE ROLE mail LOGIN IN ROLE fleet_client; CREATE ROLE egress LOGIN IN ROLE fleet_worker`); err != nil {
		t.Fatal(err)
	}
	as := func(name string) string { return strings.Replace(db.URL, "//postgres@", "//"+name+"@", 1) }
	s := newSite(t, 0, nil)
	allowed, objects := ports([]*site{s}), "file://"+t.TempDir()
	open := func(name string) *fleet.Tier {
		tier, err := fleet.Open(t.Context(), as(name), objects)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(tier.Close)
		return tier
	}
	worker(t, open("egress"), "one", allowed)
	f := client(t, open("mail"), allowed)
	for _, path := range []string{"/a", "/a", "/private"} {
		if err := get(t.Context(), f, s.URL+path); err != nil {
			t.Error(err)
		}
	}
	mail, err := pgx.Connect(t.Context(), as("mail"))
	if err != nil {
		t.Fatal(err)
	}
	defer mail.Close(t.Context())
	for _, statement := range []string{
		`SELECT request FROM fleet_jobs`, `UPDATE fleet_jobs SET result = NULL`, `DELETE FROM fleet_jobs`,
		`INSERT INTO fleet_jobs (key, host, request, state) VALUES ('', '', '{}', 'done')`,
		`UPDATE fleet_entries SET meta = ''`, `INSERT INTO fleet_entries VALUES ('', '', '', '', 0)`, `SELECT * FROM fleet_hosts`,
	} {
		if _, err := mail.Exec(t.Context(), statement); err == nil {
			t.Errorf("%s: got no error for a client, want one", statement)
		}
	}
}

// A request is what a host saw.
type request struct {
	worker string
	path   string
	begun  time.Time
	ended  time.Time
}

// A site is a host that logs who asks when.
type site struct {
	*httptest.Server
	delay time.Duration
	busy  func(path string) bool // answers 429 the first time

	mu        sync.Mutex
	log       []request
	active    map[string]int
	said      map[string]bool
	notBefore time.Time   // by Retry-After, from
	told      time.Time   // when that was said
	overlaps  int         // of two workers
	early     []time.Time // when a Retry-After was said before whose end there was a request
	most      int         // requests at a time
}

func newSite(t testing.TB, delay time.Duration, busy func(string) bool) *site {
	s := &site{delay: delay, busy: busy, active: make(map[string]int), said: make(map[string]bool)}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.Close)
	return s
}

// slack is the time that an answer takes to the worker's throttle.
const slack = 150 * time.Millisecond

func (s *site) serve(w http.ResponseWriter, r *http.Request) {
	q := request{worker: r.UserAgent(), path: r.URL.Path, begun: time.Now()}
	s.mu.Lock()
	for other, n := range s.active {
		if other != q.worker && n > 0 {
			s.overlaps++
		}
	}
	if q.begun.After(s.told.Add(slack)) && q.begun.Before(s.notBefore.Add(-slack)) {
		s.early = append(s.early, s.told)
	}
	s.active[q.worker]++
	n := 0
	for _, a := range s.active {
		n += a
	}
	s.most = max(s.most, n)
	busy := s.busy != nil && s.busy(q.path) && !s.said[q.path]
	s.said[q.path] = true
	s.mu.Unlock()
	select {
	case <-time.After(s.delay):
	case <-r.Context().Done():
	}
	if busy {
		w.Header().Set("Retry-After", "2")
		w.WriteHeader(http.StatusTooManyRequests)
	} else if r.Context().Err() == nil {
		w.Header().Set("Cache-Control", "max-age=3600")
		if strings.HasPrefix(q.path, "/private") {
			w.Header().Set("Cache-Control", "no-store")
		}
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Write(bodyOf(q.path))
	}
	q.ended = time.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.active[q.worker]--
	if busy {
		s.told, s.notBefore = q.ended, q.ended.Add(2*time.Second)
	} else {
		s.log = append(s.log, q)
	}
}

// bodyOf returns the octets of a path.
func bodyOf(path string) []byte {
	sum := sha256.Sum256([]byte(path))
	n := 1 + int(sum[0])<<8 + int(sum[1])
	return bytes.Repeat(sum[:], n/32+1)[:n]
}

func ports(sites []*site) []string {
	var list []string
	for _, s := range sites {
		u, _ := url.Parse(s.URL)
		list = append(list, u.Port())
	}
	return list
}

// client returns a Fetcher whose requests a tier makes.
func client(t testing.TB, tier *fleet.Tier, ports []string) fetch.Fetcher {
	c := fleet.NewClient(tier)
	t.Cleanup(c.Close)
	return safefetch.New(&safefetch.Options{Guard: guard(ports), Remote: c.Remote, Cache: c.Store()})
}

// get fetches a URL, and compares its octets.
func get(ctx context.Context, f fetch.Fetcher, text string) error {
	u, err := url.Parse(text)
	if err != nil {
		return err
	}
	resp, err := f.Fetch(ctx, &fetch.Request{URL: u})
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

// worker runs a worker in this process until the end of the test.
func worker(t testing.TB, tier *fleet.Tier, name string, ports []string) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		run(ctx, tier, name, ports)
	}()
	stop = sync.OnceFunc(func() {
		cancel()
		<-ended
	})
	t.Cleanup(stop)
	return stop
}

// TestFleet has requests made by a tier: stored answers, answers that may not be shared,
// errors, and what a client decides itself.
func TestFleet(t *testing.T) {
	db := postgres(t)
	objects := "file://" + t.TempDir()
	s := newSite(t, 0, nil)
	allowed := ports([]*site{s})
	f := client(t, db.open(t, objects), allowed)

	t.Run("no worker", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		if err := get(ctx, f, s.URL+"/early"); fetch.KindOf(err) != fetch.Canceled {
			t.Errorf("got %v without a worker, want %v when the time is over", err, fetch.Canceled)
		}
	})
	t.Run("guard", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second) // no worker is there to ask
		defer cancel()
		if err := get(ctx, f, "http://10.0.0.1/x"); fetch.KindOf(err) != fetch.Blocked {
			t.Errorf("got %v for an address that is not public, want %v from the client", err, fetch.Blocked)
		}
	})
	worker(t, db.open(t, objects), "one", allowed)
	count := func(path string) (n int) {
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, q := range s.log {
			if q.path == path {
				n++
			}
		}
		return n
	}
	t.Run("stored", func(t *testing.T) {
		for range 3 {
			if err := get(t.Context(), f, s.URL+"/a"); err != nil {
				t.Fatal(err)
			}
		}
		if n := count("/a"); n != 1 {
			t.Errorf("got %d requests for 3 references, want 1", n)
		}
		if n := count("/early"); n != 1 {
			t.Errorf("got %d requests for the job whose client had gone, want 1", n)
		}
	})
	t.Run("not stored", func(t *testing.T) {
		var wg sync.WaitGroup
		for range 4 {
			g := client(t, db.open(t, objects), allowed)
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
		dead := newSite(t, 0, nil)
		dead.Close()
		g := client(t, db.open(t, objects), ports([]*site{dead}))
		err := get(t.Context(), g, dead.URL+"/x")
		// The worker's guard does not allow the port.
		if fetch.KindOf(err) != fetch.Blocked || fetch.CauseOf(err) != fetch.CausePort {
			t.Errorf("got %v, want %v for the port", err, fetch.Blocked)
		}
	})
	t.Run("database away", func(t *testing.T) {
		db.Kill()
		start := time.Now()
		err := get(t.Context(), f, s.URL+"/b")
		if fetch.KindOf(err) != fetch.Deferred || fetch.AfterOf(err).IsZero() {
			t.Errorf("got %v, want %v with a time", err, fetch.Deferred)
		}
		if d := time.Since(start); d > 5*time.Second {
			t.Errorf("got the error after %v, want it soon", d)
		}
		db.Start(t)
		ctx, cancel := context.WithTimeout(t.Context(), 3*fleet.SessionTime)
		defer cancel()
		for {
			if err = get(ctx, f, s.URL+"/b"); fetch.KindOf(err) != fetch.Deferred {
				break
			}
			time.Sleep(200 * time.Millisecond)
		}
		if err != nil {
			t.Errorf("got %v after the database was back, want nil", err)
		}
	})
}

// TestFaults kills and stops workers and the database while clients ask. At the end each
// reference has its body, from hosts that saw one worker at a time. EXTBODY_TEST_FLEET is
// "small", as in .ci/run, or "large", the size of an acceptance test.
func TestFaults(t *testing.T) {
	size := os.Getenv("EXTBODY_TEST_FLEET")
	if size == "" {
		t.Skip("EXTBODY_TEST_FLEET is not set")
	}
	hosts, urls, refs, span := 8, 240, 720, 20*time.Second
	if size == "large" {
		hosts, urls, refs, span = 50, 6000, 20000, 3*time.Minute
	}
	seed := uint64(1)
	if text := os.Getenv("FLEET_SEED"); text != "" {
		seed, _ = strconv.ParseUint(text, 10, 64)
	}
	chance := rand.New(rand.NewPCG(seed, 27))
	db := postgres(t)
	objects := "file://" + t.TempDir()
	var sites []*site
	for range hosts {
		sites = append(sites, newSite(t, span*time.Duration(hosts)*perHost/time.Duration(urls)/2, func(path string) bool {
			sum := sha256.Sum256([]byte("busy" + path))
			return sum[0] < 4
		}))
	}
	allowed := ports(sites)
	var faults []fault
	note := func(what string, before, after time.Duration) {
		now := time.Now()
		faults = append(faults, fault{what, now, now.Add(-before), now.Add(after)})
	}
	procs := make([]*exec.Cmd, 3)
	start := func(i int) {
		procs[i] = exec.Command(os.Args[0])
		procs[i].Env = append(os.Environ(), "FLEET_WORKER=w"+strconv.Itoa(i), "FLEET_DATABASE="+db.URL, "FLEET_OBJECTS="+objects, "FLEET_PORTS="+strings.Join(allowed, ","))
		procs[i].Stderr = os.Stderr
		procs[i].SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
		if err := procs[i].Start(); err != nil {
			t.Fatal(err)
		}
	}
	for i := range procs {
		start(i)
	}
	t.Cleanup(func() {
		for _, p := range procs {
			p.Process.Kill()
			p.Wait()
		}
	})
	clients := []fetch.Fetcher{client(t, db.open(t, objects), allowed), client(t, db.open(t, objects), allowed), client(t, db.open(t, objects), allowed)}
	ctx, cancel := context.WithTimeout(t.Context(), 4*span+time.Minute)
	defer cancel()
	var wg sync.WaitGroup
	room := make(chan bool, 300)
	var left atomic.Int64
	left.Store(int64(refs))
	for i := range refs {
		text := fmt.Sprintf("%s/u%d", sites[i%urls%hosts].URL, i%urls)
		f := clients[chance.IntN(len(clients))]
		wg.Go(func() {
			room <- true
			defer func() { <-room; left.Add(-1) }()
			for {
				err := get(ctx, f, text)
				if err == nil {
					return
				}
				if k := fetch.KindOf(err); k != fetch.Deferred && k != fetch.Unavailable || ctx.Err() != nil {
					t.Errorf("%s: got %v, want the body in the end", text, err)
					return
				}
				fetch.Pause(ctx, max(200*time.Millisecond, min(time.Until(fetch.AfterOf(err)), 3*time.Second)))
			}
		})
	}
	done := make(chan bool)
	go func() { wg.Wait(); close(done) }()
	time.Sleep(fleet.SessionTime / 2)
	for round := 0; ; round++ {
		select {
		case <-done:
		case <-time.After(time.Second + time.Duration(chance.Int64N(int64(2*time.Second)))):
			i := chance.IntN(len(procs))
			switch {
			case round == 3:
				note("database killed", 3*time.Second, 2*fleet.SessionTime)
				db.Kill()
				db.Start(t)
			case round%3 == 2:
				note("stopped", 3*time.Second, 12*time.Second)
				p := procs[i].Process
				p.Signal(syscall.SIGSTOP)
				time.AfterFunc(6*time.Second, func() { p.Signal(syscall.SIGCONT) })
			default:
				note("killed", 3*time.Second, time.Second)
				procs[i].Process.Kill()
				procs[i].Wait()
				start(i)
			}
			continue
		}
		break
	}
	asked, again, most := 0, 0, 0
	for _, s := range sites {
		s.mu.Lock()
		seen := make(map[string]time.Time)
		for _, q := range s.log {
			asked++
			if before, ok := seen[q.path]; ok {
				again++
				if !slices.ContainsFunc(faults, func(f fault) bool { return before.After(f.from) && before.Before(f.to) }) {
					t.Errorf("%s: got a second request %v after the first, want one but for faults", q.path, q.begun.Sub(before))
				}
			}
			seen[q.path] = q.ended
		}
		// A worker that is killed before it has read the answer tells no other.
		early := slices.DeleteFunc(s.early, func(told time.Time) bool {
			return slices.ContainsFunc(faults, func(f fault) bool { return told.Add(-slack).Before(f.at) && f.at.Before(told.Add(slack)) })
		})
		if s.overlaps > 0 || len(early) > 0 {
			t.Errorf("%s: got %d requests beside another worker's and %d before a Retry-After, want none", s.URL, s.overlaps, len(early))
		}
		most = max(most, s.most)
		s.mu.Unlock()
	}
	if most > perHost {
		t.Errorf("got %d requests at a time at a host, want at most %d", most, perHost)
	}
	if len(faults) < 4 {
		t.Errorf("got %d faults, want at least 4", len(faults))
	}
	t.Logf("seed %d: %d references to %d URLs at %d hosts, %d faults: %d requests, %d of them again after a fault", seed, refs, urls, hosts, len(faults), asked, again)
}

// A fault is a time in which requests may have been lost.
type fault struct {
	what         string
	at, from, to time.Time
}
