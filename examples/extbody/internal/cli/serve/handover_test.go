package serve

import (
	"context"
	"errors"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/inspect"
	core "github.com/go-extbody/extbody/examples/extbody/internal/gateway/serve"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// asking returns a Resolver whose server has one body, and an exchange about it.
func asking() *externalbody.Resolver {
	mux := new(fetch.Mux)
	mux.Handle("https", fetch.Func(func(_ context.Context, req *fetch.Request) (*fetch.Response, error) {
		x := &fetch.Exchange{Protocol: "http", URL: "https://a.example/f", Started: time.Now(), Ended: time.Now(), Status: 200}
		req.Observe(x)
		return &fetch.Response{URL: req.URL, MediaType: "text/plain", Size: 5, Body: io.NopCloser(strings.NewReader("hello"))}, nil
	}))
	return &externalbody.Resolver{Fetcher: mux}
}

// bodies returns n bodies that were fetched.
func bodies(t *testing.T, r *externalbody.Resolver, n int) (list []*inspect.Fetched) {
	t.Helper()
	const text = "Content-Type: message/external-body; access-type=url; url=\"https://a.example/f\"\r\n\r\nContent-Type: text/plain\r\n\r\n"
	for range n {
		msg, err := externalbody.Open(strings.NewReader(text), int64(len(text)), nil)
		if err != nil {
			t.Fatal(err)
		}
		for ref := range msg.References() {
			f := &inspect.Fetched{Ref: ref}
			c := *r
			c.Observe = func(_ *externalbody.Reference, x *fetch.Exchange) { f.Exchanges = append(f.Exchanges, x) }
			if f.Spool, err = c.SaveSpool(t.Context(), []*externalbody.Reference{ref}, ""); err != nil {
				t.Fatal(err)
			}
			list = append(list, f)
		}
	}
	return list
}

// handing returns a handover to an archive in a folder, and the numbers of its metrics.
func handing(dir string) (h *handover, engine *core.Engine, counted func(result string) int) {
	registry := prometheus.NewRegistry()
	metrics := core.NewMetrics(registry)
	engine = core.New(core.Options{Inspector: new(inspect.Inspector), Metrics: metrics}, new(inspect.Policy))
	in := &archive.Incoming{Dir: dir, Name: "mx1", Resolver: asking(), Login: func(*url.URL) string { return "" }}
	return newHandover(in, engine, metrics), engine, func(result string) int {
		families, _ := registry.Gather()
		for _, f := range families {
			for _, m := range f.Metric {
				if f.GetName() == "extbody_captures_total" && m.Label[0].GetValue() == result {
					return int(m.Counter.GetValue())
				}
			}
		}
		return -1
	}
}

func failing(e *core.Engine, text string) bool {
	return slices.ContainsFunc(e.Failing(), func(s string) bool {
		return strings.HasPrefix(s, core.NoArchive) && strings.Contains(s, text)
	})
}

// A folder that is full or away fails, and the bodies that wait are handed over when
// it is back.
func TestHandoverAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, engine, counted := handing("")
		full := atomic.Bool{}
		full.Store(true)
		taken := 0
		h.put = func(_ *archive.Entry, r io.Reader) error {
			if full.Load() {
				return &os.PathError{Op: "write", Path: "/a", Err: syscall.ENOSPC}
			}
			text, err := io.ReadAll(r)
			if string(text) == "hello" {
				taken++
			}
			return err
		}
		go h.run()
		for _, f := range bodies(t, h.in.Resolver, 3) {
			h.keep(f)
		}
		synctest.Wait()
		if !failing(engine, "no space") || taken > 0 || counted(core.CaptureHanded) != 0 {
			t.Errorf("got %v, want the archive to fail", engine.Failing())
		}
		time.Sleep(2 * time.Minute)
		if !failing(engine, "") {
			t.Error("got no failure after two minutes without room")
		}
		full.Store(false)
		time.Sleep(h.again)
		synctest.Wait()
		if failing(engine, "") || taken != 3 || counted(core.CaptureHanded) != 3 || counted(core.CaptureLeft) != 0 {
			t.Errorf("got %v, %d taken, want all taken and no failure", engine.Failing(), taken)
		}
		h.close(time.Second)
	})
}

// A folder that never answers holds up no mail: bodies that do not fit are left, and the end does not wait
// for it.
func TestHandoverHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, engine, counted := handing("")
		gate := make(chan struct{})
		h.put = func(*archive.Entry, io.Reader) error { <-gate; return nil }
		go h.run()
		list := bodies(t, h.in.Resolver, maxHandovers+3)
		begun := time.Now()
		h.keep(list[0])
		synctest.Wait()
		time.Sleep(h.slow + time.Second)
		h.keep(list[1])
		if !failing(engine, errSilent.Error()) {
			t.Errorf("got %v, want a folder that does not answer", engine.Failing())
		}
		for _, f := range list[2:] {
			h.keep(f)
		}
		if counted(core.CaptureLeft) != 3 {
			t.Errorf("got %d left, want those for which there is no room", counted(core.CaptureLeft))
		}
		h.close(time.Second)
		if took := time.Since(begun); took != h.slow+2*time.Second {
			t.Errorf("got an end after %v, want no waiting beyond a second", took)
		}
		close(gate)
	})
}

// At the end the bodies that wait are tried once, and a body that comes later is
// left.
func TestHandoverEnds(t *testing.T) {
	for name, fails := range map[string]bool{"Works": false, "Fails": true} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if !fails {
				if err := os.Mkdir(filepath.Join(dir, "ledger"), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			h, _, counted := handing(dir)
			list := bodies(t, h.in.Resolver, 3)
			for _, f := range list[:2] {
				h.keep(f)
			}
			go h.run()
			h.close(time.Minute)
			h.keep(list[2])
			names, _ := filepath.Glob(filepath.Join(dir, "incoming", "mx1", "*"))
			handed, left, files := 2, 1, 4
			if fails {
				handed, left, files = 0, 3, 0
			}
			if counted(core.CaptureHanded) != handed || counted(core.CaptureLeft) != left || len(names) != files {
				t.Errorf("got %d handed over, %d left, %v; want %d, %d and %d files", counted(core.CaptureHanded), counted(core.CaptureLeft), names, handed, left, files)
			}
		})
	}
}

// A check that does not answer is an error, and is not made again before it does.
func TestPatient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate, calls := make(chan struct{}), 0
		check := patient(func() error { calls++; <-gate; return nil }, time.Second)
		for range 3 {
			if err := check(t.Context()); !errors.Is(err, errSilent) {
				t.Errorf("got %v, want %v", err, errSilent)
			}
		}
		close(gate)
		synctest.Wait()
		if err := check(t.Context()); err != nil || calls != 2 {
			t.Errorf("got %v after %d calls, want none after 2", err, calls)
		}
	})
}
