package house

import (
	"strings"
	"testing"
)

// TestSize reports the lines of code without comments and blanks. Fixtures count as tests.
//
//	go test -v -run TestSize ./internal/house
func TestSize(t *testing.T) {
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
}
