// Package terminal is what somebody sees who watches a run, and what they are asked: bars
// and a line that says how far it is, and questions about what the flags do not cover.
package terminal

import (
	"os"

	"golang.org/x/term"
)

// Is reports whether w is a terminal.
func Is(w any) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
