package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-extbody/extbody/examples/extbody/internal/cli/exit"
)

// wantTry runs the line of README.md that asks at a terminal, and wants the output that README.md shows. The files
// are saved.
func wantTry(t *testing.T, cmd *exec.Cmd, shown string) {
	t.Helper()
	cmd.Args[2] += " --no-open"
	p := startInTerminal(t, cmd)
	screen := p.wait("[y/N/always]")
	if got := strings.Join(strings.Fields(screen), " "); got != strings.Join(strings.Fields(shown), " ") {
		t.Errorf("got %q, want %q", screen, shown)
	}
	fmt.Fprint(p, "y")
	if got := p.end(); got != exit.OK {
		t.Errorf("got status %d, want 0: %q", got, &p.screen)
	}
	wantFiles(t, filepath.Join(cmd.Dir, "Downloads"), "note.txt", "report.txt")
}
