package get

import (
	"crypto/sha256"
	"path/filepath"
	"sync"

	"github.com/go-extbody/extbody/externalbody"
)

// claims order the bodies of a run that get the same file: those with the same name, and
// with --link those with the same SHA-256. Its methods may be called by several
// goroutines.
type claims struct {
	mu     sync.Mutex
	names  map[string]*claim
	links  map[[sha256.Size]byte]*claim
	owners map[*externalbody.Report]*claim // by their names
}

// A claim is a file that has its name, or is about to have it.
type claim struct {
	key   string
	owner *externalbody.Report // nil after the end
	ended chan struct{}
	name  string // "" without a file
}

// maxLinked bounds the files that are remembered for links.
const maxLinked = 1 << 17

func newClaims() *claims {
	return &claims{names: make(map[string]*claim), links: make(map[[sha256.Size]byte]*claim), owners: make(map[*externalbody.Report]*claim)}
}

// name claims a file name for a body, and returns it. It waits for other bodies that
// have claimed it.
func (c *claims) name(name string, rep *externalbody.Report) string {
	for {
		c.mu.Lock()
		other := c.names[name]
		if other == nil {
			mine := &claim{key: name, owner: rep, ended: make(chan struct{})}
			c.names[name], c.owners[rep] = mine, mine
			c.mu.Unlock()
			return name
		}
		c.mu.Unlock()
		<-other.ended
	}
}

// link implements [externalbody.Resolver].Stored. The first caller with a digest gets ""
// and must save the file. Later callers wait for it and get its name.
func (c *claims) link(rep *externalbody.Report) string {
	sum := [sha256.Size]byte(rep.SHA256)
	for {
		c.mu.Lock()
		other := c.links[sum]
		if other == nil {
			if len(c.links) < maxLinked {
				c.links[sum] = &claim{owner: rep, ended: make(chan struct{})}
			}
			c.mu.Unlock()
			return ""
		}
		c.mu.Unlock()
		<-other.ended
		if other.name != "" {
			return other.name
		}
	}
}

// end ends the claims of a body. path is the path of its file, or "".
func (c *claims) end(rep *externalbody.Report, path string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if mine := c.owners[rep]; mine != nil {
		delete(c.owners, rep)
		delete(c.names, mine.key)
		close(mine.ended)
	}
	if len(rep.SHA256) != sha256.Size {
		return
	}
	sum := [sha256.Size]byte(rep.SHA256)
	mine := c.links[sum]
	if mine == nil || mine.owner != rep {
		return
	}
	if path == "" {
		delete(c.links, sum)
	} else {
		mine.name = filepath.Base(path)
	}
	mine.owner = nil
	close(mine.ended)
}
