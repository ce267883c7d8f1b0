package mailbox

import (
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// maildir yields the messages of a folder that has the folder cur or new, and of its other entries.
func (w *walker) maildir(path string, entries []fs.DirEntry) bool {
	lister := &maildirLister{opener: w.opener, path: path, read: w.readDir, listed: w.options.Opened, fail: w.fail}
	list, ok := lister.list()
	if !ok {
		return false
	}
	moved := &moves{opener: w.opener, path: path, vain: maxMoves}
	var looker folderLooker
	defer looker.close()
	for i := range list {
		if hasOneFile(list, i) && w.unchanged(path, &list[i], &looker) {
			continue
		}
		path := list[i].path
		f, info, err := w.openRegular(path, list[i].regular)
		for try := 0; errors.Is(err, fs.ErrNotExist) && try < maxMoves; try++ {
			next, ok := moved.find(list[i].unique, path)
			if !ok {
				break
			}
			path = next
			f, info, err = w.openRegular(path, false)
		}
		more := true
		if err != nil {
			more = w.fail(path, err)
		} else {
			more = w.opened(path, f, info, true)
		}
		if !more {
			return false
		}
	}
	for _, name := range slices.Sorted(maps.Keys(lister.others)) {
		if !w.otherwise(name, lister.others[name]) {
			return false
		}
	}
	isMaildir := lister.named || len(list) > 0
	for _, e := range entries {
		name := filepath.Join(path, e.Name())
		switch {
		case isSub(e):
			w.noteFolder(name)
		case e.IsDir() && e.Name() == "tmp" && isMaildir:
			w.noteFolder(name)
			there, _ := w.readDir(name) // nothing of it is read
			w.options.NoMail += len(there)
		case !w.entry(name, e, true):
			return false
		}
	}
	return true
}

// hasOneFile reports whether no other file has the unique name of list[i].
func hasOneFile(list []maildirFile, i int) bool {
	isSecond := i > 0 && list[i-1].unique == list[i].unique
	hasSecond := i+1 < len(list) && list[i+1].unique == list[i].unique
	return !isSecond && !hasSecond
}

// unchanged reports whether a file of a Maildir need not be opened.
func (w *walker) unchanged(maildir string, f *maildirFile, looker *folderLooker) bool {
	if w.options.Unchanged == nil || w.root != nil || !f.regular {
		return false
	}
	look, ok := looker.look(f.path)
	return ok && w.options.Unchanged(maildir, f.unique, look)
}

// otherwise yields the messages of an entry of cur or new that is not a message. The name of a file that starts with a
// dot is not one of a message.
func (w *walker) otherwise(path string, e fs.DirEntry) bool {
	if strings.HasPrefix(e.Name(), ".") && !e.IsDir() {
		w.options.NoMail++
		return true
	}
	return w.entry(path, e, false)
}

func uniqueName(name string) string {
	name, _, _ = strings.Cut(name, ":")
	return name
}

// moves finds messages of a Maildir that another program renamed after its folders were
// read: from new to cur, or with other flags.
type moves struct {
	opener
	path  string
	names map[string]string // unique name to path, at the last look
	vain  int               // how many more looks in vain are allowed, since messages are removed too
}

// find returns where the message is now that was at old.
func (m *moves) find(unique, old string) (path string, ok bool) {
	if _, err := m.lstat(old); err == nil {
		return "", false // a link to nothing
	}
	path, ok = m.names[unique]
	if ok && path != old {
		return path, true
	}
	if m.vain == 0 {
		return "", false
	}
	m.names = make(map[string]string)
	// Errors have been reported already.
	l := &maildirLister{opener: m.opener, path: m.path, read: m.readDir, fail: func(string, error) bool { return true }}
	files, _ := l.list()
	for _, f := range files {
		m.names[f.unique] = f.path
	}
	path, ok = m.names[unique]
	if ok {
		m.vain = maxMoves
	} else {
		m.vain--
	}
	return path, ok
}

// A maildirFile is a file of a Maildir with a message.
type maildirFile struct {
	path, unique string
	regular      bool
}

// A maildirLister lists the messages of a Maildir. A file that is renamed while a
// folder is read, for example for another flag, may be seen twice or not at all (POSIX
// readdir). So the folder is read again until it did not change meanwhile.
type maildirLister struct {
	opener
	path   string
	read   func(dir string) ([]fs.DirEntry, error)
	listed func(dir string)                 // nil, or is called with a folder that was read without an error
	fail   func(dir string, err error) bool // false ends the walk

	named  bool                   // the files of cur and new are messages whatever their names are
	others map[string]fs.DirEntry // by path: the entries of cur and new that are not messages
}

const (
	// maxListings bounds how often the folders are read. If they change each time,
	// everything that was seen counts.
	maxListings = 4

	// oldFolder is the age of a folder after which another change certainly shows in
	// its time: the resolution of file systems is one second, or two.
	oldFolder = 2 * time.Second
)

// list returns the messages, ordered by their unique names. ok is false if the walk is
// to end.
func (l *maildirLister) list() (files []maildirFile, ok bool) {
	l.named = l.isMaildir(l.path)
	for range maxListings {
		now := time.Now()
		before := l.times()
		round, ok := l.listing()
		if !ok {
			return nil, false
		}
		settled := slices.Equal(before, l.times())
		for _, t := range before {
			settled = settled && now.Sub(t) > oldFolder
		}
		if settled {
			files = round
			break
		}
		files = together(files, round)
		l.fail = func(string, error) bool { return true } // errors were reported
	}
	slices.SortFunc(files, func(a, b maildirFile) int {
		return cmp.Or(strings.Compare(a.unique, b.unique), strings.Compare(a.path, b.path))
	})
	return l.eachOnce(files), true
}

// together returns the files of two listings, each path once.
func together(before, after []maildirFile) []maildirFile {
	if before == nil {
		return after
	}
	byPath := make(map[string]maildirFile, len(after))
	for _, f := range slices.Concat(before, after) {
		byPath[f.path] = f
	}
	return slices.Collect(maps.Values(byPath))
}

// times returns when the folders changed last.
func (l *maildirLister) times() []time.Time {
	times := make([]time.Time, len(maildirSubs))
	for i, sub := range maildirSubs {
		if info, err := l.stat(filepath.Join(l.path, sub)); err == nil {
			times[i] = info.ModTime()
		}
	}
	return times
}

// listing reads the folders once. One that is missing has no messages, and a link to one is not followed.
func (l *maildirLister) listing() (files []maildirFile, ok bool) {
	l.others = make(map[string]fs.DirEntry)
	for _, sub := range maildirSubs {
		dir := filepath.Join(l.path, sub)
		if info, err := l.lstat(dir); errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir() {
			continue
		}
		entries, err := l.read(dir)
		if err != nil && !l.fail(dir, err) {
			return nil, false
		}
		if err == nil && l.listed != nil {
			l.listed(dir)
		}
		for _, e := range entries {
			name := filepath.Join(dir, e.Name())
			if isMessageName(e.Name(), l.named) && l.isFile(name, e) {
				files = append(files, maildirFile{name, uniqueName(e.Name()), e.Type().IsRegular()})
				continue
			}
			l.others[name] = e
		}
	}
	return files, true
}

// eachOnce removes duplicates: files seen under several names because they were renamed
// while the folders were read. Distinct files stay.
func (o opener) eachOnce(files []maildirFile) []maildirFile {
	once := make([]maildirFile, 0, len(files))
	for len(files) > 0 {
		n := 1
		for n < len(files) && files[n].unique == files[0].unique {
			n++
		}
		once = append(once, o.distinct(files[:n])...)
		files = files[n:]
	}
	return once
}

// distinct returns the names that belong to distinct files, or the first
// name if none exists any more.
func (o opener) distinct(files []maildirFile) []maildirFile {
	if len(files) == 1 {
		return files
	}
	var kept []maildirFile
	var infos []fs.FileInfo
	for _, f := range files {
		info, err := o.lstat(f.path)
		if err != nil || slices.ContainsFunc(infos, func(other fs.FileInfo) bool { return os.SameFile(info, other) }) {
			continue
		}
		kept = append(kept, f)
		infos = append(infos, info)
	}
	if kept == nil {
		kept = files[:1]
	}
	return kept
}
