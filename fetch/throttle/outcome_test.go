package throttle

import (
	"go/ast"
	"go/parser"
	"go/token"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestOutcomes holds each line of the table in the comment of outcome: it puts a host into each
// state, and ends a request with each outcome.
func TestOutcomes(t *testing.T) {
	table, outcomes := outcomeTable(t)
	states := table[0][1:]
	for i, row := range table[1:] {
		if i >= len(outcomes) || row[0] != outcomes[i] {
			t.Fatalf("got the line %q, want one for each outcome of %q, in order", row, outcomes)
		}
		for j, before := range states {
			s, e, slot := inState(t, before)
			s.settle(slot, outcome(i), time.Time{}, time.Now())
			if got := nameOf(e); got != row[1+j] {
				t.Errorf("%s after %s: got %s, want %s", row[0], before, got, row[1+j])
			}
		}
	}
	if len(table) != len(outcomes)+1 {
		t.Errorf("got %d lines, want %d: the states, and one for each outcome", len(table), len(outcomes)+1)
	}
}

// TestAway checks the comment below its table.
func TestAway(t *testing.T) {
	for _, tt := range []struct {
		name    string
		what    outcome
		another bool
		want    string
	}{
		{"Unreached", unreached, false, "away"},
		{"Mute", mute, false, "down"},
		{"MuteAsAnother", mute, true, "away"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, e, slot := inState(t, "mute")
			s.heard = time.Time{}
			if tt.another {
				s.silent[s.endpoint(&url.URL{Scheme: "http", Host: "other.example"}, time.Now())] = true
			}
			s.settle(slot, tt.what, time.Time{}, time.Now())
			if got := nameOf(e); got != tt.want {
				t.Fatalf("got %s, want %s", got, tt.want)
			}
			if s.hear(time.Now()); tt.want == "away" && nameOf(e) != "up" {
				t.Errorf("got %s after another host answered, want up", nameOf(e))
			}
		})
	}
}

// outcomeTable reads the table in the comment of outcome, and the names of its constants.
func outcomeTable(t *testing.T) (table [][]string, outcomes []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "outcome.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		switch spec := g.Specs[0].(type) {
		case *ast.TypeSpec:
			if spec.Name.Name != "outcome" {
				continue
			}
			for _, c := range g.Doc.List {
				if line, ok := strings.CutPrefix(c.Text, "//\t"); ok {
					table = append(table, strings.Fields(line))
				}
			}
		case *ast.ValueSpec:
			if id, ok := spec.Type.(*ast.Ident); !ok || id.Name != "outcome" {
				continue
			}
			for _, s := range g.Specs {
				outcomes = append(outcomes, s.(*ast.ValueSpec).Names[0].Name)
			}
		}
	}
	if len(table) == 0 || len(outcomes) == 0 || slices.ContainsFunc(table, func(row []string) bool { return len(row) != len(table[0]) }) {
		t.Fatalf("got the table %q and the outcomes %q", table, outcomes)
	}
	return table, outcomes
}

// inState returns a host in a state, and a slot at it. Another host answers after it.
func inState(t *testing.T, state string) (*State, *endpoint, slot) {
	t.Helper()
	s := new(State)
	s.begin(Options{PerHost: 2})
	now := time.Now()
	to := &url.URL{Scheme: "http", Host: "host.example"}
	e := s.endpoint(to, now)
	switch state {
	case "mute":
		e.mute, e.muteSince = downAfter-1, now.Add(-time.Minute)
	case "stalled":
		e.stalled = downAfter - 1
	case "asked":
		e.notBefore = now.Add(time.Hour)
	case "down":
		e.down(errMute, now.Add(-time.Hour))
	case "away":
		e.down(errAway, now.Add(-time.Hour))
	}
	if got := nameOf(e); got != state {
		t.Fatalf("got a host that is %s, want %s", got, state)
	}
	slot := s.start(e, to, now)
	slot.first, s.heard = to, now.Add(time.Second)
	if slot.probe != (state == "down" || state == "away") {
		t.Fatalf("%s: got probe %t", state, slot.probe)
	}
	return s, e, slot
}

func nameOf(e *endpoint) string {
	switch {
	case e.why == errAway:
		return "away"
	case !e.downUntil.IsZero():
		return "down"
	case e.asked().After(time.Now()):
		return "asked"
	case e.mute == downAfter-1:
		return "mute"
	case e.stalled == downAfter-1:
		return "stalled"
	}
	return "up"
}
