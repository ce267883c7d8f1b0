// Package terminal is for people who watch a run: progress bars, a status line, and
// questions about decisions that the flags leave open.
package terminal

import (
	"os"
	"strconv"

	"golang.org/x/term"
)

// Width returns the number of columns of a terminal, and 0 if w is not a terminal.
func Width(w any) int {
	f, ok := w.(interface{ Fd() uintptr })
	if !ok {
		return 0
	}
	n, _, _ := term.GetSize(int(f.Fd()))
	return max(n, 0) // it is not positive with an error
}

// usualWidth is the width of lines where no other is known.
const usualWidth = 80

// Columns returns how many columns lines to w may have: as many as the terminal has, else the
// value of the variable COLUMNS, else 80.
func Columns(w any) int {
	if n := Width(w); n > 0 {
		return n
	}
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	return usualWidth
}

// A Controlling is the terminal of the person who started the program, whatever its standard
// input and output are.
type Controlling struct{ In, Out *os.File }

// Close closes the files, and not the terminal.
func (c *Controlling) Close() error {
	if c.Out != c.In {
		c.Out.Close()
	}
	return c.In.Close()
}
