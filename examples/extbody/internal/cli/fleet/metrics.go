package fleet

import (
	"context"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/serve"
	"github.com/go-extbody/extbody/examples/extbody/internal/fleet"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/listen"
)

// expose shows the numbers of a worker and of its tier at an address, "" for none, until stop is
// called.
func expose(address string, names []string, tier *fleet.Tier, w *fleet.Worker) (stop func(), err error) {
	if address == "" {
		return func() {}, nil
	}
	l, err := listen.Open(address)
	if err != nil {
		return nil, err
	}
	r := serve.NewRegistry()
	r.MustRegister(&numbers{tier, w})
	server := serve.Exposition(r, names, w.Ready, http.NotFoundHandler())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		server.Serve(l)
	}()
	return func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		server.Drain(ctx)
		<-ended
	}, nil
}

// numbers collects when it is asked.
type numbers struct {
	tier   *fleet.Tier
	worker *fleet.Worker
}

func describe(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("extbody_fleet_"+name, help, labels, nil)
}

var (
	up       = describe("database_up", "1 if the database answers.")
	owned    = describe("hosts_owned", "Hosts that this fetcher alone may contact now.")
	running  = describe("requests", "Requests that this fetcher makes now.")
	bucket   = describe("bucket_up", "1 unless the bucket did not take the last body, nor a probe since.")
	overlaps = describe("overlaps_total", "Requests that another fetcher had taken over while this one still made them.")
	jobs     = describe("jobs", "Requests of the fleet, by state.", "state")
	age      = describe("oldest_seconds", "Age of the oldest request, by state.", "state")
	wait     = describe(
		"host_wait_seconds", "How long the oldest request for a host waits, for the 20 hosts where that is longest.",
		"host",
	)
	fetchers = describe("fetchers", "Fetchers that were there within the last 10 seconds.")
	entries  = describe("stored_answers", "Stored answers.")
	octets   = describe("stored_octets", "Octets of the bodies of stored answers.")
)

// Describe implements prometheus.Collector.
func (n *numbers) Describe(c chan<- *prometheus.Desc) { c <- up }

// maxScrape bounds the time of the questions to the database.
const maxScrape = 5 * time.Second

// Collect implements prometheus.Collector. Without the database it gives the numbers of the
// worker alone.
func (n *numbers) Collect(c chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		c <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	hosts, current, late := n.worker.Load()
	gauge(owned, float64(hosts))
	taking := 1.0
	if n.tier.BucketFails() {
		taking = 0
	}
	gauge(bucket, taking)
	gauge(running, float64(current))
	c <- prometheus.MustNewConstMetric(overlaps, prometheus.CounterValue, float64(late))
	ctx, cancel := context.WithTimeout(context.Background(), maxScrape)
	defer cancel()
	s, err := n.tier.Status(ctx)
	if err != nil {
		gauge(up, 0)
		return
	}
	gauge(up, 1)
	for _, j := range s.Jobs {
		gauge(jobs, float64(j.Count), j.State)
		gauge(age, s.Now.Sub(j.Oldest).Seconds(), j.State)
	}
	for _, q := range s.Waiting {
		gauge(wait, s.Now.Sub(q.Oldest).Seconds(), q.Host)
	}
	there := 0
	for _, w := range s.Workers {
		if s.Now.Sub(w.Seen) < fleet.SessionTime {
			there++
		}
	}
	gauge(fetchers, float64(there))
	gauge(entries, float64(s.Entries))
	gauge(octets, float64(s.Octets))
}
