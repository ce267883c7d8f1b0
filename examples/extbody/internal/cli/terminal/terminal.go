// Package terminal is for people who watch a run: progress bars, a line that says how
// far the run is, and questions about what the flags do not cover.
package terminal

import "golang.org/x/term"

// Is reports whether w is a terminal.
func Is(w any) bool {
	f, ok := w.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(int(f.Fd()))
}
