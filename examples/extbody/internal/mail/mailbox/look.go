package mailbox

import (
	"os"
	"path/filepath"
)

// A Look is a regular file as the system knows it without opening it. Two files with the same Look have the same
// octets, if the later Look is from later than some ticks of the clock after Changed.
type Look struct {
	Inode             uint64
	Size              int64
	Modified, Changed int64 // when the octets and when anything changed, in nanoseconds since 1970
}

// A folderLooker looks at the files of the folders cur and new of a Maildir, each of which is open.
type folderLooker struct {
	dirs map[string]*os.File // nil for one whose files are not looked at
}

// look returns the Look of a file. ok is false if it is not known.
func (l *folderLooker) look(path string) (look Look, ok bool) {
	sub, name := filepath.Split(path)
	dir, known := l.dirs[sub]
	if !known {
		dir = l.open(sub)
	}
	if dir == nil {
		return Look{}, false
	}
	return lookAt(dir, name)
}

func (l *folderLooker) open(sub string) *os.File {
	dir, err := os.OpenFile(sub, folderFlags, 0)
	if err == nil && !keepsChanges(dir) {
		dir.Close()
		dir = nil
	}
	if l.dirs == nil {
		l.dirs = make(map[string]*os.File)
	}
	l.dirs[sub] = dir
	return dir
}

func (l *folderLooker) close() {
	for _, dir := range l.dirs {
		dir.Close() // nil is allowed
	}
}
