package archive_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
)

// months returns an archive with a ledger of two months, and three captures.
func months(t *testing.T) (dir string, s *site) {
	t.Helper()
	s = newSite(t, plain)
	box, dir := inbox(t, numbered(s, 2)...)
	for i, at := range []time.Time{time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC), time.Date(2026, 2, 5, 0, 0, 0, 0, time.UTC)} {
		if i == 1 {
			deliver(t, box, "new:2,S", letter("new", s.URL+"/new"))
		}
		a, err := archive.Open(dir, true, &archive.Options{Now: func() time.Time { return at }})
		must(t, err)
		_, err = a.Sync(t.Context(), options(box))
		must(t, errors.Join(err, a.Close()))
	}
	return dir, s
}

// losses are the damages that can happen to a file of a ledger.
var losses = []struct {
	name string
	lose func(t *testing.T, path string)
}{
	{"lost", func(t *testing.T, path string) { must(t, os.Remove(path)) }},
	{"emptied", func(t *testing.T, path string) { must(t, os.Truncate(path, 0)) }},
	{"shortened", func(t *testing.T, path string) {
		text, err := os.ReadFile(path)
		must(t, err)
		must(t, os.WriteFile(path, text[:bytes.LastIndexByte(text[:len(text)-1], '\n')+1], 0o600))
	}},
	{"edited", func(t *testing.T, path string) {
		text, err := os.ReadFile(path)
		must(t, err)
		i := bytes.Index(text, []byte(`"kind":"capture"`))
		i += bytes.Index(text[i:], []byte(`"sha256":"`)) + len(`"sha256":"`)
		text[i] ^= 1
		must(t, os.WriteFile(path, text, 0o600))
	}},
	{"garbled", func(t *testing.T, path string) {
		text, err := os.ReadFile(path)
		must(t, err)
		i := bytes.Index(text, []byte(`"kind":"capture","capture":{`)) + len(`"kind":"capture","capture":{`)
		text[i] = '}'
		must(t, os.WriteFile(path, text, 0o600))
	}},
}

// readers are all that reads a ledger. Each returns the lines that it gave.
var readers = map[string]func(t *testing.T, a *archive.Archive) error{
	"status": func(t *testing.T, a *archive.Archive) error { _, err := a.Status(); return err },
	"search": func(t *testing.T, a *archive.Archive) error {
		return a.Search(new(archive.Selector), func(*archive.Found) error { return nil })
	},
	"due":    func(t *testing.T, a *archive.Archive) error { return a.Due(func(*archive.DueRow) error { return nil }) },
	"report": func(t *testing.T, a *archive.Archive) error { return a.WriteReport(io.Discard, new(archive.Selector)) },
	"csv": func(t *testing.T, a *archive.Archive) error {
		_, err := a.WriteCSV(io.Discard, new(archive.Selector))
		return err
	},
	"eml": exporting("eml"), "load": exporting("load"), "mbox": exporting("mbox"), "warc": exporting("warc"),
	"restore": func(t *testing.T, a *archive.Archive) error {
		_, err := a.Restore(t.Context(), new(archive.RestoreOptions), func(_ *archive.MessageRecord, r io.Reader) error {
			_, err := io.Copy(io.Discard, r)
			return err
		})
		return err
	},
	"forget": func(t *testing.T, a *archive.Archive) error {
		_, err := a.Forget(selector(t, "host=127.0.0.1"), &archive.ForgetOptions{Reason: "x", DryRun: true})
		return err
	},
}

func exporting(as string) func(t *testing.T, a *archive.Archive) error {
	return func(t *testing.T, a *archive.Archive) error {
		_, err := a.Export(t.Context(), filepath.Join(t.TempDir(), "out"), &archive.ExportOptions{As: as, Lost: func(string) {}})
		return err
	}
}

// TestWhole is OP-48: any reader of a ledger that is not whole gives the lines that are there, and then names a line.
// Nothing is written to a ledger that has lost octets, and the proof of that stays.
func TestWhole(t *testing.T) {
	whole, _ := months(t)
	for _, loss := range losses {
		for _, month := range []string{"2026-01.jsonl", "2026-02.jsonl"} {
			for _, index := range []bool{true, false} {
				dir := filepath.Join(t.TempDir(), "archive")
				must(t, os.CopyFS(dir, os.DirFS(whole)))
				loss.lose(t, filepath.Join(dir, "ledger", month))
				if !index {
					must(t, os.Remove(filepath.Join(dir, "index")))
				}
				name := loss.name + " " + month
				if index {
					name += " with an index"
				}
				for reader, read := range readers {
					a, err := archive.Read(dir, nil)
					if err != nil {
						t.Errorf("%s, %s: got %v, want what is there", name, reader, err)
						continue
					}
					if err := read(t, a); err != nil && !errors.Is(err, archive.ErrNothing) {
						t.Errorf("%s, %s: got %v, want what is there", name, reader, err)
					}
					if err := a.Whole(); !errors.Is(err, archive.ErrDamaged) || !strings.Contains(err.Error(), "line ") {
						t.Errorf("%s, %s: got %v, want %v with a line", name, reader, err, archive.ErrDamaged)
					}
					a.Close()
				}
				before := slurp(t, dir, ".")
				if strings.HasSuffix(loss.name, "ed") && loss.name != "emptied" && loss.name != "shortened" {
					continue
				}
				if a, err := archive.Open(dir, false, nil); !errors.Is(err, archive.ErrLost) {
					t.Errorf("%s: open: got %v, %v, want %v", name, a, err, archive.ErrLost)
				}
				if slurp(t, dir, ".") != before {
					t.Errorf("%s: something in the archive has changed", name)
				}
			}
		}
	}
}

// TestForgetEdited is OP-48: nothing is forgotten by a selection from a ledger that is not whole.
func TestForgetEdited(t *testing.T) {
	dir, _ := months(t)
	losses[3].lose(t, filepath.Join(dir, "ledger", "2026-01.jsonl"))
	a := open(t, dir)
	defer a.Close()
	before := a.Head()
	if _, err := a.Forget(selector(t, "message=<1@example.org>"), &archive.ForgetOptions{Reason: "x"}); !errors.Is(err, archive.ErrDamaged) || a.Head() != before {
		t.Errorf("got %v, want %v and no line", err, archive.ErrDamaged)
	}
}

// TestAccept is OP-48: a gap that was accepted stops nothing, and verify reports it.
func TestAccept(t *testing.T) { kinds(t, testAccept) }

func testAccept(t *testing.T) {
	whole, s := months(t)
	for _, loss := range losses {
		for _, month := range []string{"2026-01.jsonl", "2026-02.jsonl"} {
			name := loss.name + " " + month
			dir := copied(t, whole)
			loss.lose(t, filepath.Join(dir, "ledger", month))
			gaps, err := archive.Accept(dir, nil)
			if err != nil || len(gaps) == 0 {
				t.Errorf("%s: got %v, %v, want gaps", name, gaps, err)
				continue
			}
			box := maildir(t)
			deliver(t, box, "late:2,S", letter("late", s.URL+"/late"))
			for range 2 {
				if res := run(t, dir, options(box)); res.Unaccounted != 0 {
					t.Errorf("%s: got %+v, want a run as usual", name, res.Counts)
				}
				must(t, os.Remove(filepath.Join(dir, "index")))
			}
			for reader, read := range readers {
				a := open(t, dir)
				if reader != "forget" {
					a.Close()
					a, err = archive.Read(dir, nil)
					must(t, err)
				}
				if err := errors.Join(read(t, a), a.Whole(), a.Shared()); err != nil || len(a.Gaps()) == 0 {
					t.Errorf("%s, %s: got %v and gaps %v, want no error and gaps", name, reader, err, a.Gaps())
				}
				a.Close()
			}
			if again, err := archive.Accept(dir, nil); err != nil || len(again) > 0 {
				t.Errorf("%s: again: got %v, %v, want none", name, again, err)
			}
			if v := verify(t, dir); len(v.Faults) == 0 {
				t.Errorf("%s: verify: got no fault", name)
			}
		}
	}
}
