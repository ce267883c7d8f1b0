package serve

import (
	"log"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/httpfront"
)

// NewRegistry returns a registry with the numbers of the process.
func NewRegistry() *prometheus.Registry {
	r := prometheus.NewRegistry()
	r.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return r
}

// Exposition returns a server of /metrics with the numbers of r, of /healthz and /readyz, and of
// page at /. name is the name of the host; see [httpfront.Local].
func Exposition(r *prometheus.Registry, name string, ready func() bool, page http.Handler) *httpfront.Server {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(r, promhttp.HandlerOpts{}))
	mux.Handle("GET /{$}", page)
	httpfront.Health(mux, ready)
	return web(httpfront.Local(name, mux), 10*time.Second)
}

func web(h http.Handler, readTimeout time.Duration) *httpfront.Server {
	return httpfront.Serving(&http.Server{
		Handler: h, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: readTimeout, IdleTimeout: 2 * time.Minute,
		WriteTimeout:   readTimeout + httpfront.MaxWait + time.Minute,
		MaxHeaderBytes: maxRequestHeader, ErrorLog: log.Default(),
	})
}
