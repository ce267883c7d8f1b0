// Package get has the command that saves the bodies of references. Each is verified and
// saved once, and is reported after it is on the disk.
package get

import (
	"fmt"
	"io"

	"github.com/spf13/pflag"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/flagvalue"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/policy"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/source"
)

// Flags are the flags of get.
type Flags struct {
	Policy policy.Policy
	JSON   bool // records are JSON
	Exact  bool // URLs are not redacted

	dir             string
	dryRun, ordered bool
	jobs            int
	alternatives    flagvalue.Choice
	imap            source.ServerFlags
	names           flagvalue.Choice
	link, trace     bool
	minFree         flagvalue.Size
	previous
}

const (
	// defaultJobs is how many bodies are fetched at the same time.
	defaultJobs = 12

	// Workers is how many bodies are in progress, including those that wait for their
	// host and those that are being synced. The throttle decides which of them are
	// fetched at the same time. There are many, so that hosts that hang do not hold up
	// the others.
	Workers = 128

	// workerShare is how many workers one message has.
	workerShare = 32

	// sharedSize is how many octets of bodies are kept in memory for other messages of a
	// run that refer to the same bodies.
	sharedSize = 2 << 20

	// perHost is how many requests a host gets at a time.
	perHost = 2
)

// Add adds the flags.
func (g *Flags) Add(f *pflag.FlagSet) {
	f.StringVarP(&g.dir, "output", "o", ".", "save in `DIR`, which is made if it is missing")
	f.BoolVar(&g.JSON, "json", false, "write one JSON object a line")
	f.BoolVar(&g.Exact, "exact-urls", false, "do not redact URLs")
	f.BoolVar(&g.dryRun, "dry-run", false, "show what would be done")
	f.BoolVar(&g.ordered, "ordered", false, "write lines in the order of the messages")
	g.names = flagvalue.OneOf("digest", "index", "name")
	f.Var(&g.names, "names", "name files by the digest of the message, by its index, or as the message names them")
	f.BoolVar(&g.link, "link", false, "make bodies with the same octets hard links to one file")
	f.Var(&g.minFree, "min-free", "begin nothing more when fewer than `N` octets of the disk are free; 10GB")
	f.BoolVar(&g.trace, "trace", false, "write what is said on the wire, without bodies and credentials, to standard error, or with --json into the records")
	g.previous.flags(f)
	f.IntVar(&g.jobs, "jobs", defaultJobs, "get `N` at the same time")
	g.alternatives = flagvalue.OneOf("first", "all")
	f.Var(&g.alternatives, "alternatives", "of alternatives, get the first that can be had, or all")
	g.Policy.Flags(f)
	g.Policy.Cache.Flags(f)
	g.imap.Flags(f, &g.Policy.AllowPlaintext)
}

// check returns the mistakes in the flags.
func (g *Flags) check() error {
	if g.jobs < 1 {
		return exit.Mistake(fmt.Errorf("--jobs %d: want 1 or more", g.jobs))
	}
	return g.previous.check()
}

// A Run is the files and flags with which get runs.
type Run struct {
	In       io.Reader // standard input
	Out, Err io.Writer // standard output and standard error
	*Flags
}
