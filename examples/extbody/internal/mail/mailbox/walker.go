package mailbox

import (
	"errors"
	"io/fs"
	"os"
	"slices"
)

// ErrLink is the error of a link to a folder that was not read.
var ErrLink = errors.New("the link leads to a folder that was not read: name the folder to have it read")

// A Walker finds the messages below paths. The zero Walker has no options.
type Walker struct {
	// Root, if it is not nil, is opened for everything: a path must be its name or below it. A path with a link out
	// of it, and an absolute link, are [ErrOutside]. The path is not looked at in any other way.
	Root *os.Root

	// With Zips, the messages in zip archives are yielded too, and those in archives within them. A file in an
	// archive is read if its name ends in ".eml", ".emlx", ".mbox" or ".mbx", or if it starts as mail. One that
	// may hold mail in a form that is not read is an error. The other files of an archive with mail are passed over,
	// and an archive without mail is [ErrNotMail].
	//
	// Together, the files of an archive may have 64 MiB, and beyond that 250 times its size; the error is
	// [ErrInflated]. Of several with one name, the later ones have "#2" and so on after it.
	Zips bool

	// Unchanged, if it is not nil, is called with the Look at each message of a Maildir before it is opened, the path of
	// the Maildir and the unique name of the message. If it returns true, nothing is yielded for the message. It is not
	// called for a link, for a file whose unique name another one has, with a Root, on systems other than Linux, or on a
	// file system that is not known to keep the time of each change.
	Unchanged func(maildir, unique string, l Look) bool

	// Opened, if it is not nil, is called with the path of each folder that was listed and of each file that was opened,
	// before anything of it is yielded. It may be called again for a folder.
	Opened func(path string)

	// NoMail counts the files and folders that hold no mail by their names. A folder counts once, with all that it
	// has. Walk adds to it while the sequence is ranged over.
	NoMail int
}

// A walker yields the messages of the files it is given. Its methods report
// whether the caller wants more.
type walker struct {
	opener
	yield   func(*Message, error) bool
	options *Walker
	space   space                    // used for one file after the other
	folders map[uint64][]fs.FileInfo // that were read, by their inodes
	links   []string                 // to folders
}

func (w *walker) fail(path string, err error) bool { return w.yield(&Message{Path: path}, err) }

func (w *walker) nowOpen(path string) {
	if w.options.Opened != nil {
		w.options.Opened(path)
	}
}

// note notes that a folder is read.
func (w *walker) note(info fs.FileInfo) {
	if w.folders == nil {
		w.folders = make(map[uint64][]fs.FileInfo)
	}
	w.folders[inode(info)] = append(w.folders[inode(info)], info)
}

// wasRead reports whether a folder was read already, by whatever path.
func (w *walker) wasRead(info fs.FileInfo) bool {
	return slices.ContainsFunc(w.folders[inode(info)], func(other fs.FileInfo) bool { return os.SameFile(info, other) })
}

// noteFolder notes that the folder at path is read.
func (w *walker) noteFolder(path string) {
	if info, err := w.lstat(path); err == nil {
		w.note(info)
	}
}
