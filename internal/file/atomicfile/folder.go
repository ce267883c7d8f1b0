package atomicfile

import (
	"errors"
	"os"
	"runtime"
	"sync"
	"syscall"
)

// A Folder is a folder in which files are made. Its methods may be called from several
// goroutines concurrently. It must be closed, after its Files have ended.
type Folder struct {
	root *os.Root
	self *os.File
	sync func() error // of self

	mu     sync.Mutex
	now    *settling // nil if no sync is running
	coming *settling // the one after it; nil if no call waits
}

// A settling is one sync of the names in a folder.
type settling struct {
	done chan struct{} // closed at its end
	err  error
}

// OpenFolder opens a folder, which stays open until the Folder is closed.
func OpenFolder(root *os.Root) (*Folder, error) {
	self, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	return &Folder{root: root, self: self, sync: func() error { return syncNames(self) }}, nil
}

// Close frees the Folder, and not the [os.Root].
func (d *Folder) Close() error { return d.self.Close() }

// Link gives the file old another name, and puts that on the disk. If something has the
// name already the error is [fs.ErrExist].
func (d *Folder) Link(old, name string) error {
	if err := d.root.Link(old, name); err != nil {
		return err
	}
	if err := d.Settle(name); err != nil {
		d.root.Remove(name)
		return err
	}
	return nil
}

// Settle puts a file that is there, and its name, on the disk.
func (d *Folder) Settle(name string) error {
	f, err := d.root.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(SyncFile(f), f.Close(), d.settle())
}

// settle puts the names in the folder on the disk. Concurrent calls share one fsync: a
// call that arrives during a sync waits for the next one.
func (d *Folder) settle() error {
	d.mu.Lock()
	s := d.coming
	if s != nil {
		d.mu.Unlock()
		<-s.done
		return s.err
	}
	s = &settling{done: make(chan struct{})}
	if before := d.now; before != nil {
		d.coming = s
		d.mu.Unlock()
		<-before.done
		d.mu.Lock()
		d.coming = nil
	}
	d.now = s
	d.mu.Unlock()

	s.err = d.sync()

	d.mu.Lock()
	if d.now == s {
		d.now = nil
	}
	d.mu.Unlock()
	close(s.done)
	return s.err
}

// below are the names in a Folder.
type below struct {
	*os.Root
	folder *Folder
}

func (n below) nameless(string) *os.File { return openNameless(n.folder.self, ".") }
func (n below) linkNameless(f *os.File, name string) error {
	return linkNameless(n.folder.self, f, name)
}
func (n below) sync(f *os.File) error { return f.Sync() }
func (n below) settle(string) error   { return n.folder.settle() }

// SyncFolder syncs the names in a folder to the disk, if the system can do that.
func SyncFolder(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(syncNames(d), d.Close())
}

// SyncFile syncs a file that is open for reading, if the system can do that.
func SyncFile(f *os.File) error {
	if runtime.GOOS == "windows" {
		return nil // a file that is only read cannot be synced
	}
	return f.Sync()
}

// syncNames is SyncFolder for a folder that is open.
func syncNames(d *os.File) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	err := d.Sync()
	if errors.Is(err, syscall.EINVAL) {
		return nil // the file system has nothing to sync
	}
	return err
}
