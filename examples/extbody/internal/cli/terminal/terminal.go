// Package terminal is for people who watch a run: progress bars, a status line, and
// questions about decisions that the flags leave open.
package terminal

import "golang.org/x/term"

// Width returns the number of columns of a terminal, and 0 if w is not a terminal.
func Width(w any) int {
	if !Is(w) {
		return 0
	}
	n, _, err := term.GetSize(int(w.(interface{ Fd() uintptr }).Fd()))
	if err != nil {
		return 0
	}
	return n
}

// Is reports whether w is a terminal.
func Is(w any) bool {
	f, ok := w.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(int(f.Fd()))
}
