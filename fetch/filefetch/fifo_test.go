//go:build unix

package filefetch

import (
	"net"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/go-extbody/extbody/fetch"
)

// AT-17: a pipe and a socket are refused, and no reader waits for a writer. The
// second look at the file that was opened is made without the first.
func TestIrregular(t *testing.T) {
	dir, root := folder(t)
	if err := syscall.Mkfifo(filepath.Join(dir, "fifo"), 0o644); err != nil {
		t.Skip(err)
	}
	l, err := net.Listen("unix", filepath.Join(dir, "socket"))
	if err != nil {
		t.Skip(err)
	}
	defer l.Close()
	noError(t, root.Symlink("fifo", "link"))
	for _, name := range []string{"fifo", "socket", "link"} {
		_, _, err := get(t.Context(), New(&Options{Root: root}), fileURL(dir+"/"+name))
		if fetch.KindOf(err) != fetch.Blocked {
			t.Errorf("%s: error %v, want %v", name, err, fetch.Blocked)
		}
	}
	if f, _, err := openRegular(root, "fifo"); fetch.KindOf(err) != fetch.Blocked {
		f.Close()
		t.Errorf("opened: error %v, want %v", err, fetch.Blocked)
	}
}
