package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
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

	"github.com/go-extbody/extbody/examples/extbody/internal/fleet"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/inspect"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/internal/testkit/daemons"
)

// fleetPerHost is the --per-host of the fetchers.
const fleetPerHost = 4

// A fleetSite is a host that logs who asks when.
type fleetSite struct {
	*httptest.Server
	next *fleetSite    // where it redirects to
	half time.Duration // until the head, and then until the end of the body

	mu       sync.Mutex
	log      []siteRequest
	active   map[*siteRequest]bool
	busy     map[string]bool // paths that had a 429
	notUntil time.Time       // by Retry-After
	told     time.Time       // when that was written
	toldTo   string
	early    []siteRequest // requests before a Retry-After
	overlaps []string      // two workers at a time
	most     int           // requests at a time
}

// A siteRequest is a request as the host saw it.
type siteRequest struct {
	worker, path string
	begun, ended time.Time
	ctx          context.Context // ends early if the worker gives the request up
	whole        bool            // it was not given up
	told         time.Time       // for early: when the Retry-After was written, toldTo a worker
	toldTo       string
}

// The answers of a site, by the start of the path.
const (
	siteBody     = "/body"     // a file
	siteBusy     = "/busy"     // 429 with a Retry-After at first, then a file
	sitePrivate  = "/private"  // a file that must not be stored
	siteRedirect = "/redirect" // to the next site
	siteGone     = "/gone"     // 404
	siteImage    = "/image"    // not the type that was announced
)

// sitePath returns the path of a URL by its number.
func sitePath(n int) string {
	kind := siteBody
	switch n % 40 {
	case 7:
		kind = siteBusy
	case 13:
		kind = sitePrivate
	case 19, 29:
		kind = siteRedirect
	case 31:
		kind = siteGone
	case 37:
		kind = siteImage
	}
	return kind + "/" + strconv.Itoa(n)
}

const retryAfter = 2 * time.Second

// redirectTime is how long package cache uses an answer that came by redirects, whatever its lifetime.
const redirectTime = 10 * time.Minute

// siteSlack is the time that an answer takes to a worker and from there to the database.
const siteSlack = 200 * time.Millisecond

func (s *fleetSite) serve(w http.ResponseWriter, r *http.Request) {
	q := &siteRequest{worker: r.UserAgent(), path: r.URL.Path, begun: time.Now(), ctx: r.Context()}
	s.mu.Lock()
	beside := slices.Collect(maps.Keys(s.active))
	for _, other := range beside {
		if other.worker != q.worker {
			s.overlaps = append(s.overlaps, q.worker+" beside "+other.worker)
		}
	}
	s.active[q] = true
	if q.begun.After(s.told.Add(siteSlack)) && q.begun.Before(s.notUntil.Add(-siteSlack)) {
		early := *q
		early.told, early.toldTo = s.told, s.toldTo
		s.early = append(s.early, early)
	}
	busy := strings.HasPrefix(q.path, siteBusy) && !s.busy[q.path]
	s.busy[q.path] = s.busy[q.path] || busy
	s.mu.Unlock()
	pause := func(d time.Duration) {
		select {
		case <-time.After(d):
		case <-r.Context().Done():
		}
	}
	slack := min(siteSlack, s.half)
	pause(slack) // the host may see only after this request that a worker had given another one up
	s.mu.Lock()
	n := 1
	for _, other := range beside {
		if other.whole || other.ctx.Err() == nil {
			n++
		}
	}
	s.most = max(s.most, n)
	s.mu.Unlock()
	pause(s.half - slack)
	// leave ends the request before its last octets are sent: the worker may start another one
	// when it has them.
	leave := func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		q.whole = r.Context().Err() == nil
		delete(s.active, q)
	}
	body := siteOctets(q.path)
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Cache-Control", "max-age=3600")
	switch {
	case busy:
		w.Header().Set("Retry-After", strconv.Itoa(int(retryAfter.Seconds())))
		w.WriteHeader(http.StatusTooManyRequests)
		body = nil
	case strings.HasPrefix(q.path, sitePrivate):
		w.Header().Set("Cache-Control", "no-store")
	case strings.HasPrefix(q.path, siteRedirect):
		http.Redirect(w, r, s.next.URL+siteBody+"/from"+q.path, http.StatusFound)
		body = nil
	case strings.HasPrefix(q.path, siteGone):
		w.WriteHeader(http.StatusNotFound)
	case strings.HasPrefix(q.path, siteImage):
		w.Header().Set("Content-Type", "image/png")
	}
	if len(body) > 0 {
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		w.Write(body[:len(body)/2])
		w.(http.Flusher).Flush()
		pause(s.half)
	}
	leave()
	w.Write(body[len(body)/2:])
	q.ended = time.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	if busy && q.whole { // otherwise no worker got it
		s.told, s.toldTo, s.notUntil = q.ended, q.worker, q.ended.Add(retryAfter)
	}
	if !busy {
		s.log = append(s.log, *q)
	}
}

// siteOctets returns the body for a path, of up to 64 KiB.
func siteOctets(path string) []byte {
	sum := sha256.Sum256([]byte(path))
	n := 1 + int(sum[0])<<8 + int(sum[1])
	return bytes.Repeat(sum[:], n/32+1)[:n]
}

// A fleetFault is a fault with the times in which it can make a host be asked again.
type fleetFault struct {
	what, worker string // worker is "" where all suffer
	from, to     time.Time
}

// noWorker is the worker of a fault that explains requests by the rows that it touched, at
// any time.
const noWorker = "none"

// fleetTenants are the tenants of the clients.
var fleetTenants = []string{"a", "b"}

// siteAskedBy reports whether a tenant, by its number, refers to a URL. Of five hosts one is the first tenant's
// alone and one the second's. At the others both ask for every third URL.
func siteAskedBy(tenant, url, hosts int) bool {
	only := url % hosts % 5
	if only > 1 {
		only = url / hosts % 3
	}
	return only == tenant || only > 1
}

// A fleetFaults is a run of TestFleetFaults.
type fleetFaults struct {
	t       *testing.T
	chance  *rand.Rand
	sites   []*fleetSite
	flags   []string // of the fetchers
	allow   []string // the sites
	dir     string
	owner   string // the URL of the database, for the login that made the tables
	db      *daemons.Postgres
	standby *daemons.Postgres
	bucket  *frontedBucket          // nil for a folder
	asking  map[string]map[int]bool // the tenants that ask for a path

	mu     sync.Mutex
	faults []fleetFault
	procs  map[string]*exec.Cmd // of the fetchers and of archive
}

// fault makes a fault whose effects last for longer than it does. It counts if it happened.
func (r *fleetFaults) fault(what, worker string, lasts time.Duration, happened func() bool) {
	from := time.Now()
	if !happened() {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.faults = append(r.faults, fleetFault{what, worker, from, time.Now().Add(lasts)})
}

// hit reports whether a fault hit a worker between two times.
func (r *fleetFaults) hit(worker string, from, to time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.ContainsFunc(r.faults, func(f fleetFault) bool {
		return (f.worker == "" || f.worker == worker) && f.from.Before(to) && from.Before(f.to)
	})
}

// start starts a process that ends with the test.
func (r *fleetFaults) start(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(executable(r.t), args...)
	if err := cmd.Start(); err != nil {
		r.t.Error(err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.procs[name] = cmd
	return cmd
}

// signal sends a signal to a process, and reports whether it is there.
func (r *fleetFaults) signal(name string, sig os.Signal) bool {
	r.mu.Lock()
	cmd := r.procs[name]
	r.mu.Unlock()
	return cmd != nil && cmd.Process.Signal(sig) == nil
}

func (r *fleetFaults) fetcher(name string) {
	cmd := r.start(name, slices.Concat([]string{"fetcher", "--name", name, "--user-agent", name, "--per-host", strconv.Itoa(fleetPerHost)}, r.flags, r.allow)...)
	go cmd.Wait()
}

// cut cuts a connection to the database, the session of a worker or any other, and reports whether there was one.
func (r *fleetFaults) cut(worker string) (ended bool) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, r.owner)
	if err != nil {
		return false // the database is away
	}
	defer conn.Close(ctx)
	conn.QueryRow(ctx, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
		AND (application_name = $1 OR $2 AND application_name NOT LIKE 'extbody fetcher %') ORDER BY random() LIMIT 1`, "extbody fetcher "+worker, worker == "").Scan(&ended)
	return ended
}

// soon tries f for a few seconds: a process or a session that is to suffer may be about to start.
func soon(f func() bool) bool {
	for range 50 {
		if f() {
			return true
		}
		time.Sleep(100 * time.Millisecond)
	}
	return false
}

// inject makes faults until done is closed, and closes turns after each had one. The faults of the database are
// chosen by number. Each of the others is made once, in random order, before any is made again. The archive, which
// may end soon, is first.
func (r *fleetFaults) inject(done <-chan bool, turns chan<- bool, serves []*daemon) {
	const archive = 6 // in others
	var once sync.Once
	killed := func() {
		w := r.worker()
		r.fault("worker killed", w, 0, func() bool {
			defer r.fetcher(w)
			return r.signal(w, syscall.SIGKILL)
		})
	}
	stopped := func() {
		const pause = 6 * time.Second
		w := r.worker()
		r.fault("worker stopped", w, pause, func() bool {
			time.AfterFunc(pause, func() { r.signal(w, syscall.SIGCONT) })
			return r.signal(w, syscall.SIGSTOP)
		})
	}
	others := []func(){
		killed, killed, stopped, stopped,
		func() {
			w := r.worker()
			r.fault("session cut", w, 2*time.Second, func() bool { return soon(func() bool { return r.cut(w) }) })
		},
		func() {
			r.fault("connection cut", "", time.Second, func() bool { return soon(func() bool { return r.cut("") }) })
		},
		func() {
			r.fault("archive killed", "archive", 0, func() bool {
				return soon(func() bool { return r.signal("archive", syscall.SIGKILL) })
			})
		},
		func() {
			r.fault("serve killed", "serve", 0, func() bool {
				d := serves[r.chance.IntN(len(serves))]
				d.end(syscall.SIGKILL)
				d.start()
				return true
			})
		},
	}
	order := append([]int{archive}, slices.DeleteFunc(r.chance.Perm(len(others)), func(i int) bool { return i == archive })...)
	for round := 0; ; round++ {
		if round > 9 && len(order) == 0 {
			once.Do(func() { close(turns) })
		}
		select {
		case <-done:
			return
		case <-time.After(time.Second + time.Duration(r.chance.Int64N(int64(2*time.Second)))):
		}
		switch round {
		case 2:
			r.fault("database killed", "", fleet.SessionTime, func() bool {
				r.db.Kill()
				r.db.Start(r.t)
				return true
			})
		case 4:
			r.fault("database restarted", "", fleet.SessionTime, func() bool {
				r.db.Restart(r.t)
				return true
			})
		case 9:
			r.fault("standby promoted", "", fleet.SessionTime, func() bool {
				r.db.Kill()
				r.standby.Promote(r.t)
				return true
			})
		default:
			if len(order) == 0 {
				order = r.chance.Perm(len(others))
			}
			others[order[0]]()
			order = order[1:]
		}
	}
}

// worker returns the name of a worker.
func (r *fleetFaults) worker() string { return "w" + strconv.Itoa(r.chance.IntN(3)) }

// injectBucket has the bucket be slow, be away and lie, one after the other, for a time each and until a request met
// that or done is closed.
func (r *fleetFaults) injectBucket(done <-chan bool, lasts time.Duration) {
	b := r.bucket
	met := func(fault bucketFault) bool {
		before := b.count(fault)
		for end := time.Now().Add(lasts); time.Now().Before(end) || b.count(fault) == before; {
			select {
			case <-done:
				return b.count(fault) > before
			case <-time.After(100 * time.Millisecond):
			}
		}
		return true
	}
	r.fault("bucket slow", "", 0, func() bool {
		b.set(bucketSlow)
		return met(bucketSlow)
	})
	b.set(bucketWell)
	r.fault("bucket away", "", 15*time.Second, func() bool {
		b.Kill()
		defer b.Start(r.t)
		return met(bucketAway)
	})
	r.fault("bucket lies", noWorker, 0, func() bool {
		b.set(bucketLies)
		return met(bucketLies)
	})
	b.set(bucketWell)
}

// archive syncs the mail of a folder until nothing is open, and returns the outcomes of the
// references, by message and reference.
func (r *fleetFaults) archive(ctx context.Context, mail, dir string, flags []string) map[string]string {
	outcomes := make(map[string]string)
	for ctx.Err() == nil {
		cmd := r.start("archive", slices.Concat([]string{"archive", "sync", mail, "--to", dir, "--resolve", "all", "--timeout", "1m"}, flags, r.allow)...)
		err := cmd.Wait()
		status, out := archived(r.t, "export", dir, "--as", "csv", "-o", filepath.Join(dir+".csv"))
		if status != 0 {
			driver.Pause(ctx, time.Second)
			continue // it was killed before it had made the archive
		}
		text, err2 := os.ReadFile(dir + ".csv")
		os.Remove(dir + ".csv")
		rows, err3 := csv.NewReader(bytes.NewReader(text)).ReadAll()
		if err := errors.Join(err2, err3); err != nil {
			r.t.Error(err, out)
			return nil
		}
		open := 0
		clear(outcomes)
		for _, row := range rows[1:] {
			cell := func(name string) string { return row[slices.Index(rows[0], name)] }
			switch kind := cell("kind"); {
			case cell("state") == "open", kind == "deferred", kind == "unavailable", kind == "canceled", kind == "truncated":
				open++
			}
			outcomes[cell("message")+" "+cell("reference")] = strings.Join([]string{cell("url"), cell("state"), cell("sha256"), cell("size"), cell("content_type"), cell("served_type"), cell("kind")}, " ")
		}
		if exit, ok := errors.AsType[*exec.ExitError](err); open == 0 && (err == nil || ok && exit.ExitCode() == 3) {
			return outcomes
		}
		if err == nil {
			archived(r.t, slices.Concat([]string{"retry", dir, "kind=unavailable"}, flags, r.allow)...)
		}
		driver.Pause(ctx, time.Second)
	}
	r.t.Errorf("archive sync did not end: %d of %d outcomes", len(outcomes), len(outcomes))
	return outcomes
}

// verdict returns an answer as it is compared.
func verdict(a *inspect.Answer) string {
	var b strings.Builder
	fmt.Fprint(&b, a.Verdict, a.Symbols)
	for _, ref := range a.Refs {
		fmt.Fprint(&b, "; ", ref.ID, " ", ref.State, " ", ref.Kind, " ", ref.Served, " ", ref.Sniffed, " ", ref.Octets, " ", ref.SHA256, " ", ref.Mismatch)
	}
	return b.String()
}

// settled reports whether an answer has nothing that is still to come, and no part of our own was missing.
func settled(a *inspect.Answer) bool {
	return a.Verdict != inspect.Pending && !slices.ContainsFunc(a.Refs, func(ref inspect.Ref) bool { return ref.State == inspect.StillToCome || ref.Kind.Transient() })
}

// question asks about a message until the answer is settled, and returns it with the number of
// answers before it.
func (r *fleetFaults) question(ctx context.Context, d *daemon, message string) (text string, unsettled int) {
	c := d.client("http")
	defer c.CloseIdleConnections()
	for ctx.Err() == nil {
		asking, cancel := context.WithTimeout(ctx, 10*time.Second)
		req, _ := http.NewRequestWithContext(asking, "POST", "http://x/v1/check?wait=3s", strings.NewReader(message))
		var a inspect.Answer
		resp, err := c.Do(req)
		if err == nil {
			err = json.NewDecoder(resp.Body).Decode(&a)
			resp.Body.Close()
		}
		cancel()
		if err == nil && resp.StatusCode == 200 && settled(&a) {
			return verdict(&a), unsettled
		}
		if err == nil {
			unsettled++
			text = verdict(&a)
		}
		driver.Pause(ctx, 500*time.Millisecond)
	}
	return "not settled: " + text, unsettled
}

// TestFleetFaults kills, stops and cuts off the processes of a fleet, its database and its
// bucket, while the serve and the archive sync of one tenant and the serve of another have requests made by
// three fetchers. Then it compares the outcomes of each tenant with a single machine's, reads the logs of the
// hosts, which both tenants share, and looks for rows that they share, of which there are none.
// EXTBODY_TEST_FLEET is "small", as in .ci/run, or "large". EXTBODY_TEST_SEED is another seed.
func TestFleetFaults(t *testing.T) {
	size := os.Getenv("EXTBODY_TEST_FLEET")
	if size == "" {
		t.Skip("EXTBODY_TEST_FLEET is not set")
	}
	hosts, urls, refs, half, away := 10, 240, 800, 300*time.Millisecond, 3*time.Second // away: each fault of the bucket
	if size == "large" {
		hosts, urls, refs, half, away = 50, 6000, 20000, time.Second, 20*time.Second
	}
	seed := uint64(1)
	if text := os.Getenv("EXTBODY_TEST_SEED"); text != "" {
		seed, _ = strconv.ParseUint(text, 10, 64)
	}
	r := &fleetFaults{t: t, chance: rand.New(rand.NewPCG(seed, 27)), dir: t.TempDir(), procs: make(map[string]*exec.Cmd), asking: make(map[string]map[int]bool)}
	t.Cleanup(func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		for _, cmd := range r.procs {
			cmd.Process.Kill()
			cmd.Wait()
		}
	})
	for i := range hosts {
		s := &fleetSite{half: half, active: make(map[*siteRequest]bool), busy: make(map[string]bool)}
		s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
		t.Cleanup(s.Close)
		if r.sites = append(r.sites, s); i > 0 {
			s.next = r.sites[i-1]
		}
		r.allow = append(r.allow, "--allow-port", portOf(s.Server))
	}
	r.sites[0].next = r.sites[hosts-1]
	r.allow = append(r.allow, "--allow-net", "127.0.0.0/8")
	r.db = daemons.StartPostgres(t)
	r.standby = r.db.Standby(t)
	r.owner = strings.Replace(r.db.URL, r.db.Address, r.db.Address+","+r.standby.Address, 1) + "&target_session_attrs=read-write"
	must(t, fleet.Init(t.Context(), r.owner))
	objects := "file://" + filepath.Join(r.dir, "objects")
	if os.Getenv("EXTBODY_VERSITYGW") != "" {
		r.bucket = newFrontedBucket(t)
		objects = r.bucket.URL
	}
	conn, err := pgx.Connect(t.Context(), r.owner)
	must(t, err)
	of := func(login, role string) []string {
		_, err := conn.Exec(t.Context(), "CREATE ROLE "+login+" LOGIN IN ROLE "+role)
		must(t, err)
		return []string{"--fleet", strings.Replace(r.owner, "//postgres@", "//"+login+"@", 1), "--objects", objects}
	}
	r.flags = of("fetchers", "fleet_worker")
	var tenants [2][]string // flags of the clients
	for i, name := range fleetTenants {
		tenants[i] = of("mx_"+name, "fleet_client")
		must(t, fleet.SetTenant(t.Context(), r.owner, "mx_"+name, name))
	}
	conn.Close(t.Context())

	// The messages, of one to five references each: a third for each client, the last of which is the archive of
	// the first tenant.
	var own [2][]int // URLs
	for u := range urls {
		for tenant := range own {
			if siteAskedBy(tenant, u, hosts) {
				own[tenant] = append(own[tenant], u)
			}
		}
	}
	var next [2]int
	var messages []string
	for n := 0; n < refs; {
		var b strings.Builder
		fmt.Fprintf(&b, "From: a@a.example\r\nMessage-ID: <%d@a.example>\r\nSubject: %d\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n", n, n)
		for range min(refs-n, 1+r.chance.IntN(5)) {
			tenant := len(messages) % 3 % 2
			u := own[tenant][r.chance.IntN(len(own[tenant]))]
			if next[tenant] < len(own[tenant]) {
				u = own[tenant][next[tenant]]
				next[tenant]++
			}
			if r.asking[sitePath(u)] == nil {
				r.asking[sitePath(u)] = make(map[int]bool)
			}
			r.asking[sitePath(u)][tenant] = true
			fmt.Fprintf(&b, "--b\r\nContent-Type: message/external-body; access-type=URL;\r\n URL=\"%s%s\"\r\n\r\nContent-Type: application/octet-stream\r\nContent-ID: <%d@a.example>\r\n\r\n",
				r.sites[u%hosts].URL, sitePath(u), n)
			n++
		}
		b.WriteString("--b--\r\n")
		messages = append(messages, b.String())
	}
	mail := filepath.Join(r.dir, "mail")
	var asked [2][]string // of each serve
	for i, m := range messages {
		if i%3 == 2 {
			writeText(t, filepath.Join(mail, fmt.Sprintf("%d.eml", i)), m)
		} else {
			asked[i%3] = append(asked[i%3], m)
		}
	}

	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Minute)
	defer cancel()
	hop := startNextHop(t)
	serving := func(flags []string) *daemon {
		d := newDaemon(t, "[[rule]]\nname = \"n\"\naction = \"none\"\n")
		d.args = slices.Concat(d.args, []string{"--http", d.path("http"), "--lmtp", d.path("lmtp"), "--lmtp-next", hop.address, "--wait", "1s", "--per-client", "1000"}, flags, r.allow)
		d.start()
		return d
	}
	for _, name := range []string{"w0", "w1", "w2"} {
		r.fetcher(name)
	}
	serves := []*daemon{serving(tenants[0]), serving(tenants[1])}
	begun := time.Now()
	answers, happened := make([]map[string]string, 2), make(chan bool)
	var unsettled, sent atomic.Int64
	var wg sync.WaitGroup
	for i, d := range serves {
		answers[i] = make(map[string]string)
		var mu sync.Mutex
		queue := make(chan string)
		wg.Go(func() {
			defer close(queue)
			for n, m := range asked[i] {
				if n > 2*len(asked[i])/3 { // so that mail is under way while faults happen
					select {
					case <-happened:
					case <-time.After(time.Second):
					}
				}
				select {
				case queue <- m:
				case <-ctx.Done():
					return
				}
			}
		})
		for range 16 {
			wg.Go(func() {
				for m := range queue {
					for !try(d.path("lmtp"), m) && ctx.Err() == nil {
						time.Sleep(50 * time.Millisecond)
					}
					sent.Add(1)
					text, n := r.question(ctx, d, m)
					unsettled.Add(int64(n))
					mu.Lock()
					answers[i][m] = text
					mu.Unlock()
				}
			})
		}
	}
	var ledger map[string]string
	wg.Go(func() { ledger = r.archive(ctx, mail, filepath.Join(r.dir, "archive"), tenants[0]) })
	done := make(chan bool)
	go func() { wg.Wait(); close(done) }()
	time.Sleep(fleet.SessionTime / 2)
	var injecting sync.WaitGroup
	turns := make(chan bool)
	injecting.Go(func() {
		if r.bucket != nil {
			r.injectBucket(done, away)
		}
		select {
		case <-turns:
			close(happened)
		case <-done:
		}
	})
	r.inject(done, turns, serves)
	injecting.Wait()
	took := time.Since(begun).Round(time.Second)

	r.hosts()
	r.rows()
	r.mail(hop, append(asked[0], asked[1]...))
	archives(t, 0, "", "verify", filepath.Join(r.dir, "archive"))

	// The same on one machine, at the same hosts.
	for _, s := range r.sites {
		s.half = 0
	}
	one := serving(nil)
	var differ [2]int // by tenant
	for i := range answers {
		for m, got := range answers[i] {
			if want, _ := r.question(ctx, one, m); got != want {
				if differ[i]++; differ[i] < 10 {
					t.Errorf("tenant %s: got the answer\n%s, want that of one machine\n%s", fleetTenants[i], got, want)
				}
			}
		}
	}
	outcomes := r.archive(ctx, mail, filepath.Join(r.dir, "one"), nil)
	if len(ledger) != len(outcomes) {
		t.Errorf("got %d outcomes in the ledger, want %d", len(ledger), len(outcomes))
	}
	for ref, w := range outcomes {
		if got := ledger[ref]; got != w {
			if differ[0]++; differ[0] < 20 {
				t.Errorf("%s: got the outcome\n%s, want that of one machine\n%s", ref, got, w)
			}
		}
	}
	counts := make(map[string]int)
	for _, f := range r.faults {
		counts[f.what]++
	}
	t.Logf("seed %d, %v: %d references to %d URLs at %d hosts in %d messages, %d faults %v; %d outcomes by tenant other than on one machine, %d answers before the last",
		seed, took, refs, urls, hosts, len(messages), len(r.faults), counts, differ, unsettled.Load())
	want := []string{
		"database killed", "database restarted", "standby promoted",
		"worker killed", "worker stopped", "session cut", "connection cut", "archive killed", "serve killed",
	}
	if r.bucket != nil {
		want = append(want, "bucket slow", "bucket away", "bucket lies")
	}
	for _, what := range want {
		if counts[what] == 0 {
			t.Errorf("got the faults %v, want %s too", counts, what)
		}
	}
}

// hosts holds the requests that the hosts saw.
func (r *fleetFaults) hosts() {
	asked, again, aged, both, overlaps, early, most := 0, 0, 0, 0, 0, 0, 0
	for _, s := range r.sites {
		s.mu.Lock()
		first, last := make(map[string]siteRequest), make(map[string]siteRequest)
		due := make(map[string]int) // requests by path that tenants and faults explain
		got := make(map[string]int)
		count := make(map[string]int)
		for _, q := range s.log {
			asked++
			count[q.path]++
			if strings.HasPrefix(q.path, sitePrivate) || strings.HasPrefix(q.path, siteGone) || strings.HasPrefix(q.path, siteRedirect) {
				continue // not stored
			}
			if before, ok := last[q.path]; ok {
				again++
				// Its answer was written into the tier at most a second later. Each tenant has one of its own.
				if r.hit(before.worker, before.begun, before.ended.Add(time.Second)) || r.bucket.lied(siteOctets(q.path)) {
					due[q.path]++
				}
				from, redirected := strings.CutPrefix(q.path, siteBody+"/from")
				tenants := len(r.asking[from])
				if ages := int(q.begun.Sub(first[q.path].begun) / redirectTime); redirected && ages > 0 {
					tenants *= 1 + ages
					aged++
				}
				if got[q.path] >= due[q.path]+tenants {
					r.t.Errorf("%s: got a second request by %s %v after that of %s, and %v after the first, want one for each tenant but for faults",
						q.path, q.worker, q.begun.Sub(before.ended), before.worker, q.begun.Sub(first[q.path].begun))
				}
			} else {
				first[q.path] = q
			}
			got[q.path]++
			last[q.path] = q
		}
		for path, n := range count {
			tenants := len(r.asking[strings.TrimPrefix(path, siteBody+"/from")])
			if n < tenants {
				r.t.Errorf("%s: got %d requests, want one for each of %d tenants", path, n, tenants)
			}
			both += tenants / 2
		}
		for _, what := range s.overlaps {
			overlaps++
			r.t.Errorf("%s: got a request of %s, want one worker at a time", s.URL, what)
		}
		for _, q := range s.early {
			// A worker that ends before it has written the Retry-After passes it to no
			// other.
			if !r.hit(q.toldTo, q.told.Add(-siteSlack), q.told.Add(siteSlack)) {
				early++
				r.t.Errorf("%s: got a request by %s %v after a Retry-After of %v to %s, want none", s.URL, q.worker, q.begun.Sub(q.told), retryAfter, q.toldTo)
			}
		}
		most = max(most, s.most)
		s.mu.Unlock()
	}
	if most > fleetPerHost {
		r.t.Errorf("got %d requests at a time at a host, want at most %d", most, fleetPerHost)
	}
	r.t.Logf("%d requests, %d again after a fault or for the other tenant, %d of them by a redirect of %v ago, %d URLs for both; two workers at a host: %d; before a Retry-After: %d; most at a host at a time: %d", asked, again, aged, redirectTime, both, overlaps, early, most)
	if both == 0 {
		r.t.Error("got no URL for both tenants, want some")
	}
}

// rows holds that no row, object or name of the tier belongs to two tenants, and that the answers of each are of URLs
// that it asked for.
func (r *fleetFaults) rows() {
	conn, err := pgx.Connect(r.t.Context(), r.owner)
	must(r.t, err)
	defer conn.Close(r.t.Context())
	for _, query := range []string{
		`SELECT count(*) FROM (SELECT object FROM (SELECT object, tenant FROM fleet_entries UNION SELECT object, tenant FROM fleet_jobs) o
			WHERE object IS NOT NULL GROUP BY object HAVING count(*) > 1) shared`,
		`SELECT count(*) FROM (SELECT key FROM (SELECT key, tenant FROM fleet_entries UNION SELECT key, tenant FROM fleet_jobs) k
			GROUP BY key HAVING count(*) > 1) shared`,
		`SELECT count(*) FROM (SELECT name FROM (SELECT DISTINCT unnest(urls) AS name, tenant FROM fleet_entries) n GROUP BY name HAVING count(*) > 1) shared`,
		`SELECT count(*) FROM fleet_jobs WHERE tenant NOT IN ('a', 'b')`,
	} {
		n := -1
		if err := conn.QueryRow(r.t.Context(), query).Scan(&n); err != nil || n != 0 {
			r.t.Errorf("got %d, %v, want none: %s", n, err, query)
		}
	}
	for i, tenant := range fleetTenants {
		bodies := make(map[string]bool)
		for path, by := range r.asking {
			if by[i] {
				for _, body := range [][]byte{siteOctets(path), siteOctets(siteBody + "/from" + path)} {
					sum := sha256.Sum256(body)
					bodies[string(sum[:])] = true
				}
			}
		}
		rows, _ := conn.Query(r.t.Context(), `SELECT sha256 FROM fleet_entries WHERE tenant = $1`, tenant)
		sums, err := pgx.CollectRows(rows, pgx.RowTo[[]byte])
		if err != nil || len(sums) == 0 {
			r.t.Errorf("tenant %s: got %d answers, %v, want some", tenant, len(sums), err)
		}
		for _, sum := range sums {
			if !bodies[string(sum)] {
				r.t.Errorf("tenant %s: got an answer with the body %x, for which it did not ask", tenant, sum)
			}
		}
		// The login of a tenant sees its rows alone.
		login, err := pgx.Connect(r.t.Context(), strings.Replace(r.owner, "//postgres@", "//mx_"+tenant+"@", 1))
		must(r.t, err)
		seen := -1
		err = login.QueryRow(r.t.Context(), `SELECT count(*) FROM fleet_entries`).Scan(&seen)
		login.Close(r.t.Context())
		if err != nil || seen != len(sums) {
			r.t.Errorf("tenant %s: got %d answers seen by its login, %v, want its own %d", tenant, seen, err, len(sums))
		}
		r.t.Logf("tenant %s: %d answers stored", tenant, len(sums))
	}
}

// mail holds that the next hop has each message as it was, with our field.
func (r *fleetFaults) mail(hop *nextHop, messages []string) {
	hop.mu.Lock()
	defer hop.mu.Unlock()
	count := make(map[string]int)
	for m, n := range hop.mail {
		if strings.HasPrefix(m, "X-Extbody: ") {
			_, m, _ = strings.Cut(m, "From: ")
			m = "From: " + m
		}
		count[m] += n
	}
	lost, double := 0, 0
	for _, m := range messages {
		if count[m] == 0 {
			lost++
		}
		double += max(0, count[m]-1)
		delete(count, m)
	}
	if lost > 0 || len(count) > 0 {
		r.t.Errorf("got %d messages lost and %d changed, want none", lost, len(count))
	}
	r.t.Logf("%d messages by LMTP, %d doubled by a kill", len(messages), double)
}

// TestFleetOnce kills the fetcher during a request that uses up a download. It is not made again
// by any fetcher. An answer that its client did not wait for is not asked for again either.
func TestFleetOnce(t *testing.T) {
	asked := make(chan string, 10)
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- r.URL.Path
		if r.URL.Path == "/hangs" {
			<-r.Context().Done()
		}
		w.Header().Set("Cache-Control", "no-store")
		w.Write(siteOctets(r.URL.Path))
	}))
	t.Cleanup(host.Close)
	l := newFleetTier(t, host)
	r := &fleetFaults{t: t, flags: l.flags, allow: l.allow, procs: make(map[string]*exec.Cmd)}
	f, _ := l.client()
	get := func(ctx context.Context, path string) ([]byte, error) {
		req := &fetch.Request{URL: &url.URL{Scheme: "http", Host: host.Listener.Addr().String(), Path: path}}
		driver.OfRequest(req).Once = true
		resp, err := f.Fetch(ctx, req)
		if err != nil {
			return nil, err
		}
		defer resp.Body.Close()
		return io.ReadAll(resp.Body)
	}
	r.fetcher("one")
	ended := make(chan error)
	go func() {
		_, err := get(t.Context(), "/hangs")
		ended <- err
	}()
	select {
	case <-asked:
	case err := <-ended:
		t.Fatal(err)
	}
	r.signal("one", syscall.SIGKILL)
	r.fetcher("one")
	t.Cleanup(func() { r.signal("one", syscall.SIGKILL) })
	if err := <-ended; fetch.KindOf(err) != fetch.Denied {
		t.Errorf("got %v for a download that may be used up, want %v", err, fetch.Denied)
	}
	// A client that has gone comes back for the answer.
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		_, err := get(ctx, "/file")
		ended <- err
	}()
	if path := <-asked; path != "/file" {
		t.Errorf("got a request for %s, want none but for /file", path)
	}
	cancel()
	<-ended
	if got, err := get(t.Context(), "/file"); err != nil || !bytes.Equal(got, siteOctets("/file")) {
		t.Errorf("got %d octets, %v; want those of the host", len(got), err)
	}
	if len(asked) > 0 {
		t.Errorf("got a second request for %s, want none", <-asked)
	}
}
