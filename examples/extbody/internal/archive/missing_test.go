package archive_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
)

// TestMissingSource holds: a source that cannot be found is an error in each run, until it is gone, and is read when
// it is there again (OP-47).
func TestMissingSource(t *testing.T) {
	box, dir := inbox(t, "data:,1")
	name := archive.Files(box, time.Time{}).Name()
	run(t, dir, options(box))
	away := box + ".away"
	must(t, os.Rename(box, away))
	for night := range 2 {
		if res := run(t, dir, options(box)); res.Sources[0].Error == "" || res.Sources[0].Exists != 0 {
			t.Errorf("night %d: got %+v, want an error", night, res.Sources[0])
		}
	}
	o := options(box)
	o.Gone = []string{name}
	for night := range 2 {
		if res := run(t, dir, o); res.Sources[0].Error != "" || !res.Sources[0].Gone || res.New != 0 || res.Exceptions != 0 {
			t.Errorf("gone, night %d: got %+v, %+v; want that it is gone", night, res.Sources[0], res.Counts)
		}
		o = options(box)
	}
	if text := slurp(t, dir, "ledger"); strings.Count(text, `"gone":true`) != 1 {
		t.Errorf("got %s; want one line with gone", text)
	}
	must(t, os.Rename(away, box))
	if res := run(t, dir, options(box)); res.Sources[0].Seen != 1 || res.Sources[0].Gone {
		t.Errorf("there again: got %+v, want a message seen", res.Sources[0])
	}
	must(t, os.Rename(box, away))
	if res := run(t, dir, options(box)); res.Sources[0].Error == "" {
		t.Errorf("missing again: got %+v, want an error", res.Sources[0])
	}
	clean(t, dir)
	a := open(t, dir)
	defer a.Close()
	o = options()
	o.Gone = []string{name + "x"}
	before := a.Head()
	if _, err := a.Sync(t.Context(), o); !errors.Is(err, archive.ErrNoSource) || a.Head() != before {
		t.Errorf("got %v, want %v and no line", err, archive.ErrNoSource)
	}
}

// TestEmptiedSource holds: a source that had messages and has none is known in each run, and the first time it is news.
// One that never had any is not (OP-47).
func TestEmptiedSource(t *testing.T) {
	box, dir := inbox(t, "data:,1")
	empty := maildir(t)
	for night, want := range []struct{ has, emptied, news bool }{{true, false, false}, {false, true, true}, {false, true, false}, {true, false, false}, {false, true, true}} {
		message := filepath.Join(box, "cur", "001:2,S")
		err := os.Remove(message)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		if want.has {
			put(t, message, letter("1", "data:,1"))
		}
		res := run(t, dir, options(box, empty))
		if got := res.Sources[0]; got.Emptied != want.emptied || res.NewlyEmptied != want.news || res.Sources[1].Emptied {
			t.Errorf("night %d: got %+v and %+v, news %v; want %+v", night, got, res.Sources[1], res.NewlyEmptied, want)
		}
	}
	clean(t, dir)
}

// TestFolderAccount holds: the account of a folder has each message of it, the number of files without mail by name,
// and each file that may hold mail and is not read, in each run (OP-47).
func TestFolderAccount(t *testing.T) {
	folder, dir := t.TempDir(), home(t)
	for i, name := range []string{"cur/1700000001.a.h:2,S", ".Sent/cur/1700000002.a.h:2,S", "cur/old/3.eml", "b/c/new/1700000004.a.h"} {
		must(t, os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o700))
		put(t, filepath.Join(folder, name), letter(string(rune('1'+i)), "data:,1"))
	}
	put(t, filepath.Join(folder, "dovecot-uidlist"), "3 V1 N2\n")
	put(t, filepath.Join(folder, "picture"), "\x89PNG\r\n\x1A\n")
	put(t, filepath.Join(folder, "store"), "!BDN\x00\x00")
	for night := range 2 {
		res := run(t, dir, options(folder))
		rec := res.Sources[0]
		if rec.Seen != 4 || rec.Excepted != 2 || rec.NoMail != 1 || len(res.NotRead) != 1 || !strings.Contains(res.NotRead[0], "store: ") {
			t.Errorf("night %d: got %+v, %q; want 4 messages seen, one file without mail and one not read", night, rec, res.NotRead)
		}
	}
	clean(t, dir)
}
