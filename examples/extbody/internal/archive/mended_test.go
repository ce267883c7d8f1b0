package archive_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
)

// every returns an archive of two months that has each kind of file twice, and a copy of its first month.
func every(t *testing.T) (dir, older string) {
	s := newSite(t, plain)
	box, dir := inbox(t, numbered(s, 3)...)
	c := new(clock)
	o := options(box)
	o.Stamp = stamping(t)
	for i, month := range []time.Month{11, 12} {
		c.set(time.Date(2026, month, 2, 1, 0, 0, 0, time.UTC), time.Millisecond)
		deliver(t, box, month.String()+":2,", letter(month.String(), s.URL+"/"+month.String()))
		runAt(t, dir, c, o)
		if i == 0 {
			forgetAt(t, dir, c, "url="+s.URL+"/1")
			a, err := archive.Open(dir, false, &archive.Options{Now: c.now})
			must(t, err)
			_, err = a.Hold(selector(t, "url="+s.URL+"/2"), "a case", false)
			must(t, err)
			must(t, a.Close())
			older = filepath.Join(t.TempDir(), "older")
			_, err = read(t, dir).Copy(t.Context(), older, nil)
			must(t, err)
		}
	}
	clean(t, dir)
	return dir, older
}

// forgetAt forgets by a clock.
func forgetAt(t *testing.T, dir string, c *clock, terms ...string) {
	t.Helper()
	a, err := archive.Open(dir, false, &archive.Options{Now: c.now})
	must(t, err)
	defer a.Close()
	_, err = a.Forget(selector(t, terms...), &archive.ForgetOptions{Reason: "the law"})
	must(t, err)
}

// pathsBelow returns the paths of the files in a folder, relative to it, by the part of the archive that they are in.
func pathsBelow(t *testing.T, dir string) map[string][]string {
	t.Helper()
	parts := make(map[string][]string)
	must(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || e.Name() == "lock" {
			return err
		}
		name, err := filepath.Rel(dir, path)
		part, _, _ := strings.Cut(filepath.ToSlash(name), "/")
		parts[part] = append(parts[part], name)
		return err
	}))
	return parts
}

// damages are the ways in which the file at path can be damaged. other is a file of the same part.
var damages = []struct {
	name string
	do   func(t *testing.T, path, other string)
}{
	{"truncated", func(t *testing.T, path, _ string) {
		text := mustRead(t, path)
		put(t, path, text[:len(text)/2])
	}},
	{"empty", func(t *testing.T, path, _ string) { put(t, path, "") }},
	{"an octet less", func(t *testing.T, path, _ string) {
		text := mustRead(t, path)
		put(t, path, text[:len(text)-1])
	}},
	{"appended", func(t *testing.T, path, _ string) { put(t, path, mustRead(t, path)+"garbage") }},
	{"a line appended", func(t *testing.T, path, _ string) { put(t, path, mustRead(t, path)+"garbage\n") }},
	{"the first octet changed", changing(func(int) int { return 0 })},
	{"an octet changed", changing(func(n int) int { return n / 2 })},
	{"the last octet changed", changing(func(n int) int { return n - 1 })},
	{"swapped", func(t *testing.T, path, other string) {
		text := mustRead(t, path)
		put(t, path, mustRead(t, other))
		put(t, other, text)
	}},
	{"the other one", func(t *testing.T, path, other string) { put(t, path, mustRead(t, other)) }},
	{"removed", func(t *testing.T, path, _ string) { must(t, os.Remove(path)) }},
	{"doubled", func(t *testing.T, path, _ string) {
		text := mustRead(t, path)
		put(t, path, text+text)
	}},
}

func mustRead(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	must(t, err)
	return string(text)
}

// changing returns the damage of one octet, by the length of the file.
func changing(at func(n int) int) func(t *testing.T, path, _ string) {
	return func(t *testing.T, path, _ string) {
		text := []byte(mustRead(t, path))
		text[at(len(text))] ^= 1
		put(t, path, string(text))
	}
}

// TestRepairDamage is OP-48: whatever happens to a file of an archive, a repair from a current copy leaves the
// archive as it was. A repair from an older copy does so too, or reports the missing parts. Either way verify agrees
// with it.
func TestRepairDamage(t *testing.T) {
	original, older := every(t)
	current := copied(t, original)
	parts := pathsBelow(t, original)
	for _, part := range []string{"README.txt", "exchanges", "head", "index", "ledger", "objects", "stamps"} {
		if len(parts[part]) == 0 {
			t.Fatalf("the archive has no %s", part)
		}
		names := parts[part][:min(len(parts[part]), 2)]
		for i, name := range names {
			other := names[(i+1)%len(names)]
			for _, damage := range damages {
				if other == name && slices.Contains([]string{"swapped", "the other one"}, damage.name) {
					continue
				}
				for copyName, from := range map[string]string{"current": current, "older": older} {
					if copyName == "older" && slices.Contains([]string{"README.txt", "index", "objects"}, part) {
						continue // as from a current one
					}
					dir := copied(t, original)
					damage.do(t, filepath.Join(dir, name), filepath.Join(dir, other))
					repaired(t, strings.Join([]string{name, damage.name, copyName}, ", "), original, dir, from, copyName == "current")
				}
			}
		}
	}
}

// repaired repairs an archive from a copy, and compares it with the one before the damage. all means that nothing may
// be missing.
func repaired(t *testing.T, what, original, dir, from string, all bool) {
	t.Helper()
	m, err := archive.Repair(t.Context(), dir, from)
	if err != nil {
		t.Errorf("%s: got %+v, %v; want no error", what, m, err)
		return
	}
	faults := verify(t, dir).Faults
	if len(m.Lost) != len(faults) && (len(m.Lost) == 0 || len(faults) == 0) || all && len(faults) > 0 {
		t.Errorf("%s: got lost %q, faults %q", what, m.Lost, faults)
	}
	for _, name := range []string{"README.txt", "exchanges", "head", "ledger", "objects", "stamps"} {
		if len(faults) == 0 && slurp(t, dir, name) != slurp(t, original, name) {
			t.Errorf("%s: %s is not as it was: %+v", what, name, m)
		}
	}
}

// TestRepairForgotten is OP-36: a repair from a copy that is older than a forget brings nothing back that was forgotten,
// also if the line of the forget is lost, and with it the proof that there was one.
func TestRepairForgotten(t *testing.T) { kinds(t, testRepairForgotten) }

func testRepairForgotten(t *testing.T) {
	original, _, _ := filled(t, 3)
	older := copied(t, original)
	forget(t, original, "message=<1@example.org>")
	rotten := func(dir string) string { return object(dir, sumOf(body("/2"))) }
	lines := func(dir string) (path string, list []string) {
		path = mustGlob(t, dir, "ledger/*")[0]
		return path, strings.SplitAfter(strings.TrimSuffix(mustRead(t, path), "\n"), "\n")
	}
	at := slices.IndexFunc(second(lines(original)), func(l string) bool { return strings.Contains(l, `"kind":"forget"`) })
	for name, damage := range map[string]func(dir string){
		"the end of the ledger is lost": func(dir string) {
			path, list := lines(dir)
			put(t, path, strings.Join(list[:at-1], ""))
		},
		"the ledger is lost": func(dir string) { must(t, os.RemoveAll(filepath.Join(dir, "ledger"))) },
		"the ledger, head and index are lost": func(dir string) {
			for _, name := range []string{"ledger", "head", "index"} {
				must(t, os.RemoveAll(filepath.Join(dir, name)))
			}
		},
		"the line of the forget is lost": func(dir string) {
			path, list := lines(dir)
			put(t, path, strings.Join(slices.Delete(list, at, at+1), "")+"\n")
		},
		"its end was accepted": func(dir string) {
			path, list := lines(dir)
			put(t, path, strings.Join(list[:at-1], ""))
			_, err := archive.Accept(dir, nil)
			must(t, err)
		},
	} {
		dir := copied(t, original)
		damage(dir)
		must(t, os.Remove(rotten(dir)))
		m, err := archive.Repair(t.Context(), dir, older)
		if err != nil || !strings.Contains(strings.Join(m.Lost, "\n"), "a line that is lost may have forgotten it") {
			t.Errorf("%s: got %+v, %v; want that something was not taken", name, m, err)
		}
		if blind := name == "the ledger, head and index are lost"; m.Again != blind {
			t.Errorf("%s: got %v that another repair takes it, want %v", name, m.Again, blind)
		}
		if _, err := os.Stat(object(dir, sumOf(body("/1")))); err == nil || strings.Contains(unzipped(t, dir), "/1 HTTP/1.1") {
			t.Errorf("%s: got what was forgotten back (%v)", name, err)
		}
		if faults := strings.Join(verify(t, dir).Faults, "\n"); !strings.Contains(faults, sumOf(body("/1"))) {
			t.Errorf("%s: got faults %q, want that the body is lost", name, faults)
		}
	}
	// Nothing says whether there was a forget: the user does, by a second repair.
	dir := copied(t, older)
	for _, name := range []string{"ledger", "head", "index"} {
		must(t, os.RemoveAll(filepath.Join(dir, name)))
	}
	must(t, os.Remove(rotten(dir)))
	if m, err := archive.Repair(t.Context(), dir, older); err != nil || m.Objects != 0 || !m.Again {
		t.Errorf("the first repair: got %+v, %v; want that another one takes the object", m, err)
	}
	if m, err := archive.Repair(t.Context(), dir, older); err != nil || m.Objects != 1 || m.Again || len(m.Lost) > 0 {
		t.Errorf("the second repair: got %+v, %v; want the object", m, err)
	}
	clean(t, dir)
	// Nothing is lost but an object: it is brought back, and a forgotten one is not.
	dir = copied(t, original)
	must(t, os.Remove(rotten(dir)))
	if m, err := archive.Repair(t.Context(), dir, older); err != nil || m.Objects != 1 || len(m.Lost) > 0 {
		t.Errorf("an object: got %+v, %v; want it back", m, err)
	}
	// A line that is lost before the one that stored an object cannot have forgotten it.
	dir = copied(t, original)
	path, list := lines(dir)
	put(t, path, strings.Replace(strings.Join(list, ""), `"version":"extbody`, `"version":"extbodi`, 1)+"\n")
	put(t, mustGlob(t, older, "ledger/*")[0], strings.Join(slices.Delete(second(lines(older)), 0, 1), "")+"\n")
	must(t, os.Remove(rotten(dir)))
	if m, err := archive.Repair(t.Context(), dir, older); err != nil || m.Objects != 1 {
		t.Errorf("a line before the object: got %+v, %v; want it back", m, err)
	}
}

func second[A, B any](_ A, b B) B { return b }

// TestRepairForgets is OP-36: a forget in a line that comes from a newer copy is completed by the repair, or by the next
// writer if the line was put there by other means.
func TestRepairForgets(t *testing.T) { kinds(t, testRepairForgets) }

func testRepairForgets(t *testing.T) {
	newer, box, s := filled(t, 3)
	older := copied(t, newer)
	forget(t, newer, "message=<1@example.org>")
	for _, way := range []string{"repair", "writer"} {
		dir := copied(t, older)
		if way == "repair" {
			m, err := archive.Repair(t.Context(), dir, newer)
			if err != nil || m.Forgotten != 3 || len(m.Lost) > 0 {
				t.Errorf("got %+v, %v; want two objects and the exchanges removed", m, err)
			}
		} else {
			for _, name := range []string{"head", filepath.Join("ledger", filepath.Base(mustGlob(t, newer, "ledger/*")[0]))} {
				put(t, filepath.Join(dir, name), mustRead(t, filepath.Join(newer, name)))
			}
			open(t, dir).Close()
		}
		clean(t, dir)
		if slurp(t, dir, "objects", "exchanges") != slurp(t, newer, "objects", "exchanges") {
			t.Errorf("%s: got other octets than in the newer one", way)
		}
		run(t, dir, options(box))
		clean(t, dir)
	}
	// An object that a later line stored again stays.
	retry(t, newer, "url="+s.URL+"/1")
	must(t, os.Remove(filepath.Join(newer, "index")))
	open(t, newer).Close()
	clean(t, newer)
}

// TestRepairForged is OP-48: no line comes from a copy into an archive whose chain goes on in another way, also if that chain
// is right. The error names the one of the two that a time stamp proves.
func TestRepairForged(t *testing.T) {
	made, box, s := filled(t, 2)
	begun := copied(t, made)
	o := options(box)
	o.Stamp = stamping(t)
	deliver(t, box, "more:2,", letter("more", s.URL+"/more"))
	run(t, made, o)
	// A forger goes on from an earlier line, with a chain that is right.
	deliver(t, box, "forged:2,", letter("forged", s.URL+"/forged"))
	run(t, begun, options(box))
	clean(t, begun)
	for _, tt := range []struct {
		name, dir, from, want string
		damage                func(dir, from string)
	}{
		{"the copy has a stamp", begun, made, "the copy is proven by stamps/", func(string, string) {}},
		{"the archive has a stamp", made, begun, "the archive is proven by stamps/", func(string, string) {}},
		{"the head of the archive is as it was", begun, made, "the copy is proven by head of the archive", func(dir, from string) {
			must(t, os.RemoveAll(filepath.Join(from, "stamps")))
			put(t, filepath.Join(dir, "head"), mustRead(t, filepath.Join(from, "head")))
		}},
		{"no stamp", begun, made, "no time stamp proves one of them", func(_, from string) {
			must(t, os.RemoveAll(filepath.Join(from, "stamps")))
		}},
		{"both have one", begun, made, "both are proven in part", func(dir, _ string) {
			o := options(box)
			o.Stamp = stamping(t)
			run(t, dir, o)
		}},
	} {
		dir, from := copied(t, tt.dir), copied(t, tt.from)
		tt.damage(dir, from)
		before := slurp(t, dir, "ledger", "objects", "head")
		_, err := archive.Repair(t.Context(), dir, from)
		if !errors.Is(err, archive.ErrOther) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", tt.name, err, tt.want)
		}
		if slurp(t, dir, "ledger", "objects", "head") != before {
			t.Errorf("%s: the archive has changed", tt.name)
		}
	}
}
