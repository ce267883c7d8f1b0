package mailbox_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/go-extbody/extbody/examples/extbody/internal/mail/mailbox"
)

// tree writes files, by their paths with slashes, into a new folder.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if text == "DIR" {
			if err := os.MkdirAll(path, 0o700); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// walk lists what Walk yields: path, index, flags, and the text or the error.
func walk(t *testing.T, root string) []string {
	t.Helper()
	var got []string
	for m, err := range mailbox.Walk(root) {
		path, _ := filepath.Rel(root, m.Path)
		line := fmt.Sprintf("%s %d", filepath.ToSlash(path), m.Index)
		if m.Flags != "" {
			line += " " + m.Flags
		}
		if err != nil {
			got = append(got, line+" error")
			continue
		}
		text, err := io.ReadAll(m.Reader())
		if err != nil {
			t.Error(err)
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
		got = append(got, fmt.Sprintf("%s %q", line, text))
	}
	return got
}

func TestWalkFolder(t *testing.T) {
	root := tree(t, map[string]string{
		"b.eml":   "B: b\n",
		"a/x":     fromA + "X: 0\n\n" + fromB + "X: 1\n\n",
		"a/y":     "\x01\x01\x01\x01\nY: 0\n\x01\x01\x01\x01\n",
		"c.txt":   "C: c\n",
		"empty":   "",
		".hidden": "H: h\n",

		"box" + mailbox.BackupSuffix: "H: backup\n",

		".git/x":     "G: g\n",
		".Sent/cur":  "DIR",
		".Sent/new":  "DIR",
		".Sent/tmp":  "DIR",
		"d/e/f/deep": "D: d\n",
	})
	if err := os.WriteFile(filepath.Join(root, ".Sent", "new", "1"), []byte("S: s\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	want := []string{
		`.Sent/new/1 0 "S: s\n"`,
		`a/x 0 "X: 0\n\n"`,
		`a/x 1 "X: 1\n\n"`,
		`a/y 0 "Y: 0\n"`,
		`b.eml 0 "B: b\n"`,
		`c.txt 0 "C: c\n"`,
		`d/e/f/deep 0 "D: d\n"`,
	}
	if got := walk(t, root); !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

func TestWalkMaildir(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the names of a Maildir have colons")
	}
	root := tree(t, map[string]string{
		"cur/1700000003.a.h:2,FS":  "N: 3\n",
		"cur/1700000001.a.h:2,":    fromA + "N: 1\n\n" + fromB + "N: x\n",
		"new/1700000002.a.h":       "N: 2\n",
		"tmp/1700000000.a.h":       "N: 0\n",
		"cur/.nfs1":                "N: y\n",
		"dovecot-uidlist":          "3 V1\n",
		".Sub/cur/1700000009.a.h":  "N: 9\n",
		".Sub/new":                 "DIR",
		"unrelated/1700000009.a.h": "N: z\n",
	})
	want := []string{
		fmt.Sprintf("cur/1700000001.a.h:2, 0 %q", "N: 1\n\n"+fromB+"N: x\n"),
		`new/1700000002.a.h 1 "N: 2\n"`,
		`cur/1700000003.a.h:2,FS 2 FS "N: 3\n"`,
		`.Sub/cur/1700000009.a.h 0 "N: 9\n"`,
	}
	if got := walk(t, root); !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

func TestWalkGoesOnAfterErrors(t *testing.T) {
	root := tree(t, map[string]string{"a": "A: a\n", "z": "Z: z\n"})
	if err := os.Symlink("nowhere", filepath.Join(root, "link")); err != nil {
		t.Skip(err)
	}
	want := []string{`a 0 "A: a\n"`, `link 0 error`, `z 0 "Z: z\n"`}
	if got := walk(t, root); !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

func TestWalkLinks(t *testing.T) {
	root := tree(t, map[string]string{"a": "A: a\n", "d/e": "E: e\n"})
	for name, target := range map[string]string{"b": "a", "c": ".", "d/d": "../d"} {
		if err := os.Symlink(target, filepath.Join(root, name)); err != nil {
			t.Skip(err)
		}
	}
	want := []string{`a 0 "A: a\n"`, `b 0 "A: a\n"`, `d/e 0 "E: e\n"`}
	if got := walk(t, root); !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

func TestWalkMissing(t *testing.T) {
	for m, err := range mailbox.Walk(filepath.Join(t.TempDir(), "none")) {
		if !errors.Is(err, fs.ErrNotExist) || filepath.Base(m.Path) != "none" {
			t.Errorf("got %+v, %v, want %v", m, err, fs.ErrNotExist)
		}
	}
}

// A message stays readable after the sequence until it is closed, and its file
// is closed with the last one.
func TestMessageOutlivesWalk(t *testing.T) {
	root := tree(t, map[string]string{"box": fromA + "N: 0\n\n" + fromB + "N: 1\n"})
	var kept []*mailbox.Message
	for m, err := range mailbox.Walk(root) {
		if err != nil {
			t.Fatal(err)
		}
		kept = append(kept, m)
	}
	kept[0].Close()
	kept[0].Close()
	if text, err := io.ReadAll(kept[1].Reader()); err != nil || string(text) != "N: 1\n" {
		t.Errorf("got %q, %v, want %q, nil", text, err, "N: 1\n")
	}
	kept[1].Close()
	if _, err := io.ReadAll(kept[1].Reader()); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("got %v, want a closed file", err)
	}
}
