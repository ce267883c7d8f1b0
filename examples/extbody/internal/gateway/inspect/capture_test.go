package inspect

import (
	"context"
	"fmt"
	"io"
	"net/netip"
	"slices"
	"sync"
	"testing"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// A rule with the action capture decides nothing about a message, wherever it is, and captures only files
// that are known to meet its conditions.
func TestCaptures(t *testing.T) {
	rep := func() *Report {
		return report(Ref{ID: "1", Dialect: "standard", Host: "files.a.example"}, Ref{ID: "2", Dialect: "standard", Host: "b.example"})
	}
	named := func(list ...string) *Policy {
		for i := range list {
			list[i] = fmt.Sprintf("name = \"r%d\"\n", i) + list[i]
		}
		return rules(t, list...)
	}
	env := &Envelope{From: "x@s.example", Recipients: []string{"a@r.example", "b@r.example"}, Client: netip.MustParseAddr("192.0.2.1")}
	for name, test := range map[string]struct {
		rules []string
		want  []int // the numbers of the references that are captured
	}{
		"All":       {[]string{`action = "capture"`}, []int{0, 1}},
		"Host":      {[]string{`host = "a.example"` + "\n" + `action = "capture"`}, []int{0}},
		"Sender":    {[]string{`envelope_from = "s.example"` + "\n" + `action = "capture"`}, []int{0, 1}},
		"Other":     {[]string{`envelope_from = "t.example"` + "\n" + `action = "capture"`}, nil},
		"Recipient": {[]string{`recipient = "b@r.example"` + "\n" + `action = "capture"`}, []int{0, 1}},
		"Unknown":   {[]string{`not = { header_from = "t.example" }` + "\n" + `action = "capture"`}, nil},
		"AfterAll":  {[]string{`action = "tag"`, `action = "capture"`}, []int{0, 1}},
		"Shadow":    {[]string{`action = "capture"` + "\n" + `mode = "shadow"`}, nil},
		"NoRule":    {[]string{`action = "tag"`}, nil},
	} {
		p, r := named(test.rules...), rep()
		var got []int
		for n := range r.Refs {
			if p.Captures(r, env, n) {
				got = append(got, n)
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: got %v, want %v", name, got, test.want)
		}
	}
	p := named(`action = "capture"`, `action = "quarantine"`)
	if d := p.DecideAll(rep(), env, nil); d.Action != Quarantine {
		t.Errorf("got %+v, want the rule after the capture to decide", d)
	}
	if d := named(`action = "capture"`).DecideAll(rep(), env, nil); d.Action != Tag || d.Rule != "" {
		t.Errorf("got %+v, want no rule to decide", d)
	}
	if err := p.NeedsArchive(); err == nil {
		t.Error("got no mistake without an archive")
	}
	if err := p.Needs("--milter", nil); err == nil {
		t.Error("got no mistake for quarantine")
	}
	if err := named(`action = "capture"`).Needs("--milter", nil); err != nil {
		t.Errorf("got %v, want none: every front end can capture", err)
	}
}

// A body that is kept comes with the exchange of its one fetch. Messages that keep it share that fetch, and one
// that does not keep it has a fetch of its own.
func TestKeep(t *testing.T) {
	w := new(web)
	in := newInspector(t, w, new(scanning), PoolOptions{})
	var mu sync.Mutex
	var got []string
	in.Keep = func(f *Fetched) {
		defer f.Close()
		text, err := io.ReadAll(f.NewReader())
		if err != nil {
			t.Error(err)
		}
		mu.Lock()
		defer mu.Unlock()
		got = append(got, f.Ref.ID+" "+string(text))
	}
	message := func(keep bool, hosts ...string) *Message {
		m := refers(hosts...)
		m.Capture = func(rep *Report, n int) bool { return keep && rep.Refs[n].ID != "" }
		return m
	}
	for range 2 {
		if rep := in.Inspect(t.Context(), message(true, "a.example")); rep.Refs[0].State != Known {
			t.Fatalf("got %+v, want it known", rep.Refs[0])
		}
	}
	if len(got) != 1 || w.count("a.example") != 1 {
		t.Fatalf("got %v by %d fetches, want one body by one fetch", got, w.count("a.example"))
	}
	in.Inspect(t.Context(), message(false, "a.example"))
	if len(got) != 1 || w.count("a.example") != 2 {
		t.Errorf("got %v by %d fetches, want nothing kept", got, w.count("a.example"))
	}
	in.Inspect(t.Context(), message(true, "evil.example"))
	in.Inspect(t.Context(), message(true, "gone.example"))
	if len(got) != 2 {
		t.Errorf("got %v, want the infected body too, and nothing of the one that is gone", got)
	}
	in.Keep = nil
	in.Inspect(t.Context(), message(true, "c.example"))
	if len(got) != 2 {
		t.Errorf("got %v without Keep", got)
	}
}

// Observing does not replace the observer of the Resolver.
func TestKeepObserves(t *testing.T) {
	var x exchanges
	r := answering(func(_ context.Context, req *fetch.Request) (*fetch.Response, error) { return served(req, "a"), nil })
	seen := 0
	r.Observe = func(*externalbody.Reference, *fetch.Exchange) { seen++ }
	x.observing(r).Observe(nil, new(fetch.Exchange))
	if len(x.all()) != 1 || seen != 1 {
		t.Errorf("got %d and %d, want both to see the exchange", len(x.all()), seen)
	}
}
