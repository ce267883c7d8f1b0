package serve

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/go-extbody/extbody/examples/extbody/internal/fleet"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/inspect"
	core "github.com/go-extbody/extbody/examples/extbody/internal/gateway/serve"
)

// A part that was back before anybody looked, and that mail had found missing, works again at the
// next look.
func TestWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		engine := core.New(core.Options{Inspector: new(inspect.Inspector), Metrics: core.NewMetrics(prometheus.NewRegistry())}, new(inspect.Policy))
		ctx, cancel := context.WithCancel(t.Context())
		go watch(ctx, engine, slog.New(slog.DiscardHandler), core.NoFleet, func(context.Context) error { return nil })
		synctest.Wait()
		engine.Failed(core.NoFleet, "the database is away")
		if !engine.Blind() {
			t.Error("got a server that can judge, want none")
		}
		time.Sleep(watchTime + time.Millisecond)
		if engine.Blind() {
			t.Errorf("got %v after a look, want nothing", engine.Failing())
		}
		cancel()
	})
}

// A file that a mail finds missing is known by its name.
func TestFleetFetcher(t *testing.T) {
	if got := (&fleet.Away{Of: "fetcher"}).Part(); got != inspect.FleetFetcher {
		t.Errorf("got %q, want %q", got, inspect.FleetFetcher)
	}
}
