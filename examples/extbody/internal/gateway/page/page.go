// Package page is a web page for the operator. It shows the pending bodies, the hosts
// that are down, and the last verdicts with their reasons, and finds verdicts by the
// parameter q: see [serve.Past.Has]. With the parameter refresh, the browser asks for it again
// after so many seconds, from 5 to 3600. It changes nothing, and loads nothing from elsewhere.
package page

import (
	_ "embed"
	"html/template"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/serve"
	"github.com/go-extbody/extbody/fetch/throttle"
)

// source is the template of the page. It has no script, and refers to nothing elsewhere.
// On a narrow screen the cells of a row are below each other, with the heads of their
// columns.
//
//go:embed page.html
var source string

// Facts are the contents of the page.
type Facts struct {
	Now        time.Time
	Started    time.Time
	Version    string // of the program
	Policy     string // the file, and when it was read
	Rules      int
	Warnings   []string // things that do not work, for example the cache
	Active     int      // messages that are being looked at
	Pending    int      // bodies that are being fetched or wait for that
	Remembered int      // outcomes that are remembered
	Deferred   int      // messages that were deferred and are remembered
	Parts      []Part   // the scanner and the like
	Totals     []serve.Total
	Hosts      []throttle.Host
	Last       []serve.Past
	Recipients bool // Last has recipients
}

// A Part is a part of the server, or another server that it needs, and its state.
type Part struct{ Name, State string }

// split returns the hosts that are being asked, and the ones that are left alone: at most
// 50 of each.
func (f *Facts) split() (busy, down []throttle.Host) {
	for _, h := range f.Hosts {
		if h.Down.After(f.Now) || h.After.After(f.Now) {
			down = append(down, h)
		} else {
			busy = append(busy, h)
		}
	}
	slices.SortFunc(busy, func(a, b throttle.Host) int { return b.InFlight + b.Waiting - a.InFlight - a.Waiting })
	const most = 50
	return busy[:min(len(busy), most)], down[:min(len(down), most)]
}

// found returns the newest of the verdicts that have a text, at most 100.
func (f *Facts) found(text string) (list []serve.Past) {
	for i := range f.Last {
		if f.Last[i].Has(text) && len(list) < 100 {
			list = append(list, f.Last[i])
		}
	}
	return list
}

// Handler returns the handler of the page. facts is called for each request.
func Handler(facts func() Facts) http.Handler {
	t := template.Must(template.New("page").Funcs(template.FuncMap{
		"clock": func(t time.Time) string { return t.UTC().Format("15:04:05") },
		"since": func(t, now time.Time) string { return now.Sub(t).Round(time.Second).String() },
		"plain": serve.Plain,
		"until": func(h throttle.Host) time.Time {
			if h.Down.After(h.After) {
				return h.Down
			}
			return h.After
		},
	}).Parse(source))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f := facts()
		q := strings.TrimSpace(r.URL.Query().Get("q"))
		busy, down := f.split()
		h := w.Header()
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set(
			"Content-Security-Policy",
			"default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
		)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-store")
		again, err := strconv.Atoi(r.URL.Query().Get("refresh"))
		if err != nil || again < 5 || again > 3600 {
			again = 0
		}
		if again > 0 {
			h.Set("Refresh", strconv.Itoa(again))
		}
		t.Execute(w, struct {
			Facts
			Busy, Down []throttle.Host
			Query      string
			Refresh    int
			Found      []serve.Past
		}{f, busy, down, q, again, f.found(q)})
	})
}
