// Package get has the command that saves the bodies of references. Each is verified and
// saved once, and is reported after it is on the disk.
package get

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/pflag"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/flagvalue"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/policy"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/selection"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/source"
	"github.com/go-extbody/extbody/externalbody"
)

// A Run is the files and flags with which get runs.
type Run struct {
	In       io.Reader // standard input
	Out, Err io.Writer // standard output and standard error

	Policy policy.Policy
	JSON   bool // records are JSON
	Exact  bool // URLs are not redacted

	// Dir is the folder for the bodies, and Stdout writes one body to Out instead.
	Dir    string
	Stdout bool

	Choice *selection.Selection // nil chooses everything
	Imap   source.ServerFlags

	// Ask makes a person at the controlling terminal agree to each host before it is contacted.
	// Agreed are hosts about which nobody is asked, each with who agreed, and Remember keeps
	// hosts; see [terminal.Asker].
	Ask      bool
	Agreed   flagvalue.Hosts
	Remember func(hosts ...string) error

	// Saved, if set, is called with each file, instead of the lines about files. Then files
	// have the names that messages give them, and it is no failure if a person does not agree.
	Saved func(Saved)

	// Browse, if set, is called with a file that no program can get, which a person wants to open in the
	// browser, and the number of its line.
	Browse func(number int, ref *externalbody.Reference)

	// Planned, if set, is called with each message of a Plan that the Choice has.
	Planned func(m *source.Found)

	// Many is from how many files on a question wants more than a key; see [terminal.Asker].
	Many int

	// These are facts of the messages, after Do.
	Chosen  int    // bodies that were chosen
	Refused int    // of these, with Saved, the ones that were refused beforehand and are not for the browser
	Unread  string // the words about parts that could not be looked into, or ""
	NoMIME  bool   // no message has a header field of MIME

	noProgress, quiet bool // no bars and no line a minute; and no last line

	dryRun, ordered bool
	verbose         bool // plans have all facts
	jobs            int
	alternatives    flagvalue.Choice
	names           flagvalue.Choice
	link, trace     bool
	minFree         flagvalue.Size
	skipDone, retry string   // files of records of previous runs
	kinds, hosts    []string // that retry is for; nil for all
}

// A Saved is a file that was saved. Number is the one of its line in the list.
type Saved struct {
	Number int
	Path   string
	Report *externalbody.Report
}

const (
	// defaultJobs is how many bodies are fetched at the same time.
	defaultJobs = 12

	// Workers is how many bodies are in progress, including those that wait for their
	// host and the ones that are being synced. The throttle decides which of them are
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

// Base adds the flags that all commands have which get bodies for their user, and sets the
// defaults.
func (g *Run) Base(f *pflag.FlagSet) {
	g.jobs = defaultJobs
	g.names = flagvalue.OneOf("auto", "digest", "index", "name")
	g.alternatives = flagvalue.OneOf("first", "all")
	f.BoolVar(&g.Stdout, "stdout", false, "write the one body that is chosen to standard output, after it was verified")
	f.BoolVar(&g.noProgress, "no-progress", false, "show neither bars nor a line a minute")
	f.BoolVarP(&g.quiet, "quiet", "q", false, "as --no-progress, and without the last line: errors and files alone")
	g.Choice = new(selection.Selection)
	g.Choice.Flags(f)
	g.Policy.Flags(f)
	g.Policy.Cache.Flags(f)
	g.Imap.Flags(f, &g.Policy.AllowPlaintext)
}

func (g *Run) flags(f *pflag.FlagSet) {
	g.Base(f)
	f.StringVarP(&g.Dir, "output", "o", ".", "save in `DIR`, which is made if it is missing; -: as --stdout")
	f.BoolVar(&g.JSON, "json", false, "write one JSON object a line")
	f.BoolVar(&g.Exact, "exact-urls", false, "do not redact URLs")
	f.BoolVar(&g.Ask, "ask", false, "list the files of each message on the terminal, and ask once about each host")
	f.BoolVar(&g.dryRun, "dry-run", false, "show what would be done")
	f.BoolVar(&g.verbose, "verbose", false, "with --dry-run show all facts")
	f.BoolVar(&g.ordered, "ordered", false, "write lines in the order of the messages")
	f.Var(
		&g.names, "names",
		"name files by the digest of the message, by its index, or as the "+
			"message names them; auto: name for one message, digest for a mailbox",
	)
	f.BoolVar(&g.link, "link", false, "make bodies with the same octets hard links to one file")
	f.Var(&g.minFree, "min-free", "begin nothing more when fewer than `N` octets of the disk are free; 10GB")
	f.BoolVar(
		&g.trace, "trace", false,
		"write what is said on the wire, without bodies and credentials, to standard error, or with --json into the records",
	)
	f.StringVar(&g.skipDone, "skip-done", "", "skip what is done by the records of previous runs in `FILE`, which --json wrote")
	f.StringVar(
		&g.retry, "retry", "",
		"get only what failed by the records of previous runs in `FILE`; without a PATH, from the messages that they name",
	)
	f.StringSliceVar(&g.kinds, "kind", nil, "--retry only what failed with the kind `KIND` (repeatable)")
	f.StringSliceVar(&g.hosts, "host", nil, "--retry only what is at `HOST` or below it (repeatable)")
	f.IntVar(&g.jobs, "jobs", defaultJobs, "get `N` at the same time")
	f.Var(&g.alternatives, "alternatives", "of alternatives, get the first that can be had, or all")
}

// check returns the mistakes in the flags.
func (g *Run) check() error {
	switch {
	case g.jobs < 1:
		return exit.Mistake(fmt.Errorf("--jobs %d: want 1 or more", g.jobs))
	case g.retry == "" && len(g.kinds)+len(g.hosts) > 0:
		return exit.Mistake(errors.New("--kind and --host choose what --retry gets: give --retry too"))
	case g.retry != "" && g.skipDone != "":
		return exit.Mistake(errors.New("--retry and --skip-done exclude each other: --retry leaves out what is done anyway"))
	case g.Stdout && (g.JSON || g.skipDone+g.retry != ""):
		return exit.Mistake(errors.New("--stdout writes one body and nothing else: leave out --json, --skip-done and --retry"))
	}
	return g.Choice.Check()
}

// previous reads the records of previous runs, and returns the PATHs to read messages from.
// Without such flags the records are nil.
func (g *Run) previous(args []string) (*record.Previous, []record.Path, error) {
	file := g.skipDone + g.retry
	if file == "" {
		return nil, record.Paths(args), nil
	}
	flag := "--skip-done"
	if g.retry != "" {
		flag = "--retry"
	}
	records, err := record.ReadPrevious(file, g.retry != "", g.kinds, g.hosts)
	if err != nil {
		return nil, nil, exit.Mistake(fmt.Errorf("%s: %w", flag, err))
	}
	if g.retry == "" || len(args) > 0 {
		return records, record.Paths(args), nil
	}
	if slices.Contains(records.Paths, record.Path{Name: "-"}) {
		return nil, nil, exit.Mistake(errors.New("--retry: a message in the records came from standard input: give its PATH"))
	}
	if len(records.Paths) == 0 {
		return records, record.Paths([]string{os.DevNull}), nil // nothing failed
	}
	return records, records.Paths, nil
}
