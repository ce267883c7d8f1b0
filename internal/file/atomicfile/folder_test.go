package atomicfile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
)

// Names that are given while others are put on the disk are put there together, after
// that, and all who gave one learn how it went.
func TestSettleTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun, goOn := make(chan struct{}), make(chan error)
		d := &Folder{sync: func() error {
			begun <- struct{}{}
			return <-goOn
		}}
		results := make([]error, 21)
		var all sync.WaitGroup
		settle := func(i int) { all.Go(func() { results[i] = d.settle() }) }
		settle(0)
		<-begun
		for i := 1; i <= 10; i++ {
			settle(i)
		}
		synctest.Wait()
		failure := errors.New("failure")
		for round, err := range []error{nil, failure, nil} {
			goOn <- err
			if round < 2 {
				<-begun // of the next one, which no file may join any more
			}
			if round == 0 {
				for i := 11; i <= 20; i++ {
					settle(i)
				}
				synctest.Wait()
			}
		}
		all.Wait()
		for i, err := range results {
			want := error(nil)
			if i >= 1 && i <= 10 {
				want = failure
			}
			if err != want {
				t.Errorf("%d: got %v, want %v", i, err, want)
			}
		}
	})
}

// Files that are made at the same time all get their names.
func TestFolderTogether(t *testing.T) {
	dir, d := folder(t)
	var all sync.WaitGroup
	var want []string
	for i := range 50 {
		name := fmt.Sprintf("%02d", i)
		want = append(want, name)
		all.Go(func() {
			f, err := d.Create()
			if err != nil {
				t.Error(err)
				return
			}
			defer f.Discard()
			if err := f.Publish(name); err != nil {
				t.Errorf("%s: got %v, want no error", name, err)
			}
		})
	}
	all.Wait()
	wantFiles(t, dir, want...)
}

// kinds are the ways to make a File on this system.
func kinds(t *testing.T) map[string]func(*Folder) (*File, error) {
	m := map[string]func(*Folder) (*File, error){"Temp": openTempIn}
	if runtime.GOOS == "linux" {
		m["Create"] = (*Folder).Create
	}
	return m
}

func openTempIn(dir *Folder) (*File, error) { return openTemp(below{dir.root, dir}, ".") }

func folder(t *testing.T) (string, *Folder) {
	t.Helper()
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	noError(t, err)
	f, err := OpenFolder(root)
	noError(t, err)
	t.Cleanup(func() {
		f.Close()
		root.Close()
	})
	return dir, f
}

func TestPublish(t *testing.T) {
	for kind, create := range kinds(t) {
		t.Run(kind, func(t *testing.T) {
			dir, root := folder(t)
			noError(t, os.WriteFile(filepath.Join(dir, "taken"), []byte("mine"), 0o644))
			if err := os.Symlink("elsewhere", filepath.Join(dir, "link")); err != nil {
				t.Skip(err)
			}
			f, err := create(root)
			noError(t, err)
			defer f.Discard()
			if _, err := f.Write([]byte("body")); err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"taken", "link"} {
				if err := f.Publish(name); !errors.Is(err, fs.ErrExist) {
					t.Errorf("%s: got %v, want fs.ErrExist", name, err)
				}
			}
			for _, name := range []string{"", ".", "..", "../x", "a/b", "/x"} {
				if err := f.Publish(name); !errors.Is(err, fs.ErrInvalid) {
					t.Errorf("%q: got %v, want fs.ErrInvalid", name, err)
				}
			}
			noError(t, f.Publish("new"))
			f.Discard() // does nothing
			wantFiles(t, dir, "link", "new", "taken")
			for name, want := range map[string]string{"new": "body", "taken": "mine"} {
				if b, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(b) != want {
					t.Errorf("%s: got %q, %v, want %q", name, b, err, want)
				}
			}
			if info, err := os.Stat(filepath.Join(dir, "new")); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
				t.Errorf("got %v, %v, want mode 0600", info.Mode(), err)
			}
		})
	}
}

func TestDiscard(t *testing.T) {
	for kind, create := range kinds(t) {
		t.Run(kind, func(t *testing.T) {
			dir, root := folder(t)
			f, err := create(root)
			noError(t, err)
			f.Write([]byte("body"))
			f.Discard()
			wantFiles(t, dir)
		})
	}
}

// A file system without links: the name is reserved, and then taken over.
func TestRename(t *testing.T) {
	dir, root := folder(t)
	f, err := openTempIn(root)
	noError(t, err)
	f.Write([]byte("body"))
	noError(t, f.rename("new"))
	f.Discard()
	if b, err := os.ReadFile(filepath.Join(dir, "new")); err != nil || string(b) != "body" {
		t.Errorf("got %q, %v, want %q", b, err, "body")
	}
	g, err := openTempIn(root)
	noError(t, err)
	if err := g.rename("new"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("got %v, want fs.ErrExist", err)
	}
	g.Discard()
	wantFiles(t, dir, "new")
}

// TestWriteAhead writes a long file in pieces: it is put on the disk as it grows if it is in a Folder, and is whole.
func TestWriteAhead(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	folder, err := OpenFolder(root)
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	inFolder, err := folder.Create()
	if err != nil {
		t.Fatal(err)
	}
	beside, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer beside.Discard()
	want := bytes.Repeat([]byte("0123456789abcde"), 2*ahead/15)
	for piece := range slices.Chunk(want, 100_003) {
		for _, f := range []*File{inFolder, beside} {
			if n, err := f.Write(piece); n != len(piece) || err != nil {
				t.Fatalf("got %d, %v, want %d and no error", n, err, len(piece))
			}
		}
	}
	if s := inFolder.started; s < ahead || s > inFolder.written || beside.started != 0 {
		t.Errorf("got %d octets put on the disk of %d, and %d of a file beside, want at least %d, and 0", s, inFolder.written, beside.started, ahead)
	}
	if err := inFolder.Publish("a"); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "a")); !bytes.Equal(got, want) || err != nil {
		t.Errorf("got %d octets, %v, want %d and no error", len(got), err, len(want))
	}
}
