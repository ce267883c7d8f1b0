package archive

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/go-extbody/extbody/examples/extbody/internal/archive/exchange"
	"github.com/go-extbody/extbody/examples/extbody/internal/archive/ledger"
)

// begin starts a run with a line. rules are those by which it reads messages; "" if it reads
// none. The files of exchanges are named after that line. If there is no file head, begin writes it.
func (a *Archive) begin(command, rules string) error {
	a.exchanges = exchange.NewWriter(a.exchangesDir(), a.Head().Seq+1, a.agent)
	r := &Run{Format: Format, Event: "begin", Command: command, Version: a.agent, Rules: rules, Objects: a.url}
	err := a.append(ledger.Entry{Kind: kindRun, Body: r})
	if _, serr := os.Lstat(filepath.Join(a.dir, "head")); err == nil && errors.Is(serr, os.ErrNotExist) {
		err = a.writeHead()
	}
	return err
}

// writeHead writes the file head, and the mark beside the objects in a bucket.
func (a *Archive) writeHead() error {
	if err := writeFile(filepath.Join(a.dir, "head"), []byte(a.Head().String()+"\n")); err != nil {
		return err
	}
	return a.writeMark()
}

// end ends a run with a line, and writes the head.
func (a *Archive) end(r *Run) error {
	r.Format = Format
	r.Event = "end"
	if err := a.append(ledger.Entry{Kind: kindRun, Body: r}); err != nil {
		return err
	}
	return a.writeHead()
}
