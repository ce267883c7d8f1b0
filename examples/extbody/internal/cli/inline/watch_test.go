package inline

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
)

// deliver makes a file of a Maildir, and the Maildir.
func deliver(t *testing.T, root, name string) {
	t.Helper()
	path := filepath.Join(root, name)
	for _, sub := range []string{"cur", "new", "tmp"} {
		if err := os.MkdirAll(filepath.Join(filepath.Dir(filepath.Dir(path)), sub), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(path, []byte("Subject: x\n\nx\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Each message is looked at once, whatever its flags and its folder become, and one of which a
// body may be had later is looked at again later, at last not any more.
func TestWatchLooks(t *testing.T) {
	root := t.TempDir()
	deliver(t, root, "new/1.a")
	deliver(t, root, "cur/2.a:2,S")
	deliver(t, root, ".Sent/cur/1.a:2,")
	deliver(t, root, "cur/.hidden")
	deliver(t, root, "tmp/3.a")
	now := time.Unix(1e9, 0)
	var looked []string
	later := map[string]bool{"2.a": true}
	w := &watch{flags: new(flags), root: root, err: t.Output(), seen: make(map[string]bool), retries: make(map[string]*retry), now: func() time.Time { return now }}
	w.rewrite = func(path string) error {
		rel, _ := filepath.Rel(root, path)
		looked = append(looked, rel)
		if key := keyOf(path); later[filepath.Base(key)] {
			w.pending[key] = true
		}
		return exit.With(exit.Failed, errors.New("some failure"))
	}
	look := func(want ...string) {
		t.Helper()
		looked = nil
		if err := w.pass(t.Context(), w.look(newWatcher())); err != nil {
			t.Fatal(err)
		}
		slices.Sort(looked)
		if !slices.Equal(looked, want) {
			t.Errorf("got %q looked at, want %q", looked, want)
		}
	}
	look(".Sent/cur/1.a:2,", "cur/2.a:2,S", "new/1.a")
	look()
	if err := os.Rename(filepath.Join(root, "new/1.a"), filepath.Join(root, "cur/1.a:2,RS")); err != nil {
		t.Fatal(err)
	}
	deliver(t, root, "new/4.a")
	look("new/4.a")
	now = now.Add(retryFirst - time.Second)
	look()
	now = now.Add(time.Second)
	look("cur/2.a:2,S")
	now = now.Add(retryFirst)
	look()
	now = now.Add(retryFirst)
	look("cur/2.a:2,S")
	tries := 3
	for range 40 {
		now = now.Add(retryMost)
		looked = nil
		if err := w.pass(t.Context(), w.look(newWatcher())); err != nil {
			t.Fatal(err)
		}
		tries += len(looked)
	}
	if tries != retryTimes+1 {
		t.Errorf("got %d looks, want %d", tries, retryTimes+1)
	}
	// A file that is gone is forgotten.
	if err := os.Remove(filepath.Join(root, "new/4.a")); err != nil {
		t.Fatal(err)
	}
	look()
	if len(w.seen) != 3 || len(w.retries) != 0 {
		t.Errorf("got %v and %v, want three messages", w.seen, w.retries)
	}
	// Of many new messages the Maildir is read once.
	for i := range manyNew {
		deliver(t, root, "new/"+strings.Repeat("x", i+1))
	}
	look(".")
	look()
	// A mistake on the command line ends the watch.
	deliver(t, root, "new/5.a")
	w.rewrite = func(string) error { return exit.Mistake(errors.New("a mistake")) }
	if err := w.pass(t.Context(), w.look(newWatcher())); !exit.Is(err, exit.Usage) {
		t.Errorf("got %v, want the mistake", err)
	}
}
