package archive_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
)

// TestCopy checks that a copy is an archive with the same head and octets, that it follows
// what is added and forgotten, and that no other archive is overwritten.
func TestCopy(t *testing.T) {
	dir, box, s := filled(t, 4)
	to := filepath.Join(t.TempDir(), "copy")
	same := func(when string) {
		t.Helper()
		a := read(t, dir)
		m, err := a.Copy(t.Context(), to)
		if err != nil || len(m.Lost) > 0 {
			t.Fatalf("%s: got %+v, %v; want nothing lost", when, m, err)
		}
		clean(t, to)
		for _, part := range []string{"ledger", "objects", "exchanges", "head"} {
			if slurp(t, dir, part) != slurp(t, to, part) {
				t.Errorf("%s: got other octets in %s, want the same", when, part)
			}
		}
		if m, err = a.Copy(t.Context(), to); err != nil || m.Objects+m.Exchanges+m.Ledgers != 0 {
			t.Errorf("%s, again: got %+v, %v; want nothing to do", when, m, err)
		}
	}
	same("new")
	deliver(t, box, "new:2,", letter("new", s.URL+"/new"))
	run(t, dir, options(box))
	forget(t, dir, "url="+s.URL+"/1")
	same("after a run and a forget")
	other, _, _ := filled(t, 4)
	before := slurp(t, other, ".")
	if _, err := read(t, dir).Copy(t.Context(), other); !errors.Is(err, archive.ErrOther) {
		t.Errorf("another archive: got %v, want %v", err, archive.ErrOther)
	}
	if slurp(t, other, ".") != before {
		t.Error("another archive has changed")
	}
}

// TestRepair checks that everything that is damaged or lost comes back from a copy, and
// nothing that is damaged there too.
func TestRepair(t *testing.T) {
	original, box, s := filled(t, 4)
	kept := copied(t, original)
	deliver(t, box, "new:2,", letter("new", s.URL+"/new"))
	run(t, original, options(box)) // the copy is a run behind
	object := func(dir, path string) string {
		sum := fmt.Sprintf("%x", sha256Of(body(path)))
		return filepath.Join(dir, "objects", sum[:2], sum[2:4], sum)
	}
	ledgerOf := func(dir string) string { return mustGlob(t, dir, "ledger/*")[0] }
	for _, tt := range []struct {
		name   string
		damage func(dir string)
		want   archive.Mending
	}{
		{"nothing", func(string) {}, archive.Mending{}},
		{"objects", func(dir string) {
			os.Remove(object(dir, "/1"))
			put(t, object(dir, "/2"), "rot")
		}, archive.Mending{Objects: 2}},
		{"exchanges", func(dir string) { os.Remove(mustGlob(t, dir, "exchanges/*")[0]) }, archive.Mending{Exchanges: 5}},
		{"ledger", func(dir string) {
			text, _ := os.ReadFile(ledgerOf(dir))
			put(t, ledgerOf(dir), strings.Replace(string(text), `"size":`, `"sice":`, 1))
		}, archive.Mending{Ledgers: 1}},
		{"both lost", func(dir string) {
			os.Remove(object(dir, "/new"))
		}, archive.Mending{Lost: []string{"one"}}},
	} {
		dir, from := copied(t, original), copied(t, kept)
		tt.damage(dir)
		m, err := archive.Repair(t.Context(), dir, from)
		if err != nil || m.Objects != tt.want.Objects || m.Exchanges != tt.want.Exchanges || m.Ledgers != tt.want.Ledgers || len(m.Lost) != len(tt.want.Lost) {
			t.Errorf("%s: got %+v, %v; want %+v", tt.name, m, err, tt.want)
		}
		if v := verify(t, dir); len(v.Faults) != len(tt.want.Lost) {
			t.Errorf("%s: got faults %v, want %d", tt.name, v.Faults, len(tt.want.Lost))
		}
		if slurp(t, dir, "ledger") != slurp(t, original, "ledger") {
			t.Errorf("%s: got another ledger, want the one before the damage", tt.name)
		}
		if slurp(t, from, ".") != slurp(t, kept, ".") {
			t.Errorf("%s: the copy has changed", tt.name)
		}
	}
	other, _, _ := filled(t, 4)
	if _, err := archive.Repair(t.Context(), copied(t, original), other); !errors.Is(err, archive.ErrOther) {
		t.Errorf("another archive: got %v, want %v", err, archive.ErrOther)
	}
}
