//go:build unix

package mailbox

import (
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Nothing is read that is not below the root, by whatever path, and nothing that is neither a
// file nor a folder is waited for (OP-34).
func TestWalkIn(t *testing.T) {
	outside, dir := t.TempDir(), t.TempDir()
	write := func(path string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("Subject: "+filepath.Base(path)+"\n\nx\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	link := func(to, path string) {
		t.Helper()
		if err := os.Symlink(to, path); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(outside, "secret.eml"))
	write(filepath.Join(outside, "box/cur/1.a:2,"))
	write(filepath.Join(dir, "sub/a.eml"))
	write(filepath.Join(dir, "maildir/new/1.b"))
	link(filepath.Join(outside, "box/cur"), filepath.Join(dir, "maildir/cur"))
	link("sub/a.eml", filepath.Join(dir, "inside.eml"))
	link(filepath.Join(dir, "sub/a.eml"), filepath.Join(dir, "absolute.eml"))
	link(filepath.Join(outside, "secret.eml"), filepath.Join(dir, "out.eml"))
	link("../"+filepath.Base(outside)+"/secret.eml", filepath.Join(dir, "up.eml"))
	link(outside, filepath.Join(dir, "folder"))
	if err := syscall.Mkfifo(filepath.Join(dir, "fifo.eml"), 0o600); err != nil {
		t.Fatal(err)
	}
	socket, err := net.Listen("unix", filepath.Join(dir, "socket.eml"))
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	for _, tt := range []struct {
		name, root, path string
		want             string // the names of the messages, and "!" for an error
	}{
		{"All", dir, "", "! ! ! a.eml 1.b ! ! ! a.eml !"}, // absolute, fifo, folder, inside, maildir/new, maildir/cur, out, socket, sub, up
		{"File", dir, "sub/a.eml", "a.eml"},
		{"Inside", dir, "inside.eml", "a.eml"},
		{"Absolute", dir, "absolute.eml", "!"},
		{"Out", dir, "out.eml", "!"},
		{"Up", dir, "up.eml", "!"},
		{"Through", dir, "folder/secret.eml", "!"},
		{"Folder", dir, "folder", "!"},
		{"Parent", dir, "../" + filepath.Base(outside) + "/secret.eml", "!"},
		{"Missing", dir, "missing.eml", "!"},
		{"FIFO", dir, "fifo.eml", "!"},
		{"Socket", dir, "socket.eml", "!"},
		{"Device", "/dev", "zero", "!"},
		{"Maildir", dir, "maildir/new/1.b", "1.b"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root, err := os.OpenRoot(tt.root)
			if err != nil {
				t.Fatal(err)
			}
			defer root.Close()
			var got []string
			for m, err := range (&Walker{Root: root}).Walk(filepath.Join(tt.root, tt.path)) {
				if err != nil {
					got = append(got, "!")
					continue
				}
				text, err := io.ReadAll(m.Reader())
				if err != nil {
					t.Error(err)
				}
				subject, _, _ := strings.Cut(strings.TrimPrefix(string(text), "Subject: "), "\n")
				got = append(got, subject)
				m.Close()
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for _, path := range []string{filepath.Join(outside, "secret.eml"), filepath.Join(dir, "out.eml"), filepath.Join(dir, "absolute.eml")} {
		for _, err := range (&Walker{Root: root}).Walk(path) {
			if !errors.Is(err, ErrOutside) {
				t.Errorf("%s: got %v, want %v", path, err, ErrOutside)
			}
		}
	}
}

// A message of a Maildir is the only one of its file, whether its folder or its file is
// named, and whatever its first line (OP-32).
func TestMaildirFile(t *testing.T) {
	dir := newMaildir(t, "cur/1.a:2,", "cur/2.b:2,S")
	const text = "From a@b.example Mon Jan  2 15:04:05 2006\nSubject: a\n\nx\n\nFrom a@b.example Mon Jan  2 15:04:05 2006\nSubject: b\n\n"
	path := filepath.Join(dir, "cur/2.b:2,S")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, from := range []string{dir, path} {
		n := 0
		for m, err := range Walk(from) {
			if err != nil {
				t.Fatal(err)
			}
			if m.Path == path {
				n++
				if m.Index != 0 || m.Flags != "S" || m.Trailer.End != int64(len(text)) {
					t.Errorf("%s: got number %d, flags %q and an end at %d, want 0, S and %d", from, m.Index, m.Flags, m.Trailer.End, len(text))
				}
			}
			m.Close()
		}
		if n != 1 {
			t.Errorf("%s: got %d messages of the file, want 1", from, n)
		}
	}
}
