package rethrow_test

import (
	"errors"
	"fmt"
	"runtime"
	"testing"

	"github.com/go-extbody/extbody/internal/netx/rethrow"
)

// ended returns how f ends: the value of its panic, "exited" or "returned".
func ended(f func()) (how any) {
	done := make(chan any)
	go func() {
		how := any("exited")
		defer func() {
			if v := recover(); v != nil {
				how = v
			}
			done <- how
		}()
		f()
		how = "returned"
	}()
	return <-done
}

func TestEnd(t *testing.T) {
	boom := errors.New("boom")
	for _, tt := range []struct {
		name string
		f    func()
		want any
	}{
		{"Returned", func() {}, "returned"},
		{"Panicked", func() { panic(boom) }, boom},
		{"Deferred", func() { defer func() { panic(boom) }(); panic("first") }, boom},
		{"Recovered", func() { defer func() { recover() }(); panic(boom) }, "returned"},
		{"Exited", runtime.Goexit, "exited"},
		{"ExitedInDeferred", func() { defer runtime.Goexit(); panic(boom) }, "exited"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var run, apart rethrow.End
			done := make(chan struct{})
			go func() {
				defer close(done)
				run.Run(tt.f)
			}()
			<-done
			apart.Apart(tt.f)
			for _, e := range []*rethrow.End{&run, &apart} {
				if got := ended(e.Raise); got != tt.want || e.Thrown() != (got != "returned") {
					t.Errorf("got %v, %t, want %v", got, e.Thrown(), tt.want)
				}
			}
		})
	}
}

func Example() {
	defer func() { fmt.Println("recovered:", recover()) }()
	var end rethrow.End
	done := make(chan struct{})
	go func() {
		defer close(done)
		end.Run(func() { panic("boom") })
	}()
	<-done
	end.Raise()
	// Output: recovered: boom
}
