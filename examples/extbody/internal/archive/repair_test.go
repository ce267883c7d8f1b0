package archive_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
)

// TestMain is also the program that TestKill kills.
func TestMain(m *testing.M) {
	if dir := os.Getenv("EXTBODY_TEST_ARCHIVE"); dir != "" {
		a, err := archive.Open(dir, true, nil)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		o := options(os.Getenv("EXTBODY_TEST_BOX"))
		_, err = a.Sync(context.Background(), o)
		if err := errors.Join(err, a.Close()); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// TestCreateKilled makes an archive where making one was stopped before, and nowhere
// else.
func TestCreateKilled(t *testing.T) {
	for _, tt := range []struct {
		name string
		left []string // a name that ends in a slash is a folder
		want error
	}{
		{"no file yet", []string{"objects/", "exchanges/"}, nil},
		{"a file that has its temporary name", []string{"objects/", "exchanges/", "stamps/", ".extbody-new.README.txt"}, nil},
		{"the same, where each file has one", []string{"objects/", "exchanges/", "stamps/", ".extbody-12345"}, nil},
		{"no ledger yet", []string{"objects/", "exchanges/", "stamps/", "README.txt"}, nil},
		{"a folder of somebody's", []string{"objects/", "letter.txt"}, archive.ErrNone},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			for _, name := range tt.left {
				if path := filepath.Join(dir, name); strings.HasSuffix(name, "/") {
					must(t, os.Mkdir(path, 0o700))
				} else {
					put(t, path, "This is an arch")
				}
			}
			a, err := archive.Open(dir, true, nil)
			if !errors.Is(err, tt.want) {
				t.Fatalf("Open: got %v, want %v", err, tt.want)
			}
			if err == nil {
				a.Close()
			}
		})
	}
}

// TestKill kills a run again and again, while the first reference hangs, and wants
// nothing to be lost, left or asked for twice.
func TestKill(t *testing.T) { kinds(t, testKill) }

func testKill(t *testing.T) {
	times := often("EXTBODY_TEST_KILLS", 8)
	const good = 60
	s := newSite(t, plain)
	hanging := newSite(t, func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	box, dir := inbox(t, append([]string{hanging.URL + "/hang"}, numbered(s, good)...)...)
	for range times {
		cmd := syncing(dir, box)
		cmd.Stderr = os.Stderr
		must(t, cmd.Start())
		time.Sleep(time.Duration(rand.IntN(250)) * time.Millisecond)
		cmd.Process.Kill()
		cmd.Wait()
		if _, err := os.Stat(filepath.Join(dir, "ledger")); err != nil {
			continue
		}
		if v := verify(t, dir); len(v.Faults) > 0 {
			t.Fatalf("after a kill: got %v, want no faults", v.Faults)
		}
	}
	res := run(t, dir, options(box))
	if v := clean(t, dir); v.Captured != good || v.Excepted != 1 {
		t.Errorf("got %d captured, %d excepted (the last run %+v); want %d and 1", v.Captured, v.Excepted, res.Counts, good)
	}
	if n := len(objects(t, dir)); n != 2*good+1 {
		t.Errorf("got %d objects, want %d", n, 2*good+1)
	}
	twice := 0
	for path, n := range s.asks {
		if n > 1 {
			twice++
			t.Logf("%s was asked for %d times", path, n)
		}
	}
	t.Logf("%d kills, %d bodies asked for more than once", times, twice)
}

// syncing returns the command of a program that syncs box into dir.
func syncing(dir, box string, before ...string) *exec.Cmd {
	args := append(before, os.Args[0])
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(os.Environ(), "EXTBODY_TEST_ARCHIVE="+dir, "EXTBODY_TEST_BOX="+box)
	return cmd
}

// often returns the number that is in the environment, for tests that take long, or n.
func often(name string, n int) int {
	if k, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return k
	}
	return n
}

// TestCopy checks that a copy is an archive with the same head and octets, that it follows
// what is added and forgotten, and that no other archive is overwritten.
func TestCopy(t *testing.T) { kinds(t, testCopy) }

func testCopy(t *testing.T) {
	dir, box, s := filled(t, 4)
	copies := map[string]*archive.Options{"folder": nil, "bucket": {Objects: "file://" + filepath.Join(t.TempDir(), "bucket")}}
	tmp := t.TempDir()
	same := func(when string) {
		t.Helper()
		for kind, o := range copies {
			a, to := read(t, dir), filepath.Join(tmp, kind)
			m, err := a.Copy(t.Context(), to, o)
			if err != nil || len(m.Lost) > 0 {
				t.Fatalf("%s: got %+v, %v; want nothing lost", when, m, err)
			}
			clean(t, to)
			for _, part := range []string{"ledger", "objects", "exchanges", "head"} {
				if slurp(t, dir, part) != slurp(t, to, part) {
					t.Errorf("%s: got other octets in %s, want the same", when, part)
				}
			}
			if m, err = a.Copy(t.Context(), to, nil); err != nil || m.Objects+m.Exchanges+m.Ledgers != 0 {
				t.Errorf("%s, again: got %+v, %v; want nothing to do", when, m, err)
			}
		}
	}
	same("new")
	deliver(t, box, "new:2,", letter("new", s.URL+"/new"))
	run(t, dir, options(box))
	forget(t, dir, "url="+s.URL+"/1")
	same("after a run and a forget")
	other, _, _ := filled(t, 4)
	before := slurp(t, other, ".")
	if _, err := read(t, dir).Copy(t.Context(), other, nil); !errors.Is(err, archive.ErrOther) {
		t.Errorf("another archive: got %v, want %v", err, archive.ErrOther)
	}
	if slurp(t, other, ".") != before {
		t.Error("another archive has changed")
	}
}

// TestRepair checks that everything that is damaged or lost comes back from a copy, and
// nothing that is damaged there too.
func TestRepair(t *testing.T) { kinds(t, testRepair) }

func testRepair(t *testing.T) {
	original, box, s := filled(t, 4)
	kept := copied(t, original)
	deliver(t, box, "new:2,", letter("new", s.URL+"/new"))
	run(t, original, options(box)) // the copy is a run behind
	object := func(dir, path string) string { return object(dir, sumOf(body(path))) }
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
		{"head and index", func(dir string) {
			put(t, filepath.Join(dir, "head"), "12 0")
			put(t, filepath.Join(dir, "index"), "x")
		}, archive.Mending{}},
		{"both lost", func(dir string) {
			os.Remove(object(dir, "/new"))
		}, archive.Mending{Lost: []string{"one"}}},
	} {
		dir, from := copied(t, original), copied(t, kept)
		before := slurp(t, from, ".", "objects")
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
		if slurp(t, from, ".", "objects") != before {
			t.Errorf("%s: the copy has changed", tt.name)
		}
	}
	dir := copied(t, original)
	os.Remove(filepath.Join(dir, "index"))
	must(t, os.Mkdir(filepath.Join(dir, "index"), 0o700))
	if _, err := archive.Repair(t.Context(), dir, kept); err == nil {
		t.Error("an index that cannot be written: got no error")
	}
	other, _, _ := filled(t, 4)
	if _, err := archive.Repair(t.Context(), copied(t, original), other); !errors.Is(err, archive.ErrOther) {
		t.Errorf("another archive: got %v, want %v", err, archive.ErrOther)
	}
}
