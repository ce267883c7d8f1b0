package mailbox

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

func (w *walker) maildir(path string, entries []fs.DirEntry) bool {
	lister := &maildirLister{path: path, read: os.ReadDir, fail: func(dir string, err error) bool { return w.fail(dir, 0, err) }}
	list, ok := lister.list()
	if !ok {
		return false
	}
	moved := &moves{path: path, vain: maxMoves}
	for i := range list {
		path := list[i].path
		f, info, err := openRegular(path, list[i].regular)
		for try := 0; errors.Is(err, fs.ErrNotExist) && try < maxMoves; try++ {
			next, ok := moved.find(list[i].unique, path)
			if !ok {
				break
			}
			path = next
			f, info, err = openRegular(path, false)
		}
		more := true
		if err != nil {
			more = w.fail(path, i, err)
		} else {
			more = w.opened(path, f, info, i, func(s *splitter) bool {
				s.flags = flags(path)
				return s.split(true)
			})
		}
		if !more {
			return false
		}
	}
	for _, e := range entries {
		name := filepath.Join(path, e.Name())
		if e.IsDir() && isMaildir(name) && !w.folder(name) {
			return false
		}
	}
	return true
}

// maildirSubs are the folders of a Maildir that contain messages. Programs move
// messages from the first to the second, so none is missed when they are read in this
// order.
var maildirSubs = []string{"new", "cur"}

// flagMark separates the unique name of a message in a Maildir from its flags.
const flagMark = ":2,"

func uniqueName(name string) string {
	name, _, _ = strings.Cut(name, ":")
	return name
}

func flags(path string) string {
	_, flags, _ := strings.Cut(filepath.Base(path), flagMark)
	return flags
}

// moves finds messages of a Maildir that another program renamed after its folders were
// read: from new to cur, or with other flags.
type moves struct {
	path  string
	names map[string]string // unique name to path, at the last look
	vain  int               // how many more looks in vain are allowed, since messages are removed too
}

// find returns where the message is now that was at old.
func (m *moves) find(unique, old string) (path string, ok bool) {
	if exists(old) {
		return "", false // a link to nothing
	}
	if path, ok = m.names[unique]; ok && path != old {
		return path, true
	}
	if m.vain == 0 {
		return "", false
	}
	m.look()
	if path, ok = m.names[unique]; ok {
		m.vain = maxMoves
	} else {
		m.vain--
	}
	return path, ok
}

// look reads the folders again.
func (m *moves) look() {
	m.names = make(map[string]string)
	// Errors have been reported already.
	l := &maildirLister{path: m.path, read: os.ReadDir, fail: func(string, error) bool { return true }}
	files, _ := l.list()
	for _, f := range files {
		m.names[f.unique] = f.path
	}
}
