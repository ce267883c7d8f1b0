package main

import (
	"crypto/sha256"
	"fmt"
	"mime"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/filetype"
)

// names gives out the names of the files that get saves with --names index.
//
// A name is the index of the message, the id of the reference, and the extension
// that the body's own name or media type calls for: "3-1.2.png". Of what a stranger
// wrote it has the extension alone, letters and digits, so that it is never hidden,
// an option, a device or a path. A name that is taken gets a number: "3-1.2-2.png".
type names struct {
	given map[string]int // stem and extension, to how often they were given out
	taken map[string]bool
}

// newNames returns names for a folder, with what is in it taken.
func newNames(dir string) (*names, error) {
	n := &names{given: make(map[string]int), taken: make(map[string]bool)}
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		n.taken[e.Name()] = true
	}
	return n, err
}

// next returns the name for a reference, without the extension, which is not known
// before the body is. Names are given out in the order of the references, so that
// the order in which bodies come does not matter.
func (n *names) next(index int, ref *externalbody.Reference) string {
	stem := fmt.Sprintf("%d-%s", index, plain(ref.ID))
	ext := extension(&externalbody.Report{Reference: ref, MediaType: ref.MediaType})
	for {
		n.given[stem+ext]++
		name := stem
		if number := n.given[stem+ext]; number > 1 {
			name = fmt.Sprintf("%s-%d", stem, number)
		}
		if !n.taken[name+ext] {
			return name
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

// extension returns the extension, with its dot, of the name of a body, or one for
// its media type.
func extension(rep *externalbody.Report) string {
	ext := strings.TrimPrefix(filepath.Ext(rep.FileName()), ".")
	if ext != "" && len(ext) <= maxExtension && strings.IndexFunc(ext, func(c rune) bool { return !isAlphanumeric(c) }) < 0 {
		return "." + ext
	}
	mediaType, _, _ := mime.ParseMediaType(rep.MediaType)
	return filetype.Extension(mediaType)
}

// A twins is the files that a run saved, by the digest of their octets, so that bodies
// with the same ones are kept once. Its methods may be called from several goroutines.
type twins struct {
	mu    sync.Mutex
	files map[[sha256.Size]byte]*twin
}

// A twin is a file that has its name, or will have it soon.
type twin struct {
	owner *externalbody.Report
	named chan struct{} // closed when it is known whether there is a file
	name  string        // "" if there is none
}

// maxTwins bounds the files that are remembered.
const maxTwins = 1 << 17

func newTwins() *twins { return &twins{files: make(map[[sha256.Size]byte]*twin)} }

// find is a Stored of a Resolver. The first who asks for a digest makes the file, and
// the others wait for that.
func (s *twins) find(rep *externalbody.Report) string {
	s.mu.Lock()
	sum := [sha256.Size]byte(rep.SHA256)
	t := s.files[sum]
	if t == nil {
		if len(s.files) < maxTwins {
			s.files[sum] = &twin{owner: rep, named: make(chan struct{})}
		}
		s.mu.Unlock()
		return ""
	}
	s.mu.Unlock()
	<-t.named
	return t.name
}

// saved says what became of a body: the name of its file, "" without one.
func (s *twins) saved(rep *externalbody.Report, name string) {
	if len(rep.SHA256) != sha256.Size {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	sum := [sha256.Size]byte(rep.SHA256)
	t := s.files[sum]
	if t == nil || t.owner != rep {
		return
	}
	if t.name = name; name == "" {
		delete(s.files, sum)
	}
	t.owner = nil
	close(t.named)
}
