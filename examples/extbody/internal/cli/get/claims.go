package get

import (
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

// link implements [externalbody.Resolver].Stored. The first caller with a digest gets ""
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
