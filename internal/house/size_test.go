package house

import (
	"strings"
	"testing"
)

// TestSize counts the lines of code without tests, their fixtures, comments and blanks. A
// change that would exceed the bound takes as many lines away as it adds.
func TestSize(t *testing.T) {
	const most = 66_000
	code, tests := 0, 0
	for _, s := range sources(t) {
		n := 0
		for line := range strings.Lines(string(s.text)) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
				n++
			}
		}
		if s.test() || strings.HasPrefix(s.path, "internal/testkit/") {
			tests += n
		} else {
			code += n
		}
	}
	t.Logf("%d lines of code, %d lines of tests", code, tests)
	if code > most {
		t.Errorf("got %d lines of code, want at most %d", code, most)
	}
}
