package inspect

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sys/unix"

	"github.com/go-extbody/extbody/fetch"
	"github.com/go-extbody/extbody/fetch/driver"
	"github.com/go-extbody/extbody/fetch/throttle"
)

// TestFullDisk is OP-51: after a body for which the disk had no room no host is asked, of the links that wait for
// their turns as well, until there is room again. Answers that have begun are read to their end.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=2m"); err != nil {
		t.Skip("no file system to fill: ", err)
	}
	t.Cleanup(func() { unix.Unmount(dir, 0) })
	filler := filepath.Join(dir, "filler")
	if err := os.WriteFile(filler, make([]byte, 2<<20-32<<10), 0o600); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		w := &web{gate: make(chan struct{})}
		in := newInspector(t, w, new(scanning), PoolOptions{})
		in.TempDir = dir
		in.Resolver.Fetcher = throttle.New(big{driver.Layer{Next: in.Resolver.Fetcher}}, &throttle.Options{PerHost: 1})
		want := func(step string, m *Message, verdict Verdict, kind fetch.Kind) {
			t.Helper()
			for _, r := range in.Inspect(t.Context(), m).Refs {
				if r.Judge() != verdict || r.Kind != kind {
					t.Errorf("%s: got %s, kind %v, want %s, %v", step, r.Judge(), r.Kind, verdict, kind)
				}
			}
		}
		asked := func(step, host string, n int) {
			t.Helper()
			if got := w.count(host); got != n {
				t.Errorf("%s: got %d requests of %s, want %d", step, got, host, n)
			}
		}
		go want("before", refersTo("https://slow.example/1"), Clean, 0)
		synctest.Wait()
		go want("waits for its turn", refersTo("https://slow.example/2"), Pending, fetch.Local)
		synctest.Wait()
		want("no room", refers("big.example"), Pending, fetch.Local)
		asked("no room", "big.example", 1)
		want("full", refers("good.example"), Pending, fetch.Local)
		want("in the message", refersTo("data:,hello"), Clean, 0)
		close(w.gate)
		synctest.Wait()
		asked("on its way", "slow.example", 1)
		time.Sleep(6 * time.Second)
		want("still full", refers("good.example"), Pending, fetch.Local)
		asked("still full", "good.example", 0)
		if err := os.Remove(filler); err != nil {
			t.Fatal(err)
		}
		time.Sleep(6 * time.Second)
		want("room", refers("good.example"), Clean, 0) // with the try: others are refused meanwhile
		want("room", refers("big.example"), Clean, 0)
		asked("room", "good.example", 1)
		asked("room", "big.example", 2)
	})
}

// A big adds bodies that need a file.
type big struct{ driver.Layer }

func (b big) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	resp, err := b.Layer.Fetch(ctx, req)
	if err == nil && req.URL.Host == "big.example" {
		resp.Size = -1
		resp.Body = io.NopCloser(strings.NewReader(fmt.Sprintf("%*d", 300<<10, 0)))
	}
	return resp, err
}
