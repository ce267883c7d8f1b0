package pausable

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

var errOver = errors.New("over")

func TestWithTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		outer, stop := WithTimeout(t.Context(), time.Minute, errors.New("another"))
		defer stop(nil)
		type key struct{}
		ctx, cancel := WithTimeout(context.WithValue(outer, key{}, 1), 10*time.Second, errOver)
		defer cancel(nil)
		if got, ok := ctx.Deadline(); !ok || !got.Equal(begun.Add(10*time.Second)) {
			t.Errorf("got deadline %v, %t, want after 10 s", got, ok)
		}
		time.Sleep(4 * time.Second)
		first, second := Hold(ctx), Hold(ctx)
		time.Sleep(time.Hour)
		first()
		time.Sleep(time.Hour)
		if ctx.Err() != nil || outer.Err() != nil {
			t.Errorf("held: got %v, %v, want no error", ctx.Err(), outer.Err())
		}
		if got, ok := ctx.Deadline(); ok {
			t.Errorf("held: got deadline %v, want none", got)
		}
		second()
		time.Sleep(5 * time.Second)
		if ctx.Err() != nil {
			t.Errorf("after 9 s: got %v, want no error", ctx.Err())
		}
		time.Sleep(time.Second)
		<-ctx.Done()
		if got := context.Cause(ctx); got != errOver {
			t.Errorf("after 10 s: got %v, want %v", got, errOver)
		}
		if outer.Err() != nil {
			t.Errorf("after 10 s: got %v for the outer one, want no error", outer.Err())
		}
		Hold(ctx)() // is over
	})
}

func TestCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := WithTimeout(t.Context(), time.Second, errOver)
		release := Hold(ctx)
		cancel(nil)
		release()
		time.Sleep(time.Minute)
		if got := context.Cause(ctx); got != context.Canceled {
			t.Errorf("got %v, want %v", got, context.Canceled)
		}
		Hold(t.Context())() // has no clock
	})
}

// A Clock stands still in Pause, also in one below it, and in no other time.
func TestClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		outer := NewClock(t.Context())
		inner := NewClock(outer)
		if got := inner.Now(); got == 0 {
			t.Errorf("got %v at the beginning, want more than 0", got)
		}
		before := [2]time.Duration{outer.Now(), inner.Now()}
		done := make(chan error)
		go func() { done <- Pause(inner, time.Hour) }()
		if err := Pause(inner, time.Minute); err != nil {
			t.Errorf("got %v, want none", err)
		}
		if err := <-done; err != nil {
			t.Errorf("got %v, want none", err)
		}
		time.Sleep(time.Second)
		if after := [2]time.Duration{outer.Now(), inner.Now()}; after[0]-before[0] != time.Second || after[1]-before[1] != time.Second {
			t.Errorf("got %v after %v, want a second more of each", after, before)
		}
		ctx, cancel := context.WithCancelCause(inner)
		cancel(errOver)
		if err := Pause(ctx, time.Hour); err != errOver {
			t.Errorf("got %v, want %v", err, errOver)
		}
	})
}
