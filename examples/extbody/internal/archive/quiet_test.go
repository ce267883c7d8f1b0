package archive_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestQuietSources holds: a source that is as its latest line says adds no line, and the end of the run counts
// it. It has a line again when something is different, or was between.
func TestQuietSources(t *testing.T) {
	s := newSite(t, plain)
	box, dir := inbox(t, numbered(s, 2)...)
	other := maildir(t)
	lines := func() int { return strings.Count(slurp(t, dir, "ledger"), `"kind":"source"`) }
	night := func(what string, quiet int64, want int) {
		t.Helper()
		before := lines()
		res := run(t, dir, options(box, other))
		if got := lines() - before; res.Quiet != quiet || got != want || len(res.Sources) != 2 {
			t.Errorf("%s: got %d quiet sources and %d lines, want %d and %d", what, res.Quiet, got, quiet, want)
		}
	}
	night("the first night", 0, 2)
	night("no news", 2, 0)
	night("no news again", 2, 0)
	deliver(t, other, "n:2,", letter("n", s.URL+"/n"))
	night("a message", 1, 1)
	night("no news after a message", 2, 0)
	must(t, os.Remove(filepath.Join(other, "cur", "n:2,")))
	night("a message less", 1, 1)
	must(t, os.Rename(box, box+".away"))
	night("a box that is away", 1, 1)
	must(t, os.Rename(box+".away", box))
	night("a box that is back", 1, 1)
	if !strings.Contains(slurp(t, dir, "ledger"), `"quiet":2,"unaccounted":0`) {
		t.Error("no end of a run counts two quiet sources")
	}
	o := options(box, other)
	o.Open.MaxReferences = 7 // other rules
	run(t, dir, o)
	before := lines()
	if res := run(t, dir, options(box, other)); lines()-before != int(2-res.Quiet) || res.Quiet == 2 {
		t.Errorf("after a run by other rules: got %d quiet sources, %d lines", res.Quiet, lines()-before)
	}
	must(t, os.Remove(filepath.Join(dir, "index")))
	night("an index that is made anew", 2, 0)
	clean(t, dir)
}
