//go:build linux

package fleet_test

import (
	"bytes"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/go-extbody/extbody/examples/extbody/internal/fleet"
	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/throttle"
)

// TestFullDisk is OP-51: after a body for which the disk of a fetcher had no room it asks no host, of the requests
// that wait for their turns as well. It leaves them to another fetcher, or reports itself as away, until it has
// room.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	db := postgres(t)
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=2m"); err != nil {
		t.Skip("no file system to fill: ", err)
	}
	t.Cleanup(func() { unix.Unmount(dir, 0) })
	filler := filepath.Join(dir, "filler")
	must(t, os.WriteFile(filler, make([]byte, 2<<20-32<<10), 0o600))

	open, release := make(chan struct{}), make(chan struct{})
	big := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Write(bytes.Repeat([]byte("x"), 500<<10))
	}))
	t.Cleanup(big.Close)
	s := newSite(t)
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			close(open)
			<-release
		}
		s.serve(w, r)
	}))
	t.Cleanup(slow.Close)
	allowed := ports(big, s.Server, slow)
	workerIn(t, dir, db.open(t), "one", allowed, throttle.Options{PerHost: 1})
	tier := db.open(t)
	f := client(t, tier, allowed)
	by := func(url, worker string) {
		t.Helper()
		var said []*fetch.Exchange
		err := get(t.Context(), f, url, func(x *fetch.Exchange) { said = append(said, x) })
		if err != nil || len(said) != 1 || said[0].By != worker {
			t.Errorf("%s: got %v and %d exchanges, want one of the fetcher %s", url, err, len(said), worker)
		}
	}

	var waiting sync.WaitGroup
	waiting.Go(func() { by(slow.URL+"/slow", "one") })
	<-open
	waiting.Go(func() { by(slow.URL+"/waits", "two") })
	for running := int64(0); running < 2; time.Sleep(10 * time.Millisecond) {
		status, err := tier.Status(t.Context())
		must(t, err)
		running = 0
		for _, j := range status.Jobs {
			if j.State == "running" {
				running = j.Count
			}
		}
	}
	if err := get(t.Context(), f, big.URL+"/big"); fetch.KindOf(err) != fetch.Local {
		t.Errorf("got %v for a body without room, want %v", err, fetch.Local)
	}
	close(release)
	stopTwo := worker(t, db.open(t), "two", allowed)
	waiting.Wait()
	by(s.URL+"/other", "two")
	stopTwo()
	err := get(t.Context(), f, s.URL+"/alone")
	if away, ok := errors.AsType[*fleet.Away](err); !ok || away.Of != "fetcher" || len(s.asked()) != 3 {
		t.Errorf("got %v after requests for %q, want that no fetcher is there, and 3", err, s.asked())
	}
	must(t, os.Remove(filler))
	by(s.URL+"/room", "one")
}
