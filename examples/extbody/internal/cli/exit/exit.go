// Package exit has the statuses with which the program ends, and an error type that
// carries a status from where it is known to where the program ends.
package exit

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
)

// The statuses.
const (
	OK     = 0
	Failed = 1  // not done: this machine, a mailbox that cannot be read, an interruption
	Usage  = 2  // a mistake on the command line
	Some   = 3  // done, and some references failed for reasons of their own
	More   = 4  // a budget ended, and more is due
	Again  = 75 // EX_TEMPFAIL of sysexits.h: try the same again later
)

// ErrInterrupted is the error of work that was interrupted.
var ErrInterrupted = errors.New("interrupted")

// An Error is an error with a status.
type Error struct {
	Status int
	Err    error // nil if everything has been said
}

// With returns err with a status. err is nil if everything has been said.
func With(status int, err error) error { return &Error{status, err} }

// Mistake returns err as a mistake on the command line.
func Mistake(err error) error { return With(Usage, err) }

// Is reports whether err has a status.
func Is(err error, status int) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Status == status
}

func (e *Error) Error() string {
	if e.Err == nil {
		return "failed"
	}
	return e.Err.Error()
}

func (e *Error) Unwrap() error { return e.Err }

// OrInterrupted calls f and returns its error, or the error of ctx if ctx ends first. In that
// case f goes on and ends with the program, since reading standard input and writing
// standard output cannot be interrupted.
func OrInterrupted(ctx context.Context, f func() error) error {
	done := make(chan error, 1)
	go func() { done <- f() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// BrokenPipes makes it an error to write to a pipe without a reader, instead of the end
// of the program. The effect lasts until stop is called.
func BrokenPipes() (stop func()) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGPIPE)
	return func() { signal.Stop(c) }
}
