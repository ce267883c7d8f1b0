package inline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/policy"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/record"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/rewriting"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/show"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/source"
	"github.com/go-extbody/extbody/examples/extbody/internal/cli/terminal"
	"github.com/go-extbody/extbody/externalbody/rewrite"
	"github.com/go-extbody/extbody/internal/file/below"
)

const (
	// lookAgain is how long a watch waits for the system to tell of a message.
	lookAgain = time.Minute

	// retryFirst is when a body that may be had later is asked for again. The time doubles up
	// to retryMost, retryTimes times.
	retryFirst = 10 * time.Minute
	retryMost  = 24 * time.Hour
	retryTimes = 12

	// manyNew is how many new messages of a Maildir are rewritten in one pass over it.
	manyNew = 100
)

// A watch keeps a Maildir, and those in it, whole: each message gets the bodies at hosts that
// were agreed to.
type watch struct {
	*flags
	root string
	out  io.Writer
	err  io.Writer

	seen    map[string]bool   // messages that were looked at, by folder and unique name
	retries map[string]*retry // of them, those of which a body may be had later
	pending map[string]bool   // those of the pass that runs
	now     func() time.Time
	rewrite func(path string) error
}

// A retry is when to try again.
type retry struct {
	at    time.Time
	tries int
}

// watch watches until ctx ends, which is no error.
func (n *flags) watch(cmd *cobra.Command, engine *policy.Engine) error {
	ctx := cmd.Context()
	// The Maildir may be reached by a link, since the user named it. No link in it is followed.
	root, err := filepath.EvalSymlinks(n.watched)
	if err != nil {
		return exit.Mistake(fmt.Errorf("--watch: %w", err))
	}
	w := &watch{
		flags: n, root: root, out: cmd.OutOrStdout(), err: cmd.ErrOrStderr(),
		seen: make(map[string]bool), retries: make(map[string]*retry), now: time.Now,
	}
	if !isMaildir(w.root) {
		return exit.Mistake(fmt.Errorf("--watch %s: want a Maildir, a folder with cur, new and tmp", n.watched))
	}
	n.SetInPlace()
	w.rewrite = func(path string) error { return w.newRun(cmd, engine).Do(ctx, []string{path}) }
	if !n.hosts.given() {
		w.rewrite = nil
	}
	return w.run(ctx, newWatcher())
}

func (w *watch) run(ctx context.Context, watcher *watcher) error {
	defer watcher.close()
	for {
		fresh := w.look(watcher)
		if err := w.pass(ctx, fresh); err != nil {
			return err
		}
		if ctx.Err() != nil || watcher.wait(ctx, lookAgain) != nil && ctx.Err() != nil {
			return nil
		}
	}
}

// sleep returns after a time, or with the error of ctx when that ends.
func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// isMaildir reports whether a folder has the three folders of a Maildir. A link does not count: its owner could
// have messages elsewhere rewritten.
func isMaildir(path string) bool {
	for _, sub := range []string{"cur", "new", "tmp"} {
		if info, err := os.Lstat(filepath.Join(path, sub)); err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}

// look returns the paths of messages that were not looked at, and of those whose time has come.
// It watches the folders before it looks into them.
func (w *watch) look(watcher *watcher) (fresh []string) {
	there := make(map[string]bool)
	filepath.WalkDir(w.root, func(dir string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() {
			return nil
		}
		if slices.Contains([]string{"cur", "new", "tmp"}, e.Name()) && isMaildir(filepath.Dir(dir)) {
			return fs.SkipDir
		}
		watcher.add(dir)
		if !isMaildir(dir) {
			return nil
		}
		for _, sub := range []string{"new", "cur"} {
			watcher.add(filepath.Join(dir, sub))
			entries, _ := os.ReadDir(filepath.Join(dir, sub))
			for _, e := range entries {
				path := filepath.Join(dir, sub, e.Name())
				key := keyOf(path)
				r := w.retries[key]
				if strings.HasPrefix(e.Name(), ".") || there[key] {
					continue
				}
				there[key] = true
				if !e.Type().IsRegular() {
					w.passOver(path)
					continue
				}
				if !w.seen[key] || r != nil && !w.now().Before(r.at) {
					fresh = append(fresh, path)
				}
			}
		}
		return nil
	})
	for key := range w.seen {
		if !there[key] {
			delete(w.seen, key)
			delete(w.retries, key)
		}
	}
	return fresh
}

// passOver reports once that a name is a link, a pipe or another thing than a message.
func (w *watch) passOver(path string) {
	if key := keyOf(path); !w.seen[key] {
		w.seen[key] = true
		fmt.Fprintf(w.err, "extbody: %s: %v\n", show.Line(path), below.ErrIrregular)
	}
}

// keyOf returns the folder and the unique name of a message of a Maildir, which stay when it is
// read and its flags change.
func keyOf(path string) string {
	name, _, _ := strings.Cut(filepath.Base(path), ":")
	return filepath.Join(filepath.Dir(filepath.Dir(path)), name)
}

// pass rewrites messages, or lists their references if nobody agreed to a host. Failures of
// messages were reported, and do not end the watch.
func (w *watch) pass(ctx context.Context, fresh []string) error {
	if len(fresh) == 0 {
		return nil
	}
	w.pending = make(map[string]bool)
	w.full.Store(false)
	paths := fresh
	if w.rewrite != nil && len(fresh) >= manyNew {
		paths = []string{w.root}
	}
	for _, path := range paths {
		err := w.one(ctx, path)
		if ctx.Err() != nil {
			return nil // the message is as it was, or whole
		}
		if exit.Is(err, exit.Usage) {
			return err
		}
	}
	for _, path := range fresh {
		key := keyOf(path)
		w.seen[key] = true
		r := w.retries[key]
		switch {
		case !w.pending[key]:
			delete(w.retries, key)
		case r == nil:
			w.retries[key] = &retry{w.now().Add(retryFirst), 1}
		case r.tries == retryTimes:
			delete(w.retries, key)
		default:
			*r = retry{w.now().Add(min(retryFirst<<r.tries, retryMost)), r.tries + 1}
		}
	}
	return nil
}

func (w *watch) one(ctx context.Context, path string) error {
	if w.rewrite != nil {
		return w.rewrite(path)
	}
	src := new(source.Files)
	defer src.Close()
	for f, err := range source.Messages(ctx, []record.Path{{Name: path}}, src, nil) {
		if err == nil {
			err = f.Read(&w.policy.Reading)
		}
		var lines []*record.Line
		for _, ref := range f.Refs {
			lines = append(lines, record.NewLine(ref))
		}
		if len(lines) > 0 {
			fmt.Fprintln(w.out, show.Line(f.Path))
			for _, line := range record.Table(lines, terminal.Columns(w.out)-len("  ")) {
				fmt.Fprintln(w.out, " ", line)
			}
		}
		f.Close()
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // it was moved
			return err
		}
	}
	return nil
}

// newRun returns the run that rewrites one message, or a whole Maildir.
func (w *watch) newRun(cmd *cobra.Command, engine *policy.Engine) *rewriting.Run {
	run := w.flags.newRun(cmd, engine.Resolver)
	run.Records = func(l *rewriting.Letter, i rewrite.Item) []*rewriting.Record {
		if rewriting.IsTransient(i) {
			w.pending[keyOf(l.Path())] = true
		}
		return run.Inlined(l, i)
	}
	return run
}
