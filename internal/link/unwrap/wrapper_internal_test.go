package unwrap

import (
	"strings"
	"testing"
)

// TestMayWrap checks that no wrapper is missed: those without hosts are known by their
// paths.
func TestMayWrap(t *testing.T) {
	for _, w := range wrappers {
		for _, host := range w.hosts {
			if strings.HasPrefix(host, ".") {
				host = "x" + host
			}
			if !MayWrap(host, "") {
				t.Errorf("%s: MayWrap(%q) is false, want true", w.name, host)
			}
		}
		if len(w.hosts) > 0 {
			continue
		}
		if len(w.paths) == 0 {
			t.Errorf("%s: got no hosts and any path, want one of them bounded", w.name)
		}
		for _, path := range w.paths {
			if !MayWrap("a.example", path) || len(path) > MaxPath {
				t.Errorf("%s: MayWrap of path %q is false, want true", w.name, path)
			}
		}
	}
	if MayWrap("a.example", "/ur") {
		t.Error("MayWrap is true for any host, want false")
	}
}
