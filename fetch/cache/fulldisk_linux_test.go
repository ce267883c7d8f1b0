package cache_test

import (
	"fmt"
	"net/http"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/go-extbody/extbody/fetch/cache"
)

// The disk is full while bodies are stored: everybody gets theirs, some are
// stored, and nothing half is. This needs root, for a small file system.
func TestFullDisk(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=1m,mode=700"); err != nil {
		t.Skip("no file system of its own: ", err)
	}
	defer syscall.Unmount(disk, syscall.MNT_DETACH)
	d := openDir(t, filepath.Join(disk, "c"), 64<<20)
	want := body(300_000)
	u := serve(t, func(rw http.ResponseWriter, r *http.Request) {
		rw.Write([]byte(r.URL.Path))
		rw.Write(want)
	})
	c := cache.New(newWeb(t), d, nil)
	for range 2 {
		together(8, func(i int) {
			path := fmt.Sprint("/", i/2)
			wantBody(t, c, request(t, u+path), path+string(want))
		})
		c.Wait()
	}
	if n := len(files(t, filepath.Join(disk, "c", "objects"))); n < 1 || n > 3 {
		t.Errorf("got %d bodies of 300 kB on 1 MiB, want 1 to 3", n)
	}
	equal(t, "files are left in tmp", len(files(t, filepath.Join(disk, "c", "tmp"))), 1)
}
