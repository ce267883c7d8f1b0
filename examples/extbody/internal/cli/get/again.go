package get

import (
	"errors"

	"github.com/spf13/pflag"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
)

// again are the flags that say what is done by former runs, and what to retry.
type again struct {
	skipDone, retry string // files of records
	kinds, hosts    []string
}

func (a *again) flags(f *pflag.FlagSet) {
	f.StringVar(&a.skipDone, "skip-done", "", "skip what is done by the records of former runs in `FILE`, which --json wrote")
	f.StringVar(&a.retry, "retry", "", "get only what failed by the records of former runs in `FILE`; without a PATH, from the messages that they name")
	f.StringSliceVar(&a.kinds, "kind", nil, "--retry only what failed with the kind `KIND` (repeatable)")
	f.StringSliceVar(&a.hosts, "host", nil, "--retry only what is at `HOST` or below it (repeatable)")
}

func (a *again) check() error {
	if a.retry == "" && len(a.kinds)+len(a.hosts) > 0 {
		return errors.New("--kind and --host choose what --retry gets: give --retry too")
	}
	if a.retry != "" && a.skipDone != "" {
		return errors.New("--retry and --skip-done exclude each other: --retry leaves out what is done anyway")
	}
	return nil
}

// read reads the records of former runs. It returns nil if the flags name none.
func (a *again) read() (*record.Formers, error) {
	path := a.skipDone + a.retry
	if path == "" {
		return nil, nil
	}
	return record.ReadFormers(path, a.retry != "", a.kinds, a.hosts)
}
