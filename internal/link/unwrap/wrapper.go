package unwrap

import (
	"bytes"
	"slices"
	"strings"

	"github.com/go-extbody/extbody/internal/link/weburl"
)

// A wrapper is one form of wrapping and how to undo it.
type wrapper struct {
	// name is the name in Result.Wrappers.
	name string

	// hosts are the hosts that have the form. One that begins with a dot stands
	// for all hosts below it. Without hosts, any host may have it.
	hosts []string

	// paths are the paths that have the form. One that ends with "/" stands for
	// all paths that begin with it. Without paths, any path may have it.
	paths []string

	// is reports whether u has the form, for a u whose host and path do. It may be
	// nil.
	is func(u weburl.URL) bool

	// undo returns the URL that u wraps. text is u as written.
	undo func(u weburl.URL, text string) (string, error)
}

// find returns the wrapper whose form u has, or nil.
func find(u weburl.URL) *wrapper {
	var buf [8]int
	for _, i := range wrappersByHost.AppendRows(buf[:0], u.Host) {
		if w := &wrappers[i]; w.match(u) {
			return w
		}
	}
	return nil
}

// MayWrap reports whether [URL] may find a wrapper in a URL at a host. host is in
// canonical form, and rest is the text of the URL after it, or the beginning of that.
func MayWrap(host string, rest []byte) bool {
	if wrappersByHost.Has(host) {
		return true
	}
	for i, c := range rest {
		if c <= ' ' || c == '?' || c == '#' {
			break
		}
		if i > 0 && rest[i-1] == '/' && (c == '.' || c == '%') {
			return true // perhaps a dot segment
		}
	}
	return slices.ContainsFunc(anyHost, func(path []byte) bool { return bytes.HasPrefix(rest, path) })
}

// anyHost has the paths of the wrappers for any host.
var anyHost = func() (paths [][]byte) {
	for _, w := range wrappers {
		if len(w.hosts) == 0 {
			for _, p := range w.paths {
				paths = append(paths, []byte(p))
			}
		}
	}
	return paths
}()

// wrappersByHost has the rows of wrappers by host.
var wrappersByHost = hostsOf(wrappers)

func hostsOf(wrappers []wrapper) *weburl.Hosts {
	hosts := make([][]string, len(wrappers))
	for i := range wrappers {
		hosts[i] = wrappers[i].hosts
	}
	return weburl.NewHosts(hosts)
}

// match reports whether u, whose host is one of w, has the form.
func (w *wrapper) match(u weburl.URL) bool { return w.hasPath(u.Path) && (w.is == nil || w.is(u)) }

func (w *wrapper) hasPath(path string) bool {
	for _, p := range w.paths {
		if path == p || strings.HasSuffix(p, "/") && strings.HasPrefix(path, p) {
			return true
		}
	}
	return len(w.paths) == 0
}
