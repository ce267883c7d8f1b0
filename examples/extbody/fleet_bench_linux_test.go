package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/go-extbody/extbody/examples/extbody/internal/fleet"
	"github.com/go-extbody/extbody/examples/extbody/internal/store"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/cache"
	"github.com/go-extbody/extbody/fetch/netguard"
	"github.com/go-extbody/extbody/fetch/safefetch"
	"github.com/go-extbody/extbody/internal/testkit/daemons"
)

// A fleetTier is a fleet on loopback, whose fetchers are processes.
type fleetTier struct {
	t     testing.TB
	db    *daemons.Postgres
	flags []string
	allow []string
	guard *netguard.Guard
}

// newFleetTier makes a fleet with its bodies in a bucket, or in a folder without versitygw.
func newFleetTier(t testing.TB, hosts ...*httptest.Server) *fleetTier {
	l := &fleetTier{t: t, db: daemons.StartPostgres(t), guard: &netguard.Guard{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}}
	must(t, fleet.Init(t.Context(), l.db.URL))
	place := "file://" + t.TempDir()
	if os.Getenv("EXTBODY_VERSITYGW") != "" {
		place = daemons.StartBucket(t).URL
	}
	l.flags = []string{"--fleet", l.db.URL, "--objects", place}
	l.allow = []string{"--allow-net", "127.0.0.0/8"}
	for _, s := range hosts {
		port := s.Listener.Addr().(*net.TCPAddr).Port
		l.guard.Ports = append(l.guard.Ports, uint16(port))
		l.allow = append(l.allow, "--allow-port", strconv.Itoa(port))
	}
	return l
}

// tier opens the tier.
func (l *fleetTier) tier() *fleet.Tier {
	tier, err := fleet.Open(l.t.Context(), l.flags[1], l.flags[3])
	must(l.t, err)
	l.t.Cleanup(tier.Close)
	return tier
}

// client returns a client of the fleet, and its tier.
func (l *fleetTier) client() (fetch.Fetcher, *fleet.Tier) {
	tier := l.tier()
	c := fleet.NewClient(tier)
	l.t.Cleanup(c.Close)
	return safefetch.New(&safefetch.Options{Guard: l.guard, Remote: c.Remote, Cache: c.Store()}), tier
}

// fetcher starts a fetcher, and returns when it takes jobs.
func (l *fleetTier) fetcher(name string, more ...string) *exec.Cmd {
	cmd := exec.Command(executable(l.t), slices.Concat([]string{"fetcher", "--name", name}, l.flags, l.allow, more)...)
	must(l.t, cmd.Start())
	l.t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	tier := l.tier()
	for range 300 {
		s, err := tier.Status(l.t.Context())
		if err == nil && slices.ContainsFunc(s.Workers, func(m fleet.Member) bool { return m.Name == name }) {
			return cmd
		}
		time.Sleep(100 * time.Millisecond)
	}
	l.t.Fatal("the fetcher does not begin")
	return nil
}

// fetched fetches a URL, and compares the octets.
func fetched(ctx context.Context, f fetch.Fetcher, text string, want [sha256.Size]byte) error {
	u, err := url.Parse(text)
	if err != nil {
		return err
	}
	resp, err := f.Fetch(ctx, &fetch.Request{URL: u, MaxBytes: -1})
	if err != nil {
		return err
	}
	sum := sha256.New()
	_, err = io.Copy(sum, resp.Body)
	if err == nil && [sha256.Size]byte(sum.Sum(nil)) != want {
		err = errors.New("got other octets than those of the host")
	}
	return errors.Join(err, resp.Body.Close())
}

// BenchmarkFleetWorkers has 480 bodies fetched from 48 hosts that take a second each, by one
// fetcher and then by three, each of which makes 16 requests at a time.
func BenchmarkFleetWorkers(b *testing.B) {
	const hosts, each = 48, 10
	var sites []*httptest.Server
	for range hosts {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(time.Second)
			w.Write(siteOctets(r.URL.Path))
		}))
		b.Cleanup(s.Close)
		sites = append(sites, s)
	}
	for b.Loop() {
		var took [2]time.Duration
		for i, workers := range []int{1, 3} {
			l := newFleetTier(b, sites...)
			for n := range workers {
				l.fetcher(fmt.Sprint("w", n), "--fetches", "16", "--per-host", "2")
			}
			f, _ := l.client()
			begun := time.Now()
			var wg sync.WaitGroup
			for n := range hosts * each {
				wg.Go(func() {
					path := fmt.Sprintf("/%d", n)
					if err := fetched(b.Context(), f, sites[n%hosts].URL+path, sha256.Sum256(siteOctets(path))); err != nil {
						b.Error(err)
					}
				})
			}
			wg.Wait()
			took[i] = time.Since(begun)
		}
		b.ReportMetric(took[0].Seconds(), "s/one")
		b.ReportMetric(took[1].Seconds(), "s/three")
		b.ReportMetric(took[0].Seconds()/took[1].Seconds(), "times")
	}
}

// BenchmarkFleetStored reads a stored answer through a fleet and from a local cache, in turns
// with a bare query and a read of its object, and a stored body of 64 MiB through a fleet and as
// its bucket gives it.
func BenchmarkFleetStored(b *testing.B) {
	small, large := bytes.Repeat([]byte("octets"), 40_000/6), bytes.Repeat([]byte("0123456789abcdef"), 64<<20/16)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "max-age=3600")
		if r.URL.Path == "/large" {
			w.Write(large)
		} else {
			w.Write(small)
		}
	}))
	b.Cleanup(s.Close)
	l := newFleetTier(b, s)
	worker := l.fetcher("one")
	f, _ := l.client()
	kept, err := cache.Dir(b.TempDir(), 1<<30)
	must(b, err)
	local := safefetch.New(&safefetch.Options{Guard: l.guard, Cache: kept})
	bucket, err := store.Open(l.flags[3], 0)
	must(b, err)
	conn, err := pgx.Connect(b.Context(), l.db.URL)
	must(b, err)
	defer conn.Close(b.Context())
	for name, octets := range map[string][]byte{"0000": large, "0001": small} {
		must(b, bucket.Put(b.Context(), name, int64(len(octets)), bytes.NewReader(octets)))
	}
	smallSum, largeSum := sha256.Sum256(small), sha256.Sum256(large)
	timed := func(get func() error) time.Duration {
		begun := time.Now()
		must(b, get())
		return time.Since(begun)
	}
	ours := func() error { return fetched(b.Context(), f, s.URL+"/small", smallSum) }
	theirs := func() error { return fetched(b.Context(), local, s.URL+"/small", smallSum) }
	oursLarge := func() error { return fetched(b.Context(), f, s.URL+"/large", largeSum) }
	object := func(name string, want [sha256.Size]byte) error {
		r, _, err := bucket.Open(b.Context(), name)
		if err != nil {
			return err
		}
		defer r.Close()
		sum := sha256.New()
		if _, err := io.Copy(sum, r); err != nil || [sha256.Size]byte(sum.Sum(nil)) != want {
			return errors.Join(err, errors.New("got other octets"))
		}
		return nil
	}
	bare := func() error {
		var one int
		return errors.Join(conn.QueryRow(b.Context(), "SELECT 1").Scan(&one), object("0001", smallSum))
	}
	bareLarge := func() error { return object("0000", largeSum) }
	for _, get := range []func() error{ours, theirs, bare, oursLarge, bareLarge} {
		must(b, get())
	}
	var stored, cached, least, large1, large2 []time.Duration
	for b.Loop() {
		for range 500 {
			stored, cached, least = append(stored, timed(ours)), append(cached, timed(theirs)), append(least, timed(bare))
		}
		for range 10 {
			large1, large2 = append(large1, timed(oursLarge)), append(large2, timed(bareLarge))
		}
	}
	b.ReportMetric(percentile(stored, 99), "ms-p99/fleet")
	b.ReportMetric(percentile(cached, 99), "ms-p99/local")
	b.ReportMetric(percentile(least, 99), "ms-p99/bare")
	b.ReportMetric(percentile(stored, 50)-percentile(cached, 50), "ms-p50-added")
	b.ReportMetric(percentile(stored, 99)-percentile(cached, 99), "ms-p99-added")
	b.ReportMetric(percentile(large2, 50)/percentile(large1, 50), "of-the-bucket's-rate")
	b.ReportMetric(64/percentile(large1, 50)*1000, "MiB/s")
	b.ReportMetric(float64(peak(worker))/(1<<20), "MiB-worker")
}

// BenchmarkFleetMemory gets 1,000 files of 200 kB and one of 256 MiB with get, through a fleet
// and then without one.
func BenchmarkFleetMemory(b *testing.B) {
	piece := bytes.Repeat([]byte("0123456789abcdef"), 1<<16)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		if r.URL.Path != "/large" {
			w.Write(piece[:200_000])
			return
		}
		for range 256 {
			w.Write(piece)
		}
	}))
	b.Cleanup(s.Close)
	l := newFleetTier(b, s)
	worker := l.fetcher("one", "--max-bytes", "1GiB", "--per-host", "16")
	urls := []string{s.URL + "/large"}
	for i := range 1000 {
		urls = append(urls, fmt.Sprintf("%s/%d", s.URL, i))
	}
	// get returns the most memory of a get.
	get := func(flags []string) (most float64) {
		dir := b.TempDir()
		cmd := exec.Command(executable(b), slices.Concat([]string{"get", "-o", dir, "--max-bytes", "1GiB"}, flags, l.allow)...)
		cmd.Stdin = strings.NewReader(box(urls...))
		most = float64(measure(b, cmd).rss) / (1 << 20)
		files, err := filepath.Glob(filepath.Join(dir, "*"))
		must(b, err)
		var octets int64
		for _, name := range files {
			if info, err := os.Stat(name); err == nil {
				octets += info.Size()
			}
		}
		if want := int64(256<<20 + 1000*200_000); octets != want {
			b.Errorf("got %d octets in %d files, want %d", octets, len(files), want)
		}
		return most
	}
	for b.Loop() {
		b.ReportMetric(get(l.flags), "MiB-client")
		b.ReportMetric(get(nil), "MiB-without-fleet")
		b.ReportMetric(float64(peak(worker))/(1<<20), "MiB-worker")
	}
}

// BenchmarkFleetAway sends mails by LMTP while PostgreSQL is gone, and while it hangs. Beside it
// are those while it is there and no fetcher.
func BenchmarkFleetAway(b *testing.B) {
	const wait, mails = 300 * time.Millisecond, 30
	s := httptest.NewServer(http.NotFoundHandler())
	b.Cleanup(s.Close)
	l := newFleetTier(b, s)
	hop := startNextHop(b)
	d := newDaemon(b, "[[rule]]\nname = \"n\"\naction = \"none\"\n")
	d.args = slices.Concat(d.args, []string{"--lmtp", d.path("lmtp"), "--lmtp-next", hop.address, "--wait", wait.String()}, l.flags, l.allow)
	d.start()
	n := 0
	send := func() (list []time.Duration) {
		for range mails {
			n++
			begun := time.Now()
			if !try(d.path("lmtp"), refersTo(fmt.Sprintf("%s/%d", s.URL, n), n)) {
				b.Fatal("a mail was not taken")
			}
			list = append(list, time.Since(begun)-wait)
		}
		return list
	}
	for b.Loop() {
		b.ReportMetric(percentile(send(), 100), "ms-over-wait/there")
		l.db.Signal(syscall.SIGSTOP)
		b.ReportMetric(percentile(send(), 100), "ms-over-wait/hangs")
		l.db.Signal(syscall.SIGCONT)
		l.db.Kill()
		b.ReportMetric(percentile(send(), 100), "ms-over-wait/gone")
		l.db.Start(b)
		hop.mu.Lock()
		if len(hop.mail) < 3*mails {
			b.Errorf("got %d mails at the next hop, want %d", len(hop.mail), 3*mails)
		}
		hop.mu.Unlock()
	}
}
