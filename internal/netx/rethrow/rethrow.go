// Package rethrow carries a panic of a caller's function from the goroutine in which it
// happened to the one of the caller. A panic that no function of its own goroutine
// recovers ends the program, whatever the caller recovers. The same holds for
// [runtime.Goexit], which tests call to fail: it would end the wrong goroutine.
package rethrow

import "runtime"

// An End is how a function ended. The zero End is a function that returned. It is for one
// goroutine after the other.
type End struct {
	value any
	how   how
}

type how uint8

const (
	returned how = iota
	panicked
	exited
)

// Run calls f and records how it ends. It recovers from a panic. If f ends its goroutine,
// that goes on ending after End is set, so that only deferred functions can use End there.
func (e *End) Run(f func()) {
	e.how = exited
	defer func() {
		if e.how == returned {
			return
		}
		if v := recover(); v != nil {
			e.value = v
			e.how = panicked
		}
	}()
	f()
	e.how = returned
}

// Apart is Run in a goroutine of its own, for callers that must return whatever f does.
func (e *End) Apart(f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		e.Run(f)
	}()
	<-done
}

// Thrown reports whether the function did not return.
func (e *End) Thrown() bool { return e.how != returned }

// Raise ends the present goroutine as the function ended its own: it panics with the same
// value, or calls runtime.Goexit. It does nothing if the function returned.
func (e *End) Raise() {
	switch e.how {
	case panicked:
		panic(e.value)
	case exited:
		runtime.Goexit()
	}
}
