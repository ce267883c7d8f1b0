package archive_test

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// zipOf returns a zip archive with one file.
func zipOf(t testing.TB, name, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create(name)
	must(t, err)
	_, err = w.Write([]byte(text))
	must(t, err)
	must(t, z.Close())
	return b.String()
}

// TestReadAgain holds: an exception of a file or folder is over when that can be read again (OP-59), also if no message has its
// path; and it is not over before.
func TestReadAgain(t *testing.T) {
	const mail = "Subject: x\n\nno reference\n"
	for _, tt := range []struct {
		name      string
		damage    func(t *testing.T, path string)
		readAgain func(t *testing.T, path string)
	}{
		{"a folder without permission", func(t *testing.T, path string) {
			if os.Getuid() == 0 {
				t.Skip("root may read each folder")
			}
			must(t, os.Mkdir(path, 0o700))
			put(t, filepath.Join(path, "1.eml"), mail)
			must(t, os.Chmod(path, 0))
		}, func(t *testing.T, path string) { must(t, os.Chmod(path, 0o700)) }},
		{"a link instead of a folder", func(t *testing.T, path string) {
			must(t, os.Symlink(path, path))
		}, func(t *testing.T, path string) {
			must(t, os.Remove(path))
			must(t, os.Mkdir(path, 0o700))
			put(t, filepath.Join(path, "1.eml"), mail)
		}},
		{"a link instead of a folder cur", func(t *testing.T, path string) {
			must(t, os.Mkdir(path, 0o700))
			must(t, os.Symlink(path+"/new", path+"/new"))
		}, func(t *testing.T, path string) {
			must(t, os.Remove(path+"/new"))
			must(t, os.Mkdir(path+"/new", 0o700))
		}},
		{"a damaged zip archive", func(t *testing.T, path string) {
			put(t, path, zipOf(t, "1.eml", mail)[:40])
		}, func(t *testing.T, path string) { put(t, path, zipOf(t, "1.eml", mail)) }},
		{"a file that is empty now", func(t *testing.T, path string) {
			put(t, path, "PK\x05\x06 no mail\x00")
		}, func(t *testing.T, path string) { put(t, path, "") }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			source := t.TempDir()
			dir := home(t)
			put(t, filepath.Join(source, "other.eml"), mail)
			path := filepath.Join(source, "thing")
			tt.damage(t, path)
			files := func() int64 {
				t.Helper()
				run(t, dir, options(source))
				s, err := read(t, dir).Status()
				must(t, err)
				return s.Files
			}
			for n := range 2 {
				if got := files(); got != 1 {
					t.Fatalf("run %d: got %d files that cannot be read, want 1", n+1, got)
				}
			}
			tt.readAgain(t, path)
			if got := files(); got != 0 {
				t.Errorf("read again: got %d files that cannot be read, want 0", got)
			}
			clean(t, dir)
		})
	}
}

// TestReadAgainByNewRules holds: messages in a folder or zip archive that could not be read while the rules changed are read by
// the new rules when they are back.
func TestReadAgainByNewRules(t *testing.T) {
	s := newSite(t, plain)
	mail := withFile("Subject: x\r\n\r\ntext\r\n", s.URL+"/away")
	zipped := zipOf(t, "1.eml", mail)
	for _, tt := range []struct {
		name string
		make func(t *testing.T, path string)
	}{
		{"folder", func(t *testing.T, path string) {
			must(t, os.Mkdir(path, 0o700))
			put(t, filepath.Join(path, "1.eml"), mail)
		}},
		{"a folder whose name is not UTF-8 \xff", func(t *testing.T, path string) {
			if err := os.Mkdir(path, 0o700); err != nil {
				t.Skip(err)
			}
			put(t, filepath.Join(path, "1.eml"), mail)
		}},
		{"Maildir", func(t *testing.T, path string) {
			must(t, os.MkdirAll(filepath.Join(path, "new"), 0o700))
			put(t, filepath.Join(path, "new", "1700000000.a.example"), mail)
		}},
		{"zip archive", func(t *testing.T, path string) { put(t, path, zipped) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			source := t.TempDir()
			dir := home(t)
			path := filepath.Join(source, tt.name)
			tt.make(t, path)
			put(t, filepath.Join(source, "other.eml"), withFile(letter("other"), s.URL+"/other"))
			run(t, dir, older(source))
			must(t, os.RemoveAll(path))
			must(t, os.Symlink(path, path))
			o := options(source)
			o.Open = newer()
			for range 2 {
				run(t, dir, o)
			}
			must(t, os.Remove(path))
			tt.make(t, path)
			if res := run(t, dir, o); res.References != 1 || res.Captures != 1 {
				t.Errorf("back: got %+v, want a reference and its capture", res.Counts)
			}
			clean(t, dir)
		})
	}
}

// TestReadAgainAtItsPlace holds: a message without references that leaves an mbox, and is at its place again after the rules
// changed, is read by the new rules if VerifySources asks for that.
func TestReadAgainAtItsPlace(t *testing.T) {
	s := newSite(t, plain)
	source := filepath.Join(t.TempDir(), "mail.mbox")
	dir := home(t)
	before := mbox(s.URL+"/", 1, 2)
	after := before + "From a@example.org Mon Nov  2 10:00:00 2026\n" + withFile("Subject: x\n\ntext\n", s.URL+"/back")
	put(t, source, after)
	run(t, dir, older(source))
	put(t, source, before)
	o := options(source)
	o.Open = newer()
	run(t, dir, o)
	put(t, source, after)
	o.VerifySources = true
	if res := run(t, dir, o); res.References != 1 || res.Captures != 1 {
		t.Errorf("back: got %+v, want a reference and its capture", res.Counts)
	}
	if res := run(t, dir, o); res.Messages+res.References+res.Sightings != 0 {
		t.Errorf("again: got %+v, want nothing new", res.Counts)
	}
	clean(t, dir)
}
