package get

import (
	"fmt"
	"mime"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/internal/codec/ascii"
	"github.com/go-extbody/extbody/internal/mime/mediatype"
)

// indexNames are the names of files with --names index.
//
// A name consists of the index of the message, the id of the reference, and the
// extension of the body's own name or media type: "3-1.2.png". Only the extension comes
// from a stranger, and it has only letters and digits. So a name is never hidden, an
// option, a device or a path. If a name is taken, it gets a number: "3-1.2-2.png".
type indexNames struct {
	given map[string]int // how often a stem with an extension was given out
	taken map[string]bool
}

// newIndexNames returns the names for a folder. The names of its files are taken.
func newIndexNames(dir string) (*indexNames, error) {
	n := &indexNames{given: make(map[string]int), taken: make(map[string]bool)}
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		n.taken[e.Name()] = true
	}
	return n, err
}

// next returns the name for a reference, without the extension, which is known only
// after the body came. Call next in the order of the references, so that the order in
// which bodies come does not matter.
func (n *indexNames) next(index int, ref *externalbody.Reference) string {
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

// plain returns s with all characters replaced except letters, digits, "." and "-".
func plain(s string) string {
	return strings.Map(func(c rune) rune {
		if ascii.IsAlphanumeric(c) || c == '.' || c == '-' {
			return c
		}
		return '_'
	}, s)
}

// maxExtension is the greatest length of an extension, in characters, without its dot.
const maxExtension = 10

// extension returns the extension, with its dot, of the name of a body, or one for
// its media type.
func extension(rep *externalbody.Report) string {
	ext := strings.TrimPrefix(filepath.Ext(rep.FileName()), ".")
	if ext != "" && len(ext) <= maxExtension && strings.IndexFunc(ext, func(c rune) bool { return !ascii.IsAlphanumeric(c) }) < 0 {
		return "." + ext
	}
	mediaType, _, _ := mime.ParseMediaType(rep.MediaType)
	return mediatype.Extension(mediaType)
}

// claims order the bodies of a run that get the same file: those with the same name, and
// with --link those with the same SHA-256. Its methods may be called by several
// goroutines.
type claims struct {
	mu     sync.Mutex
	names  map[string]*claim
	links  map[string]*claim // by SHA-256
	owners map[*externalbody.Report][]*claim
}

// A claim is a file that has its name, or is about to have it.
type claim struct {
	of    map[string]*claim
	key   string
	ended chan struct{}
	name  string // of the file that a link has after the end, or ""
}

// maxLinked bounds the files that are remembered for links.
const maxLinked = 1 << 17

func newClaims() *claims {
	return &claims{names: make(map[string]*claim), links: make(map[string]*claim), owners: make(map[*externalbody.Report][]*claim)}
}

// name claims a file name for a body, and returns it. It waits for other bodies that
// have claimed it.
func (c *claims) name(name string, rep *externalbody.Report) string {
	c.take(c.names, name, rep)
	return name
}

// link implements [externalbody.Folder].Stored. The first caller with a digest gets ""
// and must save the file. Later callers wait for it and get its name.
func (c *claims) link(rep *externalbody.Report) string {
	return c.take(c.links, string(rep.SHA256), rep)
}

func (c *claims) take(of map[string]*claim, key string, rep *externalbody.Report) string {
	for {
		c.mu.Lock()
		other := of[key]
		if other == nil {
			if len(of) < maxLinked {
				of[key] = &claim{of: of, key: key, ended: make(chan struct{})}
				c.owners[rep] = append(c.owners[rep], of[key])
			}
			c.mu.Unlock()
			return ""
		}
		c.mu.Unlock()
		if <-other.ended; other.name != "" {
			return other.name
		}
	}
}

// end ends the claims of a body. path is the path of its file, or "".
func (c *claims) end(rep *externalbody.Report, path string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, mine := range c.owners[rep] {
		if c.links[mine.key] == mine && path != "" {
			mine.name = filepath.Base(path)
		} else {
			delete(mine.of, mine.key)
		}
		close(mine.ended)
	}
	delete(c.owners, rep)
}
