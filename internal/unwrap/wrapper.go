package unwrap

import (
	"slices"
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
	var buf [8]int
	for _, i := range wrappersByHost.AppendRows(buf[:0], u.Host) {
		if w := &wrappers[i]; w.match(u) {
			return w
		}
	}
	return nil
}

// wrappersByHost says which of wrappers are for a host.
var wrappersByHost = hostsOf(wrappers)

func hostsOf(wrappers []wrapper) *weburl.Hosts {
	hosts := make([][]string, len(wrappers))
	for i := range wrappers {
		hosts[i] = wrappers[i].hosts
	}
	return weburl.NewHosts(hosts)
}

// MayWrap reports whether URL may find something wrapped in a URL at host, which is
// in lower case, whose path and query begin with the octets of path. [MaxPath] of them
// are enough.
func MayWrap(host, path string) bool {
	if wrappersByHost.Has(host) {
		return true
	}
	if len(path) < 2 || strings.IndexByte("ufLCoOe", path[1]) < 0 {
		return false // no path of anyHost begins so
	}
	return slices.ContainsFunc(anyHost, func(p string) bool { return strings.HasPrefix(path, p) })
}

// MaxPath is the length of the longest path of a wrapper whose hosts are not listed.
const MaxPath = len("/exchweb/bin/redir.asp")

// anyHost are the paths of the wrappers whose hosts are not listed.
var anyHost = pathsOf(wrappers)

func pathsOf(wrappers []wrapper) (paths []string) {
	for i := range wrappers {
		if len(wrappers[i].hosts) == 0 {
			paths = append(paths, wrappers[i].paths...)
		}
	}
	return paths
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
