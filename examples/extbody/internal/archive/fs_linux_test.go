package archive_test

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive"
)

// TestReadOnly holds: an archive that cannot be written can be read and verified; who wants
// to write is told so, and nothing in it changes.
func TestReadOnly(t *testing.T) {
	original, _, _ := filled(t, 3)
	parent, err := os.MkdirTemp("", "archive") // into which others can look
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(parent) })
	dir := filepath.Join(parent, "archive")
	must(t, errors.Join(os.Chmod(parent, 0o755), os.CopyFS(dir, os.DirFS(original))))
	before := slurp(t, dir, ".")
	os.Remove(filepath.Join(dir, "lock"))
	const nobody = 65534
	own := func(file, folder os.FileMode) {
		filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
			mode := file
			if e.IsDir() {
				mode = folder
			}
			if os.Getuid() == 0 {
				must(t, os.Lchown(path, nobody, nobody))
			}
			must(t, os.Chmod(path, mode))
			return nil
		})
	}
	own(0o400, 0o500)
	t.Cleanup(func() { own(0o600, 0o700) })
	if os.Getuid() == 0 { // who can write anything
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if _, err := unix.SetfsuidRetUid(nobody); err != nil {
			t.Skip(err)
		}
		defer unix.SetfsuidRetUid(0)
	}
	if v := verify(t, dir); len(v.Faults)+len(v.Notes) > 0 || v.Captured != 3 {
		t.Errorf("verify: got %+v, want 3 captured and no fault", v)
	}
	a, err := archive.Read(dir, nil)
	if err != nil {
		t.Fatalf("read: got %v, want no error", err)
	}
	if s, err := a.Status(); err != nil || s.Captures != 3 || s.Exceptions != 1 {
		t.Errorf("status: got %+v, %v; want 3 captured, 1 excepted", s, err)
	}
	a.Close()
	if a, err := archive.Open(dir, true, nil); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("open: got %v, %v; want %v", a, err, fs.ErrPermission)
	}
	if slurp(t, dir, ".") != before {
		t.Error("something in the archive has changed")
	}
}

// TestElsewhere holds: the objects may be on another file system, to which a link leads,
// and nothing that is there is overlooked.
func TestElsewhere(t *testing.T) {
	elsewhere, err := os.MkdirTemp("/dev/shm", "archive-objects")
	if err != nil {
		t.Skip("no other file system: ", err)
	}
	t.Cleanup(func() { os.RemoveAll(elsewhere) })
	s := newSite(t, plain)
	box, dir := inbox(t, numbered(s, 4)...)
	open(t, dir).Close()
	must(t, os.Remove(filepath.Join(dir, "objects")))
	if err := os.Symlink(elsewhere, filepath.Join(dir, "objects")); err != nil {
		t.Skip(err)
	}
	if res := run(t, dir, options(box)); res.Captures != 4 {
		t.Errorf("got %+v, want 4 captures", res.Counts)
	}
	if v := clean(t, dir); v.Objects != 8 {
		t.Errorf("got %+v, want 8 objects", v)
	}
	// A file without a line is found there, and a run that was killed has left it.
	sum := sumOf("left")
	path := filepath.Join(elsewhere, sum[:2], sum[2:4], sum)
	must(t, os.MkdirAll(filepath.Dir(path), 0o700))
	put(t, path, "left")
	if v := verify(t, dir); len(v.Faults) != 1 || !strings.Contains(v.Faults[0], sum) {
		t.Errorf("got faults %v, want one with %s", v.Faults, sum)
	}
	os.Remove(path)
	if res := run(t, dir, options(box)); res.Captures+res.Messages != 0 {
		t.Errorf("again: got %+v, want nothing new", res.Counts)
	}
	if text := shell(t, dir, shellPage(t, dir)); !strings.Contains(text, "nothing is lost, ") || strings.Contains(text, "FAILED") {
		t.Errorf("README.txt: got %s, want nothing lost", text)
	}
	a := open(t, dir)
	defer a.Close()
	o := options(box)
	o.MinFree = 1 << 60
	if _, err := a.Sync(t.Context(), o); err != nil {
		t.Errorf("nothing to store: got %v, want no error", err)
	}
}

// TestSmallDisk runs on file systems of several sizes that are too small. It wants each run to report that, its
// remains to verify, and a run on a larger one to end with all. EXTBODY_TEST_DISKS says how many sizes there are.
func TestSmallDisk(t *testing.T) {
	if testing.Short() {
		t.Skip("other programs are run")
	}
	mount := filepath.Join(t.TempDir(), "disk")
	must(t, os.Mkdir(mount, 0o700))
	if out, err := exec.Command("unshare", "-m", "mount", "-t", "tmpfs", "-o", "size=1m", "none", mount).CombinedOutput(); err != nil {
		t.Skipf("no file system can be mounted: %v, %s", err, out)
	}
	const captures = 40
	s := newSite(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		fmt.Fprint(w, strings.Repeat(body(r.URL.Path), 1000))
	})
	box, _ := inbox(t, numbered(s, captures)...)
	disks := often("EXTBODY_TEST_DISKS", 3)
	failed := 0
	for i := range disks {
		size := 100_000 + i*1_200_000/disks
		dir := home(t)
		script := fmt.Sprintf(`mount -t tmpfs -o size=%d none "$1" && { "$2"; status=$?; cp -a "$1/archive" "$3"; exit $status; }`, size)
		cmd := exec.Command("unshare", "-m", "sh", "-c", script, "sh", mount, os.Args[0], dir)
		cmd.Env = syncing(filepath.Join(mount, "archive"), box).Env
		out, err := cmd.CombinedOutput()
		if err == nil {
			continue
		}
		failed++
		if !strings.Contains(string(out), "no space left") && !strings.Contains(string(out), archive.ErrNoSpace.Error()) {
			t.Errorf("%d octets: got %s, want that no space is left", size, out)
		}
		if _, err := os.Stat(filepath.Join(dir, "ledger")); err == nil {
			if v := verify(t, dir); len(v.Faults) > 0 {
				t.Errorf("%d octets: got faults %v, want none", size, v.Faults)
			}
		}
		run(t, dir, options(box))
		if v := clean(t, dir); v.Captured != captures || v.Messages != captures {
			t.Errorf("%d octets, and a run with more: got %+v, want all captured", size, v)
		}
	}
	if failed == 0 {
		t.Error("no run failed")
	}
	t.Logf("%d of %d runs failed", failed, disks)
}

// small makes a file system of a size for an archive.
func small(t *testing.T, size int) (dir string) {
	mount := t.TempDir()
	if err := unix.Mount("tmpfs", mount, "tmpfs", 0, fmt.Sprint("size=", size)); err != nil {
		t.Skip("no file system to fill: ", err)
	}
	t.Cleanup(func() { unix.Unmount(mount, 0) })
	return filepath.Join(mount, "archive")
}

// once returns a site whose links work once, with bodies of a size.
func once(t *testing.T, size int) *site {
	return newSite(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Write([]byte(strings.Repeat("x", size-len(r.URL.Path)) + r.URL.Path))
	})
}

// TestRoom is OP-51: no link is asked for whose body may have no room, so that each one that
// was asked for is captured, and there is room for the ledger and the index.
func TestRoom(t *testing.T) {
	const links = 60
	s := once(t, 300<<10)
	box, _ := inbox(t, numbered(s, links)...)
	dir := small(t, 8<<20)
	a := open(t, dir)
	defer a.Close()
	res, err := a.Sync(t.Context(), options(box))
	if !errors.Is(err, archive.ErrNoSpace) {
		t.Errorf("got %v, want %v", err, archive.ErrNoSpace)
	}
	if n := int64(s.total()); n != res.Captures || n < 10 || n >= links || res.Left == 0 {
		t.Errorf("got %d requests and %+v, want a capture for each, some, and some left", n, res.Counts)
	}
	if free := archive.FreeSpace(dir); free < 1<<19 {
		t.Errorf("got %d octets left for the ledger and the index, want a sixteenth of the disk", free)
	}
}

// TestWide holds: a body whose announced size has no room is an exception, and stops no other.
func TestWide(t *testing.T) {
	s := once(t, 1000)
	box, _ := inbox(t, numbered(s, 3)...)
	deliver(t, box, "wide:2,S", promising("wide", s.URL+"/wide", 1<<30, ""))
	dir := small(t, 8<<20)
	if res := run(t, dir, options(box)); res.Captures != 3 || res.Exceptions != 1 || s.asks["/wide"] != 0 {
		t.Errorf("got %+v and %v, want 3 captures and an exception that asked nothing", res.Counts, s.asks)
	}
	for _, x := range attempts(t, dir) {
		if x.line == "exception" && (x.Kind != "local" || !strings.Contains(x.Error, "no room")) {
			t.Errorf("got %+v, want a local exception", x)
		}
	}
	clean(t, dir)
}

// TestFullDiskStops is OP-51: after a body that has no room, nothing more is begun, of the links that
// wait for their turns at the host as well. Three of 1 MiB would have had room at once.
func TestFullDiskStops(t *testing.T) {
	s := once(t, 6<<20)
	box, _ := inbox(t, numbered(s, 20)...)
	a := open(t, small(t, 4<<20))
	defer a.Close()
	res, err := a.Sync(t.Context(), options(box))
	full := errors.Is(err, syscall.ENOSPC) || errors.Is(err, archive.ErrNoSpace)
	if n := s.total(); !full || n == 0 || n > 3 || res.Left < int64(20-2*n) || res.Captures > 0 {
		t.Errorf("got %v, %d requests and %+v, want %v, 1 to 3, and the others left", err, n, res.Counts, syscall.ENOSPC)
	}
}

// TestMillion holds: a run with nothing due makes the index anew that was deleted, in
// memory that does not grow with the ledger. EXTBODY_TEST_MILLION is how many references
// there are.
func TestMillion(t *testing.T) {
	if testing.Short() {
		t.Skip("another program is run")
	}
	n := often("EXTBODY_TEST_MILLION", 2000)
	dir := home(t)
	archive.FillLedger(t, dir, n)
	os.Remove(filepath.Join(dir, "index"))
	cmd := syncing(dir, t.TempDir())
	cmd.Env = append(cmd.Env, "GOGC=60") // as the program has it
	begun := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("got error %v, want none: %s", err, out)
	}
	took := time.Since(begun)
	info, err := os.Stat(filepath.Join(dir, "index"))
	must(t, err)
	state := cmd.ProcessState
	rss := state.SysUsage().(*syscall.Rusage).Maxrss >> 10
	t.Logf("%d references: %v, %v of the CPU, %d MiB RSS, an index of %d MiB", n, took, state.UserTime()+state.SystemTime(), rss, info.Size()>>20)
	if n >= 1_000_000 && rss > 256 {
		t.Errorf("got %d MiB RSS, want 256 at most", rss)
	}
	a := open(t, dir)
	defer a.Close()
	s, err := a.Status()
	if err != nil || s.References != int64(n) || s.Final != int64(n) || s.Due != 0 {
		t.Errorf("got %+v, %v; want %d references, all final", s, err, n)
	}
}
