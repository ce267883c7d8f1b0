package cache_test

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-extbody/extbody/fetch/cache"
	"github.com/go-extbody/extbody/internal/file/filelock"
)

// A process that is stopped while it has the store locked holds up nobody.
func TestLockedByAnother(t *testing.T) {
	want := string(body(300_000))
	u := serve(t, func(rw http.ResponseWriter, _ *http.Request) { io.WriteString(rw, want) })
	path := filepath.Join(t.TempDir(), "c")
	d, err := cache.Dir(path, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	f, err := os.OpenFile(filepath.Join(path, "usage"), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if !filelock.Supported {
		t.Skip("this system has no locks")
	}
	if err := filelock.Try(f); err != nil {
		t.Fatal(err)
	}
	c := cache.New(newWeb(t), d, nil)
	if got, _, err := get(t.Context(), c, request(t, u)); err != nil || got != want {
		t.Errorf("a lock that is held: got %d octets, %v, want %d, nil", len(got), err, len(want))
	}
	c.Wait()
	if n := len(files(t, filepath.Join(path, "objects"))); n != 0 {
		t.Errorf("got %d bodies are stored without the lock, want 0", n)
	}
	f.Close()
	if got, _, err := get(t.Context(), c, request(t, u)); err != nil || got != want {
		t.Errorf("a lock that is free again: got %d octets, %v, want %d, nil", len(got), err, len(want))
	}
	c.Wait()
	if n := len(files(t, filepath.Join(path, "objects"))); n != 1 {
		t.Errorf("%d bodies are stored with the lock, want 1", n)
	}
}
