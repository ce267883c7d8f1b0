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
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
)

// TestMain is also the program that TestKill, TestManyNights and TestRepairKilled kill.
func TestMain(m *testing.M) {
	if dir := os.Getenv("EXTBODY_TEST_REPAIR"); dir != "" {
		if _, err := archive.Repair(context.Background(), dir, os.Getenv("EXTBODY_TEST_COPY")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if dir := os.Getenv("EXTBODY_TEST_TEXTS"); dir != "" {
		a, err := archive.Open(dir, false, nil)
		if err == nil {
			_, err = a.IndexTexts(context.Background())
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if dir := os.Getenv("EXTBODY_TEST_ARCHIVE"); dir != "" {
		var o *archive.Options
		if at, err := time.Parse(time.RFC3339Nano, os.Getenv("EXTBODY_TEST_NOW")); err == nil {
			c := new(clock)
			c.set(at, time.Millisecond)
			o = &archive.Options{Now: c.now}
		}
		a, err := archive.Open(dir, true, o)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		options := options(os.Getenv("EXTBODY_TEST_BOX"))
		if n := often("EXTBODY_TEST_GENERATED", 0); n > 0 {
			options.Sources = []archive.Source{generated(n)}
		}
		_, err = a.Sync(context.Background(), options)
		if err := errors.Join(err, a.Close()); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		// The maximum in the rusage of a process is at least the memory of its parent.
		if status, err := os.ReadFile("/proc/self/status"); err == nil {
			_, peak, _ := strings.Cut(string(status), "VmHWM:")
			fmt.Println(strings.TrimSpace(strings.SplitN(peak, "\n", 2)[0]))
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

// TestCopy checks that a copy is an archive with the same head and octets, that it follows later runs and forgets,
// and that no other archive is overwritten.
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

// TestRepairParts checks that a repair brings back each part of an archive, keeps damaged files, and ends as Verify
// does.
func TestRepairParts(t *testing.T) { kinds(t, testRepairParts) }

func testRepairParts(t *testing.T) {
	original, box, s := filled(t, 3)
	o := options(box)
	o.Stamp = stamping(t)
	deliver(t, box, "more:2,", letter("more", s.URL+"/more"))
	run(t, original, o)
	clean(t, original)
	bucket := files(original) != filepath.Join(original, "objects")
	kept := filepath.Join(t.TempDir(), "copy")
	a := read(t, original)
	_, err := a.Copy(t.Context(), kept, nil)
	must(t, err)
	older := copied(t, kept)
	deliver(t, box, "new:2,", letter("new", s.URL+"/new"))
	o.Stamp = nil
	run(t, original, o)
	_, err = read(t, original).Copy(t.Context(), kept, nil)
	must(t, err)
	clean(t, kept)
	lines := func(dir string, change func([]string) []string) {
		path := mustGlob(t, dir, "ledger/*")[0]
		text, err := os.ReadFile(path)
		must(t, err)
		put(t, path, strings.Join(change(strings.SplitAfter(strings.TrimSuffix(string(text), "\n"), "\n")), "")+"\n")
	}
	gone := func(name string) func(string) {
		return func(dir string) { must(t, os.RemoveAll(filepath.Join(dir, name))) }
	}
	for _, tt := range []struct {
		name   string
		damage func(dir string)
		kept   int    // damaged files
		older  string // a fault that stays with the older copy; "" for none
	}{
		{"a line twice", func(dir string) { lines(dir, func(l []string) []string { return slices.Insert(l, 3, l[3]) }) }, 1, ""},
		{"a line lost", func(dir string) { lines(dir, func(l []string) []string { return slices.Delete(l, 3, 4) }) }, 1, ""},
		{"octets inserted", func(dir string) { lines(dir, func(l []string) []string { l[4] = "xx" + l[4]; return l }) }, 1, ""},
		{"CR and LF", func(dir string) {
			lines(dir, func(l []string) []string {
				return strings.SplitAfter(strings.ReplaceAll(strings.Join(l, ""), "\n", "\r\n"), "\n")
			})
		}, 1, ""},
		{"ledger", gone("ledger"), 0, "line "},
		{"ledger, head and index", func(dir string) { gone("ledger")(dir); gone("head")(dir); gone("index")(dir) }, 0, "it has no line"},
		{"exchanges", gone("exchanges"), 0, "exchanges/"},
		{"README.txt", gone("README.txt"), 0, ""},
		{"head", gone("head"), 0, ""},
		{"another head", func(dir string) {
			head, err := os.ReadFile(filepath.Join(dir, "head"))
			must(t, err)
			seq, _, _ := strings.Cut(string(head), " ")
			put(t, filepath.Join(dir, "head"), seq+" "+strings.Repeat("0", 64)+"\n")
		}, 1, "head names"},
		{"stamps", gone("stamps"), 0, ""},
		{"a stamp", func(dir string) { put(t, mustGlob(t, dir, "stamps/*")[0], "x") }, 1, ""},
		{"a file in the place of a folder", func(dir string) { gone("exchanges")(dir); put(t, filepath.Join(dir, "exchanges"), "x") }, 1, "exchanges/"},
		{"objects", func(dir string) { must(t, os.RemoveAll(files(dir))) }, 0, "objects"},
		{"the name objects", gone("objects"), 0, "objects"},
		{"everything but the ledger", func(dir string) {
			for _, name := range []string{"objects", "exchanges", "stamps", "head", "index", "README.txt"} {
				gone(name)(dir)
			}
		}, 0, "exchanges/"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for name, from := range map[string]string{"current": kept, "older": older} {
				dir := copied(t, original)
				if bucket { // the ledger names it, so that it can be found again
					dir = t.TempDir()
					must(t, os.CopyFS(dir, os.DirFS(original)))
				}
				if bucket && tt.name == "objects" {
					there := files(original)
					must(t, os.Rename(there, there+"-"))
					_, err := archive.Repair(t.Context(), dir, from)
					must(t, os.Rename(there+"-", there))
					if !errors.Is(err, archive.ErrAway) {
						t.Errorf("%s: got %v, want %v: it may not be mounted", name, err, archive.ErrAway)
					}
					continue
				}
				tt.damage(dir)
				before, _ := archive.Verify(t.Context(), dir, ledger.Head{})
				m, err := archive.Repair(t.Context(), dir, from)
				if err != nil {
					t.Fatalf("%s: got %+v, %v; want no error", name, m, err)
				}
				faults := strings.Join(verify(t, dir).Faults, "\n")
				switch {
				case name == "older" && tt.older != "" && !(bucket && tt.older == "objects"):
					if !strings.Contains(faults, tt.older) {
						t.Errorf("%s: got faults %q after %+v, want %q", name, faults, before, tt.older)
					}
				case faults != "":
					t.Errorf("%s: got faults %q after %+v, want none", name, faults, m)
				default:
					for _, part := range []string{"ledger", "exchanges", "head", "stamps", "README.txt"} {
						if slurp(t, dir, part) != slurp(t, original, part) {
							t.Errorf("%s: %s is not as it was", name, part)
						}
					}
				}
				if list, _ := filepath.Glob(filepath.Join(dir, "damaged-*")); len(list) != len(m.Kept) || len(list) != tt.kept && (name == "current" || tt.older == "") {
					t.Errorf("%s: got the damaged files %v, %v; want %d", name, list, m.Kept, tt.kept)
				}
			}
		})
	}
	// Each damaged file has a name of its own.
	dir := copied(t, original)
	for i := range 3 {
		lines(dir, func(l []string) []string { l[4] = fmt.Sprint(i) + l[4]; return l })
		if _, err := archive.Repair(t.Context(), dir, kept); err != nil {
			t.Fatal(err)
		}
	}
	if list := mustGlob(t, dir, "damaged-*"); len(list) != 3 {
		t.Errorf("got the damaged files %v, want 3", list)
	}
}

// TestRepairKilled kills a repair again and again. The last one ends the work of the others.
func TestRepairKilled(t *testing.T) {
	original, box, s := filled(t, 20)
	o := options(box)
	o.Stamp = stamping(t)
	deliver(t, box, "more:2,", letter("more", s.URL+"/more"))
	run(t, original, o)
	kept := copied(t, original)
	dir := copied(t, original)
	path := mustGlob(t, dir, "ledger/*")[0]
	text, err := os.ReadFile(path)
	must(t, err)
	damaged := strings.ReplaceAll(string(text), "\n", "\r\n")
	put(t, path, damaged)
	// The head stays: without it and the ledger nothing would tell that no line is lost.
	for _, name := range []string{"objects", "exchanges", "stamps", "index", "README.txt"} {
		must(t, os.RemoveAll(filepath.Join(dir, name)))
	}
	for range often("EXTBODY_TEST_KILLS", 8) {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "EXTBODY_TEST_REPAIR="+dir, "EXTBODY_TEST_COPY="+kept)
		must(t, cmd.Start())
		time.Sleep(time.Duration(rand.IntN(60)) * time.Millisecond)
		cmd.Process.Kill()
		cmd.Wait()
	}
	if _, err := archive.Repair(t.Context(), dir, kept); err != nil {
		t.Fatal(err)
	}
	clean(t, dir)
	for _, part := range []string{"ledger", "objects", "exchanges", "stamps", "head"} {
		if slurp(t, dir, part) != slurp(t, original, part) {
			t.Errorf("%s is not as it was", part)
		}
	}
	list := mustGlob(t, dir, "damaged-*")
	if got, err := os.ReadFile(list[0]); len(list) != 1 || err != nil || string(got) != damaged {
		t.Errorf("got the damaged files %v, %v; want the ledger as it was", list, err)
	}
}

// TestVerifyParts checks that verify notices each part that is lost.
func TestVerifyParts(t *testing.T) {
	dir, box, _ := filled(t, 1)
	o := options(box)
	o.Stamp = stamping(t)
	run(t, dir, o)
	run(t, dir, options(box))
	for name, want := range map[string]string{
		"README.txt": "README.txt: is lost", "head": "head: is lost", "objects": "objects: the folder is lost", "stamps": "is lost", "exchanges": "is lost",
	} {
		damaged := copied(t, dir)
		must(t, os.RemoveAll(filepath.Join(damaged, name)))
		if faults := strings.Join(verify(t, damaged).Faults, "\n"); !strings.Contains(faults, want) {
			t.Errorf("%s: got %q, want %q", name, faults, want)
		}
	}
	changed := copied(t, dir)
	path := filepath.Join(changed, "README.txt")
	put(t, path, strings.Replace(mustRead(t, path), "sha256sum", "true", 1))
	if v := verify(t, changed); len(v.Faults) > 0 || len(v.Notes) != 1 || !strings.Contains(v.Notes[0], "README.txt: it was changed") {
		t.Errorf("another README.txt: got %q, %q; want a note", v.Faults, v.Notes)
	}
	must(t, os.Remove(path)) // as the note has it
	if _, err := archive.Repair(t.Context(), changed, dir); err != nil {
		t.Error(err)
	}
	clean(t, changed)
	damaged := copied(t, dir)
	put(t, mustGlob(t, damaged, "stamps/*")[0], "x")
	if faults := strings.Join(verify(t, damaged).Faults, "\n"); !strings.Contains(faults, "was changed") {
		t.Errorf("a stamp: got %q, want that it was changed", faults)
	}
}

// TestLedgerLost checks that no archive starts anew where another one has lost its ledger.
func TestLedgerLost(t *testing.T) {
	kinds(t, func(t *testing.T) {
		made, box, _ := filled(t, 1)
		for _, names := range [][]string{{"ledger"}, {"ledger", "head"}, {"ledger", "head", "index"}, {"ledger", "head", "index", "exchanges", "stamps"}} {
			for _, empty := range []bool{false, true} {
				dir := copied(t, made)
				for _, name := range append(names, "lock") {
					must(t, os.RemoveAll(filepath.Join(dir, name)))
				}
				if empty {
					must(t, os.Mkdir(filepath.Join(dir, "ledger"), 0o700))
				}
				before := len(objects(t, dir))
				if a, err := archive.Open(dir, true, nil); !errors.Is(err, archive.ErrLost) {
					t.Errorf("without %v: got %v, want %v", names, err, archive.ErrLost)
					a.Sync(t.Context(), options(box))
					a.Close()
				}
				if len(objects(t, dir)) != before {
					t.Errorf("without %v: got %d objects, want %d", names, len(objects(t, dir)), before)
				}
			}
		}
		// The end of the ledger, and head, which is the proof of it.
		dir := copied(t, made)
		path := mustGlob(t, dir, "ledger/*")[0]
		text, err := os.ReadFile(path)
		must(t, err)
		lines := strings.SplitAfter(string(text), "\n")
		put(t, path, strings.Join(lines[:len(lines)-4], ""))
		must(t, os.Remove(filepath.Join(dir, "head")))
		if _, err := archive.Open(dir, true, nil); !errors.Is(err, archive.ErrLost) {
			t.Errorf("without the end of the ledger: got %v, want %v", err, archive.ErrLost)
		}
	})
}

// TestCopyWhole checks that a copy replaces nothing that is whole by something that is damaged, and mends the damaged
// parts of the copy.
func TestCopyWhole(t *testing.T) {
	made, box, s := filled(t, 3)
	o := options(box)
	o.Stamp = stamping(t)
	deliver(t, box, "more:2,", letter("more", s.URL+"/more"))
	run(t, made, o)
	kept := filepath.Join(t.TempDir(), "copy")
	_, err := read(t, made).Copy(t.Context(), kept, nil)
	must(t, err)
	deliver(t, box, "new:2,", letter("new", s.URL+"/new"))
	run(t, made, options(box))
	ledgerOf := func(dir string) string { return mustGlob(t, dir, "ledger/*")[0] }
	flip := func(path string, at int) {
		text, err := os.ReadFile(path)
		must(t, err)
		if at < 0 {
			at += len(text)
		}
		text[at] ^= 1
		put(t, path, string(text))
	}
	stampOf := func(dir string) string { return mustGlob(t, dir, "stamps/*")[0] }
	copyOf := func(dir, to string) (*archive.Mending, error) {
		a, err := archive.Read(dir, nil)
		if err != nil {
			return nil, err
		}
		defer a.Close()
		return a.Copy(t.Context(), to, nil)
	}
	for _, tt := range []struct {
		name   string
		damage func(dir string)
		whole  bool // the copy has to be as it was
	}{
		{"a line", func(dir string) { flip(ledgerOf(dir), 500) }, true},
		{"a new line", func(dir string) { flip(ledgerOf(dir), -2000) }, true},
		{"an object", func(dir string) { flip(object(dir, sumOf(body("/1"))), 3) }, false},
		{"a stamp", func(dir string) { flip(stampOf(dir), 3) }, false},
		{"an exchange", func(dir string) { flip(mustGlob(t, dir, "exchanges/*")[0], 3) }, false},
	} {
		dir, to := copied(t, made), copied(t, kept)
		tt.damage(dir)
		before := slurp(t, to, ".")
		m, err := copyOf(dir, to)
		if tt.whole {
			if err == nil || slurp(t, to, ".", "lock") != before {
				t.Errorf("%s is damaged: got %+v, %v; want an error, and the copy as it was", tt.name, m, err)
			}
			continue
		}
		if err != nil || len(m.Lost) > 0 {
			t.Errorf("%s is damaged: got %+v, %v; want no error", tt.name, m, err)
		}
		clean(t, to)
	}
	for _, tt := range []struct {
		name   string
		damage func(dir string)
		kept   int
	}{
		{"a line", func(dir string) { flip(ledgerOf(dir), 500) }, 1},
		{"a line twice", func(dir string) {
			text, err := os.ReadFile(ledgerOf(dir))
			must(t, err)
			first, _, _ := strings.Cut(string(text), "\n")
			put(t, ledgerOf(dir), first+"\n"+string(text))
		}, 1},
		{"an object", func(dir string) { flip(object(dir, sumOf(body("/1"))), 3) }, 0},
		{"a stamp", func(dir string) { flip(stampOf(dir), 3) }, 1},
		{"an exchange", func(dir string) { flip(mustGlob(t, dir, "exchanges/*")[0], 3) }, 0},
		{"README.txt", func(dir string) { must(t, os.Remove(filepath.Join(dir, "README.txt"))) }, 0},
	} {
		to := copied(t, kept)
		tt.damage(to)
		m, err := copyOf(made, to)
		if err != nil || len(m.Lost) > 0 || len(m.Kept) != tt.kept {
			t.Errorf("%s is damaged in the copy: got %+v, %v; want it mended, and %d files kept", tt.name, m, err, tt.kept)
		}
		clean(t, to)
	}
	// The archive has lost its end, and nobody knows; the copy has it.
	to, dir := copied(t, made), copied(t, kept)
	before := slurp(t, to, ".")
	if _, err := copyOf(dir, to); !errors.Is(err, archive.ErrAhead) || slurp(t, to, ".", "lock") != before {
		t.Errorf("the copy is ahead: got %v, want %v, and the copy as it was", err, archive.ErrAhead)
	}
}
