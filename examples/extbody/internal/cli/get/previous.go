package get

import (
	"errors"
	"os"
	"slices"

	"github.com/spf13/pflag"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
)

// previous are the flags about the records of previous runs.
type previous struct {
	skipDone, retry string // files of records
	kinds, hosts    []string
}

func (p *previous) flags(f *pflag.FlagSet) {
	f.StringVar(&p.skipDone, "skip-done", "", "skip what is done by the records of previous runs in `FILE`, which --json wrote")
	f.StringVar(&p.retry, "retry", "", "get only what failed by the records of previous runs in `FILE`; without a PATH, from the messages that they name")
	f.StringSliceVar(&p.kinds, "kind", nil, "--retry only what failed with the kind `KIND` (repeatable)")
	f.StringSliceVar(&p.hosts, "host", nil, "--retry only what is at `HOST` or below it (repeatable)")
}

func (p *previous) check() error {
	if p.retry == "" && len(p.kinds)+len(p.hosts) > 0 {
		return exit.Mistake(errors.New("--kind and --host choose what --retry gets: give --retry too"))
	}
	if p.retry != "" && p.skipDone != "" {
		return exit.Mistake(errors.New("--retry and --skip-done exclude each other: --retry leaves out what is done anyway"))
	}
	return nil
}

// read reads the records of previous runs, and returns the PATHs to read messages from.
// Without such flags the records are nil.
func (p *previous) read(args []string) (*record.Previous, []record.Path, error) {
	file := p.skipDone + p.retry
	if file == "" {
		return nil, record.Paths(args), nil
	}
	records, err := record.ReadPrevious(file, p.retry != "", p.kinds, p.hosts)
	if err != nil {
		return nil, nil, exit.Mistake(err)
	}
	if p.retry == "" || len(args) > 0 {
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
