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
// in lower case, whose path begins as path does.
func MayWrap(host, path string) bool {
	return wrappersByHost.Has(host) || strings.HasPrefix(path, googlePath)
}

// googlePath is the path of the one wrapper whose hosts are not listed.
const googlePath = "/url"

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
