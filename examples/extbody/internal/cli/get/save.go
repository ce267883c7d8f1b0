package get

import (
	"context"
	"path/filepath"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/saved"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/terminal"
	"github.com/go-extbody/extbody/externalbody"
	"github.com/go-extbody/extbody/fetch"
)

// save resolves and saves the first body that can be had. It leaves nothing of a body
// that failed. It calls waits with true before it waits for a host, and with false
// after that.
func (t *task) save(ctx context.Context, resolver *externalbody.Resolver, folder *externalbody.Folder, dir string, files *saved.Twins, how *terminal.Standing, waits func(bool)) {
	t.results = make(map[*externalbody.Reference]*record.Result)
	named := *resolver
	named.Progress = func(ref *externalbody.Reference, e fetch.Event) {
		if waits(e.Phase == fetch.Waiting); e.Phase != fetch.Waiting {
			t.begun.Store(true)
		}
		if e.Phase == fetch.Receiving {
			how.Receive(max(0, e.Octets-t.octets))
		}
		t.octets = e.Octets
		if resolver.Progress != nil {
			resolver.Progress(ref, e)
		}
	}
	named.FileName = func(rep *externalbody.Report) string { return t.names[rep.Reference] + saved.Extension(rep) }
	served := false
	for _, alts := range t.bodies {
		if served {
			for _, ref := range alts {
				t.results[ref] = &record.Result{Skipped: true}
			}
			continue
		}
		served = t.saveBody(ctx, &named, alts, folder, dir, files)
	}
	if served {
		for _, r := range t.results {
			r.Skipped = r.Skipped || r.Err != nil
		}
	}
}

// drop forgets a task that was interrupted while it waited for its turn. A task that
// was not begun has no line.
func (t *task) drop(ctx context.Context) {
	if ctx.Err() == nil || t.begun.Load() {
		return
	}
	for _, r := range t.results {
		if r.Err == nil || fetch.KindOf(r.Err) != fetch.Canceled {
			return
		}
	}
	t.dropped, t.results = true, nil
}

// saveBody saves one body in folder, whose name is dir, and reports whether it
// succeeded.
func (t *task) saveBody(ctx context.Context, resolver *externalbody.Resolver, alts []*externalbody.Reference, folder *externalbody.Folder, dir string, files *saved.Twins) bool {
	name, report, err := resolver.SaveIn(ctx, alts, folder)
	files.Saved(report, name)
	for _, ref := range alts {
		// If there is no file, references that were not tried share the error of the
		// last attempt.
		t.results[ref] = &record.Result{Skipped: err == nil, Err: err}
	}
	for _, f := range report.Failures {
		t.results[f.Reference] = &record.Result{Err: f.Err, Report: f.Report}
	}
	if err != nil {
		if report.Reference != nil && t.results[report.Reference].Report == nil {
			t.results[report.Reference].Report = report
		}
		return false
	}
	t.results[report.Reference] = &record.Result{Report: report, File: filepath.Join(dir, name)}
	return true
}
