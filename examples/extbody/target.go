package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/filetype"
)

// names gives out the names of the files that get saves.
//
// A name is the index of the message, the id of the reference, and the
// extension that the reference's own name or media type calls for: "3-1.2.png".
// Of what a stranger wrote it has the extension alone, letters and digits, so
// that it is never hidden, an option, a device or a path. A name that is taken
// gets a number: "3-1.2-2.png".
type names struct {
	dir   string
	given map[string]int // stem and extension, to how often they were given out
	taken map[string]bool
}

// newNames returns names for a folder, with what is in it taken.
func newNames(dir string) (*names, error) {
	n := &names{dir: dir, given: make(map[string]int), taken: make(map[string]bool)}
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		n.taken[e.Name()] = true
	}
	return n, err
}

// next returns the target for a reference.
func (n *names) next(index int, ref *externalbody.Reference) *target {
	t := &target{
		dir:  n.dir,
		stem: fmt.Sprintf("%d-%s", index, plain(ref.ID)),
		ext:  extension(ref),
	}
	key := t.stem + t.ext
	for {
		n.given[key]++
		t.number = n.given[key]
		if !n.taken[t.base()] {
			return t
		}
	}
}

// plain returns s with all but letters, digits, "." and "-" replaced.
func plain(s string) string {
	return strings.Map(func(c rune) rune {
		if isAlphanumeric(c) || c == '.' || c == '-' {
			return c
		}
		return '_'
	}, s)
}

func isAlphanumeric(c rune) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// maxExtension is the most characters of an extension, its dot not counted.
const maxExtension = 10

// extension returns the extension, with its dot, of the name of a reference, or
// one for its media type.
func extension(ref *externalbody.Reference) string {
	ext := strings.TrimPrefix(filepath.Ext(externalbody.FileName(ref.Name)), ".")
	if ext != "" && len(ext) <= maxExtension && strings.IndexFunc(ext, func(c rune) bool { return !isAlphanumeric(c) }) < 0 {
		return "." + ext
	}
	return filetype.Extension(ref.MediaType)
}

// smallBody is how many octets of a body are kept in memory, so that a small one
// is written at once, and makes no file at all if it fails.
const smallBody = 16 << 10

// A target is the file that a body is saved to. It implements
// [externalbody.Sink]. Nothing has its final name before publish.
type target struct {
	dir, stem, ext string
	number         int
	small          []byte   // the body, as long as file is nil
	file           *unnamed // nil as long as the body is small
}

func (t *target) base() string {
	if t.number > 1 {
		return t.stem + "-" + strconv.Itoa(t.number) + t.ext
	}
	return t.stem + t.ext
}

func (t *target) path() string { return filepath.Join(t.dir, t.base()) }

func (t *target) Write(p []byte) (int, error) {
	if t.file == nil && len(t.small)+len(p) <= smallBody {
		t.small = append(t.small, p...)
		return len(p), nil
	}
	if err := t.spill(); err != nil {
		return 0, err
	}
	return t.file.file.Write(p)
}

// spill opens the file, if it is not open, and writes what is in memory.
func (t *target) spill() error {
	if t.file != nil {
		return nil
	}
	f, err := openUnnamed(t.dir)
	if err != nil {
		return err
	}
	t.file = f
	_, err = f.file.Write(t.small)
	t.small = nil
	return err
}

// Reset implements [externalbody.Sink].
func (t *target) Reset() error {
	t.small = t.small[:0]
	t.discard()
	return nil
}

// name makes t publish under the name of another target.
func (t *target) name(other *target) {
	t.stem, t.ext, t.number = other.stem, other.ext, other.number
}

// publish gives the file its name, with a higher number if something took it
// meanwhile, and returns it.
func (t *target) publish() (string, error) {
	if err := t.spill(); err != nil {
		return "", err
	}
	for {
		path := t.path()
		err := t.file.link(path)
		if errors.Is(err, fs.ErrExist) {
			t.number++
			continue
		}
		if err != nil {
			return "", err
		}
		t.file = nil
		return path, nil
	}
}

// discard removes what publish did not give a name.
func (t *target) discard() {
	if t.file != nil {
		t.file.discard()
		t.file = nil
	}
}
