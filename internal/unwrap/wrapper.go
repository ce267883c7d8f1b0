package unwrap

import (
	"strings"

	"github.com/go-extbody/extbody/internal/weburl"
)

// A wrapper is what is known about one maker's wrapping.
type wrapper struct {
	// name is what Result.Wrappers says.
	name string

	// hosts are those it is recognised by, one beginning with a dot for any
	// host below it. Hints are made of them.
	hosts []string

	// paths are those it is recognised by, each as a whole or, with "/" at its
	// end, as a beginning. None means any.
	paths []string

	// is, if not nil, has to agree as well, and hint takes the place of the
	// hosts as hint if it is not "".
	is   func(u weburl.URL) bool
	hint string

	// undo returns the wrapped URL of u, whose text is text.
	undo func(u weburl.URL, text string) (string, error)
}

// find returns the wrapper that made u, nil if none did.
func find(u weburl.URL) *wrapper {
	for i := range wrappers {
		if w := &wrappers[i]; w.match(u) {
			return w
		}
	}
	return nil
}

func (w *wrapper) match(u weburl.URL) bool {
	return w.hasHost(u) && w.hasPath(u.Path) && (w.is == nil || w.is(u))
}

func (w *wrapper) hasHost(u weburl.URL) bool {
	for _, h := range w.hosts {
		if u.HostIs(h) {
			return true
		}
	}
	return len(w.hosts) == 0
}

func (w *wrapper) hasPath(path string) bool {
	for _, p := range w.paths {
		if path == p || strings.HasSuffix(p, "/") && strings.HasPrefix(path, p) {
			return true
		}
	}
	return len(w.paths) == 0
}

func (w *wrapper) hints() []string {
	if w.hint != "" {
		return []string{w.hint}
	}
	hints := make([]string, len(w.hosts))
	for i, h := range w.hosts {
		hints[i] = strings.TrimPrefix(h, ".")
	}
	return hints
}
