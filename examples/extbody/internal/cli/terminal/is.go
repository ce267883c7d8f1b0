package terminal

import "golang.org/x/term"

// Is reports whether w is a terminal.
func Is(w any) bool {
	f, ok := w.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(int(f.Fd()))
}
