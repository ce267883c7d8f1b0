package serve

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/policy"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/fleet"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/inspect"
	operator "github.com/go-extbody/extbody/examples/extbody/internal/gateway/page"
	core "github.com/go-extbody/extbody/examples/extbody/internal/gateway/serve"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/fetch/throttle"
)

// A server is a run of serve. Its methods are called in the order in which they are here: open, wire,
// listen, start, steer, drain and close.
type server struct {
	*flags
	logger   *slog.Logger
	registry *prometheus.Registry
	numbers  *core.Metrics
	started  time.Time
	warnings []string // of parts that could not be opened

	inspector *inspect.Inspector
	resolving *policy.Engine
	deferrals *inspect.Deferrals
	engine    *core.Engine
	capturing *archive.Incoming // nil without --archive

	doors     []front
	listeners []net.Listener
	running   sync.WaitGroup
	unwatch   context.CancelFunc
	ended     chan error
	draining  atomic.Bool

	closers []func() // of all that was opened, in that order
}

func newServer(s *flags, logger *slog.Logger) *server {
	v := &server{flags: s, logger: logger, registry: NewRegistry(), started: time.Now()}
	v.numbers = core.NewMetrics(v.registry)
	return v
}

func (v *server) warn(err error) {
	v.warnings = append(v.warnings, err.Error())
	v.logger.Error(err.Error())
}

// open opens the parts by which messages are looked at.
func (v *server) open(errw io.Writer) error {
	if err := usable(v.tempDir); err != nil {
		v.warn(fmt.Errorf("--temp-dir cannot be used, so the system's temporary folder is used instead: %w", err))
		v.tempDir = ""
	}
	v.Policy.Polite = throttle.Options{PerHost: v.perHost, Fetches: v.fetchesAtOnce}
	v.Policy.Cache.Exchanges = v.archive != ""
	v.Policy.Cache.Failed = func(err error) { v.engine.Failed(core.NoCache, err.Error()) }
	bounds := inspect.PoolOptions{Fetches: v.fetchesAtOnce, Pending: v.pending, PerSource: v.perClient}
	in, resolving, closeAll, err := v.Inspector(bounds, v.numbers.Observe, errw, v.warn)
	if err != nil {
		return err
	}
	v.closers = append(v.closers, closeAll)
	in.TempDir = v.tempDir
	v.inspector = in
	v.resolving = resolving
	v.deferrals, err = inspect.NewDeferrals(v.Policy.Cache.Dir)
	if err != nil {
		v.warn(fmt.Errorf("deferred messages are remembered only in memory and forgotten at a restart: %w", err))
	}
	v.closers = append(v.closers, func() { v.deferrals.Close() })
	if resolving.Fleet != nil {
		v.deferrals.Share(resolving.Fleet.Defer)
		resolving.Fleet.Patience = v.wait / 2
	}
	return nil
}

// wire makes the engine of the parts, and the numbers that are computed of them.
func (v *server) wire(rules *inspect.Policy) {
	v.engine = core.New(core.Options{
		Found: v.found, Inspector: v.inspector, Deferrals: v.deferrals, Name: v.name, Messages: v.messages, MaxMessage: int64(v.maxMessage),
		TempDir: v.tempDir, LogRecipients: v.logRecipients, Log: v.logger.Info, Metrics: v.numbers,
		Inline: rewrite.InlineOptions{Resolver: v.inspector.Resolver, Attach: !v.Policy.Standard(), TempDir: v.tempDir},
	}, rules)
	if v.archive != "" {
		v.capturing = &archive.Incoming{
			Dir: v.archive, Name: archive.IncomingName(v.name), Resolver: v.inspector.Resolver, Login: v.Policy.Identity,
		}
		h := newHandover(v.capturing, v.engine, v.numbers)
		go h.run()
		v.closers = append(v.closers, func() { h.close(drainTime) })
		v.inspector.Keep = h.keep
	}
	v.gauges(v.registry, v.engine, v.inspector, v.deferrals, v.resolving.Hosts, v.degraded)
}

// found notes in the fleet the findings in a message.
func (v *server) found(sums []string, queueID, messageID string) {
	f := fleet.Finding{Server: v.name, QueueID: queueID, MessageID: messageID}
	if v.resolving.Fleet != nil && !v.resolving.Fleet.Find(sums, f) {
		v.engine.Failed(core.NoFindings, "")
	}
}

// degraded names the parts that do not work.
func (v *server) degraded() []string {
	list := append(slices.Clip(v.warnings), v.engine.Failing()...)
	if v.deferrals.Failed() {
		list = append(list, "deferred messages cannot be written down")
	}
	return list
}

// ready reports whether the server takes mail, for those who balance load.
func (v *server) ready() bool {
	if v.draining.Load() || v.engine.Blind() {
		return false
	}
	return !v.readyWhole || len(v.degraded()) == 0
}

// facts are for the operator's page.
func (v *server) facts() operator.Facts {
	pool := v.inspector.Pool
	remembered, _ := pool.Remembered()
	f := operator.Facts{
		Now: time.Now(), Started: v.started, Version: record.Version(), Rules: len(v.engine.Policy().Rules), Warnings: v.degraded(),
		Active: v.engine.Active(), Pending: pool.Pending(), Remembered: remembered, Deferred: v.deferrals.Len(), Hosts: v.resolving.Hosts.Hosts(),
		Last: v.engine.Last(), Totals: v.engine.Totals(), Recipients: v.logRecipients, Parts: v.parts(),
	}
	if v.File != "" {
		f.Policy = filepath.Base(v.File) + " of " + v.engine.Policy().Read.UTC().Format("2006-01-02 15:04:05")
	}
	return f
}

// parts returns the parts of the server that it may do without, and their states.
func (v *server) parts() (list []operator.Part) {
	fails := v.engine.Parts()
	hasFleet := v.resolving.Fleet != nil
	for _, p := range []struct {
		name, key, where string
		used             bool
	}{
		{"scanner", "scanner", v.Scanner(), v.inspector.Scanner != nil},
		{"cache", "cache", v.Policy.Cache.Dir, v.Policy.Cache.Dir != ""},
		{"fleet", "fleet", "its database and its bucket", hasFleet},
		{"fetchers of the fleet", "fetcher", "they make its requests", hasFleet},
		{"archive", "archive", v.archive, v.archive != ""},
		{"disk for messages and bodies", "disk", cmp.Or(v.tempDir, os.TempDir()), true},
	} {
		state := "works: " + p.where
		switch {
		case !p.used:
			state = "none"
		case fails[p.key]():
			state = "fails: " + p.where
		}
		list = append(list, operator.Part{Name: p.name, State: state})
	}
	return list
}

// listen opens the sockets of the front ends.
func (v *server) listen() (err error) {
	v.doors = v.fronts(v.engine, v.registry, v.facts, v.ready)
	v.listeners, err = listenAll(v.doors, func(front string, err error) {
		if v.engine.Failed(core.NoRoom, err.Error()) {
			v.logger.Error("there is no room for more connections: they wait until others end", "front", front, "error", err.Error())
		}
	})
	return err
}

// start looks after the parts, and serves.
func (v *server) start() {
	var watching context.Context
	watching, v.unwatch = context.WithCancel(context.Background())
	look := func(part string, check func(context.Context) error) {
		v.running.Go(func() { watch(watching, v.engine, v.logger, part, check) })
	}
	if v.resolving.Fleet != nil {
		look(core.NoFleet, v.resolving.Fleet.Check)
	}
	if v.capturing != nil {
		look(core.NoArchive, patient(v.capturing.Check, handoverSlow))
	}
	if v.inspector.Scanner != nil {
		look(core.NoScanner, v.inspector.Scanner.Check)
	}
	v.ended = make(chan error, len(v.doors))
	for i, f := range v.doors {
		v.logger.Info("listening", "front", f.name, "address", v.listeners[i].Addr().String())
		v.running.Go(func() { v.ended <- f.server.Serve(v.listeners[i]) })
	}
}

// steer waits until ctx or a front end ends, whose error it returns. It reads the policy again after
// each of the hangups.
func (v *server) steer(ctx context.Context, hangups <-chan os.Signal) error {
	again := time.NewTicker(time.Minute)
	defer again.Stop()
	for {
		select {
		case <-again.C:
			if list := v.degraded(); len(list) > 0 {
				v.logger.Error("the server does without something", "degraded", list)
			}
		case <-hangups:
			v.reload()
		case err := <-v.ended:
			return err
		case <-ctx.Done():
			return nil
		}
	}
}

// reload reads the policy again. One with a mistake changes nothing.
func (v *server) reload() {
	v.resolving.Hosts.Reset()
	p, err := v.readPolicy()
	if err == nil && len(p.Rules) == 0 && len(v.engine.Policy().Rules) > 0 {
		// A file that is being written can be empty for a moment.
		err = fmt.Errorf("%s: it has no rules, and the old policy has: to do without rules, start the program again", v.File)
	}
	v.numbers.Reloaded(err)
	if err != nil {
		v.logger.Error("the policy was not read, and the old one stays in force", "error", err.Error())
		return
	}
	v.engine.SetPolicy(p)
	v.remark(v.logger, p)
	v.logger.Info("the policy was read", "rules", len(p.Rules))
}

// drainTime is how long the server waits for its clients to end, in addition to the time
// that they may wait for fetches.
const drainTime = time.Second

// drain waits until the messages that were taken are answered.
func (v *server) drain() {
	v.draining.Store(true)
	v.logger.Info("draining", "messages", v.engine.Active())
	wait := max(v.wait, v.httpWait)
	limit, stop := context.WithTimeout(context.Background(), wait+drainTime)
	defer stop()
	// A question may ask for more time than that. It is answered when the time is over.
	defer time.AfterFunc(wait, v.engine.Hurry).Stop()
	var drains sync.WaitGroup
	for _, f := range v.doors {
		drains.Go(func() { f.server.Drain(limit) })
	}
	drains.Wait()
	v.unwatch()
	v.running.Wait()
}

// close closes all that was opened, the last first.
func (v *server) close() {
	for _, c := range slices.Backward(v.closers) {
		c()
	}
}
