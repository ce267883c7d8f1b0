package mcp

import (
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/flagvalue"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/policy"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/source"
	"github.com/go-extbody/extbody/examples/extbody/internal/gateway/inspect"
)

// A server has the state that the tools of one session share.
type server struct {
	// The flags.
	dirs, servers []string
	output        string
	rulesFile     string
	trusted       []string // hosts whose Authentication-Results count, in lower case
	embed         flagvalue.Size
	policy        policy.Policy
	imap          source.ServerFlags

	errw   io.Writer
	engine *policy.Engine
	rules  *inspect.Policy // the zero Policy without a file
	roots  []root
	// accounts are the places of --server.
	accounts []source.Remote
	folder   *os.Root // of output

	version   version
	downloads downloads

	mu      sync.Mutex
	records *os.File // guarded by mu
	planned planned  // guarded by mu
}

// A root is a folder whose messages may be read. Everything in it is opened through it.
type root struct {
	*os.Root        // its name is an absolute path
	real     string // that path without symbolic links
}

func openRoot(dir string) (root, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return root{}, err
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return root{}, err
	}
	r, err := os.OpenRoot(dir)
	return root{r, real}, err
}

// The bounds of an answer. A model reads all of it, and the sender of one mail must not fill its
// memory or ours.
const (
	maxList   = 500       // references
	maxAnswer = 128 << 10 // octets of JSON of list
	maxShort  = 16 << 10  // the same without a limit in its arguments: some 5000 tokens
	maxText   = 4 << 10   // octets of the text of a body
	maxEmbed  = 16 << 20  // octets of a body that --embed may allow
)
