package serve

import (
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/inspect"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// Metrics are the numbers of a server, for Prometheus. Their names start with
// extbody_.
type Metrics struct {
	messages   *prometheus.CounterVec
	verdicts   *prometheus.CounterVec
	unverified *prometheus.CounterVec
	busy       prometheus.Counter
	shadowed   *prometheus.CounterVec
	references *prometheus.CounterVec
	scans      *prometheus.CounterVec
	phases     *prometheus.HistogramVec
	fetches    *prometheus.CounterVec
	octets     prometheus.Counter
	reloads    *prometheus.CounterVec
	reloadOK   prometheus.Gauge
	ended      prometheus.Counter
	captures   *prometheus.CounterVec
	rules      labels
}

// maxRules bounds the rules that have a label of their own, over all policies that are read.
const maxRules = 200

// labels are the names of rules that are labels, which are never removed.
type labels struct {
	mu    sync.Mutex
	names map[string]bool
}

// of returns the label of a rule: its name, or "other" if there are too many.
func (l *labels) of(rule string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case rule == "", l.names[rule]:
		return rule
	case len(l.names) == maxRules:
		return "other"
	case l.names == nil:
		l.names = make(map[string]bool)
	}
	l.names[rule] = true
	return rule
}

// NewMetrics returns Metrics that are registered with r.
func NewMetrics(r prometheus.Registerer) *Metrics {
	counters := func(name, help string, labels ...string) *prometheus.CounterVec {
		c := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "extbody_" + name, Help: help}, labels)
		r.MustRegister(c)
		return c
	}
	m := &Metrics{
		messages:   counters("messages_total", "Decisions, by front end, action and rule, \"\" for none.", "front", "action", "rule"),
		verdicts:   counters("verdicts_total", "Decisions, by verdict.", "verdict"),
		unverified: counters("passed_unverified_total", "Decisions by which a message passed although its verdict was pending or unavailable: the server fails open.", "verdict"),
		shadowed:   counters("shadowed_total", "Matches of rules that did not act: in the modes shadow and tag, and where the action was not possible.", "rule"),
		references: counters("references_total", "References in messages, by what was known of them in time, and whether it was known before.", "state", "cached"),
		scans:      counters("scans_total", "References in messages whose body was had, by the outcome of the scan.", "outcome"),
		fetches:    counters("fetches_total", "Exchanges with servers, by the kind of failure, \"\" for none, and by who keeps the file.", "kind", "host_class"),
		reloads: counters(
			"policy_reloads_total", "Policies that were read on SIGHUP; with an error the old one stays in force.", "result",
		),
		phases: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "extbody_phase_seconds", Help: "Time for a message, by front end and phase.",
			Buckets: []float64{.0005, .001, .002, .005, .01, .02, .05, .1, .3, 1, 2, 5, 30, 120},
		}, []string{"front", "phase"}),
		octets:   counters("fetched_octets_total", "Octets that came from servers.").WithLabelValues(),
		ended:    counters("deferrals_ended_total", "Messages that were to be deferred and were not, because they had been often or long enough, or could not be remembered.").WithLabelValues(),
		captures: counters("captures_total", "Bodies that the policy wants to be captured at delivery: handed over to the archive, or left to its next run.", "result"),
		busy: counters(
			"passed_busy_total", "Decisions by which a message passed although there was no room to look for a body.",
		).WithLabelValues(),
	}
	m.reloadOK = prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "extbody_policy_reload_ok", Help: "1 if the policy was read the last time, at the start or on SIGHUP.",
	})
	m.reloadOK.Set(1)
	r.MustRegister(m.phases, m.reloadOK)
	// These counters exist from the start, so that the first count shows in a rate.
	for _, v := range []inspect.Verdict{inspect.Pending, inspect.Unavailable} {
		m.unverified.WithLabelValues(string(v))
	}
	for _, result := range []string{CaptureHanded, CaptureLeft} {
		m.captures.WithLabelValues(result)
	}
	for _, result := range []string{"ok", "error"} {
		m.reloads.WithLabelValues(result)
	}
	return m
}

// Gauge registers a number that f returns each time it is read.
func Gauge(r prometheus.Registerer, name, help string, f func() float64) {
	r.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "extbody_" + name, Help: help}, f))
}

// hostClasses are the providers that have a label of their own.
var hostClasses = []string{
	"adobe", "alibaba", "box", "dropbox", "egnyte", "fastmail", "filebin", "filesender", "gigafile", "gofile", "google-docs", "google-drive",
	"hubspot", "icloud", "kakao", "kiteworks", "mediafire", "mega", "naver", "netease", "nextcloud", "onedrive", "owncloud", "pcloud", "proton",
	"qq", "salesforce", "seafile", "send", "sharefile", "sharepoint", "sina", "slack", "thunderbird-send", "tianyi", "tresorit", "wetransfer",
	"yandex", "zimbra", "zoho",
}

// Observe counts an exchange with a server. It is meant for the field Observe of an
// [externalbody.Resolver].
func (m *Metrics) Observe(ref *externalbody.Reference, x *fetch.Exchange) {
	class := "other"
	// A message may name any provider, and a label is never removed.
	if slices.Contains(hostClasses, ref.Provider) {
		class = ref.Provider
	}
	m.fetches.WithLabelValues(kindText(x.Kind), class).Inc()
	m.octets.Add(float64(x.OctetsIn))
}

// The results that Captured counts.
const (
	CaptureHanded = "handed_over" // the archive has the body
	CaptureLeft   = "left"        // the next run of the archive asks for it
)

// Captured counts a body that the policy wants to be captured.
func (m *Metrics) Captured(result string) { m.captures.WithLabelValues(result).Inc() }

// Reloaded counts an attempt to read the policy again; err is its outcome.
func (m *Metrics) Reloaded(err error) {
	result := "ok"
	m.reloadOK.Set(1)
	if err != nil {
		result = "error"
		m.reloadOK.Set(0)
	}
	m.reloads.WithLabelValues(result).Inc()
}

func (m *Metrics) phase(front, phase string, d time.Duration) {
	m.phases.WithLabelValues(front, phase).Observe(d.Seconds())
}

func (m *Metrics) decided(front string, rep *inspect.Report, d *inspect.Decision) {
	m.messages.WithLabelValues(front, string(d.Action), m.rules.of(d.Rule)).Inc()
	m.verdicts.WithLabelValues(string(rep.Verdict)).Inc()
	if passedUnverified(rep, d) {
		m.unverified.WithLabelValues(string(rep.Verdict)).Inc()
		if rep.Untried() {
			m.busy.Inc()
		}
	}
	for _, rule := range shadowed(d) {
		m.shadowed.WithLabelValues(m.rules.of(rule)).Inc()
	}
	for _, r := range rep.Refs {
		cached := "no"
		if r.Cached {
			cached = "yes"
		}
		m.references.WithLabelValues(string(r.State), cached).Inc()
		if r.Scan != inspect.Unscanned {
			m.scans.WithLabelValues(string(r.Scan)).Inc()
		}
	}
}

// shadowed returns the names of the rules that matched and did not act.
func shadowed(d *inspect.Decision) (rules []string) {
	for _, s := range d.Shadow {
		rule, _, _ := strings.Cut(s, "=")
		rules = append(rules, rule)
	}
	if d.Would != "" {
		rules = append(rules, d.Rule)
	}
	return rules
}
