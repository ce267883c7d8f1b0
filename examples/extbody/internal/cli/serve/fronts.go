package serve

import (
	"context"
	"fmt"
	"log"
	"net"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/httpfront"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/inspect"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/listen"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/lmtpfront"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/milterfront"
	operator "github.com/go-extbody/extbody/examples/extbody/internal/gateway/page"
	core "github.com/go-extbody/extbody/examples/extbody/internal/gateway/serve"
	"github.com/go-extbody/extbody/fetch/throttle"
)

// maxRequestHeader bounds the header of a question, in octets. It has room for all
// recipients that a mail server accepts for a message. A message with many recipients
// does not evade the check.
const maxRequestHeader = 384 << 10

// NewRegistry returns a registry with the numbers of the process, and the version of the program as a label.
func NewRegistry() *prometheus.Registry {
	r := prometheus.NewRegistry()
	r.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "extbody_build_info", Help: "1, with the version of the program and of Go.",
		ConstLabels: prometheus.Labels{"version": strings.TrimPrefix(record.Version(), "extbody "), "goversion": runtime.Version()},
	})
	build.Set(1)
	r.MustRegister(build)
	return r
}

// Exposition returns a server of /metrics with the numbers of r, of /healthz and /readyz, and of
// page at /. names are the names of the host; see [httpfront.Local].
func Exposition(r *prometheus.Registry, names []string, ready func() bool, page http.Handler) *httpfront.Server {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(r, promhttp.HandlerOpts{}))
	mux.Handle("GET /{$}", httpfront.Pages(names, page))
	httpfront.Health(mux, ready)
	return web(httpfront.Local(names, mux), 10*time.Second)
}

func web(h http.Handler, readTimeout time.Duration) *httpfront.Server {
	return httpfront.Serving(&http.Server{
		Handler: h, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: readTimeout, IdleTimeout: 2 * time.Minute,
		WriteTimeout:   readTimeout + httpfront.MaxWait + time.Minute,
		MaxHeaderBytes: maxRequestHeader, ErrorLog: log.Default(),
	})
}

// listenAll opens the listeners of all front ends. If one cannot be opened, it closes the
// others and returns the error. It calls full when no more connections fit at a front
// end.
func listenAll(fronts []front, full func(front string, err error)) ([]net.Listener, error) {
	for _, f := range fronts {
		if err := listen.Check(f.address); err != nil {
			return nil, exit.Mistake(fmt.Errorf("--%s: %w", f.name, err))
		}
	}
	var list []net.Listener
	for _, f := range fronts {
		l, err := listen.Open(f.address)
		if err != nil {
			for _, l := range list {
				l.Close()
			}
			return nil, fmt.Errorf("--%s: %w", f.name, err)
		}
		list = append(list, listen.Patient(l, func(err error) { full(f.name, err) }))
	}
	return list, nil
}

// A front is a front end with its address.
type front struct {
	name, address string
	server        interface {
		Serve(net.Listener) error
		Drain(context.Context)
	}
}

// fronts returns the front ends that the flags name.
func (s *flags) fronts(e *core.Engine, registry *prometheus.Registry, facts func() operator.Facts, ready func() bool) []front {
	return slices.DeleteFunc([]front{
		{httpfront.Name, s.http, web(httpfront.Local(s.names(), httpfront.New(e, s.httpWait, ready)), 2*time.Minute)},
		{"metrics", s.metrics, Exposition(registry, s.names(), ready, operator.Handler(facts))},
		{lmtpfront.Name, s.lmtp, lmtpfront.New(e, lmtpfront.Options{Next: s.next, Name: s.name, Wait: s.wait})},
		{milterfront.Name, s.milter, milterfront.New(e, s.wait, s.milterBodies)},
	}, func(f front) bool { return f.address == "" })
}

// names returns the names by which clients may ask for this host.
func (s *flags) names() []string { return append([]string{s.name}, s.acceptHosts...) }

// gauges registers the numbers that are computed when they are read.
func (s *flags) gauges(
	r *prometheus.Registry, e *core.Engine, in *inspect.Inspector, d *inspect.Deferrals, state *throttle.State, degraded func() []string,
) {
	number := func(name, help string, f func() int) {
		core.Gauge(r, name, help, func() float64 { return float64(f()) })
	}
	number("messages_active", "Messages that are looked at.", e.Active)
	number("queue_pending", "Bodies that are being looked for, or wait for that.", in.Pool.Pending)
	number("cache_remembered", "Outcomes that are remembered.", func() int { n, _ := in.Pool.Remembered(); return n })
	number(
		"cache_remembered_octets", "Octets of memory that these outcomes have, about.",
		func() int { _, n := in.Pool.Remembered(); return int(n) },
	)
	number("deferred_messages", "Messages that were deferred and are remembered.", d.Len)
	number("hosts_left_alone", "Hosts that are down, or want no requests for now.", func() int {
		n := 0
		now := time.Now()
		for _, h := range state.Hosts() {
			if h.Down.After(now) || h.After.After(now) {
				n++
			}
		}
		return n
	})
	for part, fails := range e.Parts() {
		r.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "extbody_part_failing", Help: "1 if a part of the server failed in the last minute.", ConstLabels: prometheus.Labels{"part": part},
		}, func() float64 {
			if fails() {
				return 1
			}
			return 0
		}))
	}
	number(
		"degraded",
		"1 if the server does without something that it was to have, such as its cache, its scanner or its disk.",
		func() int { return min(len(degraded()), 1) },
	)
}
